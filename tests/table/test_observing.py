"""An encoder learnt from batches is the one learnt from the whole table."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thriftwood.table import Encoder
from thriftwood.table.observing import Observer

TABLE = pd.DataFrame(
    {
        "age": [54.0, np.nan, 61.0, 37.0, 44.0, 20.0],
        "pet": ["cat", "dog", None, "eel", "ant", "dog"],
        "size": pd.Categorical(["s", "l", "m", None, "s", "l"], ["s", "m", "l"], ordered=True),
        "code": [3, 1, 2, 3, 9, 1],
    }
)


@settings(max_examples=40)
@given(cuts=st.lists(st.integers(0, 6), max_size=5), merged=st.booleans())
def test_batches_teach_what_the_whole_table_teaches(cuts, merged):
    ends = sorted({0, 6, *cuts})
    observer = Observer("Test", nominal=["code"])
    for begin, end in pairwise(ends):
        if merged:
            other = Observer("Test", nominal=["code"], first_row=begin)
            other.see(TABLE.iloc[begin:end])
            observer.merge(other)
        else:
            observer.see(TABLE.iloc[begin:end])
    assert observer.encoder().to_json() == Encoder("Test").fit(TABLE, nominal=["code"]).to_json()
    assert observer.first_missing == (1, 0)
    assert observer.n_rows == 6


def test_batches_that_do_not_belong_together_are_refused():
    observer = Observer("Test")
    observer.see(TABLE)
    with pytest.raises(ValueError, match="From row 6 on the table has other columns"):
        observer.see(TABLE.rename(columns={"age": "years"}))
    with pytest.raises(ValueError, match="column 'age' is numeric at first and nominal from row 6 on"):
        observer.see(TABLE.assign(age="old"))
    other = TABLE.assign(size=pd.Categorical(["s"] * 6, ["l", "s"], ordered=True))
    with pytest.raises(ValueError, match="column 'size' is ordered, and its categories are not the same"):
        observer.see(other)


@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize(
    "values", [["cat", "dog"], [3, 1.5], [True, None], [None, None], [float("nan"), "cat"]], ids=str
)
def test_rows_without_a_value_say_nothing_about_their_column(values, merged):
    """A column of objects has no type: it is what the rows that have a value say it is."""
    table = pd.DataFrame({"what": np.array([None, None, *values, None], dtype=object)})
    observer, numbers = Observer("Test"), []
    for begin in range(5):
        seen = Observer("Test", first_row=begin) if merged else observer
        numbers.append(seen.see(table.iloc[begin : begin + 1])[0])
        if merged:
            observer.merge(seen)
    encoder = Encoder("Test").fit(table)
    assert observer.encoder().to_json() == encoder.to_json()
    assert observer.first_missing == (0, 0)
    if encoder.columns[0].kind == "numeric":
        np.testing.assert_array_equal(np.concatenate(numbers), encoder.encode(table).columns[0])


def test_rows_without_a_value_say_nothing_about_the_order_of_categories():
    table = TABLE[["size"]].iloc[:3]
    observer = Observer("Test")
    for rows in (
        table.head(0).reindex([0]).astype(object),
        table,
        pd.DataFrame({"size": [None]}, dtype=object),
    ):
        observer.see(rows)
    assert observer.encoder().to_json() == Encoder("Test").fit(table).to_json()
