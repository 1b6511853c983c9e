"""Sources that are files: Parquet, one or many; a CSV or TSV file is read in parts."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from thriftwood.base.spelling import close_names
from thriftwood.datasets.files.arrow import opened_parquet
from thriftwood.datasets.files.parts import delimited_parts
from thriftwood.datasets.files.reading import ARROW, DELIMITED
from thriftwood.datasets.scans.parts import FileParts
from thriftwood.datasets.scans.source import FileState, RowPlace, Source, rows_in_batch


def open_files(path: str | Path) -> Source:
    """Open a file, a folder of Parquet files, or the files of a pattern such as ``cases/*.parquet``."""
    text = str(path)
    found = Path(text)
    if found.is_dir():
        files = sorted(p for p in found.rglob("*") if _is_parquet(p) and _seen(p, found))
        if not files:
            raise ValueError(f"{text} has no Parquet files (*.parquet) in it.")
        _check_no_column_in_names(files, found)
        return ParquetFiles(files, text)
    if glob.has_magic(text) and not found.exists():
        files = sorted(map(Path, glob.glob(text, recursive=True)))
        if not files:
            raise FileNotFoundError(f"No file is called {text}.")
    else:
        files = [found]
    endings = {_ending(file) for file in files}
    if all(ARROW.get(ending) == "parquet" for ending in endings):
        return ParquetFiles(files, text)
    if len(files) == 1 and endings <= set(DELIMITED):
        return _delimited(files[0])
    what = "several files that are not all Parquet" if len(files) > 1 else f"a file of type {endings.pop()!r}"
    raise ValueError(f"{text} is {what}. A scan reads Parquet files, or one CSV or TSV file (.gz, too).")


def _is_parquet(path: Path) -> bool:
    """Tell whether a path is a file of a table; engines also call whole folders so."""
    return ARROW.get(path.suffix.lower()) == "parquet" and not path.is_dir()


def _seen(file: Path, folder: Path) -> bool:
    """Tell whether a file belongs to the table: what engines hide or have not finished does not."""
    return not any(name.startswith((".", "_")) for name in file.relative_to(folder).parts)


def _check_no_column_in_names(files: Sequence[Path], folder: Path) -> None:
    """Raise if a column lies in the names of folders alone, where it would not be seen."""
    for file in files:
        for name in file.relative_to(folder).parts[:-1]:
            column, equals, _ = name.partition("=")
            if column and equals:
                raise ValueError(
                    f"{folder} has folders such as {name}, whose names hold a column {column!r} that is in "
                    f"no file. Scan pyarrow.dataset.dataset({str(folder)!r}, partitioning='hive')."
                )


def _delimited(path: Path) -> Source:
    return FileParts(path, delimited_parts(path))


def _ending(file: Path) -> str:
    packed = file.suffix.lower() == ".gz"
    return (file.with_suffix("") if packed else file).suffix.lower()


class ParquetFiles(Source):
    """Parquet files of the same columns, one after the other."""

    def __init__(self, paths: Sequence[Path], name: str) -> None:
        self.name = name
        self._paths = list(paths)
        self._rows: list[int] = []
        """Of each file."""
        types: dict[str, tuple[Any, Path]] = {}
        for path in self._paths:
            with opened_parquet(path) as file:
                schema = file.schema_arrow
                self._rows.append(file.metadata.num_rows)
            if not types:
                types = {name: (kind, path) for name, kind in zip(schema.names, schema.types, strict=True)}
                self.names = tuple(schema.names)
            _check_schema(path, schema, types, self._paths[0])
        self.n_rows = sum(self._rows)

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        """Read the files in the order of their names."""
        import pyarrow as pa

        wanted = list(columns)
        for path, rows in zip(self._paths, self._rows, strict=True):
            with opened_parquet(path) as file:
                now = file.metadata.num_rows
                if now != rows:
                    raise ValueError(
                        f"{path} had {rows:,} rows when it was scanned and now has {now:,}. Scan the table "
                        "again."
                    )
                for batch in file.iter_batches(rows_in_batch(len(wanted)), columns=wanted):
                    yield pa.Table.from_batches([batch]).select(wanted)

    def place(self, row: int) -> RowPlace | None:
        """Say in which of the files a row is."""
        if len(self._paths) == 1:
            return None
        ends = np.cumsum(self._rows)
        j = int(np.searchsorted(ends, row, side="right"))
        return RowPlace(self._paths[j], int(ends[j]) - self._rows[j])

    def files(self) -> tuple[FileState, ...]:
        """Say which files these are."""
        return tuple(map(FileState.of, self._paths))


def _check_schema(path: Path, schema: Any, types: dict[str, tuple[Any, Path]], first: Path) -> None:
    """Raise unless the columns of a file are those of the first; one without a value may have any type.

    `types`: of each column, with the first file that has it so; those of columns without a value are set.
    """
    same = "Write both with the same columns and types."
    for name in types:
        if name not in schema.names:
            near = close_names(name, schema.names)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"{path} has no column {name!r}, and {first} has.{hint} {same}")
    for name, kind in zip(schema.names, schema.types, strict=True):
        if name not in types:
            raise ValueError(f"{path} has a column {name!r}, and {first} has none. {same}")
        if str(types[name][0]) == "null":  # it had no value at all until here, and nobody knew what it was
            types[name] = kind, path
        known, other = types[name]
        if kind != known and str(kind) != "null":
            raise ValueError(f"{path} has {name!r} as {kind}, and {other} has it as {known}. {same}")
