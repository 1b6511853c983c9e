"""A file that is read in parts, as a source: with the kinds and texts that a table read whole would have."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from thriftwood.datasets.files.arrow import FrameColumn
from thriftwood.datasets.files.labels import LabelReader
from thriftwood.datasets.files.parts import TableParts
from thriftwood.datasets.files.table import FileColumn, TextColumn
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
        self._nominal = {*nominal, *self._survey()}

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

    def _survey(self) -> set[str]:
        """Find the columns that are not numbers throughout."""
        nominal: set[str] = set()
        left = set(self.names)
        for part in self._parts.parts(self.names):
            for column in part.columns:
                if column.name in left and not _is_numeric(column):
                    nominal.add(column.name)
                    left.discard(column.name)
            if isinstance(part.columns[0], FrameColumn):
                break  # types are those of the file
        return nominal


def _is_numeric(column: FileColumn) -> bool:
    if isinstance(column, FrameColumn):
        return not column.is_declared
    assert isinstance(column, TextColumn)  # of a text file
    plain = TextColumn(column.name, column.cells, decimal_comma=column.decimal_comma)
    return plain.column().kind == "numeric"
