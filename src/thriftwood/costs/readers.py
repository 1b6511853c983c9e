"""Cost files of other programs, read into the parameters of `Costs`.

Each reader returns a dictionary of parameters; `Costs.from_weka` and its like are the public doors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from thriftwood.costs.names import CostError, class_name, first_repeat, nearest
from thriftwood.costs.test import Test

Parameters = dict[str, Any]


class Line(NamedTuple):
    """One line that holds something, with what an error message needs to point at it."""

    path: Path
    number: int
    text: str

    def wrong(self, wanted: str) -> CostError:
        """Return the error that says where we are, what came and what was wanted."""
        return CostError(f"{self.path}, line {self.number}: expected {wanted}. Got {self.text!r}.")

    def floats(self, wanted: str) -> list[float]:
        """Return the numbers of the line."""
        try:
            return [float(word) for word in self.text.split()]
        except ValueError:
            raise self.wrong(wanted) from None


def lines_of(path: Path, comment: str | None = None) -> list[Line]:
    """Return the lines that hold more than blanks and comments."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise CostError(f"{path} is not a text file in UTF-8: {error}.") from None
    found = []
    for number, raw in enumerate(text.splitlines(), start=1):
        content = raw if comment is None else re.split(rf"(?<!\\){re.escape(comment)}", raw, maxsplit=1)[0]
        if content.strip():
            found.append(Line(path, number, content.strip()))
    return found


def _rows_by_name(matrix: list[list[float]], classes: Sequence[Any]) -> dict[Any, dict[Any, float]]:
    # Text first: labels that read alike would silently replace each other in a dictionary.
    twice = first_repeat(class_name(label) for label in classes)
    if twice is not None:
        raise CostError(f"The class {twice!r} occurs twice in classes. Name each class once.")
    return {actual: dict(zip(classes, row, strict=True)) for actual, row in zip(classes, matrix, strict=True)}


# Weka


def weka(path: Path, classes: Sequence[Any]) -> Parameters:
    """Read a Weka cost matrix, new form (size, then rows) or old form (lines: actual predicted cost)."""
    if isinstance(classes, str):
        raise CostError(f"classes must be a list of class labels. Got the string {classes!r}.")
    labels = list(classes)
    lines = lines_of(path, comment="%")
    if lines and len(lines[0].text.split()) == 2:
        matrix = _weka_matrix(lines, len(labels))
    else:
        matrix = _weka_list(lines, len(labels))
    return {"errors": _rows_by_name(matrix, labels)}


def _weka_matrix(lines: list[Line], k: int) -> list[list[float]]:
    size, rows = lines[0], lines[1:]
    if size.floats("the number of rows and of columns") != [k, k]:
        raise size.wrong(f"the size {k} {k}, because {k} classes were given")
    if len(rows) != k:
        raise CostError(f"{size.path}: expected {k} rows of costs after line {size.number}. Got {len(rows)}.")
    matrix = []
    for row in rows:
        costs = row.floats(f"{k} costs")
        if len(costs) != k:
            raise row.wrong(f"{k} costs")
        matrix.append(costs)
    return matrix


def _weka_list(lines: list[Line], k: int) -> list[list[float]]:
    matrix = [[0.0 if actual == predicted else 1.0 for predicted in range(k)] for actual in range(k)]
    for line in lines:
        wanted = f"a line with the actual class, the predicted class (each 0 to {k - 1}) and the cost"
        entry = line.floats(wanted)
        if len(entry) != 3 or not all(index in range(k) for index in entry[:2]):
            raise line.wrong(wanted)
        matrix[int(entry[0])][int(entry[1])] = entry[2]
    return matrix


# C5.0


def c50(path: Path) -> Parameters:
    """Read a C5.0 costs file: lines "predicted, actual: cost", | for comments, backslashes to escape."""
    errors: dict[str, dict[str, float]] = {}
    for line in lines_of(path, comment="|"):
        match = re.fullmatch(r"((?:\\.|[^\\,:])+),((?:\\.|[^\\,:])+):\s*(\S+?)\.?", line.text)
        if match is None:
            raise line.wrong('"predicted class, actual class: cost"')
        predicted, actual = (_unescaped(name) for name in match.groups()[:2])
        cost = _float(line, match[3])
        if cost < 0:
            raise line.wrong("a cost of 0 or more")
        if predicted == actual:
            raise line.wrong("two different classes: in C5.0 a right answer costs nothing")
        row = errors.setdefault(actual, {})
        if predicted in row:
            raise line.wrong("each pair of classes once")
        row[predicted] = cost
    return {"errors": errors, "errors_default": 1.0}


def _unescaped(name: str) -> str:
    # C5.0 reads any run of blanks inside a name as one.
    return " ".join(re.sub(r"\\(.)", r"\1", name).split())


# Lomax's benchmark


MOST_COLUMNS = 1_000_000
"""0/1 columns that a Lomax cost file can price: a short line must not stand for more than memory holds."""


class Attribute(NamedTuple):
    """One line of a Lomax cost file: an attribute and the 0/1 columns first..last made from it."""

    name: str
    test: Test
    first: int
    last: int


def lomax(path: Path, columns: str, classes: Sequence[Any] | None) -> Parameters:
    """Read a Lomax cost file for the attributes or for the 0/1 columns made from them."""
    if columns not in ("binary", "attributes"):
        raise CostError(f"columns must be 'binary' or 'attributes'. Got {columns!r}.")
    matrix, attributes = _lomax_file(path)
    prices = _binary(path, attributes) if columns == "binary" else _whole(path, attributes)
    return {"errors": _named(path, matrix, classes), **prices}


def lomax_attributes(path: Path) -> list[Attribute]:
    """Read the attributes of a Lomax cost file as they stand there, with the 0/1 columns of each."""
    return _lomax_file(path)[1]


def _lomax_file(path: Path) -> tuple[list[list[float]], list[Attribute]]:
    """Read the cost matrix and the attributes."""
    lines = lines_of(path)
    header = next((i for i, line in enumerate(lines) if line.text.lower().startswith("attribute-name")), None)
    if header is None:
        raise CostError(f"{path}: no line starts with 'Attribute-name'. Is this a Lomax cost file?")
    matrix = [line.floats("a row of the cost matrix") for line in lines[:header]]
    return matrix, [_attribute(line) for line in lines[header + 1 :]]


def _attribute(line: Line) -> Attribute:
    words = line.text.split()
    if len(words) != 6:
        raise line.wrong("name, test cost, discount, group, first column, last column")
    name, group = words[0], words[3]
    price, discount = _float(line, words[1]), _float(line, words[2])
    first, last = _column(words[4]), _column(words[5])
    if not 0 <= first <= last < MOST_COLUMNS:
        raise line.wrong(
            f"the first and the last 0/1 column as the two last words, numbers below {MOST_COLUMNS:,}"
        )
    try:
        # Group x is no group, so its discount never applies.
        test = Test(price) if group == "x" else Test(price, group=group, after=discount)
    except CostError as error:
        raise CostError(f"{line.path}, line {line.number}: {error}") from None
    return Attribute(name, test, first, last)


def _column(word: str) -> int:
    """Return the number of a column; -1 for what is none, or has more digits than any."""
    return int(word) if word.isdecimal() and len(word) <= len(str(MOST_COLUMNS)) else -1


def _whole(path: Path, attributes: list[Attribute]) -> Parameters:
    tests: dict[str, Test] = {}
    for attribute in attributes:
        _add(path, tests, attribute.name, attribute.test)
    return {"tests": tests}


def _binary(path: Path, attributes: list[Attribute]) -> Parameters:
    """Price the 0/1 columns so that an attribute is paid once, whichever of its columns comes first.

    The attribute is a shared resource at its discounted price. What a discount saves is the column's own
    price, and that price is 0 once any column of the group was bought, this attribute's others included.
    """
    tests: dict[str, Test] = {}
    shared: dict[str, float] = {}
    for name, test, first, last in attributes:
        if name in shared:
            raise CostError(f"{path}: the attribute {name!r} occurs twice.")
        shared[name] = test.price if test.after is None else test.after
        saving = test.price - shared[name]
        column = Test(saving, needs=[name], group=test.group, after=None if test.group is None else 0.0)
        for position in range(first, last + 1):
            _add(path, tests, f"x{position}", column)
    return {"tests": tests, "shared": shared}


def _add(path: Path, tests: dict[str, Test], name: str, test: Test) -> None:
    if name in tests:
        raise CostError(f"{path}: the test {name!r} has two prices.")
    tests[name] = test


def _named(path: Path, matrix: list[list[float]], classes: Sequence[Any] | None) -> object:
    if classes is None:
        return matrix
    if any(len(row) != len(classes) for row in matrix) or len(matrix) != len(classes):
        raise CostError(f"{path} has {len(matrix)} rows of costs, but {len(classes)} classes were given.")
    return _rows_by_name(matrix, classes)


# UCI, Turney's prices


def uci(path: Path, name: str | None) -> Parameters:
    """Read Turney's four files."""
    stem = path if name is None else path / name
    costs = {test: _float(line, text) for test, (line, text) in _entries(stem, ".cost").items()}
    expenses = _optional(stem, ".expense")
    groups = _optional(stem, ".group")
    delays = _optional(stem, ".delay") or {}
    if (expenses is None) != (groups is None):
        there, absent = (".group", ".expense") if expenses is None else (".expense", ".group")
        raise CostError(f"{stem}{there} is there and {stem}{absent} is not. Discounts need both files.")
    for entries in (expenses or {}, groups or {}, delays):
        for test, (line, _) in entries.items():
            if test not in costs:
                raise line.wrong(f"a test of the .cost file. {nearest(test, costs)}")
    tests = {
        test: _turney(test, price, expenses or {}, groups or {}, delays) for test, price in costs.items()
    }
    return {"tests": tests}


Entries = dict[str, tuple[Line, str]]


def _turney(test: str, price: float, expenses: Entries, groups: Entries, delays: Entries) -> Test:
    delayed = False
    if test in delays:
        line, text = delays[test]
        if text not in ("immediate", "delayed"):
            raise line.wrong("immediate or delayed")
        delayed = text == "delayed"
    if test not in groups:
        return Test(price, delayed=delayed)
    if test not in expenses:
        raise groups[test][0].wrong(f"a line for {test!r} in the .expense file, because it has a group")
    line, text = expenses[test]
    full, _, discount = text.partition(",")
    if _float(line, full) != price:
        raise line.wrong(f"the full cost {price} of the .cost file")
    try:
        return Test(price, delayed=delayed, group=groups[test][1], after=_float(line, discount))
    except CostError as error:
        raise CostError(f"{line.path}, line {line.number}: {error}") from None


def _file(stem: Path, ending: str) -> Path:
    return stem.with_name(stem.name + ending)


def _optional(stem: Path, ending: str) -> Entries | None:
    return _entries(stem, ending) if _file(stem, ending).exists() else None


def _entries(stem: Path, ending: str) -> Entries:
    path = _file(stem, ending)
    lines = lines_of(path)
    if ending == ".group":
        lines = lines[1:]  # the first line lists the groups
    entries: Entries = {}
    for line in lines:
        test, colon, text = (part.strip() for part in line.text.rpartition(":"))
        if not colon or not test or not text:
            raise line.wrong('"test: value"')
        if test in entries:
            raise line.wrong("each test once")
        entries[test] = (line, text.removesuffix(".").strip())
    return entries


def _float(line: Line, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise line.wrong(f"a number instead of {text.strip()!r}") from None
