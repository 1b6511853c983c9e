"""From what a model says of its answer to how often such answers are right: a logistic curve for each type.

Types differ: of two that are hard to tell apart a leaf of many cases is as often wrong as one of few, and a
type that is like no other is right even where its leaf is small. So each type has a curve (Platt scaling),
fitted to chunks of sources that were not learnt from; where it has few, it is drawn towards that of all.
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
    types: Sequence[str], said: NDArray[np.str_], shares: NDArray[np.float64], right: NDArray[np.bool_]
) -> dict[str, Curve]:
    """Fit the curve of each type to answers, what the model said of them, and whether they were right.

    Examples
    --------
    >>> said = np.array(["TXT"] * 40 + ["ZIP"] * 40)
    >>> right = np.arange(80) % 4 != 3
    >>> right[:40] = True
    >>> curves = curves_of(["TXT", "ZIP"], said, np.full(80, 0.97), right)
    >>> round(curves["TXT"].share(0.97), 2), round(curves["ZIP"].share(0.97), 2)
    (0.96, 0.76)
    """
    every = _fitted(shares, right, AS_SAID, 1.0)
    return {kind: _fitted(shares[said == kind], right[said == kind], every, STRENGTH) for kind in types}


def _fitted(shares: NDArray[np.float64], right: NDArray[np.bool_], expected: Curve, strength: float) -> Curve:
    """Fit a curve that does not fall, drawn towards what was expected."""
    from scipy.optimize import minimize  # takes a moment to load, and who classifies does without

    logits, prior = _logits(shares), np.array(expected)
    n_right, n_wrong = right.sum(), (~right).sum()
    # One right and one wrong case that nobody saw, so that nothing is certain (Platt 1999).
    targets = np.where(right, (n_right + 1) / (n_right + 2), 1 / (n_wrong + 2))

    def loss(curve: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        heights = curve[0] + curve[1] * logits
        missed = 1.0 / (1.0 + np.exp(-heights)) - targets
        away = curve - prior
        value = (np.logaddexp(0.0, heights) - targets * heights).sum() + strength / 2 * (away @ away)
        return float(value), np.array([missed.sum(), missed @ logits]) + strength * away

    found = minimize(loss, prior, jac=True, method="L-BFGS-B", bounds=[(None, None), (0.0, None)])
    return Curve(*map(float, found.x))


def _logits(shares: float | NDArray[np.float64]) -> NDArray[np.float64]:
    kept = np.clip(shares, 1.0 - SUREST, SUREST)
    return np.asarray(np.log(kept / (1.0 - kept)))
