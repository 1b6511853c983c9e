"""``thriftwood fit`` with a learner that evolves."""

from pathlib import Path

import pytest
from cli.commands import as_interrupted, thriftwood

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


AFTER_A_GENERATION = """
from thriftwood.evolution import Evolution
run = Evolution.run
def pressed(self, genome, random_state, n_threads, tell, stop):
    def told(generation, *rest):
        if generation == 1: press_soon()
        if tell is not None: tell(generation, *rest)
    return run(self, genome, random_state, n_threads, told, stop)
Evolution.run = pressed
"""


@BOTH
def test_ctrl_c_saves_the_best_tree_so_far_and_says_so(clinic, name):
    words = (*LEARN, name, "--set", "trials=1000000000000", "-o", "tree.json")
    run = as_interrupted(AFTER_A_GENERATION, *words)
    assert run.code == 130, run.err
    assert "Note: Ctrl-C was pressed; kept is the best of the " in run.err
    assert "history_" not in run.err
    assert "cases it learnt from" in run.out
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
