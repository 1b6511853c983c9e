"""Means over the splits, and the lines of settings that no other beats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any, NamedTuple

import numpy as np

from thriftwood.evaluation.pareto import cost_of, pareto
from thriftwood.experiments.experiment import Record


class Mean(NamedTuple):
    """One setting of one learner, over all splits."""

    learner: str
    setting: str
    accuracy: float
    cost: float
    accuracy_error: float | None
    """Standard error; None for a single split."""
    cost_error: float | None
    spread: tuple[int, ...]
    """Cases of all splits by their cost."""
    by_split: tuple[float, ...]
    """The accuracies."""


@dataclass(frozen=True)
class Means:
    """All settings of all learners.

    Examples
    --------
    >>> point = {"learner": "eg2", "setting": "6", "spread": [2, 1]}
    >>> records = [
    ...     {"points": [point | {"accuracy": 0.8, "cost": 3.0}]},
    ...     {"points": [point | {"accuracy": 0.9, "cost": 5.0}]},
    ... ]
    >>> means = Means.of(records)
    >>> round(means.get("eg2", "6").accuracy, 3), means.get("eg2", "6").spread
    (0.85, (4, 2))
    """

    known: tuple[Mean, ...]

    @classmethod
    def of(cls, records: Iterable[Record]) -> Means:
        """Average the points of all records, each learner and setting over the splits that have it."""
        found: dict[tuple[str, str], list[Any]] = {}
        for record in records:
            for point in record["points"]:
                found.setdefault((point["learner"], point["setting"]), []).append(point)
        return cls(tuple(_mean(*named, points) for named, points in found.items()))

    def of_learners(self, *learners: str) -> list[Mean]:
        """Return all settings of some learners."""
        return [mean for mean in self.known if mean.learner in learners]

    def get(self, learner: str, setting: str) -> Mean | None:
        """Return one setting; None if it was not tried."""
        return next((mean for mean in self.known if (mean.learner, mean.setting) == (learner, setting)), None)

    def best(self, *learners: str) -> Mean | None:
        """Return the most accurate setting, the cheapest of several."""
        return max(self.of_learners(*learners), key=lambda mean: (mean.accuracy, -mean.cost), default=None)

    def cheapest(self, accuracy: float, *learners: str) -> Mean | None:
        """Return the cheapest setting that reaches an accuracy; None if none does."""
        reaching = [mean for mean in self.of_learners(*learners) if mean.accuracy >= accuracy]
        return min(reaching, key=lambda mean: (mean.cost, -mean.accuracy), default=None)

    def line(self, *learners: str) -> list[Mean]:
        """Return the settings that no other of these learners beats in cost and accuracy, cheapest first."""
        means = self.of_learners(*learners)
        costs, accuracies = (np.array([mean[place] for mean in means]) for place in (3, 2))
        return [means[number] for number in pareto(costs, accuracies)] if means else []

    def cost_at(self, accuracy: float, *learners: str) -> float | None:
        """Return the least that an accuracy costs with these learners; None if they do not reach it.

        Between two settings some of the cases, drawn at random, are answered by one and the others by the
        other.
        """
        line = self.line(*learners)
        if not line or accuracy > line[-1].accuracy:
            return None
        return cost_of(
            np.array([mean.cost for mean in line]), np.array([mean.accuracy for mean in line]), accuracy
        )


def standard_error(values: Sequence[float]) -> float | None:
    """Return the standard error of a mean; None of a single value."""
    return stdev(values) / len(values) ** 0.5 if len(values) > 1 else None


def _mean(learner: str, setting: str, points: Sequence[Any]) -> Mean:
    accuracies, costs = ([float(point[name]) for point in points] for name in ("accuracy", "cost"))
    return Mean(
        learner,
        setting,
        fmean(accuracies),
        fmean(costs),
        standard_error(accuracies),
        standard_error(costs),
        tuple(np.sum([point["spread"] for point in points], axis=0).tolist()),
        tuple(accuracies),
    )
