"""Forests: bags, random features, answers by cost."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV

import thriftwood as tw
from thriftwood import _core
from thriftwood.table.native import core_table


def table(seed=0, n_rows=300, n_features=6, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features))
    y = np.digitize(X[:, 0] + X[:, 1] + 0.7 * rng.normal(size=n_rows), np.linspace(-1, 1, n_classes - 1))
    return X, y


X, Y = table()


def test_the_seed_decides_all_and_threads_nothing():
    first = tw.CostForestClassifier(8, oob=True, random_state=3).fit(X, Y)
    again = tw.CostForestClassifier(8, oob=True, random_state=3, n_jobs=3).fit(X, Y)
    other = tw.CostForestClassifier(8, random_state=4).fit(X, Y)
    assert [tree.core for tree in first.trees_] == [tree.core for tree in again.trees_]
    assert np.array_equal(first.predict_proba(X), again.predict_proba(X))
    assert np.array_equal(first.oob_proba_, again.oob_proba_, equal_nan=True)
    assert [tree.core for tree in first.trees_] != [tree.core for tree in other.trees_]


def test_more_trees_begin_with_the_same_ones():
    few, many = (tw.CostForestClassifier(n, random_state=0).fit(X, Y).trees_ for n in (3, 6))
    assert [tree.core for tree in many[:3]] == [tree.core for tree in few]


def test_answers_are_the_mean_of_the_trees():
    forest = tw.CostForestClassifier(7, random_state=0).fit(X, Y)
    one_table = forest.trees_[0].table(X)
    shares = np.mean([tree.core.predict_proba(one_table) for tree in forest.trees_], axis=0)
    assert np.allclose(forest.predict_proba(X), shares)
    assert np.array_equal(forest.predict(X), forest.classes_[shares.argmax(axis=1)])


def test_costs_choose_the_answer():
    costs = tw.Costs(errors=[[0, 1], [6, 0]])
    forest = tw.CostForestClassifier(9, costs=costs, random_state=0).fit(X, Y)
    shares = forest.predict_proba(X)
    assert np.array_equal(forest.predict(X), (6 * shares[:, 1] > shares[:, 0]).astype(int))
    matrices = np.random.default_rng(0).random((len(Y), 2, 2))
    expected = np.einsum("ia,iap->ip", shares, matrices).argmin(axis=1)
    assert np.array_equal(forest.predict(X, error_costs=matrices), expected)


def test_one_tree_on_all_cases_and_features_is_the_tree():
    forest = tw.CostForestClassifier(1, growth=tw.Growth(), bootstrap=False, max_samples=1.0).fit(X, Y)
    assert forest.trees_[0].core == tw.CostTreeClassifier().fit(X, Y).tree_.core


def test_bags_without_replacement_have_each_case_once():
    forest = tw.CostForestClassifier(5, bootstrap=False, random_state=0).fit(X, Y)
    assert {tree.core.weight[0] for tree in forest.trees_} == {round(0.632 * len(Y))}
    drawn = tw.CostForestClassifier(5, max_samples=50, random_state=0).fit(X, Y)
    assert {tree.core.weight[0] for tree in drawn.trees_} == {50}


def test_cases_left_out_are_judged_by_the_other_trees():
    forest = tw.CostForestClassifier(200, oob=True, growth=tw.Growth(max_features="sqrt"), random_state=0)
    forest.fit(X, Y)
    assert not np.isnan(forest.oob_proba_).any()
    left_out = (forest.oob_proba_.argmax(axis=1) == Y).mean()
    fresh_X, fresh_y = table(seed=1)
    assert abs(left_out - (forest.predict(fresh_X) == fresh_y).mean()) < 0.06
    assert (forest.predict(X) == Y).mean() > left_out  # on cases it knows it is better
    assert np.isnan(tw.CostForestClassifier(1, oob=True, random_state=0).fit(X, Y).oob_proba_).any()
    assert not hasattr(forest.set_params(oob=False).fit(X, Y), "oob_proba_")


def test_cases_of_weight_zero_do_not_count():
    weights = np.random.default_rng(2).integers(0, 3, len(Y)).astype(float)
    forest = tw.CostForestClassifier(20, random_state=0).fit(X, Y, sample_weight=weights)
    other = clone(forest).fit(X, np.where(weights > 0, Y, 1 - Y), sample_weight=weights)
    assert [tree.core for tree in forest.trees_] == [tree.core for tree in other.trees_]
    whole = clone(forest).set_params(bootstrap=False, max_samples=1.0).fit(X, Y, sample_weight=weights)
    assert {tree.core.weight[0] for tree in whole.trees_} == {weights.sum()}


def test_as_good_as_scikit_learns():
    (train, y), (fresh, truth) = table(3, 2000, 10, 3), table(4, 2000, 10, 3)
    ours = tw.CostForestClassifier(60, random_state=0).fit(train, y)
    theirs = RandomForestClassifier(60, random_state=0).fit(train, y)
    right = [(model.predict(fresh) == truth).mean() for model in (ours, theirs)]
    assert right[0] > right[1] - 0.015
    assert np.abs(ours.feature_importances_ - theirs.feature_importances_).max() < 0.05


@pytest.mark.parametrize("n_classes", [2, 3])
def test_costs_by_row_choose_answers_and_leave_probabilities_to_the_classes(n_classes):
    X, y = table(5, 400, 6, n_classes)
    rng = np.random.default_rng(5)
    costs = np.where(np.arange(n_classes) == y[:, None], 0.0, rng.exponential(size=(len(y), 1)) ** 2)
    forest = tw.CostForestClassifier(
        30, growth=tw.Growth(max_features="sqrt", min_branch_weight=5), random_state=0
    )
    forest.fit(X, y, error_costs=costs)
    assert tw.savings_score(y, forest.predict(X), costs) > 0.5
    shares = forest.predict_proba(X)
    assert np.allclose(shares.sum(axis=1), 1)
    assert np.allclose(shares.mean(axis=0), np.bincount(y) / len(y), atol=0.03)
    assert [tree.core.weight[0] for tree in forest.trees_] == [len(y)] * 30
    again = clone(forest).set_params(n_jobs=2).fit(X, y, error_costs=costs)
    assert np.array_equal(forest.predict(X), again.predict(X))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5), st.sampled_from([None, "sqrt", 0.5, 1, 2, 7]), st.booleans())
def test_any_table_gives_sound_answers(seed, n_trees, max_features, bootstrap):
    rng = np.random.default_rng(seed)
    columns = [
        rng.choice(["a", "b", "c", None], 25),
        np.where(rng.random(25) < 0.2, np.nan, rng.normal(size=25)),
    ]
    cases = np.array([*columns, np.zeros(25)], dtype=object).T
    y = rng.integers(0, 3, 25)
    growth = tw.Growth(max_features=max_features)
    forest = tw.CostForestClassifier(n_trees, growth=growth, bootstrap=bootstrap, random_state=seed).fit(
        cases, y
    )
    shares = forest.predict_proba(cases)
    assert np.allclose(shares.sum(axis=1), 1)
    assert set(forest.predict(cases)) <= set(forest.classes_)


def test_a_tree_draws_features_too_the_same_for_any_number_of_threads():
    X, y = table(6, 20_000, 5)
    growth = tw.Growth(max_features=2, min_branch_weight=20)
    first, again = (
        tw.CostTreeClassifier(growth=growth, random_state=1, n_jobs=jobs).fit(X, y) for jobs in (1, 3)
    )
    other = tw.CostTreeClassifier(growth=growth, random_state=2).fit(X, y)
    assert first.tree_.core == again.tree_.core
    assert first.tree_.core != other.tree_.core
    roots = {
        tw.CostTreeClassifier(growth=tw.Growth(1, max_features=1), random_state=seed).fit(X, y).tree_[0].test
        for seed in range(40)
    }
    assert roots == {"x0", "x1", "x2", "x3", "x4"}  # with one feature drawn, any may be the first


def test_costs_by_row_have_leaves_that_they_decide_in():
    (train, y), (fresh, truth) = table(7, 1500), table(8, 1500)
    costs, fresh_costs = (
        np.where(np.arange(2) == labels[:, None], 0.0, np.where(labels == 1, 9.0, 1.0)[:, None])
        for labels in (y, truth)
    )
    forest = tw.CostForestClassifier(30, random_state=0).fit(train, y, error_costs=costs)
    alike = clone(forest).set_params(growth=tw.Growth(max_features="sqrt", min_branch_weight=30))
    assert np.array_equal(forest.predict(fresh), alike.fit(train, y, error_costs=costs).predict(fresh))
    pure = clone(forest).set_params(growth=tw.Growth(max_features="sqrt")).fit(train, y, error_costs=costs)
    saved = [tw.savings_score(truth, model.predict(fresh), fresh_costs) for model in (forest, pure)]
    assert saved[0] > saved[1] + 0.05
    assert clone(forest).fit(train, y).trees_[0].n_leaves > 60  # the classes are learnt to the end
    few = clone(forest).fit(train[:100], y[:100], error_costs=costs[:100])
    assert all(tree.n_leaves > 1 for tree in few.trees_)
    scaled = clone(forest).fit(train[:100], y[:100], np.full(100, 0.01), error_costs=costs[:100])
    assert np.array_equal(scaled.predict(fresh), few.predict(fresh))


def test_settings_of_growth_are_reached_where_it_is_none_so_far():
    forest = tw.CostForestClassifier(5, random_state=0).set_params(growth__max_depth=3)
    assert (forest.growth.max_depth, forest.growth.max_features) == (3, "sqrt")
    assert tw.CostForestClassifier(5).growth is None
    assert max(tree.depth for tree in forest.fit(X, Y).trees_) == 3
    search = GridSearchCV(tw.CostForestClassifier(5, random_state=0), {"growth__max_depth": [1, 2]}, cv=2)
    assert search.fit(X, Y).best_estimator_.growth.max_features == "sqrt"


def test_constant_features_do_not_count_as_drawn():
    X = np.c_[np.zeros((50, 9)), np.arange(50.0)]
    y = (np.arange(50) > 20).astype(int)
    growth = tw.Growth(max_features=1)
    for seed in range(5):
        tree = tw.CostTreeClassifier(growth=growth, random_state=seed).fit(X, y)
        assert tree.get_n_leaves() == 2


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"n_estimators": 0}, "'n_estimators' parameter of CostForestClassifier must be a whole number"),
        ({"max_samples": 0.0}, "'max_samples' parameter of CostForestClassifier"),
        ({"max_samples": True}, "'max_samples' parameter"),
        ({"max_samples": 301, "bootstrap": False}, "301 cases cannot be drawn without replacement from 300"),
        ({"bootstrap": "yes"}, "'bootstrap' parameter"),
        ({"growth": tw.Growth(max_features=0)}, "'max_features' parameter of Growth"),
        ({"growth": tw.Growth(max_features=1.5)}, "at most 1.0, 'sqrt' or None"),
        ({"growth": tw.Growth(max_features="log2")}, "'max_features' parameter of Growth"),
        ({"criterion": "lsid3", "growth": tw.Growth()}, "looks ahead by samples"),
        ({"criterion": "ginny"}, "'criterion' parameter of CostForestClassifier .* Did you mean 'gini'"),
        ({"n_jobs": "two"}, "'n_jobs' parameter of CostForestClassifier"),
        ({"criterion": tw.Eg2(w=-1.0)}, "'w' parameter of Eg2"),
        (
            {"criterion__gamma": 1.0},
            "CostForestClassifier has gamma=1.0, which criterion='gini' does not use",
        ),
    ],
)
def test_parameters_out_of_bounds_are_named(parameters, words):
    with pytest.raises(ValueError, match=words):
        tw.CostForestClassifier(5).set_params(**parameters).fit(X, Y)


def test_criteria_that_look_ahead_by_samples_ask_all_features():
    growth = tw.Growth(max_features="sqrt")
    with pytest.raises(ValueError, match="criterion='lsid3' looks ahead by samples"):
        tw.CostTreeClassifier("lsid3", growth=growth).fit(X, Y)


def test_lasc_draws_features_too():
    growth = tw.Growth(nominal="value", max_features=2)
    model = tw.CostTreeClassifier("lasc", costs=tw.Costs(default_price=1), growth=growth)
    trees = [clone(model).set_params(random_state=seed).fit(X, Y).tree_ for seed in range(12)]
    assert len({tree[0].test for tree in trees}) > 2  # without drawing it is x0 or x1
    threads = clone(model).set_params(random_state=5, n_jobs=3).fit(X, Y).tree_
    assert threads.core == trees[5].core


def test_prices_guide_the_trees():
    twins = np.c_[X, X[:, :2]]
    prices = tw.Costs({f"x{i}": 1000 if i < 2 else 1 for i in range(8)})
    forest = tw.CostForestClassifier(10, "eg2", costs=prices, growth=tw.Growth(), random_state=0).fit(
        twins, Y
    )
    assert forest.feature_importances_[:2].sum() < 0.01 < forest.feature_importances_[6:].sum()


def test_forests_are_pickled_and_searched():
    forest = tw.CostForestClassifier(4, random_state=0).fit(X, Y)
    copied = pickle.loads(pickle.dumps(forest))
    assert np.array_equal(copied.predict_proba(X), forest.predict_proba(X))
    grid = {"growth__min_branch_weight": [1, 30], "growth__max_features": [2, None]}
    model = tw.CostForestClassifier(4, growth=tw.Growth(), random_state=0)
    assert GridSearchCV(model, grid, cv=2).fit(X, Y).best_score_ > 0.6


def test_a_forest_without_trees_has_no_answers():
    with pytest.raises(ValueError, match="without trees"):
        _core.mean_proba([], core_table(*_encoded()))


def _encoded():
    encoder = tw.table.Encoder()
    return encoder.fit_encode([[1.0]]), encoder


def test_messages_name_the_forest_and_not_its_trees():
    with pytest.raises(TypeError, match="'growth' parameter of CostForestClassifier must be a Growth"):
        tw.CostForestClassifier(growth=3).fit(X, Y)
    with pytest.raises(TypeError, match="'costs' parameter of CostForestClassifier must be a Costs"):
        tw.CostForestClassifier(costs=3).fit(X, Y)
    with pytest.raises(ValueError, match="CostForestClassifier has costs with error costs"):
        tw.CostForestClassifier(costs=tw.Costs(errors_default=1)).fit(X, Y, error_costs=np.eye(2)[Y])
    with pytest.raises(
        ValueError, match="CostForestClassifier has gamma=1, which criterion='eg2' does not use"
    ):
        tw.CostForestClassifier(criterion="eg2").set_params(criterion__gamma=1)
    with pytest.raises(ValueError, match="'cost_reuse' parameter of CostTreeClassifier"):
        tw.CostTreeClassifier("eg2", cost_reuse=1, costs=tw.Costs(default_price=1)).fit(X, Y)
