"""What reading a model file takes of memory: so many times its size, whatever is in it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import thriftwood as tw

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no figures of memory"),
    pytest.mark.skipif("THRIFTWOOD_CORE" in os.environ, reason="sanitizers keep what is given back"),
]

PEAKS = """
import json, os, sys
from thriftwood.models.files.loading import load

def memory(name):
    return 1024 * next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(name))

small, *paths = sys.argv[1:]
for path in paths:
    if child := os.fork():  # so that none finds the memory that another has given back
        assert os.waitpid(child, 0)[1] == 0
        continue
    load(small)  # the pages of the code are this process's from here on
    before = memory("VmRSS")
    try:
        said = type(load(path)).__name__
    except ValueError as refusal:
        said = str(refusal)
    print(json.dumps([(memory("VmHWM") - before) / os.path.getsize(path), said]), flush=True)
    os._exit(0)
"""
GOLDEN = Path(__file__).parents[1] / "golden" / "tree-v1.json"
HOSTILE = ("[]", "{}", "999", '"ab"', '{"a":1}')


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """Peak memory per byte of a file, and what came of reading it: a tree, a panel, lists of no use."""
    folder = tmp_path_factory.mktemp("models")
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30_000, 1)), rng.integers(0, 2, 30_000)
    models = {
        "tree": tw.CostTreeClassifier().fit(X, y).tree_,
        "panel": tw.algorithm("bagging", n_estimators=8).fit(X[:4_000], y[:4_000]).model_,
    }
    for name, model in models.items():
        model.save(folder / name)
    for place, piece in enumerate(HOSTILE):
        (folder / f"hostile {place}").write_text(f"[{','.join([piece] * 400_000)}]")
    paths = sorted(folder.iterdir())
    assert min(path.stat().st_size for path in paths) > 1e6  # beside which a few pages are nothing
    told = [sys.executable, "-c", PEAKS, GOLDEN, *paths]
    done = subprocess.run(told, capture_output=True, encoding="utf-8", check=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return {path.name: (factor, said) for path, (factor, said) in zip(paths, found, strict=True)}


def test_a_tree_takes_some_six_times_its_file(read):
    factor, said = read["tree"]
    assert said == "Tree"
    assert factor < 8  # 6.0: its bytes, its text, the lists of its nodes until they are arrays


def test_trees_of_a_panel_are_made_arrays_one_by_one(read):
    factor, said = read["panel"]
    assert said == "Panel"
    assert factor < 5  # 3.2


@pytest.mark.parametrize("place", range(len(HOSTILE)), ids=HOSTILE)
def test_what_is_no_model_is_refused_in_proportion_to_the_file(read, place):
    factor, said = read[f"hostile {place}"]
    assert said.startswith("This is not a model file: it is no object whose format is")
    assert factor < 36  # 29 for "[],": three bytes of the file, a list of 56 bytes and the way to it
