"""A table in which some columns tell nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from thriftwood.learning.problem import Problem
from thriftwood.table import Encoded, SparseColumns
from thriftwood.table.native import core_table


def blank(encoded: Encoded, columns: Sequence[int]) -> Encoded:
    """Return a copy of an encoded table where every case has the same value in these columns.

    No tree asks for them then, and everything else, names, positions and prices, is as it was.

    Examples
    --------
    >>> from thriftwood.table import Encoder
    >>> blank(Encoder().fit_encode([[54.0, "yes"], [61.0, "no"]]), [1]).columns
    [array([54., 61.]), array([0, 0], dtype=int32)]
    """
    if encoded.dense is not None:
        dense = encoded.dense.copy()
        dense[:, list(columns)] = 0.0
        return replace(encoded, dense=dense)
    if encoded.columns is not None:
        own = [np.zeros_like(values) if j in columns else values for j, values in enumerate(encoded.columns)]
        return replace(encoded, columns=own)
    assert encoded.sparse is not None  # a table has one of the three
    indptr, indices, data = encoded.sparse
    sizes = np.diff(indptr)
    kept = np.repeat(~np.isin(np.arange(len(sizes)), list(columns)), sizes)
    sizes[list(columns)] = 0
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return replace(encoded, sparse=SparseColumns(starts, indices[kept], data[kept]))


def blanked(problem: Problem, columns: Sequence[int]) -> Problem:
    """Return the problem of the table where these columns tell nothing."""
    encoded = blank(problem.encoded, columns)
    return replace(problem, encoded=encoded, table=core_table(encoded, problem.encoder))
