"""The tests that each case bought, as arrays, and the sums over cases and over tests."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood.models.ledger import Ledger

FloatArray = NDArray[np.float64]


class Purchases(NamedTuple):
    """Case r bought the entries ``starts[r]`` to ``starts[r + 1] - 1``, in this order.

    Examples
    --------
    >>> bought = Purchases(np.array([0, 2, 3]), np.array([0, 1, 0]), np.ones(3), np.array([4.0, 2.0, 4.0]))
    >>> bought.tests(["age", "chol"])
    [['age', 'chol'], ['age']]
    >>> times, total = bought.by_test(None, n_features=2)
    >>> times, total
    (array([2., 1.]), array([8., 2.]))
    """

    starts: NDArray[np.int64]
    test: NDArray[np.int32]
    """The number of the feature."""
    share: FloatArray
    """How much of the case bought it: 1 unless a missing value spread the case over several branches."""
    cost: FloatArray
    """What was paid, weighted by share."""

    @classmethod
    def of(cls, ledger: Ledger) -> Self:
        """Return the purchases of a ledger."""
        return cls(ledger.starts, ledger.test, ledger.share, ledger.cost)

    def taken(self, rows: NDArray[np.intp]) -> Purchases:
        """Return those of some cases, in this order."""
        counts = np.diff(self.starts)[rows]
        starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
        entries = np.arange(starts[-1]) + np.repeat(self.starts[rows] - starts[:-1], counts)
        return Purchases(starts, self.test[entries], self.share[entries], self.cost[entries])

    def tests(self, names: Any) -> list[list[str]]:
        """Return the names of the tests that each case bought."""
        bought = [names[test] for test in self.test.tolist()]
        return [bought[start:end] for start, end in pairwise(self.starts.tolist())]

    def per_case(self) -> FloatArray:
        """Return how many tests each case bought; a share of a test counts as that share."""
        bought = np.diff(self.starts)
        if (self.share == 1.0).all():
            return bought.astype(np.float64)
        return _added(np.repeat(np.arange(len(bought)), bought), self.share, len(bought))

    def costs(self) -> FloatArray:
        """Return what the tests of each case cost."""
        n_cases = len(self.starts) - 1
        return _added(np.repeat(np.arange(n_cases), np.diff(self.starts)), self.cost, n_cases)

    def ever(self, n_features: int) -> NDArray[np.bool_]:
        """Tell of each feature whether anybody bought it."""
        return np.bincount(self.test, minlength=n_features) > 0

    def by_test(self, weights: FloatArray | None, n_features: int) -> tuple[FloatArray, FloatArray]:
        """Return how often each feature was bought and what was paid for it in total."""
        weight = np.ones(1) if weights is None else np.repeat(weights, np.diff(self.starts))
        times = _added(self.test, weight * self.share, n_features)
        return times, _added(self.test, weight * self.cost, n_features)


def _added(place: NDArray[Any], amounts: FloatArray, size: int) -> FloatArray:
    """Add up the amounts that belong to each place."""
    return np.bincount(place, weights=amounts, minlength=size).astype(np.float64)  # of nothing: integers
