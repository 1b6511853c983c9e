"""Tables and price lists that a user names on the command line, read; nothing here loads scikit-learn."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.advice import advice_of, advised
from thriftwood.base.spelling import close_names
from thriftwood.cli.advice import in_shell
from thriftwood.cli.options import STANDARD
from thriftwood.cli.printing import note
from thriftwood.cli.progress import progress
from thriftwood.costs import CostError, Costs, Today
from thriftwood.costs.names import nearest, quoted
from thriftwood.datasets.columns import Column
from thriftwood.datasets.files import FileTable, TableParts, WholeTable, open_parts, open_table
from thriftwood.datasets.files.cells import LEAST
from thriftwood.datasets.files.table import as_table
from thriftwood.table.named import NamedColumns


@dataclass(frozen=True)
class Cases:
    """A table to learn from, and the classes of its rows."""

    source: str
    columns: list[Column]
    y: NDArray[np.str_]
    today: Column | None = None
    """Today's answers, which nobody learns from."""

    def __len__(self) -> int:
        return len(self.y)

    @property
    def X(self) -> NamedColumns:
        """The table without the target."""
        return as_table(self.columns, len(self.y))

    @property
    def X_today(self) -> NamedColumns:
        """The table with today's answers, if there are any."""
        return as_table([*self.columns, *([] if self.today is None else [self.today])], len(self.y))

    @property
    def labels(self) -> NDArray[np.int32]:
        """The class numbers, in the order of the sorted classes."""
        return np.unique(self.y, return_inverse=True)[1].astype(np.int32)

    def take(self, rows: NDArray[np.bool_]) -> Cases:
        """Return the rows marked True."""
        today = None if self.today is None else self.today.take(rows)
        return Cases(self.source, [column.take(rows) for column in self.columns], self.y[rows], today)


def table_of(path: Path, encoding: str | None = None) -> FileTable:
    """Read a table, and say what is to be known about how it was read; - is CSV from standard input."""
    if path == STANDARD:
        table = open_table("stdin.csv", sys.stdin.buffer.read(), encoding=encoding)
    else:
        with progress(f"reading {path.name}"):
            table = open_table(path, encoding=encoding)
    for remark in table.notes:
        note(in_shell(remark))
    return table


def cases_of(
    path: Path,
    target: str | None,
    costs: Costs | None,
    ignored: Collection[str] | None,
    nominal: Collection[str] | None,
    encoding: str | None,
) -> Cases:
    """Read a table to learn from, with these costs."""
    table = table_of(path, encoding)
    target = table.target if target is None else target
    if target is None:
        raise ValueError(
            f"Which column is to be learnt? Say --target COLUMN. {table.source} has {quoted(table.names)}."
        )
    y = table.labels(target)
    check_target_free(costs, target, table.names)
    today = None if costs is None else costs.today
    check_today(today, table.names, target)
    answers = None if today is None else today.answers
    left_out = {*(ignored or ()), target} | ({answers} if answers is not None else set())
    columns = table.chosen(left_out, set(nominal or ()) - left_out)
    if len(np.unique(y)) < 2:
        raise ValueError(
            f"All {len(y)} rows of {table.source} have the same {target!r}, {str(y[0])!r}: there is nothing "
            "to tell apart. Give cases of at least two classes."
        )
    check_classes(table.source, target, len(y), str(y[0]) if len(np.unique(y)) == len(y) else None)
    if not columns:
        raise ValueError(f"{table.source} has no column to learn from besides the target {target!r}.")
    for remark in table.column_remarks({*left_out, *(nominal or ())}):
        note(remark)
    return Cases(table.source, columns, y, None if answers is None else table[answers].column())


def parts_of(path: Path, encoding: str | None) -> TableParts:
    """Open a table to be read some rows at a time, and say what is to be known about how it is read."""
    if path == STANDARD:
        return WholeTable(table_of(path, encoding))
    with progress(f"reading {path.name}"):
        parts = open_parts(path, encoding=encoding)
    for remark in parts.notes:
        note(in_shell(remark))
    return parts


def costs_of(path: Path | None, ignored: Collection[str] | None = None) -> Costs | None:
    """Read a price list, if one is named, without the prices of columns that are not learnt from."""
    if path is None:
        return None
    costs = Costs.from_file(path)
    return costs.only([name for name in costs.tests if name not in ignored]) if ignored else costs


@contextmanager
def of_price_list(path: Path | None) -> Iterator[None]:
    """Name the price list where an error of its content comes up after it was read."""
    try:
        yield
    except CostError as error:
        if path is None:
            raise
        raise advised(CostError, f"{path}: ", advice_of(error)) from None


def check_target_free(costs: Costs | None, target: str, columns: Collection[str]) -> None:
    """Refuse a price of what is to be learnt, however its capitals are written."""
    for name in () if costs is None else costs.tests:
        if name == target or (name not in columns and close_names(name, columns, most=1) == [target]):
            meant = "" if name == target else f" Did you mean {target!r}?"
            raise ValueError(
                f"The price list has a price for {name!r}.{meant} {target!r} is the column to be learnt, and "
                "no test: take its line out of [tests], or give another --target."
            )


def check_classes(source: str, target: str, n_rows: int, unrepeated: str | None) -> None:
    """Refuse to learn a column that tells every row apart; `unrepeated`: one of its values, if it does."""
    if unrepeated is not None and n_rows >= LEAST:
        raise ValueError(
            f"Column {target!r} of {source} is different in each of its {n_rows} rows, such as "
            f"{unrepeated!r}, where classes were wanted. Name a column whose values come again."
        )


def check_today(today: Today | None, columns: Collection[str], target: str | None) -> None:
    """Raise if today's practice names a column that the table does not have, or the one to be learnt."""
    named = () if today is None else [*(today.tests or ()), *([today.answers] if today.answers else [])]
    for name in named:
        if name not in columns:
            raise CostError(f"[today] names {name!r}, which is no column. {nearest(name, columns)}")
        if name == target:
            raise CostError(f"[today] names {name!r}, the column to be learnt. Today does not know it yet.")
