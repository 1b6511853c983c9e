"""Trees of the least cost up to a depth, learnt anew at any price.

A search takes the tree that costs the training cases least: tests, mistakes, and a fee for every leaf. That
is the least of many straight lines, so its flips are found exactly, with about two searches for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from sklearn.base import clone

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.evaluation.whatif.blank import blanked
from thriftwood.evaluation.whatif.tracing import ROUNDING, Crossing, Division
from thriftwood.evaluation.whatif.trees import Learnt, Trees
from thriftwood.evaluation.whatif.varied import Varied
from thriftwood.learning.class_tree import FloatArray
from thriftwood.learning.estimator import Prepared
from thriftwood.learning.optimal import OptimalTreeClassifier
from thriftwood.learning.problem import Problem
from thriftwood.learning.thrift_candidates import constant_costs

TINY = 1e-9
"""Where prices begin instead of at 0, as a share of the range, if tests are delayed: below those only what is
free is asked, so that a price of 0 allows trees that no other price does."""


class Searched(Trees):
    """Trees as `OptimalTreeClassifier` finds them."""

    def __init__(
        self,
        prepared: Prepared,
        costs: Costs,
        searcher: OptimalTreeClassifier,
        words: str,
        share: float | None,
        problem: Problem,
    ) -> None:
        super().__init__(prepared, costs)
        self.prepared, self.searcher, self.words, self.problem = prepared, searcher, words, problem
        self.exact = True
        self.share = share
        """What a leaf costs, as a multiple of what the best answer for all costs a case; None: `leaf_fee`."""

    def core(self, costs: Costs, weights: FloatArray) -> _core.Tree:
        """Search a tree; Ctrl-C ends it."""
        self.searcher.leaf_fee = self.fee(costs, weights)
        found = self.searcher.search(self._problem(costs, weights), _core.Stop(None), None)
        if found.ended == "interrupt":
            raise KeyboardInterrupt
        return found.tree

    def fee(self, costs: Costs, weights: FloatArray) -> float:
        """Return what a leaf costs, for all cases together."""
        if self.share is None:
            return float(self.searcher.leaf_fee)
        return float(self.share * self._constants(costs, weights).min() / np.count_nonzero(weights))

    def division(
        self, varied: Varied, weights: FloatArray, *, roughly: bool
    ) -> tuple[Division[Learnt], list[float]]:
        """Return the way by lines; they bend where the fee of a leaf does."""
        low = varied.low
        if low == 0 and any(test.delayed for test in self.costs.tests.values()):
            low = TINY * varied.high
        values = [low, *self._kinks(varied, weights), varied.high]
        fees = [self.fee(self._turned(varied, value), weights) / weights.sum() for value in values]

        def cost(learnt: Learnt, value: float) -> float:
            return learnt.mean(value) + learnt.n_leaves * float(np.interp(value, values, fees))

        return Crossing(lambda value: self.learnt(varied, value, weights), cost), values

    def cost(self, learnt: Learnt, value: float) -> float:
        """Return what the search goes by: what a case costs, and its part of the fees."""
        fee = self.fee(self._turned(learnt.varied, value), learnt.weights)
        return learnt.mean(value) + learnt.n_leaves * fee / float(learnt.weights.sum())

    def same(self, one: Learnt, other: Learnt) -> bool:
        """Tell whether two trees cost the same all the way."""
        size = ROUNDING * max(map(abs, (*one.means, *other.means)))
        alike = all(abs(a - b) <= size for a, b in zip(one.means, other.means, strict=True))
        return alike and one.n_leaves == other.n_leaves

    def without(self, columns: Sequence[int]) -> Searched:
        """Return the same search of a table where these columns tell nothing."""
        problem = blanked(self.problem, columns)
        return Searched(self.prepared, self.costs, self.searcher, self.words, self.share, problem)

    def learner(self, costs: Costs) -> OptimalTreeClassifier:
        """Return the search as an estimator, with the fee that a leaf has at these costs."""
        found: OptimalTreeClassifier = clone(self.searcher)
        return found.set_params(costs=costs, leaf_fee=self.fee(costs, self.problem.case_weights))

    def _problem(self, costs: Costs, weights: FloatArray) -> Problem:
        loss = costs.error_matrix(self.classes) if costs.names_errors else None
        return replace(self.problem, costs=costs, loss=loss, weights=weights)

    def _constants(self, costs: Costs, weights: FloatArray) -> FloatArray:
        """Return what each answer costs when all cases get it."""
        return constant_costs(self._problem(costs, weights), None)

    def _kinks(self, varied: Varied, weights: FloatArray) -> list[float]:
        """Return where another answer may become the cheapest for all: there the fee of a leaf bends."""
        if self.share is None or varied.kind != "error":
            return []
        low, high = (self._constants(self._turned(varied, end), weights) for end in (varied.low, varied.high))
        found = set()
        for one in range(len(low)):
            for other in range(one):
                first, last = low[one] - low[other], high[one] - high[other]
                if first * last < 0:
                    found.add(varied.low + (varied.high - varied.low) * float(first / (first - last)))
        return sorted(found)


def is_searched(learner: object, kind: str) -> bool:
    """Tell whether a learner takes the tree of the least cost, whatever the price.

    Rollouts and a time limit prove nothing, smoothing counts other mistakes than the bill does, and what a
    budget allows depends on the prices.
    """
    if type(learner) is not OptimalTreeClassifier:
        return False
    allowed = learner.budget is None or kind == "error"
    return learner.rollouts is None and learner.time_budget is None and learner.smoothing is None and allowed
