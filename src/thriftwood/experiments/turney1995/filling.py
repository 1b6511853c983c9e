"""Missing values are taken from the nearest case, in the whole table, before it is divided.

The paper does so because that a value is missing may itself tell something about the patient. Distances are
the sum over all features of differences: of numbers scaled to lie between 0 and 1; 1 where a value is missing
in one or both cases, and where categories differ. Readings: a value comes from the nearest case that has one,
the first of several; values that were filled in do not count.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def filled(X: NDArray[Any]) -> NDArray[Any]:
    """Return a table without missing values; the table itself if it has none.

    Parameters
    ----------
    X : array with named fields
        Numbers with NaN, and texts with None, where they are missing.

    Examples
    --------
    >>> X = np.array([(1.0, "a"), (2.0, "b"), (9.0, None)], dtype=[("age", "f8"), ("kind", "O")])
    >>> filled(X)["kind"].tolist()
    ['a', 'b', 'b']
    """
    names = X.dtype.names or ()
    missing = {name: _missing(X[name]) for name in names}
    wanting = np.flatnonzero(np.any([missing[name] for name in names], axis=0))
    if not len(wanting):
        return X
    distance = np.sum([_differences(X[name], missing[name], wanting) for name in names], axis=0)
    whole = X.copy()
    for name in names:
        if missing[name].all():
            raise ValueError(
                f"The column {name!r} has no value at all: nothing to fill it with. Leave it out."
            )
        for place in np.flatnonzero(missing[name][wanting]):
            apart = np.where(missing[name], np.inf, distance[place])
            whole[name][wanting[place]] = X[name][np.argmin(apart)]
    return whole


def _missing(column: NDArray[Any]) -> NDArray[np.bool_]:
    if column.dtype.kind == "f":
        return np.asarray(np.isnan(column))
    return np.array([value is None for value in column])


def _differences(
    column: NDArray[Any], missing: NDArray[np.bool_], wanting: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return how much each of some cases differs from every case in one feature."""
    if column.dtype.kind == "f":
        known = column[~missing]
        span = np.ptp(known) if len(known) else 0.0
        scaled = column / span if span > 0.0 else np.zeros(len(column))
        apart = np.abs(scaled[wanting, None] - scaled[None, :])
    else:
        apart = (column[wanting, None] != column[None, :]).astype(np.float64)
    return np.where(missing[wanting, None] | missing[None, :], 1.0, apart)
