"""From what a model says of its answer to how often such answers are right: a logistic curve for each type.

Types differ: of two that are hard to tell apart a leaf of many cases is as often wrong as one of few, and a
type that is like no other is right even where its leaf is small. So each type has a curve (Platt scaling),
fitted to chunks of sources that were not learnt from; where it has few, it is drawn towards that of all.

Few chunks of few sources do not say where a curve lies. Chunks of one source are right or wrong together, so
each counts as the part of a chunk that is its own (Kish's design effect); and a share is the mean over the
curves that the chunks leave possible, which is nearer to a half than that of the likeliest (MacKay 1992).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SUREST = 0.999
"""What a model says beyond this, as boosters do, makes an answer no surer."""
STRENGTH = 5.0
"""How strongly the curve of a type is drawn towards that of all."""


class Curve(NamedTuple):
    """The logit of the share is `offset` + `slope` times the logit of what the model says.

    Examples
    --------
    >>> round(Curve(0.0, 1.0).share(0.8), 3), round(Curve(-1.0, 0.5).share(0.8), 3)
    (0.8, 0.424)
    """

    offset: float
    slope: float

    def share(self, said: float) -> float:
        """Return how often answers that a model is so sure of are right."""
        height = self.offset + self.slope * float(_logits(said))
        return 0.5 + 0.5 * math.tanh(height / 2.0)  # the logistic function, for any number that a file has


AS_SAID = Curve(0.0, 1.0)


def curves_of(
    types: Sequence[str],
    said: NDArray[np.str_],
    shares: NDArray[np.float64],
    right: NDArray[np.bool_],
    source: NDArray[np.str_],
) -> dict[str, Curve]:
    """Fit the curve of each type to answers, what the model said of them, and whether they were right.

    Parameters
    ----------
    types : sequence of str
        All types.
    said : array of str
        The answers.
    shares : array of float
        What the model said of each.
    right : array of bool
        Whether it was right.
    source : array of str
        What each chunk is from.

    Examples
    --------
    >>> said = np.array(["TXT"] * 40 + ["ZIP"] * 40)
    >>> right = np.arange(80) % 4 != 3
    >>> right[:40] = True
    >>> source = np.arange(80).astype(str)
    >>> curves = curves_of(["TXT", "ZIP"], said, np.full(80, 0.97), right, source)
    >>> round(curves["TXT"].share(0.97), 2), round(curves["ZIP"].share(0.97), 2)
    (0.95, 0.75)
    """
    every = _fitted(shares, right, AS_SAID, 1.0)
    weight = 1.0 / together(right - _heights(every, _logits(shares))[1], source)
    unsure = np.linalg.inv(_precision(every, shares, weight) + np.eye(2))
    found = {}
    for kind in types:
        own = said == kind
        curve, drawn = _fitted(shares[own], right[own], every, STRENGTH), STRENGTH * np.eye(2)
        spread = np.linalg.inv(_precision(curve, shares[own], weight) + drawn)
        passed = spread @ drawn  # how far the curve of a type follows that of all
        found[kind] = _mean_curve(curve, spread + passed @ unsure @ passed.T, _logits(shares[own]))
    return found


def together(missed: NDArray[np.float64], source: NDArray[np.str_]) -> float:
    """Return how many chunks stand for one, because chunks of a source are missed together.

    One plus the correlation within sources (from the variance between sources and within them) times how many
    more chunks a source has than one.

    Examples
    --------
    >>> missed, source = np.array([0.5, 0.5, -0.5, -0.5]), np.array(["a", "a", "b", "b"])
    >>> together(missed, source), together(missed, np.array(["a", "b", "a", "b"]))
    (2.0, 1.0)
    """
    _, place, counts = np.unique(source, return_inverse=True, return_counts=True)
    n, groups = len(missed), len(counts)
    if groups < 2 or n <= groups:
        return 1.0
    means = np.bincount(place, missed) / counts
    between = float((counts * (means - missed.mean()) ** 2).sum()) / (groups - 1)
    within = float(((missed - means[place]) ** 2).sum()) / (n - groups)
    size = (n - float((counts**2).sum()) / n) / (groups - 1)
    whole = between + (size - 1.0) * within
    correlation = min(max((between - within) / whole, 0.0), 1.0) if whole > 0.0 else 0.0
    return 1.0 + correlation * (size - 1.0)


def _fitted(shares: NDArray[np.float64], right: NDArray[np.bool_], expected: Curve, strength: float) -> Curve:
    """Fit a curve that does not fall, drawn towards what was expected."""
    from scipy.optimize import minimize  # takes a moment to load, and who classifies does without

    logits, prior = _logits(shares), np.array(expected)
    n_right, n_wrong = right.sum(), (~right).sum()
    # One right and one wrong case that nobody saw, so that nothing is certain (Platt 1999).
    targets = np.where(right, (n_right + 1) / (n_right + 2), 1 / (n_wrong + 2))

    def loss(curve: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        heights, told = _heights(Curve(*curve), logits)
        missed, away = told - targets, curve - prior
        value = (np.logaddexp(0.0, heights) - targets * heights).sum() + strength / 2 * (away @ away)
        return float(value), np.array([missed.sum(), missed @ logits]) + strength * away

    found = minimize(loss, prior, jac=True, method="L-BFGS-B", bounds=[(None, None), (0.0, None)])
    return Curve(*map(float, found.x))


def _precision(curve: Curve, shares: NDArray[np.float64], weight: float) -> NDArray[np.float64]:
    """Return what the chunks say of where a curve lies: the second derivatives of their loss."""
    logits = _logits(shares)
    told = _heights(curve, logits)[1]
    rows = np.stack([np.ones_like(logits), logits])
    return np.asarray(weight * (rows * (told * (1.0 - told))) @ rows.T)


def _mean_curve(curve: Curve, spread: NDArray[np.float64], logits: NDArray[np.float64]) -> Curve:
    """Return the curve whose shares are nearest to the means over curves that lie around one."""
    at = np.concatenate([logits, _logits(np.array([0.5, SUREST]))])
    rows = np.stack([np.ones_like(at), at])
    flatter = 1.0 / np.sqrt(1.0 + math.pi / 8.0 * (rows * (spread @ rows)).sum(axis=0))
    slope, offset = np.polyfit(at, _heights(curve, at)[0] * flatter, 1)
    return Curve(float(offset), max(float(slope), 0.0))


def _heights(curve: Curve, logits: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the logits of the shares of a curve, and the shares."""
    heights = curve.offset + curve.slope * logits
    return heights, 0.5 + 0.5 * np.tanh(heights / 2.0)


def _logits(shares: float | NDArray[np.float64]) -> NDArray[np.float64]:
    kept = np.clip(shares, 1.0 - SUREST, SUREST)
    return np.asarray(np.log(kept / (1.0 - kept)))
