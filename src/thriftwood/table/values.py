"""Single Python values: which are missing, which are numbers, and what a list of them amounts to."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

TOO_LARGE = "infinity or a value too large for dtype('float64')"
"""scikit-learn's words, which its estimator checks look for."""

TRUTHS = {"True": True, "true": True, "TRUE": True, "False": False, "false": False, "FALSE": False}
"""Texts that other programs read as booleans."""

LARGEST_EXACT = 2**53
"""Up to here a float64 holds every whole number; beyond, only some, and the others would merge with them."""

_NUMBERS = (bool, int, float, np.bool_, np.integer, np.floating, Decimal, Fraction)
_LONGEST = 10_000  # bits of a whole number that Python writes out in digits
_COMPLEX = (complex, np.complexfloating)
_TIMES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)


def is_missing(value: object) -> bool:
    """Tell whether a value is None, NaN, pandas' NA or NaT.

    Examples
    --------
    >>> [is_missing(v) for v in (None, float("nan"), 0, "", "nan")]
    [True, True, False, False, False]
    """
    if value is None or _is_missing_type(type(value)):
        return True
    if isinstance(value, Decimal):
        return value.is_nan()  # comparing a signalling NaN would raise
    return isinstance(value, float | np.floating) and bool(value != value)


def is_number(value: object) -> bool:
    """Tell whether a value is a real number; a boolean counts as 0 or 1."""
    return isinstance(value, _NUMBERS)


def as_written(value: object) -> str:
    """Write a category so that readers which disagree about its type agree about its text.

    One program reads the cell 1 as a number and another as text; 1.0 and 1, or true and True, are the same.

    Examples
    --------
    >>> [as_written(value) for value in (True, "true", 1, 1.0, "1.0", "01", 2.5, "red")]
    ['True', 'True', '1', '1', '1', '1', '2.5', 'red']
    """
    if isinstance(value, int) and value.bit_length() > _LONGEST:
        return hex(value)
    text = str(value).strip()
    if text in TRUTHS:
        return str(TRUTHS[text])
    if "_" in text:  # Python reads 1_000 as a number
        return text
    try:
        return str(int(text))  # first, for a float cannot tell long identifiers apart
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return text
    if not math.isfinite(number):
        return text
    return str(int(number)) if number.is_integer() else repr(number)


def truths(values: Sequence[object]) -> list[float] | None:
    """Give 0 and 1 for texts that other programs read as booleans, NaN where missing; None if others occur.

    Examples
    --------
    >>> truths(["true", None, "False"]), truths(["true", "maybe"])
    ([1.0, nan, 0.0], None)
    """
    found = [math.nan if is_missing(v) else TRUTHS.get(v) if isinstance(v, str) else None for v in values]
    return None if None in found else [float(truth) for truth in found if truth is not None]


def all_numbers(types: Iterable[type], label: str) -> bool:
    """Tell whether values of these types make a numeric column (numbers and missing marks only).

    Raises
    ------
    ValueError
        For complex numbers.
    TypeError
        For dates and durations.
    """
    numeric = True
    for kind in types:
        if kind is type(None) or _is_missing_type(kind):
            continue
        if issubclass(kind, _COMPLEX):
            raise complex_error(label)
        if issubclass(kind, _TIMES) or (kind.__name__ == "Period" and kind.__module__.startswith("pandas.")):
            raise time_error(label, kind.__name__)
        numeric = numeric and issubclass(kind, _NUMBERS)
    return numeric


def has_missing_type(types: Iterable[type]) -> bool:
    """Tell whether pandas' own missing marks are among the types (numpy cannot turn them into NaN)."""
    return any(_is_missing_type(kind) for kind in types)


def complex_error(label: str) -> ValueError:
    """Refuse complex numbers, in scikit-learn's words."""
    return ValueError(
        f"Complex data not supported\n{label} holds complex numbers. Give their real and imaginary parts, or "
        "their sizes, as columns of their own."
    )


def time_error(label: str, came: str) -> TypeError:
    """Refuse dates and durations."""
    return TypeError(
        f"{label} holds dates or durations ({came}); a tree takes numbers and categories. Turn it "
        "into numbers that mean something for the question (year, weekday, seconds since an event), or into "
        "text for a nominal column."
    )


def infinity_error(label: str, row: int, value: Any) -> ValueError:
    """Refuse an infinity, in scikit-learn's words and with its place."""
    return ValueError(
        f"Input X contains {TOO_LARGE}.\n{label} has {value} in row {row}. Replace it by a finite number, "
        "or by NaN if the value is missing."
    )


def is_inexact(value: object) -> bool:
    """Tell whether a value is a whole number that a float64 would change.

    Examples
    --------
    >>> [is_inexact(value) for value in (2**53, 2**53 + 1, 2**60, 1e300, True)]
    [False, True, False, False, False]
    """
    if not isinstance(value, int | np.integer) or -LARGEST_EXACT <= value <= LARGEST_EXACT:
        return False
    try:
        return int(float(value)) != int(value)
    except OverflowError:  # too large for any float, which others refuse
        return False


def inexact_error(label: str, row: int | None, value: Any) -> ValueError:
    """Refuse a whole number that would silently become another one."""
    where = "" if row is None else f" in row {row}"
    return ValueError(
        f"{label} has {int(value)}{where}, a whole number beyond 2**53 that float64 would turn into "
        f"{int(float(value))}. If it is an identifier, leave the column out or declare it nominal; otherwise "
        "give it in a larger unit."
    )


def _is_missing_type(kind: type) -> bool:
    # By type: `pandas.NA != pandas.NA` is NA, whose truth raises. By name: pandas need not be installed.
    return kind.__name__ in ("NAType", "NaTType") and kind.__module__.startswith("pandas.")
