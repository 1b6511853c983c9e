"""`KeptRows`: the cases of a stream that are kept to learn from again."""

from __future__ import annotations

from copy import copy, deepcopy
from typing import Any, Literal, Self

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import vstack

from thriftwood.table import Kind
from thriftwood.table.columns import arrange
from thriftwood.table.named import NamedColumns
from thriftwood.table.raw import CategoryColumn, Codes, NumberColumn, RawColumn
from thriftwood.table.rows import take_rows

FloatArray = NDArray[np.float64]
Keep = Literal["latest", "sample"]

SLACK = 1.25
"""Rows beyond the window are dropped when there are so many times as many: less often than at every batch."""


class KeptRows:
    """Cases in the order of arrival: all, the latest, or a sample in which older ones are rarer.

    Memory: all rows, or 1.25 windows and the last batch, and once more as much while they are put together.

    Parameters
    ----------
    window : int or None
        How many are kept; None: all.
    keep : {"latest", "sample"}
        Which: the latest, or a sample. There a case is half as likely to be kept as one that came `window`
        cases later (a weighted sample without replacement, weights doubling every `window` rows).
    random_state : int
        Draws the sample.

    Examples
    --------
    >>> rows = KeptRows(window=3)
    >>> for k in range(5):
    ...     rows.append([[k]], [k % 2])
    >>> rows.table()
    ([[2], [3], [4]], array([0, 1, 0]))
    """

    def __init__(self, window: int | None = None, keep: Keep = "latest", random_state: int = 0) -> None:
        self.window, self.keep = window, keep
        self.n_rows = 0
        self._arrived = 0
        self._X: list[Any] = []
        self._y: list[NDArray[Any]] = []
        self._weights: list[FloatArray] = []
        self._keys: list[FloatArray] = []
        self.weighed = False
        self._random = np.random.default_rng(random_state) if keep == "sample" else None

    def copy(self) -> Self:
        """Return the same rows, to add to: these here stay as they are. No row is copied."""
        other = copy(self)
        lists = {name: [*getattr(self, name)] for name in ("_X", "_y", "_weights", "_keys")}
        vars(other).update(lists, _random=deepcopy(self._random))
        return other

    def append(self, X: Any, y: Any, weights: FloatArray | None = None) -> None:
        """Add cases that have been checked, and what they weigh; None: 1 each."""
        labels = np.asarray(y)
        self.weighed = self.weighed or weights is not None
        self._weights.append(np.ones(len(labels)) if weights is None else weights.copy())
        self._X.append(X.copy() if isinstance(X, np.ndarray) else X)
        self._y.append(labels.copy() if labels is y else labels)
        if self.keep == "sample":
            # Efraimidis & Spirakis (2006) keep the largest u^(1/w), w = 2^(t / window): the smallest of
            # these logarithms.
            assert self.window is not None
            assert self._random is not None
            born = np.arange(self._arrived, self._arrived + len(labels)) / self.window
            self._keys.append(np.log(self._random.exponential(size=len(labels))) - born * np.log(2.0))
        self.n_rows += len(labels)
        self._arrived += len(labels)
        if self.window is not None and self.n_rows > SLACK * self.window:
            self._trim()
        else:
            self._merge()

    def table(self) -> tuple[Any, NDArray[Any]]:
        """Return the cases that are kept, and their classes."""
        self._trim()
        return self._X[0], self._y[0]

    @property
    def weights(self) -> FloatArray | None:
        """What the cases of `table` weigh; None where no weight was ever given."""
        self._trim()
        return self._weights[0] if self.weighed else None

    def keep_last(self, n_rows: int) -> None:
        """Forget all but the last so many of those that are kept."""
        if n_rows < self.n_rows:
            self._take(np.arange(self.n_rows - n_rows, self.n_rows))

    @property
    def pieces(self) -> list[tuple[Any, NDArray[Any]]]:
        """The cases as they lie, in order."""
        return list(zip(self._X, self._y, strict=True))

    @property
    def kind(self) -> type:
        """The type of the tables that came."""
        return kind_of(self._X[0])

    def __len__(self) -> int:
        return self.n_rows if self.window is None else min(self.n_rows, self.window)

    def _trim(self) -> None:
        if self.window is None or self.n_rows <= self.window:
            self._join()
        elif self.keep == "latest":
            self.keep_last(self.window)
        else:
            keys = np.concatenate(self._keys)
            self._take(np.sort(np.argpartition(keys, self.window)[: self.window]))

    def _take(self, rows: NDArray[Any]) -> None:
        self._join()
        self._X = [take_rows(self._X[0], rows)]
        self._y = [self._y[0][rows]]
        self._weights = [self._weights[0][rows]]
        self._keys = [keys[rows] for keys in self._keys]
        self.n_rows = len(rows)

    def _merge(self) -> None:
        """Join the last pieces while they are as long as their neighbours: log2(n) copies of each row."""
        while len(self._y) > 1 and len(self._y[-2]) <= len(self._y[-1]):
            self._X[-2:] = [joined(self._X[-2:])]
            self._y[-2:] = [np.concatenate(self._y[-2:])]
            self._weights[-2:] = [np.concatenate(self._weights[-2:])]

    def _join(self) -> None:
        if len(self._X) > 1:
            self._X = [joined(self._X)]
            self._y = [np.concatenate(self._y)]
            self._weights = [np.concatenate(self._weights)]
        if len(self._keys) > 1:
            self._keys = [np.concatenate(self._keys)]


def kind_of(table: Any) -> type:
    """Return the type of a table; a memory-mapped array is an array like any other."""
    return np.ndarray if isinstance(table, np.memmap) else type(table)


def joined(tables: list[Any]) -> Any:
    """Put tables of one kind below each other.

    Examples
    --------
    >>> joined([[[1, "a"]], [[2, "b"]]])
    [[1, 'a'], [2, 'b']]
    """
    first = tables[0]
    if isinstance(first, NamedColumns):
        columns = [_joined_column(parts) for parts in zip(*(table.columns for table in tables), strict=True)]
        return NamedColumns(first.names, columns, sum(table.shape[0] for table in tables))
    if hasattr(first, "tocsr"):
        return vstack(tables, format="csr")
    if isinstance(first, np.ndarray):
        return np.concatenate(tables)
    if isinstance(first, list | tuple):
        return [row for table in tables for row in table]
    frames = [nw.from_native(table, eager_only=True, pass_through=True) for table in tables]
    if all(isinstance(frame, nw.DataFrame) for frame in frames):
        if frames[0].implementation.is_pandas():
            import pandas as pd

            return pd.concat(tables, ignore_index=True)
        how: Any = "vertical" if all(frame.schema == frames[0].schema for frame in frames) else "diagonal"
        return nw.concat(frames, how=how).to_native()
    raise TypeError(
        f"Rows of a {type(first).__name__} cannot be kept. Give an array, a frame, a sparse matrix or a list."
    )


def _joined_column(parts: tuple[RawColumn, ...]) -> RawColumn:
    label = parts[0].label
    if all(part.natural is Kind.NUMERIC for part in parts):
        return NumberColumn(np.concatenate([part.numbers() for part in parts]), label)
    raws = [part.codes() for part in parts]
    categories = arrange([value for raw in raws for value in raw.categories], keep_order=False)
    place = {value: code for code, value in enumerate(categories)}
    moved = [np.array([*(place[value] for value in raw.categories), -1], dtype=np.int32) for raw in raws]
    codes = np.concatenate([new[raw.codes] for new, raw in zip(moved, raws, strict=True)])
    return CategoryColumn(Codes(codes, categories, False), label, Kind.NOMINAL)
