import csv
import json
from pathlib import Path

import pytest
from cli.commands import thriftwood

import thriftwood as tw

BILL = ("bill", "tree.json", "patients.csv", "--target", "state")


def own():
    data = tw.read_table("patients.csv", "state", leave_out=["id"])
    return tw.decision_curve({"tree": tw.load("tree.json")}, data.X, data.y)


def test_the_curve_is_the_library_s(state_tree):
    run = thriftwood(*BILL, "--decision-curve", "curve.csv", "--json")
    content = json.loads(run.out)["decision_curve"]
    curve = own()
    assert (content["positive"], content["value"], content["own_threshold"]) == ("sick", 100.0, 20 / 120)
    assert [point["net_benefit"] for point in content["points"]] == curve.columns["net_benefit"].tolist()
    assert content["useful"]["tree"] == [list(pair) for pair in curve.useful("tree")]
    rows = list(csv.DictReader(Path("curve.csv").read_text().splitlines()))
    assert [float(row["net_benefit"]) for row in rows] == curve.columns["net_benefit"].tolist()
    assert json.loads(thriftwood(*BILL, "--json").out)["decision_curve"] is None


def test_a_picture_and_a_sentence_with_other_models(state_tree, state_panel):
    pytest.importorskip("matplotlib").use("Agg")
    run = thriftwood(
        *BILL, "--decision-curve", "curve.png", "--beside", "panel.json", "--beside", "tree.json"
    )
    assert run.code == 0
    assert Path("curve.png").read_bytes().startswith(b"\x89PNG")
    assert run.out.endswith("Decision curve: curve.png.\n")
    assert own().sentence in run.out
    for name in ("panel", "tree 2"):
        assert f"Its tests paid, {name} is" in run.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--positive", "sick"), "--decision-curve FILE as well"),
        (("--beside", "tree.json"), "--decision-curve FILE as well"),
        (("--decision-curve", "curve.doc"), "Got 'curve.doc'"),
        (("--decision-curve", "patients.csv"), "the table itself"),
        (("--decision-curve", "curve.csv", "--positive", "sik"), "Did you mean 'sick'"),
    ],
)
def test_what_cannot_be_had_is_refused(state_tree, options, message):
    run = thriftwood(*BILL, *options)
    assert run.code == 2
    assert message in run.err


def test_the_truth_is_needed_and_models_of_the_same_classes(state_tree, golf_tree):
    run = thriftwood("bill", "tree.json", "patients.csv", "--decision-curve", "curve.csv")
    assert (run.code, "--target COLUMN" in run.err) == (2, True)
    run = thriftwood(*BILL, "--decision-curve", "curve.csv", "--beside", golf_tree)
    assert (run.code, "No curve shows both" in run.err) == (2, True)


def test_an_ending_that_is_neither_a_picture_nor_a_table_names_both(state_tree):
    run = thriftwood(
        "bill", "tree.json", "patients.csv", "--target", "state", "--decision-curve", "curve.bmp"
    )
    assert run.code == 2
    said = " ".join(run.err.split())
    assert "picture (.png, .svg, .pdf) or a table (.csv, .tsv," in said
