"""Results written for other programs, to files or standard output: tables, and models as JSON."""

from __future__ import annotations

import csv
import errno
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import typer

from thriftwood.base.saving import replacing
from thriftwood.cli.options import STANDARD

if TYPE_CHECKING:
    from thriftwood.models.model import Model

Columns: TypeAlias = Mapping[str, Sequence[Any]]
"""Values of some rows, by column."""
Write: TypeAlias = Callable[[Columns], None]

DELIMITERS = {".csv": ",", ".tsv": "\t"}
PARQUET = (".parquet", ".pq")
_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a formula begins with; spreadsheets take full-width signs for the plain ones."""


def check_place(path: Path | None) -> None:
    """Refuse a file name that says no format, before anything is computed."""
    if path is not None and path != STANDARD:
        ending = path.suffix.lower()
        if ending not in (*DELIMITERS, *PARQUET):
            raise ValueError(
                "The table is written to something.csv or something.tsv, or to something.parquet. Got "
                f"{path.name!r}."
            )
        if ending in PARQUET and not find_spec("pyarrow"):
            raise ValueError(
                f"{path.name} needs pyarrow to be written, which is not installed: pip install pyarrow. Or "
                "name a .csv file."
            )
    check_folder(path)


def check_output(path: Path | None, as_json: bool, what: str) -> None:
    """Refuse two results on standard output, and a file that cannot be written."""
    if as_json and path == STANDARD:
        raise typer.BadParameter(f"--json and -o - both want standard output; name a file for the {what}.")
    check_folder(path)


def check_folder(path: Path | None) -> None:
    """Refuse a file that cannot be written for want of its folder, before anything is computed."""
    if path is None or path == STANDARD:
        return
    if not path.parent.is_dir():
        raise ValueError(f"{path} cannot be written: there is no folder {str(path.parent)!r}. Make it first.")
    if path.is_dir():
        raise ValueError(f"{path} cannot be written: it is a folder. Name a file in it.")


def check_model(path: Path | None) -> None:
    """Refuse to save a model under the name of a table or a price list, which it would be taken for."""
    from thriftwood.costs.files import ENDINGS as PRICE_LISTS  # loads numpy: not for `thriftwood --help`
    from thriftwood.datasets.files.reading import ENDINGS as TABLES

    if path is None or path == STANDARD:
        return
    ending = path.suffix.lower()
    if ending in {*TABLES, *PRICE_LISTS, ".gz"} - {".json"}:
        raise ValueError(f"A model is a .json file, and {ending} is no ending of one. Got {path.name!r}.")
    check_folder(path)


def check_spared(path: Path | None, **read: Path | None) -> None:
    """Refuse to write over a file that the command reads; each is named by what it is.

    >>> check_spared(Path("new.json"), table=Path("old.csv"), price_list=None)
    """
    if path is None or path == STANDARD or not path.exists():
        return
    for what, source in read.items():
        if source is not None and source != STANDARD and source.exists() and path.samefile(source):
            named = what.replace("_", " ")
            raise ValueError(f"{path} is the {named} itself, which would be lost. Name another file.")


def write_model(model: Model, path: Path) -> None:
    """Save a model, or print it on standard output as the file would be."""
    if path == STANDARD:
        typer.echo(model.to_json())
    else:
        model.save(path)


def write_table(path: Path, columns: Columns, *, raw: bool = False) -> None:
    """Write columns with a header row; see `table_writer`."""
    with table_writer(path, raw=raw) as write:
        write(columns)


@contextmanager
def table_writer(path: Path, *, raw: bool = False) -> Iterator[Write]:
    """Give a function to call with columns, some rows at a time; None and NaN are empty cells.

    A file is there when all is written, and the old one until then. Unless `raw`, an apostrophe stands before
    texts that a spreadsheet would take for a formula; in Parquet, which no spreadsheet runs, it never does.
    """
    if path == STANDARD:
        yield _delimited(",", raw, lambda text: typer.echo(text, nl=False))
        return
    with _named_if_full(path), replacing(path) as new:
        if path.suffix.lower() in PARQUET:
            from thriftwood.cli.parquet import parquet_writer

            with parquet_writer(new) as write:
                yield write
        else:
            with new.open("w", encoding="utf-8", newline="") as file:
                yield _delimited(DELIMITERS[path.suffix.lower()], raw, file.write)


@contextmanager
def _named_if_full(path: Path) -> Iterator[None]:
    """Say which file it is that a disk has no room for: what writes to an open file does not know."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def _delimited(delimiter: str, raw: bool, put: Callable[[str], object]) -> Write:
    cell = _cell if raw else _harmless
    begun = False

    def write(columns: Columns) -> None:
        nonlocal begun
        text = io.StringIO()
        writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
        if not begun:
            writer.writerow([cell(name) for name in columns])
        writer.writerows([cell(value) for value in row] for row in zip(*columns.values(), strict=True))
        put(text.getvalue())
        begun = True

    return write


def _cell(value: Any) -> Any:
    return "" if value is None or value != value else value


def _harmless(value: Any) -> Any:
    """Return what a cell holds, and no formula: a spreadsheet would run what others wrote into the table.

    >>> [_harmless(value) for value in ("=1+1", "@now", "-3.5", -3.5, "+49 30", "a=b", None)]
    ["'=1+1", "'@now", '-3.5', -3.5, "'+49 30", 'a=b', '']
    """
    if not isinstance(value, str) or not value.startswith(_FORMULAS):
        return _cell(value)
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value  # a number
