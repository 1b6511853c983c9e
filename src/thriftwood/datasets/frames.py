"""From columns to the frame library that the user has.

Nominal columns become unordered categories and ordered ones ordered categories, in each library's own type.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, Literal

import numpy as np

from thriftwood.datasets.columns import Column

Frame = Literal["auto", "pandas", "polars", "pyarrow", "numpy"]
LIBRARIES: tuple[Frame, ...] = ("pandas", "polars", "pyarrow", "numpy")


def choose_library(frame: str) -> str:
    """Return the library to use: the one asked for, or the first that is installed for ``"auto"``.

    >>> choose_library("numpy")
    'numpy'
    """
    if frame == "auto":
        return next(library for library in LIBRARIES if find_spec(library))
    if frame not in LIBRARIES:
        raise ValueError(
            f"frame must be 'auto' or one of {', '.join(map(repr, LIBRARIES))}. Got {frame!r} instead."
        )
    if find_spec(frame) is None:
        raise ValueError(
            f"frame={frame!r} needs the package {frame}, which is not installed. Install it, or pass "
            "frame='auto' to use a library that is."
        )
    return frame


def to_frame(columns: Sequence[Column], frame: str = "auto") -> Any:
    """Build a frame of the named library from columns."""
    builders = {"pandas": _pandas, "polars": _polars, "pyarrow": _pyarrow, "numpy": _numpy}
    return builders[choose_library(frame)](columns)


def _pandas(columns: Sequence[Column]) -> Any:
    import pandas as pd

    def series(column: Column) -> Any:
        if column.kind == "numeric":
            return column.values
        ordered = column.kind == "ordered"
        return pd.Categorical.from_codes(column.values, categories=list(column.categories), ordered=ordered)

    return pd.DataFrame({column.name: series(column) for column in columns})


def _polars(columns: Sequence[Column]) -> Any:
    import polars as pl

    def series(column: Column) -> Any:
        if column.kind == "numeric":
            # NaN is a number to polars; null is its missing value
            return pl.Series(column.name, column.values, dtype=pl.Float64).fill_nan(None)
        # an Enum has an order, a Categorical has none
        dtype = pl.Enum(column.categories) if column.kind == "ordered" else pl.Categorical()
        return pl.Series(column.name, column.texts().tolist(), dtype=pl.String).cast(dtype)

    return pl.DataFrame([series(column) for column in columns])


def _pyarrow(columns: Sequence[Column]) -> Any:
    import pyarrow as pa

    def array(column: Column) -> Any:
        if column.kind == "numeric":
            return pa.array(column.values, mask=column.missing)
        codes = pa.array(column.values, mask=column.missing)
        categories = pa.array(column.categories, type=pa.string())
        return pa.DictionaryArray.from_arrays(codes, categories, ordered=column.kind == "ordered")

    return pa.table({column.name: array(column) for column in columns})


def _numpy(columns: Sequence[Column]) -> Any:
    # A structured array keeps the names, by which prices go.
    n_rows = len(columns[0].values) if columns else 0
    kinds = [(column.name, np.float64 if column.kind == "numeric" else object) for column in columns]
    table = np.empty(n_rows, dtype=kinds)
    for column in columns:
        table[column.name] = column.values if column.kind == "numeric" else column.texts()
    return table
