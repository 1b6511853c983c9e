"""Parameters that say what they accept: one rule each, declared beside the class, and one wording for all.

A class lists its parameters once, ``rules = {"cf": Real(0, 1)}``, and `check` reads them when it is used:
like scikit-learn's estimators, objects keep whatever was set and complain at fit.

Settings travel in small value objects that a grid search can reach into. Errors are `ValueError` or
`TypeError` and say what came, what was wanted, what to do; the core's `InputError` becomes `ValueError`.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from thriftwood.base.spelling import close_names


class Rule(Protocol):
    """What a parameter accepts."""

    def accepts(self, value: Any) -> bool:
        """Tell whether the value is one of those wanted."""

    def wanted(self) -> str:
        """Say what is wanted, to go after "must be"."""


@dataclass(frozen=True, slots=True)
class Real:
    """A number in a range; `above` and `below` leave the ends out."""

    low: float = -math.inf
    high: float = math.inf
    above: bool = False
    below: bool = False
    none: bool = False
    words: tuple[str, ...] = ()

    def accepts(self, value: Any) -> bool:
        """Tell whether the value is a number in the range, or one of the words."""
        if value is None:
            return self.none
        if isinstance(value, str):
            return value in self.words
        if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
            return False
        try:
            number = float(value)
        except OverflowError:  # an int that no float holds
            return False
        low = self.low < number if self.above else self.low <= number  # NaN is in no range
        return low and (number < self.high if self.below else number <= self.high)

    def wanted(self) -> str:
        """Say the range."""
        opening = "(" if self.above or self.low == -math.inf else "["
        closing = ")" if self.below or self.high == math.inf else "]"
        words = "".join(f", {word!r}" for word in self.words)
        span = f"{opening}{self.low:g}, {self.high:g}{closing}"
        return f"a number in the range {span}{words}" + _or_none(self.none)


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number in a range."""

    low: int
    high: float = math.inf
    none: bool = False
    words: tuple[str, ...] = ()

    def accepts(self, value: Any) -> bool:
        """Tell whether the value is a whole number in the range, or one of the words."""
        if value is None:
            return self.none
        if isinstance(value, str):
            return value in self.words
        whole = isinstance(value, numbers.Integral) and not isinstance(value, bool | np.bool_)
        return whole and self.low <= value <= self.high

    def wanted(self) -> str:
        """Say the range."""
        top = f"from {self.low} to {self.high}" if self.high < math.inf else f"of at least {self.low}"
        words = "".join(f", {word!r}" for word in self.words)
        return f"a whole number {top}{words}" + _or_none(self.none)


@dataclass(frozen=True, slots=True)
class Jobs:
    """A number of threads as scikit-learn counts them."""

    def accepts(self, value: Any) -> bool:
        """Tell whether the value is a whole number other than 0, or None."""
        return Whole(-(2**31), 2**31 - 1, none=True).accepts(value) and value != 0

    def wanted(self) -> str:
        """Say what numbers mean."""
        return "a number of threads (-1: one per processor) or None (1)"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few values."""

    values: tuple[Any, ...]

    def accepts(self, value: Any) -> bool:
        """Tell whether the value is one of them, and of their type: True is not 1."""
        # A loop, for `any` of a generator takes twice as long, and every fit checks a few.
        for known in self.values:  # noqa: SIM110
            if value is known or (value == known and type(value) is type(known)):
                return True
        return False

    def wanted(self) -> str:
        """List them."""
        return "one of " + ", ".join(map(repr, self.values))


@dataclass(frozen=True, slots=True)
class Flag:
    """True or False."""

    def accepts(self, value: Any) -> bool:
        """Tell whether it is a bool."""
        return isinstance(value, bool | np.bool_)

    def wanted(self) -> str:
        """Say what is accepted."""
        return "True or False"


def check(owner: object, rules: Mapping[str, Rule]) -> None:
    """Raise unless every parameter of `owner` keeps to its rule."""
    for name, rule in rules.items():
        value = getattr(owner, name)
        if not rule.accepts(value):
            raise parameter_error(type(owner).__name__, name, value, rule)


def parameter_error(owner: str, name: str, value: object, rule: Rule) -> ValueError:
    """Say what came and what was wanted, with the nearest choice when there is one."""
    near = nearest(value, rule.values) if isinstance(rule, Choice) and isinstance(value, str) else ""
    came = f"Got {value!r} of type {type(value).__name__}."
    return ValueError(f"The {name!r} parameter of {owner} must be {rule.wanted()}. {came}{near}")


def nearest(name: str, choices: Iterable[Any]) -> str:
    """Return " Did you mean ...?", or nothing when no choice is near."""
    near = close_names(name, (choice for choice in choices if isinstance(choice, str)))
    return f" Did you mean {near[0]!r}?" if near else ""


def _or_none(none: bool) -> str:
    return " or None" if none else ""
