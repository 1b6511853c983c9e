"""Names that look alike, and numbers with a comma: what somebody may have meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

_WITH_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")


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
