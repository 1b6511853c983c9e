import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_matrix

from thriftwood.table import Encoder
from thriftwood.table.named import NamedColumns
from thriftwood.table.reading import read
from thriftwood.table.rows import take_rows

FRAME = pd.DataFrame(
    {
        "age": [54.0, np.nan, 61.0],
        "kind": pd.Categorical(["b", None, "a"], categories=["b", "a", "c"]),
        "size": pd.Categorical(["S", "L", None], categories=["S", "L"], ordered=True),
        "text": ["x", "y", None],
    }
)
ROWS = np.array([2, 0, 0])


@pytest.mark.parametrize(
    "table",
    [
        FRAME,
        pl.from_pandas(FRAME[["age", "text"]]),
        pa.table({"age": [1.0, None, 3.0], "text": ["x", "y", None]}),
        np.arange(6.0).reshape(3, 2),
        csr_matrix(np.eye(3)),
        [[1, "a"], [2, None], [3, "b"]],
    ],
    ids=["pandas", "polars", "arrow", "numpy", "scipy", "lists"],
)
def test_rows_of_every_kind_of_table(table):
    taken = take_rows(table, ROWS)
    assert type(taken) is type(table)
    encoder = Encoder()
    whole, part = encoder.fit_encode(table), encoder.encode(taken)
    if whole.columns is not None:
        for one, other in zip(whole.columns, part.columns, strict=True):
            np.testing.assert_array_equal(one[ROWS], other)
    elif whole.dense is not None:
        np.testing.assert_array_equal(whole.dense[ROWS], part.dense)
    else:
        np.testing.assert_array_equal(table.toarray()[ROWS], taken.toarray())


def test_named_columns_keep_kinds_and_declared_orders():
    source = read(FRAME)
    table = NamedColumns(source.names, source.raw_columns(), 3)
    whole, part = Encoder(), Encoder()
    encoded, taken = whole.fit_encode(table), part.fit_encode(take_rows(table, ROWS))
    assert [column.kind for column in part.columns] == [column.kind for column in whole.columns]
    assert part.columns[1].categories == ("b", "a", "c")
    np.testing.assert_array_equal(encoded.columns[2][ROWS], taken.columns[2])
    assert take_rows(table, ROWS).shape == (3, 4)


def test_texts_and_series_that_are_no_tables():
    assert take_rows(["good", "bad", "ugly"], ROWS) == ["ugly", "good", "good"]
    assert take_rows(pd.Series([1, 2, 3], index=[7, 8, 9]), ROWS).tolist() == [3, 1, 1]
