"""Tables written for other programs: CSV or TSV files, or standard output."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

STANDARD = Path("-")
DELIMITERS = {".csv": ",", ".tsv": "\t"}


def check_place(path: Path | None) -> None:
    """Refuse a file name that says no format, before anything is computed."""
    if path is not None and path != STANDARD and path.suffix.lower() not in DELIMITERS:
        raise ValueError(f"The table is written to something.csv or something.tsv. Got {path.name!r}.")


def write_table(path: Path, columns: Mapping[str, Sequence[Any]]) -> None:
    """Write columns with a header row; a value that is None or NaN is an empty cell."""
    text = io.StringIO()
    delimiter = "," if path == STANDARD else DELIMITERS[path.suffix.lower()]
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in zip(*columns.values(), strict=True))
    if path == STANDARD:
        typer.echo(text.getvalue(), nl=False)
    else:
        path.write_text(text.getvalue(), encoding="utf-8")


def _cell(value: Any) -> Any:
    return "" if value is None or value != value else value
