"""The library's advice in the words of the shell: each remedy, and no Python in what commands print."""

import ast
from pathlib import Path
from typing import get_args

import pytest
from cli.commands import thriftwood

from thriftwood.base.advice import Advice, advised
from thriftwood.base.remedies import (
    Blank,
    CountMistakes,
    Criterion,
    GiveCosts,
    GrowWith,
    InPython,
    LeaveOut,
    NoCosts,
    Pass,
    PassSmaller,
    Remedy,
    SetFreely,
    SetInside,
    SetParameter,
    Setting,
    TreatMissing,
    TryBetween,
    Vary,
)
from thriftwood.cli import advice
from thriftwood.cli.advice import SHELL, ListWords, in_shell, value_text
from thriftwood.cli.inputs import setting_of

IN_SHELL = [
    (Setting("missing", "branch", of="Growth"), "--set missing=branch"),
    (SetParameter("cut_penalty", (False,)), "give --set cut_penalty=false"),
    (
        SetParameter("nominal", ("value", "binary"), " (as published)"),
        "give --set nominal=value (as published) or --set nominal=binary",
    ),
    (SetFreely("confidence", 0.95), "give --set confidence=0.95, for example"),
    (
        SetInside("Evolution", "trials", 5000),
        "which the command line gives setting by setting, such as --set trials=5000",
    ),
    (
        GrowWith((Setting("missing", "majority", "Growth"), Setting("missing", "branch", "Growth"))),
        "fit it again with --set missing=majority or --set missing=branch",
    ),
    (
        TryBetween("gamma", 0.00018, 0.18),
        "try values from 0.00018 to 0.18; 0 ignores prices. For example --set gamma=0.006",
    ),
    (
        TreatMissing("CostTreeClassifier", "id3", ("fractional", "branch", "majority")),
        "this learner refuses missing values. Fill them in, or say how to treat them: --set "
        "missing=fractional (branch, majority), or where learners are listed id3:missing=fractional",
    ),
    (Criterion("eg2"), "criterion='eg2'"),
    (Pass("undecided", "nan"), "give --undecided nan"),
    (Pass("data_dir", Blank.FOLDER), "give --data FOLDER"),
    (Pass("values", Blank.LIST), "give --values LIST"),
    (PassSmaller("cv"), "give a smaller --cv"),
    (Vary("pruning__cf", (0.1, 0.25)), "--param pruning__cf --values 0.1,0.25"),
    (LeaveOut("id"), "leave out id (--ignore)"),
    (InPython("See history_."), ""),
    (NoCosts("costs"), "there is no price list"),
    (NoCosts("prices"), "there is no price of any test"),
    (NoCosts("errors"), "the price list has no [errors]"),
    (GiveCosts(), "give --costs FILE"),
    (GiveCosts("errors"), "give --costs FILE"),
    (
        CountMistakes("cstree"),
        "the tree is a single leaf. cstree weighs prices against mistakes, and the price list has no "
        "[errors], so every mistake counts 1 and may be cheaper than any test. Put them into the price list",
    ),
]


@pytest.mark.parametrize(("remedy", "said"), IN_SHELL)
def test_remedies_in_the_shell(remedy, said):
    assert SHELL.say(remedy) == said


def test_every_remedy_has_its_line_above():
    assert {type(remedy) for remedy, _ in IN_SHELL} == set(get_args(Remedy))


def test_where_learners_are_listed_their_settings_follow_colons():
    words = ListWords("csgain:path=ancestors")
    assert words.said(Advice((TryBetween("gamma", 0.001, 1.0), "."))).endswith(
        "For example --algorithms csgain:path=ancestors:gamma=0.03."
    )
    assert words.say(SetParameter("cut_penalty", (False,))) == (
        "give --algorithms csgain:path=ancestors:cut_penalty=false"
    )


def test_a_message_is_one_line():
    assert (
        in_shell(ValueError("Input X contains NaN.\nIt is  in row 3."))
        == "Input X contains NaN. It is in row 3."
    )
    assert in_shell(advised(ValueError, "Stopped. ", InPython("See history_."))) == "Stopped."


@pytest.mark.parametrize("value", [True, False, None, 3, 0.25, 1e-7, "branch", [0.1, 1]])
def test_what_is_advised_can_be_typed(value):
    assert setting_of(f"name={value_text(value)}") == ("name", value)


MODULES = sorted(Path(advice.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_no_command_searches_the_text_of_a_message(module):
    tree = ast.parse(module.read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not imported & {"re", "regex"}, "an error carries what to do as data: see thriftwood.base.advice"


# Errors and warnings that commands meet, and what the shell is told; the patients have missing values.

PYTHON_CALLS = (
    *("tw.", "Growth(", "Costs(", "algorithm(", "costs=", "estimator=", " pass ", "Pass "),
    *("history_", "sampling_"),
)
LEARN = "patients.csv --target state --ignore id"
SAID = [
    (
        f"fit {LEARN} --algorithm eg2",
        "weighs what tests cost, but there is no price list. Give --costs FILE.",
    ),
    (
        f"fit {LEARN} --costs errors.toml --algorithm eg2",
        "but there is no price of any test. Give --costs FILE.",
    ),
    (f"fit {LEARN} --algorithm metacost", "but there is no price list. Give --costs FILE."),
    (
        f"fit {LEARN} --costs prices.toml --algorithm metacost",
        "but the price list has no [errors]. Add errors, or errors_default = 1 if",
    ),
    (f"fit {LEARN} --costs costs.toml --algorithm csgain", "ignores prices. For example --set gamma=0.009."),
    (
        f"fit {LEARN} --costs costs.toml --algorithm id3",
        "this learner refuses missing values. Fill them in, or say how to treat them: --set missing",
    ),
    (
        f"fit {LEARN} --costs costs.toml --algorithm boosting",
        "so there is nothing to boost: this BoostedTreesClassifier is one tree.",
    ),
    (
        f"fit {LEARN} --costs costs.toml --algorithm icet --set evolution=5",
        "which the command line gives setting by setting, such as --set trials=5000. Got 5 of type int.",
    ),
    (
        f"fit {LEARN} --costs dear.toml --algorithm cstree",
        "Put them into the price list, in the unit of the prices.",
    ),
    (
        "fit words.csv --target kind --algorithm ecco",
        "Leave out word (--ignore), which nearly names the cases; ask for one category at a time (--set "
        "nominal=value); give a smaller depth (--set depth=",
    ),
    (
        f"compare {LEARN} --costs costs.toml --algorithms c45,csgain --cv 3",
        "csgain is left out: criterion='csgain' needs gamma",
    ),
    (
        f"compare {LEARN} --costs costs.toml --algorithms csgain --cv 3",
        "For example --algorithms csgain:gamma=0.009.",
    ),
    (
        f"compare {LEARN} --algorithms c45,eg2,idx --cv 3",
        "eg2 and idx are left out: each weighs what tests cost, but there is no price of any test. Give",
    ),
    (
        "compare words.csv --target kind --algorithms c45,ecco --cv 3",
        "ask for one category at a time (--algorithms ecco:nominal=value)",
    ),
    (
        f"compare {LEARN} --costs costs.toml --algorithms boosting --cv 3",
        "Note: boosting: The first tree makes no mistakes on the cases it learnt from",
    ),
    (
        f"frontier {LEARN} --costs costs.toml --algorithm c45",
        "for example --param pruning__cf --values 0.1,0.25, or use one of the criteria",
    ),
    (
        f"frontier {LEARN} --costs costs.toml --param max_depth",
        "There is no usual grid for growth__max_depth. Give --values LIST.",
    ),
    (
        "export tree.json --to onnx -o tree.onnx",
        "Fit it again with --set missing=majority or --set missing=branch; or, if every value will be there, "
        "give --undecided nan: a case",
    ),
]


@pytest.fixture
def errors_of_all_kinds(state_tree):
    Path("errors.toml").write_text("errors_default = 10\n")
    Path("prices.toml").write_text("default_price = 1\n")
    Path("dear.toml").write_text("default_price = 50\n")
    lines = [f"w{number % 40},{number % 7},{'ab'[number % 2]}" for number in range(70)]
    Path("words.csv").write_text("\n".join(["word,age,kind", *lines, ""]))


@pytest.mark.filterwarnings("default")  # as for a user; the suite makes them errors
@pytest.mark.parametrize(("words", "said"), SAID, ids=[words for words, _ in SAID])
def test_no_python_in_what_the_shell_is_told(errors_of_all_kinds, words, said):
    run = thriftwood(*words.split(), COLUMNS="1000")
    told = " ".join((run.out + run.err).split())
    assert said in told
    assert not [call for call in PYTHON_CALLS if call in told], told
