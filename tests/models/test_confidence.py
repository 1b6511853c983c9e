"""Confidences that people are shown: smoothed, with the number of cases they rest on."""

import json
import os

import numpy as np
import pytest
from cli.commands import thriftwood
from finished_trees import golf, grown, regression

import thriftwood as tw

DATA = pytest.mark.skipif("THRIFTWOOD_DATA" not in os.environ, reason="needs THRIFTWOOD_DATA")


def rare():
    """A tree of 10 cases with one of the class "b" in a leaf of its own."""
    return grown([[float(i)] for i in range(10)], ["a"] * 9 + ["b"], criterion="entropy")


def test_a_leaf_of_one_case_is_not_sure():
    common, single = rare().rules()
    assert (single.weight, single.confidence) == (1.0, pytest.approx((1 + 2 * 0.1) / 3))
    assert (common.weight, common.confidence) == (9.0, pytest.approx((9 + 2 * 0.9) / 11))
    assert str(single) == "if x0 > 8.5 then b  (weight 1, confidence 40%)"
    assert rare()[2].confidence == single.confidence


def test_probabilities_stay_as_they_are():
    assert rare().predict_proba([[9.0]]).tolist() == [[0.0, 1.0]]
    assert rare().consult({"x0": 9.0}).probabilities == {"a": 0.0, "b": 1.0}


def test_a_consultation_says_how_sure_it_is_and_by_how_many_cases():
    case = golf().consult()
    assert case.confidence is None
    case.answer("Overcast")
    assert case.confidence == (pytest.approx((4 + 2 * 9 / 14) / 6), 4.0)
    assert str(case.confidence) == "confidence 88.1% by 4 cases"
    assert regression().consult().confidence is None


def test_a_case_that_ends_in_several_leaves():
    tree = golf(None, missing="fractional")
    case = tree.consult(unavailable=tree.feature_names)
    assert len(set(case.why.splitlines())) > 1
    assert 0.5 < case.confidence.share < 1
    assert case.confidence.cases == 14.0


def test_a_tree_that_smooths_is_taken_at_its_word():
    X, y = [[float(i)] for i in range(10)], ["a"] * 9 + ["b"]
    model = tw.CostTreeClassifier(smoothing="laplace").fit(X, y)
    shares = model.predict_proba([[9.0]])[0]
    assert model.tree_.rules()[-1].confidence == shares[1] == 2 / 3


def test_the_command_line_shows_both(tmp_path):
    rare().save(tmp_path / "tree.json")
    run = thriftwood("consult", tmp_path / "tree.json", typed="9\n")
    assert "Answer: b (confidence 40% by 1 case)" in run.out
    state = json.loads(thriftwood("consult", tmp_path / "tree.json", "--known", "x0=9", "--json").out)
    assert state["confidence"] == {"share": pytest.approx(0.4), "cases": 1.0}
    rules = json.loads(thriftwood("show", tmp_path / "tree.json", "--rules", "--json").out)["rules"]
    assert [rule["confidence"] < 1 for rule in rules] == [True, True]


def test_fit_points_out_leaves_of_one_case(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    rows = "".join(f"{x:.6f},{'ab'[int(x * 1e4) % 5 == 0]}\n" for x in rng.random(200))
    (tmp_path / "noise.csv").write_text("x,y\n" + rows)
    command = ("fit", "noise.csv", "--target", "y", "--algorithm", "id3")
    run = thriftwood(*command)
    assert "leaves rest on a single case, or less, and may be chance. --set min_branch_weight=5" in run.err
    run = thriftwood(*command, "--set", "min_branch_weight=5")
    assert "single case" not in run.err


@DATA
@pytest.mark.parametrize("name", ["hypothyroid", "sick-euthyroid", "ann-thyroid"])
def test_the_default_of_the_command_line_makes_no_rule_of_one_case_of_the_thyroid_tables(name):
    data = tw.load_dataset(name)
    sick = [label for label in data.target_names if label != "negative"]
    errors = {label: {"negative": 1000} for label in sick} if "negative" in data.target_names else None
    for costs in (None, tw.Costs(errors=errors, errors_default=50)):
        rules = tw.algorithm("c45", costs=costs).fit(data.X, data.y).tree_.rules()
        assert min(rule.weight for rule in rules) >= 2
        assert max(rule.confidence for rule in rules) < 1
