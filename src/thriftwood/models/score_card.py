"""`ScoreCard`: points for what is known of a case, and the chances of the classes that they add up to.

Points are whole numbers, and 100 of them multiply the odds by e = 2.718: with two classes the odds of the
second against the first, with more those of each class against the others. A test that tells nothing, or
whose value is missing where none was missing at fit, gives about 0 points: as much as an average case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from thriftwood.models.ledger import FloatArray
from thriftwood.table import Column, Encoded, Kind

UNIT = 100
"""Points that multiply the odds by e."""

MOST_POINTS = 10**9
"""More than a test could have: sums of so many are exact."""

Points: TypeAlias = tuple[int, ...]
"""For each score of a card: one for two classes, else one for each class."""


@dataclass(frozen=True, slots=True)
class NumberPoints:
    """Points for a number: given at some values, in proportion between them, and as at the ends beyond.

    Parameters
    ----------
    feature : int
        The number of the feature.
    at : tuple of float
        Values, rising; at least two.
    points : tuple of Points
        The points at each of them.
    missing : Points
        The points of a case whose value is missing.

    Examples
    --------
    >>> NumberPoints(0, (10.0, 20.0), ((0,), (50,)), (7,)).of(np.array([5.0, 12.0, np.nan])).tolist()
    [[0.0], [10.0], [7.0]]
    """

    feature: int
    at: tuple[float, ...]
    points: tuple[Points, ...]
    missing: Points

    def of(self, values: NDArray[Any]) -> FloatArray:
        """Return the points of each value, a row each."""
        at, points = np.array(self.at), np.array(self.points, dtype=np.float64)
        slopes = np.diff(points, axis=0) / np.diff(at)[:, None]
        x = np.clip(values.astype(np.float64), at[0], at[-1])
        below = np.clip(np.searchsorted(at, x, side="right") - 1, 0, len(at) - 2)
        found = np.asarray(points[below] + slopes[below] * (x - at[below])[:, None])
        found[np.isnan(x)] = self.missing
        return found


@dataclass(frozen=True, slots=True)
class CategoryPoints:
    """Points for a category; one that was not there at fit gives none.

    Parameters
    ----------
    feature : int
        The number of the feature.
    points : tuple of Points
        The points of each category, in the order of the column's categories.
    missing : Points
        The points of a case whose value is missing.

    Examples
    --------
    >>> CategoryPoints(0, ((5,), (-5,)), (1,)).of(np.array([1, 0, -1, -2])).tolist()  # -2: not there at fit
    [[-5.0], [5.0], [1.0], [0.0]]
    """

    feature: int
    points: tuple[Points, ...]
    missing: Points

    def of(self, codes: NDArray[Any]) -> FloatArray:
        """Return the points of each code, a row each."""
        table = np.array([*self.points, (0,) * len(self.missing), self.missing], dtype=np.float64)
        return np.asarray(table[codes])  # -1 and -2 count from the end


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """Points for each of some tests, and where counting begins.

    Parameters
    ----------
    base : Points
        Where counting begins.
    entries : tuple of NumberPoints and CategoryPoints
        What the tests add, in the order in which they are added up.

    Examples
    --------
    >>> card = ScoreCard((-50,), (NumberPoints(0, (10.0, 20.0), ((0,), (100,)), (7,)),))
    >>> card.shares([np.array([15.0])]).round(3).tolist()  # 0 points: even odds
    [[0.5, 0.5]]
    """

    base: Points
    entries: tuple[NumberPoints | CategoryPoints, ...] = ()

    @property
    def n_classes(self) -> int:
        """The number of classes whose chances it gives."""
        return max(len(self.base), 2)

    @property
    def features(self) -> tuple[int, ...]:
        """The numbers of the features that count."""
        return tuple(entry.feature for entry in self.entries)

    def scores(self, columns: Sequence[NDArray[Any]], n_rows: int = 1) -> FloatArray:
        """Add up the points of each case.

        Parameters
        ----------
        columns : list of arrays
            For each of `entries` the values of its feature: numbers, or codes of categories.
        n_rows : int
            The number of cases, where there are no entries.
        """
        total = np.tile(np.array(self.base, dtype=np.float64), (len(columns[0]) if columns else n_rows, 1))
        for entry, column in zip(self.entries, columns, strict=True):
            total += entry.of(column)
        return total

    def shares(self, columns: Sequence[NDArray[Any]], n_rows: int = 1) -> FloatArray:
        """Return the chance of each class, a row for each case; arguments as for `scores`."""
        return chances(self.scores(columns, n_rows) / UNIT)


def chances(log_odds: FloatArray) -> FloatArray:
    """Turn scores into the chances of the classes: one score is that of the second of two.

    Examples
    --------
    >>> chances(np.array([[0.0, np.log(3)]])).round(2).tolist(), chances(np.array([[0.0]])).tolist()
    ([[0.25, 0.75]], [[0.5, 0.5]])
    """
    if log_odds.shape[1] == 1:
        second = 1.0 / (1.0 + np.exp(-np.clip(log_odds, -700.0, 700.0)))
        return np.hstack([1.0 - second, second])
    raised = np.exp(log_odds - log_odds.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def column_of(encoded: Encoded, feature: int) -> NDArray[Any]:
    """Return a column of an encoded table, with its zeros where they were left out."""
    if encoded.dense is not None:
        return encoded.dense[:, feature]
    if encoded.columns is not None:
        return encoded.columns[feature]
    assert encoded.sparse is not None  # one of the three
    indptr, indices, data = encoded.sparse
    entries = slice(indptr[feature], indptr[feature + 1])
    column = np.zeros(encoded.n_rows, dtype=data.dtype)
    column[indices[entries]] = data[entries]
    return column


def check_card(card: ScoreCard, columns: Sequence[Column]) -> None:
    """Raise unless the parts of a card go together, and with the columns of its tables."""
    width = len(card.base)
    if width in (0, 2):
        raise ValueError(f"A card has one score for two classes, or one for each of more. Got {width}.")
    _check_points(card.base)
    if len(set(card.features)) < len(card.entries):
        raise ValueError("A card counts each test once.")
    for entry in card.entries:
        if not 0 <= entry.feature < len(columns):
            raise ValueError(f"A card counts tests of the {len(columns)} columns.")
        column = columns[entry.feature]
        if any(len(row) != width for row in (*entry.points, entry.missing)):
            raise ValueError(f"Each value has {width} points, one for each score of the card.")
        _check_points(*entry.points, entry.missing)
        if isinstance(entry, CategoryPoints):
            if column.kind is not Kind.NOMINAL or len(entry.points) != len(column.categories):
                raise ValueError(f"{column.label} has points for each of its categories.")
            continue
        if column.kind is Kind.NOMINAL:
            raise ValueError(f"{column.label} has points for its categories, not for numbers.")
        rising = all(a < b for a, b in pairwise(entry.at)) and bool(np.isfinite(entry.at).all())
        if len(entry.at) < 2 or len(entry.at) != len(entry.points) or not rising:
            raise ValueError(f"{column.label} has points at two or more numbers, which rise.")
        with np.errstate(over="ignore"):
            gaps = np.diff(entry.at)
            proportional = bool((np.isfinite(gaps) & np.isfinite(2 * MOST_POINTS / gaps)).all())
        if not proportional:
            raise ValueError(f"{column.label} has points at numbers too far apart, or too close together.")


def _check_points(*rows: Points) -> None:
    if any(abs(one) > MOST_POINTS for row in rows for one in row):
        raise ValueError(f"A card has points from -{MOST_POINTS:,} to {MOST_POINTS:,}.")
