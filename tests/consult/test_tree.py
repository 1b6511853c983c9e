"""Consultations: the tests asked, the bill, and that the answer is the tree's."""

import math

import numpy as np
import pandas as pd
import pytest
from finished_trees import (
    GOLF_PRICES,
    RANDOM_PRICES,
    deep,
    golf,
    grown,
    random_finished,
    random_row,
    regression,
    table_of,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from thriftwood.costs import Costs, Test
from thriftwood.evaluation import bill

seeds = st.integers(0, 2**32 - 1)


def answered(case, row):
    """Answer all questions from a row; returns the tests asked."""
    asked = []
    while not case.finished:
        asked.append(case.next_test)
        before, price = case.bill, case.price
        case.answer(row[case.next_test])
        if row[asked[-1]] is not None:
            assert case.bill == pytest.approx(before + price)
    return asked


def path_cost(tree, costs, row):
    """The price of a path written out: what each test still costs, a delayed one with its whole subtree."""
    paid, node, bill = [], 0, 0.0

    def pay(name):
        nonlocal bill
        bill += costs.effective_price(name, paid)
        paid.append(name)

    def below(node):
        if tree[node].test is None:
            return []
        return [tree[node].test, *(name for child in tree[node].children for name in below(child))]

    while tree[node].test is not None:
        test = tree[node].test
        for name in below(node) if test in costs.tests and costs.tests[test].delayed else [test]:
            pay(name)
        node = next(c for c in tree[node].children if tree[c].condition.holds(row[test]))
    return bill


def test_a_day_of_golf():
    case = golf().consult()
    assert (case.next_test, case.price, case.choices) == ("Outlook", 4.0, ("Sunny", "Overcast", "Rain"))
    assert case.probabilities == {"No": 5 / 14, "Yes": 9 / 14}
    assert case.why == "asks Outlook"
    assert repr(case) == "<Consultation: next test Outlook for 4, bill 0>"
    case.answer("Sunny")
    assert (case.next_test, case.price, case.choices) == ("Humidity", 2.0, None)
    assert (case.bill, case.bought, case.finished) == (4.0, [("Outlook", 4.0)], False)
    with pytest.raises(ValueError, match="not finished: it asks for 'Humidity'"):
        _ = case.result
    case.answer(70)
    assert (case.finished, case.next_test, case.price, case.choices) == (True, None, 0.0, None)
    assert (case.result, case.bill) == ("Yes", 6.0)
    assert case.why == "Outlook = Sunny, Humidity <= 75: Yes"
    assert case.bought == [("Outlook", 4.0), ("Humidity", 2.0)]
    with pytest.raises(ValueError, match="finished"):
        case.answer(1)


def test_undo_takes_back_the_answer_and_the_price():
    case = golf().consult().answer("Sunny").answer(70)
    case.undo()
    assert (case.next_test, case.bill) == ("Humidity", 4.0)
    assert case.answer(90).result == "No"
    case.undo().undo()
    assert (case.next_test, case.bill, case.bought) == ("Outlook", 0.0, [])
    with pytest.raises(ValueError, match="no answer to take back"):
        case.undo()
    assert case.answer("Overcast").result == "Yes"


def test_what_is_known_is_free():
    case = golf().consult(known={"Outlook": "Rain", "Temperature": 20})
    assert (case.next_test, case.bill) == ("Windy", 0.0)
    assert (case.answer("true").result, case.bill) == ("No", 0.5)
    assert golf().consult({"Outlook": "Overcast"}).result == "Yes"
    with pytest.raises(ValueError, match=r"no test 'Outlok' in .*Did you mean 'Outlook'"):
        golf().consult(known={"Outlok": "Rain"})
    with pytest.raises(ValueError, match=r"no category 'Rian'.*Did you mean 'Rain'"):
        golf().consult(known={"Outlook": "Rian"})


@pytest.mark.parametrize("nothing", [None, math.nan, pd.NA, np.float64("nan")])
def test_a_missing_value_is_not_known_yet(nothing):
    case = golf().consult(known={"Outlook": nothing, "Humidity": 80})
    assert (case.next_test, case.bill) == ("Outlook", 0.0)
    assert (case.answer("Sunny").result, case.bill) == ("No", 4.0)


def test_a_row_of_a_frame_is_known():
    row = pd.DataFrame({"Outlook": ["Rain"], "Windy": [None], "Humidity": [80]}).iloc[0]
    case = golf().consult(row)
    assert (case.next_test, case.bill) == ("Windy", 0.0)

    class Row:  # as of a database
        def keys(self):
            return ["Outlook"]

        def __getitem__(self, name):
            return "Overcast"

    assert golf().consult(Row()).result == "Yes"


def test_tests_that_cannot_be_had_are_not_asked_and_free():
    case = golf().consult({"Outlook": "Rain"}, unavailable=["Windy"])
    assert (case.finished, case.bill, case.result) == (True, 0.0, "Yes")
    assert case.probabilities == pytest.approx({"No": 0.4, "Yes": 0.6})
    with pytest.raises(ValueError, match="no test 'Wind' in"):
        golf().consult(unavailable=["Wind"])
    with pytest.raises(ValueError, match="'Outlook' is known and unavailable"):
        golf().consult({"Outlook": "Rain"}, unavailable=["Outlook"])
    for wrong in ("Windy", 3):
        with pytest.raises(TypeError, match="list of names"):
            golf().consult(unavailable=wrong)


def test_known_must_be_named_values():
    for wrong in ([1, 2], "Outlook", pd.DataFrame({"Outlook": ["Rain"]}), np.zeros(4)):
        with pytest.raises(TypeError, match="known must map names of tests to values"):
            golf().consult(wrong)


def test_an_unavailable_value_keeps_several_paths_open_and_asks_the_heaviest_first():
    case = golf().consult().answer(None)
    assert case.bill == 4.0  # ordered, so charged
    assert case.next_test == "Humidity"  # 5 days were sunny, 5 rainy; the first branch first
    assert case.why.splitlines()[1] == "28.6%: Outlook = Overcast (Outlook unknown: 28.6% of cases): Yes"
    assert case.answer(90).next_test == "Windy"
    case.answer("true")
    assert case.finished
    assert case.probabilities == pytest.approx({"No": 10 / 14, "Yes": 4 / 14})
    assert (case.result, case.bill) == ("No", 6.5)


def test_unavailable_tests_need_not_be_charged():
    case = golf(GOLF_PRICES.replace(charge_missing=False)).consult().answer(math.nan)
    assert (case.bill, case.bought) == (0.0, [])
    assert case.answer(80.0).bill == 2.0
    assert golf().consult(unavailable=["Outlook"]).next_test == "Humidity"


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
def test_a_test_ordered_with_others_is_taken_off_the_bill_when_it_is_unavailable(payment):
    tests = {
        "Outlook": Test(4, delayed=True),
        "Humidity": Test(2, group="g"),
        "Windy": Test(3, group="g", after=1),
    }
    costs = Costs(tests, payment=payment, charge_missing=False)
    case = golf(costs).consult().answer("Sunny")
    assert (case.bill, case.next_test) == (7.0, "Humidity")
    case.answer(None)
    assert case.bought == [("Outlook", 4.0), ("Windy", 3.0)]  # and the discount went with it
    assert case.undo().bill == 7.0
    assert golf(costs.replace(charge_missing=True)).consult().answer("Sunny").answer(None).bill == 7.0


def test_upfront_everything_is_charged_at_the_start():
    case = golf(GOLF_PRICES.replace(payment="upfront")).consult()
    assert (case.bill, case.price) == (6.5, 0.0)
    assert case.answer("Overcast").bill == 6.5
    assert golf(GOLF_PRICES.replace(payment="upfront")).consult({"Humidity": 80}).bill == 4.5


def test_turneys_example_of_delayed_tests():
    # alpha 5 immediate, delta 7 and epsilon 10 (8 after delta) delayed: 5 + (7 + 8) + 0
    tests = {"alpha": 5, "delta": Test(7, delayed=True, group="g", after=5)}
    tests["epsilon"] = Test(10, delayed=True, group="g", after=8)
    alpha, delta, epsilon = [0, 1] * 8, [0, 0, 1, 1] * 4, [0, 0, 0, 0, 1, 1, 1, 1] * 2
    X = pd.DataFrame({"alpha": alpha, "delta": delta, "epsilon": epsilon}).astype(float)
    y = ["x" if not a else "y" if not d else "u" if e else "v" for a, d, e in X.to_numpy()]
    tree = grown(X, y, Costs(tests))
    assert tree.features_used == ("alpha", "delta", "epsilon")
    case = tree.consult().answer(1)
    assert (case.next_test, case.price, case.ordered_with) == ("delta", 15.0, ("epsilon",))
    assert repr(case) == "<Consultation: next test delta with epsilon for 15, bill 5>"
    case.answer(1)
    assert (case.next_test, case.price, case.bill, case.ordered_with) == ("epsilon", 0.0, 20.0, ())
    assert (case.answer(1).bill, case.ordered_with) == (20.0, ())
    assert tree.consult({"epsilon": 1}).answer(1).ordered_with == ()  # known already
    assert case.bought == [("alpha", 5.0), ("delta", 7.0), ("epsilon", 8.0)]


def test_a_surrogate_is_asked_and_charged_when_a_test_is_unavailable():
    tree = golf(name="golf-missing", missing="surrogate", nominal="binary")
    first = tree.core.surrogates["feature"][tree.core.first_surrogate[0]]
    assert (tree[0].test, tree.feature_names[first]) == ("Outlook", "Temperature")
    case = tree.consult().answer(None)
    assert (case.next_test, case.price, case.bill) == ("Temperature", 1.0, 4.0)
    case.answer(99.0)
    assert case.why == "Temperature > 80.5 in place of Outlook: Yes"
    assert (case.result, case.bill) == ("Yes", 5.0)


def test_slips_are_told_from_new_categories():
    case = golf().consult()
    with pytest.raises(ValueError, match=r"'Outlook' has no category 'sunny'.*'Sunny'.*allow_unseen"):
        case.answer("sunny")
    with pytest.raises(ValueError, match="Categories: Sunny, Overcast, Rain"):
        case.answer(12345)
    assert case.answer("Snow", allow_unseen=True).next_test == "Humidity"
    with pytest.raises(TypeError, match="takes a number"):
        case.answer("wet")
    with pytest.raises(ValueError, match="finite"):
        case.answer(math.inf)


def test_without_prices_nothing_costs():
    case = golf(None).consult()
    assert (case.price, case.answer("Overcast").bill) == (0.0, 0.0)


def test_regression():
    tree = regression()
    case = tree.consult()
    row = dict(zip(tree.feature_names, [0.3, -0.2, 0.1], strict=True))
    answered(case, row)
    assert case.result == tree.decide(row)
    assert repr(case) == f"<Consultation: finished, answer {case.result:.6g}, bill 0>"
    with pytest.raises(ValueError, match="no probabilities"):
        _ = case.probabilities


def test_a_deep_tree():
    case = deep(5000, Costs({"x0": 3})).consult().answer(1e9)
    assert (case.result, case.bill) == ("low", 3.0)
    assert case.why.count("x0 > ") == 5000


@given(seeds, st.booleans(), st.booleans(), st.sampled_from([0.0, 0.3, 0.7]))
@settings(deadline=None, max_examples=150)
def test_a_consultation_answers_as_predict_does(seed, as_regression, charge_missing, missing):
    rng = np.random.default_rng(seed)
    costs = RANDOM_PRICES.replace(charge_missing=charge_missing)
    tree = random_finished(rng, regression=as_regression, costs=costs)
    row = random_row(rng, missing)
    case = tree.consult()
    asked = answered(case, row)
    assert len(asked) == len(set(asked))
    table = table_of(tree, [row])
    if as_regression:
        assert case.result == pytest.approx(tree.predict(table)[0], rel=1e-12, abs=1e-12)
    else:
        assert list(case.probabilities.values()) == tree.predict_proba(table)[0].tolist()
        assert case.result == tree.predict(table)[0]
    assert case.bill == pytest.approx(sum(price for _, price in case.bought))
    assert len(case.why.splitlines()) >= 1
    if asked:
        bill = case.bill
        case.undo()
        assert case.next_test == asked[-1]
        assert case.answer(row[asked[-1]]).bill == bill


@given(seeds)
@settings(deadline=None, max_examples=100)
def test_the_bill_of_a_complete_case_is_the_path_cost(seed):
    rng = np.random.default_rng(seed)
    tree = random_finished(rng, surrogates=False, costs=RANDOM_PRICES, full_maps=True)
    row = random_row(rng)
    case = tree.consult()
    answered(case, row)
    assert case.bill == pytest.approx(path_cost(tree, RANDOM_PRICES, row))
    (end,) = tree.apply(table_of(tree, [row]))
    assert tree[int(end)].bill == pytest.approx(case.bill)


@given(seeds, st.booleans(), st.sampled_from(["sequential", "upfront"]), st.sampled_from([0.0, 0.3, 0.6]))
@settings(deadline=None, max_examples=300)
def test_a_case_with_one_path_pays_what_the_ledger_writes(seed, charge_missing, payment, missing):
    rng = np.random.default_rng(seed)
    costs = RANDOM_PRICES.replace(charge_missing=charge_missing, payment=payment)
    tree = random_finished(rng, costs=costs, full_maps=True)
    row = random_row(rng, missing)
    case = tree.consult()
    asked = answered(case, row)
    assume(len(case._endings) == 1)
    # The ledger sees the whole row; that a test is unavailable which was ordered in vain, nobody has learnt.
    whole = random_row(rng) | {name: row[name] for name in asked}
    statement = bill(tree, table_of(tree, [whole]), [case.result])
    assert case.bill == pytest.approx(statement.mean_test_cost, rel=1e-12)


@given(seeds)
@settings(deadline=None, max_examples=30)
def test_knowing_everything_costs_nothing(seed):
    rng = np.random.default_rng(seed)
    tree = random_finished(rng, costs=RANDOM_PRICES)
    row = random_row(rng, 0.2)
    case = tree.consult(row, unavailable=[name for name, value in row.items() if value is None])
    assert case.finished
    assert (case.bill, case.result) == (0.0, tree.predict(table_of(tree, [row]))[0])
