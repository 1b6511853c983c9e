"""A file that is read in parts, as a source: with the kinds and texts that a table read whole would have."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from thriftwood.datasets.files.arrow import FrameColumn
from thriftwood.datasets.files.cells import ColumnCount
from thriftwood.datasets.files.labels import LabelReader
from thriftwood.datasets.files.parts import TableParts
from thriftwood.datasets.files.table import TextColumn
from thriftwood.datasets.scans.source import FileState, Source


class FileParts(Source):
    """A CSV, TSV or Parquet file: a column is numeric if all of its cells are numbers, else nominal.

    Parameters
    ----------
    path : Path
        The file.
    parts : TableParts
        What reads it.
    target : str, optional
        A column of classes, which are given as texts: numbers by their value, as `read_table` has them.
    nominal : collection of str
        Columns whose numbers are names.
    """

    def __init__(
        self, path: Path, parts: TableParts, target: str | None = None, nominal: Collection[str] = ()
    ) -> None:
        self.name = parts.source
        self.names, self.n_rows = parts.names, parts.n_rows
        self._path, self._parts = path, parts
        self.labels = None if target is None else LabelReader(parts.parts([target]), target)
        self._counts: dict[str, ColumnCount] = {}
        self._not_numeric = self._survey()
        self._nominal = {*nominal, *self._not_numeric}

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        """Read the rows, as text or as numbers."""
        import pyarrow as pa

        for part in self._parts.parts(columns):
            arrays = [
                pa.array(self.labels.labels(part), "string")
                if self.labels is not None and name == self.labels.target
                else pa.array(part[name].texts(), "string")
                if name in self._nominal
                else part[name].numbers()
                for name in columns
            ]
            yield pa.table(dict(zip(columns, arrays, strict=True)))

    def files(self) -> tuple[FileState, ...]:
        """Say which file it is."""
        return (FileState.of(self._path),)

    def remarks(self, leave_out: Collection[str] = ()) -> list[str]:
        """Say what a user who learns from the columns should know about them, as a table in memory does."""
        asked = {name: count for name, count in self._counts.items() if name not in leave_out}
        found = {name: count.remark(name) for name, count in asked.items() if name in self._not_numeric}
        lacking = [name for name, remark in found.items() if remark is None and asked[name].lacks_texts]
        for part in self._parts.parts(lacking) if lacking else ():
            for column in part.columns:
                assert isinstance(column, TextColumn)  # of a text file
                asked[column.name].keep_texts(column.cells)
        remarks = (
            found.get(name) or count.identifier(name, numeric=name not in self._not_numeric)
            for name, count in asked.items()
        )
        return [remark for remark in remarks if remark is not None]

    def _survey(self) -> set[str]:
        """Find the columns that are not numbers throughout, and count the cells of a text file."""
        nominal: set[str] = set()
        for part in self._parts.parts(self.names):
            for column in part.columns:
                if isinstance(column, FrameColumn):
                    nominal.update([column.name] if column.is_declared else [])
                    continue
                assert isinstance(column, TextColumn)  # of a text file
                count = self._counts.setdefault(column.name, ColumnCount(decimal_comma=column.decimal_comma))
                plain = TextColumn(column.name, column.cells, decimal_comma=column.decimal_comma)
                if plain.column().kind == "numeric":
                    count.add_numbers(column.cells, plain.numbers())
                else:
                    nominal.add(column.name)
                    count.add_texts(column.cells)
            if isinstance(part.columns[0], FrameColumn):
                break  # types are those of the file
        return nominal
