"""What the exported module promises: when it asks, what it refuses, hostile names, score cards."""

import json
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
from export.running import by_javascript
from export.test_cascade_plan import by_python, rows_of
from export.test_quoting_names import HOSTILE
from random_cascades import random_cascade, random_frame

import thriftwood as tw


def node(tmp_path, model, script):
    """Run a script after the exported module."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    (tmp_path / "model.mjs").write_text(tw.export_javascript(model), encoding="ascii")
    (tmp_path / "script.mjs").write_text(
        f'import {{ decide, next, MODEL }} from "./model.mjs";\n{script}', encoding="utf-8"
    )
    done = subprocess.run(["node", tmp_path / "script.mjs"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def golf_model():
    data = tw.load_dataset("golf-nominal")
    return tw.algorithm("c45", costs=data.costs).fit(data.X, data.y)


def test_it_asks_only_for_what_it_needs_and_once(tmp_path, golf_model):
    script = """
const asked = [];
const found = decide((name) => { asked.push(name); return { Outlook: "Rain", Wind: "Weak" }[name]; });
console.log(JSON.stringify([asked, found]));
"""
    asked, found = node(tmp_path, golf_model, script)
    assert asked == found["asked"] == ["Outlook", "Wind"]
    assert found["bought"] == [["Outlook", 4.0], ["Wind", 0.5]]
    assert (found["answer"], found["bill"]) == ("Yes", 4.5)


def test_next_asks_one_question_at_a_time(tmp_path, golf_model):
    script = """
const known = {};
const names = [];
let step = next(known);
while (step.ask) {
  names.push(step.ask.name);
  known[step.ask.name] = { Outlook: "Sunny", Humidity: "High" }[step.ask.name];
  step = next(known);
}
console.log(JSON.stringify([names, step.decision.answer]));
"""
    assert node(tmp_path, golf_model, script) == [["Outlook", "Humidity"], "No"]


def trees_votes_and_cards():
    X, y = [[float(i), float(i % 3)] for i in range(12)], ["no", "yes"] * 6
    voting = tw.algorithm("bagging", n_estimators=2, random_state=0).fit(X, y)
    return {"tree": tw.CostTreeClassifier().fit(X, y), "votes": voting, "cards": random_cascade(1)}


@pytest.mark.parametrize("kind", ["tree", "votes", "cards"])
def test_a_test_that_is_not_told_of_is_an_error_and_null_is_not(tmp_path, kind):
    script = """
const said = (ask) => { try { return typeof decide(ask).bill; } catch (problem) { return problem.message; } };
const all = (value) => Object.fromEntries(MODEL.tests.map((test) => [test.name, value]));
const first = next({}).ask;
const refused = [{}, { agee: 50 }, all(undefined), () => undefined, Object.create(all(null))].map(said);
const taken = [all(null), () => null, all(NaN)].map(said);
console.log(JSON.stringify([first.name, first.categories, refused, taken]));
"""
    name, categories, refused, taken = node(tmp_path, trees_votes_and_cards()[kind], script)
    wanted = "a number" if categories is None else "one of its categories"
    message = f'Nothing was given for the test "{name}". Pass {wanted}, or null where it cannot be had.'
    assert refused == [message] * 5
    assert taken == ["number"] * 3


@pytest.mark.parametrize("seed", range(3))
def test_score_cards_decide_as_those_in_python(seed):
    cascade = random_cascade(seed)
    frame = random_frame(np.random.default_rng(seed), 60)
    for got, want in zip(by_javascript(cascade, rows_of(frame)), by_python(cascade, frame), strict=True):
        assert (got.answer, got.asked, got.bought) == (want.answer, want.asked, want.bought)
        assert got.probabilities == pytest.approx(want.probabilities, abs=1e-12)
        assert got.paid == pytest.approx(want.paid)


def test_hostile_names_do_nothing():
    names = list(HOSTILE)[:6]
    X = [[float(i >> j & 1) for j in range(len(names))] for i in range(64)]
    frame = pd.DataFrame(X, columns=names)
    y = [HOSTILE[i % 2] for i in range(64)]
    tree = tw.CostTreeClassifier().fit(frame, y).tree_
    rows = [dict(zip(names, row, strict=True)) for row in X]
    assert [one.answer for one in by_javascript(tree, rows)] == tree.predict(frame).tolist()


@pytest.mark.parametrize("name", ["", "1st", "class", "MODEL", "a b", 3])
def test_names_that_are_none_are_refused(golf_model, name):
    with pytest.raises(ValueError, match="JavaScript leaves free"):
        tw.export_javascript(golf_model, name)
