"""scikit-learn's own checks of estimators: all of them, none expected to fail.

Forests are checked without bags: which cases are drawn is by row, so a row of weight 2 and two equal rows
need not give the same forest.
"""

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import thriftwood as tw

COSTS = tw.Costs(errors_default=1)
PRICES = tw.Costs(default_price=1)
ESTIMATORS = [
    tw.CostForestClassifier(3, bootstrap=False, max_samples=1.0, growth=tw.Growth(), random_state=0),
    tw.CostForestClassifier(10, bootstrap=False, max_samples=1.0, oob=True, random_state=0),
    tw.CheapestAnswer(LogisticRegression()),
    tw.CheapestAnswer(tw.CostTreeClassifier()),
    tw.BayesAnswers(tw.CostTreeClassifier()),
    tw.BayesAnswers(tw.algorithm("c45"), PRICES),
    tw.MetaCostClassifier(n_estimators=5),
    tw.MetaCostClassifier(DecisionTreeClassifier(max_depth=4), costs=COSTS, n_estimators=5),
    tw.CostBoostClassifier("adaboost", costs=COSTS),
    tw.CostBoostClassifier("adacost"),
    tw.CostBoostClassifier("csb2", costs=COSTS, confidence_rated=True),
    tw.CostBoostClassifier("asymboost", costs=COSTS),
    tw.LpCsbClassifier(),
    tw.CostBagClassifier(n_estimators=5),
    tw.LazyOptionTreesClassifier(n_estimators=3),
    tw.CostingClassifier(n_estimators=3),
    tw.CostGradientBoostingClassifier(n_estimators=10),
    tw.CostGradientBoostingClassifier(costs=COSTS, cheap_first=1.0, stop=None, n_estimators=10),
    tw.BoostedTreesClassifier(n_estimators=3),
    tw.BoostedTreesClassifier(costs=PRICES, n_estimators=3, variant="samme", short_cut=True),
    tw.InverseBoostedTreesClassifier(n_estimators=3),
    tw.BaggedTreesClassifier(costs=PRICES, n_estimators=3),
    tw.ShortcutForestClassifier(5, costs=PRICES),
    tw.CocostClassifier(costs=PRICES, alphas=[0.1, 1.0], rounds=2),
    tw.CocostClassifier(costs=PRICES, alphas=[1.0], rounds=2, stacking="cross", folds=2, told="shares"),
]


@pytest.mark.filterwarnings("ignore:The first tree makes no mistakes")
@parametrize_with_checks(ESTIMATORS)
def test_estimator_keeps_to_the_conventions(estimator, check):
    check(estimator)
