"""The studio's scripts in node, for tests: what the page would learn."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ASSETS = ROOT / "src" / "thriftwood" / "studio" / "assets"
SCRIPTS = ("core.js", "numbers.js", "hashing.js", "costs.js", "model_file.js", "table.js", "engine.js")


def learnt(tmp_path, questions):
    """Ask the compiled core in node: a list of answers to a list of questions."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    script = tmp_path / "driver.js"
    texts = [(ASSETS / name).read_text(encoding="utf-8") for name in SCRIPTS]
    driver = (HERE / "node_driver.js").read_text(encoding="utf-8")
    script.write_text("\n".join([*texts, driver]), encoding="utf-8")
    asked = "".join(json.dumps(question) + "\n" for question in questions)
    # Nothing is fetched: some versions of node take their own fetch for a browser's.
    command = [node, "--no-experimental-fetch", str(script), str(ASSETS)]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def in_node(tmp_path, script, *arguments):
    """Run a script in node; return the JSON that it prints."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    file = tmp_path / "worker.js"
    file.write_text(script, encoding="utf-8")
    command = [node, "--no-experimental-fetch", file, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def scripts(*names):
    return "\n".join((ASSETS / name).read_text(encoding="utf-8") for name in names)
