"""Hard budgets: never spent beyond, under any strategy and any way of paying."""

import math

import numpy as np
import pytest
from consult.strategy_cases import PRICES, run
from finished_trees import GOLF_PRICES, golf, random_finished, random_row, regression
from hypothesis import given, settings
from hypothesis import strategies as st

from thriftwood import _core
from thriftwood.consult.budget import Budget, Purchase
from thriftwood.costs import Costs, Test

seeds = st.integers(0, 2**32 - 1)
STRATEGIES = ["sequential", "single_batch", "multiple_batch"]


def test_the_case_ends_where_the_next_test_exceeds_the_budget():
    case = golf().consult(budget=5).answer("Sunny")
    assert (case.finished, case.next_test, case.next_tests, case.price) == (True, None, (), 0.0)
    assert (case.result, case.bill, case.stopped) == ("No", 4.0, "budget")
    assert case.why == "Outlook = Sunny: Humidity exceeds the budget, so No"
    assert case.probabilities == pytest.approx({"No": 0.6, "Yes": 0.4})
    assert golf().consult(budget=5).answer("Rain").answer("true").bill == 4.5
    assert case.undo().next_test == "Outlook"


def test_a_budget_can_be_spent_to_the_last():
    case = golf().consult(budget=6).answer("Sunny").answer(70)
    assert (case.result, case.bill, case.stopped) == ("Yes", 6.0, None)
    # 0.1 + 0.2 is 0.30000000000000004 in binary fractions, and nobody's budget.
    costs = Costs({"Outlook": 0.1, "Humidity": 0.2})
    assert golf(costs).consult(budget=0.3).answer("Sunny").answer(70).stopped is None


def test_nothing_to_spend_is_the_answer_of_the_root_or_of_what_is_known():
    case = golf().consult(budget=0)
    assert (case.result, case.bill, case.stopped) == ("Yes", 0.0, "budget")
    assert case.why == "Outlook exceeds the budget, so Yes"
    assert golf().consult({"Outlook": "Sunny"}, budget=0).result == "No"
    assert golf(None).consult(budget=0).next_test == "Outlook"  # what costs nothing may be asked


def test_what_is_ordered_with_a_delayed_test_counts():
    costs = GOLF_PRICES.replace(tests={"Outlook": Test(4, delayed=True), "Humidity": 2, "Windy": 0.5})
    assert golf(costs).consult(budget=6.4).stopped == "budget"
    assert golf(costs).consult(budget=6.5).price == 6.5
    assert golf(costs).consult({"Humidity": 70}, budget=6.4).price == 4.5


def test_an_upfront_price_above_the_budget_buys_nothing():
    upfront = golf(GOLF_PRICES.replace(payment="upfront"))
    for strategy in STRATEGIES:
        case = upfront.consult({"Outlook": "Rain"}, budget=2, strategy=strategy)
        assert (case.bill, case.stopped, case.result) == (0.0, "budget", "Yes")
        assert case.why == "Outlook = Rain: Windy exceeds the budget, so Yes"
        assert upfront.consult({"Outlook": "Rain"}, budget=2.5, strategy=strategy).bill == 2.5


def test_a_dear_path_is_left_for_one_that_can_be_paid():
    costs = GOLF_PRICES.replace(tests={"Outlook": 4, "Humidity": 2, "Windy": 0.5})
    case = golf(costs).consult(budget=1, unavailable=["Outlook"])
    assert case.next_test == "Windy"  # Humidity, which comes first, is too dear
    case.answer("true")
    assert (case.bill, case.stopped, case.finished) == (0.5, "budget", True)
    assert case.why.splitlines()[0].endswith("Humidity exceeds the budget, so No")


def test_a_batch_keeps_to_the_budget():
    costs = GOLF_PRICES.replace(errors_default=100)
    case = golf(costs).consult(strategy="single_batch", budget=5)
    assert (case.next_tests, case.price) == (("Outlook", "Windy"), 4.5)
    case.answer({"Outlook": "Sunny", "Windy": "true"})
    assert (case.result, case.stopped) == ("No", "budget")
    assert (
        golf(costs).consult(strategy="multiple_batch", budget=3).why == "Outlook exceeds the budget, so Yes"
    )


def budget_of(costs, limit=math.inf):
    return Budget(_core.Till(_core.Prices(costs.compile(["A", "B"]))), limit)


def test_a_lost_discount_cannot_break_the_budget():
    # After A, B costs 2; should A turn out to be unavailable, and so not charged, B would cost 100.
    costs = Costs({"A": Test(1, group="g"), "B": Test(100, group="g", after=2)}, charge_missing=False)
    both = [Purchase(0, (0,)), Purchase(1, (1,))]
    assert budget_of(costs).price([0, 1]) == 3
    assert not budget_of(costs, 50).allows(both)
    assert budget_of(costs, 101).allows(both)
    assert not budget_of(costs, 50).allows([Purchase(0, (0, 1))])  # ordered together
    assert not budget_of(costs, 50).after([0]).allows(both[1:])  # A was ordered, and has no answer yet
    assert budget_of(costs, 50).after([0]).settled({0: True}, []).allows(both[1:])
    assert budget_of(costs.replace(charge_missing=True), 3).allows(both)


def plain_bill(costs, tests):
    """What tests cost that are bought in this order, by the reference in Python."""
    basket = costs.basket()
    for test in tests:
        basket.buy(test)
    return basket.bill


@given(st.booleans(), seeds)
@settings(deadline=None, max_examples=200)
def test_the_till_of_a_case_is_the_reference_for_the_tests_that_could_be_had(charge_missing, seed):
    rng = np.random.default_rng(seed)
    names = list(PRICES.tests)
    costs = PRICES.replace(charge_missing=charge_missing)
    budget = Budget(_core.Till(_core.Prices(costs.compile(names))))
    ordered = rng.permutation(len(names))[: rng.integers(len(names) + 1)].tolist()
    answers = {test: bool(rng.integers(2)) for test in ordered if rng.integers(2)}
    paid = [test for test in ordered if charge_missing or answers.get(test, True)]
    settled = budget.after(ordered).settled(answers, [])
    expected = plain_bill(costs, (names[test] for test in paid))
    assert {names[test]: price for test, price in settled.bought} == expected
    assert settled.spent == math.fsum(expected.values())
    rest = [test for test in range(len(names)) if test not in ordered]
    together = plain_bill(costs, (names[test] for test in [*paid, *rest]))
    assert settled.price(rest) == math.fsum(together[names[test]] for test in rest)
    # What was asked for is another budget: this one has bought nothing.
    assert budget.bought == []


@pytest.mark.parametrize("wrong", [-1, math.nan, "50", True, -math.inf])
def test_a_budget_is_an_amount(wrong):
    with pytest.raises(ValueError, match=r"'budget' parameter of consult must be a number in .* or None"):
        golf().consult(budget=wrong)


def test_a_regression_tree_keeps_to_a_budget():
    tree = regression()
    tree.costs = Costs(default_price=1)
    row = dict(zip(tree.feature_names, [0.3, -0.2, 0.1], strict=True))
    case = run(tree.consult(budget=1), row)
    assert (case.bill, case.stopped) == (1.0, "budget")
    assert case.result == tree.answer(case._endings[0].node)


ways_of_paying = st.builds(
    PRICES.replace, charge_missing=st.booleans(), payment=st.sampled_from(["sequential", "upfront"])
)


@given(
    seeds,
    ways_of_paying,
    st.sampled_from(STRATEGIES),
    st.floats(0, 25),
    st.sampled_from([0.0, 0.3, 0.7]),
    st.booleans(),
)
@settings(deadline=None, max_examples=400)
def test_the_budget_is_never_exceeded(seed, costs, strategy, budget, missing, as_regression):
    rng = np.random.default_rng(seed)
    as_regression = as_regression and strategy == "sequential"
    tree = random_finished(rng, costs=costs, regression=as_regression)
    row, known = random_row(rng, missing), {k: v for k, v in random_row(rng).items() if rng.random() < 0.2}
    case = tree.consult(known, strategy=strategy, budget=budget)
    while True:
        assert case.bill <= budget * (1 + 1e-12)
        assert case.bill + case.price <= budget * (1 + 1e-12)
        if case.finished:
            break
        name = str(rng.choice(case.next_tests))
        before, price, bought = case.bill, case.price, len(case.bought)
        case.answer({name: row[name]})
        if row[name] is not None or costs.charge_missing:
            assert case.bill == pytest.approx(before + price)
            assert (len(case.bought) > bought) or price == 0
    assert case.result is not None
    if case.stopped is None:
        assert all(end.asks < 0 for end in case._endings)


@given(seeds, ways_of_paying, st.sampled_from(STRATEGIES), st.sampled_from([0.0, 0.4]))
@settings(deadline=None, max_examples=150)
def test_a_budget_that_is_not_reached_changes_nothing(seed, costs, strategy, missing):
    rng = np.random.default_rng(seed)
    tree = random_finished(rng, costs=costs)
    row = random_row(rng, missing)
    free = run(tree.consult(strategy=strategy), row)
    for budget in (math.inf, 1000):
        case = run(tree.consult(strategy=strategy, budget=budget), row)
        assert (case.result, case.bought, case.why) == (free.result, free.bought, free.why)
    assert free.stopped != "budget"
