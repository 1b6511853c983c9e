"""Trees that are consulted one after the other: what is asked, answered and paid."""

import warnings

import numpy as np
import pytest
from evaluation.plain_ledger import random_costs
from evaluation.plain_panel import PlainPanel, random_cases, random_panel
from hypothesis import given, settings
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood.models.voting import StackedTree, Vote

seeds = st.integers(0, 2**32 - 1)


def random_consultations(seed, **settings):
    rng = np.random.default_rng(seed)
    feature_values = rng.choice([0, 0, 1, 2, 4], 5).tolist()
    costs = random_costs(rng, 5, **settings)
    panel, arrays, stacked = random_panel(rng, costs, feature_values)
    codes, rows = random_cases(rng, feature_values, 6)
    return panel, arrays, stacked, codes, rows


def billed(panel, rows, costs=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of new categories
        return tw.bill(panel, rows, None, costs)


@given(seeds)
@settings(max_examples=300)
def test_a_panel_charges_and_answers_as_the_plain_one(seed):
    panel, arrays, stacked, codes, rows = random_consultations(seed)
    bill = billed(panel, rows)
    tests = bill.per_case["tests"]
    for r, row in enumerate(codes.tolist()):
        plain = PlainPanel(arrays, panel.rule, panel.costs, row, stacked)
        assert bill.predicted[r] == plain.answer
        assert bill.n_consulted[r] == len(plain.consulted)
        assert list(tests[r]) == list(plain.bill)
        assert bill.test_cost[r] == pytest.approx(sum(plain.bill.values()), rel=1e-12)


@given(seeds)
@settings(max_examples=200)
def test_a_consultation_asks_and_charges_what_the_bill_says(seed):
    panel, _, _, _, rows = random_consultations(seed)
    bill = billed(panel, rows)
    for r, row in enumerate(rows):
        values = dict(zip(panel.feature_names, row, strict=True))
        # What is not charged when it is missing is known to be unavailable.
        missing = (
            [] if panel.costs.charge_missing else [name for name, value in values.items() if value is None]
        )
        case = panel.consult(unavailable=missing)
        asked = []
        while not case.finished:
            asked.append(case.next_test)
            assert case.bill + case.price == pytest.approx(
                case.answer(values[case.next_test], allow_unseen=True).bill
            )
        assert len(set(asked)) == len(asked)
        assert case.result == panel.classes[bill.predicted[r]]
        assert [name for name, _ in case.bought] == list(bill.per_case["tests"][r])
        assert case.bill == pytest.approx(bill.test_cost[r], rel=1e-12)
        assert len(case.consulted) == bill.n_consulted[r]
        shares = panel.predict_proba([row])[0]
        assert list(case.probabilities.values()) == pytest.approx(shares.tolist(), abs=1e-12)


@given(seeds)
@settings(max_examples=100)
def test_nothing_is_charged_twice(seed):
    panel, _, _, _, rows = random_consultations(seed, groups=False)
    bill = billed(panel, rows)
    for tests, cost in zip(bill.per_case["tests"], bill.test_cost, strict=True):
        assert len(set(tests)) == len(tests)
        resources = set().union(*(panel.costs.tests[name].needs for name in tests))
        own = sum(panel.costs.tests[name].price for name in tests)
        assert cost == pytest.approx(own + sum(panel.costs.shared[name] for name in resources))
    assert (bill.test_cost <= bill.apart_cost * (1 + 1e-12) + 1e-12).all()


@given(seeds)
@settings(max_examples=60)
def test_a_budget_is_kept_and_answers_can_be_taken_back(seed):
    panel, _, _, _, rows = random_consultations(seed)
    budget = float(np.random.default_rng(seed).choice([0.0, 1.0, 3.0, 8.0]))
    for row in rows[:3]:
        values = dict(zip(panel.feature_names, row, strict=True))
        case = panel.consult(budget=budget)
        while not case.finished:
            before = case.next_test, case.bill, case.bought, case.why
            case.answer(values[case.next_test], allow_unseen=True)
            assert case.bill <= budget * (1 + 1e-9)
            case.undo()
            assert (case.next_test, case.bill, case.bought, case.why) == before
            case.answer(values[case.next_test], allow_unseen=True)
        assert case.result in panel.classes.tolist()


def test_two_threads_write_the_same_bills():
    rng = np.random.default_rng(3)
    costs = random_costs(rng, 5)
    panel, *_ = random_panel(rng, costs, [0, 0, 2, 0, 4])
    _, rows = random_cases(rng, [0, 0, 2, 0, 4], 1500)
    table = panel.table(rows)
    one, two = panel.charge(table, costs, 1), panel.charge(table, costs, 2)
    np.testing.assert_array_equal(one.ledger.test_cost, two.ledger.test_cost)
    np.testing.assert_array_equal(one.ledger.test, two.ledger.test)
    np.testing.assert_array_equal(one.apart_cost, two.apart_cost)
    np.testing.assert_array_equal(panel.core.answer(table, 1)[1], panel.core.answer(table, 2)[1])


FFT = tw.Costs(
    {
        "fft1": tw.Test(12, group="fft", after=0.2),
        "fft2": tw.Test(12, group="fft", after=0.2),
        "mean": 3,
    }
)
CASES = [[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1]]


def trees_of(*columns):
    """Trees that ask some columns each, one after the other."""
    X = np.array(CASES)
    frames = tw.CostTreeClassifier(growth=tw.Growth(min_split_weight=1, min_branch_weight=1))
    found = []
    for own in columns:
        kept = np.where(np.isin(np.arange(3), own), X, 0)
        y = np.where(kept.sum(axis=1) % 2 == 1, "odd", "even")
        frame = {name: kept[:, place] for place, name in enumerate(FFT.tests)}
        found.append(frames.fit(_frame(frame), y).tree_)
    return found


def _frame(columns):
    pd = pytest.importorskip("pandas")
    return pd.DataFrame(columns)


def test_the_worked_example_of_a_shared_transform():
    """Tree A pays an FFT feature 12 and another 3; tree B another FFT feature at .2, and the 3 is free."""
    A, B = trees_of([0, 2], [1, 2])
    panel = tw.Panel([A, B], Vote((1.0, 1.0)), FFT)
    X = _frame(dict(zip(FFT.tests, np.array(CASES).T, strict=True)))
    bill = tw.bill(panel, X)
    whole = [case for case, tests in enumerate(bill.per_case["tests"]) if len(tests) == 3]
    assert whole
    for case in whole:
        assert bill.test_cost[case] == pytest.approx(15.2)
        assert bill.apart_cost[case] == pytest.approx(30)  # without sharing: twice 12 + 3
    assert bill.mean_apart_cost == pytest.approx(bill.apart_cost.mean())
    assert "tests, if each tree paid for its own" in str(bill)
    assert "trees consulted per case" in str(bill)


def test_a_case_down_several_branches_pays_all_of_them_in_full():
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]] * 10), ["no", "no", "no", "yes"] * 10
    costs = tw.Costs({"x0": 1, "x1": 10})
    tree = tw.algorithm("c45", costs=costs).fit(X, y).tree_
    first, second = tree.features_used
    case = [[np.nan, 1.0]] if first == "x0" else [[1.0, np.nan]]
    alone, panel = tw.bill(tree, case), tw.bill(tw.Panel([tree], Vote((1.0,)), costs), case)
    half = costs.tests[second].price / 2  # one of two equal branches asks it
    assert alone.test_cost == pytest.approx([costs.tests[first].price + half])
    assert panel.test_cost == panel.apart_cost == pytest.approx([11])


def test_a_member_that_is_not_consulted_is_not_paid():
    A, B = trees_of([0], [1])
    panel = tw.Panel([A, B], Vote((3.0, 1.0), short_cut=True), FFT)
    X = _frame(dict(zip(FFT.tests, np.array(CASES).T, strict=True)))
    bill = tw.bill(panel, X)
    assert set(bill.test_cost) == {12.0}
    assert bill.mean_n_consulted == 1
    assert bill.upfront_cost == pytest.approx(12.2)  # the other might be asked, for all that is known before
    everything = tw.bill(panel, X, None, FFT.replace(payment="upfront"))
    assert set(everything.test_cost) == {12.2}


def test_a_chair_asks_whom_it_comes_to():
    A, B = trees_of([0], [1])
    asked = tw.CostTreeClassifier(growth=tw.Growth(nominal="value"))
    said = _frame({"first": ["even", "even", "odd", "odd"], "second": ["even", "odd", "even", "odd"]})
    upper = asked.fit(said, ["even", "even", "even", "odd"]).tree_
    panel = tw.Panel([A, B], StackedTree(upper, (0, 1), (-1, -1)), FFT)
    X = _frame(dict(zip(FFT.tests, np.array(CASES).T, strict=True)))
    bill = tw.bill(panel, X)
    first, second = A.predict(X) == "odd", B.predict(X) == "odd"
    np.testing.assert_array_equal(panel.predict(X), np.where(first & second, "odd", "even"))
    np.testing.assert_array_equal(bill.n_consulted, 1 + first)
    np.testing.assert_allclose(bill.test_cost, np.where(first, 12.2, 12.0))
    assert panel.consult().answer(0).why == "first: fft1 <= 0.5: even\nfirst = even: even"


def test_all_tests_of_a_model_are_priced_in_the_order_of_the_columns():
    """The same tests have one price, whichever of a group the first tree asks first."""
    costs = tw.Costs({"a": tw.Test(10, group="blood", after=1), "b": tw.Test(20, group="blood", after=8)})
    rng = np.random.default_rng(0)
    X = _frame({"a": rng.normal(size=200), "b": rng.normal(size=200)})
    y = np.where(X["b"] > 0, "up", np.where(X["a"] > 0, "mid", "low"))
    tree = tw.CostTreeClassifier(growth=tw.Growth(max_depth=2)).fit(X, y).tree_
    assert tree.features_used == ("b", "a")
    panel = tw.Panel([tree, tree], Vote((1.0, 1.0)), costs)
    booster = tw.CostGradientBoostingClassifier(costs=costs, cost_weight=0, n_estimators=5, stop=None)
    booster.fit(X, y)
    for model in (panel, booster):
        assert tw.bill(model, X).upfront_cost == costs.total(["a", "b"]) == 18
        upfront = tw.bill(model, X, None, costs.replace(payment="upfront"))
        np.testing.assert_allclose(upfront.test_cost, 18)
