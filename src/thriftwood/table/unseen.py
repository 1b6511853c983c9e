"""Categories that were not there at fit: which cells of a table have them, and how to say so."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.table.columns import MISSING, UNSEEN, Column
from thriftwood.table.raw import Codes

SHOWN = 3


class UnseenWarning(UserWarning):
    """All values of a column are categories that were not there at fit."""


@dataclass(frozen=True, eq=False)
class Unseen:
    """The unseen categories of one column.

    Examples
    --------
    >>> from thriftwood.table import Encoder
    >>> (found,) = Encoder().fit([["red"], ["blue"]]).encode([["green"], ["red"], [None]]).unseen
    >>> found.sentence
    "1 of 2 known cells of column 0 has a category that was not there in training: 'green'."
    """

    column: Column
    rows: NDArray[np.intp]
    """The rows that have one."""
    n_known: int
    """Number of cells that are not missing."""
    values: tuple[Any, ...]
    """The first few of them."""

    @property
    def whole(self) -> bool:
        """Whether all values of the column are unseen, and more than one: a single new one is usual."""
        return len(self.rows) == self.n_known > 1

    @property
    def sentence(self) -> str:
        """What a user should know."""
        n_cells, label, some = len(self.rows), self.column.label, ", ".join(map(repr, self.values))
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


def unseen_of(column: Column, codes: NDArray[np.int32], given: Codes) -> Unseen | None:
    """Find the unseen categories of a column, encoded as `codes`; None if there are none."""
    rows = np.flatnonzero(codes == UNSEEN)
    if not len(rows):
        return None
    distinct = list(dict.fromkeys(given.codes[rows].tolist()))[:SHOWN]
    n_known = int(np.count_nonzero(codes != MISSING))
    return Unseen(column, rows, n_known, tuple(given.categories[code] for code in distinct))


def warn_of_unseen(found: Iterable[Unseen], asked: Collection[int]) -> None:
    """Warn, once, of the columns that are asked for and have nothing but unseen categories."""
    whole = [unseen.sentence for unseen in found if unseen.whole and unseen.column.index in asked]
    if whole:
        warnings.warn(" ".join(whole), UnseenWarning, stacklevel=5)  # whoever called predict
