"""`evaluate_stream`: answered first, learnt from later, with a delay where labels are late."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import thriftwood as tw
from thriftwood.streams.evaluating import batches_of


class Parrot:
    """Answers with the number of rows it has learnt from; notes what it was told and when."""

    def __init__(self):
        self.told, self.calls = [], []

    def partial_fit(self, X, y, classes=None):
        self.calls.append(("learn", X[:, 0].astype(int).tolist()))
        self.told.append(None if classes is None else list(classes))
        self.classes_ = np.array([0, 1])
        self.n_features_in_ = 1
        return self

    def fit(self, X, y):
        return self

    def predict(self, X):
        self.calls.append(("answer", X[:, 0].astype(int).tolist()))
        return np.zeros(len(X), dtype=int)

    def __sklearn_tags__(self):
        return GaussianNB().__sklearn_tags__()


def test_each_batch_is_answered_then_learnt():
    model = Parrot()
    history = tw.evaluate_stream(model, (np.arange(6.0)[:, None], [0, 0, 0, 0, 1, 0]), batch=2)
    assert model.calls == [
        ("learn", [0, 1]),
        ("answer", [2, 3]),
        ("learn", [2, 3]),
        ("answer", [4, 5]),
        ("learn", [4, 5]),
    ]
    assert model.told == [[0], None, None]
    assert (history.n_rows, history.accuracy) == (4, 0.75)


def test_labels_come_late():
    model = Parrot()
    history = tw.evaluate_stream(model, (np.arange(8.0)[:, None], [0, 1] * 4), batch=2, delay=3)
    learnt = [rows for what, rows in model.calls if what == "learn"]
    # After 2 rows none is 3 old, after 4 one is, after 6 three.
    assert learnt == [[0], [1], [2], [3], [4]]
    assert model.calls.index(("answer", [4, 5])) < model.calls.index(("learn", [1]))
    assert history.n_rows == 4


def test_models_of_other_libraries_pay_for_all_columns():
    stream = tw.make_stream("sea", random_state=0)
    costs = tw.Costs({"x0": 1, "x1": 2, "x2": 4})
    history = tw.evaluate_stream(GaussianNB(), stream, 3000, costs=costs)
    assert history.mean_test_cost == 7.0
    assert history.accuracy > 0.8
    assert history.mean_error_cost == pytest.approx(1 - history.accuracy)


def test_it_agrees_with_the_trees_own_record():
    growth = tw.Growth(max_depth=4)
    model = tw.StreamingTree(tw.CostTreeClassifier(growth=growth))
    history = tw.evaluate_stream(model, tw.make_stream("sea", random_state=2), 5000, batch=500)
    assert repr(history) == repr(model.history_)


def test_a_model_goes_on_from_what_it_knows():
    model = tw.StreamingTree(tw.CostTreeClassifier(growth=tw.Growth(max_depth=4)))
    stream = tw.make_stream("sea", random_state=2)
    tw.evaluate_stream(model, stream, 1000)
    assert tw.evaluate_stream(model, stream, 1000).n_rows == 1000


def test_streams_of_every_kind_give_batches():
    table = np.arange(5.0)[:, None], np.arange(5)
    assert [len(y) for _, y in batches_of(table, None, 2)] == [2, 2, 1]
    assert [len(y) for _, y in batches_of([table, table], 7, 2)] == [5, 2]
    assert [len(y) for _, y in batches_of(tw.make_stream("sea"), 5, 2)] == [2, 2, 1]


@pytest.mark.parametrize(
    ("model", "stream", "settings", "error", "words"),
    [
        (tw.CostTreeClassifier(), ([[1.0]], [0]), {}, TypeError, "Wrap it: tw.StreamingTree"),
        (Parrot(), tw.make_stream("sea"), {}, ValueError, "no end"),
        (Parrot(), 3, {}, TypeError, "A stream is one of"),
        (Parrot(), ([[1.0]], [0]), {"batch": 0}, ValueError, "batch must be"),
        (Parrot(), ([[1.0]], [0]), {"delay": -1}, ValueError, "delay must be"),
        (Parrot(), ([[1.0]], [0]), {"n_rows": 0}, ValueError, "n_rows must be"),
    ],
)
def test_wrong_calls_are_named(model, stream, settings, error, words):
    with pytest.raises(error, match=words):
        tw.evaluate_stream(model, stream, **settings)
