"""`read_table`: a file as a data set; `open_table`: the same before anything is decided about its columns."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from thriftwood.datasets.columns import Column
from thriftwood.datasets.dataset import Dataset
from thriftwood.datasets.files.arff import read_arff
from thriftwood.datasets.files.arrow import read_arrow
from thriftwood.datasets.files.c45 import read_c45
from thriftwood.datasets.files.decoding import Decoded, decoded_text, unpacked
from thriftwood.datasets.files.delimited import read_delimited
from thriftwood.datasets.files.labels import are_labels
from thriftwood.datasets.files.table import FileColumn, FileTable
from thriftwood.datasets.frames import Frame, choose_library, to_frame

DELIMITED = {".csv": None, ".txt": None, ".tsv": "\t", ".tab": "\t"}
ARROW = {".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow"}
C45 = {".data": ".data", ".test": ".test", ".names": ".data"}
SHEETS = (".xlsx", ".xlsm", ".xls", ".ods")
"""Workbooks, which are not read."""
ENDINGS = (*DELIMITED, *ARROW, ".arff", *C45)


def read_table(
    path: str | os.PathLike[str],
    target: str | None = None,
    *,
    leave_out: Collection[str] = (),
    nominal: Collection[str] = (),
    frame: Frame = "auto",
    encoding: str | None = None,
) -> Dataset:
    r"""Read a table from a file: CSV, TSV, Parquet, Arrow, ARFF or C4.5's .names with .data.

    Parameters
    ----------
    path : path
        The ending says the format: .csv, .txt (comma, semicolon, tab or bar between cells), .tsv, .tab,
        .parquet, .pq, .arrow, .feather, .ipc, .arff, .data, .test, .names; text may be packed (.csv.gz).
    target : str, optional
        The column to learn. None: none, ``y`` is None then; but the class of C4.5's files is always the
        target unless another is named.
    leave_out : collection of str
        Columns that must not be learnt from, such as identifiers; they go to ``extra``.
    nominal : collection of str
        Columns of numbers that are names, such as postcodes.
    frame : {"auto", "pandas", "polars", "pyarrow", "numpy"}
        What ``X`` is; "auto": the first of them that is installed.
    encoding : str, optional
        How letters are written in a text file, such as "cp1252". None: UTF-8 (or UTF-16 with its mark), and
        cp1252, as spreadsheets of western Europe write it, where it is not; the description says so then.
        Parquet and Arrow files have none.

    Returns
    -------
    Dataset
        ``X`` for `fit` and `predict`, ``y`` (the classes as text, numbers for regression), and the names.

    Raises
    ------
    ValueError
        If the file cannot be understood; the message names the line or the column.

    Notes
    -----
    A column of a text file is numeric if every cell is a number, and nominal otherwise; True and False are
    categories in every format. An empty cell, ?, NA,
    N/A, nan and null are missing. Numbers may have decimal commas where cells are not separated by commas.
    Whole numbers as a target are classes if there are at most 50 different
    ones, and numbers otherwise. ARFF and C4.5 files declare their columns; Parquet and Arrow files have
    types, and only they need another package: pyarrow or polars.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "patients.csv")
    ...     size = path.write_text("age,smoker,state\n54,yes,sick\n61,,healthy\n")
    ...     data = read_table(path, target="state")
    >>> data
    <Dataset 'patients': 2 rows, 2 features, 2 classes (sick 1, healthy 1), 1 missing cell, no prices>
    >>> data.y.tolist()
    ['sick', 'healthy']
    """
    library = choose_library(frame)
    table = open_table(path, encoding=encoding)
    target = table.target if target is None else target
    apart = set(leave_out) if target is None else {*leave_out, target}
    chosen = table.chosen(apart, nominal)
    others = [_kept(table[name]) for name in leave_out if name != target]
    y = None if target is None else _target(table, target)
    return Dataset(
        name=Path(path).name.partition(".")[0],
        X=to_frame(chosen, library),
        y=y,
        costs=None,
        description=" ".join([f"Read from {table.source}.", *table.remarks({*apart, *nominal})]),
        feature_names=tuple(column.name for column in chosen),
        target_names=() if y is None or y.dtype.kind == "f" else tuple(np.unique(y).tolist()),
        extra=to_frame(others, library) if others else None,
        roles={column.name: "ignore" for column in others},
        n_missing=sum(column.n_missing for column in chosen),
    )


def open_table(
    path: str | os.PathLike[str], content: bytes | None = None, *, encoding: str | None = None
) -> FileTable:
    """Read a file without deciding about its columns.

    Parameters
    ----------
    path : path
        The ending says the format.
    content : bytes, optional
        What the file holds, if it was read already; C4.5's files must be read from `path`.
    encoding : str, optional
        As in `read_table`.
    """
    path = Path(path)
    packed = path.suffix.lower() == ".gz"
    inner = path.with_suffix("") if packed else path
    ending = inner.suffix.lower()
    if ending not in ENDINGS:
        sheet = " Save the sheet as CSV." if ending in SHEETS else ""
        raise ValueError(
            f"The ending of {path.name!r} says no format that can be read.{sheet} Endings: "
            f"{', '.join(ENDINGS)} (.gz after that of a text file)."
        )
    if ending in C45:
        names, data = inner.with_suffix(".names"), inner.with_suffix(C45[ending])
        declared, rows = _text(names, encoding=encoding), _text(data, packed, encoding=encoding)
        found = read_c45(declared.text, rows.text, str(names), str(data))
        return replace(found, notes=(*declared.notes, *rows.notes))
    if ending in ARROW and encoding is not None:
        raise ValueError(
            f"{path} is no text file, so it has no encoding such as {encoding!r}. Leave the encoding out."
        )
    content = path.read_bytes() if content is None else content
    if ending in ARROW:
        return read_arrow(unpacked(content, path) if packed else content, str(path), ARROW[ending])
    decoded = decoded_text(unpacked(content, path) if packed else content, path, encoding)
    if ending == ".arff":
        found = read_arff(decoded.text, str(path))
    else:
        found = read_delimited(decoded.text, str(path), DELIMITED[ending])
    return replace(found, notes=decoded.notes)


def _target(table: FileTable, target: str) -> npt.NDArray[Any]:
    column = table[target].column()
    if column.kind == "numeric" and not column.n_missing and not are_labels(column.values):
        return column.values
    return table.labels(target)


def _kept(left_out: FileColumn) -> Column:
    """Give a column that is not learnt from; identifiers that numbers cannot hold as categories."""
    try:
        return left_out.column()
    except ValueError:
        return left_out.nominal()


def _text(path: Path, packed: bool = False, *, encoding: str | None) -> Decoded:
    if packed:
        path = path.with_suffix(path.suffix + ".gz")
        return decoded_text(unpacked(path.read_bytes(), path), path, encoding)
    try:
        return decoded_text(path.read_bytes(), path, encoding)
    except FileNotFoundError:
        if path.suffix != ".names":
            raise
        raise ValueError(
            f"{path} is not there. A .data or .test file goes with a .names file that says what its columns "
            "are; a table with a header row is called something.csv."
        ) from None
