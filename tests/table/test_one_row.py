"""One row by itself is encoded as in a table."""

import datetime
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

import thriftwood as tw
from thriftwood.models.conversion import as_model
from thriftwood.table import Encoder
from thriftwood.table.one_row import values_of

TRAINING = pd.DataFrame(
    {
        "age": [54.0, 61.0, np.nan, 40.0],
        "smoker": ["yes", "no", "no", None],
        "grade": pd.Categorical(["low", "high", "low", "mid"], ["low", "mid", "high"], ordered=True),
        "ward": pd.Categorical([3, 7, 3, 3]),
        "flag": [True, False, True, True],
    }
)
CELLS = {
    "age": st.one_of(st.none(), st.floats(-1e9, 1e9), st.integers(-(2**60), 2**60), st.just(math.inf)),
    "smoker": st.sampled_from(["yes", "no", "maybe", None, 1, True]),
    "grade": st.sampled_from(["low", "mid", "high", "higher", None]),
    "ward": st.sampled_from([3, 7, 9, 3.0, "3", None]),
    "flag": st.sampled_from([True, False, None, 1, "True"]),
}


def outcome(call):
    """What comes of a call: the encoded columns, or the kind of error."""
    try:
        encoded = call()
    except (TypeError, ValueError) as error:
        return type(error), str(error)
    return [np.asarray(column).astype(float).tolist() for column in encoded.columns], encoded.has_missing


def same(one, other):
    return repr(one) == repr(other)  # NaN equals NaN so


@given(st.fixed_dictionaries(CELLS), st.permutations(list(TRAINING)))
@settings(deadline=None, max_examples=300)
def test_a_frame_of_one_row_is_encoded_as_two_rows_are(row, order):
    encoder = Encoder().fit(TRAINING)
    frame = pd.DataFrame([row], dtype=object)[order]
    alone = outcome(lambda: encoder.encode(frame))
    twice = outcome(lambda: encoder.encode(pd.concat([frame, frame], ignore_index=True)))
    if isinstance(twice[0], type):
        assert alone[0] is twice[0]
    else:
        assert same(alone, ([column[:1] for column in twice[0]], twice[1]))


@pytest.mark.parametrize("frame", [TRAINING, pl.from_pandas(TRAINING.drop(columns="ward"))])
def test_rows_of_the_training_table(frame):
    encoder = Encoder().fit(frame)
    whole = encoder.encode(frame)
    for number in range(len(frame)):
        assert values_of(frame[number : number + 1]) is not None
        one = encoder.encode(frame[number : number + 1])
        assert same([c[0] for c in one.columns], [c[number] for c in whole.columns])


@pytest.mark.parametrize(
    "frame",
    [
        TRAINING,
        TRAINING.to_numpy(),
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        pd.DataFrame([[1, 2]]),
        pd.DataFrame({"a": [datetime.date(2020, 1, 1)]}),
        pd.DataFrame({"a": [2**60]}),
        pd.DataFrame({"a": [math.inf]}),
    ],
)
def test_what_takes_the_long_way(frame):
    assert values_of(frame) is None


def test_decide_answers_as_predict_does():
    data = tw.load_dataset("golf-nominal")
    frame = pd.DataFrame(data.X)
    rows = frame.to_dict("records")
    for name in ("c45", "bagging", "gradient-boosting", "metacost"):
        costs = data.costs.replace(errors_default=20)
        model = tw.algorithm(name, costs=costs, random_state=0).fit(frame, data.y)
        wanted = model.predict(frame).tolist()
        assert [model.decide(row) for row in rows] == wanted
        assert [model.model_.decide(row) for row in rows] == wanted


def test_a_row_for_decide_has_every_feature():
    model = tw.algorithm("cart").fit(TRAINING[["age", "flag"]], ["a", "b", "b", "a"])
    assert model.decide({"age": 54, "flag": True, "name": "not asked"}) in "ab"
    with pytest.raises(ValueError, match=r"no value for 'flag'\. Give every feature a value, None where"):
        model.decide({"age": 54})
    with pytest.raises(TypeError, match="column 'age' takes a number or None, got 'old'"):
        model.decide({"age": "old", "flag": True})


def test_missing_values_are_refused_where_predict_refuses_them():
    model = tw.algorithm("id3").fit([["x"], ["y"]], ["a", "b"])
    assert model.decide({"x0": "x"}) == "a"
    with pytest.raises(ValueError, match="contains NaN"):
        model.decide({"x0": None})


def test_a_model_of_another_library_is_not_asked_by_names():
    with pytest.raises(TypeError, match="not asked by names"):
        as_model(DecisionTreeClassifier().fit([[1], [2]], [0, 1])).decide({"x0": 1})


def test_ranks_that_are_numbers():
    grades = pd.Categorical([10, 20, 5] * 4, categories=[10, 20, 5], ordered=True)
    model = tw.CostTreeClassifier().fit(pd.DataFrame({"grade": grades}), ["a", "b", "c"] * 4)
    for value, answer in ((5.0, "c"), (10.0, "a"), (20.0, "b")):
        assert model.predict(pd.DataFrame({"grade": [value]})).tolist() == [answer]
        assert model.decide({"grade": value}) == answer


def test_made_up_names_order_nothing():
    X = np.array([[0, 1], [1, 0], [0, 0], [1, 1]] * 5)
    model = tw.CostTreeClassifier().fit(X, X[:, 0])
    asked = pd.DataFrame({"x1": [0], "x0": [1]})
    with pytest.warns(UserWarning, match="was fitted without feature names"):
        assert model.predict(asked).tolist() == [0]


def test_categories_too_large_to_be_looked_up():
    for large in (math.inf, 2.0**60):
        X = pd.DataFrame({"c": pd.Categorical([1.0, large] * 10)})
        assert tw.CostTreeClassifier().fit(X, ["a", "b"] * 10).predict(X[:2]).tolist() == ["a", "b"]


@pytest.mark.parametrize("name", ["lp-csb", "b-lot"])
def test_ensembles_that_read_tables_say_so(name):
    costs = tw.Costs(errors_default=1)
    model = tw.algorithm(name, costs=costs).fit(TRAINING[["smoker"]], ["a", "b", "b", "a"])
    with pytest.raises(TypeError, match="not asked by names"):
        model.decide({"smoker": "yes"})
