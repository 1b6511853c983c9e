"""All tests for everybody: what it costs, what it reads, and the cheapest answers."""

import pickle
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import thriftwood as tw


def table(n=200, seed=0):
    """Numbers, text and missing values."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n)})
    X["colour"] = rng.choice(["red", "green", "blue"], n)
    y = np.where(X["a"] + (X["colour"] == "red") + 0.5 * rng.normal(size=n) > 0, "sick", "well")
    X.loc[rng.random(n) < 0.1, "b"] = np.nan
    X.loc[rng.random(n) < 0.1, "colour"] = None
    return X, y


COSTS = tw.Costs(
    {"a": tw.Test(5, needs=["visit"]), "b": tw.Test(2, needs=["visit"]), "colour": 1},
    {"visit": 3},
    errors={"sick": {"well": 90}, "well": {"sick": 10}},
)


@pytest.mark.parametrize("learner", ["logistic", "lightgbm"])
def test_everybody_pays_for_everything_and_gets_the_cheapest_answer(learner):
    X, y = table()
    model = tw.algorithm("everything", costs=COSTS, learner=learner).fit(X, y)
    bill = tw.bill(model, X, y)
    assert set(bill.test_cost) == {11.0}
    shares = model.predict_proba(X)
    assert np.allclose(shares.sum(axis=1), 1)
    expected = shares @ COSTS.error_matrix(model.classes_)
    assert (model.predict(X) == model.classes_[expected.argmin(axis=1)]).all()
    assert bill.mean_error_cost < 0.8 * bill.untested_cost
    assert model.decide(X.iloc[0].where(X.iloc[0].notna(), None).to_dict()) == model.predict(X[:1])[0]
    assert (pickle.loads(pickle.dumps(model)).predict(X) == model.predict(X)).all()
    free = COSTS.replace(charge_missing=False)
    lacks = X["b"].isna() & X["colour"].notna()
    assert set(tw.bill(model, X, y, free).test_cost[lacks]) == {9.0}


def test_it_is_logistic_regression_on_standardised_numbers():
    X, y = table()
    X = X[["a"]]
    ours = tw.EverythingClassifier().fit(X, y).predict_proba(X)
    scaled = (X - X.mean()) / X.std(ddof=0)
    assert np.allclose(ours, LogisticRegression(tol=1e-10).fit(scaled, y).predict_proba(scaled), atol=1e-5)


def test_costs_of_each_case():
    X, y = table()
    rows = np.random.default_rng(1).random((200, 2, 2)) * 50
    prices = COSTS.replace(errors=None)
    model = tw.EverythingClassifier(prices).fit(X, y, error_costs=rows)
    told = model.predict(X, error_costs=rows)
    expected = np.einsum("na,nap->np", model.predict_proba(X), rows)
    assert (told == model.classes_[expected.argmin(axis=1)]).all()
    assert (tw.bill(model, X, y, error_costs=rows).per_case["predicted"] == told).all()
    with pytest.raises(tw.CostError, match="200 cases"):
        model.predict(X, error_costs=rows[1:])
    with pytest.raises(ValueError, match="Only one of them can say what mistakes cost"):
        tw.EverythingClassifier(COSTS).fit(X, y, error_costs=rows)


def test_what_is_refused(monkeypatch, tmp_path):
    X, y = table(40)
    with pytest.raises(ValueError, match="'learner' parameter of EverythingClassifier must be one of"):
        tw.EverythingClassifier(learner="xgboost").fit(X, y)
    with pytest.raises(TypeError, match=r"A fixed panel of tests has no file"):
        tw.EverythingClassifier().fit(X, y).save(tmp_path / "model.json")
    with pytest.raises(ValueError, match="is asked for all its tests at once"):
        tw.bill(tw.EverythingClassifier(COSTS).fit(X, y), X, y, budget=5)
    with pytest.raises(ValueError, match="has no setting 'budget'") as refused:
        tw.algorithm("everything", budget=5)
    assert "several trees" not in str(refused.value)
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(ImportError, match="LightGBM is not installed"):
        tw.EverythingClassifier(learner="lightgbm").fit(X, y)


@pytest.mark.parametrize("learner", ["logistic", "lightgbm"])
def test_one_class_and_classes_without_weight(learner):
    X, y = table(40)
    model = tw.EverythingClassifier(learner=learner)
    assert set(model.fit(X, ["a"] * 40).predict(X)) == {"a"}
    weights = np.where(y == "sick", 1.0, 0.0)
    assert set(model.fit(X, y, sample_weight=weights).predict(X)) == {"sick"}
