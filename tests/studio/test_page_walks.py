"""The way of one case through the tree, test by test: it pays what the bill says."""

import json

import numpy as np
import pandas as pd
import pytest
from studio.driving import ASSETS, in_node, scripts

import thriftwood as tw
from thriftwood.studio.content import costs_content, table_content
from thriftwood.studio.learners import offered
from thriftwood.studio.page import page_scripts

WALKING = """
const { readFileSync } = require("fs");
const { gunzipSync } = require("zlib");
const questions = JSON.parse(readFileSync(process.argv[2], "utf-8"));
(async () => {
  const engine = new Engine(await thriftwoodCore({ wasmBinary: gunzipSync(readFileSync(process.argv[3])) }));
  const found = questions.map(({ table: written, costs, settings }) => {
    const table = tableOf(written);
    engine.load(table);
    engine.setCosts(costs);
    const { handle } = engine.grow(settings);
    const { testCost } = engine.bill(handle);
    const tree = engine.tree(handle);
    return Array.from(testCost, (bill, row) => {
      const { steps, spread } = wayOf(tree, table, costs, row);
      const paid = steps.reduce((sum, step) => sum + step.price, 0);
      return { bill, spread, paid, total: steps.length ? steps.at(-1).total : 0 };
    });
  });
  console.log(JSON.stringify(found));
})();
"""
SCRIPTS = ("core.js", "numbers.js", "costs.js", "model_file.js", "table.js", "engine.js", "outline.js")


def random_question(rng, payment, charge_missing):
    """A table with missing values, prices of every kind, and a learner of the page."""
    n = 60
    y = rng.integers(0, 2, n)
    X = pd.DataFrame({name: np.round(rng.random() * 2 * y + rng.normal(size=n), 1) for name in "abcd"})
    X["kind"] = np.where(rng.random(n) < 0.5, rng.choice(list("xyz"), n), np.array(["x", "y"])[y])
    for name in X:
        X.loc[rng.random(n) < 0.2, name] = None
    tests = {
        name: tw.Test(int(rng.integers(2, 6)), ["room"], bool(rng.integers(2)), "group", 1) for name in X
    }
    costs = tw.Costs(
        tests,
        {"room": 2},
        errors={"0": {"1": 60}, "1": {"0": 90}},
        payment=payment,
        charge_missing=charge_missing,
    )
    table = table_content(X, y.astype(str), "table")
    settings = {learner.name: learner.settings for learner in offered()}
    return {
        "table": table,
        "costs": costs_content(costs, table["classes"], list(X)),
        "settings": settings[rng.choice(["cs-id3", "min-total-cost"])],
    }


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
@pytest.mark.parametrize("charge_missing", [True, False])
def test_a_case_pays_on_its_way_what_its_bill_says(tmp_path, payment, charge_missing):
    rng = np.random.default_rng(4)
    asked = tmp_path / "asked.json"
    asked.write_text(json.dumps([random_question(rng, payment, charge_missing) for _ in range(12)]))
    found = in_node(tmp_path, f"{scripts(*SCRIPTS)}\n{WALKING}", asked, ASSETS / "core.wasm.gz")
    ways = [one for cases in found for one in cases if not one["spread"]]
    assert len(ways) > 300
    assert len({way["bill"] for way in ways}) > 3
    for way in ways:
        assert way["paid"] == way["total"] == pytest.approx(way["bill"], abs=1e-9)


PANEL = """
const { table, costs, panel } = JSON.parse(require("fs").readFileSync(process.argv[2], "utf-8"));
console.log(JSON.stringify(meanPanelPrice(tableOf(table), costs, panel, [0, 1, -1, 0])));
"""


@pytest.mark.parametrize("charge_missing", [True, False])
def test_a_panel_costs_nothing_of_what_is_missing_and_not_charged(tmp_path, charge_missing):
    X = pd.DataFrame(
        {"TSH": [1.0, None, 3.0, None], "T3": [1.0, 2.0, None, None], "kind": ["a", None, "b", "a"]}
    )
    y = ["sick", "well"] * 2
    costs = tw.Costs(
        {
            "TSH": tw.Test(2, ["room"], False, "group", 1),
            "T3": tw.Test(9, ["room"], False, "group", 5),
            "kind": 7,
        },
        {"room": 3},
        errors_default=50,
        charge_missing=charge_missing,
    )
    table = table_content(X, y, "table")
    panel = ["TSH", "T3", "kind"]
    content = {"table": table, "costs": costs_content(costs, table["classes"], panel), "panel": panel}
    asked = tmp_path / "asked.json"
    asked.write_text(json.dumps(content))
    found = in_node(tmp_path, f"{scripts(*SCRIPTS[1:])}\n{PANEL}", asked)
    had = X.notna() | charge_missing
    judged = (0, 1, 3)
    assert found == np.mean([costs.total([name for name in panel if had[name][row]]) for row in judged])


DRAWING = """
const { readFileSync } = require("fs");
const { gunzipSync } = require("zlib");
const questions = JSON.parse(readFileSync(process.argv[2], "utf-8"));
(async () => {
  const engine = new Engine(await thriftwoodCore({ wasmBinary: gunzipSync(readFileSync(process.argv[3])) }));
  console.log(JSON.stringify(questions.map(({ table: written, costs, settings }) => {
    const table = tableOf(written);
    engine.load(table);
    engine.setCosts(costs);
    const { handle, note } = engine.grow(settings);
    const tree = engine.tree(handle);
    const nodes = drawnNodes(tree, table, costs, table.classes);
    const facts = ({ id, price, along = [], idle }) => [id, price, along, idle !== undefined];
    const drawn = nodes.map((node) => [...facts(node), nodeWords(node, costs)]);
    return { drawn, model: modelText(tree, table, costs, note) };
  })));
})();
"""


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
@pytest.mark.parametrize("charge_missing", [True, False])
def test_the_nodes_say_what_the_library_shows_of_the_saved_model(tmp_path, payment, charge_missing):
    rng = np.random.default_rng(7)
    asked = tmp_path / "asked.json"
    asked.write_text(json.dumps([random_question(rng, payment, charge_missing) for _ in range(24)]))
    every = (*SCRIPTS, "hashing.js", "payments.js", "figures.js")
    found = in_node(tmp_path, f"{page_scripts(every)}\n{DRAWING}", asked, ASSETS / "core.wasm.gz")
    late, idle = 0, 0
    for one in found:
        file = tmp_path / "model.json"
        file.write_text(one["model"])
        tree = tw.load(file)
        paid = tree.payments
        for node, price, along, is_idle, words in one["drawn"]:
            leaf = tree.flat.feature[node] < 0
            assert price == pytest.approx(paid.bill[node] if leaf else paid.price(node), abs=1e-9)
            assert along == [name for name, _ in paid.orders.get(node, ())[1:]]
            assert is_idle == (node in tree.idle) == ("idle: all below answer " in words)
            assert (" with " in words) == bool(along)
            late += bool(along)
            idle += is_idle
    assert idle > 0
    assert late > 0 or payment == "upfront"
