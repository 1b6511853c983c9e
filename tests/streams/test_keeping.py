"""Rows that are kept: all, the latest, or a sample in which older ones are rarer."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from thriftwood.streams.keeping import KeptRows, joined


@given(st.lists(st.integers(1, 20), min_size=1, max_size=30), st.none() | st.integers(2, 30))
def test_the_latest_rows_in_order_whatever_the_batches(sizes, window):
    rows, total = KeptRows(window), sum(sizes)
    for end, size in zip(np.cumsum(sizes), sizes, strict=True):
        numbers = np.arange(end - size, end, dtype=float)
        rows.append(numbers[:, None], numbers)
    X, y = rows.table()
    expected = np.arange(total)[-(window or total) :]
    np.testing.assert_array_equal(y, expected)
    np.testing.assert_array_equal(X[:, 0], expected)
    assert len(rows) == len(expected)


def test_a_sample_is_half_as_dense_a_window_earlier():
    kept = np.zeros(8)
    for seed in range(40):
        rows = KeptRows(500, "sample", seed)
        for begin in range(0, 4000, 100):
            rows.append(np.zeros((100, 1)), np.arange(begin, begin + 100))
        y = rows.table()[1]
        assert len(y) == 500
        assert (np.diff(y) > 0).all()
        kept += np.bincount(y // 500, minlength=8)
    # Weights double every window, so the early stretches, of which few are kept, halve one by one.
    ratios = kept[2:5] / kept[1:4]
    np.testing.assert_allclose(ratios, 2.0, atol=0.5)


def test_the_callers_array_may_be_used_again():
    rows, buffer = KeptRows(), np.zeros((2, 1))
    rows.append(buffer, np.array([0, 1]))
    buffer[:] = 7
    assert rows.table()[0].tolist() == [[0.0], [0.0]]


def test_the_last_of_those_kept():
    rows = KeptRows()
    rows.append(np.arange(10.0)[:, None], np.arange(10))
    rows.keep_last(3)
    rows.keep_last(30)
    assert rows.table()[1].tolist() == [7, 8, 9]


def test_tables_of_every_kind_are_joined():
    pandas = joined([pd.DataFrame({"a": ["x"]}), pd.DataFrame({"a": ["y"]})])
    assert pandas["a"].tolist() == ["x", "y"]
    polars = joined([pl.DataFrame({"a": ["x"]}), pl.DataFrame({"a": ["y"]})])
    assert polars["a"].to_list() == ["x", "y"]
    assert joined([csr_matrix([[1.0]]), csr_matrix([[2.0]])]).toarray().tolist() == [[1.0], [2.0]]
    with pytest.raises(TypeError, match="Rows of a dict cannot be kept"):
        joined([{}, {}])
