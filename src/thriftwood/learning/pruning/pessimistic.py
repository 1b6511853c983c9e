"""`Pessimistic`: C4.5's pruning by an upper limit of each leaf's errors."""

from __future__ import annotations

from typing import ClassVar, Literal

from thriftwood import _core
from thriftwood.base.parameters import Choice, Flag, Real, Rule
from thriftwood.learning.problem import Problem
from thriftwood.learning.pruning.rule import Cutting


class Pessimistic(Cutting):
    """C4.5's pruning: a leaf or the heaviest branch replaces a subtree unless more errors are expected.

    The errors expected from a leaf are the upper limit of a confidence interval around those it made in
    training.

    Parameters
    ----------
    cf : float
        The confidence factor, above 0 and at most 1: the smaller, the smaller the tree.
    subtree_raising : bool
        Whether a subtree may be replaced by its heaviest branch.
    z : {"table", "exact"}
        The normal quantile of `cf`: interpolated in C4.5's short table, or exact.
    collapse : bool
        Whether splits that save no training errors are taken back first, as C4.5 does.

    Examples
    --------
    >>> Pessimistic(cf=0.1)
    Pessimistic(cf=0.1)
    """

    rules: ClassVar[dict[str, Rule]] = {
        "cf": Real(0.0, 1.0, above=True),
        "subtree_raising": Flag(),
        "z": Choice(("table", "exact")),
        "collapse": Flag(),
    }
    takes_out_tests = True

    def __init__(
        self,
        cf: float = 0.25,
        *,
        subtree_raising: bool = True,
        z: Literal["table", "exact"] = "table",
        collapse: bool = True,
    ) -> None:
        self.cf = cf
        self.subtree_raising = subtree_raising
        self.z = z
        self.collapse = collapse

    @property
    def needs_cases(self) -> bool:
        """Whether subtrees are raised: their cases then go down another branch."""
        return bool(self.subtree_raising)

    def cut(self, settings: _core.Settings) -> _core.Cut:
        """Return the rule in the core's own terms; grouped categories are tidied up after it."""
        return _core.Cut.pessimistic(
            self.cf, bool(self.subtree_raising), self.z, bool(self.collapse), settings.nominal == "grouped"
        )

    def pruned(self, tree: _core.Tree, problem: Problem) -> _core.Tree:
        """Prune a grown tree with the cases it was grown on.

        Splits are taken back by the weights of growth, as while growing; then the cases go down the tree with
        the weights to be judged by, which altered priors leave as they were.
        """
        self._needs_classes(problem)
        assert problem.labels is not None
        if not problem.has_cases or (problem.settings.bins and not self.needs_cases):
            return problem.answered_as_judged(self._by_counts(tree, problem))
        cut = self.cut(problem.settings)
        pruned = _core.cut_back(tree, cut, problem.table, problem.labels, problem.judging_weights)
        return problem.answered_as_judged(pruned)

    def _by_counts(self, tree: _core.Tree, problem: Problem) -> _core.Tree:
        """Prune by what the nodes count: cases may be elsewhere, and binned trees are the same anywhere."""
        collapsed = _core.collapse(tree) if self.collapse else tree
        pruned = _core.prune_pessimistic_counts(problem.unaltered(collapsed), self.cf, self.z)
        return _core.drop_impossible_values(pruned) if problem.settings.nominal == "grouped" else pruned
