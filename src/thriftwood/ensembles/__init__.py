"""Ensembles that know what mistakes or tests cost: scikit-learn estimators, one file per method.

Words
-----
member
    One of the models of an ensemble: a finished `Tree` where the base estimator is ours, or a fitted
    estimator.
forest
    Many trees, each grown on a *bag* of the cases and on random features.
shares
    What a member gives a case: a number for each class, adding up to 1; 1 for its answer where votes count.
cheapest answer
    The class with the least expected cost, given how likely each class is.
loss
    What answers cost, ``[actual, predicted]``.
booster
    The *stages* of gradient boosting: small trees whose steps add up to the scores of the classes.
base learner
    A base estimator prepared at one table: members learn there, by weights, on samples or from other labels.
panel
    Finished trees that are asked one after the other, each only when its answer is needed: by a *vote*, or by
    a *stacked tree*, whose columns are what the others answer.

There are two families. Those named Cost... go by what mistakes cost; of them prices of tests guide forests
and gradient boosting alone. The panels (boosted, bagged, CoCoST, short-cut forests) go by what tests cost.
`thriftwood.evaluation.bill` charges both.
"""

from thriftwood.ensembles.error_costs.cheapest_answer import CheapestAnswer
from thriftwood.ensembles.error_costs.cost_bag import CostBagClassifier
from thriftwood.ensembles.error_costs.cost_boost import CostBoostClassifier
from thriftwood.ensembles.error_costs.costing import CostingClassifier
from thriftwood.ensembles.error_costs.forest import CostForestClassifier
from thriftwood.ensembles.error_costs.lazy_options import LazyOptionTreesClassifier
from thriftwood.ensembles.error_costs.lp_csb import LpCsbClassifier
from thriftwood.ensembles.error_costs.metacost import MetaCostClassifier
from thriftwood.ensembles.test_costs.bagged_trees import BaggedTreesClassifier
from thriftwood.ensembles.test_costs.bayes_answers import BayesAnswers
from thriftwood.ensembles.test_costs.boosted_trees import BoostedTreesClassifier
from thriftwood.ensembles.test_costs.cocost import CocostClassifier
from thriftwood.ensembles.test_costs.gradient_boosting import CostGradientBoostingClassifier
from thriftwood.ensembles.test_costs.inverse_boosted_trees import InverseBoostedTreesClassifier
from thriftwood.ensembles.test_costs.shortcut_forest import ShortcutForestClassifier

__all__ = [
    "BaggedTreesClassifier",
    "BayesAnswers",
    "BoostedTreesClassifier",
    "CheapestAnswer",
    "CocostClassifier",
    "CostBagClassifier",
    "CostBoostClassifier",
    "CostForestClassifier",
    "CostGradientBoostingClassifier",
    "CostingClassifier",
    "InverseBoostedTreesClassifier",
    "LazyOptionTreesClassifier",
    "LpCsbClassifier",
    "MetaCostClassifier",
    "ShortcutForestClassifier",
]
