"""`StreamingTree`: when it learns, what it keeps, what drift does, and what a bad batch does not do."""

import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

import thriftwood as tw
from thriftwood import _core
from thriftwood.streams import StreamingTree

SMALL = tw.CostTreeClassifier(growth=tw.Growth(max_depth=5))


def fed(model, stream, n_rows=6000, size=500):
    for X, y in stream.batches(n_rows, size):
        model.partial_fit(X, y)
    return model


def test_it_learns_when_the_rows_have_doubled():
    model, refits = StreamingTree(SMALL, drift=None), []
    for X, y in tw.make_stream("sea").batches(6000, 500):
        model.partial_fit(X, y)
        refits.append(model.history_.n_refits)
    assert refits == [1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4]  # at 500, 1000, 2000, 4000 rows


def test_the_model_is_the_one_of_the_rows_kept():
    stream = tw.make_stream("sea", random_state=5)
    model = StreamingTree(SMALL, window=1000, refit=1.5, drift=None)
    batches = list(stream.batches(3000, 500))
    for X, y in batches:
        model.partial_fit(X, y)
    X, y = (np.concatenate(part) for part in zip(*batches[-2:], strict=True))
    assert str(model.model_) == str(clone(SMALL).fit(X, y).tree_)


def test_each_row_is_answered_before_it_is_learnt():
    batches = list(tw.make_stream("sea", random_state=1).batches(2000, 500))
    model, right, counted = StreamingTree(SMALL, drift=None), 0, 0
    for k, (X, y) in enumerate(batches):
        if k:
            right += (model.predict(X) == y).sum()
            counted += len(y)
        model.partial_fit(X, y)
    assert model.history_.n_rows == counted == 1500
    assert model.history_.accuracy == pytest.approx(right / counted)


def test_the_bill_is_that_of_tw_bill():
    costs = tw.Costs({"x0": 1, "x1": 2, "x2": 3}, errors=[[0, 5], [20, 0]])
    learner = tw.CostTreeClassifier("min-total-cost", costs=costs, growth=tw.Growth(max_depth=3))
    first, second = tw.make_stream("sea").batches(4000, 2000)
    X, y = (
        (pd.DataFrame(part[0], columns=["x0", "x1", "x2"]) for part in (first, second)),
        (first[1], second[1]),
    )
    frames = list(X)
    model = StreamingTree(learner).partial_fit(frames[0], y[0])
    expected = tw.bill(model.estimator_, frames[1], y[1])
    history = model.partial_fit(frames[1], y[1]).history_
    assert history.mean_test_cost == pytest.approx(expected.mean_test_cost)
    assert history.mean_error_cost == pytest.approx(expected.mean_error_cost)
    assert history.accuracy == pytest.approx(expected.accuracy)


def test_drift_is_noticed_and_the_old_rows_are_forgotten():
    stream = tw.make_stream("agrawal", function=1, drift_every=5000, noise=0.0, random_state=0)
    model = fed(StreamingTree(SMALL), stream, 10_000)
    assert model.history_.drifts
    assert 5000 < model.history_.drifts[0] <= 6000
    assert len(model._rows) < 6000  # of 10,000
    blind = fed(
        StreamingTree(SMALL, drift=None),
        tw.make_stream("agrawal", function=1, drift_every=5000, noise=0.0, random_state=0),
        10_000,
    )
    assert model.history_.accuracy > blind.history_.accuracy + 0.02


def test_a_pickled_model_goes_on_as_if_nothing_had_happened():
    stream = tw.make_stream("agrawal", function=1, drift_every=5000, noise=0.0, random_state=0)
    batches = list(stream.batches(8000, 500))
    whole, first = StreamingTree(SMALL), StreamingTree(SMALL)
    for X, y in batches[:5]:
        whole.partial_fit(X, y)
        first.partial_fit(X, y)
    again = pickle.loads(pickle.dumps(first))
    for X, y in batches[5:]:
        whole.partial_fit(X, y)
        again.partial_fit(X, y)
    assert again.history_.n_refits == whole.history_.n_refits
    assert again.history_.drifts == whole.history_.drifts != []
    assert str(again.model_) == str(whole.model_)
    assert not hasattr(pickle.loads(pickle.dumps(StreamingTree(SMALL))), "classes_")


def test_a_model_read_as_a_memory_map_goes_on(tmp_path):
    batches = list(tw.make_stream("sea").batches(1500, 500))
    arrays = [(np.asarray(X, dtype=float), y) for X, y in batches]
    model = StreamingTree(SMALL)
    for X, y in arrays[:2]:
        model.partial_fit(X, y)
    joblib.dump(model, tmp_path / "model")
    again = joblib.load(tmp_path / "model", mmap_mode="r")
    assert str(again.partial_fit(*arrays[2]).model_) == str(model.partial_fit(*arrays[2]).model_)


def test_a_model_pickled_by_an_earlier_version_before_it_began_loads():
    state = StreamingTree(SMALL).__getstate__()
    del state["_watched"]
    model = StreamingTree.__new__(StreamingTree)
    model.__setstate__(state)
    assert fed(model, tw.make_stream("sea"), 1000).history_.n_refits > 0


def changed(place, value):
    return lambda state: np.where(np.arange(len(state)) == place, value, state)


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state[:-1],
        lambda state: np.append(state, 0.0),
        *(changed(place, value) for place in range(6) for value in (np.nan, np.inf)),
        *(changed(place, -3.0) for place in range(5)),  # the last is a sum, which may be below 0
        changed(1, 0.5),
        changed(2, 65.0),
    ],
)
def test_a_window_refuses_a_state_that_does_not_fit(change):
    window = _core.AdaptiveWindow(0.002)
    window.add(np.ones(100))
    with pytest.raises(ValueError, match="state of the window"):
        window.restore(np.ascontiguousarray(change(window.state())))
    assert (window.count, window.mean) == (100, 1)


def test_a_stream_that_stays_is_left_alone():
    model = fed(StreamingTree(SMALL, drift=0.0001), tw.make_stream("sea", random_state=0), 10_000)
    assert model.history_.drifts == []


def test_a_sample_of_the_stream_is_kept():
    model = fed(StreamingTree(SMALL, window=500, keep="sample", drift=None), tw.make_stream("sea"))
    assert len(model._rows) == 500


@pytest.mark.parametrize("name", ["id3", "eg2", "bagging", "metacost", "nobody"])
def test_every_kind_of_learner_is_streamed(name):
    golf = tw.load_dataset("golf-nominal")
    costs = golf.costs.replace(errors=[[0, 1], [5, 0]])
    learner = tw.algorithm(name, costs=costs) if name != "id3" else tw.algorithm(name)
    model = StreamingTree(learner).partial_fit(golf.X[:8], golf.y[:8]).partial_fit(golf.X[8:], golf.y[8:])
    assert model.history_.n_rows == 6
    assert len(model.predict(golf.X)) == 14
    assert model.predict_proba(golf.X).shape == (14, 2)


def test_it_is_asked_like_any_model():
    golf = tw.load_dataset("golf-nominal")
    model = StreamingTree(tw.algorithm("c45", costs=golf.costs)).partial_fit(golf.X, golf.y)
    assert tw.bill(model, golf.X, golf.y).mean_test_cost > 0
    assert model.consult().next_test == model.model_.features_used[0]
    row = {"Outlook": "Rain", "Temp": "Mild", "Humidity": "High", "Wind": "Strong"}
    assert model.decide(row) == "No"
    assert tw.export_python(model.model_)
    assert isinstance(model.model_, tw.Tree)


# In mid-stream


@pytest.fixture
def mixed():
    frame = pd.DataFrame({"n": [1.0, 2.0, 3.0, 4.0] * 5, "c": ["a", "b"] * 10})
    return StreamingTree(tw.algorithm("c45")).partial_fit(frame, ["no", "no", "yes", "yes"] * 5), frame


def refused(model, frame, error, words, bad, y):
    before, rows = model.predict(frame).tolist(), model.n_rows_
    with pytest.raises(error, match=words):
        model.partial_fit(bad, y)
    assert model.n_rows_ == rows
    assert model.history_.n_rows == 0
    assert model.predict(frame).tolist() == before
    assert model.partial_fit(frame, ["no", "no", "yes", "yes"] * 5).n_rows_ == 2 * rows


def test_text_in_a_column_of_numbers_is_refused(mixed):
    bad = pd.DataFrame({"n": ["three"], "c": ["a"]})
    refused(*mixed, (TypeError, ValueError), "three|number", bad, ["no"])


def test_a_missing_column_is_refused(mixed):
    refused(*mixed, ValueError, "n", pd.DataFrame({"c": ["a"]}), ["no"])


def test_labels_of_another_type_are_refused(mixed):
    refused(*mixed, ValueError, "all as numbers", mixed[1], [0, 1] * 10)


def test_another_kind_of_table_is_refused(mixed):
    refused(*mixed, TypeError, "same kind of table", [[1.0, "a"]], ["no"])


def test_as_many_labels_as_rows(mixed):
    refused(*mixed, ValueError, "X has 20 rows and y has 1", mixed[1], ["no"])


def test_a_new_category_is_answered_and_learnt_later(mixed):
    model, _ = mixed
    new = pd.DataFrame({"n": [3.5] * 30, "c": ["z"] * 30})
    model.partial_fit(new, ["no"] * 30)
    assert model.history_.n_rows == 30
    assert "z" in model.model_.columns[1].categories


def test_a_new_class_is_a_mistake_until_it_is_learnt(mixed):
    model, frame = mixed
    model.partial_fit(frame, ["maybe"] * 20)
    assert model.history_.accuracy == 0.0
    assert model.classes_.tolist() == ["maybe", "no", "yes"]
    assert model.predict_proba(frame).shape == (20, 3)


def test_a_class_without_error_costs_is_refused():
    costs = tw.Costs(errors={"no": {"yes": 5}, "yes": {"no": 2}})
    model = StreamingTree(tw.CostTreeClassifier(costs=costs)).partial_fit([[1.0], [2.0]], ["no", "yes"])
    with pytest.raises(tw.CostError, match="maybe"):
        model.partial_fit([[1.0]], ["maybe"])
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.predict([[1.0]]).tolist() == ["no"]


def test_parameters_are_checked():
    X, y = [[1.0], [2.0]], [0, 1]
    with pytest.raises(ValueError, match="'refit' parameter of StreamingTree"):
        StreamingTree(SMALL, refit=1.0).partial_fit(X, y)
    with pytest.raises(ValueError, match="needs the size"):
        StreamingTree(SMALL, keep="sample").partial_fit(X, y)
    with pytest.raises(TypeError, match="learner of classes"):
        StreamingTree(tw.CostTreeRegressor()).partial_fit(X, y)
    with pytest.raises(NotFittedError, match="not seen a row"):
        StreamingTree(SMALL).predict(X)


def test_fit_begins_anew():
    model = StreamingTree(SMALL).partial_fit([[1.0], [2.0]], ["a", "b"])
    model.fit([[1.0], [2.0]], ["c", "d"])
    assert model.classes_.tolist() == ["c", "d"]
    assert model.n_rows_ == 2


def test_classes_may_be_announced():
    model = StreamingTree(SMALL).partial_fit([[1.0], [2.0]], [0, 1], classes=[0, 1, 2])
    assert model.predict_proba([[1.0]]).tolist() == [[1.0, 0.0, 0.0]]


def test_a_batch_that_the_learner_refuses_is_not_kept():
    X = np.arange(20.0).reshape(-1, 1)
    y = np.repeat([0, 1], 10)
    model = StreamingTree(DecisionTreeClassifier(monotonic_cst=[1]), drift=None).partial_fit(X, y)
    with pytest.raises(ValueError, match="multiclass"):  # found when it learns again
        model.partial_fit(X, y + 2)
    assert (model.n_rows_, model.history_.n_rows, model.classes_.tolist()) == (20, 0, [0, 1])
    assert model.partial_fit(X, y).history_.n_refits == 2


@pytest.mark.parametrize("value", [np.nan, np.inf, -1e200])
def test_a_window_refuses_numbers_whose_squares_are_none(value):
    window = _core.AdaptiveWindow(0.002)
    with pytest.raises(ValueError, match="up to 1e150"):
        window.add(np.array([1.0, value]))
    assert window.count == 0
