"""scikit-learn's own checks of estimators: all of them, none expected to fail.

Rules that keep cases aside (`ReducedError`, cross-validation) are here only in `cart`: which cases are kept
is drawn among rows, so a row of weight 2 and two equal rows need not give the same tree. `ThriftClassifier`
is checked in test_thrift.py.
"""

from sklearn.utils.estimator_checks import parametrize_with_checks

import thriftwood as tw

ESTIMATORS = [
    tw.CostTreeClassifier(),
    tw.CostTreeClassifier("entropy", growth=tw.Growth(missing="branch", order="best", max_leaves=8)),
    tw.CostTreeClassifier(growth=tw.Growth(missing="majority", bins=16), pruning=tw.MDL()),
    tw.algorithm("id3"),
    tw.algorithm("c45"),
    tw.algorithm("cart"),
    tw.OptimalTreeClassifier(max_depth=2),
    tw.CostTreeRegressor(),
    tw.CostTreeRegressor("absolute_error", pruning=tw.CostComplexity(alpha=0.01)),
]


@parametrize_with_checks(ESTIMATORS)
def test_estimator_keeps_to_the_conventions(estimator, check):
    check(estimator)
