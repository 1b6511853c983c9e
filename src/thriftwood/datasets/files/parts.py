"""`open_parts`: a file that may be too large to be held, given a part at a time.

What all rows together decide (how letters are written, whether commas are decimal points) is found out before
the first part is given, so that a row reads the same in a part and in the whole.
"""

from __future__ import annotations

import io
import os
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TextIO

import narwhals as nw
import numpy as np
import numpy.typing as npt

from thriftwood.base.advice import Advice
from thriftwood.costs.names import first_repeat
from thriftwood.datasets.files.arrow import FrameColumn, opened_parquet
from thriftwood.datasets.files.decimal_commas import CommaCount, with_decimal_commas
from thriftwood.datasets.files.decoding import blocks_of, codec_of, opened
from thriftwood.datasets.files.delimited import delimiter_of, header_of, known_cells, rows_of
from thriftwood.datasets.files.reading import ARROW, DELIMITED, open_table
from thriftwood.datasets.files.table import FileTable, TextColumn, no_column
from thriftwood.table.values import TRUTHS

LARGE_TEXT, LARGE_PACKED = 1 << 24, 1 << 21
"""Bytes of a text file, and of a packed one, that is read in parts."""
LARGE_PARQUET = 100_000
"""Rows of a Parquet file that is read in parts."""
CELL_OF_TEXT, CELL_OF_NUMBERS = 100, 60
"""Bytes that a cell takes while a table in memory is learnt from, of a text file and of a Parquet file."""
LEAST_CELL, MOST_PACKED = 2, 20
"""Bytes of a cell of a text file with its comma, at least; and how far gzip packs such files, at most."""
CELLS, MOST_ROWS = 400_000, 50_000
"""A part has about so many cells, and at most so many rows."""


class TableParts(ABC):
    """A file of which some rows at a time are held.

    Attributes
    ----------
    source : str
        The file, for messages.
    names : tuple of str
        Its columns.
    n_rows : int
        The number of its rows.
    target : str or None
        The column that the format itself says is to be predicted.
    notes : tuple of Advice
        What a user should know about how the file was read.
    """

    source: str
    names: tuple[str, ...]
    n_rows: int
    target: str | None = None
    notes: tuple[Advice, ...] = ()

    @abstractmethod
    def parts(self, columns: Collection[str]) -> Iterator[FileTable]:
        """Read the file from its beginning: tables of some rows each, with these columns at least."""

    def check_names(self, names: Collection[str]) -> None:
        """Refuse a name that no column has."""
        for name in names:
            if name not in self.names:
                raise no_column(self.source, self.names, name)

    def check_rows(self) -> None:
        """Refuse a table without rows."""
        if not self.n_rows:
            raise ValueError(f"{self.source} has columns but no rows. Put at least one case into it.")

    def rows_in_part(self, n_columns: int) -> int:
        """Return how many rows a part has."""
        return max(1, min(MOST_ROWS, CELLS // max(1, n_columns)))


class WholeTable(TableParts):
    """A table that is held already, as one part."""

    def __init__(self, table: FileTable) -> None:
        self.table = table
        self.source, self.names, self.n_rows = table.source, table.names, table.n_rows
        self.target, self.notes = table.target, table.notes

    def parts(self, columns: Collection[str]) -> Iterator[FileTable]:
        """Give the table."""
        self.check_names(columns)
        yield self.table


def open_parts(path: str | os.PathLike[str], *, encoding: str | None = None) -> TableParts:
    """Open a file, to be read in parts if it is large and CSV, TSV or Parquet, else whole.

    Parameters
    ----------
    path : path
        The ending says the format; see `read_table`. Parquet is read in parts by pyarrow.
    encoding : str, optional
        As in `read_table`.
    """
    path = Path(path)
    packed = path.suffix.lower() == ".gz"
    large = path.stat().st_size > (LARGE_PACKED if packed else LARGE_TEXT)
    if large or _format(path) == "parquet":
        found = parts_in(path, encoding=encoding)
        if found is not None and (large or found.n_rows > LARGE_PARQUET):
            return found
    return WholeTable(open_table(path, encoding=encoding))


def parts_in(path: Path, *, encoding: str | None = None) -> TableParts | None:
    """Open a CSV, TSV or Parquet file to be read in parts, however small; None: it has another format."""
    form = _format(path)
    if form in DELIMITED:
        return delimited_parts(path, encoding=encoding)
    if form == "parquet" and path.suffix.lower() != ".gz" and encoding is None and find_spec("pyarrow"):
        return ParquetParts(path)
    return None


def delimited_parts(path: Path, *, encoding: str | None = None) -> DelimitedParts:
    """Open a file as CSV, or as TSV if its ending says so; .gz is unpacked."""
    packed = path.suffix.lower() == ".gz"
    return DelimitedParts(path, DELIMITED.get(_format(path)), packed=packed, encoding=encoding)


def most_bytes(path: Path, n_rows: int, n_columns: int) -> int:
    """Return about what it takes to learn from a file in memory.

    A cell of a text file is a text first (100 bytes in all), one of a Parquet file a number (60: learnt from
    twice, once without the cases held out).
    """
    return n_rows * n_columns * (CELL_OF_TEXT if _format(path) in DELIMITED else CELL_OF_NUMBERS)


def surely_fits(path: Path, memory: int) -> bool:
    """Tell whether a text file is so small that learning from it takes no more, whatever is in it."""
    if _format(path) not in DELIMITED:
        return False
    packed = path.suffix.lower() == ".gz"
    return path.stat().st_size * (MOST_PACKED if packed else 1) * CELL_OF_TEXT // LEAST_CELL <= memory


def _format(path: Path) -> str:
    packed = path.suffix.lower() == ".gz"
    ending = (path.with_suffix("") if packed else path).suffix.lower()
    return ARROW.get(ending, ending)


class DelimitedParts(TableParts):
    """A CSV or TSV file, read once to learn about it and once more for its rows."""

    delimiter: str
    """What stands between cells."""

    def __init__(self, path: Path, delimiter: str | None, *, packed: bool, encoding: str | None) -> None:
        self.source = str(path)
        self._path, self._packed = path, packed
        codec = codec_of(self._blocks, path, encoding)
        self._codec, self.notes = codec.name, codec.notes
        if delimiter is None:
            with self.text() as lines:
                delimiter = delimiter_of(lines)
        self.delimiter = delimiter
        with self._body() as (header, rows):
            self.names = tuple(header)
            twice = first_repeat(header)
            if twice is not None:
                raise ValueError(f"{self.source} has two columns called {twice!r}. Rename one of them.")
            self.n_rows, self._decimal = self._survey(rows)
        self.check_rows()

    def parts(self, columns: Collection[str]) -> Iterator[FileTable]:
        """Read the rows."""
        self.check_names(columns)
        chosen = [place for place, name in enumerate(self.names) if name in columns]
        forms = [NumberForm() for _ in self.names]
        first_row = 0
        with self._body() as (_, rows):
            while body := list(islice(rows, self.rows_in_part(len(self.names)))):
                cells = list(zip(*body, strict=True))
                read = [
                    PartColumn(
                        self.names[place],
                        known_cells(cells[place]),
                        decimal_comma=self._decimal[place],
                        first_row=first_row,
                        form=forms[place],
                    )
                    for place in chosen
                ]
                yield FileTable(self.source, tuple(read), len(body), first_row=first_row)
                first_row += len(body)

    @property
    def decimal_commas(self) -> frozenset[str]:
        """The columns with decimal commas."""
        return frozenset(name for name, comma in zip(self.names, self._decimal, strict=True) if comma)

    def _survey(self, rows: Iterator[list[str]]) -> tuple[int, list[bool]]:
        """Count the rows and find the columns with decimal commas; each row is looked at for its width."""
        n_rows, counts = 0, [CommaCount() for _ in self.names]
        ambiguous = self.delimiter != "," and any(b"," in block for block in self._blocks())
        while body := list(islice(rows, self.rows_in_part(len(self.names)))):
            n_rows += len(body)
            if ambiguous:
                columns = (CommaCount.of(known_cells(cells)) for cells in zip(*body, strict=True))
                counts = [count.plus(more) for count, more in zip(counts, columns, strict=True)]
        return n_rows, with_decimal_commas(counts, self.delimiter)

    def _blocks(self) -> Iterator[bytes]:
        return blocks_of(self._path, packed=self._packed)

    @contextmanager
    def text(self) -> Iterator[TextIO]:
        """Open its lines."""
        with (
            opened(self._path, packed=self._packed) as file,
            io.TextIOWrapper(file, self._codec, newline=None) as lines,
        ):
            yield lines

    @contextmanager
    def _body(self) -> Iterator[tuple[list[str], Iterator[list[str]]]]:
        """Give the header, and the rows below it."""
        with self.text() as lines:
            rows = rows_of(lines, self.source, self.delimiter)
            yield header_of(rows, self.source), rows


@dataclass
class NumberForm:
    """How the numbers of a column are written, by the first cell of any part that was read."""

    row: int = 0
    cell: str | None = None


@dataclass(frozen=True, eq=False)
class PartColumn(TextColumn):
    """A part of a column of cells. True and False are numbers if there is nothing else in any part."""

    form: NumberForm = field(default_factory=NumberForm)

    def numbers(self) -> npt.NDArray[np.float64]:
        """Give floats, 0 and 1 for False and True; a cell that is no number is an error with its row."""
        values = super().numbers()
        row, cell = next(((row, cell) for row, cell in enumerate(self.cells) if cell is not None), (0, None))
        if cell is None:
            return values
        if self.form.cell is None:
            self.form.row, self.form.cell = self.first_row + row + 1, cell
        elif self.form.cell in TRUTHS and cell not in TRUTHS:
            raise self.not_a_number(self.form.row, self.form.cell)
        elif cell in TRUTHS and self.form.cell not in TRUTHS:
            raise self.not_a_number(self.first_row + row + 1, cell)
        return values


class ParquetParts(TableParts):
    """A Parquet file, of which pyarrow reads the columns that are asked for."""

    def __init__(self, path: Path) -> None:
        self.source = str(path)
        self._path = path
        with opened_parquet(self._path) as file:
            self.names = tuple(file.schema_arrow.names)
            self.n_rows = file.metadata.num_rows
        self.check_rows()

    def parts(self, columns: Collection[str]) -> Iterator[FileTable]:
        """Read the rows."""
        import pyarrow as pa

        self.check_names(columns)
        chosen = [name for name in self.names if name in columns]
        first_row = 0
        with opened_parquet(self._path) as file:
            for batch in file.iter_batches(self.rows_in_part(len(chosen)), columns=chosen):
                frame = nw.from_native(pa.Table.from_batches([batch]), eager_only=True)
                read = [FrameColumn(name, frame.select(name), first_row) for name in chosen]
                yield FileTable(self.source, tuple(read), batch.num_rows, first_row=first_row)
                first_row += batch.num_rows
