"""Names that look alike, and numbers with a comma: what somebody may have meant."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from difflib import get_close_matches

_WITH_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


def close_names(name: str, choices: Iterable[str], most: int = 3) -> list[str]:
    """Return the choices that look like the name: those that differ in capitals alone, then the nearest.

    Examples
    --------
    >>> close_names("t3", ["T4", "T3", "t33"])
    ['T3', 't33']
    """
    listed = list(choices)
    same = [choice for choice in listed if choice.casefold() == name.casefold()]
    return list(dict.fromkeys([*same, *get_close_matches(name, listed, n=most)]))[:most]


def decimal_comma(text: str) -> str:
    """Return the sentence that points out a decimal comma in what should be a number, or nothing.

    Examples
    --------
    >>> decimal_comma("50,5"), decimal_comma("fifty")
    (' Numbers are written with a decimal point: 50.5.', '')
    """
    if not _WITH_COMMA.fullmatch(text.strip()):
        return ""
    return f" Numbers are written with a decimal point: {text.strip().replace(',', '.')}."


def typed_number(text: str) -> float | None:
    """Return the number that a person typed, with a decimal point or comma; None if it is none.

    Where a comma might stand between thousands (``1,250``), it is not guessed at.

    Examples
    --------
    >>> typed_number("50.5"), typed_number("50,5"), typed_number("0,125"), typed_number("1,250")
    (50.5, 50.5, 0.125, None)
    """
    text = text.strip()
    if _WITH_COMMA.fullmatch(text) and not _THOUSANDS.fullmatch(text):
        text = text.replace(",", ".")
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
