"""What was answered against what was true, in cases and in money."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Confusion:
    """Counts and costs of every pair of a true and an answered class.

    Parameters
    ----------
    classes : ndarray of shape (k,)
        The classes, in the order of rows and columns.
    counts : ndarray of shape (k, k)
        ``counts[actual, predicted]``, how many cases (their weight, if cases were weighted).
    costs : ndarray of shape (k, k)
        What those cases cost together: counts times the error cost of the pair, or what they cost by row.
    """

    classes: NDArray[Any]
    counts: NDArray[Any]
    costs: NDArray[np.float64]

    def counted(self, pairs: NDArray[np.bool_]) -> float:
        """Return how many cases the chosen pairs have together; a whole number unless cases were weighted."""
        total: float = self.counts[pairs].sum().item()
        return total


def confusion(
    classes: NDArray[Any],
    actual: NDArray[np.int32],
    predicted: NDArray[np.int32],
    matrix: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
) -> Confusion:
    """Count the pairs of class numbers and charge them by the matrix ``[actual, predicted]``.

    Examples
    --------
    >>> found = np.array([0, 1, 1], dtype=np.int32)
    >>> truth = np.array([0, 0, 1], dtype=np.int32)
    >>> confusion(np.array(["no", "yes"]), truth, found, np.array([[0.0, 10], [50, 0]]), None).costs
    array([[ 0., 10.],
           [ 0.,  0.]])
    """
    k = len(classes)
    counts = np.bincount(actual * k + predicted, weights, minlength=k * k).reshape(k, k)
    return Confusion(classes, counts, counts * matrix)


def confusion_by_row(
    classes: NDArray[Any],
    actual: NDArray[np.int32],
    predicted: NDArray[np.int32],
    error_cost: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
) -> Confusion:
    """Count the pairs of class numbers and add up what their cases cost, each its own.

    Examples
    --------
    >>> found = np.array([1, 1, 1], dtype=np.int32)
    >>> truth = np.array([0, 0, 1], dtype=np.int32)
    >>> confusion_by_row(np.array(["no", "yes"]), truth, found, np.array([7.0, 2, 0]), None).costs
    array([[0., 9.],
           [0., 0.]])
    """
    k, pairs = len(classes), actual * len(classes) + predicted
    counts = np.bincount(pairs, weights, minlength=k * k).reshape(k, k)
    paid = error_cost if weights is None else error_cost * weights
    costs = np.bincount(pairs, paid, minlength=k * k).astype(np.float64)
    return Confusion(classes, counts, costs.reshape(k, k))
