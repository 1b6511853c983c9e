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


def without_column(X: Any, name: str) -> Any:
    """Return a table without a column, as a table of the same kind; one that is not there is no loss.

    Examples
    --------
    >>> without_column(np.array([[1.0, 2.0], [3.0, 4.0]]), "x1")
    array([[1.],
           [3.]])
    """
    if isinstance(X, NamedColumns):
        names = X.names or tuple(f"x{j}" for j in range(len(X.columns)))
        kept = [place for place, own in enumerate(names) if own != name]
        shown = None if X.names is None else [names[place] for place in kept]
        return NamedColumns(shown, [X.columns[place] for place in kept], X.n_rows)
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return frame.drop(name, strict=False).to_native()
    array = X if hasattr(X, "shape") else np.asarray(X, dtype=object)
    kept = [place for place in range(array.shape[1]) if f"x{place}" != name]
    return array[:, kept]


def _taken(column: RawColumn, rows: NDArray[np.integer[Any]]) -> RawColumn:
    if column.natural is Kind.NUMERIC:
        return NumberColumn(column.numbers()[rows], column.label)
    codes, categories, declared = column.codes()
    return CategoryColumn(Codes(codes[rows], categories, declared), column.label, column.natural)
