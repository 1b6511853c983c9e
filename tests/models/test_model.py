"""Facts that every model keeps, whatever kind it is."""

import numpy as np
import pandas as pd
import pytest

import thriftwood as tw

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
CONSULTED = list(OURS)


@pytest.fixture(scope="module")
def fitted():
    X, y = clinic()
    return {name: estimator.fit(X, y) for name, estimator in OURS.items()}


@pytest.mark.parametrize("name", OURS)
def test_answers_agree_with_predict(fitted, name):
    X, _ = clinic(seed=1)
    model = fitted[name].model_
    table = model.table(X)
    answers, shares = model.answers_of(table), model.shares_of(table)
    assert answers.dtype == np.int32
    np.testing.assert_array_equal(model.classes[answers], fitted[name].predict(X))
    np.testing.assert_array_equal(model.predict(X), fitted[name].predict(X))
    np.testing.assert_array_equal(shares, fitted[name].predict_proba(X))
    np.testing.assert_array_equal(model.predict_proba(X, n_threads=2), shares)
    np.testing.assert_allclose(shares.sum(axis=1), 1)


@pytest.mark.parametrize(
    "costs", [COSTS, COSTS.replace(payment="upfront"), COSTS.replace(charge_missing=False)]
)
@pytest.mark.parametrize("name", OURS)
def test_the_ledger_is_the_bill(fitted, name, costs):
    X, y = clinic(seed=1)
    model = fitted[name].model_
    charged, bill = model.charge(model.table(X), costs), tw.bill(fitted[name], X, y, costs)
    assert charged.ledger.test_cost.sum() == pytest.approx(bill.total_test_cost)
    np.testing.assert_allclose(bill.purchases.costs(), charged.ledger.test_cost)
    np.testing.assert_array_equal(charged.answers, bill.predicted)
    written = model.ledger_of(model.table(X), costs)
    np.testing.assert_array_equal(written.test, charged.ledger.test)
    np.testing.assert_array_equal(written.starts, charged.ledger.starts)


@pytest.mark.parametrize("name", OURS)
def test_what_is_bought_is_among_what_may_be_bought(fitted, name):
    X, _ = clinic(seed=1)
    model = fitted[name].model_
    bought = model.ledger_of(model.table(X), COSTS).test
    assert {model.feature_names[test] for test in bought} <= set(model.features_asked)
    assert set(model.features_used) <= set(model.features_asked)
    assert model.features_used == tuple(model.feature_names[test] for test in model.tests)
    upfront = model.ledger_of(model.table(X), COSTS.replace(payment="upfront"))
    assert {model.feature_names[test] for test in upfront.test} == set(model.features_used)


@pytest.mark.parametrize("name", CONSULTED)
def test_a_consultation_pays_what_its_row_of_the_ledger_says(fitted, name):
    X, _ = clinic(20, seed=1)
    model = fitted[name].model_
    ledger, answers = model.ledger_of(model.table(X), COSTS), model.predict(X)
    for row in range(len(X)):
        case = model.consult()
        while not case.finished:
            case.answer(X.iloc[row][case.next_test])
        assert case.bill == pytest.approx(ledger.test_cost[row])
        assert case.result == answers[row]


@pytest.mark.parametrize("name", OURS)
def test_a_saved_model_comes_back(fitted, name, tmp_path):
    X, _ = clinic(seed=1)
    model = fitted[name].model_
    model.save(tmp_path / "model.json")
    for again in (tw.load(tmp_path / "model.json"), type(model).from_json(model.to_json())):
        assert again == model
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert type(model).load(tmp_path / "model.json").costs == COSTS


@pytest.mark.parametrize("name", OURS)
def test_it_says_what_it_is(fitted, name):
    model = fitted[name].model_
    assert type(model) is fitted[name].learns
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
    columns = model.asked_with(steps=_Reversed(X.columns))
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
