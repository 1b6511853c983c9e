"""Consultations of a booster: the bill, a consultation and a plain walk agree, whatever the costs."""

import math

import numpy as np
import pandas as pd
import pytest
from ensembles.plain_boosting import shares_of, walk
from hypothesis import example, given, settings
from hypothesis import strategies as st

import thriftwood as tw

COLUMNS = ["n0", "n1", "n2", "k0", "k1"]


def any_table(rng, n_rows):
    """Numbers and categories that tell of the class, with missing values."""
    X = pd.DataFrame({name: np.round(rng.normal(size=n_rows), 1) for name in COLUMNS[:3]})
    for name in COLUMNS[3:]:
        X[name] = rng.choice(["u", "v", "w"], n_rows)
    score = X["n0"] + X["n1"] * (X["k0"] == "u") + (X["k1"] == "v") + rng.normal(size=n_rows) / 2
    for name in COLUMNS:
        X.loc[rng.random(n_rows) < 0.15, name] = None
    return X, np.array(["a", "b", "c"])[np.digitize(score, [-0.5, 0.8])]


def any_costs(rng):
    """Prices with shared steps, groups and delays; missing values charged or not, upfront or not."""
    tests = {}
    for name in COLUMNS:
        price = float(rng.integers(0, 9))
        needs = [step for step in ("r", "s") if rng.random() < 0.4]
        group = "g" if rng.random() < 0.5 else None
        after = price * float(rng.random()) if group else None
        tests[name] = tw.Test(price, needs=needs, group=group, after=after, delayed=rng.random() < 0.2)
    return tw.Costs(
        tests,
        {"r": 3.0, "s": 7.0},
        payment="upfront" if rng.random() < 0.2 else "sequential",
        charge_missing=bool(rng.random() < 0.7),
    )


def any_model(seed):
    rng = np.random.default_rng(seed)
    X, y = any_table(rng, 60)
    costs = any_costs(rng)
    stop = [None, 0.6, 0.8][seed % 3]
    model = tw.CostGradientBoostingClassifier(
        costs=costs, cost_weight=0.01, stop=stop, n_estimators=8, learning_rate=0.4, min_leaf_weight=3.0
    ).fit(X, y)
    return model, any_table(rng, 12)[0], costs


def consulted(model, case, **options):
    asked = model.consult(**options)
    while not asked.finished:
        asked.answer(case[asked.next_test])
    return asked


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
@example(86)
def test_bill_consultation_and_plain_walk_agree_and_charge_nothing_twice(seed):
    """A table knows of every missing value; a consultation hears of those that it asks for."""
    model, cases, costs = any_model(seed)
    bill, shares, answers = tw.bill(model, cases), model.predict_proba(cases), model.predict(cases)
    encoded = model.booster_.encoder.encode(cases).columns
    for row, case in enumerate(cases.to_dict("records")):
        asked = consulted(model, case)
        bought = [name for name, _ in asked.bought]
        assert len(bought) == len(set(bought))
        assert asked.bill == pytest.approx(costs.total(bought))  # a basket charges a step once
        missing = {name for name in COLUMNS if pd.isna(case[name])} if not costs.charge_missing else set()
        unheard = missing.intersection(bought)  # ordered with a delayed test, and never asked for
        assert [name for name in bought if name not in unheard] == list(bill.per_case["tests"][row])
        assert unheard or asked.bill == pytest.approx(bill.test_cost[row])
        assert not unheard or any(test.delayed for test in costs.tests.values())
        assert asked.result == answers[row]
        np.testing.assert_allclose(list(asked.probabilities.values()), shares[row])
        assert asked.consulted == model.n_consulted(cases)[row]
        if costs.payment == "sequential" and not any(test.delayed for test in costs.tests.values()):
            scores, tests = walk(model.booster_, [float(column[row]) for column in encoded])
            np.testing.assert_allclose(shares_of(scores), shares[row])
            assert [COLUMNS[test] for test in tests if COLUMNS[test] not in missing] == bought


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_what_is_said_to_be_unavailable_is_as_a_missing_value_of_a_table(seed):
    model, cases, costs = any_model(seed)
    model.set_params(costs=costs.replace(charge_missing=False))
    bill, shares = tw.bill(model, cases), model.predict_proba(cases)
    for row, case in enumerate(cases.to_dict("records")):
        asked = consulted(model, case, unavailable=[name for name in COLUMNS if pd.isna(case[name])])
        assert [name for name, _ in asked.bought] == list(bill.per_case["tests"][row])
        assert asked.bill == pytest.approx(bill.test_cost[row])
        assert asked.consulted == model.n_consulted(cases)[row]
        np.testing.assert_allclose(list(asked.probabilities.values()), shares[row])


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1))
@example(46)
def test_nothing_is_bought_once_the_answer_is_sure(seed):
    """Not even below a delayed test that could not be had, and so has ordered nothing."""
    model, cases, costs = any_model(seed)
    tests = {name: tw.Test(1 + test.price, delayed=True) for name, test in costs.tests.items()}
    model.set_params(costs=tw.Costs(tests, charge_missing=bool(seed % 2)), stop=0.6)
    for case in cases.to_dict("records"):
        asked = model.consult()
        while not asked.finished:
            assert asked.price == 0 or max(asked.probabilities.values()) < 0.6
            asked.answer(case[asked.next_test])


def test_it_stops_when_sure_before_a_test_that_cannot_be_had():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 5)).round(1)
    X[rng.random(X.shape) < 0.35] = np.nan
    y = (np.nan_to_num(X) @ rng.normal(size=5) > 0).astype(int) + (np.nan_to_num(X[:, 2]) > 0.6)
    costs = tw.Costs({f"x{j}": 1.0 + j for j in range(5)}, charge_missing=False)
    model = tw.CostGradientBoostingClassifier(
        costs=costs, stop=0.6, n_estimators=15, min_leaf_weight=3, learning_rate=0.5, cost_weight=0.001
    ).fit(X, y)
    shares, bill = model.predict_proba(X), tw.bill(model, X)
    for row, values in enumerate(X):
        case = {f"x{j}": value for j, value in enumerate(values)}
        asked = consulted(model, case, unavailable=[name for name in case if np.isnan(case[name])])
        np.testing.assert_allclose(list(asked.probabilities.values()), shares[row])
        assert asked.bill == pytest.approx(bill.test_cost[row])


def test_a_delayed_test_that_could_not_be_had_has_ordered_nothing():
    rng = np.random.default_rng(5)
    fewer = 0
    for seed in range(12):
        X = pd.DataFrame(rng.normal(size=(80, 5)).round(1), columns=list("abcde")).mask(
            rng.random((80, 5)) < 0.15
        )
        y = (X.a.fillna(0) + X.b.fillna(0.5) > 0).astype(int) + (X.c.fillna(0) > 0.7)
        costs = tw.Costs({name: tw.Test(2 + seed, delayed=True) for name in X}, charge_missing=False)
        model = tw.CostGradientBoostingClassifier(
            costs=costs, n_estimators=6, min_leaf_weight=3, stop=0.8, cost_weight=0.001
        ).fit(X, y)
        bill = tw.bill(model, X)
        for row, case in enumerate(X.to_dict("records")):
            asked = consulted(model, case)
            bought = [name for name, _ in asked.bought if not pd.isna(case[name])]
            fewer += set(bought) != set(bill.per_case["tests"][row])  # but for what was ordered blindly
    assert fewer == 0


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0, 30))
def test_a_budget_is_kept(seed, budget):
    model, cases, _ = any_model(seed)
    for case in cases.to_dict("records"):
        asked = consulted(model, case, budget=budget)
        free = consulted(model, case)
        assert asked.bill <= budget * (1 + 1e-9)
        assert asked.stopped == "budget" or asked.bought == free.bought


def small():
    rng = np.random.default_rng(3)
    X, y = any_table(rng, 120)
    costs = tw.Costs(dict.fromkeys(COLUMNS, 2))
    model = tw.CostGradientBoostingClassifier(
        costs=costs, cost_weight=0.001, stop=0.7, n_estimators=20, learning_rate=0.3
    )
    return model.fit(X, y), X


def test_what_is_known_is_free_and_what_cannot_be_had_is_not_asked():
    model, X = small()
    first = model.consult().next_test
    value = X[first].dropna().iloc[0]
    case = model.consult({first: value})
    assert case.next_test != first
    assert case.bill == 0.0
    assert first not in [name for name, _ in consulted(model, X.iloc[0], unavailable=[first]).bought]
    with pytest.raises(ValueError, match="Did you mean 'n0'"):
        model.consult({"n00": 1})


def test_an_answer_can_be_taken_back():
    model, X = small()
    row = X.dropna().iloc[0]
    case = model.consult()
    states = []
    while not case.finished:
        states.append((repr(case), case.why, case.bill, case.probabilities))
        case.answer(row[case.next_test])
    for state in states[::-1]:
        case.undo()
        assert (repr(case), case.why, case.bill, case.probabilities) == state
    with pytest.raises(ValueError, match="no answer to take back"):
        case.undo()


def test_it_says_what_it_wants_and_why_it_ended():
    model, X = small()
    case = model.consult()
    assert case.next_tests == (case.next_test,)
    assert case.price == 2.0
    assert case.ordered_with == ()
    with pytest.raises(ValueError, match="is not finished"):
        _ = case.result
    assert "asks" in case.why
    for _, row in X.dropna().iterrows():
        case = consulted(model, row)
        if case.stopped == "sure":
            break
    assert max(case.probabilities.values()) >= 0.7
    assert "70% is enough" in case.why
    assert case.choices is None
    with pytest.raises(ValueError, match="consultation is finished"):
        case.answer(1)
    with pytest.raises(ValueError, match="'budget' parameter"):
        model.consult(budget=-1)
    nominal = next(name for name in model.booster_.features_used if name.startswith("k"))
    while (case := model.consult(dict.fromkeys(COLUMNS[:3], 0.0))).next_test != nominal:
        nominal = case.next_test
    assert case.choices == ("u", "v", "w")
    with pytest.raises(ValueError, match="has no category 'x'"):
        case.answer("x")
    assert not math.isnan(case.answer("x", allow_unseen=True).bill)
