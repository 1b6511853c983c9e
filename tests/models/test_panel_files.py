"""Panels written and read: exactly, and with suspicion."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from ensembles.learners import mixed_table
from evaluation.plain_ledger import random_costs
from evaluation.plain_panel import random_panel
from hypothesis import given, settings
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood.models.files.kinds import TreeFileError
from thriftwood.models.files.trees import digest

PRICES = tw.Costs({"age": 5, "kind": tw.Test(1, needs=["visit"]), "noise": 1}, {"visit": 2})
GOLDEN = Path(__file__).parents[1] / "golden" / "panel-v1.json"
SETTINGS = {
    "boosting": {"variant": "samme", "short_cut": True},
    "bagging": {"votes": "shares", "random_state": 0},
    "shortcut-forest": {"trees": 5, "random_state": 0},
    "cocost": {"alphas": (0.1, 1), "rounds": 2, "random_state": 0},
}


@pytest.mark.parametrize("name", SETTINGS)
def test_what_is_saved_is_loaded(name, tmp_path):
    X, y = mixed_table()
    model = tw.algorithm(name, costs=PRICES, **SETTINGS[name]).fit(X, y)
    model.save(tmp_path / "panel.json")
    loaded = tw.load(tmp_path / "panel.json")
    assert isinstance(loaded, tw.Panel)
    assert tw.Panel.load(tmp_path / "panel.json") == loaded
    assert loaded == model.panel_
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    one, other = tw.bill(loaded, X, y), tw.bill(model, X, y)
    np.testing.assert_array_equal(one.test_cost, other.test_cost)
    np.testing.assert_array_equal(one.n_consulted, model.n_consulted(X))
    assert one.total_error_cost == other.total_error_cost


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=50)
def test_any_panel_is_read_as_it_was_written(seed):
    rng = np.random.default_rng(seed)
    panel, *_ = random_panel(rng, random_costs(rng, 5), rng.choice([0, 0, 1, 2, 4], 5).tolist())
    assert tw.Panel.from_json(panel.to_json()) == panel


def content():
    X, y = mixed_table(40)
    model = tw.algorithm("cocost", costs=PRICES, alphas=(0.1, 1), rounds=1, random_state=0).fit(X, y)
    return json.loads(model.panel_.to_json())


def vote():
    X, y = mixed_table(40)
    return json.loads(tw.algorithm("boosting", costs=PRICES, rounds=2).fit(X, y).panel_.to_json())


def changed(found, *path, to):
    place = found
    for key in path[:-1]:
        place = place[key]
    if to is None:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return found


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (lambda: changed(vote(), "version", to=2), "reads version 1"),
        (lambda: changed(vote(), "format", to="thriftwood-forest"), "not a model file: .* format"),
        (lambda: changed(vote(), "rule", to=None), "lacks the entry 'rule'"),
        (lambda: changed(vote(), "more", to=1), "unknown entry 'more'"),
        (lambda: changed(vote(), "members", to=[]), "members must be a list of trees"),
        (lambda: changed(vote(), "members", to=[{}]), "not a panel file: tree 1 of it is not a tree file: "),
        (lambda: changed(vote(), "rule", "say", to=[1.0] * 9), "needs as many vote weights"),
        (lambda: changed(vote(), "rule", "say", to=["a"]), "must be a list of floats"),
        (lambda: changed(vote(), "rule", "shares", to=1), "must be true or false"),
        (lambda: changed(vote(), "rule", "kind", to="coin"), "kind is 'vote' or 'chair'"),
        (lambda: changed(vote(), "costs", to={"tests": {"agee": 1}}), "its costs are wrong"),
        (lambda: changed(content(), "rule", "member", to=[0, 1, 2, 9]), "asks member 9; there are 4"),
        (lambda: changed(content(), "rule", "member", to=[0]), "say for each of them who is asked"),
        (lambda: changed(content(), "rule", "share_of", to=[0, -1, -1, -1]), "must be numeric"),
        (lambda: changed(content(), "rule", "share_of", to=[-1, -1, -1, 2**40]), "integers from -1 up"),
    ],
)
def test_what_is_no_panel_is_refused(found, words, tmp_path):
    broken = found()
    broken["sha256"] = digest(broken)
    (tmp_path / "panel.json").write_text(json.dumps(broken))
    with pytest.raises(TreeFileError, match=words):
        tw.load(tmp_path / "panel.json")


def test_a_changed_digit_is_noticed(tmp_path):
    text = json.dumps(vote())
    (tmp_path / "panel.json").write_text(text.replace('"short_cut": false', '"short_cut": true'))
    with pytest.raises(TreeFileError, match="not a panel file: its content does not fit its sha256"):
        tw.load(tmp_path / "panel.json")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"a": NaN}', '{"a": 1, "a": 1}', "[" * 200_000])
def test_what_is_no_panel_is_called_so(text, tmp_path):
    with pytest.raises(TreeFileError, match=r"^This is not a panel file: "):
        tw.Panel.from_json(text)
    (tmp_path / "panel.json").write_text(text)
    with pytest.raises(TreeFileError, match=r"^This is not a panel file: "):
        tw.Panel.load(tmp_path / "panel.json")
    with pytest.raises(TreeFileError, match=r"^This is not a model file: "):
        tw.load(tmp_path / "panel.json")


def test_a_broken_tree_of_a_panel_is_named():
    found = content()
    found["members"][2] = resigned(changed(found["members"][2], "tree", "nodes", "kind", 0, to=256))
    with pytest.raises(TreeFileError, match=r"panel file: tree 3 of it is not a tree file: .* from 0 to 255"):
        tw.Panel.from_json(json.dumps(resigned(found)))
    found = content()
    found["rule"]["tree"]["sha256"] = "0"
    with pytest.raises(TreeFileError, match=r"panel file: the tree of its rule is not a tree file: .*sha256"):
        tw.Panel.from_json(json.dumps(resigned(found)))


def test_a_file_of_another_kind_is_called_by_its_name():
    X, y = mixed_table(40)
    panel, tree = json.dumps(vote()), tw.CostTreeClassifier().fit(X, y).tree_.to_json()
    with pytest.raises(TreeFileError, match=r"not a tree file: .* It is a panel file, which `load` reads"):
        tw.Tree.from_json(panel)
    with pytest.raises(TreeFileError, match=r"not a panel file: .* It is a tree file, which `load` reads"):
        tw.Panel.from_json(tree)
    with pytest.raises(TreeFileError, match=r"not a booster file: .* It is a panel file, which `load` reads"):
        tw.Booster.from_json(panel)


def test_the_error_survives_being_handed_over():
    error = TreeFileError("its rule is lost", "panel")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.reason) == (str(error), "its rule is lost")


def test_trees_that_do_not_go_together_are_no_panel():
    X, y = mixed_table(40)
    tree = tw.CostTreeClassifier().fit(X, y).tree_
    other = tw.CostTreeClassifier().fit(X[["age"]], y).tree_
    with pytest.raises(ValueError, match="same columns and classes"):
        tw.Panel([tree, other], tw.algorithm("boosting").fit(X, y).panel_.rule)
    with pytest.raises(ValueError, match="at least one tree"):
        tw.Panel([], tw.algorithm("boosting").fit(X, y).panel_.rule)


def resigned(found):
    return {**found, "sha256": digest(found)}


def test_a_member_or_a_chair_of_other_classes_is_refused():
    found = vote()
    found["members"][1]["classes"]["values"] = ["healthy", "sick"]
    found["members"][1] = resigned(found["members"][1])
    with pytest.raises(TreeFileError, match="the same columns and classes"):
        tw.Panel.from_json(json.dumps(resigned(found)))
    found = content()
    found["rule"]["tree"]["classes"]["values"] = ["healthy", "sick"]
    found["rule"]["tree"] = resigned(found["rule"]["tree"])
    with pytest.raises(TreeFileError, match="must tell the members' classes apart"):
        tw.Panel.from_json(json.dumps(resigned(found)))


def test_a_chair_that_mixes_up_what_members_answer_is_refused():
    found = content()
    coded = found["rule"]["tree"]["encoder"]["categorical"]["0"]
    coded["categories"] = coded["categories"][::-1]
    found["rule"]["tree"] = resigned(found["rule"]["tree"])
    with pytest.raises(TreeFileError, match="its categories must be the classes, in their order"):
        tw.Panel.from_json(json.dumps(resigned(found)))


def test_a_file_of_the_first_version_is_read():
    golf, panel = tw.load_dataset("golf-nominal"), tw.load(GOLDEN)
    assert (panel.predict(golf.X) == golf.y).all()
    assert panel.n_consulted(golf.X).tolist() == [2, 3, 3, 3, 2, 3, 2, 2, 3, 2, 2, 2, 2, 3]
    paid = [6.5, 5.5, 6.5, 6.5, 6.5, 5.5, 5.5, 6.5, 6.5, 6.5, 5.5, 5.5, 6.5, 5.5]
    assert tw.bill(panel, golf.X).test_cost.tolist() == paid
    assert panel.to_json() == GOLDEN.read_text().strip()
