"""The worker in node: what it tells the page of break-even prices, and when its core fails."""

import json

import numpy as np
import pandas as pd
import pytest
from studio.driving import ASSETS, in_node, scripts

import thriftwood as tw
from thriftwood.studio.content import costs_content, table_content
from thriftwood.studio.learners import offered
from thriftwood.studio.page import WORKER

FAILING = """
const told = [];
globalThis.postMessage = (message) => told.push([message.kind, message.job]);
engine = { table: { columns: [{ name: "age" }] }, setCosts() { throw new Error("no memory"); } };
const tests = [{ name: "age", bought: false }];
onmessage({ data: { kind: "worths", job: 3, tests, costs: { tests: {} }, most: 1, learner: "c45" } })
  .then(() => console.log(JSON.stringify(told)));
"""
ASKING = """
const { readFileSync } = require("fs");
const { gunzipSync } = require("zlib");
const asked = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const found = {};
globalThis.postMessage = (told) => {
  if (told.kind === "problem") throw new Error(told.message);
  if (told.kind === "worth") found[told.name] = told;
};
(async () => {
  const binary = gunzipSync(readFileSync(process.argv[3]));
  const table = tableOf(asked.table);
  await onmessage({ data: { kind: "start", job: 0, binary } });
  await onmessage({ data: { kind: "load", job: 0, table } });
  for (const question of asked.questions) await onmessage({ data: question });
  console.log(JSON.stringify(found));
})();
"""


def test_break_even_prices_that_fail_can_be_asked_for_again(tmp_path):
    told = in_node(tmp_path, f"{scripts('costs.js', 'worker.js')}\n{FAILING}")
    assert told == [["problem", 3], ["worths", 3]]


@pytest.fixture(scope="module")
def rare():
    """A rare class whose mistakes cost a million; one free test and one for 1 tell it."""
    rng = np.random.default_rng(3)
    kind = rng.choice(3, 900, p=[0.49, 0.49, 0.02])
    X = pd.DataFrame(
        {
            "alarm": (kind == 2).astype(float),
            "size": np.where(kind == 2, rng.random(900), kind) + rng.normal(size=900) * 0.1,
            "noise": rng.normal(size=900),
        }
    )
    errors = {a: {b: 1e6 if a == "c" else 5 for b in "abc" if b != a} for a in "abc"}
    return X, np.array(["a", "b", "c"])[kind], tw.Costs({"alarm": 0, "size": 1, "noise": 2}, errors=errors)


@pytest.mark.parametrize("told", [True, False], ids=["of tests that are bought", "of tests like any other"])
def test_break_even_prices_beside_dear_mistakes_are_those_of_the_library(tmp_path, rare, told):
    X, y, costs = rare
    table = table_content(X, y, "rare")
    learner = next(one for one in offered() if one.name == "min-total-cost")
    bought = {"alarm": told, "size": told, "noise": False}
    question = {
        "kind": "worths",
        "job": 1,
        "learner": learner.name,
        "settings": learner.settings,
        "costs": costs_content(costs, table["classes"], list(X)),
        "tests": [{"name": name, "bought": one} for name, one in bought.items()],
        "most": 1e6,
    }
    file = tmp_path / "asked.json"
    file.write_text(json.dumps({"table": table, "questions": [question]}), encoding="utf-8")
    script = f"{scripts('numbers.js', 'hashing.js', *WORKER, 'table.js')}\n{ASKING}"
    found = in_node(tmp_path, script, file, ASSETS / "core.wasm.gz")
    paid = tw.break_even(X, y, costs, learner=tw.algorithm("min-total-cost", costs=costs))
    wanted = {worth.name: worth.break_even for worth in paid}
    assert wanted["alarm"] > 3
    for name in ("alarm", "size"):
        assert found[name]["price"] == pytest.approx(wanted[name], rel=1.1e-4)
        assert not found[name]["beyond"]
    assert found["noise"]["never"]
    assert wanted["noise"] == 0.0
