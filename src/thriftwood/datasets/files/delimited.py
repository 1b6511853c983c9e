"""CSV and TSV: a header row of names, then a row per case."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import replace

from thriftwood.datasets.files.decimal_commas import with_decimal_commas
from thriftwood.datasets.files.table import MISSING_MARKS, FileTable, TextColumn

DELIMITERS = (",", ";", "\t", "|")


def read_delimited(text: str, source: str, delimiter: str | None = None) -> FileTable:
    r"""Read a table with a header row.

    Parameters
    ----------
    text : str
        The content.
    source : str
        The file, for messages.
    delimiter : str, optional
        What stands between cells; None: the one of comma, semicolon, tab and bar that gives the header most
        cells.

    Examples
    --------
    >>> read_delimited("age;sex\n54,5;m\n?;f\n", "patients.csv")["age"].column().values.tolist()
    [54.5, nan]
    """
    delimiter = delimiter or delimiter_of(io.StringIO(text))
    rows = rows_of(io.StringIO(text, newline=""), source, delimiter)
    header = header_of(rows, source)
    body = list(rows)
    columns = zip(*body, strict=True) if body else ([] for _ in header)
    read = [TextColumn(name, known_cells(cells)) for name, cells in zip(header, columns, strict=True)]
    if delimiter != ",":
        decimal = with_decimal_commas((column.commas for column in read), delimiter)
        read = [replace(column, decimal_comma=comma) for column, comma in zip(read, decimal, strict=True)]
    return FileTable(source, tuple(read), len(body))


def rows_of(lines: Iterable[str], source: str, delimiter: str) -> Iterator[list[str]]:
    """Give the cells of the rows that are not blank, the header first; all have its width."""
    reader = csv.reader(lines, delimiter=delimiter)
    width = 0
    try:
        for cells in reader:
            if not cells:
                continue
            if width and len(cells) != width:
                raise ValueError(
                    f"{source}, line {reader.line_num}: {len(cells)} cells, but the header row has {width}. "
                    "Mend the line, or quote cells that hold the separator."
                )
            width = len(cells)
            yield cells
    except csv.Error as error:
        raise ValueError(
            f"{source}, line {reader.line_num}: {error}. Look for a quote that is not closed."
        ) from None


def header_of(rows: Iterator[list[str]], source: str) -> list[str]:
    """Take the names of the columns, which are in the first row."""
    first = next(rows, None)
    if first is None:
        raise ValueError(f"{source} is empty. A table has a header row of column names, then a row per case.")
    header = [name.strip() for name in first]
    nameless = [place for place, name in enumerate(header, start=1) if not name]
    if nameless:
        raise ValueError(
            f"{source}: column {nameless[0]} has no name in the header row. Name it (or take it out, if a "
            "program wrote row numbers there)."
        )
    return header


def known_cells(cells: Iterable[str]) -> list[str | None]:
    """Take the spaces around cells off; None where a cell is missing."""
    stripped = [cell.strip() for cell in cells]
    return [None if cell in MISSING_MARKS else cell for cell in stripped]


def delimiter_of(lines: Iterable[str]) -> str:
    """Find what stands between cells: what gives the header most of them."""
    header = next((line for line in lines if line.strip()), "")
    return max(DELIMITERS, key=lambda mark: _width(header, mark))  # the first, a comma, of equal ones


def _width(header: str, delimiter: str) -> int:
    try:
        return len(next(csv.reader([header], delimiter=delimiter), []))
    except csv.Error:  # said with its line when the whole is read
        return 0
