"""The committed module is that of the sources; where emscripten is installed, it is built again."""

import gzip
import importlib.util
import json
import os
import shutil
import subprocess

import pytest
from studio.driving import ASSETS, ROOT

SCRIPT = ROOT / "wasm" / "pack.py"


@pytest.fixture(scope="module")
def pack():
    if not SCRIPT.exists():
        pytest.skip("the sources of the module are not here")
    spec = importlib.util.spec_from_file_location("pack", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_module_was_made_from_these_sources(pack):
    made_of = json.loads((ASSETS / "core.json").read_text(encoding="utf-8"))
    assert made_of["sources"] == pack.digest(), "core/ or wasm/ changed since `make wasm`: run it and commit"


def test_the_sources_are_those_that_the_core_is_linked_from(pack):
    names = {file.relative_to(ROOT).as_posix() for file in pack.sources()}
    assert {"wasm/face.cpp", "wasm/exports.txt", "core/growing/grow.cpp", "core/criteria/csgain.hpp"} <= names
    assert not any(name.startswith(("core/streams", "core/evolution", "bindings")) for name in names)


def test_building_again_gives_the_committed_module(pack):
    if shutil.which("em++") is None:
        pytest.skip("emscripten is not installed")
    made_of = json.loads((ASSETS / "core.json").read_text(encoding="utf-8"))
    if made_of["compiler"] != pack.compiler():
        pytest.skip(f"emscripten is {pack.compiler()}, the module was made by {made_of['compiler']}")
    built = ROOT / "build" / "wasm"
    if not (built / "core.wasm").exists() and "THRIFTWOOD_BUILD_WASM" not in os.environ:
        pytest.skip("nothing is built yet: `make wasm` takes some minutes of processor time")
    subprocess.run(["make", "-C", str(ROOT / "wasm")], check=True, capture_output=True)
    assert (built / "core.wasm").read_bytes() == gzip.decompress((ASSETS / "core.wasm.gz").read_bytes())
    assert (built / "core.js").read_bytes() == (ASSETS / "core.js").read_bytes()
