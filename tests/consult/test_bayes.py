"""Consultations with answers by naive Bayes: the same questions, bills and answers as for a table."""

import numpy as np
import pytest

import thriftwood as tw

HEART = tw.load_dataset("wisconsin-diagnostic")


@pytest.mark.parametrize("budget", [None, 60.0])
def test_a_consultation_is_the_bill_of_a_table(budget):
    model = tw.BayesAnswers(tw.algorithm("c45", costs=HEART.costs)).fit(HEART.X, HEART.y)
    rows = HEART.X[:40]
    bill = tw.bill(model, rows, budget=budget)
    for number, row in enumerate(rows.to_dict("records")):
        case = model.consult(budget=budget)
        while not case.finished:
            case = case.answer(row[case.next_test])
        assert case.result == model.classes_[bill.predicted[number]]
        assert case.bill == pytest.approx(bill.test_cost[number])


def test_what_is_known_counts_though_the_tree_does_not_ask_it():
    golf = tw.load_dataset("golf-nominal")
    model = tw.BayesAnswers(tw.algorithm("c45", costs=golf.costs)).fit(golf.X, golf.y)
    plain = model.consult().answer("Rain").answer("Weak")
    warmer = model.consult({"Temp": "Hot"}).answer("Rain").answer("Weak")
    assert plain.bill == warmer.bill
    assert plain.probabilities["Yes"] > warmer.probabilities["Yes"]
    assert warmer.why == "Temp = Hot, Outlook = Rain, Wind = Weak: Yes by naive Bayes"
    assert sum(plain.probabilities.values()) == pytest.approx(1.0)
    assert plain.confidence is None
    assert plain.undo().next_test == "Wind"
    lacking = model.consult().answer("Rain").answer(None)
    assert "Wind" not in lacking.why


def test_a_budget_that_buys_nothing_answers_by_how_common_the_classes_are():
    golf = tw.load_dataset("golf-nominal")
    model = tw.BayesAnswers(tw.algorithm("c45", costs=golf.costs)).fit(golf.X, golf.y)
    case = model.consult(budget=0.1)
    assert (case.finished, case.stopped, case.result, case.bill) == (True, "budget", "Yes", 0.0)
    np.testing.assert_allclose(case.probabilities["Yes"], 9 / 14)
