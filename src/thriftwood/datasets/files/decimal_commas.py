"""Whether the commas in the cells of a column are decimal points."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, Self

WITH_COMMA = re.compile(r"[+-]?\d+(,\d+)?([eE][+-]?\d+)?")
"""A number that may have a comma for the decimal point."""
GROUPED = re.compile(r"[+-]?\d{1,3}((\.\d{3})+,\d+|(,\d{3})+\.\d+)")
"""A number with signs between thousands and another one before its decimals: 1.000,50 or 1,000.50."""
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


class CommaCount(NamedTuple):
    """What the cells of a column say; counts of parts of a column add up.

    Examples
    --------
    >>> count = CommaCount.of(["22,78", "3", None, "high"])
    >>> count.possible, count.certain
    (True, True)
    >>> CommaCount.of(["1,234"]).certain, CommaCount.of(["1,234"]).plus(count).certain
    (False, True)
    """

    known: int = 0
    """Cells that are not missing."""
    fitting: int = 0
    """Cells that can be such numbers."""
    marked: int = 0
    """Those of them with a comma."""
    thousands: int = 0
    """Those of these whose comma can stand between thousands."""

    @classmethod
    def of(cls, cells: Iterable[str | None]) -> Self:
        """Count the cells of a column, or of a part of it."""
        known = [cell for cell in cells if cell is not None]
        fitting = list(filter(WITH_COMMA.fullmatch, known))
        marked = [cell for cell in fitting if "," in cell]
        return cls(len(known), len(fitting), len(marked), sum(map(bool, map(_THOUSANDS.fullmatch, marked))))

    def plus(self, other: CommaCount) -> CommaCount:
        """Return the count of both."""
        return CommaCount(*(own + more for own, more in zip(self, other, strict=True)))

    @property
    def possible(self) -> bool:
        """Whether most cells can be numbers with a comma for the decimal point, and some have one.

        Most, not all: of a column with a wrong cell it is that cell which is to be named, not the commas.
        """
        return self.marked > 0 and 2 * self.fitting > self.known

    @property
    def certain(self) -> bool:
        """Whether the commas cannot stand between thousands."""
        return self.possible and self.thousands < self.marked


def with_decimal_commas(counts: Iterable[CommaCount], delimiter: str) -> list[bool]:
    """Tell which columns of a file have decimal commas.

    Whether 1,234 is a little more than one or than a thousand, other columns of the file may tell.
    """
    counts = list(counts)
    sure = delimiter != "," and any(count.certain for count in counts)
    return [sure and count.possible for count in counts]
