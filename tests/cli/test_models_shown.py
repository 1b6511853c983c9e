"""Models of several trees, shown and exported by the command line."""

import json
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cli.commands import thriftwood
from cli.conftest import patients
from evaluation.plain_ledger import random_costs
from evaluation.plain_panel import random_panel
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

import thriftwood as tw
from thriftwood.cli.machine import model_content
from thriftwood.cli.members import asked_tests, members_of
from thriftwood.cli.model_page import print_model
from thriftwood.models.voting import StackedTree, Vote


def test_a_vote_is_shown_with_says_tests_and_prices(clinic):
    data, costs = patients(), tw.Costs.from_file("costs.toml")
    trees = tw.fit_many(
        tw.CostTreeClassifier(growth=tw.Growth(max_depth=1)), data.X, data.y, [[0, 1, 3, 4], [0, 1, 7, 9]]
    )
    tw.Panel(trees, Vote((2.0, 0.5), short_cut=True), costs).save("panel.json")
    assert [tree.features_used for tree in trees] == [("smoker",), ("cholesterol",)]
    assert thriftwood("show", "panel.json").out == (
        "Panel: 2 trees that vote until it is decided, classes healthy, sick\n"
        "The trees vote, each by its weight. No more are asked once no class can catch the leader.\n"
        "\n"
        "Trees, in the order asked\n"
        "           say  depth  leaves  tests\n"
        "  tree 1     2      1       2      1\n"
        "  tree 2  0.50      1       2      1\n"
        "\n"
        "Tests, in the order asked for\n"
        "               full price  first asked by  trees\n"
        "  smoker                1               1      1\n"
        "  cholesterol           8               2      1\n"
        "  all of them, upfront: 9\n"
        "  full price: of a test that is bought first, with all shared resources that it needs\n"
    )
    content = json.loads(thriftwood("show", "panel.json", "--json").out)
    assert [row["say"] for row in content["members"]] == [2.0, 0.5]
    assert content["tests"] == [
        {"test": "smoker", "price": 1.0, "first": 1, "n_trees": 1},
        {"test": "cholesterol", "price": 8.0, "first": 2, "n_trees": 1},
    ]


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_any_panel_can_be_shown(seed):
    rng = np.random.default_rng(seed)
    costs = random_costs(rng, 5) if rng.random() < 0.7 else None
    panel, *_ = random_panel(rng, costs, rng.choice([0, 0, 1, 2, 4], 5).tolist())
    page = Console(file=StringIO(), record=True, width=200)
    print_model(page, panel)
    text = page.export_text()
    assert ("full price" in text) is (costs is not None)
    content = model_content(panel)
    assert len(content["members"]) == content["n_trees"] == len(panel.members)
    assert set(content["features_used"]) == set(panel.features_used)
    asked = [row for row in content["members"] if row["asked"]]
    for row in content["tests"]:
        assert row["n_trees"] == sum(row["test"] in member["tests"] for member in asked)
        assert row["test"] in content["members"][row["first"] - 1]["tests"]
        assert (row["price"] is None) is (costs is None)


def test_a_chair_is_drawn_and_those_it_never_asks_are_named(state_chair):
    panel = tw.load(state_chair)
    run = thriftwood("show", state_chair)
    drawn, _, rest = run.out.partition("asks the others\n")[2].partition(
        "\nPrice and bill are reckoned here, "
    )
    assert rest.startswith("from what the tests of each tree cost a case on average.")
    # Prices are of two decimals there, so columns may be narrower.
    assert [line.split()[:2] for line in drawn.splitlines()] == [
        line.split()[:2] for line in panel.rule.tree.text().splitlines()
    ]
    assert "asks them only where it needs to know" in run.out
    never = [place for place in range(4) if place not in panel.members_asked]
    assert never
    assert f"{panel.names[never[0]]} ({never[0] + 1})" in run.out.partition("never asked: ")[2]
    rows = members_of(panel)
    assert [row.asked for row in rows] == [place in panel.members_asked for place in range(4)]
    assert [row.price for row in rows] == [panel.rule.tree.costs.tests[name].price for name in panel.names]


def test_reckoned_prices_have_two_decimals_and_add_up():
    rows = pd.DataFrame({"a": ["no", "no", "yes", "yes"], "b": ["no", "yes", "no", "yes"]})
    prices, answers = tw.Costs({"a": 1.23456, "b": 2.34567}), ["no", "yes", "yes", "yes"]
    tree = tw.CostTreeClassifier(costs=prices).fit(rows, answers).tree_
    assert "3.5802" in tree.text()
    out = Console(file=StringIO(), width=100)
    print_model(out, tw.Panel([tree, tree], StackedTree(tree, (0, 1), (-1, -1)), None))
    drawn = out.file.getvalue().partition("The tree that asks the others")[2].partition("reckoned here")[0]
    found = {word for word in drawn.split() if "." in word}
    assert found == {"1.23", "2.35", "3.58"}


def test_a_booster_says_when_it_stops_and_what_it_asks(state_booster):
    run = thriftwood("show", state_booster)
    assert run.out.startswith("Booster: 25 stages until a share of 0.9, classes healthy, sick\n")
    assert "Nothing new is asked once a class has a share of 90 %." in run.out
    assert "  and 5 more\n" in run.out
    booster = tw.load(state_booster)
    assert [row.test for row in asked_tests(booster)] == list(booster.features_asked)
    assert all(f"  {name}" in run.out for name in booster.features_asked)


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
def test_without_a_stop_and_upfront_all_stages_are_asked(clinic, payment):
    data, costs = patients(), tw.Costs({"pulse": 1}, payment=payment)
    stop = 0.9 if payment == "upfront" else None
    learner = tw.algorithm("gradient-boosting", rounds=2, min_leaf_weight=2, stop=stop, costs=costs)
    learner.fit(data.X, data.y).save("booster.json")
    page = thriftwood("show", "booster.json").out
    assert "All stages are asked." in page
    assert ("every case pays for all tests" in page) is (payment == "upfront")


def test_a_member_is_shown_as_a_tree(state_panel, tmp_path):
    tree = tw.load(state_panel).members[2]
    run = thriftwood("show", state_panel, "--member", "3")
    assert (run.code, run.err, run.out) == (0, "", f"{repr(tree)[1:-1]}\n{tree.text()}\n")
    tree.save("tree.json")
    for words in (["--rules"], ["--json"], ["--json", "--rules"], ["--depth", "0"]):
        shown = thriftwood("show", state_panel, "--member", "3", *words)
        assert shown.out == thriftwood("show", "tree.json", *words).out
    assert thriftwood("show", state_panel, "--member", "3", "--svg", tmp_path / "t.svg").code == 0
    assert (tmp_path / "t.svg").read_bytes().startswith(b"<?xml")


def test_a_stage_is_printed_with_its_steps(clinic):
    X, y = [[1.0], [2.0], [3.0], [float("nan")]] * 5, ["no", "no", "yes", "yes"] * 5
    model = tw.CostGradientBoostingClassifier(n_estimators=2, max_leaves=2).fit(X, y)
    model.save("booster.json")
    low, high = model.booster_.stages[1].steps[1:]
    assert thriftwood("show", "booster.json", "--member", "2").out == (
        "Stage 2 of 2: steps in the scores of the classes\n"
        "x0?\n"
        f"   x0 <= 2.5: no {low[0]:+.3g}, yes {low[1]:+.3g}\n"
        f"   x0 > 2.5 or missing: no {high[0]:+.3g}, yes {high[1]:+.3g}\n"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["panel.json", "--rules"], "this is a panel of 5 trees. --member N shows one of its trees so."),
        (["panel.json", "--depth", "1"], "a single tree"),
        (["panel.json", "--svg", "t.svg"], "a single tree"),
        (["booster.json", "--browser"], "this is a booster of 25 stages. Leave them out."),
        (
            ["panel.json", "--member", "6"],
            "no --member 6: this is a panel of 5 trees. Give a number from 1 to 5",
        ),
        (["panel.json", "--member", "0"], "--member"),
        (["booster.json", "--member", "26"], "a booster of 25 stages. Give a number from 1 to 25"),
        (["booster.json", "--member", "1", "--json"], "has no answers, only steps"),
        (["booster.json", "--member", "1", "--png", "t.png"], "has no answers, only steps"),
        (["tree.json", "--member", "1"], "this is a single one. Leave it out."),
    ],
)
def test_show_refuses_what_a_model_does_not_have(state_tree, state_panel, state_booster, words, said):
    run = thriftwood("show", *words)
    assert (run.code, run.out) == (2, "")
    assert said in " ".join(run.err.split())
    assert not list(Path().glob("t.*g"))


# Exporting


def test_a_member_is_exported(state_panel):
    tree = tw.load(state_panel).members[4]
    assert thriftwood("export", state_panel, "--to", "rules", "--member", "5").out == tw.export_rules(tree)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["panel.json"], "this is a panel of 5 trees. --member N exports one of them"),
        (["booster.json"], "this is a booster of 25 stages, which answer only together"),
        (["booster.json", "--member", "1"], "which answer only together"),
        (["panel.json", "--member", "9"], "Give a number from 1 to 5"),
        (["tree.json", "--member", "1"], "this is a single one. Leave it out."),
    ],
)
def test_several_trees_are_not_exported(state_tree, state_panel, state_booster, words, said):
    run = thriftwood("export", *words, "--to", "c")
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert said in run.err
