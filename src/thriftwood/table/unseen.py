"""Categories that were not there at fit: which cells of a table have them, and how to say so."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.table.columns import MISSING, UNSEEN, Column
from thriftwood.table.encoded import Encoded
from thriftwood.table.raw import Codes

SHOWN = 3


class UnseenWarning(UserWarning):
    """All values of a column are categories that were not there at fit."""


@dataclass(frozen=True, eq=False)
class UnseenCount:
    """How many cells of one column have an unseen category."""

    column: Column
    n_cells: int
    """Number of cells that have one."""
    n_known: int
    """Number of cells that are not missing."""
    values: tuple[Any, ...]
    """The first few of them."""

    @property
    def whole(self) -> bool:
        """Whether all values of the column are unseen, and more than one: a single new one is usual."""
        return self.n_cells == self.n_known > 1

    @property
    def sentence(self) -> str:
        """What a user should know."""
        n_cells, label, some = self.n_cells, self.column.label, ", ".join(map(repr, self.values))
        if self.whole:
            learnt = ", ".join(map(repr, self.column.categories[:SHOWN]))
            return (
                f"None of the {n_cells:,} known cells of {label} has a category that was there in training: "
                f"here it holds {some}, there it held {learnt}. Is it the same column, written the same way?"
            )
        return (
            f"{n_cells:,} of {self.n_known:,} known cells of {label} {'has' if n_cells == 1 else 'have'} a "
            f"category that was not there in training: {some}."
        )


@dataclass(frozen=True, eq=False)
class Unseen(UnseenCount):
    """The unseen categories of one column, and their rows.

    Examples
    --------
    >>> from thriftwood.table import Encoder
    >>> (found,) = Encoder().fit([["red"], ["blue"]]).encode([["green"], ["red"], [None]]).unseen
    >>> found.sentence
    "1 of 2 known cells of column 0 has a category that was not there in training: 'green'."
    >>> found.times
    {'green': 1}
    """

    rows: NDArray[np.intp]
    """The rows that have one."""
    times: dict[Any, int]
    """How many cells have each of them."""


class UnseenTally:
    """Counts the unseen categories of a table that comes in parts.

    Parameters
    ----------
    columns : iterable of Column
        The columns to look at.

    Examples
    --------
    >>> from thriftwood.table import Encoder
    >>> encoder = Encoder().fit([["red"], ["blue"]])
    >>> tally = UnseenTally(encoder.coded_columns)
    >>> for part in ([["green"]], [["red"], [None]], [["grey"]]):
    ...     tally.add(encoder.encode(part))
    >>> [found.sentence for found in tally.found]
    ["2 of 3 known cells of column 0 have a category that was not there in training: 'green', 'grey'."]
    """

    def __init__(self, columns: Iterable[Column]) -> None:
        self._counts = {column.index: UnseenCount(column, 0, 0, ()) for column in columns}

    def add(self, part: Encoded) -> None:
        """Count a part, as the encoder gave it."""
        if part.columns is None:  # numbers alone
            return
        unseen = {found.column.index: found for found in part.unseen}
        for index, count in self._counts.items():
            codes, found = part.columns[index], unseen.get(index)
            # Ranks of an ordered column are NaN both for missing and for unseen cells.
            seen = int(np.count_nonzero(codes >= 0))
            cells, values = (0, ()) if found is None else (found.n_cells, found.values)
            self._counts[index] = replace(
                count,
                n_cells=count.n_cells + cells,
                n_known=count.n_known + seen + cells,
                values=tuple(dict.fromkeys((*count.values, *values)))[:SHOWN],
            )

    @property
    def found(self) -> list[UnseenCount]:
        """The columns that have any."""
        return [count for count in self._counts.values() if count.n_cells]


def unseen_of(column: Column, codes: NDArray[np.int32], given: Codes) -> Unseen | None:
    """Find the unseen categories of a column, encoded as `codes`; None if there are none."""
    rows = np.flatnonzero(codes == UNSEEN)
    if not len(rows):
        return None
    times = {given.categories[code]: times for code, times in Counter(given.codes[rows].tolist()).items()}
    n_known = int(np.count_nonzero(codes != MISSING))
    return Unseen(column, len(rows), n_known, tuple(times)[:SHOWN], rows, times)


def warn_of_unseen(found: Iterable[Unseen], asked: Collection[int]) -> None:
    """Warn, once, of the columns that are asked for and have nothing but unseen categories."""
    whole = [unseen.sentence for unseen in found if unseen.whole and unseen.column.index in asked]
    if whole:
        warnings.warn(" ".join(whole), UnseenWarning, stacklevel=5)  # whoever called predict
