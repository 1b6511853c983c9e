import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from cli.commands import VERBS, as_process, thriftwood

import thriftwood as tw


def test_version_is_the_package_s():
    run = as_process("--version")
    assert (run.code, run.out) == (0, f"thriftwood {tw.__version__}\n")


def test_the_package_runs_as_a_module_under_its_name():
    command = [sys.executable, "-m", "thriftwood", "fit", "--help"]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    assert run.stdout.startswith("Usage: thriftwood fit ")


def test_help_lists_the_verbs():
    run = thriftwood("--help")
    assert run.code == 0
    listed = run.out.partition("Commands:\n")[2].splitlines()
    assert {line.split()[0] for line in listed} == set(VERBS)
    assert not any(line.endswith("...") for line in listed)  # each is said in full


@pytest.mark.parametrize(
    "verb",
    [
        *(*VERBS, "costs init", "costs check", "reproduce davis2006", "reproduce ting1998"),
        *("flowtype corpus", "flowtype measure", "flowtype train", "flowtype classify"),
        *("clarify record", "clarify inspect", "clarify learn", "clarify plan", "clarify watch"),
        "clarify diagnose",
    ],
)
def test_every_verb_has_an_example(verb):
    run = thriftwood(*verb.split(), "--help")
    assert run.code == 0
    assert f"Example: thriftwood {verb}" in " ".join(run.out.split())


# Published experiments need their data; tests/cli/test_reproduce.py runs them.
@pytest.mark.parametrize("verb", [*(verb for verb in VERBS if verb != "reproduce"), "costs check"])
def test_every_example_runs(state_tree, verb):
    example = re.search(r"Example: thriftwood (.*?)\n\n", thriftwood(*verb.split(), "--help").out, re.DOTALL)[
        1
    ]
    Path("new.csv").write_text(Path("patients.csv").read_text())
    if verb == "costs":
        Path("costs.toml").unlink()  # the example writes it
    run = thriftwood(*shlex.split(example), typed="70\n")
    assert run.code == 0, (example, run.err)
    assert "Error" not in run.err


def test_help_starts_without_the_library():
    code = "import sys, thriftwood.cli; print([m for m in ('sklearn', 'numpy') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert run.stdout == "[]\n"


def test_price_lists_are_checked_without_scikit_learn(clinic):
    # Loading it takes a second of processor time; the whole command takes 0.4 s without.
    code = (
        "import sys; from thriftwood.cli import app\n"
        "app(['costs', 'check', 'costs.toml', 'patients.csv', '--target', 'state'], standalone_mode=False)\n"
        "print([m for m in ('sklearn', 'scipy', 'pandas', 'thriftwood.models') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert run.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "words",
    [
        ["show", "no-such-tree.json"],
        ["export", "no-such-tree.json", "--to", "c"],
        ["costs", "check", "no-such-costs.toml"],
        ["reproduce", "davis2006", "--dataset", "zo"],
    ],
)
def test_debug_shows_where_it_happened(words):
    assert thriftwood(*words).code == 2
    with pytest.raises((OSError, ValueError), match=r"no-such-|zoo"):
        thriftwood(*words, THRIFTWOOD_DEBUG="1")


def test_completion_scripts_are_offered():
    assert "--install-completion" in thriftwood("--help").out
    # What a shell runs to get the script, and when a word is to be completed.
    run = as_process(_THRIFTWOOD_COMPLETE="source_bash")
    assert "complete -o default -F _thriftwood_completion thriftwood" in run.out
    run = as_process(_THRIFTWOOD_COMPLETE="complete_bash", COMP_WORDS="thriftwood co", COMP_CWORD="1")
    assert {"compare", "consult", "costs"} <= set(run.out.split())


def test_unknown_verb_names_the_nearest():
    run = as_process("shw")
    assert run.code == 2
    assert run.out == ""
    assert "'show'" in run.err


def test_algorithms_lists_all_with_references():
    run = thriftwood("algorithms", COLUMNS="200")
    assert run.code == 0
    said = " ".join(run.out.split())
    for entry in tw.algorithms():
        assert entry.name in said
        assert entry.reference in said
