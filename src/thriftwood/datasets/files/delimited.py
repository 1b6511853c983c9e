"""CSV and TSV: a header row of names, then a row per case."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

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
    delimiter = delimiter or _delimiter(text)
    rows = list(_rows(text, source, delimiter))
    if not rows:
        raise ValueError(f"{source} is empty. A table has a header row of column names, then a row per case.")
    (_, header), *body = rows
    nameless = [place for place, name in enumerate(header, start=1) if not name]
    if nameless:
        raise ValueError(
            f"{source}: column {nameless[0]} has no name in the header row. Name it (or take it out, if a "
            "program wrote row numbers there)."
        )
    for line, cells in body:
        if len(cells) != len(header):
            raise ValueError(
                f"{source}, line {line}: {len(cells)} cells, but the header row has {len(header)}. Mend the "
                "line, or quote cells that hold the separator."
            )
    columns = zip(*(cells for _, cells in body), strict=True) if body else ([] for _ in header)
    read = [
        TextColumn(name, [None if cell in MISSING_MARKS else cell for cell in cells])
        for name, cells in zip(header, columns, strict=True)
    ]
    # Whether 1,234 is a little more than one or than a thousand, other columns of the file may tell.
    if delimiter != "," and any(column.has_decimal_commas for column in read):
        read = [replace(column, decimal_comma=column.may_have_decimal_commas) for column in read]
    return FileTable(source, tuple(read), len(body))


def _rows(text: str, source: str, delimiter: str) -> list[tuple[int, list[str]]]:
    """Return the rows that are not blank, each with the number of its line."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows = []
    try:
        for cells in reader:
            if cells:
                rows.append((reader.line_num, [cell.strip() for cell in cells]))
    except csv.Error as error:
        raise ValueError(
            f"{source}, line {reader.line_num}: {error}. Look for a quote that is not closed."
        ) from None
    return rows


def _delimiter(text: str) -> str:
    header = next((line for line in io.StringIO(text) if line.strip()), "")
    return max(DELIMITERS, key=lambda mark: _width(header, mark))  # the first, a comma, of equal ones


def _width(header: str, delimiter: str) -> int:
    try:
        return len(next(csv.reader([header], delimiter=delimiter), []))
    except csv.Error:  # said with its line when the whole is read
        return 0
