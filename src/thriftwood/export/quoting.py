"""Names and values as literals of another language, whatever they hold.

Names of columns, categories and classes come from data, and data may be hostile: nothing in them may end a
literal, a line or a comment. What a language cannot hold is refused in words.
"""

from __future__ import annotations

import builtins
import keyword
import math
import re
from typing import Any

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_C_WORDS = (
    " asm auto break case char const continue default do double else enum extern float for goto if inline "
    "int long main register restrict return short signed sizeof static struct switch typedef typeof union "
    "unsigned void volatile while "
)


def function_name(name: object, *, language: str) -> str:
    """Check the name for an exported function.

    Examples
    --------
    >>> function_name("decide", language="C")
    'decide'
    """
    if isinstance(name, str) and _WORD.match(name):
        in_python = keyword.iskeyword(name) or hasattr(builtins, name)
        if not (f" {name} " in _C_WORDS if language == "C" else in_python):
            return name
    raise ValueError(
        f"name must be a name that {language} leaves free for a function: letters of the English alphabet, "
        f"digits and _, no keyword and nothing built in. Got {name!r}."
    )


def plain(value: Any, what: str) -> Any:
    """Check that a category or class is text, a finite number or a boolean.

    Examples
    --------
    >>> plain("red", "hair")
    'red'
    """
    if type(value) in (str, int, bool) or (type(value) is float and math.isfinite(value)):
        return value
    raise ValueError(
        f"{what} has the value {value!r} of type {type(value).__name__}; text, finite numbers and booleans "
        "can be exported. Turn its values into text before fit."
    )


def python_literal(value: Any) -> str:
    r"""Write plain values, and tuples of them, in ASCII and on one line.

    Examples
    --------
    >>> print(python_literal(("zwölf\n", 2.5, None)))
    ('zw\xf6lf\n', 2.5, None)
    """
    return ascii(value)


def c_string(text: str) -> str:
    r"""Write text as a string of C: bytes of UTF-8, in ASCII, without trigraphs.

    Examples
    --------
    >>> print(c_string('say "ö"??/'))
    "say \"\303\266\"\?\?/"
    """
    written = []
    for byte in _utf8(text, "C"):
        sign = chr(byte)
        if sign in '"\\?':
            written.append("\\" + sign)
        else:
            written.append(sign if 32 <= byte < 127 else f"\\{byte:03o}")
    return f'"{"".join(written)}"'


def sql_string(text: str) -> str:
    """Write text as a string of SQL.

    Examples
    --------
    >>> print(sql_string("it's"))
    'it''s'
    """
    _utf8(text, "SQL")
    return "'" + text.replace("'", "''") + "'"


def sql_name(name: str) -> str:
    """Write the name of a column or table.

    Examples
    --------
    >>> print(sql_name('the "best" one'))
    "the ""best"" one"
    """
    if not name:
        raise ValueError("A name in SQL must not be empty. Give the column a name before fit.")
    _utf8(name, "SQL")
    return '"' + name.replace('"', '""') + '"'


def sql_number(number: float) -> str:
    """Write a number so that it is read as a double, never as a decimal that is rounded on its way.

    Examples
    --------
    >>> sql_number(0.1), sql_number(1e300), sql_number(-2.0)
    ('0.1e0', '1e+300', '-2.0e0')
    """
    text = repr(float(number))
    return text if "e" in text else f"{text}e0"


def sql_literal(value: Any) -> str:
    """Write a plain value.

    Examples
    --------
    >>> sql_literal("no"), sql_literal(True), sql_literal(3), sql_literal(0.5)
    ("'no'", 'TRUE', '3', '0.5e0')
    """
    if isinstance(value, str):
        return sql_string(value)
    if isinstance(value, bool):
        return str(value).upper()
    return str(value) if isinstance(value, int) else sql_number(value)


def _utf8(text: str, language: str) -> bytes:
    try:
        encoded = text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"{text!r} is no valid Unicode text, so {language} cannot hold it.") from None
    if b"\0" in encoded:
        raise ValueError(f"{text!r} has a NUL character, which a text of {language} cannot hold.")
    return encoded
