"""Batches: the worked example, the definition written out, and what they save on the training cases."""

import math

import numpy as np
import pandas as pd
import pytest
from consult.strategy_cases import IMMEDIATE, PRICES, clinic, misc, plain_batch, run, worked_example
from finished_trees import golf, random_finished, random_row, regression
from hypothesis import given, settings
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood import _core
from thriftwood.consult.batches import Batch, stopping_costs
from thriftwood.consult.budget import Budget
from thriftwood.consult.strategies import CaseState
from thriftwood.costs import Costs, Test
from thriftwood.models.tree.walk import endings

seeds = st.integers(0, 2**32 - 1)
DEAR = Costs({"Outlook": 4, "Temperature": 1, "Humidity": 2, "Windy": 0.5}, errors_default=100)


def expected_cost(model, cells, **how):
    """Test cost and cost of the answer, averaged over the leaves of the worked example."""
    tree = model.tree_
    misc_of = stopping_costs(tree, tree.costs)
    total = 0.0
    for row, share in cells:
        case = run(model.consult(**how), row)
        (end,) = case._endings
        total += share * (case.bill + misc_of[end.node])
    return total


def test_the_worked_example():
    model, cells = worked_example()
    tree = model.tree_
    assert stopping_costs(tree, tree.costs) == pytest.approx([30, 5, 20, 2, 6])
    assert [misc(tree, tree.costs, node) for node in range(5)] == pytest.approx([30, 5, 20, 2, 6])
    assert expected_cost(model, cells) == pytest.approx(16.3)
    assert expected_cost(model, cells, strategy="single_batch") == pytest.approx(18.3)
    assert expected_cost(model, cells, strategy="single_batch", budget=10) == pytest.approx(22.5)
    assert expected_cost(model, cells, strategy="single_batch", budget=9) == pytest.approx(30)
    assert expected_cost(model, cells, budget=13.5) == pytest.approx(22.5)
    # The first batch is {A, B}, so there is nothing left for a second.
    assert expected_cost(model, cells, strategy="multiple_batch") == pytest.approx(18.3)


def test_what_the_tests_of_the_worked_example_are_worth():
    model, _ = worked_example()
    tree = model.tree_
    batch = Batch(
        CaseState(tree, {}, Budget(_core.Till(tree.prices)), endings(tree, {})),
        stopping_costs(tree, tree.costs),
    )
    (first,) = batch.at.questions
    (second,) = (end for end in endings(tree, {}, awaited={0}) if end.asks >= 0)
    assert batch.worth(first) == pytest.approx(7.5)
    assert batch.worth(second) == pytest.approx(4.2)
    names = tree.feature_names
    assert [tuple(names[test] for test in one.tests) for one in batch.fill()] == [("A",), ("B",)]


def test_a_batch_is_named_priced_and_paid_as_one():
    case = golf(DEAR).consult(strategy="single_batch")
    assert case.next_tests == ("Outlook", "Windy", "Humidity")
    assert (case.next_test, case.price, case.bill, case.stopped) == ("Outlook", 6.5, 0.0, None)
    assert repr(case) == "<Consultation: next tests Outlook, Windy, Humidity for 6.5, bill 0>"
    case.answer("Rain")
    assert (case.next_tests, case.price, case.bill) == (("Windy", "Humidity"), 0.0, 6.5)
    assert case.probabilities == pytest.approx({"No": 0.4, "Yes": 0.6})
    case.answer({"Humidity": 80, "Windy": "true"})
    assert (case.finished, case.result, case.bill, case.stopped) == (True, "No", 6.5, None)
    assert case.bought == [("Outlook", 4.0), ("Windy", 0.5), ("Humidity", 2.0)]


def test_undo_opens_the_batch_again():
    case = golf(DEAR).consult(strategy="single_batch")
    case.answer({"Outlook": "Rain", "Windy": "true", "Humidity": 80}).undo()
    assert (case.next_tests, case.bill) == (("Humidity",), 6.5)
    case.undo().undo()
    assert (case.next_tests, case.bill, case.price) == (("Outlook", "Windy", "Humidity"), 0.0, 6.5)


def test_an_answer_that_was_not_asked_for_changes_nothing():
    case = golf(DEAR).consult(strategy="single_batch")
    with pytest.raises(ValueError, match=r"'Temperature' is not asked for now. Asked for: Outlook, Windy"):
        case.answer({"Outlook": "Rain", "Temperature": 20})
    with pytest.raises(ValueError, match="no category 'Rian'"):
        case.answer({"Windy": "true", "Outlook": "Rian"})
    with pytest.raises(ValueError, match="No answer was given"):
        case.answer({})
    assert (case.bill, len(case.next_tests)) == (0.0, 3)
    assert case.answer(pd.Series({"Outlook": "Rain", "Windy": "true"})).next_tests == ("Humidity",)
    assert golf().consult().answer({"Outlook": "Overcast"}).result == "Yes"  # also for one test at a time


def test_tests_not_worth_their_price_are_not_run():
    # Outlook saves 5/14 - 4/14 of a mistake, 40/14 < 4.
    case = golf(DEAR.replace(errors_default=40)).consult(strategy="single_batch")
    assert (case.finished, case.result, case.bill, case.stopped) == (True, "Yes", 0.0, "price")
    assert case.why == "Outlook is not worth its price, so Yes"
    assert repr(case) == "<Consultation: finished, answer Yes, bill 0, stopped by price>"
    known = golf(DEAR.replace(errors_default=40)).consult({"Outlook": "Rain"}, strategy="single_batch")
    assert (known.next_tests, known.price) == (("Windy",), 0.5)  # 2/5 * 40 > 0.5


def test_a_second_batch_is_planned_by_the_first():
    # Humidity is needed by 5 of 14 cases: 5/14 * (2/5 * 100) < 15 <= 2/5 * 100.
    costs = DEAR.replace(tests={"Outlook": 4, "Humidity": 15, "Windy": 0.5})
    single = golf(costs).consult(strategy="single_batch").answer({"Outlook": "Sunny", "Windy": "true"})
    assert (single.result, single.stopped, single.bill) == ("No", "batch", 4.5)
    assert single.why == "Outlook = Sunny: Humidity was not in the batch, so No"
    multiple = golf(costs).consult(strategy="multiple_batch").answer({"Outlook": "Sunny", "Windy": "true"})
    assert (multiple.next_tests, multiple.price) == (("Humidity",), 15.0)
    assert (multiple.answer(70).result, multiple.stopped, multiple.bill) == ("Yes", None, 19.5)


def test_a_delayed_test_brings_its_subtree_at_the_price_of_all():
    # Alone, Outlook would not be worth its price; with what it brings, it is.
    costs = DEAR.replace(tests={"Outlook": Test(4, delayed=True), "Humidity": 2, "Windy": 0.5})
    for strategy in ("single_batch", "multiple_batch"):
        case = golf(costs.replace(errors_default=40)).consult(strategy=strategy)
        assert (set(case.next_tests), case.price) == ({"Outlook", "Humidity", "Windy"}, 6.5)
        assert case.ordered_with == ()
        # What is known of the subtree cannot be reached otherwise, and is neither asked nor ordered.
        known = golf(costs).consult({"Humidity": 70}, strategy=strategy)
        assert (known.next_tests, known.price) == (("Outlook", "Windy"), 4.5)


def test_upfront_everything_paid_is_run():
    case = golf(DEAR.replace(payment="upfront", errors_default=0)).consult(strategy="single_batch")
    assert (set(case.next_tests), case.price, case.bill) == ({"Outlook", "Humidity", "Windy"}, 0.0, 6.5)
    run(case, {"Outlook": "Sunny", "Humidity": 70, "Windy": "true"})
    assert (case.result, case.bill, case.stopped) == ("Yes", 6.5, None)


def test_without_prices_all_tests_are_run_at_once():
    case = golf(None).consult(strategy="single_batch")
    assert (set(case.next_tests), case.price) == ({"Outlook", "Humidity", "Windy"}, 0.0)


def test_an_unavailable_test_of_a_batch_need_not_be_charged():
    case = golf(DEAR.replace(charge_missing=False)).consult(strategy="single_batch")
    case.answer({"Windy": None})
    assert case.bill == 6.0
    case.answer({"Outlook": None, "Humidity": 70})
    assert (case.bill, case.bought) == (2.0, [("Humidity", 2.0)])
    charged = golf(DEAR).consult(strategy="single_batch")
    assert charged.answer({"Outlook": None, "Humidity": 70, "Windy": None}).bill == 6.5


def test_a_surrogate_belongs_to_a_later_batch():
    X = pd.DataFrame({"a": [1, 1, 1, 2, 2, 2], "b": [5, 5, 5, 5, 7, 7]})
    growth = tw.Growth(missing="surrogate", max_depth=1)
    model = tw.CostTreeClassifier(costs=Costs({"a": 1, "b": 2}, errors_default=100), growth=growth)
    model.fit(X, list("nnnyyy"))
    single = model.consult(strategy="single_batch").answer({"a": None})
    assert (single.bill, single.stopped, single.why) == (1.0, "batch", "b was not in the batch, so n")
    multiple = model.consult(strategy="multiple_batch").answer({"a": None})
    assert (multiple.next_tests, multiple.price) == (("b",), 2.0)
    assert (multiple.answer(7).result, multiple.bill) == ("y", 3.0)
    poor = model.consult(strategy="multiple_batch", budget=2.5).answer({"a": None})
    assert (poor.bill, poor.stopped) == (1.0, "budget")


def test_a_batch_looks_one_test_ahead():
    # Neither test alone changes an answer, so the rule finds neither worth anything; together they tell all.
    X = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]})
    weights = [1.5, 1, 1, 1]
    model = tw.CostTreeClassifier(costs=Costs({"a": 1, "b": 1}, errors_default=100))
    model.fit(X, list("nyyn"), sample_weight=weights)
    assert model.consult(strategy="single_batch").stopped == "price"


def test_what_cannot_be_planned_is_refused():
    with pytest.raises(ValueError, match=r"regression tree has no such costs. Use strategy='sequential'"):
        regression().consult(strategy="single_batch")
    with pytest.raises(ValueError, match=r"'strategy' parameter of consult .* Did you mean 'single_batch'"):
        golf().consult(strategy="single-batch")


@given(seeds, st.sampled_from([0.0, 0.3]), st.integers(1, 8), st.booleans())
@settings(deadline=None, max_examples=150)
def test_a_batch_is_the_one_of_the_definition(seed, share_known, n_tests, free):
    rng = np.random.default_rng(seed)
    costs = IMMEDIATE.replace(tests={**IMMEDIATE.tests, "age": 0}) if free else IMMEDIATE
    tree = random_finished(rng, surrogates=False, costs=costs, full_maps=True, n_tests=n_tests)
    known = {name: value for name, value in random_row(rng).items() if rng.random() < share_known}
    case, plain = tree.consult(known, strategy="single_batch"), plain_batch(tree, costs, known)
    assert set(case.next_tests) == set(plain)
    assert case.price == pytest.approx(costs.total(plain))


@given(seeds, st.sampled_from([None, 0.0, 2.0, 4.0, 7.5]))
@settings(deadline=None, max_examples=25)
def test_planning_pays_on_the_training_cases(seed, budget):
    model, X, y, costs = clinic(seed)
    matrix = pd.DataFrame(costs.error_matrix(model.classes_), model.classes_, model.classes_)

    def mean_cost(**how):
        rows = zip(X.to_dict("records"), y, strict=True)
        cases = [(run(model.consult(budget=budget, **how), row), truth) for row, truth in rows]
        return np.mean([case.bill + matrix.loc[truth, case.result] for case, truth in cases])

    untested = stopping_costs(model.tree_, costs)[0]
    single, multiple = mean_cost(strategy="single_batch"), mean_cost(strategy="multiple_batch")
    assert single <= untested + 1e-9
    if budget is None:
        assert multiple <= single + 1e-9


@given(seeds, st.booleans())
@settings(deadline=None, max_examples=100)
def test_batches_end_on_the_way_of_the_sequential_case(seed, delayed):
    rng = np.random.default_rng(seed)
    costs = PRICES if delayed else IMMEDIATE
    tree = random_finished(rng, surrogates=False, costs=costs, full_maps=True)
    row = random_row(rng)
    (leaf,) = run(tree.consult(), row)._endings
    for strategy in ("single_batch", "multiple_batch"):
        case = run(tree.consult(strategy=strategy), row)
        (end,) = case._endings
        assert end.node in tree.path(leaf.node)
        assert (case.stopped is None) == (end.node == leaf.node)
        assert case.result == tree.answer(end.node)
        assert case.bill == pytest.approx(math.fsum(price for _, price in case.bought))


@given(seeds, st.sampled_from(["single_batch", "multiple_batch"]), st.booleans())
@settings(deadline=None, max_examples=100)
def test_answers_one_by_one_or_together_come_to_the_same(seed, strategy, charge_missing):
    rng = np.random.default_rng(seed)
    tree = random_finished(rng, costs=PRICES.replace(charge_missing=charge_missing))
    row = random_row(rng, 0.3)
    together, singly = tree.consult(strategy=strategy), tree.consult(strategy=strategy)
    run(together, row)
    while not singly.finished:
        singly.answer(row[singly.next_test])
        before = repr(singly)
        last = singly._answers[-1].feature
        singly.undo().answer({tree.feature_names[last]: row[tree.feature_names[last]]})
        assert repr(singly) == before
    assert (together.result, together.bill, together.why) == (singly.result, singly.bill, singly.why)
