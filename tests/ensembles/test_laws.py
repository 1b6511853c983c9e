"""What holds for every ensemble, on frames with categories and missing values."""

import pickle

import numpy as np
import polars as pl
import pytest
from ensembles.learners import MANY_CLASSES, TWO_CLASSES, made, mixed_table
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

import thriftwood as tw

COSTS = tw.Costs(errors={"ill": {"well": 10}, "well": {"ill": 1}})


@pytest.mark.parametrize("name", TWO_CLASSES)
def test_the_same_answers_for_every_kind_of_table_seed_and_number_of_threads(name):
    X, y = mixed_table()
    model = made(name, COSTS).fit(X, y)
    shares = model.predict_proba(X)
    assert shares.shape == (len(y), 2)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert set(model.predict(X)) <= {"ill", "well"}
    assert model.feature_names_in_.tolist() == ["age", "kind", "noise"]
    for other in (
        made(name, COSTS, n_jobs=2).fit(X, y),
        made(name, COSTS).fit(pl.from_pandas(X), y),
        clone(model).fit(X, y),
        pickle.loads(pickle.dumps(model)),
    ):
        np.testing.assert_array_equal(other.predict_proba(X), shares)
        np.testing.assert_array_equal(other.predict(X), model.predict(X))
    np.testing.assert_array_equal(model.predict_proba(pl.from_pandas(X)[:, ::-1]), shares)  # by name


@pytest.mark.parametrize("name", MANY_CLASSES)
def test_three_classes_and_a_class_that_bags_may_miss(name):
    X, y = mixed_table(n_classes=3)
    rare = np.flatnonzero(y == "dying")[3:]
    X, y = X.drop(index=rare), np.delete(y, rare)
    costs = tw.Costs(errors=[[0, 5, 5], [2, 0, 1], [9, 1, 0]])
    model = made(name, costs).fit(X, y)
    assert model.classes_.tolist() == ["dying", "ill", "well"]
    assert model.predict_proba(X).shape == (len(y), 3)
    assert (model.predict(X) == y).mean() > 0.4


@pytest.mark.parametrize("name", TWO_CLASSES)
def test_the_unit_of_money_does_not_matter(name):
    X, y = mixed_table(80)
    one, other = COSTS, tw.Costs(errors={"ill": {"well": 80}, "well": {"ill": 8}})
    answers = [made(name, costs).fit(X, y).predict(X).tolist() for costs in (one, other)]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("name", TWO_CLASSES)
def test_costs_on_the_other_side_turn_answers_round(name):
    X, y = mixed_table()
    careful = made(name, COSTS).fit(X, y).predict(X)
    careless = made(name, tw.Costs(errors={"ill": {"well": 1}, "well": {"ill": 10}})).fit(X, y).predict(X)
    assert (careful == "ill").sum() > (careless == "ill").sum()


@pytest.mark.parametrize("name", ["metacost", "csb2", "adacost", "lp-csb", "b-pet", "costing"])
def test_any_estimator_of_scikit_learn_is_a_base(name):
    X, y = mixed_table()
    X = X[["age", "noise"]].fillna(50.0)
    model = made(name, COSTS, estimator=DecisionTreeClassifier(max_depth=3)).fit(X, y)
    careless = DecisionTreeClassifier(max_depth=3).fit(X, y)
    assert (model.predict(X) == "ill").sum() > (careless.predict(X) == "ill").sum()
    again = made(name, COSTS, estimator=DecisionTreeClassifier(max_depth=3), n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), again.predict_proba(X))
    if name != "metacost":
        assert model.tests_asked(X, COSTS).all()


small_row = st.tuples(
    st.one_of(st.none(), st.floats(-5, 5)), st.sampled_from([None, "a", "b"]), st.integers(0, 2)
)


@settings(max_examples=20, deadline=None)
@pytest.mark.filterwarnings("ignore::thriftwood.CostWarning")
@given(
    st.lists(small_row, min_size=4, max_size=25).filter(
        lambda rows: (
            len({row[2] for row in rows}) > 1
            and all(any(row[f] is not None for row in rows) for f in range(2))
        )
    ),
    st.lists(st.lists(st.integers(1, 9), min_size=3, max_size=3), min_size=3, max_size=3),
    st.integers(0, 3),
)
def test_any_small_table_is_learnt_and_answered(rows, costs, seed):
    X, y = [[number, kind] for number, kind, _ in rows], np.array([label for _, _, label in rows])
    classes = np.unique(y)
    loss = np.array(costs)[np.ix_(classes, classes)].astype(float)
    np.fill_diagonal(loss, 0.0)
    for name in TWO_CLASSES if len(classes) == 2 else MANY_CLASSES:
        model = made(name, tw.Costs(errors=loss), random_state=seed).fit(X, y)
        shares = model.predict_proba(X)
        assert shares.min() >= 0
        np.testing.assert_allclose(shares.sum(axis=1), 1)
        assert set(model.predict(X)) <= set(classes)
        asked = model.tests_asked(X, model.costs)
        assert asked.shape == (len(y), 2)


@pytest.mark.parametrize("name", TWO_CLASSES)
def test_a_single_class_is_the_answer(name):
    costs = tw.Costs(errors_default=1)
    model = made(name, costs).fit([[1.0], [2.0], [3.0]], ["well"] * 3)
    assert model.predict([[1.0], [9.0]]).tolist() == ["well", "well"]


@pytest.mark.parametrize("name", TWO_CLASSES)
def test_mistakes_cost_less_than_those_of_a_tree_that_is_blind_to_costs_on_cases_not_seen(name):
    X, y = mixed_table(600, noise=0.5)
    learnt, unseen = np.arange(600) < 300, np.arange(600) >= 300
    blind = tw.algorithm("c45").fit(X[learnt], y[learnt])
    model = made(name, COSTS).fit(X[learnt], y[learnt])
    own, plain = (tw.bill(who, X[unseen], y[unseen], COSTS) for who in (model, blind))
    assert own.mean_error_cost < 0.75 * plain.mean_error_cost


@pytest.mark.parametrize("name", MANY_CLASSES)
def test_three_classes_cost_less_too(name):
    X, y = mixed_table(600, n_classes=3)
    costs = tw.Costs(errors=[[0, 10, 20], [1, 0, 10], [1, 1, 0]])
    learnt, unseen = np.arange(600) < 300, np.arange(600) >= 300
    blind = tw.algorithm("c45").fit(X[learnt], y[learnt])
    model = made(name, costs).fit(X[learnt], y[learnt])
    own, plain = (tw.bill(who, X[unseen], y[unseen], costs) for who in (model, blind))
    assert own.mean_error_cost < 0.75 * plain.mean_error_cost
