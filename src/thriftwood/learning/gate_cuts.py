"""Where numbers are cut that may be gates: between two groups of their own, or where most is learnt."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def two_means(values: FloatArray, weights: FloatArray) -> float:
    """Return the cut between two groups of values that are each as close together as can be.

    Examples
    --------
    >>> two_means(np.array([0.0, 0.2, 0.1, 1.1, 0.9]), np.ones(5))
    0.55
    """
    order = np.argsort(values, kind="stable")
    ordered, weights = values[order], weights[order]
    below = np.cumsum(weights)
    total = np.cumsum((ordered - np.average(ordered, weights=weights)) * weights)
    above = np.cumsum(weights[::-1])[::-1]
    between = total[:-1] ** 2 * (1 / below[:-1] + 1 / above[1:])
    between[ordered[1:] <= ordered[:-1]] = -1.0
    place = int(np.argmax(between))
    return float((ordered[place] + ordered[place + 1]) / 2)


def best_cut(values: FloatArray, labels: NDArray[np.int32], weights: FloatArray, n_classes: int) -> float:
    """Return the cut that gains most information about the class.

    Examples
    --------
    >>> best_cut(np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 1, 1, 1], dtype=np.int32), np.ones(4), 2)
    1.5
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    counts = np.cumsum(np.eye(n_classes)[labels[order]] * weights[order, np.newaxis], axis=0)
    below, above = counts[:-1], counts[-1] - counts[:-1]
    left = _bits(below) + _bits(above)
    left[ordered[1:] <= ordered[:-1]] = np.inf
    place = int(np.argmin(left))
    return float((ordered[place] + ordered[place + 1]) / 2)


def _bits(counts: FloatArray) -> FloatArray:
    total = counts.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        bits: FloatArray = -np.nansum(counts * np.log2(counts / total), axis=1)
    return bits
