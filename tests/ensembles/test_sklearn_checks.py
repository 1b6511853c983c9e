"""scikit-learn's own checks of estimators: all of them, none expected to fail."""

from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import thriftwood as tw

COSTS = tw.Costs(errors_default=1)
ESTIMATORS = [
    tw.MetaCostClassifier(costs=COSTS, n_estimators=5),
    tw.MetaCostClassifier(DecisionTreeClassifier(max_depth=4), costs=COSTS, n_estimators=5),
    tw.CostBoostClassifier("adaboost", costs=COSTS),
    tw.CostBoostClassifier("adacost", costs=COSTS),
    tw.CostBoostClassifier("csb2", costs=COSTS, confidence_rated=True),
    tw.CostBoostClassifier("asymboost", costs=COSTS),
    tw.LpCsbClassifier(costs=COSTS),
    tw.CostBagClassifier(costs=COSTS, n_estimators=5),
    tw.LazyOptionTreesClassifier(costs=COSTS, n_estimators=3),
    tw.CostingClassifier(costs=COSTS, n_estimators=3),
]


@parametrize_with_checks(ESTIMATORS)
def test_estimator_keeps_to_the_conventions(estimator, check):
    check(estimator)
