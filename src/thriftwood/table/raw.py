"""Columns as they arrive, before anything is learnt: each can say what it is and give numbers or codes.

The words of this room: a *raw column* is one column of the user's table; its *natural* kind is what its type
alone says; `numbers()` gives it as floats with NaN for missing; `codes()` gives codes into its own list of
categories, -1 for missing. The encoder asks for one or the other according to what was learnt.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from thriftwood.table.columns import MISSING, Kind
from thriftwood.table.encoded import FloatArray
from thriftwood.table.values import (
    LARGEST_EXACT,
    TOO_LARGE,
    all_numbers,
    has_missing_type,
    inexact_error,
    infinity_error,
    is_inexact,
    is_missing,
    is_number,
    truths,
)

_FLOAT32, _FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)
_FEW = 64  # values that a loop sees through sooner than numpy is ready: 0.9 against 2.1 us for 30


Place: TypeAlias = Callable[[tuple[int, ...]], tuple[str, int]]
"""Says the column and the row of an entry."""


class Codes(NamedTuple):
    """A column by its own categories."""

    codes: NDArray[Any]
    """Positions in `categories`, any signed integer type, -1 where missing."""
    categories: Sequence[Any]
    """May hold values that no row has."""
    declared: bool = False
    """Whether the user chose the order of the categories."""


class RawColumn(ABC):
    """One column of the user's table; `label` is how messages call it."""

    natural: Kind
    """The kind its type says."""
    first_row: int = 0
    """The number of its first row, for messages: more than 0 in a part of a larger table."""

    def __init__(self, label: str) -> None:
        self.label = label

    @abstractmethod
    def numbers(self) -> FloatArray:
        """Give floats, contiguous, NaN where missing; an error for text."""

    @abstractmethod
    def codes(self) -> Codes:
        """Give codes into its own categories."""

    @property
    def tells_nothing(self) -> bool:
        """Whether neither its type nor any value says what it holds: further rows of the table may."""
        return False

    def place(self, position: tuple[int, ...]) -> tuple[str, int]:
        """Say where an entry is: the column and the row."""
        return self.label, position[0] + self.first_row


class NumberColumn(RawColumn):
    """A numpy column of floats, integers or booleans."""

    natural = Kind.NUMERIC

    def __init__(self, values: NDArray[Any], label: str) -> None:
        super().__init__(label)
        self.values = values

    @property
    def readable(self) -> bool:
        """Whether the core can read the values where they are."""
        return self.values.dtype in (_FLOAT32, _FLOAT64) and self.values.flags.aligned

    def numbers(self) -> FloatArray:
        """Give the same memory when it is a contiguous float column already."""
        return as_floats(self.values, self.place)

    def codes(self) -> Codes:
        """Give each distinct number a code, in rising order."""
        values = self.values
        if values.dtype.kind != "f" or not has_nan(values, self.place):
            distinct, positions = _distinct(values)
            return Codes(positions, distinct.tolist())
        present = ~np.isnan(values)
        distinct, positions = _distinct(values[present])
        codes = np.full(len(values), MISSING, dtype=np.int32)
        codes[present] = positions
        return Codes(codes, distinct.tolist())


class ObjectColumn(RawColumn):
    """A column of Python objects: numbers, text, anything hashable."""

    def __init__(self, values: list[Any], label: str) -> None:
        super().__init__(label)
        self.values = values
        self.types = set(map(type, values))
        self.natural = Kind.NUMERIC if all_numbers(self.types, label) else Kind.NOMINAL

    @property
    def tells_nothing(self) -> bool:
        """Whether there is no value at all."""
        return self.natural is Kind.NUMERIC and all(map(is_missing, self.values))

    def numbers(self) -> FloatArray:
        """Give float64; text is refused even where it looks like a number, but True and False are 1 and 0."""
        values = self.values
        if self.natural is not Kind.NUMERIC:
            values = truths(values) or _refuse_text(self.label, values)
        if has_missing_type(self.types):
            values = [math.nan if is_missing(value) else value for value in values]
        try:
            floats = np.array(values, dtype=np.float64)
        except OverflowError:
            raise ValueError(f"Input X contains {TOO_LARGE}.\nIt is an integer in {self.label}.") from None
        for row in np.flatnonzero(np.abs(floats) >= LARGEST_EXACT).tolist():
            if is_inexact(values[row]):
                raise inexact_error(*self.place((row,)), values[row])
        return floats

    def codes(self) -> Codes:
        """Give each distinct value a code, in order of first appearance."""
        try:
            distinct = dict.fromkeys(self.values, MISSING)
        except TypeError as error:
            raise TypeError(
                f"{self.label} holds values that cannot be categories ({error}). Each argument must be a "
                "string or a number (or another hashable value)."
            ) from None
        categories = [value for value in distinct if not is_missing(value)]
        distinct.update((value, code) for code, value in enumerate(categories))
        codes = np.fromiter(map(distinct.__getitem__, self.values), dtype=np.int32, count=len(self.values))
        return Codes(codes, categories)


class CategoryColumn(RawColumn):
    """A column that came with codes: a pandas categorical, an arrow dictionary, a polars Enum."""

    def __init__(self, codes: Codes, label: str, natural: Kind = Kind.NOMINAL) -> None:
        super().__init__(label)
        self._codes = codes
        self.natural = natural

    def numbers(self) -> FloatArray:
        """Give the categories themselves, when they are numbers."""
        values = self._codes.categories
        if not all(is_missing(value) or is_number(value) for value in values):
            values = truths(values) or _refuse_text(self.label, values)
        for value in filter(is_inexact, values):
            raise inexact_error(self.label, None, value)
        table = np.array(
            [math.nan if is_missing(v) else float(v) for v in values] + [math.nan], dtype=np.float64
        )
        return np.asarray(table[self._codes.codes])

    def codes(self) -> Codes:
        """Give the codes it came with."""
        return self._codes


def as_floats(values: NDArray[Any], place: Place) -> FloatArray:
    """Give a contiguous, aligned float32 or float64 array: the same memory wherever that is possible.

    float16 becomes float32; integers and booleans become float64. A whole number that would change by that is
    refused, its column and row named by `place`.
    """
    dtype = values.dtype
    if dtype != _FLOAT64 and dtype != _FLOAT32:
        wanted = _FLOAT32 if dtype == np.float16 else _FLOAT64
        with np.errstate(over="ignore"):  # a longdouble too large becomes inf, which is refused by name later
            floats: FloatArray = values.astype(wanted)
        refuse_inexact(values, floats, place)
        return floats
    flags = values.flags
    if (flags.c_contiguous or flags.f_contiguous) and flags.aligned:
        return values
    return values.copy()


def refuse_inexact(values: NDArray[Any], floats: FloatArray, place: Place) -> None:
    """Raise if a whole number beyond 2**53 is not what it was before it became a float."""
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 8 or not values.size:
        return
    if int(values.min()) >= -LARGEST_EXACT and int(values.max()) <= LARGEST_EXACT:
        return
    with np.errstate(invalid="ignore"):  # the largest numbers round up to what the integers do not hold
        changed = floats.astype(values.dtype) != values
    changed |= floats >= float(np.iinfo(values.dtype).max)
    changed &= ~np.isnan(floats)  # a null, which is 0 among the integers
    if changed.any():
        position = tuple(map(int, np.argwhere(changed)[0]))
        raise inexact_error(*place(position), values[position])


def has_nan(values: FloatArray, place: Place) -> bool:
    """Tell whether any value is NaN; refuse an infinity, naming its column and row by `place`.

    One pass when all is finite: a sum of finite numbers is finite unless it overflows; then we look closer.
    """
    if values.size <= _FEW and all(map(math.isfinite, values.ravel().tolist())):
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        total = np.add.reduce(values, axis=None)
        if math.isfinite(total):
            return False
        low, high = np.fmin.reduce(values, axis=None), np.fmax.reduce(values, axis=None)
        if math.isinf(low) or math.isinf(high):
            position = tuple(map(int, np.argwhere(np.isinf(values))[0]))
            raise infinity_error(*place(position), values[position])
        return math.isnan(np.minimum.reduce(values, axis=None))


def _refuse_text(label: str, values: Sequence[Any]) -> NoReturn:
    """Refuse text where numbers were learnt."""
    value = next(value for value in values if not (is_missing(value) or is_number(value)))
    raise ValueError(
        f"could not convert {label} to numbers: it held numbers at fit and now holds {value!r} of type "
        f"{type(value).__name__}. Convert it, put None where it is missing, or fit again with the column "
        "in nominal_features=[...]."
    )


def _distinct(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Find the distinct values, rising, and the position of each value among them."""
    if not values.size:
        return values, np.zeros(0, dtype=np.int32)
    low, high = values.min(), values.max()
    span = float(high) - float(low)
    # Category codes are mostly small whole numbers: counting 200,000 takes 1 ms where sorting takes 10.
    if span < 4096 + values.size and abs(float(low)) < 2.0**52:
        whole = values.astype(np.int64)
        if values.dtype.kind != "f" or bool((whole == values).all()):
            offsets = whole - int(low)
            used = np.zeros(int(span) + 1, dtype=bool)
            used[offsets] = True
            ranks = (np.cumsum(used) - 1).astype(np.int32)
            return (np.flatnonzero(used) + int(low)).astype(values.dtype), ranks[offsets]
    distinct, inverse = np.unique(values, return_inverse=True)
    return distinct, inverse.reshape(-1)
