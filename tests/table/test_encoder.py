"""What is learnt at fit and checked at predict; one value each way; the saved form."""

import copy
import json
import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from thriftwood.table import MISSING, UNSEEN, Column, Encoder, Kind

FRAME = pd.DataFrame(
    {"age": [54, 61], "smoker": ["yes", "no"], "stage": pd.Categorical(["a", "b"], ordered=True)}
)


def test_another_column_order_is_put_right():
    encoder = Encoder().fit(FRAME)
    for frame in (FRAME[["stage", "age", "smoker"]], pl.from_pandas(FRAME)[["smoker", "stage", "age"]]):
        age, smoker, stage = encoder.encode(frame).columns
        assert_array_equal(age, [54, 61])
        assert_array_equal(smoker, [1, 0])
        assert_array_equal(stage, [0, 1])


def test_another_order_of_a_float_frame_is_put_right_and_names_the_right_column():
    X = np.arange(6.0).reshape(2, 3)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    encoder = Encoder().fit(frame)
    assert_array_equal(encoder.encode(frame[["c", "a", "b"]]).dense, X)
    bad = frame[["c", "a", "b"]].copy()
    bad.loc[1, "a"] = np.inf
    with pytest.raises(ValueError, match="column 'a' has inf in row 1"):
        encoder.encode(bad)


def test_missing_and_unexpected_columns_are_named():
    encoder = Encoder("CostTreeClassifier").fit(FRAME)
    message = "The feature names should match those that were passed during fit.\n"
    with pytest.raises(ValueError, match="feature names should match") as caught:
        encoder.encode(FRAME.drop(columns="smoker"))
    assert str(caught.value) == f"{message}Feature names seen at fit time, yet now missing:\n- smoker\n"
    with pytest.raises(ValueError, match="feature names should match") as caught:
        encoder.encode(FRAME.assign(weight=1))
    assert str(caught.value) == f"{message}Feature names unseen at fit time:\n- weight\n"
    many = pd.DataFrame({f"another_{i}": [1] for i in range(7)})
    with pytest.raises(
        ValueError, match=r"- another_4\n- \.\.\.\nFeature names seen at fit time, yet now missing:\n- age\n"
    ):
        encoder.encode(many)


def test_without_names_columns_are_taken_by_position_and_counted():
    encoder = Encoder("CostTreeClassifier").fit(FRAME)
    with pytest.warns(
        UserWarning, match="X does not have valid feature names, but CostTreeClassifier was fitted with"
    ):
        columns = encoder.encode(np.array([[40, "no", "b"]], dtype=object)).columns
    assert [column.tolist() for column in columns] == [[40.0], [0], [1.0]]
    with pytest.raises(
        ValueError, match="X has 2 features, but CostTreeClassifier is expecting 3 features as input"
    ):
        encoder.encode([[1, 2]])
    with pytest.warns(UserWarning, match="X has feature names, but Encoder was fitted without feature names"):
        Encoder().fit([[1.0]]).encode(pd.DataFrame({"a": [1.0]}))


def test_unseen_and_missing_values_have_codes_of_their_own():
    encoder = Encoder().fit(FRAME)
    frame = pd.DataFrame({"age": [None, 1], "smoker": ["maybe", None], "stage": ["z", "b"]}, dtype=object)
    table = encoder.encode(frame)
    assert table.has_missing
    assert_array_equal(table.columns[0], [np.nan, 1])
    assert_array_equal(table.columns[1], [UNSEEN, MISSING])
    assert_array_equal(table.columns[2], [np.nan, 1])


def test_numbers_and_categories_meet_by_value():
    encoder = Encoder().fit(pd.DataFrame({"x": [3, 5]}), nominal=["x"])
    assert_array_equal(encoder.encode(pd.DataFrame({"x": pd.Categorical([5.0, 4.0])})).columns[0], [1, -2])
    numeric = Encoder().fit(pd.DataFrame({"x": [3, 5]}))
    assert_array_equal(
        numeric.encode(pd.DataFrame({"x": pd.Categorical([5, None, 4])})).columns[0], [5, np.nan, 4]
    )


@pytest.mark.parametrize("values", [["7"], ["seven"]])
def test_text_in_a_numeric_column_is_refused_at_predict(values):
    encoder = Encoder().fit(pd.DataFrame({"x": [3, 5]}))
    for frame in (
        pd.DataFrame({"x": values}),
        pd.DataFrame({"x": values}, dtype=object),
        pa.table({"x": values}),
    ):
        with pytest.raises(
            ValueError,
            match=rf"column 'x'.*held numbers at fit and now holds '{values[0]}'.*nominal_features",
        ):
            encoder.encode(frame)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.ones(3), "Expected 2D array, got 1D array instead:.*Reshape your data"),
        ([1, 2], "Expected 2D array, got 1D array instead:.*Reshape your data"),
        (pd.Series([1.0]), "Expected 2D array, got 1D array instead: a Series.*Reshape your data"),
        (pl.Series([1.0]), "Expected 2D array, got 1D array instead: a Series"),
        (np.float64(3), "Expected 2D array, got scalar array instead"),
        (None, "got scalar array instead: X is a NoneType"),
        (np.ones((2, 2, 2)), "Found array with dim 3, while dim <= 2 is required"),
        (
            np.ones((0, 3)),
            r"Found array with 0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1 is required\.",
        ),
        (
            np.ones((12, 0)),
            r"Found array with 0 feature\(s\) \(shape=\(12, 0\)\) while a minimum of 1 is required\.",
        ),
        (pd.DataFrame({"a": []}), r"0 sample\(s\) \(shape=\(0, 1\)\)"),
        ([[1, 2], [3]], "rows differ in length"),
        (np.ones((2, 2)) * 1j, "Complex data not supported"),
        ([[1j, "a"]], "Complex data not supported"),
    ],
)
def test_tables_that_are_none_are_refused(X, message):
    with pytest.raises(ValueError, match=f"(?s){message}"):
        Encoder().fit(X)


def test_dates_in_arrays_are_refused():
    with pytest.raises(TypeError, match="column 0 holds dates or durations"):
        Encoder().fit(np.array([["2020-01-01"]], dtype="datetime64[D]"))


@pytest.mark.parametrize(
    ("nominal", "error", "message"),
    [
        (["smokr"], ValueError, "no column 'smokr'. Did you mean 'smoker'?"),
        (["qqq"], ValueError, "Columns: 'age', 'smoker', 'stage'"),
        ([3], ValueError, "no column 3. Positions: 0 to 2"),
        ([-1], ValueError, "no column -1"),
        ([True], TypeError, "got True"),
        ([1.0], TypeError, "got 1.0"),
        ("age", ValueError, "list of column names or positions"),
        (3, ValueError, "list of column names or positions"),
    ],
)
def test_a_bad_choice_of_nominal_columns_is_explained(nominal, error, message):
    with pytest.raises(error, match=message.replace("?", r"\?")):
        Encoder().fit(FRAME, nominal=nominal)


def test_an_encoder_must_learn_first_and_keeps_what_it_learnt_when_fit_fails():
    encoder = Encoder("CostTreeClassifier")
    with pytest.raises(ValueError, match="CostTreeClassifier has not learnt a table yet"):
        encoder.encode([[1.0]])
    encoder.fit(FRAME)
    before = encoder.to_json()
    with pytest.raises(ValueError, match="infinity"):
        encoder.fit([[np.inf]])
    assert encoder.to_json() == before


def test_one_value_travels_both_ways():
    encoder = Encoder().fit(FRAME)
    assert encoder.encode_value("age", True) == 1.0
    assert math.isnan(encoder.encode_value("age", None))
    assert encoder.encode_value(1, "yes") == 1
    assert encoder.encode_value("smoker", "maybe") == UNSEEN
    assert encoder.encode_value("smoker", pd.NA) == MISSING
    assert encoder.encode_value("stage", "b") == 1.0
    assert math.isnan(encoder.encode_value("stage", "z"))
    assert encoder.decode_value("age", 3) == 3.0
    assert encoder.decode_value("age", math.nan) is None
    assert encoder.decode_value("smoker", MISSING) is None
    assert encoder.decode_value("stage", 1.0) == "b"
    for code in (UNSEEN, 2, 0.5, math.inf):
        with pytest.raises(ValueError, match="column 'smoker' has no category with code"):
            encoder.decode_value("smoker", code)
    with pytest.raises(TypeError, match="column 'age' takes a number or None, got '54'"):
        encoder.encode_value("age", "54")
    for value in (math.inf, 10**400):
        with pytest.raises(ValueError, match="column 'age'"):
            encoder.encode_value("age", value)
    with pytest.raises(TypeError, match="hashable"):
        encoder.encode_value("smoker", ["yes"])


VALUE = st.none() | st.text(max_size=3) | st.integers(-3, 3) | st.floats(allow_infinity=False) | st.booleans()


@given(st.lists(st.lists(VALUE, min_size=2, max_size=2), min_size=1, max_size=8))
def test_decode_undoes_encode(rows):
    X = np.empty((len(rows), 2), dtype=object)
    X[:] = rows
    encoder = Encoder()
    table = encoder.fit_encode(X)
    assert encoder.encode(X).has_missing == table.has_missing
    for j in range(2):
        for i, row in enumerate(rows):
            value = row[j]
            wanted = None if value is None or value != value else value
            assert encoder.decode_value(j, table.columns[j][i]) == wanted
            assert_array_equal(encoder.encode_value(j, value), table.columns[j][i])


@given(st.lists(st.lists(VALUE, min_size=2, max_size=2), min_size=1, max_size=8))
def test_what_is_saved_loads_and_encodes_alike(rows):
    X = np.empty((len(rows), 2), dtype=object)
    X[:] = rows
    encoder = Encoder().fit(X)
    saved = json.loads(json.dumps(encoder.to_json(), allow_nan=False))
    loaded = Encoder.from_json(saved)
    assert loaded.columns == encoder.columns
    for got, wanted in zip(loaded.encode(X).columns, encoder.encode(X).columns, strict=True):
        assert_array_equal(got, wanted)


def test_names_and_owner_survive_saving_and_pickling():
    encoder = Encoder("CostTreeClassifier").fit(FRAME)
    loaded = Encoder.from_json(encoder.to_json(), owner="Other")
    assert (loaded.owner, loaded.feature_names) == ("Other", ("age", "smoker", "stage"))
    again = pickle.loads(pickle.dumps(encoder))
    assert (again.owner, again.columns) == (encoder.owner, encoder.columns)
    assert again.columns[0] == Column(0, "age", Kind.NUMERIC, ())


def test_a_category_without_a_json_form_cannot_be_saved():
    encoder = Encoder().fit(np.array([[b"x"], [b"y"]]))
    with pytest.raises(ValueError, match=r"column 0 has the category b'x' of type bytes"):
        encoder.to_json()


GOOD = Encoder().fit(FRAME).to_json()


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ((), [], "encoder must be an object"),
        (("n_features",), 0, "n_features"),
        (("n_features",), True, "n_features"),
        (("n_features",), 10**30, "n_features"),
        (("n_features",), 4, "names must have n_features = 4"),
        (("names",), "abc", "names must be a list"),
        (("names",), ["a", "b", 3], "names must be a list of texts"),
        (("names",), ["a", "b", "a"], "names must differ"),
        (("categorical",), [], "categorical must map"),
        (("categorical", "3"), {}, "categorical has the key '3'"),
        (("categorical", "01"), {}, "categorical has the key '01'"),
        (("categorical", "²"), {}, "categorical has the key"),
        (("categorical", "9" * 5000), {}, "categorical has the key"),
        (("categorical", "1"), None, "categorical.1 must be an object"),
        (("categorical", "1", "kind"), "numeric", "categorical.1.kind"),
        (("categorical", "1", "kind"), [], "categorical.1.kind"),
        (("categorical", "1", "more"), 1, "categorical.1 has an unknown key 'more'"),
        (("categorical", "1", "categories"), "ab", "categorical.1.categories must be a list"),
        (("categorical", "1", "categories"), ["a", "a"], "categorical.1.categories must differ"),
        (("categorical", "1", "categories"), [1, True], "categorical.1.categories must differ"),
        (("categorical", "1", "categories"), [[1]], r"categorical.1.categories\[0\]"),
        (("categorical", "1", "categories"), ["a", math.nan], r"categorical.1.categories\[1\]"),
        (("categorical", "1", "categories"), [None], r"categorical.1.categories\[0\]"),
    ],
)
def test_a_hostile_file_is_refused_by_key(path, value, message):
    content = copy.deepcopy(GOOD)
    target = content
    for key in path[:-1]:
        target = target[key]
    if path:
        target[path[-1]] = value
    else:
        content = value
    with pytest.raises(ValueError, match=message):
        Encoder.from_json(content)


@pytest.mark.parametrize("key", ["n_features", "names", "categorical"])
def test_a_file_that_lacks_a_key_is_refused(key):
    with pytest.raises(ValueError, match=f"encoder lacks the key '{key}'"):
        Encoder.from_json({name: value for name, value in GOOD.items() if name != key})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*GOOD, "0", "1", "kind"]), inner)
    ),
    max_leaves=8,
)


@given(JSON, st.sampled_from([None, *GOOD]))
def test_random_content_loads_or_is_refused_with_a_value_error(junk, key):
    content = junk if key is None else {**GOOD, key: junk}
    try:
        loaded = Encoder.from_json(content)
    except ValueError:
        return
    assert Encoder.from_json(loaded.to_json()).to_json() == loaded.to_json()


def test_unseen_categories_are_told_by_column():
    train = pd.DataFrame(
        {
            "c": ["red", "blue"],
            "size": pd.Categorical(["s", "m"], categories=["s", "m"], ordered=True),
            "n": [1, 2],
        }
    )
    new = pd.DataFrame(
        {"c": ["red", None, "pink", "grey"], "size": ["xl", "s", "xl", None], "n": [7, 8, 9, 10]}
    )
    found = Encoder().fit(train).encode(new).unseen
    assert [(u.column.name, u.rows.tolist(), u.n_known, u.values) for u in found] == [
        ("c", [2, 3], 3, ("pink", "grey")),
        ("size", [0, 2], 3, ("xl",)),
    ]
    assert Encoder().fit(train).encode(train).unseen == ()


def test_of_many_unseen_categories_three_are_named():
    (found,) = Encoder().fit([["a"]]).encode([["z"], ["y"], ["z"], ["x"], ["w"], ["a"]]).unseen
    assert (len(found.rows), found.values) == (5, ("z", "y", "x"))
