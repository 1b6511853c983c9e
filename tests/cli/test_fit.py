import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cli.commands import as_interrupted, as_process, thriftwood

import thriftwood as tw

LEARN = ("fit", "patients.csv", "--target", "state", "--ignore", "id", "--costs", "costs.toml")
C45 = (*LEARN, "--algorithm", "c45")


def test_a_table_becomes_a_tree_with_its_bill(clinic, state_tree):
    run = as_process(*C45, "-o", "new.json")
    assert (run.code, run.err) == (0, "")
    assert "\x1b" not in run.out
    assert "cases it learnt from; others cost more" in run.out
    tree = tw.load("new.json")
    assert tree == tw.load(state_tree)
    assert tree.text() in run.out
    data = tw.read_table("patients.csv", "state", leave_out=["id"])
    assert str(tw.bill(tree, data.X, data.y)) in run.out


def test_learners_without_a_file_are_refused_before_anything_is_read(clinic):
    run = thriftwood("fit", "absent.csv", "--target", "state", "--algorithm", "adacost", "-o", "new.json")
    assert (run.code, run.out) == (2, "")
    assert "'adacost' learns several models together, for which there is no file" in run.err
    assert "thriftwood compare --algorithms adacost,c45" in " ".join(run.err.split())
    assert not Path("new.json").exists()


def test_json_has_the_same_figures(clinic):
    run = thriftwood(*LEARN, "--json", "-o", "new.json")
    content = json.loads(run.out)
    data = tw.read_table("patients.csv", "state", leave_out=["id"])
    bill = tw.bill(tw.load("new.json"), data.X, data.y)
    assert content["basis"] == "training"
    assert content["bill"]["mean_cost"] == bill.mean_cost
    assert content["model"]["features"] == ["smoker", "pulse", "cholesterol"]
    assert (content["saved"], content["cross_validation"]) == ("new.json", None)


def test_settings_and_algorithms(clinic):
    words = ("--algorithm", "eg2", "--set", "w=0", "--set", "pruning=none", "--set", "max_depth=1")
    assert thriftwood(*LEARN, *words, "-o", "tree.json").code == 0
    data = tw.read_table("patients.csv", "state", leave_out=["id"])
    model = tw.algorithm("eg2", w=0, pruning=None, max_depth=1, costs=tw.Costs.from_file("costs.toml"))
    assert tw.load("tree.json") == model.fit(data.X, data.y).tree_
    assert tw.load("tree.json").depth == 1


@pytest.mark.parametrize("name", ["optimal", "thrift", "gated"])
def test_learners_that_search_are_learnt_from_the_shell_too(clinic, name):
    run = thriftwood(*LEARN, "--algorithm", name, "--budget", "40", "-o", "new.json")
    assert (run.code, run.err) == (0, "")
    data = tw.read_table("patients.csv", "state", leave_out=["id"])
    assert tw.bill(tw.load("new.json"), data.X, data.y).mean_test_cost <= 40


def test_the_best_tree_opens_with_what_unseen_cases_cost(clinic):
    quick = thriftwood(*LEARN, "--algorithm", "optimal")
    assert "-fold cross-validation." in quick.out.splitlines()[0]
    long = thriftwood(*LEARN, "--algorithm", "optimal", "--set", "max_depth=4")
    assert "held out." in long.out.splitlines()[0]


@pytest.mark.parametrize("name", ["everything", "fixed-panel"])
def test_a_fixed_panel_is_shown_and_billed_but_not_saved(clinic, name):
    run = thriftwood(*LEARN, "--algorithm", name, "--holdout", "0.25")
    assert (run.code, run.err) == (0, "")
    assert "Fixed panel" in run.out
    assert "a fixed panel of tests learnt from the other" in run.out
    content = json.loads(thriftwood(*LEARN, "--algorithm", name, "--json").out)
    assert content["model"]["kind"] == "fixed panel of tests"
    assert content["bill"]["upfront_cost"] == content["bill"]["mean_test_cost"]
    refused = thriftwood(*LEARN, "--algorithm", name, "-o", "new.json")
    assert refused.code == 2
    assert "learns a score of the same tests for everybody, for which there is no file" in refused.err
    assert not Path("new.json").exists()


def test_nobody_is_tested(clinic):
    run = thriftwood(*LEARN, "--algorithm", "nobody", "-o", "leaf.json")
    assert run.code == 0
    assert "Nobody is tested" in run.out
    assert "Nobody is tested" in thriftwood("show", "leaf.json").out


def test_a_holdout_is_billed_by_a_tree_that_has_not_seen_it(clinic):
    run = thriftwood(*LEARN, "--holdout", "0.25", "--json", "-o", "all.json")
    content = json.loads(run.out)
    assert (content["basis"], content["bill"]["n_cases"]) == ("holdout", 3)
    again = thriftwood(*LEARN, "--holdout", "0.25", "--json", "-o", "all.json")
    assert again.out == run.out  # the same seed
    words = (*LEARN, "--algorithm", "cart", "--holdout", "0.25", "--json")
    assert thriftwood(*words).out == thriftwood(*words).out  # which prunes by chance
    everything = thriftwood(*LEARN, "-o", "training.json")
    assert everything.code == 0
    assert Path("all.json").read_text() == Path("training.json").read_text()  # saved: learnt from all cases


def test_cross_validation_gives_an_interval(clinic):
    run = thriftwood(*LEARN, "--cv", "3", "--json")
    content = json.loads(run.out)
    entries = {entry["name"]: entry for entry in content["cross_validation"]["ranking"]}
    assert (set(entries), content["bill"]) == ({"thrift", "nobody"}, None)
    entry = entries["thrift"]
    assert entry["low"] <= entry["cost"] <= entry["high"]
    assert content["verdict"]["cost"] == entry["cost"]
    assert "95 % interval" in thriftwood(*LEARN, "--cv", "3").out


def test_without_prices_mistakes_cost_one(clinic):
    run = thriftwood("fit", "patients.csv", "--target", "state", "--ignore", "id")
    assert run.code == 0
    first, blank, second, *_ = run.out.splitlines()
    assert "a case" in first
    assert blank == ""
    assert second == (
        "No price list (--costs): every test is free here, and every mistake costs 1. "
        "`thriftwood costs init` begins a price list."
    )
    assert thriftwood("fit", "patients.csv", "--target", "state", "--json").code == 0


def test_a_table_from_standard_input_and_a_tree_to_standard_output(clinic):
    table = Path("patients.csv").read_text()
    run = thriftwood("fit", "-", *C45[2:], "-o", "-", typed=table)
    assert run.code == 0
    assert "cholesterol" in run.err  # the page
    assert tw.Tree.from_json(run.out).features_used


def test_numbers_that_are_names(clinic):
    run = thriftwood(*LEARN, "--nominal", "pulse", "-o", "tree.json")
    assert run.code == 0
    column = tw.load("tree.json").encoder.columns[1]
    assert (column.name, str(column.kind), column.categories[0]) == ("pulse", "nominal", "62")


def test_every_format_gives_the_same_tree(clinic):
    import pandas as pd

    frame = pd.read_csv("patients.csv")
    frame.to_csv("p.tsv", sep="\t", index=False)
    frame.to_parquet("p.parquet")
    frame.to_feather("p.arrow")
    rows = [line.replace(",,", ",?,") for line in Path("patients.csv").read_text().splitlines()[1:]]
    kinds = {"id": "real", "smoker": "{no, yes}", "pulse": "real", "cholesterol": "numeric"}
    header = "".join(f"@attribute {name} {kind}\n" for name, kind in kinds.items())
    Path("p.arff").write_text(
        f"@relation p\n{header}@attribute state {{healthy,sick}}\n@data\n" + "\n".join(rows)
    )
    Path("p.names").write_text(
        "healthy, sick.\nid: ignore.\nsmoker: no, yes.\npulse: continuous.\ncholesterol: continuous.\n"
    )
    Path("p.data").write_text("\n".join(rows))
    assert thriftwood(*LEARN, "-o", "csv.json").code == 0
    for table in ("p.tsv", "p.parquet", "p.arrow", "p.arff"):
        assert thriftwood("fit", table, *LEARN[2:], "-o", "other.json").code == 0
        assert tw.load("other.json") == tw.load("csv.json"), table
    run = thriftwood("fit", "p.data", "--costs", "costs.toml", "-o", "other.json")  # says its target itself
    assert run.code == 0
    assert tw.load("other.json") == tw.load("csv.json")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({1: "absent.csv"}, "absent.csv: No such file or directory"),
        ({1: "patients.xls"}, "says no format that can be read"),
        ({3: "stat"}, "no column 'stat'. Did you mean 'state'?"),
        ({5: "ids"}, "no column 'ids'. Did you mean 'id'?"),
        ({7: "absent.toml"}, "absent.toml: No such file or directory"),
        ({7: "broken.toml"}, "broken.toml is not readable as TOML"),
        ({7: "negative.toml"}, "0 or more"),
        ({7: "other.toml"}, "'weight'"),
        ({1: "empty.csv"}, "empty.csv has columns but no rows"),
        ({1: "nothing.csv"}, "nothing.csv is empty"),
        ({1: "one.csv"}, "All 2 rows of one.csv have the same 'state', 'sick'"),
        ({1: "numbers.csv"}, "holds 3 different numbers, such as 0.5, where classes were wanted"),
        ({1: "alone.csv", 4: "--cv", 5: "2"}, "no column to learn from"),
        ({8: ["--algorithm", "eg3"]}, "Did you mean 'eg2'?"),
        ({8: ["--set", "w"]}, "NAME=VALUE"),
        ({8: ["--set", "depth=3"]}, "has no setting 'depth'"),
        ({8: ["--set", "max_depth=deep"]}, "max_depth"),
        ({8: ["--holdout", "1.5"]}, "between 0 and 1"),
        ({8: ["--cv", "99"]}, "from 2 to the number of cases of the largest class, 7"),
        ({8: ["--cv", "3", "--holdout", "0.3"]}, "give one of them"),
        ({8: ["--json", "-o", "-"]}, "both want standard output"),
        (
            {8: ["-o", "nowhere/tree.json"]},
            "nowhere/tree.json cannot be written: there is no folder 'nowhere'",
        ),
        ({8: ["--algorithm", "csgain"]}, "For example --set gamma=0.009."),
        ({6: ["--algorithm"], 7: "eg2"}, "there is no price list. Give --costs FILE."),
        ({8: ["--algorithm", "id3"]}, "--set missing=fractional"),
        ({8: ["--cv", "3", "--without-idle-tests"]}, "use --holdout with --without-idle-tests"),
        ({1: "names.csv"}, "'state' of names.csv is different in each of its 12 rows, such as 'Ann 0'"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(clinic, change, said):
    Path("broken.toml").write_text("[tests\n")
    Path("negative.toml").write_text("[tests]\nsmoker = -1\n")
    Path("other.toml").write_text("[tests]\nweight = 1\n")
    Path("empty.csv").write_text("id,smoker,state\n")
    Path("nothing.csv").write_text("")
    Path("one.csv").write_text("id,smoker,state\n1,yes,sick\n2,no,sick\n")
    Path("numbers.csv").write_text("id,smoker,state\n1,yes,0.5\n2,no,1.5\n3,no,2.5\n")
    people = "".join(f"{row},yes,Ann {row}\n" for row in range(12))
    Path("names.csv").write_text(f"id,smoker,state\n{people}")
    Path("alone.csv").write_text("state\nsick\nhealthy\n")
    words = list(LEARN)
    for place, word in change.items():
        words[place : place + 1] = word if isinstance(word, list) else [word]
    run = thriftwood(*words)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert "Traceback" not in run.err
    assert run.err.splitlines()[-1].startswith("Error: ")


@pytest.mark.parametrize(
    "words",
    [LEARN[:4], ("compare", *LEARN[1:4], "--cv", "3", "--algorithms", "c45"), ("frontier", *LEARN[1:4])],
)
def test_prices_of_ignored_columns_are_left_out(clinic, words):
    words += ("--ignore", "id", "--ignore", "pulse", "--costs", "costs.toml")
    run = thriftwood(*words, *(("--cv", "3") if "frontier" in words else ()))
    assert (run.code, run.err) == (0, "")
    if "fit" in words:
        assert thriftwood(*words, "-o", "tree.json").code == 0
        assert list(tw.load("tree.json").costs.tests) == ["smoker", "cholesterol"]
    check = thriftwood("costs", "check", "costs.toml", *LEARN[1:4], "--ignore", "pulse", "--ignore", "id")
    assert check.code == 0
    assert "2 prices" in check.out


def test_without_idle_tests(clinic):
    rows = "".join(f"{x},{y}\n" for x, y in ((1, "well"), (1, "sick"), (2, "sick"), (2, "sick")))
    Path("idle.csv").write_text(f"x,state\n{rows}")
    Path("idle.toml").write_text("[tests]\nx = 3\n[errors.sick]\nwell = 50\n[errors.well]\nsick = 1\n")
    words = (
        "fit",
        "idle.csv",
        "--target",
        "state",
        "--costs",
        "idle.toml",
        "--algorithm",
        "c45",
        "--set",
        "pruning=none",
        "--json",
    )
    words += ("--set", "min_weight=1", "-o", "tree.json")
    test_costs = []
    for more in ((), ("--without-idle-tests",)):
        content = json.loads(thriftwood(*words, *more).out)
        test_costs.append((content["bill"]["mean_test_cost"], tw.load("tree.json").n_leaves))
    assert test_costs == [(3.0, 2), (0.0, 1)]


def test_a_column_of_row_numbers_is_noted(clinic):
    run = thriftwood("fit", "patients.csv", "--target", "state")
    assert run.code == 0
    assert run.err.startswith("Note: Column 'id' tells every row apart")


def test_a_spoilt_column_is_noted(clinic):
    table = Path("patients.csv").read_text().replace(",76,", ",about 80,")
    Path("spoilt.csv").write_text(table)
    run = thriftwood("fit", "spoilt.csv", *LEARN[2:])
    assert run.code == 0
    assert run.err.startswith("Note: Column 'pulse' is nominal because of cells like 'about 80'")


def test_an_unforeseen_error_is_one_sentence_too(clinic, monkeypatch):
    monkeypatch.setattr("thriftwood.cli.fit_page.bill", lambda *_: {}["no such key"])
    run = thriftwood(*LEARN)
    assert (run.code, run.out) == (1, "")
    assert run.err == (
        "Error: KeyError: 'no such key'. This should not happen; THRIFTWOOD_DEBUG=1 shows where it did.\n"
    )
    with pytest.raises(KeyError):
        thriftwood(*LEARN, THRIFTWOOD_DEBUG="1")


def test_ctrl_c_ends_quietly(clinic):
    os.mkfifo("pipe.csv")
    process = subprocess.Popen(
        [Path(sys.executable).with_name("thriftwood"), "fit", "pipe.csv", *LEARN[2:]],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUTF8": "1"},
    )
    with Path("pipe.csv").open("w"):  # waits until the command opens its table
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (130, b"", b"")


# The first tree is there then, and the next ones take longer than anybody waits.
IN_THE_SECOND_TREE = """
from thriftwood import _core
trees, grow = [], _core.grow
def counted(*arguments):
    trees.append(1)
    if len(trees) == 2: press_soon()
    return grow(*arguments)
_core.grow = counted
"""


def interrupted_growth(*words):
    """Learn by samples, and press Ctrl-C."""
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, (2000, 8))
    kinds = (bits[:, 0] ^ bits[:, 1] & bits[:, 4]) ^ (rng.random(2000) < 0.1)
    lines = [",".join([f"x{place}" for place in range(8)] + ["kind"])]
    lines += [
        ",".join(map(str, [*row, kind])) for row, kind in zip(bits.tolist(), kinds.tolist(), strict=True)
    ]
    Path("bits.toml").write_text("default_price = 1\nerrors_default = 30\n")
    Path("bits.csv").write_text("\n".join(lines))
    learn = ("fit", "bits.csv", "--target", "kind", "--costs", "bits.toml", "--algorithm", "act")
    return as_interrupted(IN_THE_SECOND_TREE, *learn, "--set", "time_budget=300", *words)


@pytest.mark.parametrize("more", [(), ("--cv", "3")])
def test_ctrl_c_saves_the_best_tree_so_far_and_says_so(clinic, more):
    run = interrupted_growth("-o", "tree.json", *more)
    assert run.code == 130, run.err
    said = " ".join(run.err.split())
    assert "Note: Ctrl-C was pressed before growth was finished; kept is a tree grown with r=" in said
    assert "look_ahead_" not in said
    assert ("after Ctrl-C no tree is grown to estimate it better" in said) is bool(more)
    assert "cases it learnt from" in run.out
    assert run.out.endswith("Saved: tree.json. `thriftwood show tree.json` prints it again.\n")
    assert tw.load("tree.json").n_leaves > 1


def test_a_single_leaf_for_want_of_error_costs_is_noted(clinic):
    Path("dear.toml").write_text("default_price = 50\n")
    words = ("patients.csv", "--target", "state", "--ignore", "id", "--costs", "dear.toml")
    run = as_process("fit", *words, "--algorithm", "cstree")
    assert run.code == 0
    assert run.err == (
        "Note: The tree is a single leaf. cstree weighs prices against mistakes, and the price list has no "
        "[errors], so every mistake counts 1 and may be cheaper than any test. Put them into the price list, "
        "in the unit of the prices.\n"
    )


def test_hints_in_headings_are_whole_lines(clinic):
    run = thriftwood("fit", "patients.csv", "--target", "state", "--ignore", "id", COLUMNS="40")
    title = "Its bill on the cases it learnt from; others cost more (--holdout 0.3 and --cv 10 say what)"
    assert title in run.out.splitlines()


def test_a_budget_is_kept_on_every_path(clinic):
    learn = ("fit", "patients.csv", "--target", "state", "--ignore", "id", "--costs", "costs.toml")
    words = ("--algorithm", "c45", "--set", "pruning=none", "--budget", "2", "-o", "tree.json")
    run = thriftwood(*learn, *words)
    assert run.code == 0
    tree = tw.load("tree.json")
    assert tree.features_used in (("pulse",), ("smoker",))
    refused = thriftwood(*learn, "--algorithm", "bagging", "--budget", "2")
    assert refused.code == 2
    assert "thriftwood bill --budget" in refused.err.replace("\n", " ")


@pytest.mark.parametrize("how", [[], ["--holdout", "0.3"], ["--cv", "3"]])
def test_a_practice_that_cannot_be_read_is_left_out_with_a_note_and_the_model_is_saved(clinic, how):
    prices = Path("costs.toml").read_text()
    Path("costs.toml").write_text(f'{prices}\n[today]\nmodel = "nowhere.json"\n')
    run = thriftwood(*LEARN, "--algorithm", "c45", *how, "-o", "kept.json")
    assert run.code == 0, run.err
    assert "Note: Today's practice is left out: " in run.err
    assert "nowhere.json" in run.err
    assert tw.load("kept.json").n_nodes >= 1


def test_the_verdict_of_a_tree_without_idle_tests_is_of_such_trees(clinic):
    plain = thriftwood(*LEARN, "--algorithm", "c45").out.splitlines()[0]
    spared = thriftwood(*LEARN, "--algorithm", "c45", "--without-idle-tests").out.splitlines()[0]
    assert plain.endswith("cross-validation.")
    assert spared.endswith(" cases held out.")
