"""Bills of other libraries' models: the columns that each row reads, each once."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    IsolationForest,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import thriftwood as tw

NAMES = ["age", "blood draw", "scan", "noise", "rest"]
PRICES = tw.Costs(
    {
        "age": 1,
        "blood draw": tw.Test(4, needs=["visit"]),
        "scan": tw.Test(9, needs=["visit"]),
        "noise": 2,
        "rest": 3,
    },
    {"visit": 5},
    errors={"ill": {"well": 10}, "well": {"ill": 1}},
)


def clinic(n=160, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 5)), columns=NAMES)
    signal = X["age"] + X["blood draw"] * (X["scan"] > 0) + rng.normal(size=n) / 3
    return X, np.where(signal > 0.3, "ill", "well")


def plain_cost(asked, costs=PRICES):
    return [costs.total([NAMES[j] for j in np.flatnonzero(row)]) for row in asked]


def by_decision_path(trees, values):
    """The columns on each row's paths, as scikit-learn itself tells the nodes of a path."""
    asked = np.zeros((len(values), 5), dtype=bool)
    for tree in trees:
        path = tree.decision_path(values).tocoo()
        feature = tree.tree_.feature[path.col]
        asked[path.row[feature >= 0], feature[feature >= 0]] = True
    return asked


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(max_depth=3),
        RandomForestClassifier(5, max_depth=2, random_state=0),
        ExtraTreesClassifier(5, max_depth=2, random_state=0),
        GradientBoostingClassifier(n_estimators=4, max_depth=1, random_state=0),
        AdaBoostClassifier(n_estimators=3, random_state=0),
    ],
)
def test_scikit_learn_trees_are_charged_for_the_columns_on_the_paths(model):
    X, y = clinic()
    model.fit(X, y)
    trees = np.ravel(getattr(model, "estimators_", [model]))
    values = X if trees[0] is model else X.to_numpy()
    asked = by_decision_path(trees, values)
    assert not asked.all()
    bill = tw.bill(model, X, y, PRICES)
    np.testing.assert_allclose(bill.test_cost, plain_cost(asked))
    assert bill.accuracy == pytest.approx(model.score(X, y))
    assert bill.total_error_cost == sum(
        {"ill": 10, "well": 1}[truth]
        for truth, said in zip(y, model.predict(X), strict=True)
        if truth != said
    )
    assert {name for row in bill.per_case["tests"] for name in row} <= set(NAMES)
    upfront = tw.bill(model, X, y, PRICES.replace(payment="upfront"))
    used = sorted({NAMES[j] for tree in trees for j in tree.tree_.feature if j >= 0})
    assert set(upfront.test_cost) == {PRICES.total(used)}


def test_a_bag_is_charged_for_the_columns_of_its_members():
    X, y = clinic()
    model = BaggingClassifier(DecisionTreeClassifier(max_depth=1), 3, max_features=2, random_state=3).fit(
        X, y
    )
    asked = np.zeros((len(y), 5), dtype=bool)
    for member, columns in zip(model.estimators_, model.estimators_features_, strict=True):
        asked[:, columns[member.tree_.feature[0]]] = True
    assert 0 < asked[0].sum() < 5
    np.testing.assert_allclose(tw.bill(model, X, y, PRICES).test_cost, plain_cost(asked))
    line = BaggingClassifier(LogisticRegression(), 1, max_features=2, random_state=0).fit(X, y)
    pair = [NAMES[j] for j in line.estimators_features_[0]]
    assert set(tw.bill(line, X, y, PRICES).test_cost) == {PRICES.total(pair)}


def walked(nodes, row, categories=None):
    """The columns that a row reads in a tree of HistGradientBoosting."""
    node, asked = nodes[0], set()
    while not node["is_leaf"]:
        value = row[node["feature_idx"]]
        asked.add(int(node["feature_idx"]))
        left = node["missing_go_to_left"] if np.isnan(value) else value <= node["num_threshold"]
        node = nodes[node["left"] if left else node["right"]]
    return asked


def test_histogram_boosting_is_charged_for_the_columns_on_the_paths():
    X, y = clinic()
    X.loc[::7, "age"] = np.nan
    model = HistGradientBoostingClassifier(max_iter=2, max_leaf_nodes=4, min_samples_leaf=5).fit(X, y)
    trees = [tree.nodes for iteration in model._predictors for tree in iteration]
    asked = np.zeros((len(y), 5), dtype=bool)
    for number, row in enumerate(X.to_numpy()):
        asked[number, list(set().union(*(walked(nodes, row) for nodes in trees)))] = True
    assert not asked.all()
    bill = tw.bill(model, X, y, PRICES)
    np.testing.assert_allclose(bill.test_cost, plain_cost(asked))
    free = tw.bill(model, X, y, PRICES.replace(charge_missing=False))
    np.testing.assert_allclose(free.test_cost, plain_cost(asked & X.notna().to_numpy()))
    assert free.mean_test_cost < bill.mean_test_cost


@pytest.mark.parametrize("told_by", ["age", "scan", "rest"])
def test_histogram_boosting_with_categories_is_charged_for_the_columns_by_their_names(told_by):
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.integers(0, 4, size=(200, 5)).astype(float), columns=NAMES)
    y = np.where(X[told_by] >= 2, "ill", "well")
    for name in ("scan", "rest"):  # scikit-learn moves these to the front
        X[name] = pd.Categorical.from_codes(X[name].astype(int), list("abcd"))
    options = {"max_iter": 1, "max_leaf_nodes": 2, "min_samples_leaf": 5}
    model = HistGradientBoostingClassifier(categorical_features="from_dtype", **options).fit(X, y)
    bill = tw.bill(model, X, y, PRICES)
    assert bill.accuracy == 1
    assert set(map(tuple, bill.per_case["tests"])) == {(told_by,)}


def test_gradient_boosting_pays_for_what_it_begins_with():
    X, y = clinic()
    plain = GradientBoostingClassifier(n_estimators=1, max_depth=1, random_state=0)
    model = GradientBoostingClassifier(
        n_estimators=1, max_depth=1, random_state=0, init=LogisticRegression()
    ).fit(X, y)
    assert set(tw.bill(model, X, y, PRICES).test_cost) == {PRICES.total(NAMES)}
    assert tw.bill(plain.fit(X, y), X, y, PRICES).mean_n_tests == 1
    zero = GradientBoostingClassifier(n_estimators=1, max_depth=1, random_state=0, init="zero").fit(X, y)
    assert tw.bill(zero, X, y, PRICES).mean_n_tests == 1


def test_a_delayed_test_brings_what_is_below_it():
    X = pd.DataFrame({"age": [0, 0, 1, 1, 1], "scan": [0, 1, 0, 1, 1], "rest": [0, 0, 0, 0, 1.0]})
    y = ["a", "a", "b", "c", "d"]
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    assert tree.tree_.feature[0] == 0
    costs = tw.Costs({"age": tw.Test(1, delayed=True), "scan": 10, "rest": 100})
    assert set(tw.bill(tree, X, y, costs).test_cost) == {111}
    plain = tw.Costs({"age": 1, "scan": 10, "rest": 100})
    assert tw.bill(tree, X, y, plain).test_cost[0] == 1


def test_a_delayed_test_that_a_case_lacks_brings_nothing_where_that_is_free():
    """As the till of our own trees has it: what cannot be had is not ordered, and delays nothing."""
    X = pd.DataFrame({"age": [0, 0, 0, 1, 1, 1, np.nan], "scan": [0, 1, 0, 0, 1, 1, 0.0]})
    y = ["a", "a", "a", "b", "c", "c", "a"]
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    assert tree.tree_.feature.tolist() == [0, -2, 1, -2, -2]  # a missing age ends at once, as a low one does
    late = {"age": tw.Test(1, delayed=True), "scan": 10}
    assert tw.bill(tree, X, y, tw.Costs(late)).test_cost.tolist() == [11] * 7
    assert tw.bill(tree, X, y, tw.Costs(late, charge_missing=False)).test_cost.tolist() == [11] * 6 + [0]
    own = tw.CostTreeClassifier().fit(X, y)
    assert own.tree_.features_used == ("age", "scan")
    assert tw.bill(own, X, y, tw.Costs(late)).test_cost.tolist() == [11] * 7
    # Half of the last case goes where the scan is asked, and buys it there: nothing was ordered before.
    assert tw.bill(own, X, y, tw.Costs(late, charge_missing=False)).test_cost.tolist() == [11] * 6 + [5]


def test_other_estimators_are_charged_for_all_columns():
    X, y = clinic()
    whole = PRICES.total(NAMES)
    for model in (SVC(), make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=1))):
        bill = tw.bill(model.fit(X, y), X, y, PRICES)
        assert set(bill.test_cost) == {whole}
        assert bill.accuracy == pytest.approx(model.score(X, y))
        assert set(bill.by_test["test"]) == set(NAMES)
    assert set(tw.bill(DummyClassifier().fit(X, y), X, y, PRICES).test_cost) == {0}


def test_searches_scorers_arrays_and_numbers():
    X, y = clinic()
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]}, cv=2).fit(X, y)
    single = tw.bill(search.best_estimator_, X, y, PRICES)
    np.testing.assert_array_equal(tw.bill(search, X, y, PRICES).test_cost, single.test_cost)
    unnamed = DecisionTreeClassifier(max_depth=1).fit(X.to_numpy(), y)
    assert tw.bill(unnamed, X.to_numpy(), y, tw.Costs({"x0": 7}, default_price=2)).mean_test_cost in (7, 2)
    for model in (DecisionTreeRegressor(max_depth=1), RandomForestRegressor(2, max_depth=1, random_state=0)):
        bill = tw.bill(model.fit(X, X["age"]), X, X["age"], PRICES)
        assert set(bill.test_cost) == {1}
        assert bill.accuracy is None
    assert tw.bill(HistGradientBoostingRegressor(max_iter=1).fit(X, X["age"]), X, None, PRICES).n_cases == 160
    assert tw.bill(IsolationForest(n_estimators=2, random_state=0).fit(X), X, None, PRICES).n_cases == 160


def test_what_cannot_be_billed_is_said():
    X, y = clinic()
    with pytest.raises(ValueError, match="This DecisionTreeClassifier was made without costs"):
        tw.bill(DecisionTreeClassifier().fit(X, y), X, y)
    both = DecisionTreeClassifier().fit(X, np.c_[y, y])
    with pytest.raises(TypeError, match="answers several questions at once"):
        tw.bill(both, X, y, PRICES)


# LightGBM


lightgbm = pytest.importorskip("lightgbm", reason="needs lightgbm")


def lightgbm_paths(booster, values):
    """The columns on each row's paths, from the nested tables that LightGBM dumps, and the leaves reached."""
    asked = np.zeros((len(values), values.shape[1]), dtype=bool)
    leaves = []
    for info in booster.dump_model()["tree_info"]:
        ends = []
        for number, row in enumerate(values):
            node = info["tree_structure"]
            while "split_feature" in node:
                value = row[node["split_feature"]]
                asked[number, node["split_feature"]] = True
                if node["decision_type"] == "==":
                    left = str(int(value)) in node["threshold"].split("||")
                elif np.isnan(value) and node["missing_type"] == "NaN":
                    left = node["default_left"]
                else:
                    left = (0.0 if np.isnan(value) else value) <= node["threshold"]
                node = node["left_child" if left else "right_child"]
            asked[number, node.get("leaf_features", [])] = True
            ends.append(node.get("leaf_index", 0))
        leaves.append(ends)
    return asked, np.array(leaves).T


def boosted(params, X, y, rounds=3, words="auto"):
    own = {"num_leaves": 4, "min_data_in_leaf": 5, "verbose": -1, "num_threads": 1, "seed": 0} | params
    return lightgbm.train(own, lightgbm.Dataset(X, y, categorical_feature=words), rounds)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.integers(1, 4), st.sampled_from(["plain", "linear", "missing", "words"]))
def test_lightgbm_is_charged_for_the_columns_on_the_paths(seed, rounds, kind):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(120, 5)).round(2)
    y = rng.integers(0, 3, 120)
    y[values[:, 1] > 0.5] = 1
    extra = {"linear_tree": True} if kind == "linear" else {}
    words = [2] if kind == "words" else "auto"
    if kind == "missing":
        values[rng.random(values.shape) < 0.2] = np.nan
    if kind == "words":
        values[:, 2] = rng.integers(0, 4, 120)
        extra = {"min_data_per_group": 5}
    booster = boosted({"objective": "multiclass", "num_class": 3} | extra, values, y, rounds, words)
    asked, leaves = lightgbm_paths(booster, values)
    np.testing.assert_array_equal(leaves, booster.predict(values, pred_leaf=True))
    bill = tw.bill(booster, pd.DataFrame(values, columns=NAMES), y, PRICES.replace(errors=None))
    np.testing.assert_allclose(bill.test_cost, plain_cost(asked))
    assert bill.accuracy == pytest.approx((booster.predict(values).argmax(axis=1) == y).mean())


def test_columns_named_like_the_lines_of_a_model_are_no_lines_of_it():
    X, y = clinic()
    names = dict(zip(NAMES, ["split_feature", "num_leaves", "left_child", "Tree", "objective"], strict=True))
    X = X.rename(columns=names)
    own = lightgbm.Dataset(X, (y == "ill").astype(int))
    options = {"num_leaves": 3, "verbose": -1, "num_threads": 1}
    booster = lightgbm.train(options | {"objective": "binary"}, own, 2)
    asked, _ = lightgbm_paths(booster, X.to_numpy())
    assert not asked.all()
    bill = tw.bill(booster, X, costs=tw.Costs(default_price=1))
    np.testing.assert_array_equal(bill.test_cost, asked.sum(axis=1))


def test_the_scikit_learn_face_of_lightgbm():
    X, y = clinic()
    model = lightgbm.LGBMClassifier(n_estimators=2, num_leaves=3, verbose=-1, n_jobs=1).fit(X, y)
    asked, _ = lightgbm_paths(model.booster_, X.to_numpy())
    bill = tw.bill(model, X, y, PRICES)
    np.testing.assert_allclose(bill.test_cost, plain_cost(asked))
    assert bill.accuracy == pytest.approx(model.score(X, y))
    assert "blood draw" in NAMES  # LightGBM itself would call it blood_draw
    assert {name for row in bill.per_case["tests"] for name in row} <= set(NAMES)
    two = boosted({"objective": "binary"}, X.to_numpy(), (y == "ill").astype(int))
    assert tw.bill(two, X.to_numpy(), (y == "ill").astype(int), tw.Costs(default_price=1)).accuracy > 0.7
    numbers = lightgbm.LGBMRegressor(n_estimators=2, verbose=-1, n_jobs=1).fit(X, X["age"])
    assert tw.bill(numbers, X, None, PRICES).accuracy is None
    with pytest.raises(ValueError, match="LGBMClassifier is not fitted yet"):
        tw.bill(lightgbm.LGBMClassifier(), X, y, PRICES)


def test_a_booster_that_was_stopped_early_pays_for_the_trees_it_answers_by():
    X, y = clinic(300)
    values, truth = X.to_numpy(), (y == "ill").astype(int)
    learnt = lightgbm.Dataset(values[:200], truth[:200])
    booster = lightgbm.train(
        {"objective": "binary", "num_leaves": 4, "verbose": -1, "num_threads": 1},
        learnt,
        200,
        valid_sets=[learnt.create_valid(values[200:], truth[200:])],
        callbacks=[lightgbm.early_stopping(3, verbose=False)],
        keep_training_booster=True,
    )
    assert booster.best_iteration < booster.current_iteration()
    asked, leaves = lightgbm_paths(booster, values)
    assert leaves.shape[1] == booster.best_iteration
    np.testing.assert_allclose(
        tw.bill(booster, X, truth, PRICES.replace(errors=None)).test_cost, plain_cost(asked)
    )
    stump = boosted({"objective": "binary", "min_data_in_leaf": 1000}, values, truth)
    assert tw.bill(stump, X, None, PRICES).mean_test_cost == 0


def test_lightgbm_is_not_imported_for_other_models():
    import subprocess
    import sys

    code = (
        "import sys, thriftwood as tw\n"
        "from sklearn.tree import DecisionTreeClassifier\n"
        "tw.bill(DecisionTreeClassifier().fit([[1], [2]], [0, 1]), [[1]], [0], tw.Costs({'x0': 1}))\n"
        "sys.exit('lightgbm' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def lightgbm_model(X, y):
    lightgbm = pytest.importorskip("lightgbm", reason="needs lightgbm")
    return lightgbm.LGBMClassifier(n_estimators=5, num_leaves=4, verbose=-1, n_jobs=1).fit(X, y)


@pytest.mark.parametrize("kind", ["scikit-learn", "lightgbm", "booster", "polars"])
def test_columns_in_another_order_are_the_same_columns(kind):
    X, y = clinic()
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    if kind in ("lightgbm", "booster"):
        model = lightgbm_model(X, y)
        model = model.booster_ if kind == "booster" else model
    labels = None if kind == "booster" else y
    expected = tw.bill(model, X, labels, PRICES)
    turned = X[NAMES[::-1]]
    if kind == "polars":
        turned = pytest.importorskip("polars", reason="needs polars").from_pandas(turned)
    found = tw.bill(model, turned, labels, PRICES)
    np.testing.assert_allclose(found.test_cost, expected.test_cost)
    np.testing.assert_array_equal(found.predicted, expected.predicted)
    assert found.feature_names == expected.feature_names


@pytest.mark.parametrize("kind", ["scikit-learn", "lightgbm"])
def test_a_column_that_is_missing_or_new_is_named(kind):
    X, y = clinic()
    model = lightgbm_model(X, y) if kind == "lightgbm" else DecisionTreeClassifier().fit(X, y)
    with pytest.raises(ValueError, match="yet now missing:\n- scan"):
        tw.bill(model, X.drop(columns="scan"), y, PRICES)
    with pytest.raises(ValueError, match="unseen at fit time:\n- scam"):
        tw.bill(model, X.rename(columns={"scan": "scam"}), y, PRICES)
