"""C4.5's files: ``NAME.names`` says what the columns are, ``NAME.data`` and ``NAME.test`` hold the rows.

A names file lists the classes, then the attributes: ``name: continuous``, ``name: a, b, c``,
``name: discrete 5`` or ``name: ignore``; C5.0's ``[ordered] a, b, c`` and its way of naming the class (the
first entry is the name of an attribute) are understood too. Entries end with a full stop or with the line, a
bar starts a comment, a backslash takes the next character as it is. ``?`` is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from thriftwood.datasets.columns import Kind
from thriftwood.datasets.files.table import FileTable, TextColumn

CLASS = "class"
ENDS = (".", "\n", "")


class Name(NamedTuple):
    """A name, what ended it (comma, colon, full stop, end of line or of the file), and its line."""

    text: str
    end: str
    line: int


@dataclass(frozen=True)
class Attribute:
    """What a names file says about one column."""

    name: str
    kind: Kind | None
    """None: to be ignored."""
    categories: tuple[str, ...] = ()


@dataclass(frozen=True)
class Names:
    """A names file: the attributes in the order of the cells, and which of them is the class."""

    attributes: tuple[Attribute, ...]
    target: str


def read_c45(names_text: str, data_text: str, names_source: str, source: str) -> FileTable:
    r"""Read the rows of a data file by its names file.

    Examples
    --------
    >>> names = "yes, no.\nage: continuous.\nsex: m, f.\n"
    >>> table = read_c45(names, "54, m, yes\n?, f, no\n", "a.names", "a.data")
    >>> table.names, table.target, table["age"].column().values.tolist()
    (('age', 'sex', 'class'), 'class', [54.0, nan])
    """
    names = read_names(names_text, names_source)
    rows = list(_rows(data_text, source, len(names.attributes)))
    columns = zip(*rows, strict=True) if rows else ([] for _ in names.attributes)
    return FileTable(
        source,
        tuple(
            TextColumn(attribute.name, _cells(attribute, cells), attribute.kind, attribute.categories)
            for attribute, cells in zip(names.attributes, columns, strict=True)
            if attribute.kind is not None
        ),
        len(rows),
        names.target,
    )


def read_names(text: str, source: str) -> Names:
    """Read a names file."""
    tokens = _tokens(text)
    first = _entry(tokens)
    if first is None:
        raise ValueError(f"{source} is empty. It lists the classes, then the attributes.")
    attributes = list(_attributes(tokens, source))
    classes = tuple(name.text for name in first)
    if not attributes:
        raise ValueError(
            f"{source} declares no attributes. They stand as 'name: continuous.' or 'name: a, b.'."
        )
    listed = [attribute.name for attribute in attributes]
    if len(classes) == 1 and classes[0] in listed:  # C5.0: one of the attributes is the class
        return Names(tuple(attributes), classes[0])
    if CLASS in listed:
        raise ValueError(
            f"{source} has an attribute called {CLASS!r}, which is how the class is called. Rename it."
        )
    return Names((*attributes, Attribute(CLASS, "nominal", classes)), CLASS)


def _attributes(tokens: Iterator[Name], source: str) -> Iterator[Attribute]:
    while (name := next(tokens, None)) is not None:
        where = f"{source}, line {name.line}"
        if name.text.endswith(":") or name.end != ":":
            raise ValueError(
                f"{where}: an attribute with a colon after its name was wanted, 'name: continuous.'. "
                f"Got {name.text[:40]!r}."
            )
        values = [value.text for value in _entry(tokens) or () if value.text]
        if not values or not name.text:
            raise ValueError(f"{where}: attribute {name.text!r} says nothing about its values.")
        yield _attribute(name.text, values, where)


def _attribute(name: str, values: list[str], where: str) -> Attribute:
    word = values[0].lower()
    if len(values) == 1:
        if word == "continuous":
            return Attribute(name, "numeric")
        if word in ("ignore", "label"):
            return Attribute(name, None)
        if re.fullmatch(r"discrete(\s+\d+)?", word):
            return Attribute(name, "nominal")
        if word in ("date", "time", "timestamp") or word.startswith("="):
            raise ValueError(
                f"{where}: attribute {name!r} is declared as {values[0][:40]!r}, which is not understood. "
                "Declare it as continuous or by its values, or as ignore."
            )
    kind: Kind = "nominal"
    if word.startswith("[ordered]"):
        kind, values[0] = "ordered", values[0][len("[ordered]") :].strip()
    if len(set(values)) != len(values):
        raise ValueError(f"{where}: attribute {name!r} lists a value twice.")
    return Attribute(name, kind, tuple(values))


def _entry(tokens: Iterator[Name]) -> list[Name] | None:
    """Read names up to the end of an entry; None at the end of the file."""
    found = []
    for name in tokens:
        found.append(name)
        if name.end in ENDS:
            break
    return found or None


def _tokens(text: str) -> Iterator[Name]:
    """Read names; blank ones between ends of lines are passed over, also after a comma."""
    letters: list[str] = []
    line, place, size = 1, 0, len(text)
    while place <= size:
        character = text[place] if place < size else ""
        following = text[place + 1] if place + 1 < size else "\n"
        stop = character == "." and (following.isspace() or following == "|")
        if character == "|":  # a comment, up to the end of the line
            end = text.find("\n", place)
            place = size if end < 0 else end
            continue
        if character == "\\" and place + 1 < size:
            letters.append(following)
            place += 2
            continue
        if stop or character in (",", ":", "\n", ""):
            name = " ".join("".join(letters).split())
            if name or character not in ("\n", ""):
                yield Name(name, character, line)
            letters = []
            line += character == "\n"
        else:
            letters.append(character)
        place += 1


def _rows(text: str, source: str, width: int) -> Iterator[list[str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        cells = _split(line)
        if cells is None:
            continue
        if len(cells) != width:
            raise ValueError(
                f"{source}, line {number}: {len(cells)} values, but the names file declares {width} (the "
                "class included)."
            )
        yield cells


def _split(line: str) -> list[str] | None:
    """Split a row at commas; None if there is nothing on the line but blanks or a comment."""
    cells = [""]
    plain = ""  # the last character that no backslash protects
    letters = iter(line)
    for letter in letters:
        if letter == "|":
            break
        plain = plain if letter.isspace() else letter
        if letter == ",":
            cells.append("")
        elif letter == "\\":
            cells[-1] += next(letters, "")
        else:
            cells[-1] += letter
    cells = [" ".join(cell.split()) for cell in cells]
    if plain == ".":
        cells[-1] = cells[-1][:-1].rstrip()
    return None if cells == [""] else cells


def _cells(attribute: Attribute, cells: Iterable[str]) -> list[str | None]:
    missing = ("?", "N/A") if attribute.kind == "numeric" else ("?",)
    return [None if cell in missing else cell for cell in cells]
