"""Hoeffding trees: when a test is made, what prices do, bounded memory, drift, mid-stream."""

import copy
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood import _core
from thriftwood.streams import HoeffdingTreeClassifier


def coin(n, accuracy, random_state=0):
    """Two codes; the first tells the class so often, the second never."""
    random = np.random.default_rng(random_state)
    y = random.integers(0, 2, n)
    told = np.where(random.random(n) < accuracy, y, 1 - y)
    return np.column_stack([told, random.integers(0, 2, n)]).astype(float), y


def test_a_test_is_made_when_the_bound_allows_it():
    # Of 20 cases a test tells the class of 16: its gain is 1 - H(0.8) = 0.278 bits, that of the other 0.
    # Their difference must exceed eps = R sqrt(ln(1e7) / 2n), R = 1: n > ln(1e7) / (2 * 0.278^2) = 104 cases.
    y = np.tile([1] * 10 + [0] * 10, 6)
    X = np.column_stack([np.tile([1] * 8 + [0] * 2 + [1] * 2 + [0] * 8, 6), np.tile([0, 1], 60)])
    model = HoeffdingTreeClassifier(grace=20, tau=0.0, sample=2)
    assert model.partial_fit(X[:100], y[:100]).tree_.n_nodes == 1
    assert model.partial_fit(X[100:120], y[100:120]).tree_.features_used == ("x0",)


def test_the_bound_is_hoeffdings():
    # With tau the first test comes at the first look where sqrt(ln(1/delta) / 2n) < tau.
    X, y = coin(20_000, 0.6)
    X = X[:, [0, 0]]  # two tests that are equal: only tau decides
    n = math.log(1e7) / (2 * 0.05**2)
    before, after = (int(n // 200) * 200, int(n // 200 + 1) * 200)
    assert HoeffdingTreeClassifier(sample=2).fit(X[:before], y[:before]).tree_.n_nodes == 1
    assert HoeffdingTreeClassifier(sample=2).fit(X[:after], y[:after]).tree_.n_nodes == 3


def test_noise_makes_no_test():
    X, y = coin(50_000, 0.5)
    assert HoeffdingTreeClassifier().fit(X, y).tree_.n_nodes == 1


@given(
    st.lists(st.integers(1, 400), min_size=1, max_size=8), st.sampled_from(["entropy", "gini", "gain_ratio"])
)
@settings(max_examples=15)
def test_batches_do_not_matter(sizes, criterion):
    X, y = tw.make_stream("agrawal", random_state=1).take(3000)
    at_once = HoeffdingTreeClassifier(criterion, sample=500).partial_fit(X[:500], y[:500])
    at_once.partial_fit(X[500:], y[500:])
    in_parts = HoeffdingTreeClassifier(criterion, sample=500).partial_fit(X[:500], y[:500])
    begin = 500
    for size in [*sizes, 3000]:
        if begin < 3000:
            in_parts.partial_fit(X[begin : begin + size], y[begin : begin + size])
            begin += size
    assert in_parts.tree_.to_json() == at_once.tree_.to_json()


def test_single_rows_of_the_core_are_the_same():
    X, y = tw.make_stream("sea", random_state=1).take(5000)
    one, other = (HoeffdingTreeClassifier().partial_fit(X[:1000], y[:1000]) for _ in range(2))
    one.partial_fit(X[1000:], y[1000:])
    for row, label in zip(X[1000:], y[1000:].tolist(), strict=True):
        other._native.learn_row(row, label)
    other._finished = None
    assert one.tree_.to_json() == other.tree_.to_json()


def test_the_counts_are_those_of_the_cases():
    X, y = tw.make_stream("agrawal", random_state=0).take(20_000)
    tree = HoeffdingTreeClassifier().fit(X, y).tree_
    assert tree.n_leaves > 3
    np.testing.assert_allclose(list(tree.counts(0).values()), np.bincount(y))


def test_a_dear_test_is_made_when_it_is_worth_its_price():
    X, y = coin(20_000, 0.9)
    X = np.column_stack([X[:, 0], np.where(np.random.default_rng(5).random(20_000) < 0.8, y, 1 - y)])

    def first(price):
        costs = tw.Costs({"x0": price, "x1": 1}, errors_default=20)
        model = HoeffdingTreeClassifier("min-total-cost", costs=costs, nominal_features=[0, 1]).fit(X, y)
        return model.tree_.features_used[0]

    # x0 saves 20 * (0.5 - 0.1) = 8, x1 20 * (0.5 - 0.2) = 6 of the bill.
    assert first(2) == "x0"
    assert first(5) == "x1"


def test_a_test_that_saves_less_than_it_costs_is_never_made():
    X, y = coin(20_000, 0.8)
    costs = tw.Costs({"x0": 7, "x1": 1}, errors_default=20)  # x0 saves 6
    assert HoeffdingTreeClassifier("min-total-cost", costs=costs).fit(X, y).tree_.n_nodes == 1


@pytest.mark.parametrize("criterion", ["eg2", "idx", "cs-id3", "cstree", "leaf-cost", "gini-loss", "pm"])
def test_criteria_of_the_core_learn_streams(criterion):
    X, y = tw.make_stream("sea", noise=0.05, random_state=0).take(20_000)
    costs = tw.Costs({"x0": 1, "x1": 2, "x2": 3}, errors=[[0, 50], [60, 0]])
    model = tw.algorithm("hoeffding", criterion=criterion, costs=costs).fit(X, y)
    assert model.tree_.n_nodes > 1
    assert "x2" not in model.tree_.features_used[:2]
    assert tw.bill(model, X, y).mean_test_cost > 0


def test_answers_are_the_cheapest():
    X, y = coin(5000, 0.7)
    costs = tw.Costs(errors=[[0, 1], [30, 0]])
    model = HoeffdingTreeClassifier(costs=costs).fit(X, y)
    assert set(model.predict(X)) == {1}


def test_it_is_asked_and_kept_like_any_tree(tmp_path):
    stream = tw.make_stream("agrawal", function=1, noise=0.0)
    X, y = stream.take(20_000)
    frame = pd.DataFrame(X, columns=list(stream.feature_names))
    costs = tw.Costs(dict.fromkeys(stream.feature_names, 2.0))
    model = tw.algorithm("efdt", costs=costs).fit(frame, y)
    case = model.consult()
    assert case.next_test == "age"
    case.answer(30)
    assert case.bill == 2.0
    model.save(tmp_path / "tree.json")
    assert tw.load(tmp_path / "tree.json").text() == model.tree_.text()
    assert "age" in tw.export_python(model.tree_)
    assert "age <= " in str(model.tree_)


def test_memory_is_bounded_by_the_leaves():
    X, y = tw.make_stream("hyperplane", random_state=0).take(60_000)
    model = HoeffdingTreeClassifier(max_leaves=8, bins=16, delta=0.1).fit(X, y)
    assert model.tree_.n_leaves == 8
    assert model.nbytes_ < 15 * (10 * 17 * 2 * 4 + 600)
    assert HoeffdingTreeClassifier(max_depth=2, delta=0.1).fit(X, y).tree_.depth == 2


def test_efdt_makes_tests_earlier_and_makes_them_again():
    X, y = coin(800, 0.75)
    X[:, 1] = np.where(np.random.default_rng(1).random(800) < 0.72, y, 1 - y)
    assert HoeffdingTreeClassifier(tau=0.0, sample=2).fit(X, y).tree_.n_nodes == 1
    model = HoeffdingTreeClassifier(revise=True, tau=0.0, sample=2).fit(X, y)
    assert model.tree_.n_nodes > 1
    first = model.tree_.features_used[0]
    other = 1 if first == "x0" else 0
    random = np.random.default_rng(2)
    labels = random.integers(0, 2, 40_000)
    later = np.zeros((40_000, 2))
    later[:, other], later[:, 1 - other] = labels, random.integers(0, 2, 40_000)
    model.partial_fit(later, labels)
    assert model.tree_.features_used[0] != first


def test_drift_is_followed_where_nodes_watch():
    def accuracy(**drift):
        stream = tw.make_stream("agrawal", function=1, drift_every=20_000, noise=0.0, random_state=0)
        return tw.evaluate_stream(HoeffdingTreeClassifier(**drift), stream, 60_000).accuracy

    assert accuracy(drift=0.002) > accuracy() + 0.03


@pytest.mark.parametrize("leaves", ["counts", "bayes"])
def test_a_leaf_where_answers_get_dearer_forgets_what_it_counted(leaves):
    X, y = coin(20_000, 0.9)
    X, y = X[:, :1], np.zeros(20_000, dtype=int)  # one leaf: there is nothing to tell
    stays = HoeffdingTreeClassifier(leaves=leaves).fit(X, y)
    forgets = HoeffdingTreeClassifier(leaves=leaves, drift=0.002).fit(X, y)
    for model in (stays, forgets):
        model.partial_fit(X[:500], 1 - y[:500])
    assert set(stays.predict(X)) == {0}
    assert set(forgets.predict(X)) == {1}
    assert forgets.tree_.counts(0)[1] > 400 > 2 > forgets.tree_.counts(0)[0]


def test_missing_values_and_text_are_learnt():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 5000)
    colour = np.where(random.random(5000) < 0.9, np.array(["red", "blue"])[y], None)
    model = HoeffdingTreeClassifier().fit(pd.DataFrame({"colour": colour}), y)
    assert model.score(pd.DataFrame({"colour": ["red", "blue"]}), [0, 1]) == 1.0
    assert model.predict(pd.DataFrame({"colour": [None, "green"]})).shape == (2,)


# In mid-stream


def test_a_new_class_is_learnt_from_its_first_case_on():
    X, y = coin(5000, 0.9)
    model = HoeffdingTreeClassifier().fit(X, np.where(y == 0, "b", "d"))
    before = model.tree_.counts(0)
    model.partial_fit(X[:3], ["c", "a", "c"])
    assert model.classes_.tolist() == ["a", "b", "c", "d"]
    assert model.tree_.counts(0) == {"a": 1.0, "b": before["b"], "c": 2.0, "d": before["d"]}


def test_bad_batches_leave_the_tree_as_it_was():
    frame = pd.DataFrame({"n": np.arange(2000.0), "c": ["a", "b"] * 1000})
    model = HoeffdingTreeClassifier().fit(frame, [0] * 1000 + [1] * 1000)
    before = model.tree_.to_json()
    for bad, words in (
        (pd.DataFrame({"n": ["three"], "c": ["a"]}), "three|number"),
        (pd.DataFrame({"c": ["a"]}), "n"),
    ):
        with pytest.raises((ValueError, TypeError), match=words):
            model.partial_fit(bad, [0])
    with pytest.raises(ValueError, match="all as numbers"):
        model.partial_fit(frame[:1], ["zero"])
    assert model.tree_.to_json() == before
    assert model.partial_fit(frame[:1], [0]).n_rows_ == 2001


def test_settings_are_checked():
    X, y = coin(10, 0.5)
    with pytest.raises(ValueError, match="'delta' parameter"):
        HoeffdingTreeClassifier(delta=0.0).fit(X, y)
    with pytest.raises(ValueError, match="'criterion' parameter"):
        HoeffdingTreeClassifier("lasc").fit(X, y)
    with pytest.raises(ValueError, match="upfront"):
        HoeffdingTreeClassifier("eg2", costs=tw.Costs({"x0": 1, "x1": 1}, payment="upfront")).fit(X, y)
    with pytest.raises(ValueError, match="weighs what tests cost"):
        HoeffdingTreeClassifier("eg2").fit(X, y)


# Kept and taken up again


@pytest.mark.parametrize("drift", [None, 0.002])
def test_a_pickle_goes_on_where_it_was(drift):
    stream = tw.make_stream("agrawal", drift_every=6000, random_state=0)
    X, y = stream.take(15_000)
    model = HoeffdingTreeClassifier(revise=True, drift=drift).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert again.tree_.to_json() == model.tree_.to_json()
    X, y = stream.take(10_000)
    assert again.partial_fit(X, y).tree_.to_json() == model.partial_fit(X, y).tree_.to_json()
    assert copy.deepcopy(HoeffdingTreeClassifier()).get_params() == HoeffdingTreeClassifier().get_params()


@given(st.data())
@settings(max_examples=60)
def test_a_damaged_state_is_refused_or_harmless(data):
    X, y = tw.make_stream("agrawal", random_state=0).take(4000)
    model = HoeffdingTreeClassifier(revise=True, drift=0.002, bins=4, delta=0.1).fit(X, y)
    numbers = model._native.state()
    place = data.draw(st.integers(0, len(numbers) - 1))
    numbers[place] = data.draw(st.sampled_from([-1.0, 0.0, 1.0, 3.0, 1e9, 0.5, np.nan, np.inf]))
    if data.draw(st.booleans()):
        numbers = numbers[: data.draw(st.integers(0, len(numbers)))]
    other = pickle.loads(pickle.dumps(model))
    try:
        other._native.restore(np.ascontiguousarray(numbers))
    except ValueError:
        return
    other.partial_fit(X[:500], y[:500])
    assert len(other.tree_.predict(X[:10])) == 10


def test_a_window_notices_that_a_mean_has_risen():
    random = np.random.default_rng(0)
    window = _core.AdaptiveWindow(0.002)
    assert not window.add((random.random(3000) < 0.2).astype(float))
    assert window.count == 3000
    assert window.add((random.random(1000) < 0.4).astype(float))
    assert window.count < 2000
    assert window.mean == pytest.approx(0.4, abs=0.06)
    assert not window.add((random.random(3000) < 0.05).astype(float))  # it fell
    assert window.mean == pytest.approx(0.05, abs=0.03)


def test_leaves_answer_by_naive_bayes_over_what_was_paid():
    stream = tw.make_stream("hyperplane", random_state=0)
    plain, bayes, adaptive = (
        tw.evaluate_stream(HoeffdingTreeClassifier(leaves=leaves), copy.deepcopy(stream), 20_000).accuracy
        for leaves in ("counts", "bayes", "adaptive")
    )
    assert min(bayes, adaptive) > plain + 0.08


@pytest.mark.parametrize("leaves", ["bayes", "adaptive"])
@pytest.mark.parametrize("settings", [{}, {"revise": True}, {"drift": 0.01}])
def test_what_was_not_paid_never_changes_an_answer_of_naive_bayes(leaves, settings):
    costs = tw.Costs({"x0": 1, "x1": 2, "x2": 4}, errors=[[0, 40], [40, 0]])
    model = HoeffdingTreeClassifier("cstree", costs=costs, leaves=leaves, **settings)
    stream = tw.make_stream("sea", random_state=1)
    for X, y in stream.batches(20_000):
        model.partial_fit(X, y)
    new, labels = stream.take(500)
    inside = model.model_
    assert model.tree_.n_leaves > 2
    asked = inside.asked(inside.table(new), costs)
    assert not asked.all()
    changed = np.where(asked, new, -77.0)
    np.testing.assert_array_equal(model.predict_proba(changed), model.predict_proba(new))
    bill, trees = tw.bill(model, new, labels), tw.bill(model.tree_, new, labels)
    np.testing.assert_array_equal(bill.test_cost, trees.test_cost)
    within = [tw.bill(model, table, labels, budget=2).predicted for table in (new, np.where(asked, new, 3.0))]
    np.testing.assert_array_equal(*within)


def test_naive_bayes_of_one_leaf_is_scikit_learns():
    from sklearn.naive_bayes import GaussianNB

    X, y = tw.make_stream("hyperplane", random_state=2).take(3000)
    model = HoeffdingTreeClassifier(leaves="bayes", grace=10_000).fit(X, y)
    assert model.tree_.n_nodes == 1
    shares = GaussianNB().fit(X, y).predict_proba(X)
    np.testing.assert_allclose(model.predict_proba(X), shares, atol=2e-3)  # less the smoothing by one case


def test_naive_bayes_travels_widens_and_is_consulted(tmp_path):
    stream = tw.make_stream("agrawal", random_state=0)
    X, y = stream.take(6000)
    model = HoeffdingTreeClassifier(leaves="adaptive").fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    more, labels = stream.take(2000)
    for one in (model, again):
        one.partial_fit(more, np.where(np.arange(2000) % 50 == 0, 2, labels))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert model.predict_proba(X).shape[1] == 3
    row = dict(zip(model.model_.feature_names, X[0].tolist(), strict=True))
    case = model.consult()
    while not case.finished:
        case = case.answer(row[case.next_test])
    assert case.result == model.predict(X[:1])[0] == model.decide(row)
    model.save(tmp_path / "stream.json")
    loaded = tw.load(tmp_path / "stream.json")
    assert loaded == model.model_
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert "naive Bayes" in str(loaded)
    with pytest.raises(TypeError, match=r"naive Bayes.*tree_"):
        tw.export_python(model)
