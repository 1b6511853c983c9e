"""Columns with many categories: tested where they tell of new cases, and not because they fit anything."""

import warnings

import numpy as np
import pandas as pd
import pytest

import thriftwood as tw
from thriftwood.table.case_names import CaseNamesWarning

N = 3000
COSTS = tw.Costs({"a": 20, "b": 15, "city": 1}, errors={"bad": {"good": 1000}, "good": {"bad": 200}})


def table(seed, n_cities, effect):
    """Cases of a city each; cities differ by `effect`, the rest is told by two numbers."""
    rng = np.random.default_rng(seed)
    a, b, noise = rng.normal(size=(3, 2 * N))
    city = rng.integers(0, n_cities, 2 * N)
    y = np.where(a + b + noise + effect * rng.normal(size=n_cities)[city] > 0.8, "bad", "good")
    return pd.DataFrame({"a": a, "b": b, "city": city.astype(str)}), y


def mean_cost(X, y, *columns, **settings):
    model = tw.algorithm("min-total-cost", costs=COSTS.only(columns), **settings)
    model.fit(X.loc[: N - 1, list(columns)], y[:N])
    return tw.bill(model, X.loc[N:, list(columns)], y[N:]).mean_cost, model


@pytest.mark.parametrize("seed", range(3))
def test_a_city_that_tells_nothing_costs_nothing(seed):
    X, y = table(seed, 1000, effect=0.0)
    without, _ = mean_cost(X, y, "a", "b")
    beside, model = mean_cost(X, y, "a", "b", "city")
    assert beside <= 1.02 * without
    assert "city" not in model.tree_.features_used
    as_any_other, _ = mean_cost(X, y, "a", "b", "city", growth__many_categories=None)
    assert as_any_other > 1.2 * without


def test_a_ward_that_tells_much_is_asked():
    X, y = table(0, 40, effect=2.0)
    without, _ = mean_cost(X, y, "a", "b")
    beside, model = mean_cost(X, y, "a", "b", "city")
    assert "city" in model.tree_.features_used
    assert beside < 0.9 * without


@pytest.mark.parametrize("nominal", ["binary", "multiway", "value", "grouped"])
@pytest.mark.parametrize("weight", [1.0, 1e-6, 3.0])
def test_whatever_the_tests_and_the_unit_of_weights(nominal, weight):
    X, y = table(1, 400, effect=0.0)
    growth = tw.Growth(nominal=nominal, max_depth=3, min_branch_weight=0)
    model = tw.CostTreeClassifier("entropy", growth=growth)
    model.fit(X[["city"]][:N], y[:N], sample_weight=np.full(N, weight))
    assert model.tree_.n_nodes == 1
    growth.many_categories = None
    assert model.fit(X[["city"]][:N], y[:N]).tree_.n_nodes > 1


@pytest.mark.parametrize("effect", [0.0, 3.0])
def test_numbers_to_predict(effect):
    rng = np.random.default_rng(0)
    city = rng.integers(0, 300, N)
    y = rng.normal(size=N) + effect * rng.normal(size=300)[city]
    model = tw.CostTreeRegressor(growth=tw.Growth(max_depth=1)).fit(city.astype(str).reshape(-1, 1), y)
    assert model.tree_.n_nodes == (3 if effect else 1)


def test_a_few_categories_are_tested_as_published():
    X, y = table(2, 20, effect=0.0)
    growth = tw.Growth(nominal="multiway", max_depth=1)
    fitted = tw.CostTreeClassifier("entropy", growth=growth).fit(X[["city"]], y)
    growth = tw.Growth(nominal="multiway", max_depth=1, many_categories=None)
    assert fitted.tree_ == tw.CostTreeClassifier("entropy", growth=growth).fit(X[["city"]], y).tree_


@pytest.mark.parametrize("name", ["id3", "c45", "cart"])
def test_what_is_done_exactly_stays_exact(name):
    assert tw.algorithm(name).growth.many_categories is None


def test_names_of_cases_are_pointed_out():
    names = np.array([[f"patient {number}"] for number in range(100)])
    y = ["a", "b"] * 50
    with pytest.warns(CaseNamesWarning, match="100 categories in 100 rows, .* is not tested"):
        assert tw.CostTreeClassifier().fit(names, y).tree_.n_nodes == 1
    with pytest.warns(CaseNamesWarning, match="fits any table"):
        tw.algorithm("c45").fit(names, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tw.CostTreeClassifier().fit(names[:40], y[:40])


@pytest.mark.parametrize("leaves", ["class", "score", "auto"])
def test_thrift_does_not_ask_for_names_of_cases(leaves):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"fever": rng.normal(size=400), "name": [f"P{number}" for number in range(400)]})
    y = np.where(X["fever"] + 0.7 * rng.normal(size=400) > 0.8, "ill", "well")
    costs = tw.Costs({"fever": 0.5}, errors={"ill": {"well": 900}, "well": {"ill": 60}})
    model = tw.ThriftClassifier(costs, leaves=leaves)
    with pytest.warns(CaseNamesWarning, match="'name' has 400 categories in 400 rows, .* is not asked"):
        model.fit(X, y)
    assert model.model_.features_used == ("fever",)
    without = tw.ThriftClassifier(costs, leaves=leaves).fit(X[["fever"]], y)
    assert (model.predict(X) == without.predict(X[["fever"]])).all()


def test_names_of_cases_are_those_of_the_whole_table_where_a_sample_is_learnt_from(monkeypatch):
    """80 categories are few for 2,000 cases, and would be names of 100; 2,000 names are names."""
    monkeypatch.setattr("thriftwood.learning.thrift.MOST_CELLS", 200)
    place = np.arange(2000) % 80
    X = pd.DataFrame(
        {"place": [f"P{number}" for number in place], "name": [f"N{case}" for case in range(2000)]}
    )
    y = np.where((place < 40), "ill", "well")
    model = tw.ThriftClassifier(tw.Costs({"place": 0.001, "name": 0.001}, errors_default=50), leaves="class")
    with pytest.warns(CaseNamesWarning) as warned:
        model.fit_scan(tw.scan(X.assign(state=y), target="state"))
    assert [str(one.message).partition(",")[0] for one in warned] == ["column 'name' has 2"]
    assert "'name' has 2,000 categories in 2,000 rows" in str(warned[0].message)
    assert model.model_.features_used == ("place",)


@pytest.mark.parametrize("leaves", ["class", "auto"])
def test_thrift_asks_for_names_of_cases_where_that_is_asked_for(leaves):
    # Each household has two cases, of one class: a name tells about the other case.
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"fever": rng.normal(size=200), "household": [f"H{case // 2}" for case in range(200)]})
    y = np.where(np.arange(200) // 2 % 3 == 0, "ill", "well")
    costs = tw.Costs({"fever": 1, "household": 0.01}, errors={"ill": {"well": 50}, "well": {"ill": 20}})
    model = tw.ThriftClassifier(costs, leaves=leaves)
    with pytest.warns(CaseNamesWarning, match="keep it by case_names=True"):
        model.fit(X, y)
    assert "household" not in model.model_.features_used
    with pytest.warns(CaseNamesWarning, match="'household' .* fits any table"):
        model.set_params(case_names=True).fit(X, y)
    assert "household" in model.model_.features_used
    with pytest.raises(ValueError, match=r"'case_names' parameter .* must be True or False. Got 'yes'"):
        model.set_params(case_names="yes").fit(X, y)


@pytest.mark.parametrize("seed", range(3))
def test_weights_that_differ_do_not_make_names_tell(seed):
    rng = np.random.default_rng(seed)
    names = np.array([[f"p{number}"] for number in range(300)])
    y, z = rng.choice(["a", "b"], 300), rng.normal(size=300)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CaseNamesWarning)
        for weights in (rng.uniform(0.01, 1, 300), np.where(np.arange(300) % 2, 1, 2.0)):
            assert tw.CostTreeClassifier().fit(names, y, sample_weight=weights).tree_.n_nodes == 1
            assert tw.CostTreeRegressor().fit(names, z, sample_weight=weights).tree_.n_nodes == 1
        forest = tw.CostForestClassifier(n_estimators=5, random_state=0).fit(names, y)
    assert {tree.n_nodes for tree in forest.trees_} == {1}


def test_the_note_points_to_who_called_fit():
    names = np.array([[f"p{number}"] for number in range(100)])
    for model in (tw.CostTreeClassifier(), tw.CostForestClassifier(n_estimators=1)):
        with pytest.warns(CaseNamesWarning) as caught:
            model.fit(names, ["a", "b"] * 50)
        assert caught[0].filename == __file__


@pytest.mark.parametrize("nominal", ["binary", "multiway", "value", "grouped"])
def test_names_that_tell_nothing_may_still_be_asked_whether_they_are_known(nominal):
    rng = np.random.default_rng(0)
    known = rng.random(N) < 0.5
    names = np.where(known, rng.integers(0, 400, N).astype(str), None).reshape(-1, 1)
    y = np.where(rng.random(N) < 0.1, ~known, known)
    growth = tw.Growth(nominal=nominal, missing="branch", max_depth=2)
    model = tw.CostTreeClassifier(growth=growth).fit(names, y)
    assert (model.tree_.n_nodes, model.predict([["7"], [None]]).tolist()) == (3, [True, False])
    growth.missing = "majority"
    assert model.fit(names, y).tree_.n_nodes == 1
