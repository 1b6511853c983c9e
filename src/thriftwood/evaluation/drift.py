"""Whether new cases are of the same kind as those of training: exact tests by dealing the cases anew.

If nothing changed, the cases of training and the new ones are one sample, and which of them are new is
chance. So all cases are put together and dealt into two parts of the old sizes many times, and the difference
between the parts is measured each time: how often it is as large as the one observed is the *p-value*. That
holds for small numbers, too, where the chi-square distribution does not.

The difference is the likelihood-ratio statistic G. Of a tree's leaves it is the sum over the tests on the way
of the difference between their branches, among the cases that came there; so it divides into parts that
belong to one *column* each, and a column has moved where its part is too large for chance. Dealing the
leaves' cases anew tests all columns at once, each exactly.

Many columns are looked at, and the *rate* of false alarms is that of all together: p-values are adjusted by
Holm's method, so that where nothing changed the chance that any column is said to have moved is at most the
rate. Dealing ends early for a column that is plainly no news (Besag & Clifford 1991, Sequential Monte Carlo
p-values, Biometrika 78).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

FloatArray = NDArray[np.float64]
Counts: TypeAlias = NDArray[np.int64]
Measure: TypeAlias = Callable[[Counts], FloatArray]
"""Differences, (n_deals, n_differences), of how many new cases each cell has, (n_deals, n_cells)."""


class Deals(NamedTuple):
    """How cases are dealt."""

    rng: np.random.Generator
    most: int
    """So often at most."""


ENOUGH = 20
"""So many deals with as large a difference show that it is no news."""
CELLS_AT_ONCE = 2_000_000
"""Deals are made in blocks of about so many numbers: 16 MB."""
MOST_CASES = 10**9
"""The generator deals fewer cases."""


def difference(new: Counts, pooled: Counts) -> FloatArray:
    """Return G / 2 between the new cases and the others, up to what is the same for all deals.

    Parameters
    ----------
    new : array of shape (n_deals, n_cells)
        How many new cases each cell has.
    pooled : array of shape (n_cells,)
        How many cases each cell has in all.

    Examples
    --------
    >>> difference(np.array([[5, 5], [10, 0]]), np.array([10, 20])).round(1).tolist()
    [[64.8], [82.9]]
    """
    return np.asarray(_logs(new, pooled).sum(axis=1, keepdims=True))


def _logs(new: Counts, pooled: Counts) -> FloatArray:
    return np.asarray(xlogy(new, new) + xlogy(pooled - new, pooled - new))


class BranchDifference:
    """The differences between branches of a tree, added up by column.

    Parameters
    ----------
    parent : list of int
        Of every node the number of its parent, a smaller number; -1 for the root.
    column : list of int
        Of every node the place of the column that it tests among those that are measured; -1 where it tests
        none, or is not to be measured.
    ends : array of int
        The nodes that are cells of the counts: where cases end.
    pooled : array of shape (n_cells,)
        How many cases end in each cell in all.
    n_columns : int
        How many columns there are.
    """

    def __init__(
        self, parent: list[int], column: list[int], ends: NDArray[np.intp], pooled: Counts, n_columns: int
    ) -> None:
        self.parent, self.ends = parent, ends
        self.pooled = self.totals(pooled[None])[0]
        # A node's branches have the logs of its children, less its own: one product adds them up by column.
        self._parts = np.zeros((len(parent), n_columns))
        for node, above in enumerate(parent):
            if column[node] >= 0:
                self._parts[node, column[node]] -= 1.0
            if above >= 0 and column[above] >= 0:
                self._parts[node, column[above]] += 1.0

    def totals(self, counts: Counts) -> Counts:
        """Return how many cases come to every node, of how many end in each cell."""
        found = np.zeros((len(counts), len(self.parent)), dtype=np.int64)
        found[:, self.ends] = counts
        for node in range(len(self.parent) - 1, 0, -1):
            found[:, self.parent[node]] += found[:, node]
        return found

    def __call__(self, new: Counts) -> FloatArray:
        """Return G / 2 by column, up to what is the same for all deals."""
        return np.asarray(_logs(self.totals(new), self.pooled) @ self._parts)


def p_values(
    new: Counts, pooled: Counts, measure: Measure, rng: np.random.Generator, n_deals: int
) -> FloatArray:
    """Return how often deals differ as much as what was observed, for each difference of `measure`.

    Parameters
    ----------
    new, pooled : array of shape (n_cells,)
        How many new cases each cell has, and how many cases in all.
    measure : function
        Gives the differences of deals.
    rng : Generator
        Deals the cases.
    n_deals : int
        The most deals; fewer where all differences are plainly no news.

    Examples
    --------
    >>> new, pooled = np.array([10, 30]), np.array([60, 80])
    >>> rng = np.random.default_rng(0)
    >>> p_values(new, pooled, lambda dealt: difference(dealt, pooled), rng, 2000).round(2)
    array([0.01])
    """
    if pooled.sum() >= MOST_CASES:
        raise ValueError(f"Fewer than {MOST_CASES:,} cases can be compared. Got {int(pooled.sum()):,}.")
    observed = measure(new[None])[0]
    slack = 1e-9 * np.maximum(np.abs(observed), 1.0)  # sums of the same numbers in another order
    block = max(1, min(1000, CELLS_AT_ONCE // max(len(pooled), 1)))
    as_large = np.zeros(len(observed), dtype=np.int64)
    found, done = np.full(len(observed), np.nan), 0
    while done < n_deals and np.isnan(found).any():
        dealt = rng.multivariate_hypergeometric(pooled, int(new.sum()), size=block)
        larger = measure(dealt) >= observed - slack
        running = as_large + larger.cumsum(axis=0)
        news = np.isnan(found) & (running[-1] >= ENOUGH)
        found[news] = ENOUGH / (done + 1 + (running[:, news] >= ENOUGH).argmax(axis=0))
        as_large, done = running[-1], done + block
    rare = np.isnan(found)
    found[rare] = (as_large[rare] + 1) / (done + 1)
    return found


def deals_for(n_checks: int, rate: float) -> int:
    """Return how many deals show a difference that is rare enough, of so many that are looked at.

    >>> deals_for(5, 0.01), deals_for(100, 0.001)
    (10000, 400000)
    """
    return max(10_000, math.ceil(4 * n_checks / rate))


def adjusted(values: FloatArray) -> FloatArray:
    """Adjust p-values for their number by Holm's method.

    >>> adjusted(np.array([0.04, 0.001, 0.03])).round(3).tolist()
    [0.06, 0.003, 0.06]
    """
    order = np.argsort(values, kind="stable")
    raised = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    found = np.empty(len(values))
    found[order] = np.minimum(raised, 1.0)
    return found


def new_category(most: int, n_new: int, n_training: int, n_categories: int) -> float:
    """Return how likely it is that a category comes so often in new cases, and never in training.

    Of all categories any could have been missed by training, and training knows those it has not missed: the
    chance for one is that of dealing all its cases to the new part, and it is multiplied by their number.

    Parameters
    ----------
    most : int
        How often the commonest of the new categories comes.
    n_new, n_training : int
        How many cases there are.
    n_categories : int
        How many categories there are in all, of training and new ones.

    Examples
    --------
    >>> new_category(1, 100, 100, 3), round(new_category(10, 100, 100, 3), 4)
    (1.0, 0.0023)
    """
    chance = sum(math.log((n_new - k) / (n_new + n_training - k)) for k in range(most))
    return min(1.0, n_categories * math.exp(chance))


def whole(weights: FloatArray, total: int) -> Counts:
    """Round weights to whole numbers that add up to a total: those cut off most are rounded up.

    >>> whole(np.array([1.5, 2.2, 1.3]), 5).tolist()
    [2, 2, 1]
    """
    found = np.floor(weights + 1e-9).astype(np.int64)
    up = total - int(found.sum())
    if up > 0:
        cut_off = np.round(weights - found, 9)  # in whatever order they were added up
        found[np.argsort(-cut_off, kind="stable")[:up]] += 1
    return found
