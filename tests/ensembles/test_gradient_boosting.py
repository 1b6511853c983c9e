"""Gradient boosting that knows prices: what it learns, held to a plain reference, and what it answers."""

import pickle

import numpy as np
import pandas as pd
import pytest
from ensembles.learners import mixed_table
from ensembles.plain_boosting import PlainBooster, shares_of, walk
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import thriftwood as tw

NAMES = ["a", "b", "c", "d"]
PRICES = tw.Costs(
    {
        "a": 1,
        "b": tw.Test(0.5, needs=["spectrum"]),
        "c": tw.Test(0.5, needs=["spectrum"]),
        "d": tw.Test(4, group="blood", after=1),
    },
    {"spectrum": 5},
)
PLAIN = {"stop": None, "cheap_first": 1.0}


def numbers(seed, n_rows=80, n_classes=3, missing=0.0):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n_rows, 4)), 2)
    y = np.digitize(X @ [1, 1, -1, 0.5] + rng.normal(size=n_rows) / 2, np.linspace(-1, 1, n_classes - 1))
    X[rng.random(X.shape) < missing] = np.nan
    return X, y


def frame(X):
    return pd.DataFrame(X, columns=NAMES)


def same_stage(core, plain, node=0):
    """Hold a stage of the core to the plain one, node by node."""
    if plain["children"] is None:
        assert core.kind[node] == 0
        np.testing.assert_allclose(core.values[node], plain["steps"], rtol=1e-9, atol=1e-12)
        return
    assert core.feature[node] == plain["feature"]
    assert core.threshold[node] == pytest.approx(plain["threshold"])
    assert core.gain[node] * core.weight[node] == pytest.approx(plain["gain"], rel=1e-8)
    for branch, child in enumerate(plain["children"]):
        same_stage(core, child, core.first_child[node] + branch)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"cost_weight": 0.02},
        {"cost_weight": 0.2, "max_leaves": 8, "max_depth": 2},
        {"cost_weight": 0.01, "cheap_first": 20.0, "cheap_rounds": 3.0, "l2": 3.0},
        {"cost_weight": 0.02, "stop": 0.6, "learning_rate": 0.5, "min_leaf_weight": 2.0},
    ],
)
def test_stages_are_those_of_the_plain_reference(seed, settings):
    X, y = numbers(seed, n_rows=50, n_classes=2 + seed % 3, missing=0.2 * (seed % 2))
    weights = np.random.default_rng(seed).integers(1, 4, len(y)).astype(float) if seed >= 2 else None
    settings = {"cost_weight": 0.0, "max_leaves": 4, **settings}
    plain = PlainBooster(X, y, y.max() + 1, PRICES, NAMES, weights, **settings).boost(4)
    model = tw.CostGradientBoostingClassifier(
        costs=PRICES, n_estimators=4, bins=255, **(PLAIN | settings)
    ).fit(frame(X), y, sample_weight=weights)
    grown = [stage for stage in plain.stages if stage["children"] is not None]
    stages = model.booster_.core.stages
    assert len(stages) == len(grown)
    for core, stage in zip(stages, grown, strict=True):
        same_stage(core, stage)
    np.testing.assert_allclose(model.booster_.core.start, plain.start)
    expected = np.array([shares_of(row) for row in plain.scores])
    np.testing.assert_allclose(model.set_params(stop=None).predict_proba(frame(X)), expected, rtol=1e-8)


def test_once_a_case_had_one_test_of_a_shared_step_the_others_are_nearly_free():
    X, y = numbers(0, n_rows=400)
    dear = PRICES.replace(tests={"a": 1, "b": 5.5, "c": 5.5, "d": 4}, shared={})
    together, apart = (
        tw.CostGradientBoostingClassifier(costs=costs, cost_weight=0.02, n_estimators=30).fit(frame(X), y)
        for costs in (PRICES, dear)
    )
    bills = [tw.bill(model, frame(X), y, PRICES) for model in (together, apart)]
    both = [np.mean([{"b", "c"} <= set(tests) for tests in bill.per_case["tests"]]) for bill in bills]
    assert both[0] > both[1]


def test_dearer_money_buys_less():
    X, y = numbers(1, n_rows=300)
    spent = [
        tw.bill(
            tw.CostGradientBoostingClassifier(costs=PRICES, cost_weight=w, **PLAIN).fit(frame(X), y), frame(X)
        ).mean_test_cost
        for w in (0.0, 0.003, 0.03, 0.3, 100.0)
    ]
    assert spent == sorted(spent, reverse=True)
    assert spent[0] == pytest.approx(PRICES.total(NAMES))
    assert spent[-1] == 0.0


def test_cheap_tests_come_first():
    X, y = numbers(2, n_rows=300)
    plain, cheap = (
        tw.CostGradientBoostingClassifier(
            costs=PRICES, cost_weight=0.005, cheap_first=factor, stop=None, n_estimators=40
        ).fit(frame(X), y)
        for factor in (1.0, 100.0)
    )
    assert cheap.booster_.features_used[0] == "a"
    first = [tw.bill(model.set_params(stop=0.7), frame(X)).mean_test_cost for model in (plain, cheap)]
    assert first[1] < first[0]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_categories_missing_values_and_every_kind_of_table(n_classes):
    X, y = mixed_table(300, n_classes)
    costs = tw.Costs({"age": 1, "kind": 2, "noise": 3})
    model = tw.CostGradientBoostingClassifier(costs=costs, n_estimators=40, random_state=0).fit(X, y)
    assert (model.predict(X) == y).mean() > 0.75
    shares = model.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    for other in (clone(model).fit(X, y), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(other.predict_proba(X), shares)
        assert other.booster_.core == model.booster_.core
        assert hash(other.booster_.core) == hash(model.booster_.core)
    booster = model.model_
    np.testing.assert_array_equal(booster.predict_proba(X), shares)
    assert pickle.loads(pickle.dumps(booster)) == booster  # though it has been asked
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert model.feature_importances_[2] < min(model.feature_importances_[:2])
    odd = X.iloc[:1].assign(kind="never seen")
    assert model.predict(odd)[0] in model.classes_


def test_a_sparse_table_is_the_same_table():
    X, y = numbers(3, n_rows=200)
    X[np.abs(X) < 0.7] = 0.0
    dense, sparse = (
        tw.CostGradientBoostingClassifier(n_estimators=10).fit(table, y).predict_proba(table)
        for table in (X, csr_matrix(X))
    )
    np.testing.assert_array_equal(dense, sparse)


def test_with_two_classes_no_division_of_categories_gains_more():
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 6, 300)
    y = (rng.random(300) < np.array([0.1, 0.9, 0.2, 0.6, 0.5, 0.8])[kind]).astype(int)
    model = tw.CostGradientBoostingClassifier(
        n_estimators=1, max_leaves=2, nominal_features=[0], min_leaf_weight=1.0
    ).fit(kind[:, None], y)
    stage = model.booster_.core.stages[0]
    share = y.mean()
    gradient, curvature = share - y, share * (1 - share)

    def worth(rows):
        G = gradient[rows].sum()
        return 2 * 0.5 * G**2 / (curvature * rows.sum() + 1)  # the same for both classes

    every = np.ones(300, dtype=bool)
    divisions = [np.isin(kind, [c for c in range(6) if code >> c & 1]) for code in range(1, 63)]
    best = max(worth(side) + worth(~side) - worth(every) for side in divisions)
    assert stage.gain[0] * stage.weight[0] == pytest.approx(best)


def test_missing_values_go_where_they_gained_more():
    rng = np.random.default_rng(0)
    x = np.where(rng.random(200) < 0.3, np.nan, rng.random(200))
    y = (np.isnan(x) | (x > 0.7)).astype(int)  # a missing value is as a large one
    model = tw.CostGradientBoostingClassifier(n_estimators=30, bins=255).fit(x[:, None], y)
    assert (model.predict(x[:, None]) == y).all()
    y = np.isnan(x).astype(int)  # missing against all numbers
    model = tw.CostGradientBoostingClassifier(n_estimators=30, stop=None).fit(x[:, None], y)
    assert (model.predict(x[:, None]) == y).all()


def test_threads_do_not_change_anything():
    X, y = numbers(4, n_rows=9000)
    one, two = (
        tw.CostGradientBoostingClassifier(
            costs=PRICES, n_estimators=6, max_samples=0.7, max_features=0.6, random_state=1, n_jobs=jobs
        ).fit(frame(X), y)
        for jobs in (1, 2)
    )
    assert one.booster_.core == two.booster_.core
    np.testing.assert_array_equal(one.predict_proba(frame(X)), two.predict_proba(frame(X)))
    np.testing.assert_array_equal(
        tw.bill(one, frame(X)).test_cost,
        tw.bill(two, frame(X)).test_cost,
    )


def test_chance_is_the_seeds_alone():
    X, y = numbers(5, n_rows=200)
    made = [
        tw.CostGradientBoostingClassifier(n_estimators=5, max_samples=0.5, random_state=seed).fit(X, y)
        for seed in (0, 0, 1)
    ]
    assert made[0].booster_.core == made[1].booster_.core != made[2].booster_.core


def test_rounds_without_a_stage_are_not_held_against_it():
    iris = tw.load_dataset("iris")
    model = tw.CostGradientBoostingClassifier(
        costs=tw.Costs(dict.fromkeys(iris.X.columns, 20)), cost_weight=0.02, early_stopping=5, random_state=0
    ).fit(iris.X, iris.y)
    assert model.booster_.n_stages > 0
    assert model.score(iris.X, iris.y) > 0.6
    loss = model.validation_loss_
    assert model.booster_.n_stages == loss.argmin()
    assert len(np.unique(loss)) == len(loss)  # an entry per stage, none per round that added nothing


def test_early_stopping_keeps_the_stages_up_to_the_smallest_loss():
    X, y = numbers(6, n_rows=300)
    y = np.where(np.random.default_rng(0).random(300) < 0.3, 0, y)  # noise, so that it overfits
    model = tw.CostGradientBoostingClassifier(early_stopping=5, learning_rate=0.5, random_state=0).fit(X, y)
    loss = model.validation_loss_
    assert model.booster_.n_stages == loss.argmin() < 150
    assert len(loss) == loss.argmin() + 6
    groups = np.arange(300) % 7
    grouped = clone(model).fit(X, y, groups=groups)
    assert grouped.booster_.n_stages == grouped.validation_loss_.argmin()
    with pytest.raises(ValueError, match="groups has one group"):
        model.fit(X, y, groups=np.zeros(300))
    with pytest.raises(ValueError, match="one entry per case"):
        model.fit(X, y, groups=[1, 2])
    with pytest.raises(ValueError, match="leaves no case to hold out"):
        clone(model).set_params(validation=0.01).fit(X[:20], y[:20])


def test_a_sure_answer_asks_nothing_more():
    X, y = numbers(7, n_rows=300)
    model = tw.CostGradientBoostingClassifier(costs=PRICES, cost_weight=0.01, stop=0.8).fit(frame(X), y)
    shares, stages = model.predict_proba(frame(X)), model.n_consulted(frame(X))
    early = stages < model.booster_.n_stages
    assert early.any()
    assert (shares[early].max(axis=1) >= 0.8).all()
    bought = tw.bill(model, frame(X)).per_case["tests"]
    for row, values in enumerate(X[:30]):
        scores, asked = walk(model.booster_, values)
        np.testing.assert_allclose(shares_of(scores), shares[row])
        assert [NAMES[test] for test in asked] == list(bought[row])
    upfront = clone(model).set_params(costs=PRICES.replace(payment="upfront")).fit(frame(X), y)
    assert (upfront.n_consulted(frame(X)) == upfront.booster_.n_stages).all()  # nothing is left to pay


def test_mistakes_that_cost_more_are_made_less():
    X, y = numbers(8, n_rows=400, n_classes=2)
    mild = tw.CostGradientBoostingClassifier(n_estimators=20).fit(X, y)
    hard = clone(mild).set_params(costs=tw.Costs(errors=[[0, 1], [20, 0]])).fit(X, y)
    missed = [int(((y == 1) & (model.predict(X) == 0)).sum()) for model in (mild, hard)]
    assert missed[1] < missed[0]
    np.testing.assert_array_equal(mild.predict_proba(X), hard.predict_proba(X))


def test_one_class_and_nothing_worth_its_price():
    X, y = numbers(9)
    alone = tw.CostGradientBoostingClassifier().fit(X, np.zeros(len(X), dtype=int))
    assert alone.predict_proba(X[:2]).tolist() == [[1.0], [1.0]]
    poor = tw.CostGradientBoostingClassifier(costs=PRICES, cost_weight=1e9).fit(frame(X), y)
    assert poor.booster_.n_stages == 0
    np.testing.assert_allclose(poor.predict_proba(frame(X[:1]))[0], np.bincount(y) / len(y))
    assert poor.consult().finished


def test_settings_and_costs_are_checked():
    X, y = numbers(10)
    for settings, message in (
        ({"stop": 1.5}, "'stop' parameter"),
        ({"cost_weight": -1}, "'cost_weight' parameter"),
        ({"l2": 0}, "'l2' parameter"),
        ({"bins": 256}, "'bins' parameter"),
        ({"costs": tw.Costs({"z": 1})}, "no such column"),
        ({"costs": tw.Costs(errors={"z": {0: 1}})}, "z"),
    ):
        with pytest.raises(ValueError, match=message):
            tw.CostGradientBoostingClassifier(**settings).fit(frame(X), y)
    with pytest.raises(TypeError, match="must be a Costs"):
        tw.CostGradientBoostingClassifier(costs={"a": 1}).fit(frame(X), y)
    model = tw.CostGradientBoostingClassifier(n_estimators=2).fit(frame(X), y)
    with pytest.raises(ValueError, match="'stop' parameter"):
        model.set_params(stop=2).predict(frame(X))


def test_a_search_varies_what_money_is_worth():
    X, y = numbers(11, n_rows=150)
    search = GridSearchCV(
        tw.CostGradientBoostingClassifier(costs=PRICES, n_estimators=10), {"cost_weight": [0.0, 100.0]}, cv=3
    ).fit(frame(X), y)
    assert search.best_params_ == {"cost_weight": 0.0}
    assert tw.bill(search, frame(X), y).mean_test_cost > 0


@pytest.mark.parametrize("patience", [None, 5])
def test_groups_are_checked_whether_or_not_cases_are_held_out(patience):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = (X[:, 0] > 0).astype(int)
    model = tw.CostGradientBoostingClassifier(n_estimators=2, early_stopping=patience)
    with pytest.raises(ValueError, match=r"groups must have one entry per case, shape \(40,\). Got \(3,\)"):
        model.fit(X, y, groups=[1, 2, 3])
    for lacking in (np.nan, None):
        groups = np.array([1.0, 2.0, 3.0, 4.0] * 10, dtype=object)
        groups[7] = lacking
        with pytest.raises(ValueError, match=f"groups has {lacking} in row 7. Give every case a group"):
            model.fit(X, y, groups=groups)


def test_a_nominal_column_that_never_held_a_value():
    X = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "never": pd.Categorical([None] * 4, categories=[])})
    model = tw.CostGradientBoostingClassifier(n_estimators=2, min_leaf_weight=1).fit(X, [0, 0, 1, 1])
    assert model.predict(X).tolist() == [0, 0, 1, 1]
    assert tw.bill(model, X, costs=tw.Costs({"age": 2})).mean_test_cost == 2
