"""Bills of models that may answer what is no class."""

import json

import numpy as np
import pytest

import thriftwood as tw
from thriftwood.cli.machine import bill_content
from thriftwood.costs import CostError

X = np.array([[0.0], [0.0], [1.0], [1.0], [2.0], [2.0]])
Y = np.array(["a", "b", "a", "a", "b", "b"])
COSTS = tw.Costs({0: 1}, errors={"a": {"b": 10}, "b": {"a": 20}}, answers={"refer": {"a": 3, "b": 4}})


@pytest.fixture
def model():
    return tw.OptimalTreeClassifier(COSTS, max_depth=2).fit(X, Y)


def test_a_case_that_is_referred_pays_for_that_and_is_neither_right_nor_wrong(model):
    assert model.predict(X).tolist() == ["refer", "refer", "a", "a", "b", "b"]
    paid = tw.bill(model, X, Y)
    assert paid.error_cost.tolist() == [3, 4, 0, 0, 0, 0]
    assert paid.mean_cost == pytest.approx(1 + 7 / 6)
    assert paid.accuracy == pytest.approx(4 / 6)
    assert paid.n_errors == paid.high_cost_errors == 0
    assert paid.further_shares == {"refer": pytest.approx(2 / 6)}
    assert paid.confusion.answers.tolist() == ["a", "b", "refer"]
    assert paid.confusion.counts.tolist() == [[2, 0, 1], [0, 2, 1]]
    assert paid.confusion.costs.tolist() == [[0, 0, 3], [0, 0, 4]]
    assert (paid.untested_answer, paid.untested_cost) == ("refer", 3.5)
    assert paid.per_case["predicted"].tolist() == model.predict(X).tolist()
    text = str(paid)
    assert "answered refer" in text
    assert "33.33 %" in text
    assert "a  b  refer  cost" in text


def test_other_costs_may_know_more_answers_in_another_order(model):
    others = COSTS.replace(answers={"later": 9, "refer": 1})
    paid = tw.bill(model, X, Y, others)
    assert paid.error_cost.tolist() == [1, 1, 0, 0, 0, 0]
    assert paid.confusion.answers.tolist() == ["a", "b", "later", "refer"]
    assert paid.further_shares == {"later": 0.0, "refer": pytest.approx(2 / 6)}
    assert paid.per_case["predicted"].tolist() == model.predict(X).tolist()


def test_an_answer_without_a_cost_is_an_error_where_it_would_be_charged(model):
    without = COSTS.replace(answers={})
    with pytest.raises(CostError, match=r"also answers 'refer'.*costs.replace\(answers=\{'refer': "):
        tw.bill(model, X, Y, without)
    assert tw.bill(model, X, costs=without).per_case["predicted"].tolist() == model.predict(X).tolist()


def test_parts_of_a_bill_add_up(model):
    whole, parts = tw.bill(model, X, Y), (tw.bill(model, X[rows], Y[rows]) for rows in ([0, 1, 2], [3, 4, 5]))
    total = tw.total_bill(parts)
    assert total.further_shares == whole.further_shares
    assert total.confusion.counts.tolist() == whole.confusion.counts.tolist()
    assert str(total) == str(whole)


def test_a_budget_leads_to_the_answer_of_the_node_where_it_ends(model):
    paid = tw.bill(model, X, Y, budget=0.5)
    assert set(paid.per_case["predicted"]) == {model.tree_.answer(0)} == {"refer"}


def test_compare_and_frontier_charge_them():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(90, 2))
    y = np.where(rng.random(90) < 1 / (1 + np.exp(-2 * table[:, 0])), 1, 0)
    costs = tw.Costs({0: 1, 1: 1}, errors_default=100, answers={"refer": 12})
    ranking = tw.compare(["optimal", "min-total-cost", "c45cs"], table, y, costs, cv=3)
    assert {contender.name for contender in ranking} == {"optimal", "min-total-cost"}
    assert "classes alone" in str(ranking.refusals["c45cs"])
    for contender in ranking:
        for fold in range(3):
            own, held_out = tw.algorithm(contender.name, costs=costs), contender.fold == fold
            paid = tw.bill(own.fit(table[~held_out], y[~held_out]), table[held_out], y[held_out])
            charged = paid.test_cost + paid.error_cost
            assert contender.cost[held_out].tolist() == pytest.approx(charged.tolist())
    model, depths = tw.CostTreeClassifier(costs=costs), {"param": "growth__max_depth", "values": [1, 2]}
    found = tw.frontier(model, table, y, **depths, cv=3, random_state=0).columns
    not_right = 100 * (1 - found["accuracy"])  # what these cases would cost as mistakes
    assert (found["error_cost"] < not_right).all()


def test_the_page_and_the_machine_words_have_a_column_for_them(model, tmp_path):
    path = tmp_path / "page.html"
    model.report(X, Y, path)
    page = path.read_text(encoding="utf-8")
    assert ">refer</th>" in page
    content = bill_content(tw.bill(model, X, Y))
    assert content["further_shares"] == {"refer": pytest.approx(2 / 6)}
    assert json.dumps(content["answers"].tolist()) == '["a", "b", "refer"]'
    plain = tw.OptimalTreeClassifier(COSTS.replace(answers={}), max_depth=2).fit(X, Y)
    assert "answers" not in bill_content(tw.bill(plain, X, Y))
