"""What tasks do: look at a partition and code it, count a group of them and gather. They keep nothing.

A task depends on what it is given alone, so whatever a lost worker had is computed again by another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.dask.groups import batch_of, divided
from thriftwood.dask.tasks import compute, delayed, persist, places, threads
from thriftwood.datasets.scans import Roles
from thriftwood.learning.scans.coding import Coder
from thriftwood.learning.scans.survey import Sample, Seen, Survey

FOLD = 8
"""Counts of so many groups are added up by one task."""

PIECE_ROWS = 1 << 20
"""Coded partitions of fewer rows are put together; more are counted as they are, which saves a copy."""

Part = tuple[Any, Any, Any]
"""The features, the target, and the weights or None of a partition."""

Coded = list[NDArray[Any]]
"""The codes of each column, then labels or numbers, then weights if there are any."""


def look(
    part: Part, roles: Roles, owner: str, nominal: Any, regression: bool, first_row: int, n_rows: int
) -> tuple[Seen, Sample]:
    """See kinds, categories, classes and weights of a partition, and the numbers of rows that are sampled.

    Parameters
    ----------
    first_row, n_rows : int
        The number of its first row, and of all rows of the collection.
    """
    seen, taken = Seen(owner, nominal, regression=regression, first_row=first_row), Sample(n_rows)
    batch = batch_of(roles, part, first_row)
    if batch is not None:
        taken.add(seen.see(batch), first_row, batch.n_rows)
    return seen, taken


def code(part: Part, roles: Roles, survey: Survey) -> list[NDArray[Any]]:
    """Turn a partition into codes, labels or numbers, and weights."""
    coder, batch = Coder(survey), batch_of(roles, part, 0)
    if batch is None:
        return [np.empty(0, kind) for kind in coder.layout.types]
    return coder.parts(batch)


def joined(coded: Sequence[Coded]) -> list[Coded]:
    """Put small coded partitions together, in their order."""
    pieces: list[list[Coded]] = [[]]
    rows = 0
    for one in coded:
        if rows + len(one[-1]) > PIECE_ROWS and rows:
            pieces.append([])
            rows = 0
        pieces[-1].append(one)
        rows += len(one[-1])
    return [
        some[0] if len(some) == 1 else [np.concatenate(column) for column in zip(*some, strict=True)]
        for some in pieces
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
    numbers: tuple[float, float, float] | None
    n_cases: int

    @property
    def small_counts(self) -> bool:
        """Whether counts are whole numbers of 32 bits: half of what is sent."""
        weighted = self.weighted or self.class_weights is not None
        return bool(self.n_classes) and not weighted and self.n_cases < 1 << 32

    def coding(self) -> _core.Coding:
        """Return it as the core takes it."""
        columns = [column if isinstance(column, int) else aligned(column) for column in self.columns]
        return _core.Coding(
            columns, self.n_classes, self.weighted, self.class_weights, self.grid, self.numbers
        )

    def shards(self, coding: _core.Coding, pieces: Sequence[Coded]) -> list[_core.Shard]:
        """Return a group as the core takes it."""
        return [self.shard(coding, coded) for coded in pieces]

    def shard(self, coding: _core.Coding, coded: Coded) -> _core.Shard:
        """Return coded rows as the core takes them."""
        n, coded = len(self.columns), list(map(aligned, coded))
        labels, numbers = (coded[n], None) if self.n_classes else (None, coded[n])
        codes: list[Any] = coded[:n]
        return _core.Shard(
            coding, len(coded[n]), codes, labels, numbers, coded[n + 1] if self.weighted else None, True
        )


def count(pieces: Sequence[Coded], plan: CodingPlan, routes: _core.Routes) -> NDArray[Any]:
    """Count one group, piece by piece: the counts of two pieces are held at once, however many there are."""
    coding = plan.coding()
    first, *others = plan.shards(coding, pieces)
    counts: NDArray[Any] = first.count(coding, routes)
    for shard in others:
        counts += shard.count(coding, routes)
    return counts.astype(np.uint32) if plan.small_counts else counts


def gather(pieces: Sequence[Coded], plan: CodingPlan, routes: _core.Routes) -> list[list[Any]]:
    """Copy cases of one group, of each of its pieces."""
    coding = plan.coding()
    return [shard.gather(coding, routes) for shard in plan.shards(coding, pieces)]


def added(counts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Add counts up; they are exact, so the order does not matter."""
    if len(counts) == 1:
        return counts[0]
    total: NDArray[Any] = counts[0] + counts[1]
    for more in counts[2:]:
        total += more
    return total


class Codes:
    """Coded partitions on a cluster, or groups of them.

    Parameters
    ----------
    parts : list
        Delayed results of `code`, persisted.
    sizes : list of int
        Their rows.
    """

    def __init__(self, parts: list[Any], sizes: list[int]) -> None:
        self.parts, self._sizes, self._grouped = parts, sizes, False

    def groups(self) -> list[Any]:
        """Put partitions together, about one group for every thread; they themselves are let go."""
        if not self._grouped:
            found = divided(self._sizes, places(self.parts), threads())
            whole = [delayed(joined)([self.parts[i] for i in group]) for group in found]
            self.parts, self._grouped = list(persist(*whole)), True
        return self.parts

    def here(self) -> list[Coded]:
        """Copy all of them to this process."""
        return [list(map(aligned, one)) for one in compute(*self.parts)]


class DaskCounter:
    """Counts groups that were coded on a cluster; the core asks it."""

    def __init__(self, codes: Codes, plan: CodingPlan) -> None:
        self.codes, self.plan = codes, plan
        self._told: Any = None
        self.rounds = 0

    def count(self, routes: _core.Routes) -> NDArray[np.float64]:
        """Count every group and add up, where the groups are."""
        sums = self._asked(count, routes)
        while len(sums) > 1:
            sums = [delayed(added)(sums[i : i + FOLD]) for i in range(0, len(sums), FOLD)]
        (total,) = compute(sums[0])
        return aligned(total.astype(np.float64, copy=False))

    def gather(self, routes: _core.Routes) -> list[Any]:
        """Copy cases from every group; their order does not matter."""
        found = compute(*self._asked(gather, routes))
        return [[_aligned_goal(goal) for goal in goals] for pieces in found for goals in pieces]

    def shards(self, coding: _core.Coding) -> list[_core.Shard]:
        """Copy all codes to this process, in their order."""
        self.rounds += 1
        return [self.plan.shard(coding, coded) for coded in self.codes.here()]

    def _asked(self, task: Any, routes: _core.Routes) -> list[Any]:
        """Let a task do every group."""
        self.rounds += 1
        if self._told is None:
            (self._told,) = persist(delayed(self.plan, traverse=False))  # once, and not in every task
        told = delayed(routes, traverse=False)
        return [delayed(task)(one, self._told, told) for one in self.codes.groups()]


def _aligned_goal(goal: tuple[Any, ...]) -> tuple[Any, ...]:
    codes, *others = goal
    return list(map(aligned, codes)), *map(aligned, others)
