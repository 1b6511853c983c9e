"""What learns a tree: the estimators, growth, pruning, weighing of prices, trials.

Words
-----
growth
    How a tree grows (`Growth`): when it stops, which tests it may make, what becomes of missing values.
pruning
    How a grown tree is made smaller (`Pessimistic`, `CostComplexity`, ...).
criterion
    What a split is worth: a name, or a value object with parameters (`thriftwood.learning.criteria`).
look-ahead
    How far some criteria look ahead (`LookAhead`): trees sampled below every test, and the time for it.
problem
    An encoded table with what is to be predicted, as the core sees it; it lives for one fit.

Steps of a fit
--------------
1. Encode: `thriftwood.table.Encoder` learns the columns; `targets` checks what is to be predicted.
2. Grow and prune: the core grows, the pruning rule cuts, error costs choose the answers.
3. Wrap: a `Tree` that knows names, classes and prices.
"""

from thriftwood.learning.classifier import CostTreeClassifier
from thriftwood.learning.fitting import fit_many
from thriftwood.learning.gated import GatedTreeClassifier
from thriftwood.learning.growth import Growth
from thriftwood.learning.look_ahead import LookAhead
from thriftwood.learning.optimal import OptimalTreeClassifier
from thriftwood.learning.prepared import PreparedLearner
from thriftwood.learning.pruning import (
    MDL,
    CostComplexity,
    CrossValidatedComplexity,
    ExpectedCost,
    ExpectedLoss,
    Pessimistic,
    Pruning,
    ReducedError,
)
from thriftwood.learning.regressor import CostTreeRegressor
from thriftwood.learning.thrift import ThriftClassifier

__all__ = [
    "MDL",
    "CostComplexity",
    "CostTreeClassifier",
    "CostTreeRegressor",
    "CrossValidatedComplexity",
    "ExpectedCost",
    "ExpectedLoss",
    "GatedTreeClassifier",
    "Growth",
    "LookAhead",
    "OptimalTreeClassifier",
    "Pessimistic",
    "PreparedLearner",
    "Pruning",
    "ReducedError",
    "ThriftClassifier",
    "fit_many",
]
