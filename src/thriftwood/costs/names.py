"""Names and numbers as users write them, and the wording of what is wrong with them.

Class labels are compared as text (1, 1.0 and "1" are one class); tests are called as their columns, x0,
x1, ... where a table has no names.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np

from thriftwood.base.spelling import close_names

Number: TypeAlias = float | np.floating[Any] | np.integer[Any]

SHOWN = 10  # names listed in a message before "and 99,990 more"
LARGEST = 1e100  # bills of many cases, and the squares of them, must stay finite
COMPARED = 5_000  # names compared for a near miss: difflib needs about a second for 50,000


class CostError(ValueError):
    """Something is wrong with a price, an error cost or a file of them; the message names the entry.

    Examples
    --------
    >>> import thriftwood as tw
    >>> try:
    ...     tw.Costs({"scan": -5})
    ... except tw.CostError as error:
    ...     print("scan" in str(error))
    True
    """


class CostWarning(UserWarning):
    """Error costs that can be used but make little sense; the message names the classes.

    Examples
    --------
    >>> import thriftwood as tw
    >>> issubclass(tw.CostWarning, UserWarning)
    True
    """


def got(value: object) -> str:
    """Return the sentence that says what came instead of what was wanted."""
    return f"Got {value!r} ({type(value).__name__})."


def number(value: object, what: str, *, below_zero: bool = False) -> float:
    """Return a finite float, or say what is wrong with the entry called `what`."""
    wanted = "a finite number" if below_zero else "a finite number, 0 or more"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise CostError(f"{what} must be {wanted}. {got(value)}")
    try:
        result = float(value)
    except OverflowError:
        result = math.inf
    if not math.isfinite(result) or (result < 0 and not below_zero):
        raise CostError(f"{what} must be {wanted}. Got {result!r}.")
    if abs(result) > LARGEST:
        raise CostError(f"{what} may be as large as {LARGEST:g}. Got {result!r}. Use a larger unit of money.")
    return result + 0.0  # turns -0.0 into 0.0


def number_or_none(value: object, what: str) -> float | None:
    """Return None as it is and anything else as `number` does."""
    return None if value is None else number(value, what)


def plain(value: float) -> float | int:
    """Return whole numbers as int, so that files and reprs show 5 and not 5.0; the value is the same."""
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def column_name(key: object) -> str:
    """Return the column name a key stands for; a position i is the column xi of a table without names.

    Examples
    --------
    >>> column_name("age"), column_name(0)
    ('age', 'x0')
    """
    if isinstance(key, str):
        return str(key)
    if isinstance(key, (int, np.integer)) and not isinstance(key, bool) and key >= 0:
        return f"x{int(key)}"
    raise CostError(f"A test is named by its column (a string) or by its position (0, 1, ...). {got(key)}")


def class_name(label: object) -> str:
    """Return a class label as text, so that labels read from a file match labels of any type.

    Examples
    --------
    >>> class_name("sick"), class_name(1), class_name(1.0), class_name(True)
    ('sick', '1', '1', 'True')
    """
    value = label.item() if isinstance(label, np.generic) else label
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def counted(number: int | str, one: str, many: str | None = None) -> str:
    """Print how many there are of something.

    Examples
    --------
    >>> counted(1, "case"), counted(2000, "case"), counted("0.5", "leaf", "leaves")
    ('1 case', '2,000 cases', '0.5 leaves')
    """
    text = number if isinstance(number, str) else f"{number:,}"
    return f"{text} {one if text == '1' else many or one + 's'}"


def first_repeat(names: Iterable[str]) -> str | None:
    """Return the first name that was there before, or None."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def in_list(text: str) -> str:
    """Return a name as it stands in a list: one with a comma in quotes, so that it is not read as two.

    Examples
    --------
    >>> print(", ".join(map(in_list, ["cook", "nurse, night"])))
    cook, 'nurse, night'
    """
    return repr(text) if "," in text and not text.startswith(("'", '"')) else text


def quoted(names: Iterable[str]) -> str:
    """Return names in quotes, the first few of a long list."""
    listed = list(names)
    if not listed:
        return "(none)"
    more = f" and {len(listed) - SHOWN:,} more" if len(listed) > SHOWN else ""
    return ", ".join(repr(name) for name in listed[:SHOWN]) + more


def nearest(name: str, choices: Iterable[str]) -> str:
    """Return the sentence that lists the choices, and before it the nearest ones if any is near.

    Examples
    --------
    >>> nearest("chool", ["age", "chol"])
    "Did you mean 'chol'? Choices: 'age', 'chol'."
    >>> nearest("t3", ["age", "T3"])
    "Did you mean 'T3'? Choices: 'age', 'T3'."
    """
    listed = list(choices)
    near = close_names(name, listed[:COMPARED])
    hint = f"Did you mean {' or '.join(repr(match) for match in near)}? " if near else ""
    return f"{hint}Choices: {quoted(listed)}."
