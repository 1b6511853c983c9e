"""The result of a learner on the cases held out: accuracy, cost, and how costs are spread over the cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from thriftwood.evaluation import Bill
from thriftwood.experiments.cocost2009.streams import Part

EDGES = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 40.0, 60.0, 80.0, 100.0)
"""Edges of the bins of figure 5, in percent of what all features cost."""


@dataclass(frozen=True, slots=True)
class Fold:
    """A split by source."""

    learn: Part
    judge: Part
    number: int
    seed: int
    """The seed of every learner that draws."""
    n_jobs: int
    few: bool
    """Whether every learner has a few of its settings only."""

    def some(self, settings: Sequence[Any]) -> list[Any]:
        """Return the settings to try: all, or the first, the middle and the last."""
        if not self.few or len(settings) <= 3:
            return list(settings)
        return [settings[0], settings[len(settings) // 2], settings[-1]]


@dataclass(frozen=True, slots=True)
class Scored:
    """One setting of one learner, on one split."""

    learner: str
    setting: str
    accuracy: float
    cost: float
    """The mean cost of a case."""
    spread: tuple[int, ...]
    """Cases by the bin of `EDGES` that their cost falls in."""


def scored(learner: str, setting: str, paid: Bill, all_features: float) -> Scored:
    """Sum up a bill.

    Costs of 0 are in the first bin, and a cost on the edge of two bins is in the lower one.
    """
    assert paid.accuracy is not None  # the true types are given
    share = 100 * paid.test_cost / all_features
    place = np.searchsorted(EDGES, share, side="left") - 1
    bins = np.clip(place, 0, len(EDGES) - 2)  # rounding may put a sum above 100
    spread = np.bincount(bins, minlength=len(EDGES) - 1)
    return Scored(learner, setting, paid.accuracy, paid.mean_test_cost, tuple(spread.tolist()))


Contest = Callable[[Fold], Iterator[Scored]]
"""Some learners on a split: a trial of the experiment."""
