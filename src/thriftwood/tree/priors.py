"""How much each class counts: given priors, and CART's altered priors for error costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

# A class whose mistakes cost nothing keeps this much of the dearest one's weight: without any its share of
# a node could not be told.
_TRACE = 1e-6
# A class with this share of the weight, or less, is not there: no factor could bring it to its prior.
_NOTHING = 1e-200


def prior_factors(priors: Any, classes: NDArray[Any], totals: FloatArray) -> FloatArray:
    """Return the factor for each class's weight that makes its share the prior; the whole weight stays.

    Parameters
    ----------
    priors : mapping of class to number, or array-like in the order of the classes
        Positive; they are scaled to add up to 1.
    classes : array of shape (n_classes,)
        The classes.
    totals : array of shape (n_classes,)
        The weight of each class in the training table.

    Examples
    --------
    >>> prior_factors({"sick": 1, "well": 9}, np.array(["sick", "well"]), np.array([5.0, 5.0]))
    array([0.2, 1.8])
    """
    given = priors
    if isinstance(priors, Mapping):
        names = classes.tolist()
        if set(priors) != set(names):
            raise ValueError(f"priors must have exactly the classes {names}. Got {list(priors)}.")
        given = [priors[name] for name in names]
    try:
        shares = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        shares = np.empty(0)
    if shares.shape != totals.shape or not (np.isfinite(shares) & (shares > 0)).all():
        raise ValueError(
            f"priors must be {len(totals)} positive numbers, one for each of the classes {classes.tolist()}. "
            f"Got {priors!r}."
        )
    shares = shares / shares.max()  # two very large ones must not overflow
    present = totals > _NOTHING * totals.sum()  # a class whose cases all have weight 0 has nothing to scale
    factors = np.ones_like(totals)
    factors[present] = shares[present] / shares[present].sum() * totals.sum() / totals[present]
    return factors


def altered_scale(loss: FloatArray, totals: FloatArray) -> FloatArray:
    """Return what turns class weights altered for growth back into the true ones.

    For growth each class's weight is multiplied by what its mistakes cost in all (the sum of its row of the
    loss matrix beyond the right answer), keeping the whole weight: Breiman et al. 1984, section 4.4.

    Examples
    --------
    >>> altered_scale(np.array([[0.0, 3.0], [1.0, 0.0]]), np.array([5.0, 5.0]))
    array([0.66666667, 2.        ])
    """
    mistakes = np.maximum(loss.sum(axis=1) - len(loss) * loss.diagonal(), 0.0)
    if not mistakes.any():
        return np.ones(len(loss))
    mistakes = np.maximum(mistakes, _TRACE * mistakes.max())
    return np.asarray((totals * mistakes).sum() / totals.sum() / mistakes)
