"""Boosters as files: written exactly, read with suspicion."""

import json
from pathlib import Path

import numpy as np
import pytest
from ensembles.learners import mixed_table

import thriftwood as tw
from thriftwood.models.files import trees as files
from thriftwood.models.files.kinds import TreeFileError

GOLDEN = Path(__file__).parents[1] / "golden" / "booster-v1.json"
COSTS = tw.Costs({"age": 1, "kind": tw.Test(2, needs=["visit"]), "noise": 3}, {"visit": 4})


@pytest.fixture(scope="module")
def booster():
    X, y = mixed_table(200, n_classes=3)
    return tw.CostGradientBoostingClassifier(costs=COSTS, n_estimators=5, stop=0.8).fit(X, y).booster_


def resigned(content):
    return json.dumps({**content, "sha256": files.digest(content)})


def test_a_model_saves_its_booster(tmp_path):
    X, y = mixed_table(60)
    model = tw.CostGradientBoostingClassifier(costs=COSTS, n_estimators=3)
    with pytest.raises(ValueError, match="not fitted"):
        model.save(tmp_path / "model.json")
    model.fit(X, y).save(tmp_path / "model.json")
    assert tw.load(tmp_path / "model.json") == model.booster_


def test_a_saved_booster_is_the_booster(booster, tmp_path):
    booster.save(tmp_path / "model.json")
    for again in (
        tw.load(tmp_path / "model.json"),
        tw.Booster.load(tmp_path / "model.json"),
        tw.Booster.from_json(booster.to_json()),
    ):
        assert again == booster
        assert hash(again) == hash(booster)
        X, y = mixed_table(50, n_classes=3, seed=1)
        np.testing.assert_array_equal(again.predict_proba(X), booster.predict_proba(X))
        np.testing.assert_array_equal(tw.bill(again, X, y).test_cost, tw.bill(booster, X, y).test_cost)
    assert booster != "something else"
    assert repr(booster) == "<Booster: 5 stages until a share of 0.8, classes dying, ill, well>"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "thriftwood-tree"}, "not a booster file: its format must be 'thriftwood-booster'"),
        ({"version": 2}, "reads version 1"),
        ({"start": [0.0, 0.0]}, "step for every class"),
        ({"start": [1, 2, 3]}, "list of floats"),
        ({"start": [0.0, 0.0, 1e999]}, "holds Infinity"),
        ({"stop": 2.0}, "stop must be"),
        ({"stop": True}, "stop must be"),
        ({"stages": {}}, "stages must be a list"),
        ({"stages": [{}]}, "not a booster file: stage 1 of it is wrong: tree lacks the entry"),
        ({"classes": {"dtype": "str", "values": ["a", "b"]}}, "must list 3 classes"),
        ({"classes": {"dtype": "str", "values": ["c", "b", "a"]}}, "in order"),
        ({"costs": {"tests": {"height": 1}}}, "costs are wrong"),
        ({"more": 1}, "unknown entry"),
    ],
)
def test_whatever_is_no_booster_is_refused(booster, change, message):
    content = {**json.loads(booster.to_json()), **change}
    try:
        text = resigned(content)
    except ValueError:
        text = json.dumps(content)
    with pytest.raises(TreeFileError, match=message):
        tw.Booster.from_json(text)


def test_a_stage_must_lead_every_case_along_one_path(booster):
    content = json.loads(booster.to_json())
    content["stages"][0]["nodes"]["missing_route"][0] = -1
    with pytest.raises(TreeFileError, match="along one path"):
        tw.Booster.from_json(resigned(content))
    content = json.loads(booster.to_json())
    content["stages"][0]["nodes"]["first_child"][0] = 0
    with pytest.raises(TreeFileError, match="outside the tree"):
        tw.Booster.from_json(resigned(content))


def test_a_changed_digit_is_noticed_and_a_stage_is_no_tree_of_its_own(booster):
    with pytest.raises(TreeFileError, match="sha256"):
        tw.Booster.from_json(booster.to_json().replace('"stop": 0.8', '"stop": 0.7'))
    tree = tw.CostTreeRegressor().fit([[1.0], [2.0]], [1.0, 2.0]).tree_
    content = json.loads(tree.to_json())
    content["tree"]["values"] *= 2
    content["tree"]["width"] = 2
    with pytest.raises(TreeFileError, match="one value per node"):
        tw.Tree.from_json(resigned(content))


def test_a_booster_of_version_1_is_read():
    golf, booster = tw.load_dataset("golf-nominal"), tw.load(GOLDEN)
    answers = ["No", "No", "Yes", "Yes", "Yes", "No", "Yes", "No", "Yes", "Yes", "Yes", "Yes", "Yes", "No"]
    assert booster.predict(golf.X).tolist() == answers
    shares = [0.791258, 0.837456, 0.098283, 0.332686, 0.195963]
    assert booster.predict_proba(golf.X)[:5, 0] == pytest.approx(shares, abs=5e-7)
    assert tw.bill(booster, golf.X).test_cost.tolist() == [6.5] * 14
    assert booster.to_json() == GOLDEN.read_text().strip()
