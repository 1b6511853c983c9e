"""A file read by what a model learnt: its columns in its order, of its kinds, with its categories."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from thriftwood.costs.names import class_name, quoted
from thriftwood.datasets.files.parts import TableParts
from thriftwood.datasets.files.table import FileColumn, FileTable
from thriftwood.table import Column, Kind
from thriftwood.table.named import NamedColumns
from thriftwood.table.raw import CategoryColumn, Codes, NumberColumn, RawColumn
from thriftwood.table.values import as_written


def matched(table: FileTable, learnt: Sequence[Column], needed: Collection[str]) -> NamedColumns:
    """Return the learnt columns as the file has them.

    Other columns of the file are left alone. A column that nobody reads may be absent: it is missing then.

    Parameters
    ----------
    table : FileTable
        The file.
    learnt : sequence of table.Column
        What the model knows about its columns. Those of a table without names are called x0, x1, ...
    needed : collection of str
        The columns that the model reads.

    Raises
    ------
    ValueError
        If the file lacks a column that is needed, or has text where numbers were learnt.

    Examples
    --------
    >>> from thriftwood.datasets.files.table import TextColumn
    >>> file = FileTable("new.csv", (TextColumn("zip", ["10", "20"]), TextColumn("note", ["a", "b"])), 2)
    >>> matched(file, [Column(0, "zip", Kind.NOMINAL, ("10", "x")), Column(1, "age")], ["zip"]).names
    ('zip', 'age')
    """
    check_present(table, needed)
    here = set(table.names)
    names = names_of(learnt)
    raws = [
        _matched(table[name], column) if name in here else _nothing(column, table.n_rows)
        for name, column in zip(names, learnt, strict=True)
    ]
    return NamedColumns(None if learnt[0].name is None else names, raws, table.n_rows, table.first_row)


def names_of(learnt: Sequence[Column]) -> list[str]:
    """Return what a file calls columns: by their names, or x0, x1, ... where these have none."""
    return [f"x{column.index}" if column.name is None else column.name for column in learnt]


def check_present(table: FileTable | TableParts, needed: Collection[str]) -> None:
    """Refuse a file that lacks a column."""
    absent = [name for name in needed if name not in table.names]
    if absent:
        raise ValueError(
            f"{table.source} lacks {_columns(absent)} that the model asks for: {quoted(absent)}. Its "
            f"columns: {quoted(table.names)}. Add what is absent (an empty cell where a value is missing)."
        )


def _columns(names: Sequence[str]) -> str:
    return "a column" if len(names) == 1 else f"{len(names)} columns"


def _matched(found: FileColumn, learnt: Column) -> RawColumn:
    if learnt.kind is Kind.NUMERIC:
        return NumberColumn(found.numbers(), learnt.label)
    texts = found.texts()
    distinct = list(dict.fromkeys(text for text in texts if text is not None))
    code: dict[str | None, int] = {text: number for number, text in enumerate(distinct)} | {None: -1}
    codes = np.fromiter((code[text] for text in texts), dtype=np.int32, count=len(texts))
    exact = {class_name(category): category for category in learnt.categories}
    categories = [exact.get(text, learnt.by_text.get(as_written(text), text)) for text in distinct]
    return CategoryColumn(Codes(codes, categories, declared=True), learnt.label, learnt.kind)


def _nothing(learnt: Column, n_rows: int) -> RawColumn:
    if learnt.kind is Kind.NUMERIC:
        return NumberColumn(np.full(n_rows, np.nan), learnt.label)
    return CategoryColumn(Codes(np.full(n_rows, -1, dtype=np.int32), ()), learnt.label, learnt.kind)
