"""``thriftwood fit`` with a learner that evolves."""

import json
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


@BOTH
@pytest.mark.parametrize(
    ("settings", "ended", "words"),
    [
        (("trials=100",), "trials", "Evolved: 100 trees tried, as many as were asked for (--set trials)."),
        (
            ("trials=1000000", "patience=1"),
            "patience",
            "trees tried, none better in the last 1 generation (--set patience).",
        ),
        (
            ("trials=1000000000000", "time_budget=0.5"),
            "time",
            "trees tried, then the 0.5 seconds were over (--set time_budget).",
        ),
    ],
)
def test_how_an_evolution_ended_is_told(clinic, name, settings, ended, words):
    options = [word for setting in settings for word in ("--set", setting)]
    assert words in thriftwood(*LEARN, name, *options).out.splitlines()[3]  # verdict, gap, title
    content = json.loads(thriftwood(*LEARN, name, *options, "--json").out)
    assert content["ended"] == ended
    assert content["trials"] >= 1


def test_learners_that_do_not_evolve_have_no_trials(clinic):
    content = json.loads(thriftwood(*LEARN, "c45", "--json").out)
    assert (content["trials"], content["ended"]) == (None, None)


def test_with_a_time_budget_the_bar_is_one_of_seconds(clinic, monkeypatch):
    monkeypatch.setattr("thriftwood.cli.progress.DELAY", 0.0)
    words = (*LEARN, "icet", "--set", "trials=1000000000000", "--set", "time_budget=0.7")
    on_screen = thriftwood(*words, FORCE_COLOR="1", TTY_COMPATIBLE="1", COLUMNS="140").err
    assert "cost of a case: best" in on_screen
    assert "; seconds" in on_screen
    assert "0/1" in on_screen
    assert "20000000000" not in on_screen


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
    assert run.out.splitlines()[3].endswith(" tried, until Ctrl-C.")
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
