"""What may turn up in mid-stream, and weights: the same facts for every learner of streams."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.neighbors import KNeighborsClassifier

import thriftwood as tw

MAKERS = {
    "streaming": lambda **given: tw.StreamingTree(tw.algorithm("c45", **given), window=1000),
    "hoeffding": lambda **given: tw.algorithm("hoeffding", sample=50, **given),
    "hoeffding, bayes": lambda **given: tw.algorithm("hoeffding", sample=50, leaves="bayes", **given),
    "hat, adaptive": lambda **given: tw.algorithm(
        "hoeffding", sample=50, leaves="adaptive", drift=0.01, **given
    ),
    "efdt": lambda **given: tw.algorithm("efdt", sample=50, **given),
    "iti": lambda **given: tw.algorithm("iti", **given),
    "id5r": lambda **given: tw.algorithm("id5r", **given),
    "id4": lambda **given: tw.algorithm("id4", **given),
}
LEARNERS = pytest.mark.parametrize("name", MAKERS)
OF_NUMBERS = pytest.mark.parametrize("name", [name for name in MAKERS if name not in ("id5r", "id4")])


def cases(name, n=300, seed=0):
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, n)
    numbers = y + random.normal(scale=0.5, size=n)
    if name in ("id5r", "id4"):  # ID3 and its kin know categories only
        numbers = np.where(numbers > 0.5, "high", "low")
    colours = np.array(["red", "blue", "green"])[random.integers(0, 3, n)]
    return pd.DataFrame({"n": numbers, "c": colours}), np.array(["well", "ill"])[y]


def learnt(name, **given):
    X, y = cases(name)
    return MAKERS[name](**given).partial_fit(X, y), X, y


def answers(model, X):
    return model.predict(X).tolist(), model.predict_proba(X).tolist()


def refused(model, X, y, words, test, labels=("ill",)):
    """A bad batch is an error that says so, changes nothing, and the stream goes on."""
    before = answers(model, X)
    with pytest.raises((ValueError, TypeError), match=words):
        model.partial_fit(test, list(labels))
    assert answers(model, X) == before
    model.partial_fit(X[:20], y[:20])
    assert len(model.predict(X)) == len(X)


@LEARNERS
def test_a_missing_or_renamed_column_is_refused(name):
    model, X, y = learnt(name)
    refused(model, X, y, r"missing:\n- n", X[:1].drop(columns="n"))
    refused(model, X, y, r"missing:\n- n", X[:1].rename(columns={"n": "m"}))


@OF_NUMBERS
def test_text_in_a_column_of_numbers_is_refused(name):
    model, X, y = learnt(name)
    refused(model, X, y, "three|number", pd.DataFrame({"n": ["three"], "c": ["red"]}))


@LEARNERS
def test_labels_of_another_type_or_number_are_refused(name):
    model, X, y = learnt(name)
    refused(model, X, y, "all as numbers", X[:1], [1])
    refused(model, X, y, "1|2", X[:1], ["ill", "ill"])


@LEARNERS
def test_a_class_that_error_costs_do_not_know_is_refused(name):
    errors = {"well": {"ill": 5}, "ill": {"well": 9}}
    model, X, y = learnt(name, costs=tw.Costs(errors=errors))
    refused(model, X, y, "dead", X[:1], ["dead"])


@LEARNERS
def test_a_new_class_becomes_known(name):
    model, X, _ = learnt(name)
    many = pd.concat([X[:1]] * 400, ignore_index=True)
    model.partial_fit(many, ["dead"] * 400)
    for _ in range(3):  # until it has learnt again
        model.partial_fit(many, ["dead"] * 400)
    assert model.classes_.tolist() == ["dead", "ill", "well"]
    assert model.predict_proba(X).shape[1] == 3
    assert model.predict(X[:1])[0] == "dead"


@LEARNERS
def test_classes_come_in_any_container(name):
    X, y = cases(name)
    learner = MAKERS[name]().partial_fit(X, pd.Series(y, dtype=object))
    assert learner.classes_.dtype.kind == "U"
    learner.partial_fit(X[:3], ["well", "ill", "dead"])
    learner.partial_fit(X[:3], np.array(["well", "ill", "hurt"]))
    assert learner.classes_.tolist() == ["dead", "hurt", "ill", "well"]
    with pytest.raises(ValueError, match=r"y has labels such as 1, and those of the stream so far"):
        learner.partial_fit(X[:3], [1, 1, 2])


@LEARNERS
def test_a_new_category_is_answered_and_learnt_without_an_error(name):
    model, X, _ = learnt(name)
    strange = pd.concat([X[:1].assign(c="mauve")] * 50, ignore_index=True)
    assert model.predict(pd.concat([strange, X]))[0] in ("ill", "well")
    model.partial_fit(strange, ["ill"] * 50)
    assert len(model.predict(pd.concat([strange, X]))) == 350


@OF_NUMBERS
def test_missing_values_may_come_at_any_time(name):
    model, X, y = learnt(name)
    gone = X[:5].assign(n=np.nan, c=None)
    model.partial_fit(gone, y[:5])
    assert len(model.predict(gone)) == 5


@pytest.mark.parametrize("name", ["id5r", "id4"])
def test_missing_values_are_refused_as_by_id3(name):
    model, X, y = learnt(name)
    refused(model, X, y, "no value in row 0", X[:1].assign(n=None))


# Weights


@pytest.mark.parametrize("name", [name for name in MAKERS if name != "streaming"])
def test_a_case_that_weighs_two_is_a_case_that_comes_twice(name):
    X, y = cases(name)
    weights = np.random.default_rng(1).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), weights)
    weighed = MAKERS[name]().partial_fit(X, y, sample_weight=weights)
    given = MAKERS[name]().partial_fit(X.iloc[rows], y[rows])
    assert weighed.tree_.to_json() == given.tree_.to_json()
    assert answers(weighed, X) == answers(given, X)
    with pytest.raises(ValueError, match=r"whole numbers. Got 0.5 in row 1"):
        weighed.partial_fit(X[:2], y[:2], sample_weight=[1, 0.5])


def test_weights_reach_the_learner_of_a_streaming_tree():
    X, y = cases("streaming")
    weights = np.random.default_rng(1).random(len(y)) * 3
    learner = tw.algorithm("c45")
    model = tw.StreamingTree(learner, refit=1.01)
    for begin in range(0, 300, 100):
        some = slice(begin, begin + 100)
        model.partial_fit(X[some], y[some], sample_weight=None if begin == 0 else weights[some])
    weights[:100] = 1.0
    assert model.model_ == learner.fit(X, y, sample_weight=weights).tree_
    windowed = tw.StreamingTree(learner, window=100, refit=1.01)
    for begin in range(0, 300, 50):
        some = slice(begin, begin + 50)
        windowed.partial_fit(X[some], y[some], sample_weight=weights[some])
    assert windowed.model_ == learner.fit(X[200:], y[200:], sample_weight=weights[200:]).tree_


def test_weights_are_checked():
    X, y = cases("streaming")
    model = tw.StreamingTree(tw.algorithm("c45")).partial_fit(X, y)
    with pytest.raises(ValueError, match="one number per case"):
        model.partial_fit(X, y, sample_weight=[1.0])
    assert model.n_rows_ == 300

    with pytest.raises(TypeError, match="KNeighborsClassifier learns without weights"):
        tw.StreamingTree(KNeighborsClassifier()).partial_fit(X, y, sample_weight=np.ones(300))


@LEARNERS
def test_a_batch_that_weighs_nothing_is_checked_and_not_learnt(name):
    X, y = cases(name)
    model = MAKERS[name]().partial_fit(X[:1], y[:1], sample_weight=[0])  # before anything was learnt
    model.partial_fit(X, y)
    before = answers(model, X)
    assert before == answers(MAKERS[name]().partial_fit(X, y), X)
    model.partial_fit(X[:1], y[:1], sample_weight=[0])
    assert answers(model, X) == before
    with pytest.raises(ValueError, match=r"missing:\n- n"):
        model.partial_fit(X[:1].drop(columns="n"), y[:1], sample_weight=[0])
    with pytest.raises(ValueError, match="all as numbers"):
        model.partial_fit(X[:1], [1], sample_weight=[0])
    with pytest.raises(ValueError, match="zero for every case"):
        model.fit(X[:1], y[:1], sample_weight=[0])
    assert answers(model, X) == before


@pytest.mark.parametrize("name", ["hoeffding", "iti"])
def test_a_case_is_not_learnt_a_billion_times(name):
    model, X, y = learnt(name)
    for weight in (1e12, 1e30):
        with pytest.raises(ValueError, match=r"adds up to 1e\+\d+, and more than 1e\+08"):
            model.partial_fit(X[:1], y[:1], sample_weight=[weight])
    assert len(model.predict(X)) == 300


@pytest.mark.parametrize("batch", [10, 200])  # before it is time to learn again, and when it is
def test_weights_that_the_learner_refuses_are_not_kept(batch):
    X, y = cases("hoeffding")
    model = tw.StreamingTree(tw.algorithm("hoeffding", sample=50), refit=1.5).partial_fit(X, y)
    with pytest.raises(ValueError, match=r"whole numbers. Got 0.5 in row 0"):
        model.partial_fit(X[:batch], y[:batch], sample_weight=0.5)
    assert (model.n_rows_, model.history_.n_rows, len(model.kept_[1])) == (300, 0, 300)
    model.partial_fit(X[:200], y[:200], sample_weight=2)
    assert (model.n_rows_, model.history_.n_rows, model.history_.n_refits) == (500, 200, 2)


def test_a_window_that_weighs_nothing_leaves_the_model_as_it_is():
    X, y = cases("streaming")
    learner = tw.CostTreeClassifier()
    first = np.repeat([1.0, 0.0], [50, 150])
    model = tw.StreamingTree(learner, window=100).partial_fit(X[:200], y[:200], sample_weight=first)
    assert model.n_rows_ == 200
    with pytest.raises(NotFittedError, match="not seen a row that counts"):
        model.predict(X)
    model.partial_fit(X[200:], y[200:])
    before = model.model_
    assert before == learner.fit(X[200:], y[200:]).tree_
    model.partial_fit(X[:200], y[:200], sample_weight=first)
    assert model.model_ is before
    assert (model.n_rows_, model.history_.n_rows, model.history_.n_refits) == (500, 200, 1)


def test_a_stream_goes_on_with_its_weights():
    X, y = cases("streaming")
    weights = np.random.default_rng(2).random(300) * 3
    model = tw.StreamingTree(tw.algorithm("c45"), window=200, refit=1.01)
    assert model.partial_fit(X[:100], y[:100]).kept_weights_ is None
    model.partial_fit(X[100:], y[100:], sample_weight=weights[100:])
    assert model.kept_weights_.tolist() == weights[100:].tolist()
    other = tw.StreamingTree(tw.algorithm("c45"), window=200, refit=1.01)
    other.resume(*model.kept_, model.history_, model.n_rows_, sample_weight=model.kept_weights_)
    assert other.model_ == model.model_
    assert (other.n_rows_, other.history_.n_rows) == (300, 200)
    assert other.kept_weights_.tolist() == model.kept_weights_.tolist()
