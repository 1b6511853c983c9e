"""The library's advice in the words of the shell: options where Python has arguments.

Errors of the library carry what to do as data (`thriftwood.base.advice`); here is how those who type commands
read it.
"""

from __future__ import annotations

import math
from typing import Any, assert_never

from thriftwood.base.advice import Advice, Words, advice_of, column_text, either
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


class ShellWords(Words):
    """What is typed for a command with one learner, whose settings are ``--set NAME=VALUE``.

    Examples
    --------
    >>> from thriftwood.base.advice import Advice
    >>> advice = Advice(("There is no usual grid for cf. ", Pass("values", Blank.LIST), "."))
    >>> ShellWords().said(advice)
    'There is no usual grid for cf. Give --values LIST.'
    """

    def say(self, remedy: Remedy) -> str:
        """Return a remedy as options."""
        match remedy:
            case Setting(name, value):
                return self.typed(name, value_text(value))
            case SetParameter(name, values, remark):
                first, *others = (self.typed(name, value_text(value)) for value in values)
                return f"give {either([first + remark, *others])}"
            case SetFreely(name, example):
                return f"give {self.typed(name, value_text(example))}, for example"
            case SetInside(_, name, value):
                own = self.typed(name, value_text(value))
                return f"which the command line gives setting by setting, such as {own}"
            case GrowWith(settings):
                return f"fit it again with {either(map(self.say, settings))}"
            case TryBetween(parameter, low, high):
                middle = self.typed(parameter, f"{math.sqrt(low * high):.1g}")
                return f"try values from {low:.2g} to {high:.2g}; 0 ignores prices. For example {middle}"
            case TreatMissing(_, learner, ways, _):
                more = f" ({', '.join(ways[1:])})" if len(ways) > 1 else ""
                return (
                    "this learner refuses missing values. Fill them in, or say how to treat them: --set "
                    f"missing={ways[0]}{more}, or where learners are listed {learner}:missing={ways[0]}"
                )
            case Criterion(name):
                return f"criterion={name!r}"
            case Learners(names):
                return f"the learners {', '.join(names[:-1])} and {names[-1]}"
            case Pass(name, value):
                return f"give {_option(name)} {value.name if isinstance(value, Blank) else value_text(value)}"
            case PassSmaller(name):
                return f"give a smaller {_option(name)}"
            case Vary(parameter, values):
                return f"--param {parameter} --values {','.join(map(value_text, values))}"
            case LeaveOut(column):
                return f"leave out {column if isinstance(column, str) else column_text(column)} (--ignore)"
            case InPython():
                return ""
            case NoCosts(lacking):
                return _NO_COSTS[lacking]
            case GiveCosts():
                return "give --costs FILE"
            case AddCost(part, row, entry):
                return _added(part, row, entry)
            case LeavePricesOut():
                return "take its line out of the price list"
            case CountMistakes(criterion):
                return (
                    f"the tree is a single leaf. {criterion} weighs prices against mistakes, and the price "
                    "list has no [errors], so every mistake counts 1 and may be cheaper than any test. Put "
                    "them into the price list"
                )
            case _:
                assert_never(remedy)

    def typed(self, name: str, value: str) -> str:
        """Return how a setting of the learner is typed."""
        return f"--set {name}={value}"


class ListWords(ShellWords):
    """What is typed for a command that lists its learners, with their settings after colons.

    >>> ListWords("ecco").say(Setting("nominal", "value"))
    '--algorithms ecco:nominal=value'
    """

    def __init__(self, learner: str) -> None:
        self.learner = learner

    def typed(self, name: str, value: str) -> str:
        """Return how a setting of the learner is typed."""
        return f"--algorithms {self.learner}:{name}={value}"


SHELL = ShellWords()

_NO_COSTS = {
    "costs": "there is no price list",
    "prices": "there is no price of any test",
    "errors": "the price list has no [errors]",
}
_OPTIONS = {"data_dir": "data", "max_depth": "depth"}
"""Options by the arguments of the library, where they are called differently."""


def in_shell(error: BaseException | Advice | str, words: Words = SHELL) -> str:
    """Return what an error, a warning or a note says, for the shell and on one line.

    >>> from thriftwood.base.advice import advised
    >>> in_shell(advised(ValueError, "Which prices? ", GiveCosts(), "."))
    'Which prices? Give --costs FILE.'
    """
    return " ".join(words.said(advice_of(error)).split())


def value_text(value: Any) -> str:
    """Return a value as it is typed; `thriftwood.cli.learners.value_of` reads it.

    >>> [value_text(value) for value in (True, None, 0.5, "best", [1, 2])]
    ['true', 'none', '0.5', 'best', '[1,2]']
    """
    if isinstance(value, list | tuple):
        return f"[{','.join(map(value_text, value))}]"
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _added(part: str, row: str, entry: str) -> str:
    """Return what is added to a price list, as TOML."""
    from thriftwood.costs.toml import key  # loads numpy: not for `thriftwood --help`

    return f"add `{key(entry)} = ...` to [{part}.{key(row)}]"


def _option(name: str) -> str:
    return "--" + _OPTIONS.get(name, name).replace("_", "-")
