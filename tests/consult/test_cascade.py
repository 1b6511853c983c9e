"""Consultations of a cascade: the bill, a consultation and a plain walk agree, whatever the costs."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cascades import golf_cascade, random_cascade, random_frame

import thriftwood as tw

SEEDS = st.integers(0, 2**32 - 1)


def rows_of(frame):
    return [
        dict(zip(frame.columns, row, strict=True)) for row in frame.astype(object).itertuples(index=False)
    ]


def consulted(cascade, row, **options):
    case = cascade.consult(**options)
    while not case.finished:
        case = case.answer(row[case.next_test], allow_unseen=True)
    return case


def lacking(row):
    return [name for name, value in row.items() if pd.isna(value)]


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_bill_and_consultation_agree_to_the_last_test(seed):
    cascade, frame = random_cascade(seed), random_frame(np.random.default_rng(seed), 12)
    costs = cascade.costs
    bill, answers, shares = tw.bill(cascade, frame), cascade.predict(frame), cascade.predict_proba(frame)
    for number, row in enumerate(rows_of(frame)):
        # A table knows of every missing value; a consultation must be told of those that it does not ask.
        case = consulted(cascade, row, unavailable=[] if costs.charge_missing else lacking(row))
        assert [name for name, _ in case.bought] == list(bill.per_case["tests"][number])
        assert case.bill == pytest.approx(bill.test_cost[number])
        assert case.result == answers[number]
        assert list(case.probabilities.values()) == shares[number].tolist()
        assert case.consulted == bill.n_consulted[number]
        if not costs.charge_missing and costs.payment == "sequential":
            heard = consulted(cascade, row)
            if not any(test.delayed for test in costs.tests.values()):
                assert heard.bill == pytest.approx(bill.test_cost[number])
            assert heard.result == answers[number]


@given(SEEDS, st.floats(0, 20))
@settings(max_examples=60, deadline=None)
def test_a_budget_is_kept_and_the_cards_bought_so_far_answer(seed, budget):
    cascade, frame = random_cascade(seed), random_frame(np.random.default_rng(seed), 8)
    bill = tw.bill(cascade, frame, budget=budget)
    assert bill.test_cost.max() <= budget * (1 + 1e-9)
    for number, row in enumerate(rows_of(frame)):
        unavailable = [] if cascade.costs.charge_missing else lacking(row)
        case = consulted(cascade, row, budget=budget, unavailable=unavailable)
        assert case.bill == pytest.approx(bill.test_cost[number])
        assert case.bill <= budget * (1 + 1e-9)
        assert case.result == cascade.answers[bill.predicted[number]]
        assert bill.stopped[number] == (case.stopped == "budget")
        assert bill.n_consulted[number] == case.consulted
        free = consulted(cascade, row, unavailable=unavailable)
        if case.stopped != "budget":
            assert case.result == free.result
            # Upfront nothing is bought at all if all of it is too dear.
            assert case.bought == free.bought or cascade.costs.payment == "upfront"
        else:
            # The stages bought so far, as a cascade of their own; nothing of the first stage, if none was.
            had = [name for stage in cascade.stages[: case.consulted] for name in names_of(cascade, stage)]
            last = cascade.stages[max(case.consulted, 1) - 1].card
            known = pd.DataFrame([{name: value if name in had else None for name, value in row.items()}])
            known = known.astype(frame.dtypes)
            encoded = cascade.encode(known)
            shares = last.shares([encoded.columns[feature] for feature in last.features])
            assert list(case.probabilities.values()) == shares[0].tolist()


def names_of(cascade, stage):
    return [cascade.feature_names[test] for test in stage.tests]


@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_undo_takes_back_what_was_paid(seed):
    cascade, frame = random_cascade(seed), random_frame(np.random.default_rng(seed), 1)
    (row,) = rows_of(frame)
    case, seen = cascade.consult(), []
    while not case.finished:
        seen.append((case.next_tests, case.bill, case.price, case.why, case.probabilities))
        case.answer(row[case.next_test], allow_unseen=True)
    for before in reversed(seen):
        case.undo()
        assert (case.next_tests, case.bill, case.price, case.why, case.probabilities) == before
    with pytest.raises(ValueError, match="no answer to take back"):
        case.undo()


def test_a_stage_is_a_batch_that_is_paid_with_its_first_answer():
    case = golf_cascade().consult()
    assert (case.next_tests, case.price, case.choices) == (("Outlook",), 2, ("Sunny", "Overcast", "Rain"))
    case.answer("Rain")
    assert (case.next_tests, case.price) == (("Humidity", "Windy"), 3)
    case.answer(70)
    assert (case.next_tests, case.price, case.bill) == (("Windy",), 0, 5)
    case.answer("true")
    assert (case.finished, case.result, case.bill, case.stopped) == (True, "No", 5, "sure")


def test_why_in_words():
    case = golf_cascade().consult()
    assert case.why == "asks Outlook"
    assert list(case.probabilities.values()) == pytest.approx([0.401312, 0.598688], abs=1e-6)  # 40 points
    case.answer("Overcast")
    assert case.why == "stage 1: score 290 (40, Outlook +250): Yes is expected to cost 0.5215 <= 1.25, so Yes"
    assert (case.stopped, repr(case)) == (
        "sure",
        "<CascadeConsultation: finished, answer Yes, bill 2, stopped by sure>",
    )
    case.undo().answer("Rain")
    assert case.why.splitlines() == [
        "stage 1: score -20 (40, Outlook -60): No is expected to cost 2.701 > 1.25",
        "asks Humidity, Windy",
    ]
    case.answer({"Humidity": 70, "Windy": None}).answer(64)
    assert case.why.splitlines()[-1] == (
        "stage 3: score 50 (25, Outlook -60, Humidity +70, Windy +0, Temperature +15): "
        "No is expected to cost least, 3.7348, so No"
    )


def test_why_of_a_budget_and_of_more_classes():
    case = golf_cascade().consult(budget=4).answer("Rain")
    assert (case.result, case.stopped, case.bill, case.consulted) == ("No", "budget", 2, 1)
    assert case.why.splitlines()[-1] == "stage 2 exceeds the budget, so No"
    nothing = golf_cascade().consult(budget=1)
    assert (nothing.finished, nothing.result, nothing.bill, nothing.consulted) == (True, "No", 0, 0)
    assert nothing.why.endswith("stage 1 exceeds the budget, so No")
    assert random_cascade(1, n_classes=3).consult(budget=0).why.startswith("stage 1: scores alpha ")


def test_what_is_known_is_free_and_not_asked():
    case = golf_cascade().consult({"Outlook": "Rain", "Windy": "true"}, unavailable=["Temperature"])
    assert case.next_tests == ("Humidity",)
    case.answer(90)
    assert (case.finished, case.bill, case.bought) == (True, 2.5, [("Humidity", 2.5)])


def test_a_delayed_test_brings_the_later_stages_unless_it_cannot_be_had():
    costs = tw.Costs({"Outlook": tw.Test(2, delayed=True), "Humidity": 3, "Windy": 1, "Temperature": 4})
    case = golf_cascade().with_costs(costs).consult()
    assert (case.price, case.ordered_with) == (10, ("Humidity", "Windy", "Temperature"))
    case.answer("Overcast")
    assert (case.finished, case.bill) == (True, 10)
    free = golf_cascade().with_costs(costs.replace(charge_missing=False))
    case = free.consult().answer(None)
    assert (case.bill, case.price) == (0, 4)
    golf = tw.load_dataset("golf")
    missing = golf.X.head(1).assign(Outlook=None)
    assert tw.bill(free, missing).per_case["tests"][0] == ["Humidity", "Windy", "Temperature"]
    sure = golf.X.head(1).assign(Outlook=None, Humidity=65.0, Windy="false")
    assert tw.bill(free, sure).test_cost.tolist() == [4]


def test_a_model_is_consulted_and_its_costs_may_change():
    table = tw.load_dataset("wisconsin-diagnostic")
    model = tw.ThriftClassifier(table.costs, leaves="score").fit(table.X, table.y)
    first = model.consult().price
    doubtful = model.model_.ending(model.model_.table(table.X)).stage.argmax()
    case = model.consult(budget=first + 1)
    while not case.finished:
        case.answer(table.X.iloc[doubtful][case.next_test])
    assert (case.stopped, case.bill) == ("budget", first)
    with pytest.raises(ValueError, match=r"a cascade of \d stages.*Leave it out"):
        model.consult(strategy="single_batch")
