"""The encoded table: what the core is handed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from thriftwood.table.unseen import Unseen

FloatArray = NDArray[np.floating[Any]]
"""A float32 or float64 array."""


class SparseColumns(NamedTuple):
    """A numeric table by columns, zeros left out.

    Within a column rows rise strictly, and no stored value is zero.
    """

    indptr: NDArray[np.int64]
    """Column j owns entries indptr[j] to indptr[j + 1]."""
    indices: NDArray[np.int32]
    """The row of each entry."""
    data: FloatArray
    """The value of each entry; NaN where missing."""


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """A table ready for the core: exactly one of `dense`, `columns` and `sparse` is set.

    The arrays may be views of the user's data and may be read-only: they are to be read.

    Parameters
    ----------
    n_rows, n_features : int
        The shape.
    has_missing : bool
        Whether any value is missing (or, in a nominal column, unseen at fit).
    dense : ndarray of shape (n_rows, n_features), optional
        All columns numeric: one C- or F-contiguous float32 or float64 array.
    columns : list of 1-D ndarray, optional
        Contiguous: float32 or float64 for a numeric column, float64 ranks for an ordered one, int32 codes for
        a nominal one.
    sparse : SparseColumns, optional
        From a scipy sparse matrix.
    unseen : tuple of Unseen
        The columns with categories that were not there at fit.
    first_row : int
        The number of its first row, for messages: more than 0 in a part of a larger table.

    Examples
    --------
    >>> from thriftwood.table import Encoder
    >>> table = Encoder().fit_encode([[54.0, "yes"], [61.0, None]])
    >>> table.columns
    [array([54., 61.]), array([ 0, -1], dtype=int32)]
    """

    n_rows: int
    n_features: int
    has_missing: bool
    dense: FloatArray | None = None
    columns: list[NDArray[Any]] | None = None
    sparse: SparseColumns | None = None
    unseen: tuple[Unseen, ...] = ()
    first_row: int = 0
