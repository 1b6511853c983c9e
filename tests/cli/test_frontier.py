import json
from dataclasses import replace
from pathlib import Path

import pytest
from cli.commands import as_process, thriftwood

import thriftwood as tw

TABLE = (
    "frontier",
    "patients.csv",
    "--target",
    "state",
    "--ignore",
    "id",
    "--costs",
    "costs.toml",
    "--cv",
    "3",
)


def shown(found):
    """A frontier as it is printed where the learner is not named: it says that it is of trees."""
    said = found.verdict()
    trees = "Of single trees alone: --algorithm thrift also tries score cards, which may cost less."
    return str(found).replace(said.sentence, replace(said, basis=f"{said.basis} {trees}").sentence)


def expected(values=None, **settings):
    data = tw.read_table("patients.csv", "state", leave_out=["id"])
    name = {"name": "thrift", "leaves": "class"} if values is None else {"name": "csgain"}
    model = tw.algorithm(**name, costs=tw.Costs.from_file("costs.toml"))
    return tw.frontier(model, data.X, data.y, values=values, cv=3, random_state=0, **settings)


def test_the_frontier_is_the_library_s(clinic):
    run = as_process(*TABLE, "-o", "tree.json", "--plot", "front.svg")
    assert (run.code, run.err) == (0, "")
    found = expected()
    chosen = found.cheapest().value_text
    written = f"Written: tree.json, the tree of budget = {chosen}.\nWritten: front.svg.\n"
    assert "Of single trees alone" in run.out
    assert run.out == f"{shown(found)}\n{written}"
    assert tw.load("tree.json") == found.cheapest().model.tree_
    assert "<svg" in Path("front.svg").read_text()


def test_the_table_marks_the_point_that_is_saved(clinic):
    # The scan tells everything and is dear: gamma = 0 asks for it, gamma = 100 asks for nothing.
    rows = [f"{number},{'sick' if number > 12 else 'healthy'}" for number in range(24)]
    Path("scans.csv").write_text("\n".join(["scan,state", *rows]))
    Path("prices.toml").write_text("[tests]\nscan = 10\n")
    words = ("scans.csv", "--target", "state", "--costs", "prices.toml", "--cv", "3", "--values", "0,100")
    for within, chosen in ((0.01, "0"), (0.9, "100")):
        run = thriftwood("frontier", *words, "--within", str(within), "-o", "tree.json")
        (marked,) = (line for line in run.out.splitlines() if line.endswith("cheapest"))
        assert marked.split()[0] == chosen
        assert f"within {within} of the best score" in " ".join(run.out.split())
        assert run.out.endswith(f"Written: tree.json, the tree of gamma = {chosen}.\n")
        assert tw.load("tree.json").n_leaves == (2 if chosen == "0" else 1)


def test_the_chosen_tree_on_standard_output(clinic):
    run = thriftwood(*TABLE, "-o", "-")
    found = expected()
    assert tw.Tree.from_json(run.out) == found.cheapest().model.tree_
    chosen = found.cheapest().value_text
    assert run.err == f"{shown(found)}\nWritten: standard output, the tree of budget = {chosen}.\n"
    assert not Path("-").exists()
    both = thriftwood(*TABLE, "-o", "-", "--json")
    assert (both.code, both.out) == (2, "")
    assert "--json and -o - both want standard output" in both.err


def test_json_values_and_measures(clinic):
    words = ("--values", "0, 0.001,0.1", "--accuracy", "error_cost", "--cost", "upfront", "--within", "5")
    content = json.loads(thriftwood(*TABLE, *words, "--json").out)
    found = expected([0, 0.001, 0.1], accuracy="error_cost", cost="upfront")
    assert [point["value"] for point in content["points"]] == [0, 0.001, 0.1]
    assert [point["error_cost"] for point in content["points"]] == found.columns["error_cost"].tolist()
    assert [point["pareto"] for point in content["points"]].count(True) == len(found.pareto_numbers)
    assert content["chosen"] == found.cheapest(5).value


def test_a_frontier_with_score_cards_says_nothing_of_trees(clinic):
    named = thriftwood(*TABLE, "--algorithm", "thrift")
    assert named.code == 0
    assert "single trees" not in named.out
    usual = json.loads(thriftwood(*TABLE, "--json").out)["verdict"]
    assert "Of single trees alone" in usual["sentence"]


def test_any_parameter_of_any_learner(clinic):
    words = ("--algorithm", "c45", "--param", "growth__max_depth", "--values", "1,2")
    content = json.loads(thriftwood(*TABLE, *words, "--json").out)
    assert (content["param"], len(content["points"])) == ("growth__max_depth", 2)


def test_a_parameter_by_the_name_that_set_takes(clinic):
    words = ("--algorithm", "c45", "--values", "0.1,0.25", "--json")
    short, full = (thriftwood(*TABLE, *words, "--param", name) for name in ("cf", "pruning__cf"))
    assert (short.code, short.out) == (0, full.out)
    assert json.loads(short.out)["param"] == "pruning__cf"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--algorithm", "c45"], "for example --param pruning__cf --values 0.1,0.25"),
        (
            ["--param", "max_dept", "--values", "1"],
            "no parameter 'max_dept'. Did you mean 'growth__max_depth'?",
        ),
        (["--param", "max_depth"], "no usual grid for growth__max_depth. Give --values LIST."),
        (["--algorithm", "csgian"], "Did you mean 'csgain'?"),
        (["--param", "gama", "--values", "1"], "gama"),
        (["--accuracy", "acuracy"], "Did you mean 'accuracy'?"),
        (["--values", "x"], "gamma"),
        (["--plot", "front.gif"], "Got 'front.gif'"),
        (["--plot", "no/front.svg"], "there is no folder 'no'. Make it first"),
        (["-o", "no/tree.json"], "no/tree.json cannot be written: there is no folder 'no'. Make it first"),
        (["-o", "."], "it is a folder. Name a file in it"),
        (["--target", "stat"], "Did you mean 'state'?"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(clinic, words, said):
    run = thriftwood(*TABLE, *words)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert run.err.count("\n") == 1


def test_prices_are_needed(clinic):
    run = thriftwood("frontier", "patients.csv", "--target", "state")
    assert run.code == 2
    assert "--costs FILE" in run.err


def test_pictures_say_what_to_install(clinic, monkeypatch):
    monkeypatch.setattr("thriftwood.cli.drawing.find_spec", lambda name: None)
    run = thriftwood(*TABLE, "--plot", "front.png")
    assert (run.code, "pip install matplotlib" in run.err) == (2, True)


def test_without_a_number_near_is_one_percent_of_a_cost(clinic):
    words = ("--accuracy", "error_cost", "--values", "0,0.1")
    content = json.loads(thriftwood(*TABLE, *words, "--json").out)
    best = min(point["error_cost"] for point in content["points"])
    assert content["within"] == pytest.approx(0.01 * best)
    assert f"within {0.01 * best:.4g} (1% of it) of the best" in " ".join(
        thriftwood(*TABLE, *words).out.split()
    )
    assert "1 % of the best error cost or log loss" in " ".join(thriftwood("frontier", "--help").out.split())


def test_budgets_are_points(clinic):
    words = ("--algorithm", "c45", "--budget", "2, 8,50")
    run = thriftwood(*TABLE, *words, "--json")
    content = json.loads(run.out)
    assert (content["param"], [point["value"] for point in content["points"]]) == ("budget", [2, 8, 50])
    assert all(point["sequential_cost"] <= point["value"] for point in content["points"])
    both = thriftwood(*TABLE, "--budget", "2", "--values", "3")
    assert both.code != 0
    assert "one of them" in both.err


def test_budgets_need_no_learner_by_name(clinic):
    run = thriftwood(*TABLE, "--budget", "1,5")
    assert run.code == 0, run.err
    model = tw.algorithm("thrift", leaves="class", costs=tw.Costs.from_file("costs.toml"))
    data = tw.read_table("patients.csv", "state", leave_out=["id"])
    found = tw.frontier(model, data.X, data.y, budget=[1, 5], cv=3, random_state=0)
    assert run.out == f"{shown(found)}\n"


def test_more_folds_than_cases_are_said_in_one_sentence(clinic):
    Path("few.csv").write_text("a,b\n" + "1,x\n2,y\n3,x\n4,y\n5,x\n" * 2)
    Path("few.toml").write_text("[tests]\na = 1\n[errors.x]\ny = 5\n[errors.y]\nx = 5\n")
    run = thriftwood("frontier", "few.csv", "--target", "b", "--costs", "few.toml", "--cv", "9")
    said = " ".join(run.err.split())
    assert run.code == 2
    assert "from 2 to the number of cases of the largest class, 6. Got 9. Give a smaller --cv." in said


def test_a_today_without_its_file_is_left_out(clinic):
    Path("costs.toml").write_text(Path("costs.toml").read_text() + '\n[today]\nmodel = "nowhere.json"\n')
    run = thriftwood(
        "frontier",
        "patients.csv",
        "--target",
        "state",
        "--costs",
        "costs.toml",
        "--cv",
        "3",
        "--ignore",
        "id",
    )
    assert run.code == 0
    assert "today is left out:" in " ".join(run.out.split())


@pytest.mark.parametrize(
    ("name", "words", "settings"),
    [
        (
            "bagging",
            ("--param", "n_estimators", "--values", "2,3"),
            {"param": "n_estimators", "values": [2, 3]},
        ),
        ("gradient-boosting", ("--values", "0,0.1"), {"values": [0, 0.1]}),
    ],
)
def test_learners_of_several_trees(clinic, name, words, settings):
    run = thriftwood(*TABLE, "--algorithm", name, *words, "-o", "model.json")
    data = tw.read_table("patients.csv", "state", leave_out=["id"])
    model = tw.algorithm(name, costs=tw.Costs.from_file("costs.toml"), random_state=0)
    found = tw.frontier(model, data.X, data.y, cv=3, random_state=0, **settings)
    chosen = found.cheapest()
    assert run.out == f"{found}\nWritten: model.json, the model of {found.param} = {chosen.value_text}.\n"
    assert tw.load("model.json") == chosen.model.model_


def test_what_has_no_file_is_shown(clinic):
    words = (*TABLE, "--algorithm", "fixed-panel", "--budget", "5,100")
    assert "Frontier of" in thriftwood(*words).out
    refused = thriftwood(*words, "-o", "model.json")
    assert refused.code == 2
    assert "Leave --output out" in " ".join(refused.err.split())
