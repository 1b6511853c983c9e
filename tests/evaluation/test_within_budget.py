"""`bill(budget=)`: a whole table asked as in consultations with that budget."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from learning.test_budget import random_costs, random_table

import thriftwood as tw


def consulted(model, row, costs, budget):
    """Ask one case: what is free when missing is known to be missing."""
    names = [f"x{j}" for j in range(len(row))]
    lacking = [name for name, value in zip(names, row, strict=True) if np.isnan(value)]
    free = [] if costs.charge_missing else lacking
    case = tw.Consultation.of(model.model_, unavailable=free, budget=budget)
    while not case.finished:
        value = row[int(case.next_test[1:])]
        case = case.answer(None if np.isnan(value) else value)
    return case


@pytest.mark.parametrize("name", ["c45", "cart", "eg2", "bagging", "boosting", "gradient-boosting"])
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=10, deadline=None)
def test_answers_and_bills_are_those_of_consultations(name, seed):
    rng = np.random.default_rng(seed)
    costs = random_costs(rng, 4, upfront=rng.random() < 0.3)
    single = name in ("c45", "cart", "eg2")
    X, y = random_table(rng, 60, 4, holes=0.1)
    # A case that is spread over branches has a basket in each, and a consultation has one for all of them.
    model = tw.algorithm(name, random_state=0, **({"missing": "majority"} if name == "c45" else {}))
    if name == "eg2":
        model.set_params(growth__missing="branch")
    if name in ("bagging", "boosting"):
        model.set_params(estimator=tw.algorithm("lasc", max_depth=3, missing="majority"))
    model = model.set_params(costs=costs).fit(X, y)
    rows, _ = random_table(rng, 25, 4, holes=0.2)
    budget = float(rng.choice([0, 1, 2.5, 4, 6, 9]))
    bill = tw.bill(model, rows, budget=budget)
    assert bill.test_cost.max() <= budget * (1 + 1e-9)
    for number, row in enumerate(rows):
        case = consulted(model, row, costs, budget)
        assert model.classes_[bill.predicted[number]] == case.result
        assert bill.stopped[number] == (case.stopped == "budget")
        if single and costs.charge_missing:
            assert bill.test_cost[number] == pytest.approx(case.bill)


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_a_case_that_is_spread_keeps_to_it_too(seed):
    rng = np.random.default_rng(seed)
    costs = random_costs(rng, 5)
    X, y = random_table(rng, 60, 5, holes=0.2)
    model = tw.algorithm("c45", costs=costs).fit(X, y)
    rows, _ = random_table(rng, 100, 5, holes=0.4)
    for budget in (0, 2, 5):
        assert tw.bill(model, rows, budget=budget).test_cost.max() <= budget * (1 + 1e-9)


def test_a_large_budget_is_the_plain_bill():
    rng = np.random.default_rng(3)
    costs = random_costs(rng, 5)
    X, y = random_table(rng, 300, 5, holes=0.2)
    for name in ("c45", "cart", "bagging"):
        model = tw.algorithm(name, costs=costs, random_state=0).fit(X, y)
        plain, bill = tw.bill(model, X, y), tw.bill(model, X, y, budget=1e6)
        assert bill.mean_test_cost == pytest.approx(plain.mean_test_cost)
        assert np.array_equal(bill.predicted, plain.predicted)
        assert (bill.n_stopped, plain.n_stopped, plain.budget) == (0, None, None)


def test_the_bill_says_its_budget():
    golf = tw.load_dataset("golf-nominal")
    model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
    text = str(tw.bill(model, golf.X, golf.y, budget=4))
    assert text.startswith("Bill of 14 cases, payment sequential, budget 4")
    assert "cases stopped by the budget" in text
    halves = [tw.bill(model, golf.X[a:b], golf.y[a:b], budget=4) for a, b in ((0, 7), (7, 14))]
    assert tw.total_bill(halves).n_stopped == tw.bill(model, golf.X, golf.y, budget=4).n_stopped
    with pytest.raises(ValueError, match="of one budget"):
        tw.total_bill([halves[0], tw.bill(model, golf.X[7:], golf.y[7:], budget=5)])


@pytest.mark.parametrize("budget", [-1, float("nan"), "much"])
def test_a_budget_that_is_none_is_named(budget):
    golf = tw.load_dataset("golf-nominal")
    model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
    with pytest.raises(ValueError, match="budget"):
        tw.bill(model, golf.X, budget=budget)


def test_models_that_ask_for_everything_at_once_are_refused():
    from sklearn.tree import DecisionTreeClassifier

    X, y = np.arange(12.0).reshape(-1, 1), [0, 1] * 6
    for model in (DecisionTreeClassifier(), tw.CostForestClassifier(random_state=0)):
        with pytest.raises(ValueError, match="one test at a time"):
            tw.bill(model.fit(X, y), X, y, tw.Costs({"x0": 1}), budget=3)
