"""Which panels of a path become stages, and when a case goes on to the next one.

Every panel alone, every two and every three of the path are tried, all by what held-out cases cost. Between
two stages the limit is that which costs least: cases in the order of what their answer is expected to cost,
the first of them stop.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from thriftwood.learning.scores.panels import Cases, Panel
from thriftwood.models.ledger import FloatArray

MOST_STAGES = 3
DOUBT = 1.0
"""Standard errors by which more stages must be cheaper than fewer, and any than testing nobody."""


class Plan(NamedTuple):
    """Stages, and what they cost."""

    places: tuple[int, ...]
    """The panels of the path that are stages."""
    stops: tuple[float, ...]
    """For each stage: a case goes on if its answer is expected to cost more."""
    bills: FloatArray
    """Of each case, by cards that were learnt without it."""


class Planner:
    """Tries stages.

    Parameters
    ----------
    cases : Cases
        What is learnt from.
    path : list of Panel
        Panels, each with all tests of the one before.
    may_stop : list of bool
        Whether a case may stop after a panel and go on to another: not if that must be paid anyway.
    """

    def __init__(self, cases: Cases, path: Sequence[Panel], may_stop: Sequence[bool]) -> None:
        self.cases, self.path, self.may_stop = cases, path, may_stop
        expected = [panel.shares @ cases.loss for panel in path]
        rows = np.arange(len(cases.labels))
        self._expected = [costs.min(axis=1) for costs in expected]
        # Half of what answers did cost and half of what was expected of them: few cases are of a rare class,
        # and by luck none may be missed. By what they did cost alone, 11 % of 66 settings cost more than
        # testing nobody; so 6 % do, and the mean is 1.3 % lower.
        self._mistakes = [
            0.5 * (cases.answer_costs[rows, costs.argmin(axis=1)] + least)
            for costs, least in zip(expected, self._expected, strict=True)
        ]
        self._order = [np.argsort(costs, kind="stable") for costs in self._expected]

    def best(self) -> Plan | None:
        """Return the best plan; None if nobody is to be tested.

        The best of one stage is taken if it is clearly cheaper than testing nobody, the best of two if it is
        clearly cheaper than that, and so on.
        """
        answer = int(self.cases.constant.argmin())
        taken = Plan((), (), self.cases.answer_costs[:, answer])
        for n_stages in range(1, MOST_STAGES + 1):
            plans = (self.plan(places) for places in self._places(n_stages))
            found = min(plans, key=lambda plan: self._mean(plan.bills), default=None)
            if found is not None and self._clearly_cheaper(found, taken):
                taken = found
        return taken if taken.places else None

    def plan(self, places: tuple[int, ...]) -> Plan:
        """Find the limits of some stages, from the last to the first."""
        stops = [np.inf]
        after = self._mistakes[places[-1]]
        for place, following in zip(places[-2::-1], places[:0:-1], strict=True):
            dearer = self.path[following].price - self.path[place].price
            stop, after = self._limit(place, after + dearer)
            stops.append(stop)
        return Plan(places, tuple(stops[::-1]), after + self.path[places[0]].price)

    def _places(self, n_stages: int) -> Iterable[tuple[int, ...]]:
        every = combinations(range(len(self.path)), n_stages)
        return (places for places in every if all(self.may_stop[place] for place in places[:-1]))

    def _limit(self, place: int, after: FloatArray) -> tuple[float, FloatArray]:
        """Return where a case stops, and what cases cost from here on; `after` is what going on costs."""
        expected, order, weights = self._expected[place], self._order[place], self.cases.weights
        stopping = np.concatenate([[0.0], np.cumsum((weights * self._mistakes[place])[order])])
        going_on = np.concatenate([np.cumsum((weights * after)[order][::-1])[::-1], [0.0]])
        ordered = expected[order]
        total = stopping + going_on
        total[1:-1][ordered[1:] <= ordered[:-1]] = np.inf  # those go together
        n_stopped = int(total.argmin())
        if n_stopped == 0:
            stop = -1.0  # nothing costs less than 0
        elif n_stopped == len(order):
            stop = np.inf
        else:
            stop = shortest_between(float(ordered[n_stopped - 1]), float(ordered[n_stopped]))
        return stop, np.where(expected <= stop, self._mistakes[place], after)

    def _mean(self, bills: FloatArray) -> float:
        return float(self.cases.weights @ bills / self.cases.weights.sum())

    def _clearly_cheaper(self, plan: Plan, other: Plan) -> bool:
        saved = other.bills - plan.bills
        mean, weights = self._mean(saved), self.cases.weights
        error = np.sqrt(weights**2 @ (saved - mean) ** 2) / weights.sum()
        return bool(mean > DOUBT * error)


def shortest_between(low: float, high: float) -> float:
    """Return a number from `low` up to below `high`, near the middle, with as few digits as there can be.

    Examples
    --------
    >>> shortest_between(311.84, 312.27), shortest_between(0.1, 0.30000000000000004)
    (312.0, 0.2)
    """
    middle = 0.5 * (low + high)
    shorter = (float(f"{middle:.{digits}g}") for digits in range(1, 17))
    return next((number for number in shorter if low <= number < high), low)
