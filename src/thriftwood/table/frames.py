"""Raw columns from data frames: pandas, polars, arrow, and whatever else narwhals can read eagerly.

narwhals recognises the frame and names its columns; the columns themselves are read in each library's own
fast way: `cat.codes`, `to_physical`, dictionary encoding. A million rows of categories take milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from thriftwood.table.columns import Kind, label_of
from thriftwood.table.raw import (
    CategoryColumn,
    Codes,
    NumberColumn,
    ObjectColumn,
    RawColumn,
    refuse_inexact,
)
from thriftwood.table.values import complex_error, time_error


def frame_columns(frame: nw.DataFrame[Any]) -> list[RawColumn]:
    """List the raw columns of a frame, in its order."""
    implementation = frame.implementation
    if implementation.is_pyarrow():  # a scan reads many small tables, and narwhals takes 50 us for a column
        table = frame.to_native()
        pairs = enumerate(zip(table.column_names, table.columns, strict=True))
        return [arrow_column(column, label_of(j, name)) for j, (name, column) in pairs]
    read: Callable[[Any, str], RawColumn] = polars_column if implementation.is_polars() else pandas_column
    if not (implementation.is_polars() or implementation.is_pandas()):
        frame = nw.from_native(frame.to_pandas(), eager_only=True)
    # iter_columns, not frame[j]: with integer column names an index gives rows
    return [
        read(series.to_native(), label_of(j, series.name)) for j, series in enumerate(frame.iter_columns())
    ]


def series_values(y: Any, label: str) -> NDArray[Any] | None:
    """Read a series of a frame's library: numbers in their type, all else as objects, None where missing.

    None: it is no series, or one that NumPy can read.

    Examples
    --------
    >>> import pandas as pd
    >>> series_values(pd.Series([1, 2], dtype="Int8"), "y"), series_values([1, 2], "y")
    (array([1, 2], dtype=object), None)
    """
    if isinstance(getattr(y, "dtype", None), np.dtype):  # narwhals takes a quarter of a millisecond
        return None
    series = nw.from_native(y, series_only=True, pass_through=True)
    if not isinstance(series, nw.Series):
        return None
    (raw,) = frame_columns(series.alias(label).to_frame())
    if isinstance(raw, NumberColumn):
        return raw.values
    codes, categories, _ = raw.codes()
    named = np.empty(len(categories) + 1, dtype=object)  # the last entry answers for -1
    named[:-1] = categories
    values: NDArray[Any] = named[np.asarray(codes)]
    return values


def pandas_block(frame: Any) -> NDArray[Any] | None:
    """Find the one float array behind a pandas frame; None when its columns live apart."""
    dtypes = set(frame.dtypes)
    if dtypes != {np.dtype(np.float64)} and dtypes != {np.dtype(np.float32)}:
        return None
    owner = frame.iloc[:, 0].to_numpy().base
    # A view whose owner has exactly the frame's size: all columns are in it and to_numpy() will not copy.
    if owner is None or getattr(owner, "size", -1) != frame.shape[0] * frame.shape[1]:
        return None
    block: NDArray[Any] = frame.to_numpy()
    return block


def pandas_column(series: Any, label: str) -> RawColumn:
    """Read a pandas series."""
    dtype = series.dtype
    name = str(dtype)
    if isinstance(dtype, np.dtype):
        return array_column(series.to_numpy(), label)
    if name == "category":
        values = series.array  # not series.cat, which makes a series of the codes first
        declared = Codes(values.codes, values.categories.tolist(), declared=True)
        return CategoryColumn(declared, label, Kind.ORDERED if values.ordered else Kind.NOMINAL)
    if hasattr(dtype, "pyarrow_dtype"):
        return arrow_column(series.array.__arrow_array__(), label)
    if name.startswith("Sparse"):
        return array_column(np.asarray(series), label)
    if dtype.kind in "mM" or name.startswith("period"):
        raise time_error(label, name)
    if dtype.kind in "iufb":
        return _PandasNullable(series, label)
    if name in ("str", "string"):
        codes, distinct = series.factorize()
        return CategoryColumn(Codes(codes, distinct.tolist()), label)
    return ObjectColumn(series.tolist(), label)


def array_column(values: NDArray[Any], label: str) -> RawColumn:
    """Read a 1-D numpy array."""
    kind = values.dtype.kind
    if kind in "fiub":
        return NumberColumn(values, label)
    if kind == "c":
        raise complex_error(label)
    if kind in "mM":
        raise time_error(label, str(values.dtype))
    if kind == "V":
        raise TypeError(f"{label} holds records ({values.dtype}). Give each field as a column of its own.")
    return ObjectColumn(values.tolist(), label)


class _PandasNullable(RawColumn):
    """pandas' Int64, Float64, boolean: numbers with a mask."""

    natural = Kind.NUMERIC

    def __init__(self, series: Any, label: str) -> None:
        super().__init__(label)
        self.series = series

    def numbers(self) -> NDArray[np.float64]:
        values: NDArray[np.float64] = self.series.to_numpy(dtype="float64", na_value=np.nan)
        if self.series.dtype.kind in "iu":
            whole = self.series.to_numpy(dtype=self.series.dtype.numpy_dtype, na_value=0)
            refuse_inexact(whole, values, self.place)
        return np.ascontiguousarray(values)

    def codes(self) -> Codes:
        # Not by way of floats: identifiers above 2**53 would merge.
        codes, distinct = self.series.factorize()
        return Codes(codes, distinct.tolist())


def polars_column(series: Any, label: str) -> RawColumn:
    """Read a polars series."""
    dtype = series.dtype
    if dtype.is_temporal():
        raise time_error(label, str(dtype))
    if dtype.is_nested():
        raise _nested_error(label, dtype)
    kind = dtype.base_type().__name__
    if dtype.is_decimal():
        series = series.cast(_polars(series).Float64)
    elif kind == "Enum":
        ranks = _without_nulls(series.to_physical())
        return CategoryColumn(Codes(ranks, dtype.categories.to_list(), declared=True), label, Kind.ORDERED)
    elif kind == "Categorical":
        return CategoryColumn(_polars_categories(series), label)
    elif kind == "String":
        distinct = series.drop_nulls().unique().sort()
        physical = series.cast(_polars(series).Enum(distinct)).to_physical()
        return CategoryColumn(Codes(_without_nulls(physical), distinct.to_list()), label)
    if series.dtype.is_numeric() or kind == "Boolean":
        if not series.null_count():
            return array_column(series.to_numpy(), label)
        whole = series.fill_null(0).to_numpy() if dtype.is_integer() else None
        return _WithNulls(series.cast(_polars(series).Float64).to_numpy, series.to_list, label, whole)
    return ObjectColumn(series.to_list(), label)


def _polars_categories(series: Any) -> Codes:
    """Code a polars Categorical, whose physical values may number a pool shared with other columns."""
    distinct = series.drop_nulls().unique()
    labels = distinct.cast(_polars(series).String).to_list()
    pool = distinct.to_physical().to_numpy().astype(np.int64)
    physical = _without_nulls(series.to_physical())
    table = np.full(int(pool.max(initial=-1)) + 2, -1, dtype=np.int32)  # the last entry answers for -1
    table[pool] = np.arange(len(labels), dtype=np.int32)
    return Codes(table[physical], labels)


def _without_nulls(physical: Any) -> NDArray[Any]:
    codes: NDArray[Any] = physical.cast(_polars(physical).Int64).fill_null(-1).to_numpy()
    return codes


def _polars(series: Any) -> Any:
    return nw.get_native_namespace(series)


class _WithNulls(RawColumn):
    """Numbers of polars or arrow with some null: read as floats, or value by value when codes are wanted."""

    natural = Kind.NUMERIC

    def __init__(
        self,
        floats: Callable[[], Any],
        values: Callable[[], list[Any]],
        label: str,
        whole: NDArray[Any] | None = None,
    ) -> None:
        super().__init__(label)
        self._floats = floats
        self._values = values
        self._whole = whole
        """The same as integers, 0 where null; None: it holds no integers."""

    def numbers(self) -> NDArray[np.float64]:
        floats = np.ascontiguousarray(self._floats(), dtype=np.float64)
        if self._whole is not None:
            refuse_inexact(self._whole, floats, self.place)
        return floats

    def codes(self) -> Codes:
        return ObjectColumn(self._values(), self.label).codes()


def arrow_column(column: Any, label: str) -> RawColumn:
    """Read an arrow array, in one piece or in chunks."""
    kind = str(column.type)
    if kind.startswith("dictionary"):
        return _arrow_dictionary(column, label)
    if kind.startswith(("timestamp", "date", "time", "duration", "month_day")):
        raise time_error(label, kind)
    if kind.startswith(("list", "large_list", "fixed_size_list", "struct", "map")):
        raise _nested_error(label, kind)
    if kind in ("string", "large_string", "string_view"):
        encoded = column.cast("large_string") if kind == "string_view" else column
        return _arrow_dictionary(encoded.dictionary_encode(), label)
    if kind.startswith(("int", "uint", "float", "double", "halffloat", "bool", "decimal")):
        if not column.null_count and not kind.startswith(("bool", "decimal")):
            return array_column(_arrow_numpy(column), label)
        whole = _arrow_numpy(column.fill_null(0)) if kind.startswith(("int", "uint")) else None
        # Where integers would change, arrow has an error of its own, without the column.
        cast = partial(column.cast, "float64", safe=whole is None)
        return _WithNulls(lambda: _arrow_numpy(cast()), column.to_pylist, label, whole)
    return ObjectColumn(column.to_pylist(), label)


def _arrow_dictionary(column: Any, label: str) -> RawColumn:
    if hasattr(column, "chunks"):
        column = column.unify_dictionaries().combine_chunks()
    ordered = bool(column.type.ordered)
    codes = column.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)
    # An unordered dictionary is how arrow stores repeated text, often by first appearance: no declaration.
    declared = Codes(codes, column.dictionary.to_pylist(), declared=ordered)
    return CategoryColumn(declared, label, Kind.ORDERED if ordered else Kind.NOMINAL)


def _arrow_numpy(column: Any) -> NDArray[Any]:
    if hasattr(column, "chunks"):
        column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    values: NDArray[Any] = column.to_numpy(zero_copy_only=False)
    return values


def _nested_error(label: str, dtype: object) -> TypeError:
    return TypeError(f"{label} holds lists or records ({dtype}). Give each part as a column of its own.")
