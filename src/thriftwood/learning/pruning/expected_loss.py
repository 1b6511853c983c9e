"""`ExpectedLoss`: pruning by what the mistakes at smoothed leaves are expected to cost."""

from __future__ import annotations

from typing import ClassVar

from thriftwood import _core
from thriftwood.base.parameters import Rule
from thriftwood.learning.problem import Problem
from thriftwood.learning.pruning.rule import Cutting
from thriftwood.learning.smoothing import SMOOTHING, Smoothing, smoothing_of


class ExpectedLoss(Cutting):
    """Bradford's pruning: a leaf replaces a subtree if its mistakes are expected to cost no more.

    From the leaves up. The loss of a leaf is its weight times the expected cost of its cheapest answer, by
    class shares that are smoothed because few cases say little. Without error costs a mistake costs 1. What
    tests cost does not count; see `ExpectedCost` for that.

    Parameters
    ----------
    smoothing : {"laplace", None} or float
        How class shares are taken from the weights of a leaf, whatever the shares that it will answer with:
        see the parameter of `CostTreeClassifier`. None counts training mistakes alone, which cuts only
        where splits save none.

    Examples
    --------
    >>> import thriftwood as tw
    >>> X, y = [[0]] * 4 + [[1]] * 4, ["well"] * 6 + ["sick"] * 2
    >>> for dear in (1, 5):
    ...     costs = tw.Costs(errors={"sick": {"well": dear}, "well": {"sick": 1}})
    ...     model = tw.CostTreeClassifier(costs=costs, pruning=ExpectedLoss()).fit(X, y)
    ...     print(dear, model.get_n_leaves())
    1 1
    5 2

    References
    ----------
    Bradford, Kunz, Kohavi, Brunk & Brodley 1998, Pruning decision trees with misclassification costs, ECML
    """

    rules: ClassVar[dict[str, Rule]] = {"smoothing": SMOOTHING}

    def __init__(self, smoothing: Smoothing = "laplace") -> None:
        self.smoothing = smoothing

    @property
    def needs_cases(self) -> bool:
        """It does not: what the nodes count is enough."""
        return False

    def pruned(self, tree: _core.Tree, problem: Problem) -> _core.Tree:
        """Prune a grown tree by the weights and answers it is to be judged by."""
        self._needs_classes(problem)
        tree = _core.prune_expected_loss(problem.answered(tree), problem.loss, smoothing_of(self.smoothing))
        return _core.drop_impossible_values(tree) if problem.settings.nominal == "grouped" else tree
