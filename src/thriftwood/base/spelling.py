"""Names that look alike: what somebody may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


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
