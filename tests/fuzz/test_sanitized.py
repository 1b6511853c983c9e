"""`make sanitized-tests`: its Python loads the compiled module that it was told, and no other."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fuzz.campaign.watching import TESTS, module_path

from thriftwood import _core

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".ci" / "sanitized"


def loaded(folder):
    """Start Python as the command does; return what it says, or raises, of the compiled module."""
    environment = os.environ | {"PYTHONPATH": str(FOLDER), "THRIFTWOOD_CORE": str(folder)}
    told = [sys.executable, "-c", "from thriftwood import _core; print(_core.__file__)"]
    done = subprocess.run(told, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, (done.stdout + done.stderr).strip()


def test_the_module_of_the_folder_is_loaded(tmp_path):
    copied = shutil.copy(_core.__file__, tmp_path)
    assert loaded(tmp_path) == (0, str(copied))


def test_a_folder_without_a_module_is_an_error(tmp_path):
    code, said = loaded(tmp_path)
    assert code == 1
    assert said.endswith(f"ImportError: No compiled module in THRIFTWOOD_CORE={str(tmp_path)!r}.")


@pytest.mark.skipif(shutil.which("make") is None, reason="no make")
@pytest.mark.parametrize(
    ("said", "code"), [("/usr/lib/libasan.so", 0), ("libasan.so", 2)], ids=["there", "not there"]
)
def test_a_compiler_without_the_runtime_is_named(tmp_path, said, code):
    compiler = tmp_path / "some-compiler"
    compiler.write_text(f"#!/bin/sh\necho {said}\n")
    compiler.chmod(0o755)
    told = ["make", "--no-print-directory", "has-sanitizers"]
    environment = os.environ | {"CXX": str(compiler)}
    done = subprocess.run(told, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert ("some-compiler has no libasan.so" in done.stderr) == bool(code)


def test_workers_look_where_their_campaign_was_told_to(monkeypatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert module_path() == str(TESTS)
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    assert module_path() == os.pathsep.join([str(TESTS), "somewhere"])
