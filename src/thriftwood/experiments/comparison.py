"""`Comparison`: a published table and ours, figure by figure."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import NamedTuple, TypeAlias

from thriftwood.base.saving import replacing

Figures: TypeAlias = Mapping[str, Mapping[str, float | None]]
"""Row to column to figure; None, or no entry: there is none."""


class Entry(NamedTuple):
    """One figure of the table, twice."""

    row: str
    column: str
    published: float | None
    ours: float | None
    standard_error: float | None = None
    """The standard error of our figure."""

    @property
    def difference(self) -> float | None:
        """Ours less the published one; None if either is missing."""
        return None if self.ours is None or self.published is None else self.ours - self.published


@dataclass(frozen=True, slots=True)
class Comparison:
    """A table of figures as published and as found here.

    Parameters
    ----------
    title, measure : str
        What the table is, and what its figures are.
    row_title : str
        What the rows are.
    rows, columns : tuple of str
        In the order they are shown.
    published, ours : mapping of row to mapping of column to figure
        None where there is no figure.
    standard_errors : mapping of row to mapping of column to figure, optional
        Of ours.
    digits : int
        Decimals shown.
    drawn : bool
        Whether its figures can share the axis of a picture.
    shown : bool
        Whether it is short enough to be printed; all tables go to files.
    titles : pair of str
        What the figures found here, and those they stand beside, are called.
    logarithmic : bool
        Whether the axis of its picture counts powers of ten.

    Examples
    --------
    >>> figures = {"zoo": {"csgain": 0.524}}
    >>> table = Comparison("Table 1", "cost ratio", "data set", ("zoo",), ("csgain",), figures,
    ...                    {"zoo": {"csgain": 0.5}})
    >>> print(table)
    data set             csgain
    zoo       ours        0.500
              published   0.524
              difference -0.024
    """

    title: str
    measure: str
    row_title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    published: Figures
    ours: Figures
    standard_errors: Figures = field(default_factory=dict)
    digits: int = 3
    drawn: bool = True
    shown: bool = True
    titles: tuple[str, str] = ("ours", "published")
    logarithmic: bool = False

    def entries(self) -> Iterator[Entry]:
        """Give every figure, row by row."""
        for row in self.rows:
            for column in self.columns:
                yield self.entry(row, column)

    @property
    def has_published(self) -> bool:
        """Whether any figure was published."""
        return any(entry.published is not None for entry in self.entries())

    def entry(self, row: str, column: str) -> Entry:
        """Return one figure, published and ours."""
        found = (
            table.get(row, {}).get(column) for table in (self.published, self.ours, self.standard_errors)
        )
        return Entry(row, column, *found)

    def layout(self, columns: Sequence[str] | None = None) -> list[list[str]]:
        """Return the cells as they are printed: the titles, then three lines for each row.

        A row of which nothing was published has one line.

        Parameters
        ----------
        columns : sequence of str, optional
            Some of the columns; None: all.
        """
        columns = self.columns if columns is None else columns
        lines = [[self.row_title, "", *columns]]
        for row in self.rows:
            entries = [self.entry(row, column) for column in columns]
            lines.append([row, self.titles[0], *(self._text(entry.ours) for entry in entries)])
            if all(entry.published is None for entry in entries):
                continue
            lines.append(["", self.titles[1], *(self._text(entry.published) for entry in entries)])
            lines.append(["", "difference", *(self._text(entry.difference, sign="+") for entry in entries)])
        return lines

    def blocks(self, width: int) -> Iterator[list[list[str]]]:
        """Give the cells in tables of at most so many characters, each with some of the columns.

        Examples
        --------
        >>> figures = {"zoo": {"csgain": 0.524, "idx": 0.606}}
        >>> table = Comparison("Table 1", "cost ratio", "data set", ("zoo",), ("csgain", "idx"), {}, figures)
        >>> [block[0] for block in table.blocks(20)]
        [['data set', '', 'csgain'], ['data set', '', 'idx']]
        """
        rest = list(self.columns)
        while rest:
            taken = len(rest)
            while taken > 1 and _width(self.layout(rest[:taken])) > width:
                taken -= 1
            yield self.layout(rest[:taken])
            rest = rest[taken:]

    def save_csv(self, path: Path) -> None:
        """Write one line per figure."""
        with replacing(path) as new, new.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([self.row_title, *_CSV_COLUMNS])
            writer.writerows(
                [entry.row, *(getattr(entry, name) for name in _CSV_COLUMNS)] for entry in self.entries()
            )

    def _text(self, value: float | None, sign: str = "") -> str:
        return "-" if value is None else f"{value:{sign}.{self.digits}f}"

    def __str__(self) -> str:
        lines = self.layout()
        widths = _widths(lines)
        return "\n".join(
            " ".join(
                cell.ljust(width) if place < 2 else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        )


def _widths(lines: list[list[str]]) -> list[int]:
    return [max(map(len, cells)) for cells in zip(*lines, strict=True)]


def _width(lines: list[list[str]]) -> int:
    """Return the width of a table whose columns are two spaces apart."""
    widths = _widths(lines)
    return sum(widths) + 2 * (len(widths) - 1)


def with_average(figures: Figures, columns: Sequence[str], title: str = "average") -> Figures:
    """Add a row of means over all rows; a column that lacks a figure has none.

    Examples
    --------
    >>> with_average({"a": {"x": 1.0}, "b": {"x": 2.0, "y": 3.0}}, ["x", "y"])["average"]
    {'x': 1.5, 'y': None}
    """
    means: dict[str, float | None] = {}
    for column in columns:
        values = [row.get(column) for row in figures.values()]
        known = [value for value in values if value is not None]
        means[column] = fmean(known) if known and len(known) == len(values) else None
    return {**figures, title: means}


_CSV_COLUMNS = ("column", "published", "ours", "difference", "standard_error")
