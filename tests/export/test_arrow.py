"""Models as functions of record batches: the answers, shares and test costs that the library gives."""

import pickle

import numpy as np
import pyarrow as pa
import pytest

import thriftwood as tw


@pytest.fixture(scope="module")
def golf():
    return tw.load_dataset("golf-nominal")


def test_answers_shares_and_costs_are_those_of_the_library(golf):
    model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
    score = pickle.loads(pickle.dumps(tw.arrow_scorer(model, shares=True, costs=True, keep=["Wind"])))
    batch = pa.RecordBatch.from_pandas(golf.X.assign(other=1))
    scored = score(batch)
    assert scored.schema.names == ["Wind", "answer", "share of No", "share of Yes", "test_cost"]
    assert scored["answer"].to_pylist() == model.predict(golf.X).tolist()
    shares = np.column_stack([scored["share of No"], scored["share of Yes"]])
    np.testing.assert_array_equal(shares, model.predict_proba(golf.X))
    assert sum(scored["test_cost"].to_pylist()) == tw.bill(model, golf.X, golf.y).mean_test_cost * len(golf.X)
    assert score(batch.slice(0, 0)).schema == scored.schema


def test_what_a_model_cannot_tell_is_refused(golf):
    numbers = tw.CostTreeRegressor().fit(golf.X, np.arange(14.0))
    assert len(tw.arrow_scorer(numbers)(pa.RecordBatch.from_pandas(golf.X))["answer"]) == 14
    with pytest.raises(ValueError, match="no shares of classes"):
        tw.arrow_scorer(numbers, shares=True)
    with pytest.raises(ValueError, match="no price list"):
        tw.arrow_scorer(numbers, costs=True)


def test_a_batch_without_rows_has_the_type_of_answers_that_are_objects(golf):
    names = [f"{label}\0" for label in golf.y]  # NumPy's texts cannot end so
    model = tw.CostTreeClassifier().fit(golf.X, np.array(names, dtype=object))
    score, batch = tw.arrow_scorer(model), pa.RecordBatch.from_pandas(golf.X)
    assert model.classes_.dtype == object
    assert score(batch.slice(0, 0)).schema == score(batch).schema == pa.schema([("answer", pa.string())])


@pytest.mark.parametrize("name", ["answer", "share of Yes", "test_cost"])
def test_columns_that_answers_would_replace_are_not_kept(golf, name):
    model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
    with pytest.raises(ValueError, match=f"keep= names '{name}'"):
        tw.arrow_scorer(model, shares=True, costs=True, keep=[name])


def test_a_batch_needs_what_the_model_asks_for(golf):
    model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
    assert "Temp" not in model.tree_.features_used
    score = tw.arrow_scorer(model, shares=True, costs=True, keep=["Wind"])
    batch = pa.RecordBatch.from_pandas(golf.X)
    assert score(batch.drop_columns(["Temp"])).equals(score(batch))
    with pytest.raises(ValueError, match=r"lacks what the model asks for: 'Outlook'\..*Add what is absent"):
        score(batch.drop_columns(["Outlook"]))
    with pytest.raises(ValueError, match=r"The batch has no column 'Wnd'\. Did you mean 'Wind'\?"):
        tw.arrow_scorer(model, keep=["Wnd"])(batch)
