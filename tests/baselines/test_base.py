"""Answers that are no class, which all that answer by expected cost may give."""

import numpy as np
import pytest

import thriftwood as tw

COSTS = tw.Costs(
    {f"x{j}": 0.1 for j in range(3)},
    errors={"sick": {"well": 60}, "well": {"sick": 40}},
    answers={"refer": 6},
)


def table(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, np.where(X[:, 0] + 0.5 * rng.normal(size=n) > 0, "sick", "well")


@pytest.mark.parametrize("name", ["everything", "fixed-panel"])
def test_doubtful_cases_are_referred(name):
    X, y = table()
    model = tw.algorithm(name, costs=COSTS).fit(X, y)
    answers = model.predict(X)
    assert set(answers) == {"sick", "well", "refer"}
    doubt = np.abs(model.predict_proba(X)[:, 0] - 0.5)
    assert doubt[answers == "refer"].max() < doubt[answers != "refer"].min() + 0.2
    bill = tw.bill(model, X, y)
    assert bill.error_cost[answers == "refer"].tolist() == [6.0] * int((answers == "refer").sum())
    assert model.score(X, y) == bill.accuracy == (answers == y).mean()
    assert model.decide(dict(zip(("x0", "x1", "x2"), X[0], strict=True))) == answers[0]
    plain = tw.algorithm(name, costs=COSTS.replace(answers={})).fit(X, y)
    assert bill.mean_cost < tw.bill(plain, X, y).mean_cost


def test_all_are_referred_where_nobody_is_tested():
    X, y = table()
    model = tw.algorithm("nobody", costs=COSTS).fit(X, y)
    assert set(model.predict(X)) == {"refer"}
    assert "refer costs least" in model.tree_.note
    assert tw.bill(model, X, y).mean_cost == 6
