"""Conditions: small values that say which cases take a branch, and print themselves.

Text, rules and consultations all use these, so that a tree has one wording. `feature` is the feature's name;
cuts and categories are in the user's own terms (a number, a category), never codes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from thriftwood.base.number_texts import cut_text, number_text
from thriftwood.costs.names import in_list
from thriftwood.table.values import is_missing

CATEGORIES_SHOWN = 6  # of a longer list, so many are printed and the rest counted


def list_text(categories: tuple[Any, ...]) -> str:
    """Print categories; a long list is cut short.

    Examples
    --------
    >>> list_text(("a", "b"))
    'a, b'
    >>> list_text(tuple("abcdefghij"))
    'a, b, c, d, e, ... (5 more)'
    >>> print(list_text(("cook", "nurse, night")))
    cook, 'nurse, night'
    """
    shown = categories
    if len(categories) > CATEGORIES_SHOWN:
        shown = categories[: CATEGORIES_SHOWN - 1]
    words = [in_list(category_text(category)) for category in shown]
    if len(shown) < len(categories):
        words.append(f"... ({len(categories) - len(shown)} more)")
    return ", ".join(words)


def category_text(category: Any) -> str:
    r"""Print one category or class; one line, whatever it holds.

    Examples
    --------
    >>> [category_text(c) for c in ("Sunny", 3.0, True, "two\nlines", "")]
    ['Sunny', '3', 'True', "'two\\nlines'", "''"]
    """
    if isinstance(category, float):
        return number_text(category)
    text = str(category)
    return text if text and text.isprintable() and text == text.strip() else repr(text)


@dataclass(frozen=True, slots=True)
class Condition(ABC):
    """What must hold of one feature. The kinds are the classes below."""

    feature: str

    @abstractmethod
    def holds(self, value: Any) -> bool:
        """Tell whether a value meets the condition; a missing value only meets `IsMissing`."""

    @property
    @abstractmethod
    def phrase(self) -> str:
        """The condition without the name of the feature."""

    def matches(self, row: Mapping[str, Any]) -> bool:
        """Tell whether a row, given as name -> value, meets the condition."""
        return self.holds(row[self.feature])

    def __str__(self) -> str:
        return f"{category_text(self.feature)} {self.phrase}"


@dataclass(frozen=True, slots=True)
class AtMost(Condition):
    """A number up to a cut.

    Examples
    --------
    >>> print(AtMost("Humidity", 75.0))
    Humidity <= 75
    """

    cut: float

    def holds(self, value: Any) -> bool:  # noqa: D102
        return not is_missing(value) and float(value) <= self.cut

    @property
    def phrase(self) -> str:  # noqa: D102
        return f"<= {cut_text(self.cut)}"


@dataclass(frozen=True, slots=True)
class Above(Condition):
    """A number above a cut.

    Examples
    --------
    >>> print(Above("Humidity", 75.0))
    Humidity > 75
    """

    cut: float

    def holds(self, value: Any) -> bool:  # noqa: D102
        return not is_missing(value) and float(value) > self.cut

    @property
    def phrase(self) -> str:  # noqa: D102
        return f"> {cut_text(self.cut)}"


@dataclass(frozen=True, slots=True)
class Between(Condition):
    """A number above one cut and up to another: what two cuts on a path amount to.

    Examples
    --------
    >>> print(Between("age", 40.0, 54.5))
    40 < age <= 54.5
    """

    low: float
    high: float

    def holds(self, value: Any) -> bool:  # noqa: D102
        return not is_missing(value) and self.low < float(value) <= self.high

    @property
    def phrase(self) -> str:  # noqa: D102
        return f"> {cut_text(self.low)} and <= {cut_text(self.high)}"

    def __str__(self) -> str:
        return f"{cut_text(self.low)} < {category_text(self.feature)} <= {cut_text(self.high)}"


@dataclass(frozen=True, slots=True)
class IsOneOf(Condition):
    """One of some categories.

    Examples
    --------
    >>> print(IsOneOf("Outlook", ("Sunny",)))
    Outlook = Sunny
    >>> print(IsOneOf("Outlook", ("Sunny", "Rain")))
    Outlook in {Sunny, Rain}
    """

    categories: tuple[Any, ...]

    def holds(self, value: Any) -> bool:  # noqa: D102
        return not is_missing(value) and value in self.categories

    @property
    def phrase(self) -> str:  # noqa: D102
        if len(self.categories) == 1:
            return f"= {category_text(self.categories[0])}"
        return f"in {{{list_text(self.categories)}}}"


@dataclass(frozen=True, slots=True)
class OnScale(Condition):
    """A part of an ordered feature's scale: the categories from the first to the last, both included.

    Examples
    --------
    >>> sizes = ("S", "M", "L", "XL")
    >>> print(OnScale("size", sizes, 0, 1))
    size <= M
    >>> print(OnScale("size", sizes, 2, 3))
    size > M
    >>> print(OnScale("size", sizes, 1, 2))
    S < size <= L
    """

    scale: tuple[Any, ...]
    first: int
    last: int

    def holds(self, value: Any) -> bool:  # noqa: D102
        return not is_missing(value) and value in self.scale[self.first : self.last + 1]

    @property
    def phrase(self) -> str:  # noqa: D102
        low, high = self._ends()
        if self.first > self.last:
            return "in {}"
        if self.first > 0 and self.last + 1 < len(self.scale):
            return f"> {low} and <= {high}"
        return f"> {low}" if self.first > 0 else f"<= {high}"

    def __str__(self) -> str:
        low, high = self._ends()
        if self.first <= self.last and self.first > 0 and self.last + 1 < len(self.scale):
            return f"{low} < {category_text(self.feature)} <= {high}"
        return f"{category_text(self.feature)} {self.phrase}"

    def _ends(self) -> tuple[str, str]:
        low = category_text(self.scale[self.first - 1]) if self.first > 0 else ""
        high = category_text(self.scale[self.last]) if 0 <= self.last < len(self.scale) else ""
        return low, high


@dataclass(frozen=True, slots=True)
class IsKnown(Condition):
    """Any number: what a test asks for that tells only whether there is a value.

    Examples
    --------
    >>> print(IsKnown("chol"))
    chol is known
    """

    def holds(self, value: Any) -> bool:  # noqa: D102
        return not is_missing(value)

    @property
    def phrase(self) -> str:  # noqa: D102
        return "is known"


@dataclass(frozen=True, slots=True)
class IsMissing(Condition):
    """No value: the branch of its own that a test may have for missing values.

    Examples
    --------
    >>> print(IsMissing("chol"))
    chol is missing
    """

    def holds(self, value: Any) -> bool:  # noqa: D102
        return is_missing(value)

    @property
    def phrase(self) -> str:  # noqa: D102
        return "is missing"
