"""docs/command-line.md lists the keys that --json prints, all of them and no others."""

import json
import re
import sys
from pathlib import Path

import pytest
from clarify.small_program import write_small_program
from cli.commands import VERBS, thriftwood
from experiments.small_data import write_small_data
from flowtype.small_corpus import write_small_corpus
from random_cascades import GOLDEN

PAGE = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")
LEARN = ("patients.csv", "--target", "state", "--ignore", "id", "--costs", "costs.toml")
COMMANDS = {
    "fit": ("fit", *LEARN),
    "predict": ("predict", "tree.json", "patients.csv"),
    "bill": ("bill", "tree.json", "patients.csv", "--target", "state"),
    "compare": ("compare", *LEARN, "--cv", "3", "--algorithms", "c45"),
    "frontier": ("frontier", *LEARN, "--cv", "3", "--values", "0,0.1"),
    "watchdog": ("watchdog", "tree.json", "patients.csv"),
    "whatif": ("whatif", *LEARN, "--price", "pulse=0..9"),
    "whatif of all tests": ("whatif", *LEARN),
    "costs check": ("costs", "check", "costs.toml", *LEARN[:5]),
    "show": ("show", "tree.json", "--rules"),
    "show of a panel": ("show", "panel.json"),
    "show of a booster": ("show", "booster.json"),
    "show of a cascade": ("show", str(GOLDEN)),
    "consult": ("consult", "tree.json"),
    "reproduce": (
        *("reproduce", "davis2006", "--dataset", "zoo", "--trials", "1"),
        *("--data", "data", "--out", "results"),
    ),
    "flowtype corpus": ("flowtype", "corpus", "streams", "--from", "mine"),
    "flowtype train": ("flowtype", "train", "streams", "--costs", "prices.toml"),
    "flowtype classify": ("flowtype", "classify", "mine/TXT/attic/00.txt", "--model", "types.json"),
    "clarify record": ("clarify", "record", "rec", "--runs", "runs.tsv"),
    "clarify inspect": ("clarify", "inspect", "rec", "--run", "0"),
    "clarify learn": ("clarify", "learn", "rec"),
    "clarify plan": ("clarify", "plan", "model.json"),
    "clarify check": ("clarify", "check", "model.json", "--", sys.executable, "prog.py", "new.txt"),
    "clarify diagnose": ("clarify", "diagnose", "model.json"),
    "algorithms": ("algorithms",),
}
SECTIONS = dict(re.findall(r"^### ([a-z ]+)\n(.*?)(?=^### |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def test_every_verb_is_listed():
    listed = set(re.findall(r"^\| `([a-z]+)", PAGE.partition("## Tables")[0], re.MULTILINE))
    assert listed == set(VERBS)


def test_every_verb_with_json_is_documented():
    assert set(SECTIONS) == set(COMMANDS)


@pytest.fixture
def folder(state_tree, state_panel, state_booster):
    """All that the commands read."""
    write_small_data(state_tree.parent / "data")


@pytest.fixture
def streams(folder):
    """What the commands about streams read."""
    write_small_corpus(Path("mine"))
    thriftwood("flowtype", "measure", "--rounds", "1", "-o", "prices.toml")
    thriftwood(*COMMANDS["flowtype corpus"])
    thriftwood(*COMMANDS["flowtype train"], "-o", "types.json")


@pytest.fixture
def runs(folder):
    """What the commands about failures read."""
    write_small_program(Path())
    thriftwood(*COMMANDS["clarify record"])
    thriftwood(*COMMANDS["clarify learn"], "-o", "model.json")
    thriftwood("clarify", "watch", "model.json", "--", sys.executable, "prog.py", "new.txt")


@pytest.mark.parametrize("verb", COMMANDS)
def test_keys_are_those_that_are_printed(folder, verb, request):
    if verb.startswith("flowtype"):
        request.getfixturevalue("streams")
    if verb.startswith("clarify"):
        request.getfixturevalue("runs")
    command = COMMANDS[verb]
    own = command.index("--") if "--" in command else len(command)  # what follows is another program's
    content = json.loads(thriftwood(*command[:own], "--json", *command[own:]).out)
    rows = re.findall(r"^\| (`.*?) \|", SECTIONS[verb], re.MULTILINE)
    listed = [key for row in rows for key in re.findall(r"`([^`]+)`", row)]
    assert list(content[0] if isinstance(content, list) else content) == listed


@pytest.mark.parametrize(
    ("verb", "key"),
    [
        ("bill", "by_test"),
        ("show", "rules"),
        ("show of a panel", "members"),
        ("show of a panel", "tests"),
        ("reproduce", "tables"),
    ],
)
def test_keys_of_lists(folder, verb, key):
    content = json.loads(thriftwood(*COMMANDS[verb], "--json").out)
    row = next(line for line in SECTIONS[verb].splitlines() if line.startswith(f"| `{key}`"))
    assert list(content[key][0]) == re.findall(r"`([^`]+)`", row.split("|")[2].rpartition(":")[2])


def test_keys_of_a_figure(folder):
    content = json.loads(thriftwood(*COMMANDS["reproduce"], "--json").out)
    words = re.search(r"An entry of `figures` has(.*)", SECTIONS["reproduce"])[1]
    assert list(content["tables"][0]["figures"][0]) == re.findall(r"`([^`]+)`", words)


def test_keys_of_a_ranking(folder):
    content = json.loads(thriftwood(*COMMANDS["compare"], "--json").out)
    words = re.search(r"An entry of `ranking` has(.*?)Intervals", SECTIONS["compare"], re.DOTALL)[1]
    assert list(content["ranking"][0]) == re.findall(r"`([^`]+)`", words)
