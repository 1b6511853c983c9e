"""What a user sees of a failure, and how far that alone would tell the faults apart."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

_PLACE = re.compile(r"\S*/\S+?:(?:\d+:)*|\S*/\S+")  # a path, with line and column if they follow
_NAME = re.compile(r"['\"`](?=\w{2,})[^'\"`]*['\"`]|\b\w*_\d+\b|\b[A-Z]\w*_\d+\b")
_NUMBER = re.compile(r"\d+")


def symptom(code: int, out: str, error: str) -> str:
    """Return what a user is told, without what differs from file to file.

    Parameters
    ----------
    code : int
        The exit code.
    out, error : str
        What was written to the two streams.

    Examples
    --------
    >>> symptom(1, "", "a/b.c:12: error: ';' expected (got 'total_7')")
    "exit 1, no output, error: ';' expected (got *)"
    >>> symptom(0, "1 page", "")
    'exit 0, output, no message'
    """
    lines = [line.strip() for line in error.splitlines() if line.strip()]
    if not lines:
        said = "no message"
    else:
        # The last line of a traceback is its message; otherwise the first thing said is.
        said = lines[-1] if lines[0].startswith("Traceback") else lines[0]
        said = _NUMBER.sub("#", _NAME.sub("*", _PLACE.sub("", said))).strip()
    return f"exit {code}, {'output' if out.strip() else 'no output'}, {said}"


def best_guess(seen: Iterable[tuple[str, str]]) -> float:
    """Return the share of runs that are right if every symptom is answered with its commonest class.

    That is the most which can be made of what the program says.

    Parameters
    ----------
    seen : iterable of (class, symptom)
        One per run.

    Examples
    --------
    >>> best_guess([("a", "?"), ("b", "?"), ("c", "!"), ("c", "!")])
    0.75
    """
    by_symptom: dict[str, Counter[str]] = defaultdict(Counter)
    for label, what in seen:
        by_symptom[what][label] += 1
    total = sum(counts.total() for counts in by_symptom.values())
    return sum(max(counts.values()) for counts in by_symptom.values()) / total
