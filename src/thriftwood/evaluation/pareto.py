"""The Pareto front of a trade-off: the points that no other beats in both cost and score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def pareto(cost: FloatArray, score: FloatArray, rank: Sequence[int] | None = None) -> list[int]:
    """Return the points that are not dominated, cheapest first; equal points once.

    A point is dominated when another costs no more and scores no less, and is better in one of the two.

    Parameters
    ----------
    cost : array
        Less is better.
    score : array
        More is better.
    rank : sequence of int, optional
        Which of equal points is kept: the one of lowest rank; None: the first.

    Examples
    --------
    >>> cost = np.array([10.0, 8.0, 8.0, 5.0, 3.0, 12.0])
    >>> score = np.array([0.90, 0.88, 0.91, 0.85, 0.85, 0.915])
    >>> kept = pareto(cost, score)
    >>> [(cost[i].item(), score[i].item()) for i in kept]
    [(3.0, 0.85), (8.0, 0.91), (12.0, 0.915)]
    """
    order = np.lexsort((np.arange(len(cost)) if rank is None else np.asarray(rank), -score, cost))
    kept: list[int] = []
    for i in order.tolist():
        if not kept or score[i] > score[kept[-1]]:
            kept.append(i)
    return kept


def cheapest(cost: FloatArray, score: FloatArray, within: float, rank: Sequence[int] | None = None) -> int:
    """Return the cheapest point whose score is at most `within` below the best.

    Ties: the better score, then the lower rank.

    Examples
    --------
    >>> cheapest(np.array([3.0, 8.0, 12.0]), np.array([0.85, 0.91, 0.915]), within=0.01)
    1
    """
    # What differs by rounding only is within: 0.92 - 0.91 is a little more than 0.01.
    near = score >= score.max() - within - 1e-12 * max(1.0, float(np.abs(score).max()))
    order = np.lexsort((np.arange(len(cost)) if rank is None else np.asarray(rank), -score, cost))
    return int(next(i for i in order if near[i]))


def cost_of(cost: FloatArray, score: FloatArray, level: float) -> float:
    """Return the least that a level costs: with one point, or with two, each for some of the cases.

    Parameters
    ----------
    cost, score : array
        The points of a Pareto line, cheapest first; scores ascend.
    level : float
        The score wanted; below the worst point its cost counts, and above the best one nothing is enough.

    Examples
    --------
    >>> line = np.array([3.0, 8.0, 12.0]), np.array([0.85, 0.91, 0.915])
    >>> [cost_of(*line, level) for level in (0.80, 0.88, 0.91, 0.92)]
    [3.0, 5.5, 8.0, inf]

    A point that is dearer than a mixture of its neighbours is passed over:

    >>> cost_of(np.array([2.0, 9.0, 10.0]), np.array([0.25, 0.5, 0.75]), 0.5)
    6.0
    """
    if level > score[-1]:
        return float("inf")
    kept: list[int] = []
    for number in range(len(cost)):
        while len(kept) > 1 and _bends_up(cost, score, kept[-2], kept[-1], number):
            kept.pop()
        kept.append(number)
    return float(np.interp(level, score[kept], cost[kept]))


def _bends_up(cost: FloatArray, score: FloatArray, first: int, second: int, third: int) -> bool:
    """Tell whether the second of three points costs at least what the other two together do."""
    steep = (cost[second] - cost[first]) * (score[third] - score[first])
    return bool(steep >= (cost[third] - cost[first]) * (score[second] - score[first]))
