"""Recognising what the user handed over: an array, a sparse matrix, a frame or lists."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from numpy.typing import NDArray

from thriftwood.table.columns import label_of
from thriftwood.table.encoded import SparseColumns
from thriftwood.table.frames import array_column, frame_columns, pandas_block
from thriftwood.table.named import NamedColumns
from thriftwood.table.raw import NumberColumn, RawColumn, as_floats

_RESHAPE = (
    "Reshape your data either using array.reshape(-1, 1) if your data has a single feature or "
    "array.reshape(1, -1) if it contains a single sample."
)


class Source(NamedTuple):
    """A table as it arrived: exactly one of `array`, `sparse` and `columns` is set."""

    shape: tuple[int, int]
    names: tuple[str, ...] | None = None
    """Column names, when all are strings."""
    array: NDArray[Any] | None = None
    """2-D, of floats, integers or booleans."""
    sparse: SparseColumns | None = None
    columns: list[RawColumn] | None = None

    def raw_columns(self) -> list[RawColumn]:
        """List each column by itself; a sparse table has none."""
        if self.columns is not None:
            return self.columns
        if self.array is None:
            raise ValueError(
                "A sparse table holds numbers, and some columns are nominal. Pass X.toarray(), or a frame."
            )
        return [NumberColumn(self.array[:, j], self.label(j)) for j in range(self.shape[1])]

    def arranged(self, order: list[int]) -> Source:
        """Return the same with its columns in another order; a sparse table has no names to order it by."""
        names = None if self.names is None else tuple(self.names[j] for j in order)
        if self.array is not None:
            return Source(self.shape, names, array=self.array[:, order])
        raws = self.raw_columns()
        return Source(self.shape, names, columns=[raws[j] for j in order])

    def label(self, index: int) -> str:
        """Say how messages call a column."""
        return label_of(index, self.names[index] if self.names else None)

    def place(self, position: tuple[int, ...]) -> tuple[str, int]:
        """Say the column and the row of an entry of `array` or of `sparse.data`."""
        if self.sparse is None:
            return self.label(position[1]), position[0]
        column = int(np.searchsorted(self.sparse.indptr, position[0], side="right")) - 1
        return self.label(column), int(self.sparse.indices[position[0]])


def read(X: Any) -> Source:
    """Recognise a table.

    Raises
    ------
    ValueError
        When it is not two-dimensional, is empty or repeats a column name.
    TypeError
        When a column holds something that is neither number nor category.
    """
    if type(X) is np.ndarray:  # first, because thousands of small fits come this way
        return read_array(X)
    if hasattr(X, "tocsc"):
        return _read_sparse(X)
    if isinstance(X, np.ndarray):
        return read_array(_unmasked(X))
    if isinstance(X, NamedColumns):
        _check_not_empty(*X.shape)
        return Source(X.shape, X.names, columns=X.columns)
    frame = _as_frame(X)
    if frame is not None:
        return _read_frame(frame)
    return read_array(_from_sequence(X))


def read_array(X: NDArray[Any]) -> Source:
    """Recognise a numpy array."""
    kind = X.dtype.kind
    if X.dtype.names is not None and X.ndim == 1:
        return _read_structured(X)
    if X.ndim != 2:
        raise _dimension_error(X)
    n_rows, n_features = X.shape
    _check_not_empty(n_rows, n_features)
    if kind in "fiub":
        return Source((n_rows, n_features), array=X)
    columns = [array_column(X[:, j], label_of(j, None)) for j in range(n_features)]
    return Source((n_rows, n_features), columns=columns)


def _read_structured(X: NDArray[Any]) -> Source:
    """Recognise a structured array: named columns of one row each, with nothing but numpy."""
    names = X.dtype.names or ()
    _check_not_empty(len(X), len(names))
    columns = [array_column(X[name], label_of(j, name)) for j, name in enumerate(names)]
    return Source((len(X), len(names)), names, columns=columns)


def _as_frame(X: Any) -> nw.DataFrame[Any] | None:
    try:
        native = nw.from_native(X, pass_through=True, allow_series=True)
    except DuplicateError:
        names = X.column_names if hasattr(X, "column_names") else X.columns  # arrow: `columns` are the values
        repeated = [name for name, times in Counter(names).items() if times > 1]
        raise ValueError(
            f"Column names must differ, and these come more than once: {', '.join(map(repr, repeated))}. "
            "Rename or drop the repeats."
        ) from None
    if isinstance(native, nw.LazyFrame):
        on_dask = hasattr(X, "compute")
        way_out = ".compute() on it first, or use thriftwood.dask" if on_dask else ".collect() on it first"
        raise TypeError(f"X is a lazy frame: its rows are not there yet. Call {way_out}.")
    if isinstance(native, nw.Series):
        raise ValueError(
            f"Expected 2D array, got 1D array instead: a {type(X).__name__}. Pass a frame with one column "
            f"(one feature) or one row (one sample).\n{_RESHAPE}"
        )
    return native if isinstance(native, nw.DataFrame) else None


def _read_frame(frame: nw.DataFrame[Any]) -> Source:
    n_rows, n_features = frame.shape
    _check_not_empty(n_rows, n_features)
    names = _string_names(frame.columns)
    block = pandas_block(frame.to_native()) if frame.implementation.is_pandas() else None
    if block is not None:
        return Source((n_rows, n_features), names, array=block)
    return Source((n_rows, n_features), names, columns=frame_columns(frame))


def _string_names(columns: list[Any]) -> tuple[str, ...] | None:
    texts = sum(isinstance(name, str) for name in columns)
    if texts == len(columns):
        return tuple(columns)
    if not texts:
        return None
    types = sorted({type(name).__qualname__ for name in columns})
    raise TypeError(
        "Feature names are only supported if all input features have string names, but your input has "
        f"{types} as feature name / column name types. Convert them all to strings, for example by "
        "X.columns = X.columns.astype(str)."
    )


def _read_sparse(X: Any) -> Source:
    if len(X.shape) != 2:
        raise _dimension_error(X)
    n_rows, n_features = map(int, X.shape)
    _check_not_empty(n_rows, n_features)
    if n_rows > np.iinfo(np.int32).max:
        raise ValueError(
            f"A sparse table may have 2147483647 rows, this has {n_rows}. Fit on a sample of it."
        )
    kind = X.dtype.kind
    if kind not in "fiub":
        array_column(np.zeros(0, dtype=X.dtype), "the sparse table")  # complex numbers have their own error
        raise TypeError(f"A sparse table holds numbers, this one {X.dtype}. Pass a frame for categories.")
    matrix = X.tocsc()
    # Duplicates and stored zeros are rare; only then is the user's matrix copied, and never changed.
    if not matrix.has_canonical_format or np.count_nonzero(matrix.data) < len(matrix.data):
        matrix = matrix.copy()
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
    indptr = np.ascontiguousarray(matrix.indptr, dtype=np.int64)
    indices = np.ascontiguousarray(matrix.indices, dtype=np.int32)
    as_it_came = Source((n_rows, n_features), sparse=SparseColumns(indptr, indices, matrix.data))
    sparse = SparseColumns(indptr, indices, as_floats(matrix.data, as_it_came.place))
    return Source((n_rows, n_features), sparse=sparse)


def _unmasked(X: NDArray[Any]) -> NDArray[Any]:
    """Make a plain array; what a masked array hides is missing, not whatever lies under the mask."""
    if not isinstance(X, np.ma.MaskedArray):
        return np.asarray(X)
    if not np.ma.is_masked(X):
        return np.asarray(X.data)
    if X.dtype.kind in "fiub":
        return np.ma.filled(X.astype(np.float64), np.nan)
    objects = np.asarray(X.data).astype(object)
    objects[np.ma.getmaskarray(X)] = None
    return objects


def _from_sequence(X: Any) -> NDArray[Any]:
    try:
        array = np.asarray(X)
        if array.dtype.kind in "USTV" and not hasattr(X, "__array__"):
            array = np.asarray(X, dtype=object)  # numpy writes [1.5, "a"] as two texts; keep the number
    except ValueError as error:
        raise ValueError(
            f"X is not a table: its rows differ in length. Give every row the same columns ({error})."
        ) from None
    return array


def _dimension_error(X: Any) -> ValueError:
    ndim = len(X.shape)
    if ndim == 0 and not np.issubdtype(X.dtype, np.number):
        return ValueError(
            f"Expected 2D array, got scalar array instead: X is a {type(X.item()).__name__}. Pass a numpy "
            "array, a pandas, polars or arrow frame, a scipy sparse matrix or a list of rows."
        )
    if ndim < 2:
        came = "1D" if ndim else "scalar"
        return ValueError(f"Expected 2D array, got {came} array instead:\narray={X}.\n{_RESHAPE}")
    return ValueError(f"Found array with dim {ndim}, while dim <= 2 is required. Give one row per case.")


def _check_not_empty(n_rows: int, n_features: int) -> None:
    if n_rows and n_features:
        return
    count = "0 sample(s)" if not n_rows else "0 feature(s)"
    shape = f"(shape=({n_rows}, {n_features}))"
    raise ValueError(f"Found array with {count} {shape} while a minimum of 1 is required.")
