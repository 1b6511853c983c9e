import json
from pathlib import Path

import pytest
from cli.commands import thriftwood
from evaluation.test_learning_curves import table

import thriftwood as tw


@pytest.fixture
def ward(clinic):
    X, y = table(120)
    rows = [",".join([*map(str, row), label]) for row, label in zip(X.tolist(), y, strict=True)]
    Path("ward.csv").write_text("\n".join(["x0,x1,x2,x3,state", *rows]))
    Path("prices.toml").write_text(
        'case_name = "patient"\n[tests]\nx0 = 1\nx1 = 2\n[errors.sick]\nwell = 40\n[errors.well]\nsick = 10\n'
    )
    return clinic


FIT = ("fit", "ward.csv", "--target", "state", "--costs", "prices.toml", "--algorithm", "eg2", "--cv", "4")


def own():
    X, y = table(120)
    costs = tw.Costs.from_file("prices.toml")
    return tw.learning_curve(tw.algorithm("eg2", costs=costs), X, y, costs, cv=4)


def test_the_curve_is_the_library_s(ward):
    run = thriftwood(*FIT, "--learning-curve")
    assert run.code == 0
    assert "Would more data help?" in run.out
    assert own().sentence in run.out
    content = json.loads(thriftwood(*FIT, "--learning-curve", "--json").out)["learning_curve"]
    assert [point["cost"] for point in content["points"]] == pytest.approx(own().mean_cost.tolist())
    assert content["saved_by_twice_as_many"] == pytest.approx(own().saved._asdict())
    assert (content["sentence"], content["n_folds"]) == (own().sentence, 4)


def test_a_picture_needs_no_other_option(ward):
    pytest.importorskip("matplotlib").use("Agg")
    run = thriftwood(*FIT, "--curve-plot", "curve.png")
    assert Path("curve.png").read_bytes().startswith(b"\x89PNG")
    assert "Learning curve: curve.png." in run.out
    wrong = thriftwood(*FIT, "--curve-plot", "curve.doc")
    assert (wrong.code, "Got 'curve.doc'" in wrong.err) == (2, True)


@pytest.mark.parametrize(
    ("rows", "folds", "message"),
    [
        (121, 2, "A learning curve needs 3 folds or more"),
        (41, 4, "40 cases are too few for a learning curve"),
    ],
)
def test_too_few_folds_or_cases_are_refused_before_anything_is_learnt(ward, rows, folds, message):
    Path("ward.csv").write_text("\n".join(Path("ward.csv").read_text().splitlines()[:rows]))
    run = thriftwood(*FIT[:-1], str(folds), "--learning-curve", "-o", "tree.json")
    said = " ".join(run.err.split())
    assert (run.code, message in said, "sizes=" in said) == (2, True, False)
    assert not Path("tree.json").exists()
