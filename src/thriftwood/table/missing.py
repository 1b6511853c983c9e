"""Which values of a table are missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.table.columns import MISSING, Kind
from thriftwood.table.encoded import Encoded
from thriftwood.table.raw import RawColumn
from thriftwood.table.reading import read


def missing_values(X: Any, n_features: int, names: Sequence[str] | None = None) -> NDArray[np.bool_]:
    """Tell which values of some columns are missing: an array of shape (n_rows, n_features).

    Parameters
    ----------
    X : array, frame, sparse matrix or list of rows
        The table; it may have other columns.
    n_features : int
        The number of columns.
    names : sequence of str, optional
        Their names; where the table has no names, or None came, they are its first ones. All values of a
        column that is not there are missing.

    Examples
    --------
    >>> missing_values([[54, "yes"], [None, "no"]], 2)
    array([[False, False],
           [ True, False]])
    """
    source = read(X)
    missing = np.zeros((source.shape[0], n_features), dtype=bool)
    if source.sparse is not None:
        place = np.repeat(np.arange(source.shape[1]), np.diff(source.sparse.indptr))
        gaps = np.isnan(source.sparse.data) & (place < n_features)
        missing[source.sparse.indices[gaps], place[gaps]] = True
        return missing
    columns = source.raw_columns()
    if names is None or source.names is None:
        chosen: Sequence[RawColumn | None] = columns[:n_features]
    else:
        by_name = dict(zip(source.names, columns, strict=True))
        chosen = [by_name.get(name) for name in names]
    for j, column in enumerate(chosen):
        missing[:, j] = True if column is None else _missing(column)
    return missing


def missing_in(encoded: Encoded) -> NDArray[np.bool_]:
    """Tell which values of an encoded table are missing: an array of shape (n_rows, n_features).

    Unseen categories are not missing.

    Examples
    --------
    >>> from thriftwood.table import Encoder
    >>> missing_in(Encoder().fit_encode([[54, "yes"], [61, None]]))
    array([[False, False],
           [False,  True]])
    """
    missing = np.zeros((encoded.n_rows, encoded.n_features), dtype=bool)
    if encoded.sparse is not None:
        indptr, indices, data = encoded.sparse
        gaps = np.isnan(data)
        missing[indices[gaps], np.repeat(np.arange(encoded.n_features), np.diff(indptr))[gaps]] = True
        return missing
    columns = encoded.dense.T if encoded.dense is not None else encoded.columns or []
    for feature, values in enumerate(columns):
        missing[:, feature] = _without_value(values)
    return missing


def first_missing(encoded: Encoded) -> tuple[int, int] | None:
    """Return the row and the column of a missing value; None if there is none.

    Unseen categories are not missing. A sparse table must have a missing value (``encoded.has_missing``).

    Examples
    --------
    >>> from thriftwood.table import Encoder
    >>> first_missing(Encoder().fit_encode([[54, "yes"], [61, None]]))
    (1, 1)
    """
    if encoded.sparse is not None:
        indptr, indices, data = encoded.sparse
        entry = int(np.isnan(data).argmax())
        return int(indices[entry]), int(np.searchsorted(indptr, entry, side="right")) - 1
    columns = encoded.dense.T if encoded.dense is not None else encoded.columns or []
    for feature, values in enumerate(columns):
        missing = _without_value(values)
        if missing.any():
            return int(missing.argmax()), feature
    return None


def _without_value(encoded: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray(encoded == MISSING if encoded.dtype.kind == "i" else np.isnan(encoded))


def _missing(column: RawColumn) -> NDArray[np.bool_]:
    if column.natural is Kind.NUMERIC:
        return np.isnan(column.numbers())
    return np.asarray(column.codes().codes == MISSING)
