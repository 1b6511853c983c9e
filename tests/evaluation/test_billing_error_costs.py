"""`tw.bill(error_costs=...)`: what each case's own mistakes cost."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import thriftwood as tw


def lender(n_customers=400, seed=0):
    """Customers, what bureaus charge for asking about them, and what each would lose or bring."""
    rng = np.random.default_rng(seed)
    good = rng.random(n_customers)
    X = pd.DataFrame(
        {
            "income": good + rng.normal(0, 0.5, n_customers),
            "score": good + rng.normal(0, 0.15, n_customers),
            "arrears": np.where(good + rng.normal(0, 0.3, n_customers) > 0.5, "none", "some"),
        }
    )
    y = np.where(rng.random(n_customers) < good, "pays", "defaults")
    amount = rng.lognormal(4, 1, n_customers)
    matrices = np.zeros((n_customers, 2, 2))
    matrices[:, 0, 1] = amount  # defaults, answered "pays": the loan is lost
    matrices[:, 1, 0] = 0.6 * amount  # pays, answered "defaults": the interest is
    costs = tw.Costs(
        {
            "income": 0,
            "score": tw.Test(2, needs=["bureau"]),
            "arrears": tw.Test(1, needs=["bureau"]),
        },
        shared={"bureau": 3},
    )
    return X, y, costs, matrices


LEARNERS = {
    "min-total-cost": {},
    "optimal": {"bins": 8, "max_depth": 2},
    "thrift": {"folds": 3},
}


@pytest.mark.parametrize("name", LEARNERS)
def test_the_lender_pays_for_calls_and_loses_what_each_customer_owes(name):
    X, y, costs, matrices = lender()
    old, new = slice(0, 300), slice(300, 400)
    model = tw.algorithm(name, costs=costs, **LEARNERS[name]).fit(X[old], y[old], error_costs=matrices[old])
    bill = tw.bill(model, X[new], y[new], error_costs=matrices[new])
    answers = model.predict(X[new])
    lost = np.where((y[new] == "defaults") & (answers == "pays"), matrices[new, 0, 1], 0.0)
    missed = np.where((y[new] == "pays") & (answers == "defaults"), matrices[new, 1, 0], 0.0)
    assert np.allclose(bill.error_cost, lost + missed)
    assert bill.total_error_cost == pytest.approx(lost.sum() + missed.sum())
    assert set(bill.test_cost.tolist()) <= {0.0, 4.0, 5.0, 6.0}
    assert bill.mean_cost == pytest.approx((bill.test_cost + lost + missed).mean())
    nobody = min(matrices[new, 0, 1][y[new] == "defaults"].sum(), matrices[new, 1, 0][y[new] == "pays"].sum())
    assert bill.untested_cost == pytest.approx(nobody / 100)
    assert bill.mean_cost < bill.untested_cost
    assert np.allclose(bill.confusion.costs, [[0, lost.sum()], [missed.sum(), 0]])
    assert tw.cost_scorer(model, X[new], y[new], error_costs=matrices[new]) == pytest.approx(-bill.mean_cost)
    assert np.array_equal(bill.per_case["error_cost"], bill.error_cost)


def test_the_statement_says_whose_costs_they_are_and_leaves_out_what_has_no_meaning():
    X, y, costs, matrices = lender()
    model = tw.algorithm("c45", costs=costs).fit(X, y)
    text = str(tw.bill(model, X, y, error_costs=matrices))
    assert "errors: what each case's own mistake costs" in text
    assert "no tests, always" in text
    assert "of the dearer kind" not in text
    assert "standard cost" not in text
    assert "own mistake" not in str(tw.bill(model, X, y))


def test_costs_of_answers_matrices_and_frames_are_one_thing():
    X, y, costs, matrices = lender()
    model = tw.algorithm("c45", costs=costs).fit(X, y)
    of_answers = matrices[np.arange(400), (y == "pays").astype(int)]
    frame = pd.DataFrame({"pays": of_answers[:, 1], "defaults": of_answers[:, 0]})
    bills = [tw.bill(model, X, y, error_costs=costs) for costs in (matrices, of_answers, frame)]
    assert bills[0].total_error_cost > 0
    assert len({bill.total_cost for bill in bills}) == 1


def test_rows_alike_are_the_matrix():
    X, y, costs, _ = lender()
    errors = np.array([[0, 50], [9, 1]])
    model = tw.algorithm("c45", costs=costs).fit(X, y)
    weights = np.random.default_rng(0).integers(1, 4, 400).astype(float)
    by_class = tw.bill(model, X, y, costs.replace(errors=errors), sample_weight=weights)
    by_row = tw.bill(model, X, y, sample_weight=weights, error_costs=np.tile(errors, (400, 1, 1)))
    for name in ("mean_cost", "total_error_cost", "untested_cost", "accuracy", "n_errors", "untested_answer"):
        assert getattr(by_row, name) == pytest.approx(getattr(by_class, name))
    assert np.allclose(by_row.confusion.costs, by_class.confusion.costs)
    assert by_row.high_cost_errors is by_row.standard_cost is by_row.normalised_cost is None


@pytest.mark.parametrize(
    "model",
    [
        tw.algorithm("bagging", bags=3, random_state=0),
        tw.algorithm("gradient-boosting", rounds=3),
        tw.algorithm("metacost", n_estimators=3, random_state=0),
        LogisticRegression(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_any_model_is_billed(model):
    X, y, costs, matrices = lender()
    X = X[["income", "score"]]
    bill = tw.bill(model.fit(X, y), X, y, costs.only(["income", "score"]), error_costs=matrices)
    actual, answered = (y == "pays").astype(int), (model.predict(X) == "pays").astype(int)
    assert np.allclose(bill.error_cost, matrices[np.arange(400), actual, answered])


def test_the_cheapest_answer_goes_by_the_costs_of_each_case():
    X, y, costs, matrices = lender()
    X = X[["income", "score"]]
    rule = tw.CheapestAnswer(LogisticRegression(), costs.only(["income", "score"])).fit(X, y)
    bill = tw.bill(rule, X, y, error_costs=matrices)
    told = rule.predict(X, error_costs=matrices)
    assert (told != rule.predict(X)).any()
    assert np.array_equal(bill.per_case["predicted"], told)
    assert tw.cost_scorer(rule, X, y, error_costs=matrices) == pytest.approx(-bill.mean_cost)
    with pytest.raises(tw.CostError, match="there are 400 cases"):
        tw.bill(rule, X, y, error_costs=matrices[1:])


def test_with_a_budget():
    X, y, costs, matrices = lender()
    model = tw.algorithm("c45", costs=costs).fit(X, y)
    bill = tw.bill(model, X, y, budget=5, error_costs=matrices)
    assert bill.test_cost.max() == 5
    actual = (y == "pays").astype(int)
    assert np.allclose(bill.error_cost, matrices[np.arange(400), actual, bill.predicted])


def test_bills_of_parts_add_up():
    X, y, costs, matrices = lender()
    model = tw.algorithm("c45", costs=costs).fit(X, y)
    halves = slice(150), slice(150, 400)
    parts = [tw.bill(model, X[rows], y[rows], error_costs=matrices[rows]) for rows in halves]
    assert str(tw.total_bill(parts)) == str(tw.bill(model, X, y, error_costs=matrices))
    with pytest.raises(ValueError, match="with error costs by row or without"):
        tw.total_bill([parts[0], tw.bill(model, X, y)])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda costs: costs[:-1], r"there are 400 cases\. Got shape \(399, 2, 2\)"),
        (lambda costs: costs[:, :, :1], r"Got shape \(400, 2, 1\), but there are 2 classes"),
        (lambda costs: costs[:, 0, 0], r"Got shape \(400,\)"),
        (lambda costs: np.where(np.arange(400)[:, None, None] == 7, np.nan, costs), "Got nan in row 7"),
        (lambda costs: -costs - 1, "must not be negative"),
        (lambda costs: "dear", "no array of numbers"),
    ],
)
def test_what_is_no_cost_is_refused(wrong, said):
    X, y, costs, matrices = lender()
    model = tw.algorithm("c45", costs=costs).fit(X, y)
    with pytest.raises(tw.CostError, match=said):
        tw.bill(model, X, y, error_costs=wrong(matrices))


def test_what_cannot_be_together_is_refused():
    X, y, costs, matrices = lender()
    model = tw.algorithm("c45", costs=costs.replace(errors_default=3)).fit(X, y)
    with pytest.raises(ValueError, match=r"costs=costs\.replace\(errors=None, errors_default=None\)"):
        tw.bill(model, X, y, error_costs=matrices)
    assert tw.bill(model, X, y, costs, error_costs=matrices).by_row
    with pytest.raises(ValueError, match="but no y"):
        tw.bill(model, X, costs=costs, error_costs=matrices)
    numbers = tw.CostTreeRegressor(costs=costs).fit(X, np.arange(400.0))
    with pytest.raises(ValueError, match="CostTreeRegressor answers with numbers"):
        tw.bill(numbers, X, np.arange(400.0), error_costs=matrices)
