"""`make sanitized-tests`: its Python loads the compiled module that it was told, and no other."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from fuzz.campaign.watching import TESTS, module_path

from thriftwood import _core

FOLDER = Path(__file__).parents[2] / ".ci" / "sanitized"


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


def test_workers_look_where_their_campaign_was_told_to(monkeypatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert module_path() == str(TESTS)
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    assert module_path() == os.pathsep.join([str(TESTS), "somewhere"])
