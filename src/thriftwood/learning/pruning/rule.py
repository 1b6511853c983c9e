"""`Pruning`: what every pruning rule can do, and `Cutting`, what those can do that cut a grown tree."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from thriftwood import _core
from thriftwood.base.parameters import Rule, check
from thriftwood.base.value_object import ValueObject
from thriftwood.learning.problem import Problem


class Pruning(ValueObject):
    """A pruning rule: parameters, their rules, and ``tree``."""

    rules: ClassVar[dict[str, Rule]]
    takes_out_tests: ClassVar[bool] = False
    """Whether it may take a test out of a path and leave tests below it where they are."""

    @property
    def needs_cases(self) -> bool:
        """Whether it looks at the cases themselves, not only at what the nodes of the tree count."""
        return True

    def tree(self, problem: Problem) -> _core.Tree:
        """Grow and prune the tree of a problem.

        Raises
        ------
        ValueError
            When a parameter is out of its bounds or the rule cannot prune such a tree; the message says
            which.
        """
        self.check()
        return self._tree(problem)

    def check(self) -> None:
        """Raise a ValueError that names the parameter unless all are in their bounds."""
        check(self, self.rules)

    def cut(self, settings: _core.Settings) -> _core.Cut | None:
        """Return the rule in the core's own terms, for a tree grown by these settings.

        None: it has none, because it asks for more than the tree and the cases it was grown on.
        """
        return None

    @abstractmethod
    def _tree(self, problem: Problem) -> _core.Tree:
        """Grow and prune, parameters being right."""


class Cutting(Pruning):
    """A rule that cuts a tree grown on all cases."""

    def _tree(self, problem: Problem) -> _core.Tree:
        return self.pruned(problem.grow(), problem)

    @abstractmethod
    def pruned(self, tree: _core.Tree, problem: Problem) -> _core.Tree:
        """Prune and finish a tree that was grown on the problem."""

    def _needs_classes(self, problem: Problem) -> None:
        if problem.labels is None:
            raise ValueError(
                f"{type(self).__name__} prunes trees that tell classes apart, and this one predicts numbers. "
                "Use CostComplexity, ReducedError or CrossValidatedComplexity."
            )
