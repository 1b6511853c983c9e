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


ANY_SIZE = tw.Growth(max_depth=3, min_split_weight=0, min_branch_weight=0)
LEARNERS = {
    "tree": lambda: tw.CostTreeClassifier("entropy", growth=ANY_SIZE),
    "priors": lambda: tw.CostTreeClassifier("gini", growth=ANY_SIZE, priors=[0.5, 0.5]),
    "optimal": lambda: tw.OptimalTreeClassifier(max_depth=2),
    "ecco": lambda: tw.algorithm("ecco", costs=tw.Costs(errors_default=1), trials=200, random_state=0),
}


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("weight", [1 / 200, 0.25, 64.0])
def test_the_scale_of_weights_changes_no_confidence(name, weight, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = np.where(X[:, 0] + rng.normal(size=200) / 2 > 0, "a", "b")
    weights = np.append(np.full(200, weight), 0.0)  # who weighs nothing is no case
    plain = LEARNERS[name]().fit(X, y).tree_
    scaled = LEARNERS[name]().fit([*X, X[0]], [*y, "a"], sample_weight=weights).tree_
    assert scaled.core.feature.tolist() == plain.core.feature.tolist()
    assert confidences(scaled) == pytest.approx(confidences(plain), rel=1e-9)
    scaled.save(tmp_path / "tree.json")
    assert confidences(tw.load(tmp_path / "tree.json")) == confidences(scaled)
    merged = [tree.without_idle_tests() for tree in (scaled, plain)]
    assert confidences(merged[0]) == pytest.approx(confidences(merged[1]), rel=1e-9)


def test_costs_of_each_case_do_not_change_how_many_there_are():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 2)), rng.integers(0, 2, 100)
    costs = rng.uniform(1, 5, (100, 2)) * (np.arange(2) != y[:, None])
    weights = np.full(100, 8.0)
    plain, scaled = (
        tw.CostTreeClassifier(growth=ANY_SIZE).fit(X, y, given, costs).tree_ for given in (None, weights)
    )
    assert (plain.core.cases, scaled.core.cases) == (0, 100)
    assert confidences(scaled) == pytest.approx(confidences(plain), rel=1e-9)


def confidences(tree):
    return [node.confidence for node in tree if node.is_leaf]


def test_a_single_case_is_one_case_whatever_it_weighs():
    X, y = [[float(i)] for i in range(10)], ["a"] * 9 + ["b"]
    model = tw.CostTreeClassifier("entropy").fit(X, y, sample_weight=np.full(10, 1000.0))
    assert model.tree_.rules()[-1].confidence == pytest.approx(0.4)
