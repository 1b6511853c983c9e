"""scikit-learn's own checks of estimators: all of them, none expected to fail.

Forests are checked without bags: which cases are drawn is by row, so a row of weight 2 and two equal rows
need not give the same forest.
"""

from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

import thriftwood as tw

ESTIMATORS = [
    tw.CostForestClassifier(3, bootstrap=False, max_samples=1.0, growth=tw.Growth(), random_state=0),
    tw.CostForestClassifier(10, bootstrap=False, max_samples=1.0, oob=True, random_state=0),
    tw.CheapestAnswer(LogisticRegression()),
    tw.CheapestAnswer(tw.CostTreeClassifier()),
]


@parametrize_with_checks(ESTIMATORS)
def test_estimator_keeps_to_the_conventions(estimator, check):
    check(estimator)
