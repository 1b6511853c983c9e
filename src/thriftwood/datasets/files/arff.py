"""ARFF, the format of Weka: declared attributes, then rows, dense or sparse.

``{a, b, c}`` declares the categories of a nominal attribute in their order; ``numeric``, ``real`` and
``integer`` are numbers; ``string`` is nominal by what occurs; ``date`` and ``relational`` attributes are
refused when somebody wants to learn from them. ``?`` without quotes is missing. In a sparse row what is not
listed is 0, or the first category.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from thriftwood.datasets.columns import Column, Kind
from thriftwood.datasets.files.table import FileColumn, FileTable, TextColumn

TOKEN = re.compile(
    r"""\s*(?:
        '(?P<single>(?:[^'\\]|\\.)*)'     # a quoted value, with \' for a quote in it
      | "(?P<double>(?:[^"\\]|\\.)*)"
      | (?P<plain>[^,{}'"%\s][^,{}%\t]*)  # anything else up to a comma, brace, comment or tab
    )\s*""",
    re.VERBOSE,
)
WEIGHT = re.compile(r"\s*\{")  # of the row, at its end; it is not used
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
NUMERIC = ("numeric", "real", "integer")
UNLEARNABLE = ("date", "relational")


class Value(NamedTuple):
    """A value and whether it stood in quotes."""

    text: str
    quoted: bool

    @property
    def cell(self) -> str | None:
        """The text; None for a question mark without quotes."""
        return None if self.text == "?" and not self.quoted else self.text


@dataclass(frozen=True)
class Attribute:
    """A declared column."""

    name: str
    type: str
    categories: tuple[str, ...] = ()

    @property
    def kind(self) -> Kind:
        """Numeric or nominal."""
        return "numeric" if self.type in NUMERIC else "nominal"

    @property
    def when_unlisted(self) -> str:
        """The value in a sparse row that does not list it."""
        return self.categories[0] if self.categories else "0"


@dataclass(frozen=True, eq=False)
class UnlearnableColumn(FileColumn):
    """Dates and tables in cells."""

    name: str
    type: str

    def column(self) -> Column:
        """Refuse it."""
        raise self._refused()

    def numbers(self) -> npt.NDArray[np.float64]:
        """Refuse it."""
        raise self._refused()

    def texts(self) -> list[str | None]:
        """Refuse it."""
        raise self._refused()

    @property
    def is_declared(self) -> bool:
        """Whether the file itself says its categories: it says what it holds instead."""
        return True

    def _refused(self) -> ValueError:
        return ValueError(
            f"Column {self.name!r} is a {self.type} attribute; a tree takes numbers and categories. Turn it "
            "into numbers or names, or leave the column out."
        )


@dataclass(frozen=True)
class Line:
    """A line of the file; `wrong` says where it is."""

    source: str
    number: int
    text: str

    def wrong(self, what: str) -> ValueError:
        """Return an error that names the line."""
        return ValueError(f"{self.source}, line {self.number}: {what}")


def read_arff(text: str, source: str) -> FileTable:
    r"""Read an ARFF file.

    Examples
    --------
    >>> table = read_arff("@relation r\n@attribute size {small, large}\n@data\nlarge\n?\n", "r.arff")
    >>> column = table["size"].column()
    >>> column.categories, column.values.tolist()
    (('small', 'large'), [1, -1])
    """
    lines = _lines(text, source)
    attributes = list(_declared(lines, source))
    if not attributes:
        raise ValueError(f"{source} declares no @attribute. Is it an ARFF file?")
    rows = [_row(line, attributes) for line in lines]
    columns = zip(*rows, strict=True) if rows else ([] for _ in attributes)
    return FileTable(
        source,
        tuple(_column(a, list(cells)) for a, cells in zip(attributes, columns, strict=True)),
        len(rows),
    )


def _lines(text: str, source: str) -> Iterator[Line]:
    """Give the lines that are neither blank nor comments."""
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith("%"):
            yield Line(source, number, stripped)


def _declared(lines: Iterator[Line], source: str) -> Iterator[Attribute]:
    """Give the attributes; afterwards the lines stand at the first row."""
    for line in lines:
        keyword, _, rest = line.text.partition(" ") if " " in line.text else line.text.partition("\t")
        keyword = keyword.lower()
        if keyword == "@data":
            return
        if keyword == "@attribute":
            yield _attribute(line, rest)
        elif keyword != "@relation":
            raise line.wrong(
                f"@relation, @attribute or @data was wanted before the rows. Got {line.text[:40]!r}."
            )
    raise ValueError(f"{source} has no @data line, after which the rows stand.")


def _attribute(line: Line, rest: str) -> Attribute:
    rest = rest.strip()
    if rest[:1] in ("'", '"'):
        named = TOKEN.match(rest)
        if named is None:
            raise line.wrong("the quote around the attribute's name is not closed.")
        name, declared = _value(named).text, rest[named.end() :]
    else:
        parts = re.split(r"\s+|(?=\{)", rest, maxsplit=1)
        name, declared = parts[0], parts[1] if len(parts) > 1 else ""
    declared = declared.strip()
    if declared.startswith("{"):
        inside, closed, _ = declared[1:].rpartition("}")
        categories = [value.text for value in _values(line, inside)] if closed else []
        if not categories or len(set(categories)) != len(categories):
            raise line.wrong(f"the categories of {name!r} must be different and stand in braces, {{a, b}}.")
        return Attribute(name, "nominal", tuple(categories))
    words = declared.split()
    kind = words[0].lower() if words else ""
    if kind not in (*NUMERIC, *UNLEARNABLE, "string"):
        raise line.wrong(
            f"attribute {name!r} has the type {kind!r}. Types: numeric, real, integer, string, {{a, b}}."
        )
    return Attribute(name, kind)


def _row(line: Line, attributes: list[Attribute]) -> list[str | None]:
    if line.text.startswith("{"):
        return _sparse_row(line, attributes)
    values = list(_values(line, line.text))
    if len(values) != len(attributes):
        raise line.wrong(f"{len(values)} values, but {len(attributes)} attributes are declared.")
    return [value.cell for value in values]


def _sparse_row(line: Line, attributes: list[Attribute]) -> list[str | None]:
    inside, closed, _ = line.text[1:].partition("}")
    if not closed:
        raise line.wrong("the brace of a sparse row is not closed.")
    cells: list[str | None] = [attribute.when_unlisted for attribute in attributes]
    for pair in filter(None, (part.strip() for part in _parts(inside))):
        place, _, written = pair.partition(" ")
        if not place.isdecimal() or int(place) >= len(attributes):
            raise line.wrong(f"{pair!r} must be a column from 0 to {len(attributes) - 1} and its value.")
        values = list(_values(line, written))
        if len(values) != 1:
            raise line.wrong(f"{pair!r} must be a column and one value.")
        cells[int(place)] = values[0].cell
    return cells


def _parts(inside: str) -> Iterator[str]:
    """Split at commas outside quotes."""
    return (found[0] for found in re.finditer(r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,'"])+""", inside))


def _values(line: Line, text: str) -> Iterator[Value]:
    """Read values with commas or tabs between them."""
    place = 0
    while True:
        found = TOKEN.match(text, place)
        if found is None:
            raise line.wrong(
                f"a value was wanted at {text[place : place + 20]!r}. Close quotes; ? is missing."
            )
        yield _value(found)
        place = found.end()
        if place >= len(text) or text[place] == "%":
            return
        if text[place] == ",":
            place += 1
            if WEIGHT.match(text, place):
                return
        elif text[place - 1] != "\t":
            raise line.wrong(
                f"a comma was wanted at {text[place : place + 20]!r}. Quote values that hold one."
            )


def _value(found: re.Match[str]) -> Value:
    for quoted in (found["single"], found["double"]):
        if quoted is not None:
            return Value(ESCAPE.sub(lambda m: ESCAPED.get(m[1], m[1]), quoted), True)
    return Value(found["plain"].strip(), False)


def _column(attribute: Attribute, cells: list[str | None]) -> FileColumn:
    if attribute.type in UNLEARNABLE:
        return UnlearnableColumn(attribute.name, attribute.type)
    return TextColumn(attribute.name, cells, attribute.kind, attribute.categories)
