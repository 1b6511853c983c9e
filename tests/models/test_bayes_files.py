"""Trees with naive Bayes as files: written exactly, read with suspicion."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood.models.files.kinds import TreeFileError
from thriftwood.models.files.trees import digest
from thriftwood.streams import HoeffdingTreeClassifier

PRICES = tw.Costs({"x0": 1, "x1": 2, "x2": 4}, errors=[[0, 40], [40, 0]])


def learnt(leaves="bayes", costs=PRICES):
    criterion = "entropy" if costs is None else "cstree"
    X, y = tw.make_stream("sea", random_state=0).take(8000)
    return HoeffdingTreeClassifier(criterion, costs=costs, leaves=leaves).fit(X, y), X, y


MODEL, X, Y = learnt()
TEXT = MODEL.model_.to_json()


def resigned(**changes):
    content = {**json.loads(TEXT), **changes}
    content.pop("sha256")
    content = {name: value for name, value in content.items() if value != "gone"}
    return json.dumps({**content, "sha256": digest(content)})


@pytest.mark.parametrize("leaves", ["bayes", "adaptive"])
@pytest.mark.parametrize("costs", [None, PRICES])
def test_what_is_read_answers_and_is_charged_as_what_was_written(leaves, costs, tmp_path):
    model, cases, labels = learnt(leaves, costs)
    model.save(tmp_path / "model.json")
    again = tw.load(tmp_path / "model.json")
    assert again == model.model_
    assert hash(again) == hash(model.model_)
    np.testing.assert_array_equal(again.predict_proba(cases), model.predict_proba(cases))
    one, other = (tw.bill(m, cases, labels, costs=costs or tw.Costs()) for m in (again, model))
    assert (one.total_test_cost, one.total_error_cost) == (other.total_test_cost, other.total_error_cost)


def test_answers_that_are_no_class_are_kept():
    costs = tw.Costs({"x0": 1, "x1": 2, "x2": 4}, errors_default=40, answers={"refer": 9})
    model = learnt(costs=costs)[0].model_
    again = type(model).from_json(model.to_json())
    assert again.further == ("refer",)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_error_costs_by_row_are_not_saved():
    told = MODEL.model_.told(np.tile([[0.0, 40.0], [40.0, 0.0]], (3, 1, 1)), 3)
    with pytest.raises(ValueError, match=r"are not saved\. Save the model without told\(\)"):
        told.to_json()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"version": 2}, "version is 2"),
        ({"smoothing": 0.0}, "smoothing must be a float above 0"),
        ({"group": "gone"}, "lacks the entry 'group'"),
        ({"group": [0]}, "group must be null or an integer for each node"),
        ({"group": None}, "where group is null"),
        ({"densities": [[1.0]]}, "densities are wrong"),
        ({"densities": [[1.0], [1.0, 2.0]]}, "densities must be a list of lists of floats"),
        ({"loss": [[0.0]]}, "loss must have a row for each class"),
        ({"costs": {"prices": 3}}, "costs"),
        ({"tree": {}}, "must be an object|lacks|format"),
        ({"answers": ["refer"]}, "answers"),
    ],
)
def test_what_does_not_fit_together_is_refused(changes, words):
    with pytest.raises(TreeFileError, match=words):
        type(MODEL.model_).from_json(resigned(**changes))


@given(st.integers(0, len(TEXT) - 1), st.sampled_from('0917-e.[]{},n"'))
@settings(max_examples=60)
def test_a_changed_character_never_passes(place, character):
    damaged = TEXT[:place] + character + TEXT[place + 1 :]
    if json_or_none(damaged) != json.loads(TEXT):
        with pytest.raises(TreeFileError):
            type(MODEL.model_).from_json(damaged)


def json_or_none(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


@pytest.mark.parametrize("leaves", ["bayes", "adaptive"])
def test_a_huge_value_is_learnt_from_and_saved(leaves):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = np.where(X[:, 0] > 0, "a", "b")
    X[5, 2] = 1e160  # its square is infinite
    model = tw.algorithm("hoeffding", leaves=leaves).partial_fit(X, y)
    assert np.mean(model.predict(X) == y) > 0.8
    assert (tw.BayesAnswers(tw.CostTreeClassifier()).fit(X, y).predict(X) == y).mean() > 0.8
    found = tw.BayesAnswers(tw.CostTreeClassifier()).fit(X, y).model_
    assert type(found).from_json(found.to_json()) == found
