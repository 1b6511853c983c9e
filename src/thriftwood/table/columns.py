"""What is learnt about one column: its kind, its categories, and how a value is encoded and decoded."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood.table.values import (
    TOO_LARGE,
    as_written,
    inexact_error,
    is_inexact,
    is_missing,
    is_number,
)

MISSING = -1
"""The code of a missing value in a nominal column."""

UNSEEN = -2
"""The code of a category that was not there at fit."""


class Kind(StrEnum):
    """How the core looks at a column."""

    NUMERIC = "numeric"
    NOMINAL = "nominal"
    ORDERED = "ordered"


EXACT = 2**53
"""Whole numbers up to here are floats, too."""
MOST_LOOKED_UP = 1 << 16
"""The widest range of whole numbers that are looked up in an array."""


class WholeNumbers(NamedTuple):
    """Categories that are whole numbers, to be looked up: ``code_of[k]`` is that of ``first + k``."""

    first: float
    code_of: NDArray[np.int32]


@dataclass(frozen=True)
class Column:
    """One feature as learnt at fit.

    Parameters
    ----------
    index : int
        Its position at fit.
    name : str or None
        Its name, when the table had names.
    kind : Kind
        Numeric, nominal or ordered.
    categories : tuple
        The values in code order; empty for a numeric column. A nominal column that held nothing but missing
        values has no categories either.

    Examples
    --------
    >>> smoker = Column(0, "smoker", Kind.NOMINAL, ("no", "yes"))
    >>> smoker.encode("yes"), smoker.encode(None), smoker.encode("maybe")
    (1, -1, -2)
    >>> smoker.decode(0)
    'no'
    """

    index: int
    name: str | None
    kind: Kind = Kind.NUMERIC
    categories: tuple[Any, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        # Without what is worked out when asked for; the kind as text, as programs like skops store it.
        return {
            "index": self.index,
            "name": self.name,
            "kind": str(self.kind),
            "categories": self.categories,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, kind=Kind(state["kind"]))

    @property
    def label(self) -> str:
        """How messages call it: ``column 'age'``, or ``column 3`` without a name."""
        return label_of(self.index, self.name)

    @cached_property
    def lookup(self) -> dict[Any, int]:
        """Category -> code."""
        return {category: code for code, category in enumerate(self.categories)}

    @cached_property
    def by_text(self) -> dict[str, Any]:
        """Text (`as_written`) -> category; of several with one text, the one that is that very text."""
        times = Counter(map(as_written, self.categories))
        found = {text: value for value in self.categories if times[text := as_written(value)] == 1}
        return found | {value: value for value in self.categories if isinstance(value, str)}

    @cached_property
    def _texts(self) -> bool | None:
        """Whether all categories are text (True), none is (False), or some are (None)."""
        kinds = {isinstance(value, str) for value in self.categories}
        return kinds.pop() if len(kinds) == 1 else None

    @cached_property
    def whole_numbers(self) -> WholeNumbers | None:
        """Its categories as whole numbers close together; None if they are not all of that kind."""
        if not self.categories or not all(type(value) in (int, float) for value in self.categories):
            return None
        low, high = min(self.categories), max(self.categories)
        if max(abs(low), abs(high)) > EXACT or high - low > MOST_LOOKED_UP:
            return None  # floats of that size stand for several whole numbers; infinities are among them
        if not all(float(value).is_integer() for value in self.categories):
            return None
        code_of = np.full(int(high - low) + 1, UNSEEN, dtype=np.int32)
        code_of[[int(value - low) for value in self.categories]] = np.arange(len(self.categories))
        return WholeNumbers(float(low), code_of)

    def encode(self, value: object) -> float | int:
        """Encode one value: a number, a code or a rank."""
        if self.kind is Kind.NUMERIC:
            return self._encode_number(value)
        code = self.code_of(value)
        if self.kind is Kind.ORDERED:
            return float(code) if code >= 0 else math.nan
        return code

    def is_missing(self, code: float) -> bool:
        """Tell whether an encoded value is a missing one."""
        return code == MISSING if self.kind is Kind.NOMINAL else math.isnan(code)

    def decode(self, code: float) -> Any:
        """Give the value behind a number, a code or a rank; None for a missing one."""
        if code != code or (self.kind is not Kind.NUMERIC and code == MISSING):
            return None
        if self.kind is Kind.NUMERIC:
            return float(code)
        if not 0 <= code < len(self.categories) or code != int(code):
            raise ValueError(
                f"{self.label} has no category with code {code}. It has {len(self.categories)} categories, "
                f"coded from 0 up, and {MISSING} for a missing value."
            )
        return self.categories[int(code)]

    def codes_for(self, categories: Sequence[Any]) -> NDArray[np.int32]:
        """Translate another column's categories to codes of this one.

        One entry more than `categories`: the last is `MISSING`, so that indexing with -1 keeps -1.
        """
        return np.array([*map(self.code_of, categories), MISSING], dtype=np.int32)

    def code_of(self, value: object) -> int:
        """Give the code of a category, `MISSING` or `UNSEEN`.

        Categories are compared by value. Where all that were learnt are text and this is a number or a
        boolean, or the other way round, they are compared as they are written: readers of one file disagree.

        >>> Column(0, "smoker", Kind.NOMINAL, ("False", "True")).code_of(True)
        1
        """
        if is_missing(value):
            return MISSING
        try:
            code = self.lookup.get(value, UNSEEN)
        except TypeError:
            raise TypeError(
                f"{self.label} holds {value!r} of type {type(value).__name__}: a category must be hashable; "
                "the argument must be a string or a number."
            ) from None
        text = isinstance(value, str)
        if code == UNSEEN and self._texts is (not text) and (text or is_number(value)):
            code = self.lookup.get(self.by_text.get(as_written(value)), UNSEEN)
        return code

    def _encode_number(self, value: object) -> float:
        if is_missing(value):
            return math.nan
        if not is_number(value):
            raise TypeError(
                f"{self.label} takes a number or None, got {value!r} of type {type(value).__name__}."
            )
        try:
            number = float(value)  # type: ignore[arg-type]
        except OverflowError:
            number = math.inf
        if is_inexact(value):
            raise inexact_error(self.label, None, value)
        if math.isinf(number):
            raise ValueError(
                f"{self.label}: {value!r} is {TOO_LARGE}. Give a finite number, or None if unknown."
            )
        return number


def label_of(index: int, name: object) -> str:
    """Say how messages call the column at `index`."""
    return f"column {name!r}" if isinstance(name, str) else f"column {index}"


def arrange(categories: Iterable[Any], *, keep_order: bool) -> tuple[Any, ...]:
    """Put the distinct categories in the order of their codes.

    Sorted, unless the order was declared or the values cannot be sorted: then as they came.

    Examples
    --------
    >>> arrange(["b", "a", None, "b"], keep_order=False)
    ('a', 'b')
    >>> arrange(["b", 1, "a"], keep_order=False)
    ('b', 1, 'a')
    """
    distinct = list(dict.fromkeys(_plain(value) for value in categories if not is_missing(value)))
    if not keep_order:
        with suppress(TypeError):  # numbers beside text stay in order of first appearance
            return tuple(sorted(distinct))
    return tuple(distinct)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
