"""Facts that every model keeps, whatever kind it is."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    BaggingClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import thriftwood as tw
from thriftwood.models.conversion import as_model

WORDS = ["red", "green", "blue"]
COSTS = tw.Costs(
    {"age": 1, "blood": tw.Test(5, needs=["draw"]), "sugar": tw.Test(7, needs=["draw"]), "colour": 2},
    shared={"draw": 3},
    errors={"ill": {"well": 40}, "well": {"ill": 9}},
)
CHARGED = [COSTS, COSTS.replace(payment="upfront"), COSTS.replace(charge_missing=False)]


def clinic(n_rows=120, seed=0):
    """A table with numbers, words and gaps, and its classes."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n_rows, 3)).round(2), columns=["age", "blood", "sugar"])
    X["colour"] = rng.choice(WORDS, n_rows)
    ill = X["age"] + X["blood"] * (X["colour"] == "red") > rng.normal(0.2, 0.4, n_rows)
    X.loc[rng.random(n_rows) < 0.1, "blood"] = np.nan
    return X, np.where(ill, "ill", "well")


OURS = {
    "tree": tw.CostTreeClassifier("entropy", costs=COSTS, growth=tw.Growth(missing="majority")),
    "panel": tw.algorithm("bagging", costs=COSTS, bags=3, random_state=0),
    "booster": tw.CostGradientBoostingClassifier(costs=COSTS, n_estimators=8, random_state=0),
    "stacked panel": tw.algorithm("cocost", costs=COSTS, random_state=0),
    "inverse boosting": tw.algorithm("inverse-boosting", costs=COSTS, random_state=0),
}
FEW = {"costs": COSTS, "n_estimators": 2, "random_state": 0}
FOREST = RandomForestClassifier(5, max_depth=3, random_state=0)
OTHERS = {
    "forest of scikit-learn": FOREST,
    "gradient boosting of scikit-learn": GradientBoostingClassifier(n_estimators=4, random_state=0),
    "histogram boosting of scikit-learn": HistGradientBoostingClassifier(max_iter=4, min_samples_leaf=5),
    "bag of scikit-learn": BaggingClassifier(FOREST, n_estimators=2, max_features=2, random_state=0),
    "dummy": DummyClassifier(),
    "any estimator": LogisticRegression(),
    "ensemble around another library's": tw.CostBagClassifier(
        FOREST, costs=COSTS, n_estimators=2, random_state=0
    ),
    "metacost around another library's": tw.MetaCostClassifier(
        FOREST, costs=COSTS, n_estimators=2, random_state=0
    ),
    "rule around another library's": tw.CheapestAnswer(FOREST, COSTS),
    "calibrated rule": tw.CheapestAnswer(FOREST, COSTS, calibration="sigmoid", cv=2),
}
TOGETHER = {
    "bag": tw.CostBagClassifier(costs=COSTS, n_estimators=3, random_state=0),
    "boosting by costs": tw.algorithm("csb2", costs=COSTS, n_estimators=3),
    "costing": tw.CostingClassifier(costs=COSTS, n_estimators=3, random_state=0),
    "lp-csb": tw.LpCsbClassifier(costs=COSTS, n_estimators=2),
    "lazy option trees": tw.LazyOptionTreesClassifier(costs=COSTS, n_estimators=3, random_state=0),
    "forest": tw.CostForestClassifier(5, costs=COSTS, random_state=0),
    "metacost": tw.MetaCostClassifier(costs=COSTS, n_estimators=3, random_state=0),
    "rule around a tree": tw.CheapestAnswer(OURS["tree"], COSTS),
    "rule around a panel": tw.CheapestAnswer(OURS["panel"], COSTS),
    "pipeline": make_pipeline("passthrough", OURS["tree"]),
    "search": GridSearchCV(OURS["tree"], {"growth__max_depth": [2]}, cv=2),
}
ALL = [*OURS, *OTHERS, *TOGETHER, "lightgbm", "booster of lightgbm"]


@pytest.fixture(scope="module")
def fitted():
    X, y = clinic()
    ours = {name: clone(estimator).fit(X, y) for name, estimator in {**OURS, **TOGETHER}.items()}
    numbers = {name: clone(estimator).fit(in_numbers(X), y) for name, estimator in OTHERS.items()}
    return ours | numbers | boosted(in_numbers(X), y)


def boosted(X, y):
    """Models of LightGBM, where it is installed."""
    try:
        import lightgbm
    except ImportError:
        return {}
    options = {"num_leaves": 4, "min_child_samples": 5, "verbose": -1, "num_threads": 1}
    model = lightgbm.LGBMClassifier(n_estimators=3, **options).fit(X, y)
    booster = lightgbm.train(
        options | {"objective": "binary"}, lightgbm.Dataset(X, (y == "well").astype(int)), 3
    )
    return {"lightgbm": model, "booster of lightgbm": booster}


def in_numbers(X):
    """The table for models that take numbers alone."""
    return X.assign(blood=X["blood"].fillna(0), colour=X["colour"].map(WORDS.index))


def cases_of(fitted, name, n_rows=120):
    """The model of some name and new cases in its terms; skipped if the library is not here."""
    if name not in fitted:
        pytest.skip("needs lightgbm")
    X, y = clinic(n_rows, seed=1)
    foreign = name in OTHERS or "lightgbm" in name
    return fitted[name], in_numbers(X) if foreign else X, y


@pytest.mark.parametrize("name", ALL)
def test_answers_agree_with_predict(fitted, name):
    estimator, X, _ = cases_of(fitted, name)
    model, table = as_model(estimator).read(X)
    answers, shares = model.answers_of(table), model.shares_of(table)
    assert answers.dtype == np.int32
    np.testing.assert_array_equal(model.predict(X), model.classes[answers])
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    if hasattr(estimator, "fit"):
        np.testing.assert_array_equal(model.predict(X), estimator.predict(X))
        np.testing.assert_array_equal(shares, estimator.predict_proba(X))
        np.testing.assert_array_equal(model.predict_proba(X, n_threads=2), shares)
    else:
        np.testing.assert_array_equal(shares[:, 1], estimator.predict(X))


@pytest.mark.parametrize("costs", CHARGED)
@pytest.mark.parametrize("name", ALL)
def test_the_ledger_is_the_bill(fitted, name, costs):
    estimator, X, y = cases_of(fitted, name)
    costs = costs.replace(errors=None) if name == "booster of lightgbm" else costs
    y = (y == "well").astype(int) if name == "booster of lightgbm" else y
    model, table = as_model(estimator).read(X)
    charged, bill = model.charge(table, costs), tw.bill(estimator, X, y, costs)
    assert charged.ledger.test_cost.sum() == pytest.approx(bill.total_test_cost)
    np.testing.assert_allclose(bill.purchases.costs(), charged.ledger.test_cost, atol=1e-12)
    np.testing.assert_array_equal(charged.answers, bill.predicted)
    np.testing.assert_array_equal(charged.answers, model.answers_of(table))
    written = model.ledger_of(table, costs)
    np.testing.assert_array_equal(written.test, charged.ledger.test)
    np.testing.assert_array_equal(written.starts, charged.ledger.starts)
    asked = model.asked(table, costs)
    np.testing.assert_array_equal(asked.sum(axis=1), np.diff(written.starts))
    if costs.payment == "upfront":
        np.testing.assert_allclose(bill.test_cost, bill.upfront_cost)


@pytest.mark.parametrize("name", ALL)
def test_what_is_bought_is_among_what_may_be_bought(fitted, name):
    estimator, X, _ = cases_of(fitted, name)
    model, table = as_model(estimator).read(X)
    assert model.feature_names == tuple(X.columns)
    bought = model.ledger_of(table, COSTS).test
    assert {model.feature_names[test] for test in bought} <= set(model.features_asked)
    assert set(model.features_used) <= set(model.features_asked)
    assert model.features_used == tuple(model.feature_names[test] for test in model.tests)
    upfront = model.ledger_of(table, COSTS.replace(payment="upfront"))
    assert {model.feature_names[test] for test in upfront.test} == set(model.features_used)


@pytest.mark.parametrize("name", [*OURS, "metacost", "pipeline", "search"])
def test_a_consultation_pays_what_its_row_of_the_ledger_says(fitted, name):
    estimator, X, _ = cases_of(fitted, name, 20)
    model, table = as_model(estimator).read(X)
    ledger, answers = model.ledger_of(table, COSTS), model.predict(X)
    for row in range(len(X)):
        case = model.consult()
        while not case.finished:
            case.answer(X.iloc[row][case.next_test])
        assert case.bill == pytest.approx(ledger.test_cost[row])
        assert case.result == answers[row]


@pytest.mark.parametrize("name", ["bag", "forest", "rule around a tree", "any estimator"])
def test_what_cannot_be_asked_test_by_test_or_saved_says_so(fitted, name, tmp_path):
    model = as_model(fitted[name])
    with pytest.raises(TypeError, match="A consultation asks a Tree, a Panel, a Booster or a Cascade"):
        model.consult()
    assert not model.has_file
    with pytest.raises(TypeError, match="has no file"):
        model.save(tmp_path / "model.json")
    assert model.single_tree is None


@pytest.mark.parametrize("name", OURS)
def test_a_saved_model_comes_back(fitted, name, tmp_path):
    X, _ = clinic(seed=1)
    model = fitted[name].model_
    model.save(tmp_path / "model.json")
    for again in (tw.load(tmp_path / "model.json"), type(model).from_json(model.to_json())):
        assert again == model
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert type(model).load(tmp_path / "model.json").costs == COSTS


@pytest.mark.parametrize("name", [*OURS, *(name for name in TOGETHER if name not in ("pipeline", "search"))])
def test_an_estimator_says_what_it_learns(fitted, name):
    estimator = fitted[name]
    assert isinstance(estimator.model_, estimator.learns)
    assert estimator.model_.has_file == estimator.learns.has_file
    assert estimator.model_.owner == type(estimator).__name__
    assert estimator.model_.costs == COSTS


@pytest.mark.parametrize("name", OURS)
def test_it_says_what_it_is(fitted, name):
    model = fitted[name].model_
    assert model.kind in model.description
    assert all(part.tree.columns == model.columns for part in model.parts)
    assert set(model.parts_asked) <= set(range(len(model.parts)))
    assert {name: place for place, name in enumerate(model.feature_names)} == model.feature_index
    assert len(model.columns) == model.n_features == 4


@pytest.mark.parametrize("name", OURS)
def test_other_costs_and_another_setup_are_of_a_copy(fitted, name):
    X, _ = clinic(seed=1)
    model = fitted[name].model_
    free = model.with_costs(None)
    assert (free.costs, model.costs) == (None, COSTS)
    assert model.with_costs(COSTS) is model
    strict = model.asked_with(refuses_missing=True)
    assert strict == model
    with pytest.raises(ValueError, match="was told to refuse missing values"):
        strict.predict(X)
    assert len(model.predict(X)) == len(X)
    columns = model.asked_with(steps=(_Reversed(X.columns),))
    np.testing.assert_array_equal(columns.predict(X[X.columns[::-1]].to_numpy()), model.predict(X))


class _Reversed:
    """A step before a model: it turns the columns round and names them."""

    def __init__(self, names):
        self.names = names

    def transform(self, X):
        return pd.DataFrame(X[:, ::-1], columns=self.names).infer_objects()


def test_only_a_tree_plans_batches(fitted):
    assert fitted["tree"].model_.consult(strategy="single_batch").next_tests
    with pytest.raises(ValueError, match="this is a panel of 3 trees, which asks for one test at a time"):
        fitted["panel"].model_.consult(strategy="single_batch")
