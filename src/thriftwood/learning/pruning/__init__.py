"""Making a grown tree smaller, so that it fits what is to come rather than what was seen.

A rule is a small value (`Pessimistic(cf=0.1)`) with one method, ``tree(problem)``: grow as the problem says
and return the finished, pruned tree. Most rules grow on all cases and then cut; `ReducedError` keeps some
cases aside, and `CrossValidatedComplexity` first finds out how large the tree should be.
"""

from thriftwood.learning.pruning.cost_complexity import CostComplexity
from thriftwood.learning.pruning.cross_validated_complexity import CrossValidatedComplexity
from thriftwood.learning.pruning.expected_cost import ExpectedCost
from thriftwood.learning.pruning.expected_loss import ExpectedLoss
from thriftwood.learning.pruning.mdl import MDL
from thriftwood.learning.pruning.pessimistic import Pessimistic
from thriftwood.learning.pruning.reduced_error import ReducedError
from thriftwood.learning.pruning.rule import Cutting, Pruning

__all__ = [
    "MDL",
    "CostComplexity",
    "CrossValidatedComplexity",
    "Cutting",
    "ExpectedCost",
    "ExpectedLoss",
    "Pessimistic",
    "Pruning",
    "ReducedError",
]
