"""What a case would cost after more cases: an inverse power law, and how sure it is.

The bill of unseen cases falls with the number n of cases learnt from about as a + c n^-e: to a, what no
number of cases takes away, ever more slowly. The law is fitted to the mean bills at some numbers of cases by
least squares weighted by their variances, with a no less than the least that a case can cost, c no less than
0 and e from 0.1 to 1. So by the law more cases never make it worse; where the bills do not fall, c is 0.

How sure it is: the bills at all numbers are drawn anew, together, around the law from the multivariate t
distribution that their spread over folds gives (with the correction of Nadeau and Bengio for folds that share
cases), the law is fitted to each drawing, and the 95 % interval leaves out the outer 2.5 % of what these say
on either side. A few noisy points hardly tell the exponent, on which all depends beyond them; so each drawing
takes one by its likelihood, and not the likeliest alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood.evaluation.intervals import CONFIDENCE, Difference

FloatArray = NDArray[np.float64]

EXPONENTS = np.linspace(0.1, 1.0, 37)
DRAWINGS = 2000
SHARED = 2.0
"""The parts that are learnt from come from the same cases in all folds, so that chance which is in these does
not show in the spread over folds. With twice the variance the interval held in 39 of 40 drawn tables (eg2,
400 cases, a saving of 0.24 of 13.2), without it in 33."""


@dataclass(frozen=True, eq=False, slots=True)
class PowerLaw:
    """One or more laws a + c (n / unit)^-e, fitted together.

    Attributes
    ----------
    a, c, e : ndarray of shape (n_laws,)
        The parts of each law.
    unit : float
        What n is measured in.
    """

    a: FloatArray
    c: FloatArray
    e: FloatArray
    unit: float

    @classmethod
    def fit(
        cls,
        sizes: FloatArray,
        costs: FloatArray,
        weights: FloatArray,
        least: float = 0.0,
        rng: np.random.Generator | None = None,
    ) -> PowerLaw:
        """Fit a law to each row of costs.

        Parameters
        ----------
        sizes : ndarray of shape (n_sizes,)
            The numbers of cases.
        costs : ndarray of shape (n_laws, n_sizes)
            What a case costs after so many.
        weights : ndarray of shape (n_sizes,)
            How much each counts: one by its variance.
        least : float
            The least that a case can cost.
        rng : Generator, optional
            Draws the exponent of each law by its likelihood; None: the likeliest.

        Examples
        --------
        >>> sizes = np.array([50.0, 100.0, 200.0, 400.0])
        >>> law = PowerLaw.fit(sizes, (10 + 100 * sizes**-0.5)[None], np.ones(4))
        >>> law.at(800.0).round(3).tolist(), law.e.round(2).tolist()
        ([13.536], [0.5])
        """
        unit, above = float(sizes.max()), costs - least
        powers = [(sizes / unit) ** -e for e in EXPONENTS.tolist()]
        parts = [_not_negative(x, above, weights) for x in powers]
        found = np.array(parts)  # exponent, a or c, law
        misses = np.array(
            [
                ((a[:, None] + c[:, None] * x - above) ** 2) @ weights
                for x, (a, c) in zip(powers, parts, strict=True)
            ]
        )
        likelihood = -misses / 2
        if rng is not None:  # the largest of logarithms with such noise is drawn by their likelihoods
            likelihood = likelihood + rng.gumbel(size=likelihood.shape)
        best, laws = likelihood.argmax(axis=0), np.arange(len(costs))
        return cls(found[best, 0, laws] + least, found[best, 1, laws], EXPONENTS[best], unit)

    def at(self, n: float) -> FloatArray:
        """Return what a case costs after n cases, by each law."""
        return np.asarray(self.a + self.c * (n / self.unit) ** -self.e)


def _not_negative(x: FloatArray, y: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a and c, neither of them negative, of the weighted least squares of y = a + c x, row by row."""
    total, sum_x, sum_xx = weights.sum(), weights @ x, weights @ x**2
    sum_y, sum_xy = y @ weights, y @ (weights * x)
    spread = total * sum_xx - sum_x**2
    c = (total * sum_xy - sum_x * sum_y) / spread
    a = (sum_y - c * sum_x) / total
    flat, bare = c < 0.0, (c >= 0.0) & (a < 0.0)
    a, c = np.where(flat, sum_y / total, a), np.where(flat, 0.0, c)
    return np.maximum(np.where(bare, 0.0, a), 0.0), np.maximum(np.where(bare, sum_xy / sum_xx, c), 0.0)


class Laws(NamedTuple):
    """The law of the mean bills, and those of drawings around them."""

    found: PowerLaw
    drawn: PowerLaw

    def at(self, n: float) -> Difference:
        """Return what a case costs after n cases, with its 95 % interval."""
        return _with_interval(self.found.at(n)[0], self.drawn.at(n))

    def saved(self, n: float, more: float) -> Difference:
        """Return what a case costs less after more cases than after n, with its 95 % interval."""
        by_chance = self.drawn.at(n) - self.drawn.at(more)
        return _with_interval(self.found.at(n)[0] - self.found.at(more)[0], by_chance)


def _with_interval(found: float, drawn: FloatArray) -> Difference:
    low, high = np.quantile(drawn, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2]).tolist()
    return Difference(float(found), min(low, float(found)), max(high, float(found)))


def fitted_laws(sizes: FloatArray, fold_means: FloatArray, least: float = 0.0, seed: int = 0) -> Laws:
    """Fit the law of mean bills, and those of drawings around them.

    Parameters
    ----------
    sizes : ndarray of shape (n_sizes,)
        The numbers of cases learnt from.
    fold_means : ndarray of shape (n_folds, n_sizes)
        What a case of each fold costs after so many.
    least : float
        The least that a case can cost.
    seed : int
        Decides the drawings.
    """
    folds, n_sizes = fold_means.shape
    means = fold_means.mean(axis=0)
    covariance = SHARED * (1 / folds + 1 / (folds - 1)) * np.atleast_2d(np.cov(fold_means, rowvar=False))
    variance = np.diag(covariance)
    # Folds that agree by chance must not count for everything.
    floor = max(float(variance.mean()) * 1e-2, (1e-9 * max(float(np.abs(means).max()), 1.0)) ** 2)
    weights = 1.0 / np.maximum(variance, floor)
    rng = np.random.default_rng(seed)
    values, vectors = np.linalg.eigh(covariance)
    normal = rng.standard_normal((DRAWINGS, n_sizes)) * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
    tails = np.sqrt((folds - 1) / rng.chisquare(folds - 1, DRAWINGS))
    drawn = np.maximum(means + normal * tails[:, None], least)
    return Laws(
        PowerLaw.fit(sizes, means[None], weights, least), PowerLaw.fit(sizes, drawn, weights, least, rng)
    )
