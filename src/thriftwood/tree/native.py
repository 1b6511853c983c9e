"""Encoded tables as the core's tables, and chance as its seeds."""

from __future__ import annotations

from typing import Any

from sklearn.utils import check_random_state

from thriftwood import _core
from thriftwood.table import Encoded, Encoder


def core_table(encoded: Encoded, encoder: Encoder) -> _core.Table:
    """Hand an encoded table to the core, without a copy.

    Examples
    --------
    >>> encoder = Encoder()
    >>> core_table(encoder.fit_encode([[1.0, "a"], [2.0, "b"]]), encoder).feature_values
    array([0, 2], dtype=int32)
    """
    if encoded.dense is not None:
        return _core.Table.from_dense(encoded.dense)
    if encoded.sparse is not None:
        indptr, indices, data = encoded.sparse
        return _core.Table.from_csc(indptr, indices, data, encoded.n_rows)
    assert encoded.columns is not None  # an encoded table has one of the three
    pairs = zip(encoded.columns, encoder.columns, strict=True)
    return _core.Table.from_columns(
        [values if values.dtype.kind == "f" else (values, len(c.categories)) for values, c in pairs]
    )


def core_seed(random_state: Any) -> int:
    """Draw a seed for the core.

    Examples
    --------
    >>> core_seed(0) == core_seed(0) != core_seed(1)
    True
    """
    return int(check_random_state(random_state).randint(2**31 - 1))
