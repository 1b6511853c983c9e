"""A learning problem whose cases are codes in a file: the core counts them in passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from thriftwood import _core
from thriftwood.base.advice import advised
from thriftwood.base.remedies import InPython
from thriftwood.learning.problem import Problem, Rows

LEAST_GATHERED = 1 << 20
"""Nodes of up to so many cases are grown in memory, where there is room."""

MOST_CELLS = (1 << 32) - 1
"""The core numbers the counts of a pass by 32 bits."""

CACHED_CELLS = 1 << 17
"""Counts of one column, of the nodes of a level that are counted, which a processor's cache holds."""


def gathered_bytes(row_bytes: int) -> int:
    """Return what a case takes that is copied into memory: its codes twice while it moves, and what it is.

    Examples
    --------
    >>> gathered_bytes(32)
    96
    """
    return 2 * row_bytes + 32


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a fit may hold at once."""

    gathered_node: int
    gathered_rows: int
    counted_cells: int

    @classmethod
    def of(
        cls,
        memory: int,
        n_cases: int,
        row_bytes: int,
        cells: Sequence[int],
        max_depth: int | None,
        binary: bool,
    ) -> Limits:
        """Divide so many bytes: a half for gathered cases, a quarter for counts.

        Parameters
        ----------
        memory, n_cases, row_bytes : int
            How much may be held, how many cases there are, what the codes of one take.
        cells : sequence of int
            The counts of a node, by column.
        max_depth : int, optional
            Of the tree.
        binary : bool
            No node has more than two branches.

        Examples
        --------
        >>> Limits.of(2_000_000_000, 20_000_000, 32, [512] * 30, None, True)
        Limits(gathered_node=1048576, gathered_rows=10416666, counted_cells=62500000)
        >>> [Limits.of(2_000_000_000, 20_000_000, 32, [512] * 30, d, True).gathered_node for d in (8, 9, 10)]
        [0, 0, 1048576]
        >>> Limits.of(2_000_000_000, 20_000_000, 32, [512] * 30, 8, False).gathered_node
        19531
        """
        rows = max(1, memory // 2 // gathered_bytes(row_bytes))
        counted = min(MOST_CELLS, max(1, memory // 4 // 8))
        node = _gathered_node(n_cases, counted, cells, max_depth, binary)
        node = rows if n_cases <= rows else min(rows, node)
        return cls(min(node, 2**31 - 1), rows, counted)


def _gathered_node(
    n_cases: int, counted: int, cells: Sequence[int], max_depth: int | None, binary: bool
) -> int:
    """Return how many cases a node has at most that is copied.

    In a flat tree none or hardly any: 20 million cases are counted to a depth of 8 in half the time of
    copying them below a million. Deeper ones have levels whose counts no cache holds, and take longer so.
    """
    if max_depth is None:
        return LEAST_GATHERED
    counted_nodes = 2.0 ** min(1000, max_depth - 2)  # of the last level; one of two branches is what is left
    if counted_nodes * sum(cells) >= CACHED_CELLS * len(cells):
        return LEAST_GATHERED
    nodes = counted // (2 * sum(cells))  # of two levels
    if binary and 2 ** (max_depth - 1) <= nodes:
        return 0
    return min(LEAST_GATHERED, max(n_cases >> (max_depth + 2), n_cases // max(1, nodes)))


@dataclass(frozen=True, slots=True)
class CountedTable:
    """Coded cases that the core reads where they lie."""

    coding: _core.Coding
    shards: Sequence[_core.Shard]
    n_cases: int
    limits: Limits
    tell: Callable[[int], None] | None = None
    """Called with the rows that the pass at hand has seen."""

    def grow(self, settings: _core.Settings, prices: _core.Prices | None) -> _core.Tree:
        """Grow a tree."""
        limits = self.limits
        return _core.grow_shards(
            self.coding,
            self.n_cases,
            settings,
            list(self.shards),
            prices,
            limits.gathered_node,
            limits.gathered_rows,
            limits.counted_cells,
            self.tell,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedProblem(Problem):
    """A problem whose cases are elsewhere; `table` and `labels` have no rows."""

    counted: CountedTable

    def grown(
        self, rows: Rows | None, settings: _core.Settings, stop: _core.Stop | None = None
    ) -> _core.Tree:
        """Grow one tree in the core."""
        if rows is not None:
            self._refuse()
        return self.counted.grow(settings, self.prices)

    def grow_first(self, rows: Sequence[Rows]) -> tuple[list[_core.Tree], bool]:
        """Refuse to grow on some of the rows."""
        self._refuse()

    @property
    def n_rows(self) -> int:
        """The number of cases."""
        return self.counted.n_cases

    @property
    def has_cases(self) -> bool:
        """The cases are elsewhere."""
        return False

    def _refuse(self) -> NoReturn:
        raise advised(
            ValueError,
            "A table that is read in parts is learnt from whole, and this asks for trees on some rows. ",
            InPython("Fit on a sample in memory."),
        )
