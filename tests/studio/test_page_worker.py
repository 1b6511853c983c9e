"""What the worker tells the page when its core fails."""

import json
import shutil
import subprocess

import pytest
from studio.driving import ASSETS

FAILING = """
const told = [];
globalThis.postMessage = (message) => told.push([message.kind, message.job]);
engine = { table: { columns: [{ name: "age" }] }, setCosts() { throw new Error("no memory"); } };
onmessage({ data: { kind: "worths", job: 3, tests: ["age"], costs: { tests: {} }, most: 1, learner: "c45" } })
  .then(() => console.log(JSON.stringify(told)));
"""


def test_break_even_prices_that_fail_can_be_asked_for_again(tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    texts = [(ASSETS / name).read_text(encoding="utf-8") for name in ("costs.js", "worker.js")]
    script = tmp_path / "worker.js"
    script.write_text("\n".join([*texts, FAILING]), encoding="utf-8")
    done = subprocess.run([node, script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [["problem", 3], ["worths", 3]]
