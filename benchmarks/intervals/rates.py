"""How often an interval has the truth inside where one kind of mistake is dear and rare: exact, by its share.

With two costs the mean is a share, and how often each number of dear mistakes comes is binomial: no sample is
drawn. The number of mistakes is whole, so no interval covers 95 % at every share; the textbook ones for
shares stand beside ours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta, binom

from thriftwood.evaluation import Interval
from thriftwood.evaluation.intervals import Spread

FloatArray = NDArray[np.float64]

SHARES = np.exp(np.linspace(np.log(0.002), np.log(0.05), 60))
"""Dear mistakes per case: from one in 500 to one in 20."""
CONFIDENCE = 0.95


class ByShare(NamedTuple):
    """The mean, least and largest coverage over `SHARES`, and the share of them where it is within limits."""

    method: str
    n: int
    mean: float
    least: float
    largest: float
    within: float


def ours(mistakes: int, n: int) -> Interval:
    """Return the interval of a bill in which a dear mistake costs 1 and nothing else costs anything."""
    return Spread.of(np.r_[np.zeros(n - mistakes), np.ones(mistakes)], least=0.0, most=1.0).interval


def exact(mistakes: int, n: int) -> Interval:
    """Return Clopper and Pearson's, which covers 95 % at least."""
    tail = (1 - CONFIDENCE) / 2
    low = 0.0 if mistakes == 0 else float(beta.ppf(tail, mistakes, n - mistakes + 1))
    return Interval(low, 1.0 if mistakes == n else float(beta.ppf(1 - tail, mistakes + 1, n - mistakes)))


def jeffreys(mistakes: int, n: int) -> Interval:
    """Return that of Jeffreys' prior, which covers 95 % on average."""
    tail = (1 - CONFIDENCE) / 2
    low = 0.0 if mistakes == 0 else float(beta.ppf(tail, mistakes + 0.5, n - mistakes + 0.5))
    return Interval(low, float(beta.ppf(1 - tail, mistakes + 0.5, n - mistakes + 0.5)))


METHODS: dict[str, Callable[[int, int], Interval]] = {"ours": ours, "exact": exact, "Jeffreys": jeffreys}


def coverage_by_share(method: str, n: int) -> FloatArray:
    """Return how often the interval of a method has the truth, for each of `SHARES`."""
    counts = np.arange(int(binom.ppf(1 - 1e-9, n, SHARES.max())) + 1)
    ends = np.array([METHODS[method](int(count), n) for count in counts])
    inside = (ends[:, :1] <= SHARES) & (ends[:, 1:] >= SHARES)
    return np.asarray((binom.pmf(counts[:, None], n, SHARES) * inside).sum(axis=0))


def by_share(n: int, limits: tuple[float, float]) -> list[ByShare]:
    """Sum up the coverage of every method."""
    found = []
    for method in METHODS:
        own = coverage_by_share(method, n)
        within = float(((own >= limits[0]) & (own <= limits[1])).mean())
        found.append(ByShare(method, n, float(own.mean()), float(own.min()), float(own.max()), within))
    return found
