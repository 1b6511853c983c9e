"""What tasks do with a group of partitions: look, sample, code, count and gather. They keep nothing.

A task depends on what it is given alone, so whatever a lost worker had is computed again by another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.dask.groups import batch_of
from thriftwood.dask.tasks import compute, delayed
from thriftwood.datasets.scans import Roles
from thriftwood.learning.scans.coding import Coder
from thriftwood.learning.scans.survey import Sample, Seen, Survey

FOLD = 8
"""Counts of so many groups are added up by one task."""

Parts = Sequence[tuple[Any, Any, Any]]


def look(parts: Parts, roles: Roles, owner: str, nominal: Any, regression: bool) -> Seen:
    """See kinds, categories, classes and weights of a group."""
    seen = Seen(owner, nominal, regression=regression)
    for part in parts:
        batch = batch_of(roles, part, seen.observer.n_rows)
        if batch is not None:
            seen.see(batch)
    return seen


def sample(parts: Parts, roles: Roles, seen: Seen, first_row: int, n_rows: int) -> Sample:
    """Take the numbers of the rows that are sampled."""
    taken = Sample(n_rows)
    again = Seen(seen.observer.owner, seen.observer.nominal, regression=seen.regression)
    for part in parts:
        row = first_row + again.observer.n_rows
        batch = batch_of(roles, part, row)
        if batch is not None:
            taken.add(again.see(batch), row, batch.n_rows)
    return taken


def code(parts: Parts, roles: Roles, survey: Survey) -> list[NDArray[Any]]:
    """Turn a group into codes, labels or numbers, and weights."""
    coder = Coder(survey)
    made: list[list[NDArray[Any]]] = [[] for _ in coder.layout.types]
    for part in parts:
        batch = batch_of(roles, part, 0)
        if batch is not None:
            for pieces, piece in zip(made, coder.parts(batch), strict=True):
                pieces.append(piece)
    kinds = coder.layout.types
    return [
        np.concatenate(pieces) if pieces else np.empty(0, kind)
        for pieces, kind in zip(made, kinds, strict=True)
    ]


def aligned(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array as the core reads it; what came over a network need not be aligned."""
    return np.require(array, requirements=["C", "A"])


@dataclass(frozen=True)
class CodingPlan:
    """A coding, as it travels."""

    columns: list[Any]
    n_classes: int
    weighted: bool
    class_weights: NDArray[np.float64] | None
    grid: float
    numbers: tuple[float, float, float] | None = None

    def coding(self) -> _core.Coding:
        """Return it as the core takes it."""
        columns = [column if isinstance(column, int) else aligned(column) for column in self.columns]
        return _core.Coding(
            columns, self.n_classes, self.weighted, self.class_weights, self.grid, self.numbers
        )

    def shard(self, coding: _core.Coding, coded: list[NDArray[Any]]) -> _core.Shard:
        """Return coded rows as the core takes them."""
        n, coded = len(self.columns), list(map(aligned, coded))
        labels, numbers = (coded[n], None) if self.n_classes else (None, coded[n])
        codes: list[Any] = coded[:n]
        return _core.Shard(
            coding, len(coded[n]), codes, labels, numbers, coded[n + 1] if self.weighted else None, True
        )


def count(coded: list[NDArray[Any]], plan: CodingPlan, routes: _core.Routes) -> NDArray[np.float64]:
    """Count one group."""
    coding = plan.coding()
    return plan.shard(coding, coded).count(coding, routes)


def gather(coded: list[NDArray[Any]], plan: CodingPlan, routes: _core.Routes) -> list[Any]:
    """Copy cases of one group."""
    coding = plan.coding()
    return plan.shard(coding, coded).gather(coding, routes)


def added(counts: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Add counts up; they are exact, so the order does not matter."""
    total = counts[0].copy()
    for more in counts[1:]:
        total += more
    return total


class DaskCounter:
    """Counts groups that were coded on a cluster; the core asks it."""

    def __init__(self, coded: list[Any], plan: CodingPlan) -> None:
        self._coded, self._plan = coded, plan
        self.rounds = 0

    def count(self, routes: _core.Routes) -> NDArray[np.float64]:
        """Count every group and add up, where the groups are."""
        self.rounds += 1
        told = delayed(routes)
        sums = [delayed(count)(one, self._plan, told) for one in self._coded]
        while len(sums) > 1:
            sums = [delayed(added)(sums[i : i + FOLD]) for i in range(0, len(sums), FOLD)]
        (total,) = compute(sums[0])
        return aligned(total)

    def gather(self, routes: _core.Routes) -> list[Any]:
        """Copy cases from every group, in their order."""
        self.rounds += 1
        told = delayed(routes)
        found = compute(*[delayed(gather)(one, self._plan, told) for one in self._coded])
        return [[_aligned_goal(goal) for goal in goals] for goals in found]


def _aligned_goal(goal: tuple[Any, ...]) -> tuple[Any, ...]:
    codes, *others = goal
    return list(map(aligned, codes)), *map(aligned, others)
