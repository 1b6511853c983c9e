"""How well a tree does on cases it has not seen: the measures of a trade-off between money and accuracy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

SCORES = {"accuracy": True, "balanced_accuracy": True, "error_cost": False, "log_loss": False}
"""The scores of a tree besides the cost of its tests, and whether a larger one is better."""


@dataclass(frozen=True, slots=True)
class Predictions:
    """The answers of a tree for some cases, with the truth and what their tests cost."""

    actual: NDArray[np.int32]
    """The class number of each case."""
    labels: NDArray[np.int32]
    """The class number answered."""
    probabilities: FloatArray
    """The share of each class where the case ended."""
    test_cost: FloatArray
    weights: FloatArray | None
    """How much each case counts; None: each once."""


def measure(predictions: Predictions, error_matrix: FloatArray) -> dict[str, float]:
    """Return every score of `SCORES`, the mean ``sequential_cost`` of a case's tests, and the ``total_cost``.

    The balanced accuracy is the mean, over the classes that occur, of the share of right answers; the log
    loss is measured in nats, with shares of 0 raised to the smallest number that 1 can be told from.

    Examples
    --------
    >>> predictions = Predictions(
    ...     actual=np.array([0, 0, 0, 1], dtype=np.int32),
    ...     labels=np.array([0, 0, 1, 1], dtype=np.int32),
    ...     probabilities=np.array([[0.8, 0.2], [0.8, 0.2], [0.5, 0.5], [0.5, 0.5]]),
    ...     test_cost=np.array([1.0, 1.0, 3.0, 3.0]),
    ...     weights=None,
    ... )
    >>> found = measure(predictions, np.array([[0.0, 4.0], [20.0, 0.0]]))
    >>> {name: round(value, 4) for name, value in found.items()}
    {'accuracy': 0.75, 'balanced_accuracy': 0.8333, 'error_cost': 1.0, 'log_loss': 0.4581,
     'sequential_cost': 2.0, 'total_cost': 3.0}
    """
    actual, weights = predictions.actual, predictions.weights
    right = np.asarray(predictions.labels == actual, dtype=np.float64)
    share = np.take_along_axis(predictions.probabilities, actual[:, None].astype(np.intp), axis=1)[:, 0]
    least = float(np.finfo(np.float64).eps)
    error = error_matrix[actual, predictions.labels]
    return {
        "accuracy": _mean(right, weights),
        "balanced_accuracy": _mean_over_classes(right, actual, weights),
        "error_cost": _mean(error, weights),
        "log_loss": _mean(-np.log(np.clip(share, least, 1.0)), weights),
        "sequential_cost": _mean(predictions.test_cost, weights),
        "total_cost": _mean(predictions.test_cost + error, weights),
    }


def _mean(values: FloatArray, weights: FloatArray | None) -> float:
    return float(values.mean() if weights is None else weights @ values / weights.sum())


def _mean_over_classes(right: FloatArray, actual: NDArray[np.int32], weights: FloatArray | None) -> float:
    totals = np.bincount(actual, weights)
    occurring = totals > 0
    hits = np.bincount(actual, right if weights is None else right * weights)
    return float(np.mean(hits[occurring] / totals[occurring]))
