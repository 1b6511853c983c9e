"""`StreamSession`: lines of a table, learnt from as they come, saved now and then, taken up again."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from thriftwood.base.advice import advised
from thriftwood.base.remedies import Pass
from thriftwood.base.saving import save_text
from thriftwood.datasets.files.decimal_commas import CommaCount, with_decimal_commas
from thriftwood.datasets.files.delimited import delimiter_of, header_of, known_cells, rows_of
from thriftwood.datasets.files.table import FileTable, TextColumn
from thriftwood.streams.history import StreamHistory
from thriftwood.streams.streaming_tree import StreamingTree
from thriftwood.table import Kind
from thriftwood.table.named import NamedColumns

FORMAT = "thriftwood stream"
VERSION = 1


class StreamSession:
    """A `StreamingTree` that reads delimited lines.

    Parameters
    ----------
    model : StreamingTree
        Who answers and learns.
    target : str
        The column to learn.
    leave_out, nominal : collection of str
        Columns that are not learnt from, and columns of numbers that are names. Which columns are nominal
        otherwise is decided by the first batch.
    settings : dict
        What the state file is to be compared with when it is taken up again.

    Examples
    --------
    >>> import thriftwood as tw
    >>> session = StreamSession(tw.StreamingTree(tw.algorithm("c45")), "play")
    >>> lines = ["wind,play", *["weak,yes", "strong,no"] * 20]
    >>> for n_rows in session.learn(lines, "golf.csv", batch=10):
    ...     pass
    >>> session.n_rows, session.model.history_
    (40, <StreamHistory: 30 cases, accuracy 1, tests 0 and mistakes 0 a case>)
    """

    def __init__(
        self,
        model: StreamingTree,
        target: str,
        leave_out: Collection[str] = (),
        nominal: Collection[str] = (),
        settings: dict[str, Any] | None = None,
    ) -> None:
        self.model = model
        self.target = target
        self.leave_out = tuple(leave_out)
        self.nominal = set(nominal)
        self.settings = settings or {}
        self.header: list[str] | None = None
        self.decimal_commas: set[str] | None = None
        self.n_rows = 0

    def learn(
        self,
        lines: Iterable[str],
        source: str,
        *,
        batch: int,
        skip: int = 0,
        delimiter: str | None = None,
        decimal_commas: Collection[str] | None = None,
    ) -> Iterator[int]:
        """Learn from lines, the header first; give the number of rows after each batch.

        `skip`: so many rows are passed over, which were learnt before. `delimiter` None: the header decides.
        `decimal_commas`, the columns that have them, None: the first batch of the stream decides.
        """
        lines = iter(lines)
        if delimiter is None:
            first = list(_to_text(lines))
            delimiter = delimiter_of(first)
            lines = chain(first, lines)
        if decimal_commas is not None:
            self.decimal_commas = set(decimal_commas)
        rows = rows_of(lines, source, delimiter)
        header = header_of(rows, source)
        self._check_header(header, source)
        for _ in islice(rows, skip):
            pass
        while cells := list(islice(rows, batch)):
            texts = dict(zip(header, map(known_cells, zip(*cells, strict=True)), strict=True))
            if self.decimal_commas is None:
                marked = with_decimal_commas(map(CommaCount.of, texts.values()), delimiter)
                self.decimal_commas = {name for name, comma in zip(texts, marked, strict=True) if comma}
            columns = tuple(
                TextColumn(name, own, decimal_comma=name in self.decimal_commas, first_row=self.n_rows)
                for name, own in texts.items()
            )
            self._learn(FileTable(source, columns, len(cells), first_row=self.n_rows))
            yield self.n_rows

    def save(self, path: str | PathLike[str]) -> None:
        """Write all that is needed to go on: the rows that are kept, and the history. Replaced whole."""
        X, y = self.model.kept_
        content = {
            "format": FORMAT,
            "version": VERSION,
            "settings": self.settings,
            "header": self.header,
            "nominal": sorted(self.nominal),
            "decimal_commas": sorted(self.decimal_commas or ()),
            "n_rows": self.n_rows,
            "history": self.model.history_.to_json(),
            "columns": dict(zip(X.names, map(_texts, X.columns), strict=True)),
            "classes": y.tolist(),
        }
        save_text(path, json.dumps(content) + "\n", encoding="ascii")

    def load(self, path: str | PathLike[str]) -> None:
        """Go on from what `save` wrote.

        Raises
        ------
        ValueError
            If it is no such file, or of a stream with other settings.
        """
        try:
            content = json.loads(Path(path).read_text(encoding="ascii"))
            if content["format"] != FORMAT or content["version"] != VERSION:
                raise ValueError("another format")
            header, n_rows = list(map(str, content["header"])), int(content["n_rows"])
            history = StreamHistory.from_json(content["history"])
            texts = {str(name): list(cells) for name, cells in content["columns"].items()}
            classes = np.array(list(map(str, content["classes"])))
            nominal, settings = set(map(str, content["nominal"])), dict(content["settings"])
            decimal_commas = set(map(str, content["decimal_commas"]))
            columns = tuple(
                TextColumn(name, [_text(cell) for cell in cells]) for name, cells in texts.items()
            )
            table = FileTable(str(path), columns, len(classes))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(
                f"{path} is not the state of a stream that this version can take up: {error}. Name another "
                "file, or take it away to begin anew."
            ) from None
        for name, value in self.settings.items():
            if settings.get(name) != value:
                raise ValueError(
                    f"{path} is of a stream with {name} {settings.get(name)!r}, and now it is {value!r}. Use "
                    "the same settings, or another file."
                )
        self.header, self.nominal, self.n_rows = header, nominal, n_rows
        self.decimal_commas = decimal_commas
        self.model.resume(table.features((), self._named(table)), classes, history, n_rows)

    def _learn(self, table: FileTable) -> None:
        apart = {self.target, *self.leave_out}
        if not self.nominal and self.n_rows == 0:
            self.nominal = {c.name for c in table.chosen(apart) if c.kind != "numeric"}
        elif self.n_rows == 0:
            self.nominal |= {c.name for c in table.chosen(apart, self.nominal) if c.kind != "numeric"}
        _check_numbers(table, apart | self.nominal)
        X = table.features(apart, self._named(table))
        assert isinstance(X, NamedColumns)
        self.model.partial_fit(X, table.labels(self.target))
        self.n_rows += table.n_rows

    def _named(self, table: FileTable) -> set[str]:
        return self.nominal & set(table.names)

    def _check_header(self, header: list[str], source: str) -> None:
        for name in (self.target, *self.leave_out, *(self.nominal if self.header is None else ())):
            if name not in header:
                raise ValueError(f"{source} has no column {name!r}. It has {', '.join(map(repr, header))}.")
        if self.header is not None and header != self.header:
            raise ValueError(
                f"{source} has the columns {', '.join(map(repr, header))}, and the stream so far had "
                f"{', '.join(map(repr, self.header))}."
            )
        self.header = header


def _to_text(lines: Iterator[str]) -> Iterator[str]:
    """Give lines as far as the first that is not blank."""
    for line in lines:
        yield line
        if line.strip():
            return


def _check_numbers(table: FileTable, others: Collection[str]) -> None:
    """Refuse text in a column that the first batch had as numbers, and numbers that are not finite."""
    for column in table.columns:
        if column.name in others:
            continue
        made = column.column()
        if made.kind == "numeric":
            infinite = np.isinf(made.values)
            if infinite.any():
                row = table.first_row + int(infinite.argmax()) + 1
                raise ValueError(
                    f"{table.source}: column {column.name!r} holds an infinite number in data row {row} of "
                    "the stream. Put a finite one there, or nothing if it is missing."
                )
            continue
        assert isinstance(column, TextColumn)
        row, cell = column.first_text()
        raise advised(
            ValueError,
            f"{table.source}: column {column.name!r} has numbers since the first batch, but data row {row} "
            f"of the stream holds {cell!r}. Mend the cell (empty means missing). If its numbers are names, "
            "begin anew and ",
            Pass("nominal", column.name),
            ".",
        )


def _texts(column: Any) -> list[Any]:
    """Return the cells of a column: numbers and texts, None where missing."""
    if column.natural is Kind.NUMERIC:
        return [None if value != value else value for value in column.numbers().tolist()]
    codes, categories, _ = column.codes()
    return [None if code < 0 else categories[code] for code in codes.tolist()]


def _text(cell: Any) -> str | None:
    return None if cell is None else cell if isinstance(cell, str) else repr(float(cell))
