"""`MDL`: the tree with which the training classes are told in fewest bits."""

from __future__ import annotations

from typing import ClassVar, Literal

from thriftwood import _core
from thriftwood.base.parameters import Choice, Rule
from thriftwood.learning.problem import Problem
from thriftwood.learning.pruning.rule import Cutting


class MDL(Cutting):
    """Pruning by minimum description length: bits for the tree plus bits for the classes it does not tell.

    Parameters
    ----------
    encoding : {"full", "partial", "hybrid", "quinlan_rivest"}
        Mehta, Rissanen and Agrawal 1995: a node is a leaf or a test ("full"), or may also drop some of its
        branches ("partial"), or the one after the other ("hybrid"). Quinlan and Rivest 1989: errors of a
        leaf are told as exceptions ("quinlan_rivest").
    test_bits : {"choices", "sliq"}
        What telling a test takes: the logarithm of the number of tests it was chosen from, or SLIQ's
        shorter count.

    Examples
    --------
    >>> MDL(encoding="partial")
    MDL(encoding='partial')
    """

    rules: ClassVar[dict[str, Rule]] = {
        "encoding": Choice(("full", "partial", "hybrid", "quinlan_rivest")),
        "test_bits": Choice(("choices", "sliq")),
    }

    def __init__(
        self,
        encoding: Literal["full", "partial", "hybrid", "quinlan_rivest"] = "full",
        *,
        test_bits: Literal["choices", "sliq"] = "choices",
    ) -> None:
        self.encoding = encoding
        self.test_bits = test_bits

    def cut(self, settings: _core.Settings) -> _core.Cut:
        """Return the rule in the core's own terms."""
        exceptions = self.encoding == "quinlan_rivest"
        code, encoding = ("quinlan_rivest", "full") if exceptions else ("mehta", self.encoding)
        return _core.Cut.mdl(code, encoding, self.test_bits)

    @property
    def needs_cases(self) -> bool:
        """It does not: what the nodes count is enough."""
        return False

    def pruned(self, tree: _core.Tree, problem: Problem) -> _core.Tree:
        """Prune a grown tree."""
        self._needs_classes(problem)
        assert problem.labels is not None
        cut = self.cut(problem.settings)
        pruned = _core.cut_back(problem.unaltered(tree), cut, problem.table, problem.labels)
        return problem.answered_as_judged(pruned)
