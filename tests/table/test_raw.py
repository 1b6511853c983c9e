"""Whole numbers beyond 2**53, which float64 cannot all tell apart: refused, or kept apart."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.sparse import csc_matrix

import thriftwood as tw
from thriftwood.datasets.files import matched, open_table
from thriftwood.table import Encoder

BIG = 2**53
WORDS = r"has 9007199254740993 in row 1, a whole number beyond 2\*\*53 .* turn into 9007199254740992"
TABLES = {
    "numpy": np.array([[BIG], [BIG + 1], [BIG + 2]]),
    "unsigned": np.array([[BIG], [BIG + 1], [BIG + 2]], dtype=np.uint64),
    "lists": [[BIG], [BIG + 1], [BIG + 2]],
    "objects": np.array([[BIG], [BIG + 1], [None]], dtype=object),
    "structured": np.array([(BIG,), (BIG + 1,)], dtype=[("id", np.int64)]),
    "sparse": csc_matrix(np.array([[BIG], [BIG + 1], [0]])),
    "pandas": pd.DataFrame({"id": [BIG, BIG + 1, BIG + 2]}),
    "nullable": pd.DataFrame({"id": pd.Series([BIG, BIG + 1, None], dtype="Int64")}),
    "pandas with arrow": pd.DataFrame({"id": pd.Series([BIG, BIG + 1, None], dtype="int64[pyarrow]")}),
    "polars": pl.DataFrame({"id": [BIG, BIG + 1, BIG + 2]}),
    "polars with nulls": pl.DataFrame({"id": [BIG, BIG + 1, None]}),
    "arrow": pa.table({"id": [BIG, BIG + 1, BIG + 2]}),
    "arrow with nulls": pa.table({"id": [BIG, BIG + 1, None]}),
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_whole_numbers_that_would_merge_are_refused_with_their_place(table):
    with pytest.raises(ValueError, match=WORDS):
        Encoder().fit_encode(table)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_as_categories_they_stay_apart(table):
    if hasattr(table, "tocsc"):
        pytest.skip("a sparse table holds numbers alone")
    encoder = Encoder()
    encoder.fit_encode(table, nominal=[0])
    assert set(encoder.columns[0].categories) >= {BIG, BIG + 1}


def test_what_a_float_holds_exactly_is_taken_however_large():
    exact = [[2**60, -(2**62)], [2**53, -(2**53)], [1_700_000_000 * 10**9, 2**63 - 1024]]
    for table in (exact, np.array(exact), pd.DataFrame(exact, columns=["a", "b"])):
        encoded = Encoder().fit_encode(table)
        found = encoded.dense if encoded.dense is not None else np.column_stack(encoded.columns)
        assert found.tolist() == [[float(value) for value in row] for row in exact]
    with pytest.raises(ValueError, match="9223372036854775807"):
        Encoder().fit_encode(np.array([[2**63 - 1]]))


def test_a_single_value_is_refused_too():
    model = tw.CostTreeClassifier().fit([[1.0], [2.0]], ["a", "b"])
    with pytest.raises(ValueError, match="9007199254740993, a whole number beyond"):
        model.consult({"x0": BIG + 1})


def test_in_text_files_they_are_categories_with_a_note(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("id,x,y\n" + "".join(f"{BIG + 1 + n % 3},{n},{'ab'[n % 2]}\n" for n in range(20)))
    data = tw.read_table(path, "y", frame="pandas")
    assert data.X["id"].nunique() == 3
    assert "are too long for a float. Leave it out, if it holds identifiers." in data.description
    path.write_text(f"x,y\n{BIG + 1},a\n5,b\n")
    tree = tw.CostTreeClassifier().fit(pd.DataFrame({"x": [1.0, 2.0]}), ["a", "b"]).tree_
    with pytest.raises(ValueError, match="data row 1 holds '9007199254740993', too long for a float"):
        matched(open_table(path), tree.columns, ["x"])


def test_in_parquet_they_are_refused_unless_declared_nominal(tmp_path):
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table({"id": [BIG, BIG + 1, BIG + 2], "y": ["a", "b", "a"]}), path)
    with pytest.raises(ValueError, match=WORDS):
        tw.read_table(path, "y")
    assert tw.read_table(path, "y", nominal=["id"], frame="pandas").X["id"].nunique() == 3
    assert tw.read_table(path, "y", leave_out=["id"]).feature_names == ()
