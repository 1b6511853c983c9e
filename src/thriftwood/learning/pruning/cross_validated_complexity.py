"""`CrossValidatedComplexity`: find the right size by reduced-error pruning, then grow to it on all cases."""

from __future__ import annotations

import copy
import math
from bisect import bisect_left
from typing import ClassVar, Literal

import numpy as np
from sklearn.utils import check_random_state

from thriftwood import _core
from thriftwood.base.parameters import Choice, Real, Rule, Whole
from thriftwood.learning.problem import Problem
from thriftwood.learning.pruning.folds import validation_part
from thriftwood.learning.pruning.reduced_error import pruned_by
from thriftwood.learning.pruning.rule import Pruning


class CrossValidatedComplexity(Pruning):
    """The cross-validated complexity method: how large reduced-error trees become decides how far to grow.

    Several times some cases are kept aside and a tree is pruned by them; then a tree is grown on all cases,
    one split at a time, while it is less complex than those were on average.

    Parameters
    ----------
    repeats : int
        How many trees are pruned to find the complexity.
    validation : float
        The share of the cases kept aside each time.
    order : {"breadth", "best"}
        The order of the splits: level by level, or the largest gain (times weight) first.
    complexity : {"internal_nodes", "leaves", "nodes"}
        What is counted.

    Examples
    --------
    >>> CrossValidatedComplexity(repeats=5)
    CrossValidatedComplexity(repeats=5)
    """

    rules: ClassVar[dict[str, Rule]] = {
        "repeats": Whole(1),
        "validation": Real(0.0, 1.0, above=True, below=True),
        "order": Choice(("breadth", "best")),
        "complexity": Choice(("internal_nodes", "leaves", "nodes")),
    }

    def __init__(
        self,
        repeats: int = 10,
        *,
        validation: float = 1 / 3,
        order: Literal["breadth", "best"] = "breadth",
        complexity: Literal["internal_nodes", "leaves", "nodes"] = "internal_nodes",
    ) -> None:
        self.repeats = repeats
        self.validation = validation
        self.order = order
        self.complexity = complexity

    def _tree(self, problem: Problem) -> _core.Tree:
        rng = check_random_state(problem.random_state)
        parts = [validation_part(problem, self.validation, rng) for _ in range(self.repeats)]
        trees = problem.grow_many([growing for growing, _ in parts])
        pruned = [
            pruned_by(problem, problem.answered(tree), kept, "greedy")
            for tree, (_, kept) in zip(trees, parts, strict=True)
        ]
        return self.grown_to(float(np.mean([self._measure(tree) for tree in pruned])), problem)

    def grown_to(self, complexity: float, problem: Problem) -> _core.Tree:
        """Grow on all cases, expanding the next node while the tree is less complex than this."""
        splits = complexity
        if self.complexity != "internal_nodes":
            splits = self._least_splits(complexity, problem)
        return problem.answered(self._grown(splits, problem))

    def _measure(self, tree: _core.Tree) -> int:
        leaves, nodes = tree.n_leaves, tree.n_nodes
        return {"internal_nodes": nodes - leaves, "leaves": leaves, "nodes": nodes}[self.complexity]

    def _grown(self, max_splits: float, problem: Problem) -> _core.Tree:
        settings = copy.copy(problem.settings)
        settings.order = self.order
        settings.max_splits = max_splits
        return problem.grow(settings=settings)

    def _least_splits(self, complexity: float, problem: Problem) -> int:
        """Return the least number of splits with which the tree is as complex as wanted.

        Fewer splits are the first of more, so the tree only grows with their number, and the right one lies
        where bisection finds it.
        """
        # A split adds from two branches to as many as the widest one has; a leaf that is split is none.
        lost = self.complexity == "leaves"
        added = max(complexity - 1, 0.0)
        most = math.ceil(added / (2 - lost))
        widest = int(self._grown(most, problem).n_children.max())
        least = math.ceil(added / (max(widest, 2) - lost))

        def size(splits: int) -> int:
            return self._measure(self._grown(splits, problem))

        return bisect_left(range(most), complexity, least, most, key=size)
