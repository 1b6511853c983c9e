"""Results written for other programs, to files or standard output: tables as CSV or TSV, models as JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from thriftwood.base.saving import save_text
from thriftwood.cli.options import STANDARD

if TYPE_CHECKING:
    from thriftwood.models.model import Model

DELIMITERS = {".csv": ",", ".tsv": "\t"}
_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a formula begins with; spreadsheets take full-width signs for the plain ones."""


def check_place(path: Path | None) -> None:
    """Refuse a file name that says no format, before anything is computed."""
    if path is not None and path != STANDARD and path.suffix.lower() not in DELIMITERS:
        raise ValueError(f"The table is written to something.csv or something.tsv. Got {path.name!r}.")
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


def write_table(path: Path, columns: Mapping[str, Sequence[Any]], *, raw: bool = False) -> None:
    """Write columns with a header row; a value that is None or NaN is an empty cell.

    Unless `raw`, an apostrophe stands before texts that a spreadsheet would take for a formula.
    """
    text = io.StringIO()
    delimiter = "," if path == STANDARD else DELIMITERS[path.suffix.lower()]
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    cell = _cell if raw else _harmless
    writer.writerow([cell(name) for name in columns])
    writer.writerows([cell(value) for value in row] for row in zip(*columns.values(), strict=True))
    if path == STANDARD:
        typer.echo(text.getvalue(), nl=False)
    else:
        save_text(path, text.getvalue())


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
