import json
from pathlib import Path

import pytest
from cli.commands import as_process, thriftwood

import thriftwood as tw

TABLE = (
    "compare",
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


def test_learners_are_ranked_as_the_library_does(clinic):
    run = as_process(*TABLE, "--algorithms", "c45,eg2,idx")
    assert (run.code, run.err) == (0, "")
    data = tw.read_table("patients.csv", "state", leave_out=["id"])
    costs = tw.Costs.from_file("costs.toml")
    assert run.out == f"{tw.compare(['c45', 'eg2', 'idx'], data.X, data.y, costs, cv=3)}\n"


def test_json_and_settings(clinic):
    run = thriftwood(*TABLE, "--algorithms", "c45, csgain:gamma=0.01:max_depth=1", "--json")
    content = json.loads(run.out)
    assert {entry["name"] for entry in content["ranking"]} == {
        *("c45", "csgain:gamma=0.01:max_depth=1"),
        "nobody",
    }
    costs = [entry["cost"] for entry in content["ranking"]]
    assert costs == sorted(costs)
    assert (content["n_cases"], content["n_folds"]) == (12, 3)


def test_ensembles_take_part_with_settings(clinic):
    Path("both.toml").write_text("errors_default = 10\ndefault_price = 1\n")
    words = ("compare", "patients.csv", *TABLE[2:6], "--costs", "both.toml", "--cv", "2", "--algorithms")
    content = json.loads(thriftwood(*words, "c45,metacost:m=5,csb2:rounds=3,b-lot:bags=2", "--json").out)
    leaves = {entry["name"]: entry["n_leaves"] for entry in content["ranking"]}
    assert set(leaves) == {"c45", "metacost:m=5", "csb2:rounds=3", "b-lot:bags=2", "nobody"}
    assert leaves["b-lot:bags=2"] is None
    said = " ".join(thriftwood(*TABLE[:6], "--cv", "2", "--algorithms", "c45,metacost,b-pet").out.split())
    assert "metacost and b-pet are left out: This ensemble goes by what mistakes cost" in said


# Of few cases a tree may have learnt all, which boosting tells.
learnt_all = pytest.mark.filterwarnings("ignore:The first tree makes no mistakes")


@learnt_all
def test_all_learners_and_why_some_are_left_out(clinic):
    content = json.loads(thriftwood(*TABLE, "--json").out)
    named = {entry["name"] for entry in content["ranking"]} | set(content["refused"])
    assert named == {entry.name for entry in tw.algorithms()}
    assert "missing" in content["refused"]["id3"]
    assert "gamma" in content["refused"]["csgain"]
    assert "id3 is left out: Input X contains NaN." in thriftwood(*TABLE, "--algorithms", "id3,c45").out


@learnt_all
def test_whoever_is_left_out_is_told_what_to_do(clinic):
    said = " ".join(thriftwood(*TABLE).out.split())
    assert "id3 and lsid3 are left out: Input X contains NaN." in said
    assert "id3:missing=fractional" in said
    for name in ("mitchell", "csgain", "csgain-ratio"):
        assert f"For example --algorithms {name}:gamma=0.009." in said
    learners = "c45,csgain-ratio:gamma=0.009,id3:missing=fractional"
    assert "left out" not in thriftwood(*TABLE, "--algorithms", learners).out
    said = " ".join(thriftwood(*TABLE[:6], "--cv", "3").out.split())
    assert "cs-c45, lasc and cocost are left out: each weighs what tests cost, but there is no price" in said
    assert said.count("Give --costs FILE.") == 2
    assert "tw." not in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--algorithms", "c45,egg2"], "There is no algorithm 'egg2'. Did you mean 'eg2'?"),
        (["--algorithms", "id3"], "No learner takes this table with these costs. id3: Input X contains NaN."),
        (["--algorithms", ","], "nothing to compare"),
        (["--cv", "1"], "--cv"),
        (["--cv", "8"], "from 2 to the number of cases of the largest class, 7"),
        (["--costs", "absent.toml"], "absent.toml: No such file"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(clinic, words, said):
    run = thriftwood(*TABLE, *words)
    assert (run.code, run.out) == (2, "")
    assert said in run.err


def test_a_progress_bar_is_for_terminals_and_long_work(clinic, monkeypatch):
    words, terminal = (*TABLE, "--algorithms", "c45"), {"FORCE_COLOR": "1", "TTY_COMPATIBLE": "1"}
    monkeypatch.setattr("thriftwood.cli.progress.DELAY", 100.0)
    assert thriftwood(*words, **terminal).err == ""
    monkeypatch.setattr("thriftwood.cli.progress.DELAY", 0.0)
    assert "learners" in thriftwood(*words, **terminal).err
    assert thriftwood(*words).err == ""


def test_classes_with_fewer_cases_than_folds(clinic):
    table = Path("patients.csv").read_text().replace("12,no,68,200,healthy", "12,no,68,200,dead")
    Path("rare.csv").write_text(table)
    Path("plain.toml").write_text("errors_default = 10\ndefault_price = 1\n")
    run = thriftwood("compare", "rare.csv", *TABLE[2:6], "--costs", "plain.toml", "--cv", "3", "--json")
    assert run.code == 0
    assert len(json.loads(run.out)["ranking"]) >= 2
