"""What was answered against what was true, in cases and in money."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Confusion:
    """Counts and costs of every pair of a true class and an answer.

    Parameters
    ----------
    classes : ndarray of shape (k,)
        The classes, in the order of rows.
    counts : ndarray of shape (k, n_answers)
        ``counts[actual, answered]``, how many cases (their weight, if cases were weighted).
    costs : ndarray of shape (k, n_answers)
        What those cases cost together: counts times the error cost of the pair, or what they cost by row.
    answers : ndarray of shape (n_answers,)
        The classes in the order of rows, then the answers that are no class.
    """

    classes: NDArray[Any]
    counts: NDArray[Any]
    costs: NDArray[np.float64]
    answers: NDArray[Any]

    @property
    def mistakes(self) -> NDArray[np.bool_]:
        """Which pairs are mistakes: a class that is not the true one. Other answers are neither."""
        k = len(self.classes)
        found = np.zeros(self.counts.shape, dtype=bool)
        found[:, :k] = ~np.eye(k, dtype=bool)
        return found

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
    *,
    answers: NDArray[Any] | None = None,
) -> Confusion:
    """Count the pairs of class numbers and charge them by the matrix ``[actual, predicted]``.

    `answers` are the classes, and then those that are none; None: there are no others.

    Examples
    --------
    >>> found = np.array([0, 1, 1], dtype=np.int32)
    >>> truth = np.array([0, 0, 1], dtype=np.int32)
    >>> confusion(np.array(["no", "yes"]), truth, found, np.array([[0.0, 10], [50, 0]]), None).costs
    array([[ 0., 10.],
           [ 0.,  0.]])
    """
    answers = classes if answers is None else answers
    k, n_answers = len(classes), len(answers)
    counts = np.bincount(actual * n_answers + predicted, weights, minlength=k * n_answers)
    counts = counts.reshape(k, n_answers)
    return Confusion(classes, counts, counts * matrix, answers)


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
    return Confusion(classes, counts, costs.reshape(k, k), classes)
