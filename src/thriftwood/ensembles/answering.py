"""Which answer costs least, given how likely each class is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def cheapest(shares: FloatArray, costs: FloatArray | None) -> NDArray[np.intp]:
    """Return the number of the answer with the least expected cost for each case; the lowest of equals.

    Parameters
    ----------
    shares : array of shape (n_rows, n_classes)
        How likely each class is.
    costs : array of shape (n_classes, n_classes) or (n_rows, n_classes, n_classes), or None
        What answers cost, [actual, predicted], for all cases or for each; None: 1 for every mistake.

    Examples
    --------
    >>> shares = np.array([[0.9, 0.1], [0.7, 0.3]])
    >>> cheapest(shares, np.array([[0.0, 1.0], [5.0, 0.0]]))
    array([0, 1])
    >>> cheapest(shares, None)
    array([0, 0])
    """
    if costs is None:
        return np.asarray(shares.argmax(axis=1))
    expected = shares @ costs if costs.ndim == 2 else np.einsum("ia,iap->ip", shares, costs)
    least = expected.min(axis=1, keepdims=True)
    # What differs by rounding is the same, as everywhere: see tie_tolerance in the core.
    return np.asarray((expected <= least + 1e-12 * np.abs(least)).argmax(axis=1))
