"""The library's advice in the words of the shell: each remedy, and no Python in what commands print."""

import ast
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from cli.commands import thriftwood

import thriftwood as tw
from thriftwood.base.advice import Advice, advised
from thriftwood.base.remedies import (
    AddCost,
    Blank,
    CountMistakes,
    Criterion,
    GiveCosts,
    GrowWith,
    InPython,
    Learners,
    LeaveOut,
    LeavePricesOut,
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
from thriftwood.cli.learners import setting_of
from thriftwood.ensembles.drawing import held_out
from thriftwood.ensembles.error_costs.forest import bag_size

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
    (Learners(("metacost", "csb0", "b-lot")), "the learners metacost, csb0 and b-lot"),
    (Pass("undecided", "nan"), "give --undecided nan"),
    (Pass("data_dir", Blank.FOLDER), "give --data FOLDER"),
    (Pass("values", Blank.LIST), "give --values LIST"),
    (PassSmaller("cv"), "give a smaller --cv"),
    (Vary("pruning__cf", (0.1, 0.25)), "--param pruning__cf --values 0.1,0.25"),
    (LeaveOut("id"), "leave out id (--ignore)"),
    (AddCost("errors", "1", "no sign"), 'add `"no sign" = ...` to [errors.1]'),
    (LeavePricesOut(), "take its line out of the price list"),
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


# What is raised, in the words of both audiences


def grown(criterion="gini", **settings):
    return lambda: tw.Growth(**settings).settings(criterion, 100, 1)


BOTH = [
    (
        grown("gini", average_gain=True),
        "but the criterion is 'gini'. Set average_gain=False.",
        "but the criterion is 'gini'. Give --set average_gain=false.",
    ),
    (
        grown("cstree", cut_penalty=True),
        "the gain of criterion='cstree' is in money. Set cut_penalty=False.",
        "the gain of criterion='cstree' is in money. Give --set cut_penalty=false.",
    ),
    (
        grown("absolute_error", nominal="grouped"),
        "Growth has nominal='grouped', but criterion='absolute_error' merges no categories. Set "
        "nominal='binary' or 'multiway'.",
        "merges no categories. Give --set nominal=binary or --set nominal=multiway.",
    ),
    (
        grown("absolute_error", nominal="value"),
        "Growth has nominal='value', but criterion='absolute_error' has no tests of one category against the "
        "others. Set nominal='binary' or 'multiway'.",
        "against the others. Give --set nominal=binary or --set nominal=multiway.",
    ),
    (
        grown("lasc", nominal="multiway"),
        "plans for the two outcomes of a test. Set nominal='value' (as published) or 'binary'.",
        "the two outcomes of a test. Give --set nominal=value (as published) or --set nominal=binary.",
    ),
    (
        grown(missing="surrogate", nominal="multiway"),
        "with two branches only. Set nominal='binary' or 'value', or choose another way for missing values.",
        "Give --set nominal=binary or --set nominal=value, or choose another way for missing values.",
    ),
    (
        grown("act", max_features=2),
        "for which it asks all features. Set max_features=None.",
        "for which it asks all features. Give --set max_features=none.",
    ),
    (
        grown(bonferroni=True),
        "makes no such test. Set confidence, for example 0.95, or bonferroni=False.",
        "makes no such test. Give --set confidence=0.95, for example, or --set bonferroni=false.",
    ),
    (
        grown("absolute_error", bins=10),
        "needs exact thresholds. Set bins=None or criterion='squared_error'.",
        "needs exact thresholds. Give --set bins=none or criterion='squared_error'.",
    ),
    (
        lambda: tw.algorithm("cs-id3", pruning=None).set_params(pruning__cf=0.1),
        "so there is no pruning__cf to set. First choose a rule, for example pruning=tw.Pessimistic().",
        "so there is no pruning__cf to set.",
    ),
    (
        lambda: tw.algorithm("cstree", answer="most_likely", costs=ERRORS).fit([[1], [2]], ["a", "b"]),
        "cheapest answers cost. Set answer='cheapest', or use another one.",
        "cheapest answers cost. Give --set answer=cheapest, or use another one.",
    ),
    (
        lambda: tw.algorithm("adacost", costs=ERRORS).fit([[1], [2], [3]], ["a", "b", "c"]),
        "'csb0', 'csb1', 'csb2'; of tw.algorithm(...) 'metacost', 'csb0', 'csb1', 'csb2', 'lp-csb', 'b-pet' "
        "and 'b-lot'.",
        "of the learners metacost, csb0, csb1, csb2, lp-csb, b-pet and b-lot.",
    ),
    (
        lambda: bag_size(11, 10, replacement=False),
        "without replacement from 10. Set bootstrap=True, or draw fewer.",
        "without replacement from 10. Give --set bootstrap=true, or draw fewer.",
    ),
    (
        lambda: tw.algorithm("cocost", costs=ERRORS, validation=0.001).fit([[1], [2]] * 9, ["a", "b"] * 9),
        "Give more cases, a larger share, or stacking='cross'.",
        "Give more cases, a larger share, or --set stacking=cross.",
    ),
    (
        lambda: held_out(np.array([0, 1] * 9), 0.001, None, np.random.RandomState(0)),
        "Hold out a larger share, or set early_stopping=None.",
        "Hold out a larger share, or give --set early_stopping=none.",
    ),
]
ERRORS = tw.Costs(default_price=1, errors_default=10)


@pytest.mark.parametrize(("provoke", "in_python", "for_the_shell"), BOTH)
def test_an_error_in_the_words_of_both(provoke, in_python, for_the_shell):
    with pytest.raises(ValueError) as raised:  # noqa: PT011  # its text is what follows
        provoke()
    assert str(raised.value).endswith(in_python)
    assert in_shell(raised.value).endswith(for_the_shell)


# Errors and warnings that commands meet, and what the shell is told; the patients have missing values.

PYTHON_CALLS = (
    *("tw.", "Growth(", "Costs(", "algorithm(", "costs=", "estimator=", " pass ", "Pass "),
    *("history_", "look_ahead_"),
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
        f"fit {LEARN} --costs costs.toml --algorithm id5r",
        "how to treat them: --set missing=stay, or where learners are listed id5r:missing=stay",
    ),
    (
        f"fit {LEARN} --costs costs.toml --algorithm optimal --set missing=error",
        "how to treat them: --set missing=branch (stay), or where learners are listed optimal:missing=branch",
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
        f"fit {LEARN} --set loss_in_growth=instance_weights --algorithm c45 --costs costs.toml",
        "and in the answers. Give --set answer=most_likely to count them once.",
    ),
    (
        f"fit {LEARN} --set loss_in_growth=instance_weights --algorithm cstree --costs costs.toml",
        "counts these costs itself. Give --set loss_in_growth=none.",
    ),
    (
        f"fit {LEARN} --set cut_penalty=true --algorithm cstree --costs costs.toml",
        "Give --set cut_penalty=false.",
    ),
    ("fit numbers.csv --target state", "were wanted. Cut them into classes (low, high)."),
    ("show deep.json --svg deep.svg", "Give --depth 3, for example, to draw its upper part."),
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
    Path("numbers.csv").write_text("age,state\n1,0.5\n2,0.25\n3,0.75\n")
    X = [[float(number)] for number in range(600)]
    tw.CostTreeRegressor().fit(X, [row[0] % 7 for row in X]).tree_.save("deep.json")
    Path("words.csv").write_text("\n".join(["word,age,kind", *lines, ""]))


@pytest.mark.filterwarnings("default")  # as for a user; the suite makes them errors
@pytest.mark.parametrize(("words", "said"), SAID, ids=[words for words, _ in SAID])
def test_no_python_in_what_the_shell_is_told(errors_of_all_kinds, words, said):
    run = thriftwood(*words.split(), COLUMNS="1000")
    told = " ".join((run.out + run.err).split())
    assert said in told
    assert not [call for call in PYTHON_CALLS if call in told], told
