"""What a page says of answers, points and pairs."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from evaluation.billed_trees import golf
from finished_trees import random_finished, random_row, table_of

import thriftwood as tw
from thriftwood.evaluation.statement import amount
from thriftwood.report import make_report
from thriftwood.report.cases import encoded_column
from thriftwood.report.journeys import journey, needed_features
from thriftwood.report.nodes import passing
from thriftwood.report.points import own_point
from thriftwood.table.native import core_table


def data_of(page):
    return json.loads(re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.S)[1])


def words_of(page):
    """The page without scripts, a line for each piece of text between tags."""
    return re.sub(r"<[^>]+>", "\n", re.sub(r"<(script|style)[^>]*>.*?</\1>", "", page, flags=re.S))


def test_a_model_with_the_published_value_is_its_own_point():
    golf = tw.load_dataset("golf-nominal")
    model = tw.algorithm("eg2", costs=golf.costs).fit(golf.X, golf.y)
    found = tw.frontier(model, golf.X, golf.y, values=[0, 1, 4], cv=2, random_state=0)
    assert own_point(found, model) == 1


def test_no_number_is_called_right():
    X = np.arange(20.0).reshape(-1, 1)
    model = tw.CostTreeRegressor(growth=tw.Growth(max_depth=1)).fit(X, X[:, 0] ** 2)
    page = model.report(X, X[:, 0] ** 2, costs=tw.Costs({"x0": 1})).html
    assert {case["wrong"] for case in data_of(page)["cases"]} == {None}


def test_many_classes_without_a_mistake_have_no_pairs_that_cost():
    labels = np.array([f"c{i:02}" for i in range(20)])
    X = np.arange(20.0).reshape(-1, 1)
    model = tw.CostTreeClassifier(costs=tw.Costs({"x0": 1})).fit(X, labels)
    page = model.report(X, labels).html
    assert "No mistake was made." in page
    assert "pairs that cost most" not in page


def test_the_bill_prints_names_on_one_line_without_control_characters():
    X = np.arange(8.0).reshape(-1, 1)
    labels = np.array(["a\x1b[31m", "b\nb"])[(X[:, 0] > 3).astype(int)]
    text = str(tw.bill(tw.CostTreeClassifier(costs=tw.Costs({"x0": 1})).fit(X, labels), X, labels))
    assert "\x1b" not in text
    assert "'b\\nb'" in text


@pytest.mark.parametrize("seed", range(40))
def test_a_case_that_is_spread_counts_by_its_shares(seed):
    rng = np.random.default_rng(seed)
    tree = random_finished(rng, surrogates=bool(seed % 2))
    table = table_of(tree, [random_row(rng, missing=0.3) for _ in range(15)])
    labels, weights = rng.choice(["a", "b", "c"], 15), rng.random(15)
    bill = tw.bill(tree, table, labels, tw.Costs(), sample_weight=weights if seed % 3 else None)
    encoded = tree.encoder.encode(table)
    columns = {feature: encoded_column(encoded, feature) for feature in needed_features(tree)}
    wanted = np.zeros((tree.n_nodes, 3))
    for row in range(15):
        known = {feature: float(column[row]) for feature, column in columns.items()}
        for step in journey(tree, bill.costs, known):
            wanted[step.node, bill.actual[row]] += step.share * (weights[row] if seed % 3 else 1.0)
    found = passing(bill, tree, core_table(encoded, tree.encoder))
    np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_a_single_thing_is_not_called_several():
    one = tw.CostTreeClassifier(costs=tw.Costs({"x0": 1})).fit([[1.0], [1.0]], ["a", "a"])
    two = tw.CostTreeClassifier(costs=tw.Costs({"x0": 1})).fit([[1.0], [2.0]], ["a", "b"])
    for page in (one.report([[1.0]], ["a"]), two.report([[1.0]], ["a"])):
        assert not re.search(r"\b1 (leaves|tests|classes|cases|nodes|features)\b", words_of(page.html))
    assert "1 case · 1 class · 1 leaf · 0 tests" in one.report([[1.0]], ["a"]).html
    assert "1 case · 2 classes · 2 leaves · 1 test" in two.report([[1.0]], ["a"]).html
    assert not re.search(r"\b1 cases\b", two.tree_._repr_html_())


def test_classes_that_are_left_out_are_counted():
    labels = np.repeat([f"c{i:02}" for i in range(43)], 2)
    X = np.repeat(np.arange(43.0), 2).reshape(-1, 1)
    page = tw.CostTreeClassifier(costs=tw.Costs({"x0": 1})).fit(X, labels).report(X, labels).html
    assert "and 3 more classes, each of fewer cases" in words_of(page)
    root = data_of(page)["nodes"][0]
    assert root["counts"][-1] == root["here"]["counts"][-1] == [None, "31 more classes", "62"]


def test_benefits_have_bars_to_the_left_and_green_cells():
    X, y = [[0.0], [0.0], [1.0], [1.0]], ["a", "a", "b", "b"]
    model = tw.CostTreeClassifier().fit(X, y)
    costs = tw.Costs(errors={"a": {"a": -30, "b": 10}, "b": {"a": 10, "b": 0}})
    page = model.report(X, ["a", "a", "b", "a"], costs=costs).html
    bars = re.findall(r'<rect x="([\d.]+)" width="([\d.]+)" height="10" fill="([^"]+)">', page)
    # What a case pays: 10/4 for a mistake; what it gets: 60/4. Their sum is the whole width.
    assert [(float(x), float(width)) for x, width, _ in bars] == [(85.71, 14.29), (0.0, 85.71)]
    assert bars[0][2] != bars[1][2]
    assert "to the left, are benefits" in page
    assert '<td class="num right deep4 benefit">2<small>-60</small></td>' in page
    plain = model.report(X, y, costs=tw.Costs()).html
    assert "benefits" not in words_of(plain)


def test_what_to_expect_stands_beside_the_figures_of_training_cases():
    model, data = golf()
    ranking = tw.compare({"mine": model}, data.X, data.y, data.costs.replace(errors_default=20), cv=3)
    costs = data.costs.replace(errors_default=20)
    page = make_report(model, data.X, data.y, costs=costs, expected=ranking[0], training=True).html
    words = " ".join(words_of(page).split())
    low, high = ranking[0].interval
    bill = tw.bill(model, data.X, data.y, costs)
    row = f"a case costs {ranking[0].mean_cost:.2f} {amount(low)} to {amount(high)} {bill.mean_cost:.2f}"
    assert row in words
    assert "14 cases was judged by a tree that had not seen it (3 folds)" in words
    assert words.count("Of the cases that the tree learnt from") == 2  # the bill, the mistakes
    assert '<section id="expected" >' in page
    plain = make_report(model, data.X, data.y, costs=costs).html
    assert "learnt from" not in words_of(plain)
    assert '<section id="expected" hidden>' in plain


def test_something_else_for_what_to_expect_is_refused():
    model, data = golf()
    ranking = tw.compare({"mine": model}, data.X, data.y, cv=2)
    with pytest.raises(TypeError, match=r"such as ranking\[0\]\. Got Ranking"):
        make_report(model, data.X, data.y, costs=data.costs, expected=ranking)


def test_a_report_of_something_else_says_so():
    with pytest.raises(TypeError, match=r"A report is made of a fitted tree estimator.* Got int"):
        make_report(5, [[1.0]])


REFERRED = tw.Costs(
    {"x0": 100},
    errors={"ill": {"well": 900}, "well": {"ill": 800}},
    answers={"refer to an expert": 50},
    currency="EUR",
    case_name="patient",
)


def test_an_answer_that_is_no_class_is_no_mistake():
    X, y = [[1.0], [2.0]] * 31, ["ill", "well"] * 31
    model = tw.ThriftClassifier(REFERRED, leaves="class").fit(X, y)
    assert set(model.predict(X)) == {"refer to an expert"}
    page = make_report(model, X, y).html
    words = " ".join(words_of(page).split())
    assert "Order no test: answer &quot;refer to an expert&quot; for everybody" in words
    assert "answers 50 EUR no mistake among 62 patients" in words
    assert "ill, answered refer to an expert 25" in words
    assert "for each test and each kind of answer." in words
    assert "mistakes 50" not in words
    assert "called" not in words
    case = data_of(page)["cases"][0]
    assert (case["label"], case["wrong"], case["answer"]) == ("patient 1", None, "refer to an expert")


def test_cases_are_numbered_from_one_and_rows_keep_their_names():
    frame = pd.DataFrame({"x0": [1.0, 2.0], "x1": [1.0, 2.0]})
    tree = tw.CostTreeClassifier(costs=tw.Costs({"x0": 1})).fit(frame, ["a", "b"])
    for table, wanted in (
        (frame, ["case 1", "case 2"]),
        (frame.set_axis([7, 9]), ["row 7", "row 9"]),
    ):
        page = make_report(tree, table, ["a", "b"]).html
        assert [case["label"] for case in data_of(page)["cases"]] == wanted


def test_what_is_free_stays_free_when_it_is_asked_again():
    """age and TSH are each asked twice; a bill counts the one that is bought."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.integers(0, 9, 200), "TSH": rng.integers(0, 9, 200)})
    y = (X["age"] // 3 % 2 + X["TSH"] // 3 % 2) % 2
    costs = tw.Costs({"TSH": 2}, errors_default=90, case_name="patient")
    model = tw.CostTreeClassifier("entropy", costs=costs).fit(X, y)
    page = make_report(model, X, y).html
    prices = {(node["test"], node["price"]) for node in data_of(page)["nodes"] if node["test"]}
    assert prices == {("age", "free"), ("TSH", "price 2"), ("TSH", "paid before")}
    notebook = model.tree_._repr_html_()
    assert all(said in notebook for said in ("free ·", "price 2 ·", "paid before ·"))
    assert "price 0" not in notebook
    words = [" ".join(line.split()) for line in str(tw.bill(model, X, y)).splitlines()]
    assert {"tests bought per patient 1", "free columns read per patient 1"} <= set(words)
