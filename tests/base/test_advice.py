"""Errors that carry what to do as data: the words that Python's users read, and what is kept."""

import pickle
import warnings
from dataclasses import FrozenInstanceError
from typing import get_args

import pytest

from thriftwood.base.advice import PYTHON, Advice, advice_of, advised, either
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
from thriftwood.costs.names import CostError

IN_PYTHON = [
    (Setting("missing", "branch"), "missing='branch'"),
    (Setting("missing", "branch", of="Growth"), "Growth(missing='branch')"),
    (SetParameter("cut_penalty", (False,)), "set cut_penalty=False"),
    (
        SetParameter("nominal", ("value", "binary"), " (as published)"),
        "set nominal='value' (as published) or 'binary'",
    ),
    (SetFreely("confidence", 0.95), "set confidence, for example 0.95"),
    (
        SetInside("Evolution", "trials", 5000),
        "such as tw.Evolution(trials=5000), whose settings can be given by themselves, trials=5000",
    ),
    (
        GrowWith((Setting("missing", "majority", "Growth"), Setting("missing", "branch", "Growth"))),
        "grow the tree with Growth(missing='majority') or Growth(missing='branch')",
    ),
    (TryBetween("gamma", 0.00018, 0.18), "try values from 0.00018 to 0.18; 0 ignores prices"),
    (
        TreatMissing("CostTreeClassifier", "id3", ("fractional", "branch", "majority")),
        "CostTreeClassifier was told to refuse missing values (Growth(missing='error'), as in "
        "algorithm('id3')). Fill them in, or say how to treat them: growth__missing='fractional', "
        "'branch' or 'majority', for example algorithm('id3', missing='fractional')",
    ),
    (Criterion("eg2"), "criterion='eg2'"),
    (Learners(("metacost", "csb0", "b-lot")), "tw.algorithm(...) 'metacost', 'csb0' and 'b-lot'"),
    (Pass("undecided", "nan"), "pass undecided='nan'"),
    (Pass("data_dir", Blank.FOLDER), "pass data_dir=FOLDER"),
    (Pass("values", Blank.LIST), "pass values=[...]"),
    (PassSmaller("cv"), "pass a smaller cv"),
    (Vary("pruning__cf", (0.1, 0.25)), "param='pruning__cf', values=[0.1, 0.25]"),
    (LeaveOut("id"), "leave out 'id'"),
    (LeaveOut(3), "leave out column 3"),
    (AddCost("errors", "1", "no sign"), "add errors['1']['no sign']"),
    (LeavePricesOut(), "costs.only(columns) leaves such prices out"),
    (InPython("See history_."), "See history_."),
    (NoCosts("costs"), "costs is None"),
    (NoCosts("prices"), "costs has no price of any test"),
    (NoCosts("errors"), "costs has no errors"),
    (GiveCosts(), "pass costs=tw.Costs(tests={'a column': its price, ...})"),
    (GiveCosts("errors"), "pass costs=tw.Costs(errors=...)"),
    (
        CountMistakes("cstree"),
        "the tree is a single leaf. criterion='cstree' weighs prices against what mistakes cost, and costs "
        "has no errors, so every mistake counts 1 and may be cheaper than any test. Pass "
        "costs=costs.replace(errors={'a class': {'another': its cost, ...}, ...})",
    ),
]


@pytest.mark.parametrize(("remedy", "said"), IN_PYTHON)
def test_remedies_in_python(remedy, said):
    assert PYTHON.say(remedy) == said


def test_every_remedy_has_its_line_above():
    assert {type(remedy) for remedy, _ in IN_PYTHON} == set(get_args(Remedy))


@pytest.mark.parametrize("kind", [ValueError, TypeError, CostError, UserWarning])
def test_class_and_message_are_those_of_before(kind):
    error = advised(kind, "There is no grid. ", Pass("values", Blank.LIST), ".")
    assert type(error) is kind
    assert str(error) == "There is no grid. Pass values=[...]."
    assert error.args == ("There is no grid. Pass values=[...].",)
    assert error.advice.remedies == (Pass("values", Blank.LIST),)


def test_advice_survives_pickling_and_cannot_change():
    error = pickle.loads(pickle.dumps(advised(ValueError, "Too few. ", PassSmaller("cv"), ".")))
    assert advice_of(error) == Advice(("Too few. ", PassSmaller("cv"), "."))
    with pytest.raises(FrozenInstanceError):
        error.advice.parts[1].name = "folds"
    assert len({remedy for remedy, _ in IN_PYTHON}) == len(IN_PYTHON)


def test_an_error_may_repeat_the_advice_of_another():
    inner = advised(ValueError, Criterion("eg2"), " weighs prices. ", GiveCosts(), ".")
    outer = advised(ValueError, "No learner takes this table. eg2: ", advice_of(inner))
    assert str(outer) == f"No learner takes this table. eg2: {inner}"
    assert outer.advice.remedies == inner.advice.remedies
    plain = advised(ValueError, "Line 3: ", advice_of(KeyError("x")))
    assert str(plain) == "Line 3: 'x'"
    assert plain.advice.remedies == ()


def test_only_what_is_to_be_done_gets_a_capital_letter():
    assert str(Advice((PassSmaller("cv"), ". ", PassSmaller("cv")))) == "Pass a smaller cv. Pass a smaller cv"
    assert (
        str(Advice((Criterion("eg2"), " is fine, ", PassSmaller("cv"))))
        == "criterion='eg2' is fine, pass a smaller cv"
    )
    assert str(Advice(("Which? ", GiveCosts("errors"), "."))) == "Which? Pass costs=tw.Costs(errors=...)."
    assert str(Advice(("It is kept. ", InPython("")))) == "It is kept."


def test_a_warning_keeps_its_advice_on_the_way_to_whoever_shows_it():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn(advised(UserWarning, "Stopped. ", InPython("See history_.")), stacklevel=1)
    assert caught[0].category is UserWarning
    assert advice_of(caught[0].message).remedies == (InPython("See history_."),)


def test_either():
    assert either("abc") == "a, b or c"
    assert either("ab") == "a or b"
    assert either("a") == "a"
