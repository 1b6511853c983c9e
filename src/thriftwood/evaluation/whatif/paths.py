"""The trees along the way: of all cases, and of each part of them, billed on the cases that it leaves out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from thriftwood.evaluation.whatif.setting import Held
from thriftwood.evaluation.whatif.tracing import Leg, legs, traced
from thriftwood.evaluation.whatif.trees import Learnt, Trees
from thriftwood.evaluation.whatif.varied import Varied
from thriftwood.learning.class_tree import FloatArray
from thriftwood.learning.thrift_bills import mean_bill


@dataclass(frozen=True)
class Path:
    """The trees of some cases along the range."""

    legs: list[Leg[Learnt]]
    interrupted: bool

    def at(self, value: float) -> Learnt:
        """Return the tree at a number; where one gives way to the next, the next."""
        lows = [leg.low for leg in self.legs]
        return self.legs[max(bisect_right(lows, value) - 1, 0)].fit


def path_of(
    trees: Trees,
    varied: Varied,
    weights: FloatArray,
    tell: Callable[[float], object],
    *,
    roughly: bool = False,
) -> Path:
    """Follow the tree of the cases with weight through the range."""
    division, values = trees.division(varied, weights, roughly=roughly)
    stretches, interrupted = traced(values, division, tell)
    found = legs(stretches, trees.same)
    found[0] = replace(found[0], low=varied.low)  # some begin a little above 0
    return Path(found, interrupted)


@dataclass(frozen=True)
class Unseen:
    """What cases cost by trees that were learnt without them."""

    trees: Trees
    varied: Varied
    parts: list[tuple[Held, Path]]

    def bills(self, value: float) -> FloatArray:
        """Return what each case costs at a number; NaN if it was in no part."""
        found = np.full(len(self.trees.labels), np.nan)
        for held, path in self.parts:
            found[held.rows] = path.at(value).bills(value)[held.rows]
        return found

    def untested_bills(self, value: float) -> FloatArray:
        """Return what each case costs if nobody is tested."""
        found = np.full(len(self.trees.labels), np.nan)
        costs = self.varied.turned(self.trees.costs, self.trees.classes, value)
        for held, _ in self.parts:
            found[held.rows] = self.trees.untested(costs, held.weights)[held.rows]
        return found

    def cost(self, value: float) -> tuple[float, float]:
        """Return what an unseen case costs at a number, and the standard error of that."""
        return mean_bill(self.bills(value), self.trees.weights)

    def untested(self, value: float) -> float:
        """Return what a case costs at a number if nobody is tested."""
        return mean_bill(self.untested_bills(value), self.trees.weights)[0]
