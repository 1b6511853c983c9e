"""Tables of C, as text: what an exported model consists of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

PREFIX = "\0"
"""Stands for the name in tables: no text of a model that is quoted for C has it."""


def define(what: str, value: object) -> str:
    """Write a name for a number or a text."""
    return f"#define {PREFIX}_{what} {value}"


def array(kind: str, what: str, values: Iterable[object]) -> str:
    """Write a table; one without values has one, which nobody reads."""
    listed = [str(value) for value in values] or ["{0}" if kind.startswith("struct") else "0"]
    kind = kind if kind.startswith("const") else f"const {kind}"
    return f"static {kind} {PREFIX}_{what}[] = {{{', '.join(listed)}}};"


def lists(kind: str, one: str, many: str, rows: Sequence[Sequence[int]]) -> list[str]:
    """Write lists one behind the other, and where each begins."""
    return [
        array("int", f"first_{one}", starts(rows)),
        array(kind, many, [value for values in rows for value in values]),
    ]


def starts(rows: Iterable[Sequence[object]]) -> list[int]:
    """Return where each of several lists begins that stand one behind the other, and where the last ends."""
    found = [0]
    for one in rows:
        found.append(found[-1] + len(one))
    return found


def braced(values: Iterable[object]) -> str:
    """Write one row of a table of structures."""
    return f"{{{', '.join(map(str, values))}}}"


def hexadecimal(number: int) -> str:
    """Write 64 bits."""
    return f"{number:#x}ull"


def quoted(text: str | None) -> str:
    r"""Write a text, whatever it holds; None is 0.

    Examples
    --------
    >>> print(quoted('a "b"?'), quoted(None))
    "a \042b\042\077" 0
    """
    if text is None:
        return "0"
    plain = set(range(32, 127)) - set(b'"\\?')
    written = (
        chr(byte) if byte in plain else f"\\{byte:03o}" for byte in text.encode(errors="surrogateescape")
    )
    return f'"{"".join(written)}"'
