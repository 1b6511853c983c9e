"""`Coding`: the columns of a table as standardised numbers, for models that add them up.

A number is taken less its mean, by its standard deviation; where it is missing it counts as the mean, and a
column of its own says so if training cases lacked it. A nominal column becomes a column of 0 and 1 for each
of its commonest categories; the others, missing values and unseen ones are all 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood.models.score_card import column_of
from thriftwood.table import MISSING, Encoded
from thriftwood.table.columns import Column, Kind

FloatArray = NDArray[np.float64]

MOST_CATEGORIES = 30
"""Categories of a column that have a number of their own."""
FARTHEST = 1e6
"""Standard deviations from the mean that count: beyond, sums of numbers would overflow."""


class ColumnCoding(NamedTuple):
    """How one column becomes numbers."""

    feature: int
    unit: float = 1.0
    """What its numbers are measured in, so that no square of them is too large."""
    mean: float = 0.0
    """In units; of a nominal column unused."""
    scale: float = 0.0
    """In units; 0: its numbers are all the same, or it is nominal."""
    tells_missing: bool = False
    categories: tuple[int, ...] = ()
    """The codes that have a column."""

    @property
    def width(self) -> int:
        """How many numbers a case has for it."""
        return len(self.categories) + (self.scale > 0.0) + self.tells_missing

    def of(self, values: NDArray[np.generic]) -> FloatArray:
        """Return the numbers of a column: an array of shape (n_rows, width)."""
        coded = np.zeros((len(values), self.width))
        if values.dtype.kind == "i":
            missing = values == MISSING
            for place, code in enumerate(self.categories):
                coded[:, place] = values == code
        else:
            missing = np.isnan(values.astype(np.float64))
            if self.scale > 0.0:
                known = (values.astype(np.float64) / self.unit - self.mean) / self.scale
                coded[:, 0] = np.where(missing, 0.0, np.clip(known, -FARTHEST, FARTHEST))
        if self.tells_missing:
            coded[:, -1] = missing
        return coded


class Coding(NamedTuple):
    """How the columns of a table become numbers.

    Examples
    --------
    >>> from thriftwood.table import Encoder
    >>> encoder = Encoder()
    >>> encoded = encoder.fit_encode([[1.0, "a"], [3.0, "b"], [None, "a"]])
    >>> Coding.learnt(encoded, encoder.columns, np.ones(3)).of(encoded, [0, 1])
    array([[-1.,  0.,  0.],
           [ 1.,  0.,  1.],
           [ 0.,  1.,  0.]])
    """

    columns: tuple[ColumnCoding, ...]

    @classmethod
    def learnt(cls, encoded: Encoded, columns: Sequence[Column], weights: FloatArray) -> Coding:
        """Learn means, deviations and the commonest categories of all columns of a table."""
        return cls(
            tuple(
                _nominal(column, column_of(encoded, column.index), weights)
                if column.kind is Kind.NOMINAL
                else _numeric(column, column_of(encoded, column.index), weights)
                for column in columns
            )
        )

    def of(self, encoded: Encoded, features: Sequence[int]) -> FloatArray:
        """Return the numbers of some columns, side by side."""
        coded = [self.columns[feature].of(column_of(encoded, feature)) for feature in features]
        return np.hstack(coded) if coded else np.zeros((encoded.n_rows, 0))


def _numeric(column: Column, values: NDArray[np.generic], weights: FloatArray) -> ColumnCoding:
    numbers = values.astype(np.float64)
    known = ~np.isnan(numbers) & (weights > 0.0)
    tells_missing = bool((np.isnan(numbers) & (weights > 0.0)).any()) and bool(known.any())
    if not known.any():
        return ColumnCoding(column.index)
    unit = float(np.abs(numbers[known]).max()) or 1.0
    measured = numbers[known] / unit
    mean = float(np.average(measured, weights=weights[known]))
    scale = float(np.sqrt(np.average((measured - mean) ** 2, weights=weights[known])))
    same = scale <= 1e-12  # of numbers up to 1: what rounding leaves
    return ColumnCoding(column.index, unit, mean, 0.0 if same else scale, tells_missing)


def _nominal(column: Column, values: NDArray[np.generic], weights: FloatArray) -> ColumnCoding:
    codes = values.astype(np.int64)
    counts = np.bincount(codes[codes >= 0], weights[codes >= 0], minlength=len(column.categories))
    tells_missing = bool(weights[codes == MISSING].any())
    commonest = np.argsort(-counts, kind="stable")[:MOST_CATEGORIES]
    kept = tuple(sorted(int(code) for code in commonest if counts[code] > 0.0))
    if len(kept) <= 2:
        kept = kept[1:]  # of two the one says what the other does
    return ColumnCoding(column.index, tells_missing=tells_missing, categories=kept)
