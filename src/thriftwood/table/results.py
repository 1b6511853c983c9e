"""Results as a frame of whatever library is installed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Columns: TypeAlias = Mapping[str, NDArray[Any] | list[Any]]


def to_frame(columns: Columns, index: Any = None) -> Any:
    """Build a pandas frame; without pandas a polars frame, an arrow table or a dictionary of arrays.

    Parameters
    ----------
    columns : mapping of str to array or list
        Lists are for values that are not numbers.
    index : pandas index, optional
        The labels of the rows; only pandas has a place for them.

    Examples
    --------
    >>> len(to_frame({"test": ["age"], "total": np.array([4.0])})["total"])
    1
    """
    if find_spec("pandas"):
        import pandas as pd

        return pd.DataFrame(dict(columns), index=index)
    if find_spec("polars"):
        import polars as pl

        return pl.DataFrame({name: _plain(values) for name, values in columns.items()})
    if find_spec("pyarrow"):
        import pyarrow as pa

        return pa.table({name: pa.array(_plain(values)) for name, values in columns.items()})
    return {name: _array(values) for name, values in columns.items()}


def _plain(values: NDArray[Any] | list[Any]) -> NDArray[Any] | list[Any]:
    """Give numbers as an array and everything else as Python values."""
    if isinstance(values, np.ndarray) and values.dtype.kind not in "biuf":
        return list(values.tolist())
    return values


def _array(values: NDArray[Any] | list[Any]) -> NDArray[Any]:
    if isinstance(values, np.ndarray):
        return values
    array = np.empty(len(values), dtype=object)  # np.array would take lists of equal length for a matrix
    array[:] = values
    return array
