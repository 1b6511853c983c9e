"""Programs that read one file disagree about the types of its cells; categories are matched all the same."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood.table import MISSING, UNSEEN, Column, Encoder, Kind
from thriftwood.table.values import as_written

FLAGS = "flag,zip,y\nTrue,10,a\nFalse,20,b\nTrue,10,a\nFalse,20,b\n,10,a\n"


def nominal(*categories):
    return Column(0, "x", Kind.NOMINAL, categories)


@pytest.mark.parametrize(
    ("learnt", "value", "code"),
    [
        (("False", "True"), True, 1),
        (("false", "true"), False, 0),
        (("0", "1"), 1, 1),
        (("0", "1"), 1.0, 1),
        (("0", "1"), np.int8(1), 1),
        (("0.5", "1"), 0.5, 0),
        (("007", "8"), 7, 0),
        (("007", "07"), 7, UNSEEN),  # nobody can tell which
        (("007", "7"), 7, 1),
        ((False, True), "True", 1),
        ((False, True), "TRUE", 1),
        ((0, 1), "1", 1),
        ((0, 1), "1.0", 1),
        ((2**60, 2**60 + 1), str(2**60 + 1), 1),
        ((str(2**60), str(2**60 + 1)), 2**60, 0),
        ((0, 1), "one", UNSEEN),
        (("0", "1"), 2, UNSEEN),
        (("0", "1"), (0,), UNSEEN),
        pytest.param(("0", "1"), 10**5000, UNSEEN, id="a number too long to be written"),
        (("0", "1"), float("nan"), MISSING),
    ],
)
def test_types_that_differ_are_compared_as_they_are_written(learnt, value, code):
    assert nominal(*learnt).code_of(value) == code


@pytest.mark.parametrize(
    ("learnt", "value"),
    [(("1", "2"), "1.0"), (("True", "no"), "true"), ((1, "a"), "1"), (("1", 2), 1), (("a", 1.5), "1.5")],
)
def test_nothing_changes_where_types_are_the_same(learnt, value):
    assert nominal(*learnt).code_of(value) == UNSEEN


@given(st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans()))
def test_a_number_is_the_same_category_as_its_text(value):
    assert as_written(str(value)) == as_written(value)
    assert nominal(str(value), "other").code_of(value) == 0
    assert nominal(value).code_of(str(value)) == 0


@given(st.lists(st.text(), unique=True, min_size=1), st.text())
def test_texts_are_found_by_value_alone(categories, value):
    assert nominal(*categories).code_of(value) == (categories.index(value) if value in categories else UNSEEN)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_tree_of_a_text_file_reads_booleans_and_numbers_of_frames(tmp_path, frame):
    (tmp_path / "flags.csv").write_text(FLAGS)
    data = tw.read_table(tmp_path / "flags.csv", "y", nominal=["zip"])
    tree = tw.CostTreeClassifier(nominal_features=["zip"]).fit(data.X, data.y).tree_
    new = frame({"flag": [True, False, None], "zip": [10, 20, 10]})
    assert tree.encoder.encode(new).columns[0].tolist() == [1, 0, MISSING]
    assert tree.encoder.encode(new).columns[1].tolist() == [0, 1, 0]
    assert tree.predict(new).tolist() == ["a", "b", "a"]
    assert tree.decide({"flag": True, "zip": 10}) == "a"
    assert tree.consult({"flag": False, "zip": 20}).result == "b"


def test_a_tree_of_a_frame_reads_texts():
    X = pd.DataFrame({"flag": [True, False, True, False], "zip": [10, 20, 10, 20]})
    encoder = Encoder().fit(X, nominal=["flag", "zip"])
    new = pd.DataFrame({"flag": ["True", "false", None, "maybe"], "zip": ["10", "20.0", None, "30"]})
    assert [c.tolist() for c in encoder.encode(new).columns] == [
        [1, 0, MISSING, UNSEEN],
        [0, 1, MISSING, UNSEEN],
    ]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_texts_of_booleans_stand_for_the_numbers_that_booleans_are(frame):
    encoder = Encoder().fit(pd.DataFrame({"flag": [True, False]}))
    texts = encoder.encode(frame({"flag": ["True", None, "false"]})).columns[0]
    np.testing.assert_array_equal(texts, [1, np.nan, 0])
    with pytest.raises(ValueError, match="could not convert column 'flag' to numbers"):
        encoder.encode(frame({"flag": ["True", "0.5"]}))
