"""95 % intervals of what a case costs, and of what it costs more or less than elsewhere.

One method for each of two situations:

- *Cases that were held out* of one model (`Spread`): the mean of their costs, by empirical likelihood (Owen
  1988) with the least and the most that a case can cost. An end of the interval is the mean at which the
  likelihood of the shares of all costs has fallen by half of Student's t squared; for it a third of a case of
  the extreme kind is added, which may not have been seen yet. With that third, no dear mistake among n cases
  means at most 3 in n: the rule of three. So an interval lies within what a case can cost, is no point where
  nothing went wrong yet, and leans to where rare dear mistakes lie. A bootstrap draws what was seen again
  and has none of this: among 100 cases of which one in a hundred costs 1,000, its interval misses the truth
  in more than a third of the samples (``python -m benchmarks.intervals``).
- *Cross-validation* (`fold_interval`): the spread over folds, with the correction of Nadeau and Bengio (2003)
  for folds that share their training cases. Folds have the same shares of the classes, which samples have
  not: what testing nobody costs hardly differs between them. So no end lies nearer than that of the same
  cases as if they had been held out of one model (`Spread`), within the costs that were seen.

A difference of two models is that of the same cases, case by case, and its interval is made alike.

References
----------
Owen 1988, Empirical likelihood ratio confidence intervals for a single functional, Biometrika 75(2)

Nadeau and Bengio 2003, Inference for the generalization error, Machine Learning 52(3)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.stats import t as student

FloatArray = NDArray[np.float64]

CONFIDENCE = 0.95
UNSEEN = 1 / 3  # of a case of the extreme kind; see the rule of three above
UNSEEN_DIFFERENCE = UNSEEN / 2  # at each end of a difference: one third in all
MOST_VALUES = 4_096  # different costs that are kept; more are joined with their neighbours
OUTERMOST = 256  # of them, on either side, are never joined: rare dear cases decide the interval


class Interval(NamedTuple):
    """Where a mean lies with 95 % confidence."""

    low: float
    high: float


class Difference(NamedTuple):
    """What a case costs more than elsewhere (less, if negative), and its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Spread:
    """How often cases cost how much: all that the interval of their mean needs.

    Spreads of parts of a table add up with ``+``.

    Attributes
    ----------
    values, weights : ndarray
        The costs, ascending, and how many cases have each.
    squares : float
        The sum of the squared weights of the cases, for how many unweighted cases they are worth.
    least, most : float
        The least and the most that a case can cost.
    unseen : float
        How much of a case of the extreme kind is added for each end; of differences, both of whose ends are
        about mistakes that one of two models may make, half of what bills have.

    Examples
    --------
    >>> costs = Spread.of(np.array([2.0] * 98 + [102.0] * 2), least=0, most=102)
    >>> costs.mean, [round(end, 2) for end in costs.interval]
    (4.0, [2.32, 8.62])

    Nothing went wrong among 100 cases, which may have been luck:

    >>> [round(end, 2) for end in Spread.of(np.full(100, 2.0), least=2, most=102).interval]
    [2.0, 4.99]
    """

    values: FloatArray
    weights: FloatArray
    squares: float
    least: float
    most: float
    unseen: float = UNSEEN

    @classmethod
    def of(
        cls,
        values: FloatArray,
        weights: FloatArray | None = None,
        *,
        least: float,
        most: float,
        unseen: float = UNSEEN,
    ) -> Spread:
        """Return the spread of costs; `weights` say how much each case counts."""
        own = np.ones(len(values)) if weights is None else weights
        # Sums of prices may go beyond the bounds by the last digit of a float.
        kept, counts = _joined(np.clip(values, least, most), own)
        return cls(kept, counts, float(own @ own), least, most, unseen)

    def __add__(self, other: Spread) -> Spread:
        values = np.concatenate([self.values, other.values])
        kept, counts = _joined(values, np.concatenate([self.weights, other.weights]))
        least, most = min(self.least, other.least), max(self.most, other.most)
        return Spread(kept, counts, self.squares + other.squares, least, most, self.unseen)

    @property
    def mean(self) -> float:
        """The mean cost of a case."""
        return float(self.weights @ self.values / self.weights.sum())

    @property
    def interval(self) -> Interval:
        """Where the mean of all such cases lies with 95 % confidence."""
        total = float(self.weights.sum())
        worth = total**2 / self.squares if self.squares else 0.0
        if worth <= 1 + 1e-9:  # a single case says nothing about others
            return Interval(self.least, self.most)
        weights = self.weights * (worth / total)
        fall = float(student.ppf((1 + CONFIDENCE) / 2, worth - 1)) ** 2
        low = self.least + _lower_end(self.values - self.least, weights, self.unseen, fall)
        high = self.most - _lower_end((self.most - self.values)[::-1], weights[::-1], self.unseen, fall)
        return Interval(min(low, self.mean), max(high, self.mean))

    @property
    def difference(self) -> Difference:
        """The mean with its interval, of spreads of differences."""
        return Difference(self.mean, *self.interval)


def fold_interval(
    values: FloatArray,
    fold: NDArray[np.intp],
    weights: FloatArray | None = None,
    *,
    least: float = -math.inf,
    judged: float | None = None,
) -> Interval:
    """Return where the mean lies with 95 % confidence, by its spread over folds.

    Folds share their training cases, so their means are not independent: the variance is taken as that of
    Nadeau and Bengio (2003), (1/k + judged) times the variance of the k fold means. Each end is the farther
    one of that and of the spread of the cases, as the classes are dealt evenly to the folds.

    Parameters
    ----------
    values : ndarray
        What each case costs, or the difference of two such costs.
    fold : ndarray of int
        The number of the fold that each case was held out in, of two at least.
    weights : ndarray, optional
        How much each case counts. A fold none of whose cases counts is left out.
    least : float
        The least that a case can cost: no interval begins below it.
    judged : float, optional
        How many cases are held out for each one that is learnt from; None: 1/(k - 1), as where every case is
        held out once. Where folds are dealt several times over, there are more folds and it stays.

    Examples
    --------
    >>> fold_interval(np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 0, 1, 1]))
    Interval(low=-19.50..., high=24.50...)
    >>> fold_interval(np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 0, 1, 1]), least=0)
    Interval(low=0.0, high=24.50...)

    One in ten costs 100 in every fold, but not in every sample:

    >>> fold_interval(np.tile([100.0] + [0.0] * 9, 10), np.repeat(np.arange(10), 10), least=0)
    Interval(low=5.07..., high=17.32...)

    Dealt a second time they are the same hundred cases:

    >>> twice = np.tile([100.0] + [0.0] * 9, 20)
    >>> fold_interval(twice, np.repeat(np.arange(20), 10), least=0, judged=1 / 9)
    Interval(low=5.07..., high=17.32...)
    """
    own = np.ones(len(values)) if weights is None else weights
    counted = np.bincount(fold, own)
    means = np.bincount(fold, values * own)[counted > 0] / counted[counted > 0]
    lowest = float(values.min())
    seen = Spread.of(values, own, least=least if math.isfinite(least) else lowest, most=float(values.max()))
    if len(means) < 2:  # nothing tells how folds differ
        return seen.interval
    shared = 1 / (len(means) - 1) if judged is None else judged
    deals = max(1.0, len(means) * shared / (1 + shared))  # dealt again, cases are no more than they were
    seen = replace(seen, squares=seen.squares * deals)
    spread = math.sqrt((1 / len(means) + shared) * float(means.var(ddof=1)))
    reach = float(student.ppf((1 + CONFIDENCE) / 2, len(means) - 1)) * spread
    middle = seen.mean
    low, high = seen.interval
    return Interval(min(low, max(middle - reach, float(least))), max(high, middle + reach))


def _lower_end(above: FloatArray, weights: FloatArray, unseen: float, fall: float) -> float:
    """Return the lower end of the mean of values from 0 on, where part of a case at 0 is added.

    The likelihood of a mean m is that of the shares, among all with this mean, that make the cases likeliest.
    By duality its logarithm is, up to a constant, minus the maximum over 0 <= t <= 1 of
    sum(w log(1 - t + t x/m)) + unseen log(1 - t).
    """
    centre = float(weights @ above) / (float(weights.sum()) + unseen)
    if centre <= 0:
        return 0.0

    def beyond(mean: float) -> float:
        return _fallen(above / mean - 1, weights, unseen) - fall

    nothing = centre * 1e-9
    return 0.0 if beyond(nothing) < 0 else float(brentq(beyond, nothing, centre, xtol=centre * 1e-9))


def _fallen(ratios: FloatArray, weights: FloatArray, unseen: float) -> float:
    """Return twice what the logarithm of the likelihood has fallen by."""

    def slope(t: float) -> float:
        return float(weights @ (ratios / (1 + t * ratios))) - unseen / (1 - t)

    if slope(0.0) <= 0:
        return 0.0
    nearly = 1 - 1e-12
    t = nearly if slope(nearly) >= 0 else float(brentq(slope, 0.0, nearly))
    return 2 * (float(weights @ np.log1p(t * ratios)) + unseen * math.log1p(-t))


def _joined(values: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the different values and their weights; neighbours are joined where there are too many."""
    kept, place = np.unique(values, return_inverse=True)
    counts = np.bincount(place.reshape(-1), weights, len(kept)).astype(np.float64)
    if len(kept) <= MOST_VALUES:
        return kept, counts
    inner = np.arange(OUTERMOST, len(kept) - OUTERMOST)
    group = np.concatenate(
        [
            np.arange(OUTERMOST),
            OUTERMOST + np.arange(len(inner)) * (MOST_VALUES - 2 * OUTERMOST) // len(inner),
            MOST_VALUES - OUTERMOST + np.arange(OUTERMOST),
        ]
    )
    total = np.bincount(group, counts).astype(np.float64)
    means = np.bincount(group, counts * kept) / np.where(total > 0, total, 1.0)
    return means[total > 0], total[total > 0]
