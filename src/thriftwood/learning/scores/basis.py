"""What of a column a score adds up, and the points of a card that its weights come to.

A number counts by the pieces between some of its quantiles: how much of each piece lies below it. That holds
curves and long tails. On 15 tables, all columns bought, the logarithmic loss on held-out cases is 6 % above
the best of fifteen choices of quantiles and ridge; with one piece from the lowest to the highest value, a
straight line, 27 %.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.models.ledger import FloatArray
from thriftwood.models.score_card import UNIT, CategoryPoints, NumberPoints, ScoreCard
from thriftwood.table import MISSING, Encoder, Kind

QUANTILES = (0.0, 0.05, 0.35, 0.65, 0.95, 1.0)
LEAST_CASES = 3
"""Of a category, or of missing values: fewer count as an average case."""
SMALLEST = 1e-200
"""Numbers that lie closer together are all alike."""
ANY = np.array([0.0, 1.0])
"""Where all numbers have the same points, those of having one at all, they are written at these."""
MOST_CATEGORIES = 30
"""The commonest that have a weight of their own."""


@dataclass(frozen=True, slots=True)
class Basis:
    """The columns of numbers that one column of a table becomes, and their means where it was learnt."""

    feature: int
    at: FloatArray | None
    """The values that pieces lie between; None for categories."""
    codes: NDArray[np.int32] | None
    """The categories that count; None for numbers."""
    n_categories: int
    tells_missing: bool
    means: FloatArray

    @classmethod
    def learnt(cls, feature: int, values: NDArray[Any], n_categories: int, nominal: bool) -> Basis:
        """Look at a column."""
        missing = values == MISSING if nominal else np.isnan(values)
        tells = int(missing.sum()) >= LEAST_CASES
        at = codes = None
        if nominal:
            counts = np.bincount(values[values >= 0].astype(np.intp), minlength=n_categories)
            common = np.argsort(-counts, kind="stable")[:MOST_CATEGORIES]
            codes = np.sort(common[counts[common] >= LEAST_CASES]).astype(np.int32)
        else:
            known = values[~missing].astype(np.float64)
            at = _knots(known)
        raw = cls(feature, at, codes, n_categories, tells, np.zeros(0))
        columns = raw._columns(values)
        known_rows = columns[~missing] if not nominal else columns
        means = known_rows.mean(axis=0) if len(known_rows) else np.zeros(columns.shape[1])
        if tells and not nominal:
            means[-1] = missing.mean()
        return cls(feature, at, codes, n_categories, tells, means)

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.means)

    def columns(self, values: NDArray[Any]) -> FloatArray:
        """Return the columns of some values: 0 where a case tells no more than an average one."""
        found = self._columns(values) - self.means
        if self.codes is None:
            pieces = len(self.means) - self.tells_missing
            found[np.isnan(values), :pieces] = 0.0
        else:
            counted = np.isin(values, self.codes) | ((values == MISSING) & self.tells_missing)
            found[~counted] = 0.0
        return found

    def _columns(self, values: NDArray[Any]) -> FloatArray:
        """Return the columns before their means are taken off."""
        if self.codes is not None:
            found = values[:, None] == self.codes
            missing = values == MISSING
        else:
            assert self.at is not None  # numbers
            missing = np.isnan(values)
            low, high = self.at[:-1], self.at[1:]
            x = np.where(missing, 0.0, values.astype(np.float64))
            found = np.clip((x[:, None] - low) / (high - low), 0.0, 1.0)
        return np.column_stack([found, missing] if self.tells_missing else [found]).astype(np.float64)

    def points(self, weights: FloatArray) -> NumberPoints | CategoryPoints | None:
        """Return the points that the weights of the columns come to; None if they are 0 for all values."""
        if self.codes is not None:
            values: NDArray[Any] = np.arange(self.n_categories, dtype=np.int32)
            asked = np.append(values, np.int32(MISSING))
        else:
            assert self.at is not None  # numbers
            values = self.at if len(self.at) else ANY
            asked = np.append(values, np.nan)
        *points, missing = (
            tuple(row) for row in np.rint(UNIT * (self.columns(asked) @ weights)).astype(int).tolist()
        )
        if not any(map(any, [*points, missing])):
            return None
        if self.codes is not None:
            return CategoryPoints(self.feature, tuple(points), missing)
        return NumberPoints(self.feature, tuple(values.tolist()), tuple(points), missing)


def _knots(known: FloatArray) -> FloatArray:
    """Return the values that pieces lie between, written with few digits: people read them.

    Examples
    --------
    >>> _knots(np.array([0.123456789, 17.98765, 3.0, 1e-310]))
    array([ 0.   ,  0.1235,  3.   , 17.99  ])
    """
    if not len(known):
        return np.zeros(0)
    values = np.quantile(known, QUANTILES, method="nearest").tolist()
    spread = values[-1] - values[0]
    if not SMALLEST < spread < np.inf:  # all alike, or no number tells how much of a piece lies below a value
        return np.zeros(0)
    # Four digits of each value, and more where all of them begin alike.
    sizes = [min(spread, abs(value)) or spread for value in values]
    places = [min(3 - int(np.floor(np.log10(size))), 300) for size in sizes]
    return np.unique([round(value, digits) for value, digits in zip(values, places, strict=True)])


def learnt_bases(encoder: Encoder, columns: list[NDArray[Any]]) -> list[Basis]:
    """Look at all columns of a table."""
    kinds = [column.kind is Kind.NOMINAL for column in encoder.columns]
    return [
        Basis.learnt(feature, values, len(column.categories) if nominal else 0, nominal)
        for feature, (values, column, nominal) in enumerate(zip(columns, encoder.columns, kinds, strict=True))
    ]


def card_of(bases: list[Basis], weights: FloatArray) -> ScoreCard:
    """Return the card of some bases; the first row of the weights is where counting begins."""
    entries, first = [], 1
    for basis in bases:
        entry = basis.points(weights[first : first + basis.width])
        first += basis.width
        if entry is not None:
            entries.append(entry)
    return ScoreCard(tuple(np.rint(UNIT * weights[0]).astype(int).tolist()), tuple(entries))
