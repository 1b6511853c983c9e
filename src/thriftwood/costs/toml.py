"""Writing TOML, which Python itself can only read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
SHORT_ESCAPES = {"\\": "\\\\", '"': '\\"', "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def dumps(data: Mapping[str, Any], *, nested: frozenset[str] = frozenset()) -> str:
    """Return a TOML document: plain values first, then a table for each dictionary.

    Dictionaries inside a table are written on one line, except in the tables called `nested`, where each has
    a heading of its own.

    Examples
    --------
    >>> print(dumps({"payment": "upfront", "tests": {"age": 1, "blood sugar": {"price": 3.1}}}), end="")
    payment = "upfront"
    <BLANKLINE>
    [tests]
    age = 1
    "blood sugar" = {price = 3.1}
    """
    sections = ["".join(_line(name, value) for name, value in data.items() if not isinstance(value, Mapping))]
    for name, table in data.items():
        if not isinstance(table, Mapping):
            continue
        if name in nested and table:
            sections += [_table(f"{key(name)}.{key(inner)}", entries) for inner, entries in table.items()]
        else:
            sections.append(_table(key(name), table))
    return "\n".join(section for section in sections if section)


def key(name: str) -> str:
    """Return a key, in quotes unless it is plain."""
    return name if BARE_KEY.fullmatch(name) else string(name)


def string(text: str) -> str:
    """Return a basic string with everything escaped that TOML forbids in one."""
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _escaped(character: str) -> str:
    if character in SHORT_ESCAPES:
        return SHORT_ESCAPES[character]
    return f"\\u{ord(character):04X}" if character < " " or character == "\x7f" else character


def _table(heading: str, entries: Mapping[str, Any]) -> str:
    return f"[{heading}]\n" + "".join(_line(name, value) for name, value in entries.items())


def _line(name: str, value: Any) -> str:
    return f"{key(name)} = {_value(value)}\n"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return string(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key(name)} = {_value(inner)}" for name, inner in value.items()) + "}"
    return "[" + ", ".join(_value(inner) for inner in value) + "]"
