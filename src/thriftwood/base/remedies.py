"""What to do about an error, as data: a parameter and its value, costs to give, a column to leave out.

A remedy is one thing to do, or one thing that different readers call by different names. To add one: a
frozen dataclass here, its name in `Remedy`, and a case for each audience (Python's in
`thriftwood.base.advice`, the shell's in `thriftwood.cli.advice`). Type checkers find one that lacks it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, TypeAlias


class Blank(Enum):
    """A value that the reader fills in, as Python writes it; its name is how usage lines write it."""

    FOLDER = "FOLDER"
    LIST = "[...]"
    TABLE = "X_training"


# Parameters of a learner


@dataclass(frozen=True, slots=True)
class Setting:
    """A parameter and its value, as a noun; `of` is the object that has it, where that is to be named."""

    name: str
    value: Any
    of: str = ""


@dataclass(frozen=True, slots=True)
class SetParameter:
    """Set a parameter to one of a few values; `remark` follows the first of them."""

    name: str
    values: tuple[Any, ...]
    remark: str = ""


@dataclass(frozen=True, slots=True)
class SetFreely:
    """Set a parameter to a value of the reader's choice, such as this one."""

    name: str
    example: Any


@dataclass(frozen=True, slots=True)
class SetInside:
    """A setting that is an object of this `kind` is given by the settings that it has, such as this one."""

    kind: str
    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class GrowWith:
    """Grow the tree again, with one of these settings."""

    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class TryBetween:
    """Try values of a parameter that has no published one, from `low` to `high`; 0 ignores prices."""

    parameter: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class TreatMissing:
    """`owner` refuses missing values, as `learner` does: fill them in, or treat them in one of the ways.

    They are ways of its growth, or of its own parameter ``missing``.
    """

    owner: str
    learner: str
    ways: tuple[str, ...]
    of_growth: bool = True


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion by its name. Reasons that begin with it are alike if the rest of them is."""

    name: str


@dataclass(frozen=True, slots=True)
class Learners:
    """Published learners by their names, as a noun."""

    names: tuple[str, ...]


# Arguments of what was called


@dataclass(frozen=True, slots=True)
class Pass:
    """Give an argument a value."""

    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class PassSmaller:
    """Give an argument a smaller value."""

    name: str


@dataclass(frozen=True, slots=True)
class Vary:
    """A parameter to vary and the values to try, as a noun."""

    parameter: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class LeaveOut:
    """Leave a column out of the table: by its name or, where columns have none, its number."""

    column: str | int


@dataclass(frozen=True, slots=True)
class InPython:
    """A sentence about what only a Python program can do or look at; other audiences do not hear it."""

    sentence: str


# Costs


@dataclass(frozen=True, slots=True)
class NoCosts:
    """What came, as a noun: no costs at all, no price of any test, or nothing about what mistakes cost."""

    lacking: Literal["costs", "prices", "errors"]


@dataclass(frozen=True, slots=True)
class GiveCosts:
    """Give costs, with prices of the tests or with costs of mistakes."""

    of: Literal["tests", "errors"] = "tests"


@dataclass(frozen=True, slots=True)
class CountMistakes:
    """The tree is a leaf: `criterion` weighs prices against mistakes, and nobody said what these cost."""

    criterion: str


@dataclass(frozen=True, slots=True)
class AddCost:
    """Add the cost that lacks in a `part` of the costs, errors or answers: this entry of this row."""

    part: Literal["errors", "answers"]
    row: str
    entry: str


@dataclass(frozen=True, slots=True)
class LeavePricesOut:
    """Leave prices of columns that the table lacks out of the costs."""


Noun: TypeAlias = Setting | Criterion | Learners | Vary | NoCosts
"""What is named in a sentence; all others say what to do."""

Remedy: TypeAlias = (
    Noun
    | SetParameter
    | SetFreely
    | SetInside
    | GrowWith
    | TryBetween
    | TreatMissing
    | Pass
    | PassSmaller
    | LeaveOut
    | InPython
    | GiveCosts
    | CountMistakes
    | AddCost
    | LeavePricesOut
)
