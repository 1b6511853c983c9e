"""Ensembles that know what mistakes cost: scikit-learn estimators, one file per method.

Words
-----
member
    One of the models of an ensemble: a finished `Tree` where the base estimator is ours, or a fitted
    estimator.
forest
    Many trees, each grown on a *bag* of the cases and on random features.
shares
    What a member says of a case: a number for each class, adding up to 1; 1 for its answer where votes count.
cheapest answer
    The class with the least expected cost, given how likely each class is.
loss
    What answers cost, ``[actual, predicted]``.
booster
    The *stages* of gradient boosting: small trees whose steps add up to the scores of the classes.
workshop
    A base estimator at one table: there members learn, by weights, on samples or from other labels.

Prices of tests guide forests, as they guide trees, and gradient boosting, and no other ensemble;
`thriftwood.evaluation.bill` charges them.
"""

from thriftwood.ensembles.bagging import CostBagClassifier
from thriftwood.ensembles.boosting import CostBoostClassifier
from thriftwood.ensembles.cheapest_answer import CheapestAnswer
from thriftwood.ensembles.costing import CostingClassifier
from thriftwood.ensembles.forest import CostForestClassifier
from thriftwood.ensembles.gradient_boosting import CostGradientBoostingClassifier
from thriftwood.ensembles.lazy import LazyOptionTreesClassifier
from thriftwood.ensembles.lp_csb import LpCsbClassifier
from thriftwood.ensembles.metacost import MetaCostClassifier

__all__ = [
    "CheapestAnswer",
    "CostBagClassifier",
    "CostBoostClassifier",
    "CostForestClassifier",
    "CostGradientBoostingClassifier",
    "CostingClassifier",
    "LazyOptionTreesClassifier",
    "LpCsbClassifier",
    "MetaCostClassifier",
]
