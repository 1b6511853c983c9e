"""Decision trees: growing them, pruning them, and the finished tree.

Words
-----
growth
    How a tree grows (`Growth`): when it stops, which tests it may make, what becomes of missing values.
pruning
    How a grown tree is made smaller (`Pessimistic`, `CostComplexity`, ...).
sampling
    How far some criteria look ahead (`Sampling`): trees sampled below every test, and the time for it.
problem
    An encoded table with what is to be predicted, as the core sees it; it lives for one fit.
tree
    The finished tree (`Tree`): what users hold, read, save and ask.

Steps of a fit
--------------
1. Encode: `thriftwood.table.Encoder` learns the columns; `targets` checks what is to be predicted.
2. Grow and prune: the core grows, the pruning rule cuts, error costs choose the answers.
3. Wrap: a `Tree` that knows names, classes and prices.
"""

from thriftwood.tree.classifier import CostTreeClassifier
from thriftwood.tree.fitting import fit_many
from thriftwood.tree.growth import Growth
from thriftwood.tree.loading import load
from thriftwood.tree.pruning import (
    MDL,
    CostComplexity,
    CrossValidatedComplexity,
    ExpectedCost,
    ExpectedLoss,
    Pessimistic,
    Pruning,
    ReducedError,
)
from thriftwood.tree.published import algorithm, algorithms
from thriftwood.tree.regressor import CostTreeRegressor
from thriftwood.tree.sampling import Sampling
from thriftwood.tree.structure import Node, Tree

__all__ = [
    "MDL",
    "CostComplexity",
    "CostTreeClassifier",
    "CostTreeRegressor",
    "CrossValidatedComplexity",
    "ExpectedCost",
    "ExpectedLoss",
    "Growth",
    "Node",
    "Pessimistic",
    "Pruning",
    "ReducedError",
    "Sampling",
    "Tree",
    "algorithm",
    "algorithms",
    "fit_many",
    "load",
]
