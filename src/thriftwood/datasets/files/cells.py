"""What the cells of a column of a text file come to, part by part.

A column is nominal as soon as one cell is no number, and nobody sees that cell in a million others. So a
column that is nearly one of numbers is remarked on, and so is one that tells rows apart. A table in memory is
one part.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from thriftwood.datasets.files.decimal_commas import GROUPED, WITH_COMMA, CommaCount
from thriftwood.table.values import is_inexact

MOSTLY = 0.9  # a text column with at least this share of numbers was probably meant to be numeric
LEAST = 10  # rows, to say such things
MANY = 100  # rows of which half have a text of their own; fewer rows may have so by chance
MOST_TEXTS = 1 << 17  # different texts that are kept, to be counted
_DATE = re.compile(r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2}))([T ].*)?$")
_WHOLE = re.compile(r"[+-]?\d{1,400}")
_MAY_BE_NUMBER = re.compile(r"[+-]?[\d.,iInN]")
"""How numbers, dates and what is nearly one begin; inf and nan are numbers."""
_SIGNS = frozenset("0123456789+-.eE")
SHORT = 15  # so many digits fit into any float


class ColumnCount:
    """What the cells of one column come to.

    Parameters
    ----------
    decimal_comma : bool
        Whether numbers are written 3,5.

    Examples
    --------
    >>> count = ColumnCount()
    >>> count.add_numbers([str(k) for k in range(20)], np.arange(20.0))
    >>> count.add_texts(["7", "n.a."])
    >>> print(count.remark("age"))
    Column 'age' is nominal because of cells like 'n.a.', while 21 of 22 are numbers. Empty such cells to make it numeric.
    """  # noqa: E501  # the doctest's line

    def __init__(self, *, decimal_comma: bool = False) -> None:
        self._decimal_comma = decimal_comma
        self._present = self._numbers = self._grouped = self._with_comma = self._dates = 0
        self._fitting = self._marked = 0
        """As in `CommaCount`."""
        self._grouped_with_comma, self._all_whole = False, True
        self._first: dict[str, str] = {}
        """Of cells that a remark shows, the first of its kind."""
        self._texts: set[str] = set()
        self._in_steps, self._last = True, np.nan
        self.lacks_texts = False
        """Whether cells of numbers were counted and not kept, as most columns of them need not be."""

    def add_numbers(self, cells: Sequence[str | None], values: npt.NDArray[np.float64]) -> None:
        """Add a part that is numbers throughout."""
        known = [cell for cell in cells if cell is not None]
        signs = set("".join(known))
        if signs <= _SIGNS:
            self._present += len(known)
            self._numbers += len(known)
            self._fitting += sum("." not in cell for cell in known)
            self._all_whole &= signs.isdisjoint(".eE")
            self.lacks_texts |= bool(known)
        else:  # inf, or truths, which are numbers only if all are truths
            self.add_texts(cells)
        self._in_steps = self._in_steps and bool(np.isfinite(values).all())  # a missing one is no step
        if self._in_steps and len(values):
            steps = np.diff(values, prepend=values[0] - 1.0 if np.isnan(self._last) else self._last)
            self._in_steps, self._last = bool((steps == 1.0).all()), float(values[-1])

    def add_texts(self, cells: Sequence[str | None]) -> None:
        """Add a part in which some cells are no numbers."""
        times = Counter(cell for cell in cells if cell is not None)
        self._present += times.total()
        for cell, often in times.items():
            if _MAY_BE_NUMBER.match(cell):
                self._add(cell, often)
            else:  # most texts: 200,000 rows, two of six columns names, take 1.7 s instead of 2.8
                self._all_whole = False
                self._first.setdefault("other", cell)
        self.keep_texts(times)

    def keep_texts(self, cells: Iterable[str | None]) -> None:
        """Keep what is written in some cells, to tell how many texts are different."""
        if len(self._texts) <= MOST_TEXTS:
            self._texts.update(cell for cell in cells if cell is not None)

    def _add(self, cell: str, often: int) -> None:
        fits = WITH_COMMA.fullmatch(cell) is not None
        marked = fits and "," in cell
        self._fitting += often * fits
        if marked:
            self._marked += often
            self._first.setdefault("comma", cell)
        self._all_whole &= _WHOLE.fullmatch(cell) is not None
        if is_too_long(cell):
            self._first.setdefault("long", cell)
        if _DATE.match(cell):
            self._dates += often
            self._first.setdefault("date", cell)
        if self._is_number(cell):
            self._numbers += often
            return
        self._first.setdefault("other", cell)
        if GROUPED.fullmatch(cell):
            self._grouped += often
            self._grouped_with_comma |= cell.rfind(",") > cell.rfind(".")
            self._first.setdefault("grouped", cell)
        elif marked:
            self._with_comma += often

    def _is_number(self, cell: str) -> bool:
        return is_number(cell.replace(",", ".") if self._decimal_comma else cell)

    def remark(self, name: str) -> str | None:
        """Point out a nominal column that single cells, commas, dates or long numbers make nominal."""
        first, present = self._first, self._present
        if CommaCount(present, self._fitting, self._marked).possible and not self._decimal_comma:
            return (
                f"Column {name!r} is nominal because of the commas in cells like {first['comma']!r}. Write "
                "its numbers with a decimal point, and nothing between thousands, to make it numeric."
            )
        numbers = self._grouped + self._numbers + (self._with_comma if self._grouped_with_comma else 0)
        if self._grouped and numbers >= MOSTLY * present:
            return (
                f"Column {name!r} is nominal because of the signs between thousands in cells like "
                f"{first['grouped']!r}. Write its numbers without them to make it numeric."
            )
        if "long" in first and self._all_whole:
            return (
                f"Column {name!r} is read as categories, because its whole numbers, such as "
                f"{first['long']!r}, are too long for a float. Leave it out, if it holds identifiers."
            )
        if present and self._dates == present:
            return (
                f"Column {name!r} holds dates such as {first['date']!r}, and is read as categories. "
                "Put numbers in its place, such as days until a fixed day, or leave it out."
            )
        if present < LEAST or self._numbers < MOSTLY * present:
            return None
        return (
            f"Column {name!r} is nominal because of cells like {first['other']!r}, while "
            f"{self._numbers} of {present} are numbers. Empty such cells to make it numeric."
        )

    def identifier(self, name: str, *, numeric: bool) -> str | None:
        """Point out a column that numbers or names the rows."""
        alone = self._in_steps if numeric else len(self._texts) == self._present
        return identifier(name, self._present, None if numeric else len(self._texts), alone=alone)


def identifier(name: str, present: int, texts: int | None, *, alone: bool) -> str | None:
    """Point out a column that numbers or names the rows.

    Parameters
    ----------
    name : str
        Of the column.
    present : int
        Its values that are not missing.
    texts : int or None
        How many of them are different, beyond `MOST_TEXTS` at least so many; None: they are numbers.
    alone : bool
        Every row has one of its own; of numbers, each one more than that of the row before.
    """
    if present < LEAST:
        return None
    if alone:
        return f"Column {name!r} tells every row apart, as a row number or a name does. Leave it out?"
    if texts is None or present < MANY or (2 * texts < present and texts <= MOST_TEXTS):
        return None
    more = "at least " if texts > MOST_TEXTS else ""
    return (
        f"Column {name!r} holds {more}{texts:,} different texts in {present:,} rows, as names and "
        "identifiers do. Leave it out?"
    )


def number(cell: str) -> float:
    """Read a number; a ValueError for what Python's float alone would take."""
    if "_" in cell or is_too_long(cell):  # Python's float reads 1_000
        raise ValueError(cell)
    return float(cell)


def is_too_long(cell: str) -> bool:
    """Tell whether a cell is a whole number that a float would change."""
    return len(cell) > SHORT and _WHOLE.fullmatch(cell) is not None and is_inexact(int(cell))


def is_number(cell: str) -> bool:
    """Tell whether a cell is a number.

    >>> [is_number(cell) for cell in ("1", "-2.5e3", "1_000", "1,5", "")]
    [True, True, False, False, False]
    """
    try:
        number(cell)
    except ValueError:
        return False
    return True
