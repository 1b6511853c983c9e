"""The rules of boosting, one small function each.

Words: a case's *margin* is +1 if the round's model answers it rightly and -1 if not, or plus and minus the
model's confidence; *cost* is what its mistake costs; r is the weighted mean margin of a round, and alpha how
much the round's model counts. e is the weight of the mistakes of a round, as a share of all.

Weights add up to the number of cases, because trees compare them with least sizes in cases. Costs are in
units of the method (AdaCost: the largest is 0.5; CSB: the smallest is 1), so the unit of money does not
matter. A round whose model is no better than chance ends boosting and is left out; one without mistakes
would outweigh all others and stays alone.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def normalised(weights: FloatArray) -> FloatArray:
    """Return the weights as shares of their sum.

    Examples
    --------
    >>> normalised(np.array([1.0, 3.0]))
    array([0.25, 0.75])
    """
    return np.asarray(weights / weights.sum())


def advantage(weights: FloatArray, margins: FloatArray) -> float:
    """Return r: the weighted mean margin.

    Examples
    --------
    >>> round(advantage(np.array([0.1, 0.3, 0.4, 0.2]), np.array([1.0, 1.0, 1.0, -1.0])), 6)
    0.6
    """
    return float(weights @ margins / weights.sum())


def vote_weight(r: float) -> float:
    """Return alpha = 1/2 ln((1 + r) / (1 - r)), for -1 < r < 1.

    Examples
    --------
    >>> round(vote_weight(0.6), 6)
    0.693147
    """
    return math.atanh(r)


def adacost_factors(margins: FloatArray, costs: FloatArray) -> FloatArray:
    """Return AdaCost's beta: dear cases lose little weight when right and gain much when wrong.

    Examples
    --------
    >>> adacost_factors(np.array([-1.0, 1.0, 1.0]), np.array([0.2, 0.2, 0.4]))
    array([0.6, 0.4, 0.3])
    """
    return np.asarray(np.where(margins > 0, 0.5 - 0.5 * costs, 0.5 + 0.5 * costs))


def reweighed(weights: FloatArray, margins: FloatArray, alpha: float) -> FloatArray:
    """Return AdaBoost's next weights, w exp(-alpha margin); AdaCost's with margins times beta."""
    return normalised(weights * np.exp(-alpha * margins))


def csb0(weights: FloatArray, margins: FloatArray, costs: FloatArray) -> FloatArray:
    """Return the next weights of CSB0: a mistake multiplies the weight by its cost.

    Examples
    --------
    >>> w, margins, costs = np.array([0.1, 0.3, 0.4, 0.2]), np.array([1.0, 1, 1, -1]), np.full(4, 2.0)
    >>> csb0(w, margins, costs).round(6)
    array([0.083333, 0.25    , 0.333333, 0.333333])
    """
    return normalised(weights * _cost_factors(margins, costs))


def csb(weights: FloatArray, margins: FloatArray, costs: FloatArray, alpha: float) -> FloatArray:
    """Return the next weights of CSB2, w C exp(-alpha margin); CSB1's with alpha 1.

    Examples
    --------
    >>> w, margins, costs = np.array([0.1, 0.3, 0.4, 0.2]), np.array([1.0, 1, 1, -1]), np.full(4, 2.0)
    >>> csb(w, margins, costs, 1.0).round(6)
    array([0.026627, 0.07988 , 0.106507, 0.786986])
    """
    return normalised(weights * _cost_factors(margins, costs) * np.exp(-alpha * margins))


def asymmetry(class_costs: FloatArray, n_rounds: int) -> FloatArray:
    """Return AsymBoost's factor for each of two classes before every round: k^(1/2T) and k^(-1/2T).

    k is how many times as much the mistakes of the first class cost.

    Examples
    --------
    >>> asymmetry(np.array([4.0, 1.0]), 10).round(6)
    array([1.071773, 0.933033])
    """
    k = class_costs[0] / class_costs[1]
    return np.array([k, 1 / k]) ** (0.5 / n_rounds)


def error(weights: FloatArray, right: NDArray[np.bool_]) -> float:
    """Return e: the share of the weight that was answered wrongly.

    Examples
    --------
    >>> error(np.full(5, 0.2), np.array([True, True, True, True, False]))
    0.2
    """
    return float(weights[~right].sum() / weights.sum())


def most_error(variant: str, n_classes: int) -> float:
    """Return the e at which a round is no better than chance: 1/2 for "m1", 1 - 1/k for "samme".

    Examples
    --------
    >>> most_error("m1", 8), most_error("samme", 8)
    (0.5, 0.875)
    """
    return 0.5 if variant == "m1" else 1.0 - 1.0 / max(n_classes, 2)


def log_odds(e: float, variant: str, n_classes: int) -> float:
    """Return AdaBoost.M1's alpha, ln((1 - e) / e); SAMME's is larger by ln(k - 1).

    Examples
    --------
    >>> round(log_odds(0.2, "m1", 8), 6), round(log_odds(0.2, "samme", 8), 6)
    (1.386294, 3.332205)
    """
    return math.log((1.0 - e) / e) + (math.log(max(n_classes, 2) - 1) if variant == "samme" else 0.0)


def eased(weights: FloatArray, right: NDArray[np.bool_], alpha: float) -> FloatArray:
    """Return the next weights of AdaBoost.M1 and SAMME: cases that were right lose by exp(-alpha).

    Examples
    --------
    >>> right = np.array([True, True, True, True, False])
    >>> eased(np.full(5, 0.2), right, math.log(4))
    array([0.125, 0.125, 0.125, 0.125, 0.5  ])
    """
    return normalised(weights * np.where(right, math.exp(-alpha), 1.0))


TRACKS = {1: 1.0, 2: 2.0, 3: 0.5}
"""The tracks of inverse boosting: by which power of (1 - e) / e right cases gain weight."""


def inverse(weights: FloatArray, right: NDArray[np.bool_], track: int, n_cases: int) -> FloatArray:
    """Return the next weights of inverse boosting: cases that were right gain by a power of (1 - e) / e.

    e counts as at least 1 / (2 n_cases), and as 1/2 where it is more: then nothing changes.

    Examples
    --------
    >>> right = np.array([True, True, True, True, False])
    >>> [inverse(np.full(5, 0.2), right, track, 5)[[0, 4]].round(6).tolist() for track in (1, 2, 3)]
    [[0.235294, 0.058824], [0.246154, 0.015385], [0.222222, 0.111111]]
    """
    e = min(max(error(weights, right), 0.5 / n_cases), 0.5)
    return normalised(weights * np.where(right, ((1.0 - e) / e) ** TRACKS[track], 1.0))


def _cost_factors(margins: FloatArray, costs: FloatArray) -> FloatArray:
    return np.asarray(np.where(margins > 0, 1.0, costs))
