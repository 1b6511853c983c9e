"""Some rows of a table, whatever kind of table it is."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from thriftwood.table.columns import Kind
from thriftwood.table.named import NamedColumns
from thriftwood.table.raw import CategoryColumn, Codes, NumberColumn, RawColumn


def take_rows(X: Any, rows: NDArray[np.integer[Any]]) -> Any:
    """Return the numbered rows, in this order, as a table of the same kind.

    Parameters
    ----------
    X : array, frame, sparse matrix, list of rows or NamedColumns
        The table.
    rows : array of int
        Row numbers; one may come more than once.

    Examples
    --------
    >>> take_rows([[54, "yes"], [61, "no"]], np.array([1, 1]))
    [[61, 'no'], [61, 'no']]
    """
    if isinstance(X, NamedColumns):
        return NamedColumns(X.names, [_taken(column, rows) for column in X.columns], len(rows))
    if hasattr(X, "tocsr"):
        return X.tocsr()[rows]
    frame = nw.from_native(X, eager_only=True, pass_through=True, allow_series=True)
    if isinstance(frame, nw.DataFrame | nw.Series):
        return frame[rows].to_native()
    if isinstance(X, list | tuple):
        return [X[row] for row in rows.tolist()]
    return np.asarray(X)[rows]


def _taken(column: RawColumn, rows: NDArray[np.integer[Any]]) -> RawColumn:
    if column.natural is Kind.NUMERIC:
        return NumberColumn(column.numbers()[rows], column.label)
    codes, categories, declared = column.codes()
    return CategoryColumn(Codes(codes[rows], categories, declared), column.label, column.natural)
