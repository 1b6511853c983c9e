"""`FileTable`, the content of one file, and `FileColumn`, one column of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from thriftwood.base.advice import Advice
from thriftwood.base.spelling import close_names
from thriftwood.costs.names import first_repeat, quoted
from thriftwood.datasets.columns import Column, Kind
from thriftwood.datasets.files.cells import SHORT, ColumnCount, identifier, is_number, is_too_long, number
from thriftwood.datasets.files.decimal_commas import CommaCount
from thriftwood.datasets.files.labels import LabelReader
from thriftwood.table import Kind as EncodedKind
from thriftwood.table.columns import label_of
from thriftwood.table.named import NamedColumns
from thriftwood.table.raw import CategoryColumn, Codes, NumberColumn, RawColumn
from thriftwood.table.values import truths

MISSING_MARKS = frozenset({"", "?", "NA", "N/A", "n/a", "#N/A", "nan", "NaN", "NAN", "null", "NULL"})
"""Cells of CSV and TSV files that mean "no value"."""


class FileColumn(ABC):
    """One column of a file."""

    name: str

    @abstractmethod
    def column(self) -> Column:
        """Give it with the kind that the file declares or the cells suggest."""

    @abstractmethod
    def numbers(self) -> npt.NDArray[np.float64]:
        """Give floats, NaN where missing; a ValueError names the first cell that is no number."""

    @abstractmethod
    def texts(self) -> list[str | None]:
        """Give texts, None where missing."""

    def remark(self) -> str | None:
        """Say what a user should know about how the column was read, if there is anything."""
        return None

    @property
    @abstractmethod
    def is_declared(self) -> bool:
        """Whether the file itself says its categories."""

    def nominal(self) -> Column:
        """Give it as a nominal column, whatever the cells look like."""
        return self.column() if self.is_declared else Column.nominal(self.name, self.texts())


@dataclass(frozen=True, eq=False)
class TextColumn(FileColumn):
    """A column of cells.

    Parameters
    ----------
    name : str
        Its name.
    cells : sequence of str or None
        None where missing.
    kind : {"numeric", "nominal", "ordered"} or None
        As the file declares it; None: numeric if every cell is a number, else nominal.
    categories : tuple of str
        As declared, in their order; empty: those that occur.
    decimal_comma : bool
        Whether numbers are written 3,5.
    first_row : int
        The number of rows before it, for messages: more than 0 in a part of a file.

    Examples
    --------
    >>> TextColumn("age", ["54", None, "61.5"]).column().values.tolist()
    [54.0, nan, 61.5]
    >>> TextColumn("sex", ["m", "f", None]).column().categories
    ('f', 'm')
    """

    name: str
    cells: Sequence[str | None]
    kind: Kind | None = None
    categories: tuple[str, ...] = ()
    decimal_comma: bool = False
    first_row: int = 0

    def column(self) -> Column:
        """Give it with its declared kind, or the one that its cells suggest."""
        return self._made

    @cached_property
    def _made(self) -> Column:
        if self.kind in ("nominal", "ordered"):
            return Column.nominal(self.name, self.cells, self.categories, self.kind)
        if self.kind == "numeric":
            return Column.numeric(self.name, self.numbers())
        try:
            return Column.numeric(self.name, self._floats())
        except ValueError:
            return Column.nominal(self.name, self.cells)

    def numbers(self) -> npt.NDArray[np.float64]:
        """Give floats, 0 and 1 for False and True; a cell that is no number is an error with its row."""
        try:
            return np.array(self._floats())
        except ValueError:
            booleans = truths(self.cells)
        if booleans is not None:
            return np.array(booleans)
        raise self.not_a_number(*self.first_text())

    def first_text(self) -> tuple[int, str]:
        """Give the data row of the file, and the cell, of the first cell that is no number; there is one."""
        return next(
            (self.first_row + row, cell)
            for row, cell in enumerate(self.cells, start=1)
            if not (cell is None or self._is_number(cell))
        )

    def not_a_number(self, row: int, cell: str | None) -> ValueError:
        """Refuse a cell of this data row of the file."""
        return ValueError(
            f"Column {self.name!r} takes numbers, but data row {row} holds {cell!r}{_why_none(cell)}. Mend "
            "the cell (empty means missing)."
        )

    @property
    def is_declared(self) -> bool:
        """Whether the file itself says its categories."""
        return self.kind in ("nominal", "ordered")

    def texts(self) -> list[str | None]:
        """Give the cells."""
        return list(self.cells)

    @cached_property
    def commas(self) -> CommaCount:
        """Whether its commas can be decimal points."""
        return CommaCount.of(self.cells)

    def _floats(self) -> list[float]:
        cells = ["nan" if cell is None else cell for cell in self.cells]
        if self.decimal_comma:
            cells = [cell.replace(",", ".") for cell in cells]
        # Nothing that takes a closer look: Python reads the rest of a file's millions of cells quickly.
        if max(map(len, cells), default=0) <= SHORT and "_" not in "".join(cells):
            return list(map(float, cells))
        return list(map(number, cells))

    def remark(self) -> str | None:
        """Point out a column of numbers that commas or single cells make nominal."""
        if self.kind is not None or self.column().kind == "numeric":
            return None
        count = ColumnCount(decimal_comma=self.decimal_comma)
        count.add_texts(self.cells)
        return count.remark(self.name)

    def _is_number(self, cell: str) -> bool:
        return is_number(cell.replace(",", ".") if self.decimal_comma else cell)


def _why_none(cell: str | None) -> str:
    return ", too long for a float" if cell is not None and is_too_long(cell) else ""


@dataclass(frozen=True, eq=False)
class FileTable:
    """The columns of one file.

    Parameters
    ----------
    source : str
        The file, for messages.
    columns : tuple of FileColumn
        In the file's order.
    n_rows : int
        At least 1.
    target : str or None
        The column that the format itself says is to be predicted (C4.5 does).
    notes : tuple of Advice
        What a user should know about how the file as a whole was read.
    first_row : int
        The number of rows before it: more than 0 in a part of a file.

    Examples
    --------
    >>> table = FileTable("pets.csv", (TextColumn("legs", ["4", "2"]), TextColumn("pet", ["cat", "bird"])), 2)
    >>> X, y = table.features(leave_out=["pet"]), table.labels("pet")
    >>> X.shape, y.tolist()
    ((2, 1), ['cat', 'bird'])
    """

    source: str
    columns: tuple[FileColumn, ...]
    n_rows: int
    target: str | None = None
    notes: tuple[Advice, ...] = ()
    first_row: int = 0

    def __post_init__(self) -> None:
        twice = first_repeat(self.names)
        if twice is not None:
            raise ValueError(f"{self.source} has two columns called {twice!r}. Rename one of them.")
        if not self.n_rows:
            raise ValueError(f"{self.source} has columns but no rows. Put at least one case into it.")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    def __getitem__(self, name: str) -> FileColumn:
        for column in self.columns:
            if column.name == name:
                return column
        raise no_column(self.source, self.names, name)

    def chosen(self, leave_out: Collection[str] = (), nominal: Collection[str] = ()) -> list[Column]:
        """Give the columns to learn from.

        Parameters
        ----------
        leave_out : collection of str
            Columns that must not be learnt from.
        nominal : collection of str
            Columns of numbers that are names (codes, postcodes).
        """
        for name in (*leave_out, *nominal):
            self[name]  # a wrong name is an error, not something to pass over
        return [
            column.nominal() if column.name in nominal else column.column()
            for column in self.columns
            if column.name not in leave_out
        ]

    def features(self, leave_out: Collection[str] = (), nominal: Collection[str] = ()) -> NamedColumns:
        """Give the table to learn from, as estimators take it."""
        return as_table(self.chosen(leave_out, nominal), self.n_rows)

    def labels(self, target: str) -> npt.NDArray[np.str_]:
        """Give the class of every row, as text; a row without one is an error."""
        return LabelReader([self], target).labels(self)

    def remarks(self, leave_out: Collection[str] = ()) -> list[str]:
        """Say what a user should know about how the file and its columns were read."""
        return [*map(str, self.notes), *self.column_remarks(leave_out)]

    def column_remarks(self, leave_out: Collection[str] = ()) -> list[str]:
        """Say what a user who learns from the columns should know about them."""
        found = (
            column.remark() or _identifier(column.column())
            for column in self.columns
            if column.name not in leave_out
        )
        return [remark for remark in found if remark is not None]


def no_column(source: str, names: Collection[str], name: str) -> ValueError:
    """Refuse a name that no column has."""
    near = close_names(name, names)
    hint = f"Did you mean {near[0]!r}?" if near else f"Its columns: {quoted(names)}."
    return ValueError(f"{source} has no column {name!r}. {hint}")


def _identifier(column: Column) -> str | None:
    """Point out a column that numbers or names the rows."""
    present = column.values[~column.missing]
    n_rows, distinct = len(present), len(np.unique(present))
    if column.kind == "numeric":
        whole = not column.n_missing and np.isfinite(present).all()
        return identifier(column.name, n_rows, None, alone=bool(whole and (np.diff(present) == 1).all()))
    return identifier(column.name, n_rows, distinct, alone=distinct == n_rows)


def as_table(columns: Sequence[Column], n_rows: int) -> NamedColumns:
    """Give columns as a table that estimators take."""
    raws = [raw_column(column, place) for place, column in enumerate(columns)]
    return NamedColumns([column.name for column in columns], raws, n_rows)


def raw_column(column: Column, place: int) -> RawColumn:
    """Give a column as the encoder takes it."""
    label = label_of(place, column.name)
    if column.kind == "numeric":
        return NumberColumn(column.values, label)
    codes = Codes(column.values, column.categories, declared=True)
    return CategoryColumn(codes, label, EncodedKind(column.kind))
