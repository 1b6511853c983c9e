import csv
import json
from pathlib import Path

import pytest
from cli.commands import as_process, thriftwood

import thriftwood as tw


def expected(costs=None, y=True):
    data = tw.read_table("patients.csv", "state", leave_out=["id"])
    return tw.bill(tw.load("tree.json"), data.X, data.y if y else None, costs)


def test_the_bill_is_the_library_s(state_tree):
    run = as_process("bill", "tree.json", "patients.csv", "--target", "state")
    data = tw.read_table("patients.csv", "state", leave_out=["id"])
    flatters = "If the model learnt from these cases, new ones cost more."
    first = tw.verdict(tw.load("tree.json"), data.X, data.y, basis=flatters)
    assert flatters in run.out
    assert (run.code, run.err, run.out) == (0, "", f"{first}\n\n{expected()}\n")


def test_without_the_truth_tests_alone_are_billed(state_tree):
    run = thriftwood("bill", "tree.json", "patients.csv")
    assert run.out == f"{expected(y=False)}\n"


def test_other_prices(state_tree):
    Path("dear.toml").write_text("default_price = 7\nerrors_default = 3\n")
    run = thriftwood(
        "bill", "tree.json", "patients.csv", "--target", "state", "--costs", "dear.toml", "--json"
    )
    own = expected(tw.Costs(default_price=7, errors_default=3))
    content = json.loads(run.out)
    assert (content["mean_cost"], content["upfront_cost"]) == (own.mean_cost, own.upfront_cost)
    assert [row["test"] for row in content["by_test"]] == own.test_columns["test"]
    assert content["confusion"]["counts"] == own.confusion.counts.tolist()


def test_the_bill_of_every_case(state_tree):
    run = thriftwood("bill", "tree.json", "patients.csv", "--target", "state", "-o", "cases.csv")
    assert run.code == 0
    rows = list(csv.DictReader(Path("cases.csv").read_text().splitlines()))
    own = expected()
    assert [float(row["cost"]) for row in rows] == own.per_case["cost"].tolist()
    assert [row["tests"].split("; ") for row in rows] == own.per_case["tests"].tolist()
    piped = thriftwood("bill", "tree.json", "patients.csv", "--target", "state", "-o", "-")
    assert piped.out == Path("cases.csv").read_text()


def test_classes_that_are_numbers_in_the_model(clinic):
    Path("t.csv").write_text("x0,y\n1,0\n2,0\n3,1\n4,1\n")
    model = tw.CostTreeClassifier(costs=tw.Costs({"x0": 3})).fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    model.tree_.save("tree.json")
    content = json.loads(thriftwood("bill", "tree.json", "t.csv", "--target", "y", "--json").out)
    assert (content["accuracy"], content["mean_test_cost"]) == (1.0, 3.0)


def test_a_regression_tree_pays_for_tests(number_tree, clinic):
    Path("t.csv").write_text("x0,y\n1,10\n4,20.5\n")
    Path("c.toml").write_text("default_price = 2\n")
    run = thriftwood("bill", number_tree, "t.csv", "--target", "y", "--costs", "c.toml", "--json")
    content = json.loads(run.out)
    assert (content["mean_test_cost"], content["mean_cost"]) == (2.0, None)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tree.json", "patients.csv", "--target", "stat"], "Did you mean 'state'?"),
        (
            ["tree.json", "patients.csv", "--target", "smoker"],
            "classes that the tree does not know: 'yes', 'no'",
        ),
        (["tree.json", "patients.csv", "--costs", "other.toml"], "'weight'"),
        (
            ["free.json", "patients.csv"],
            "free.json has no price list, so nothing can be charged. Give --costs",
        ),
        (["patients.csv", "tree.json"], "the model comes first."),
        (["tree.json", "patients.csv", "-o", "no/cases.csv"], "there is no folder 'no'. Make it first"),
        (["tree.json", "patients.csv", "-o", "cases.json"], "something.csv or something.tsv"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(state_tree, words, said):
    Path("other.toml").write_text("[tests]\nweight = 1\n")
    data = tw.read_table("patients.csv", "state", leave_out=["id"])
    tw.CostTreeClassifier().fit(data.X, data.y).tree_.save("free.json")
    run = thriftwood("bill", *words)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert run.err.count("\n") == 1


def test_one_result_goes_to_standard_output(state_tree):
    run = thriftwood("bill", state_tree, "patients.csv", "-o", "-", "--json")
    assert (run.code, run.out) == (2, "")
    assert "name a file for the bills" in run.err


def test_a_budget_stops_cases(clinic, state_tree):
    words = ("bill", state_tree, "patients.csv", "--target", "state", "--budget", "3", "--json")
    content = json.loads(thriftwood(*map(str, words)).out)
    model, data = tw.load(state_tree), tw.read_table("patients.csv", "state", leave_out=["id"])
    bill = tw.bill(model, data.X, data.y, budget=3)
    assert (content["budget"], content["n_stopped"]) == (3.0, bill.n_stopped)
    assert content["total_test_cost"] == bill.total_test_cost <= 36
    refused = thriftwood(*map(str, words[:-2]), "-1")
    assert refused.code == 2
    assert "budget" in refused.err


def test_groups_have_bills_of_their_own(state_tree):
    run = thriftwood("bill", "tree.json", "patients.csv", "--target", "state", "--by", "smoker", "--json")
    content = json.loads(run.out)
    data = tw.read_table("patients.csv", "state", leave_out=["id"])
    own = tw.bill(tw.load("tree.json"), data.X, data.y)
    assert content["interval"] == pytest.approx(list(own.interval))
    with open("patients.csv") as file:
        smokers = [row["smoker"] for row in csv.DictReader(file)]
    expected_groups = own.by(smokers)
    assert [row["group"] for row in content["groups"]] == ["no", "yes"]
    for row in content["groups"]:
        bill = expected_groups[row["group"]]
        assert (row["n_cases"], row["cost"]) == (bill.n_cases, pytest.approx(bill.mean_cost))
        assert [row["low"], row["high"]] == pytest.approx(list(bill.interval))
    run = thriftwood("bill", "tree.json", "patients.csv", "--target", "state", "--by", "smoker")
    assert str(expected_groups) in run.out
    run = thriftwood("bill", "tree.json", "patients.csv", "--by", "smokes")
    assert run.code == 2


def test_cases_and_amounts_are_named_by_the_price_list(clinic, state_tree):
    words = 'currency = "EUR"\ncase_name = "child"\n'
    Path("named.toml").write_text(words + Path("costs.toml").read_text())
    bill = ("bill", "tree.json", "patients.csv", "--target", "state", "--costs")
    run = thriftwood(*bill, "named.toml")
    assert "children, payment sequential, in EUR" in run.out
    assert "tests bought per child" in run.out
    Path("other.toml").write_text(Path("costs.toml").read_text().replace("[tests]", "[tests]\nheight = 3"))
    lacking = thriftwood(*bill, "other.toml")
    said = " ".join(lacking.err.split())
    assert (lacking.code, "costs.only" in said) == (2, False)
    assert "has a price for 'height'" in said
    assert said.endswith("If the table lacks it on purpose, take its line out of the price list.")
