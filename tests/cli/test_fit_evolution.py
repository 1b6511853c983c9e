"""``thriftwood fit`` with a learner that evolves."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli.commands import thriftwood

import thriftwood as tw

LEARN = ("fit", "patients.csv", "--target", "state", "--ignore", "id", "--costs", "costs.toml", "--algorithm")
BOTH = pytest.mark.parametrize("name", ["icet", "ecco"])


@BOTH
def test_the_bar_says_how_generations_do(clinic, name, monkeypatch):
    words = (*LEARN, name, "--set", "trials=100", "--holdout", "0.3")
    assert thriftwood(*words).err == ""
    monkeypatch.setattr("thriftwood.cli.progress.DELAY", 0.0)
    on_screen = thriftwood(*words, FORCE_COLOR="1", TTY_COMPATIBLE="1", COLUMNS="120").err
    assert "cost of a case: best" in on_screen
    assert "2/2" in on_screen


@BOTH
def test_ctrl_c_saves_the_best_tree_so_far_and_says_so(clinic, name):
    Path("patients.csv").rename("table.csv")
    os.mkfifo("patients.csv")
    words = (*LEARN, name, "--set", "trials=1000000000000", "-o", "tree.json")
    process = subprocess.Popen(
        [Path(sys.executable).with_name("thriftwood"), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=os.environ | {"PYTHONUTF8": "1", "COLUMNS": "200"},
    )
    Path("patients.csv").write_text(Path("table.csv").read_text())  # waits until the command opens its table
    time.sleep(2)
    assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Note: Ctrl-C was pressed; kept is the best of the " in err
    assert "history_" not in err
    assert "cases it learnt from" in out
    assert tw.load("tree.json").n_nodes >= 1


def test_too_many_categories_are_refused_in_words_of_the_shell(clinic):
    lines = [f"w{i},{kind}" for i in range(40) for kind in ("a", "b")]
    Path("words.csv").write_text("\n".join(["word,kind", *lines]))
    run = thriftwood("fit", "words.csv", "--target", "kind", "--algorithm", "ecco", COLUMNS="400")
    assert (run.code, run.out) == (2, "")
    assert "A tree of depth 5 takes" in run.err
    assert "Ask for one category at a time (--set nominal=value)" in run.err
    again = ("fit", "words.csv", "--target", "kind", "--algorithm", "ecco", "--set", "nominal=value")
    assert thriftwood(*again).code == 0


def test_an_object_is_given_setting_by_setting_in_the_shell(clinic):
    run = thriftwood(*LEARN, "icet", "--set", "evolution=5", COLUMNS="400")
    assert (run.code, run.out) == (2, "")
    assert "such as --set trials=5000. Got 5" in run.err
