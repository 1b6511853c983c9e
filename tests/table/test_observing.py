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
            other = Observer("Test", nominal=["code"])
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
