"""Ensembles that know what mistakes cost: scikit-learn estimators, one file per method.

Words
-----
member
    One of the models of an ensemble: a finished `Tree` where the base estimator is ours, or a fitted
    estimator.
shares
    What a member says of a case: a number for each class, adding up to 1; 1 for its answer where votes count.
loss
    What answers cost, ``[actual, predicted]``.
workshop
    A base estimator at one table: there members learn, by weights, on samples or from other labels.

Prices of tests do not guide ensembles; `thriftwood.evaluation.bill` charges them.
"""

from thriftwood.ensembles.bagging import CostBagClassifier
from thriftwood.ensembles.boosting import CostBoostClassifier
from thriftwood.ensembles.costing import CostingClassifier
from thriftwood.ensembles.lazy import LazyOptionTreesClassifier
from thriftwood.ensembles.lp_csb import LpCsbClassifier
from thriftwood.ensembles.metacost import MetaCostClassifier

__all__ = [
    "CostBagClassifier",
    "CostBoostClassifier",
    "CostingClassifier",
    "LazyOptionTreesClassifier",
    "LpCsbClassifier",
    "MetaCostClassifier",
]
