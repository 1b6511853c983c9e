"""Errors and warnings that carry what to do as data, so that each audience reads it in its own words.

Words
-----
advice
    What an error says: plain text, and between it remedies (`thriftwood.base.remedies`), which are data.
audience
    Who reads it. `PythonWords` speaks to those who write Python and makes the message of the error; the
    command line has words of its own for the same advice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar, assert_never

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
    Noun,
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

Part: TypeAlias = str | Remedy
Raised = TypeVar("Raised", bound=Exception)


@dataclass(frozen=True, slots=True)
class Advice:
    """What an error says: text and remedies, in the order they are read. ``str(advice)`` is for Python.

    Examples
    --------
    >>> advice = Advice(("There is no usual grid for cf. ", Pass("values", Blank.LIST), "."))
    >>> str(advice)
    'There is no usual grid for cf. Pass values=[...].'
    >>> advice.remedies
    (Pass(name='values', value=<Blank.LIST: '[...]'>),)
    """

    parts: tuple[Part, ...]

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        """What is to be done, without the text around it."""
        return tuple(part for part in self.parts if not isinstance(part, str))

    def __str__(self) -> str:
        return PYTHON.said(self)


def advised(kind: type[Raised], *parts: Part | Advice) -> Raised:
    """Return an error or a warning of a kind that keeps what it advises as its ``advice``.

    Its class and its message are those that Python's users know; the advice of another error may be a part.

    Examples
    --------
    >>> error = advised(ValueError, "Which prices? ", GiveCosts(), ".")
    >>> error
    ValueError("Which prices? Pass costs=tw.Costs(tests={'a column': its price, ...}).")
    >>> error.advice.remedies
    (GiveCosts(of='tests'),)
    """
    whole: list[Part] = []
    for part in parts:
        whole.extend(part.parts if isinstance(part, Advice) else (part,))
    advice = Advice(tuple(whole))
    made = kind(str(advice))
    vars(made)["advice"] = advice
    return made


def advice_of(error: BaseException | Advice | str) -> Advice:
    """Return what an error, a warning or a note advises; of one that was made without, its message.

    >>> advice_of(ValueError("No rows.")).parts
    ('No rows.',)
    """
    kept = error if isinstance(error, Advice) else getattr(error, "advice", None)
    return kept if isinstance(kept, Advice) else Advice((str(error),))


class Words(ABC):
    """How an audience says each remedy."""

    @abstractmethod
    def say(self, remedy: Remedy) -> str:
        """Return a remedy as a phrase: it begins with a small letter and has no full stop."""

    def said(self, advice: Advice) -> str:
        """Return the whole advice; what is to be done gets a capital letter where it begins a sentence."""
        text = ""
        for part in advice.parts:
            words = part if isinstance(part, str) else self.say(part)
            begins = not text or text.endswith((". ", ".\n", "? ", ": "))
            text += words[:1].upper() + words[1:] if begins and not isinstance(part, str | Noun) else words
        return text.rstrip()


class PythonWords(Words):
    """What Python's users write."""

    def say(self, remedy: Remedy) -> str:
        """Return a remedy as Python."""
        match remedy:
            case Setting(name, value, of):
                return f"{of}({name}={value!r})" if of else f"{name}={value!r}"
            case SetParameter(name, values, remark):
                first, *others = map(repr, values)
                return f"set {name}={either([first + remark, *others])}"
            case SetFreely(name, example):
                return f"set {name}, for example {example!r}"
            case SetInside(kind, name, value):
                own = f"{name}={value!r}"
                return f"such as tw.{kind}({own}), whose settings can be given by themselves, {own}"
            case GrowWith(settings):
                return f"grow the tree with {either(map(self.say, settings))}"
            case TryBetween(_, low, high):
                return f"try values from {low:.2g} to {high:.2g}; 0 ignores prices"
            case TreatMissing(owner, learner, ways, of_growth):
                told = "Growth(missing='error')" if of_growth else "missing='error'"
                return (
                    f"{owner} was told to refuse missing values ({told}, as in "
                    f"algorithm({learner!r})). Fill them in, or say how to treat them: "
                    f"{'growth__' if of_growth else ''}missing={either(map(repr, ways))}, for example "
                    f"algorithm({learner!r}, missing={ways[0]!r})"
                )
            case Criterion(name):
                return f"criterion={name!r}"
            case Learners(names):
                return f"tw.algorithm(...) {', '.join(map(repr, names[:-1]))} and {names[-1]!r}"
            case Pass(name, value):
                return f"pass {name}={value.value if isinstance(value, Blank) else repr(value)}"
            case PassSmaller(name):
                return f"pass a smaller {name}"
            case Vary(parameter, values):
                return f"param={parameter!r}, values={list(values)!r}"
            case LeaveOut(column):
                return f"leave out {column_text(column)}"
            case InPython(sentence):
                return sentence
            case NoCosts(lacking):
                return _NO_COSTS[lacking]
            case GiveCosts(of):
                return f"pass costs=tw.Costs({_EXAMPLES[of]})"
            case AddCost(part, row, entry):
                return f"add {part}[{row!r}][{entry!r}]"
            case LeavePricesOut():
                return "costs.only(columns) leaves such prices out"
            case CountMistakes(criterion):
                return (
                    f"the tree is a single leaf. criterion={criterion!r} weighs prices against what mistakes "
                    "cost, and costs has no errors, so every mistake counts 1 and may be cheaper than any "
                    "test. Pass costs=costs.replace(errors={'a class': {'another': its cost, ...}, ...})"
                )
            case _:
                assert_never(remedy)


PYTHON = PythonWords()

_NO_COSTS = {
    "costs": "costs is None",
    "prices": "costs has no price of any test",
    "errors": "costs has no errors",
}
_EXAMPLES = {"tests": "tests={'a column': its price, ...}", "errors": "errors=..."}


def either(words: Iterable[str]) -> str:
    """List things of which one will do.

    >>> either(["a", "b", "c"]), either(["a"])
    ('a, b or c', 'a')
    """
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def column_text(column: Any) -> str:
    """Name a column in the middle of a sentence.

    >>> column_text("age"), column_text(3)
    ("'age'", 'column 3')
    """
    return repr(column) if isinstance(column, str) else f"column {column}"
