"""Missing values of any table are told by place, as its encoder would."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from thriftwood.table import Encoder
from thriftwood.table.missing import missing_values

cells = st.one_of(st.none(), st.floats(-5, 5), st.sampled_from(["a", "b"]), st.just(float("nan")))


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=8))
def test_a_list_of_rows_lacks_what_its_encoder_says(rows):
    encoded = Encoder().fit_encode([list(row) for row in rows])
    columns = encoded.columns if encoded.columns is not None else encoded.dense.T
    expected = [np.isnan(values) if values.dtype.kind == "f" else values == -1 for values in columns]
    assert np.array_equal(missing_values([list(row) for row in rows], 2), np.column_stack(expected))


FRAME = pd.DataFrame({"age": [54.0, np.nan, 61.0], "kind": ["a", None, "b"], "count": [1, 2, 3]})
GAPS = np.array([[False, False, False], [True, True, False], [False, False, False]])


@pytest.mark.parametrize("table", [FRAME, pl.from_pandas(FRAME), FRAME.astype({"kind": "category"})])
def test_columns_with_names_go_by_name(table):
    assert np.array_equal(missing_values(table, 3, ["age", "kind", "count"]), GAPS)
    assert np.array_equal(missing_values(table, 2, ["count", "age"]), GAPS[:, [2, 0]])
    assert missing_values(table, 1, ["weight"]).all()  # a column that is not there


def test_columns_without_names_go_by_position():
    numbers = np.array([[1.0, np.nan, 0.0], [0.0, 2.0, 3.0]])
    for table in (numbers, csr_matrix(numbers)):
        assert missing_values(table, 3, ["a", "b", "c"]).tolist() == np.isnan(numbers).tolist()
        assert missing_values(table, 2).tolist() == [[False, True], [False, False]]
    assert not missing_values(np.array([[1, 2]]), 2).any()
