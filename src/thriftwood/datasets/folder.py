"""A folder of data files: ``NAME.csv`` or ``NAME.csv.gz``, described by ``datasets.json`` or ``NAME.json``.

The CSV file has a header row, an empty cell means missing, and the target is the column named by ``target``
(``class`` unless said otherwise). The description gives each column its type (numeric, nominal or ordered),
the declared ``values`` where they are known, and a ``role`` when it must not be learnt from.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from thriftwood.base.saving import save_bytes
from thriftwood.datasets.columns import Column, parse_column

ROLES = ("identifier", "leak", "ignore", "cost")
"""Roles of columns that must not be learnt from."""

# what a description may say besides its columns
_FIELDS = {
    "title": str,
    "source": str,
    "target": str,
    "file": str,
    "sha256": str,
    "notes": list,
    "papers": list,
    "class_counts": dict,
}


def data_folders(data_dir: str | os.PathLike[str] | None) -> list[Path]:
    """Return the folders to look in: the one given or ``$THRIFTWOOD_DATA``, then the user's cache."""
    chosen = data_dir if data_dir is not None else os.environ.get("THRIFTWOOD_DATA")
    if not chosen:
        return [cache_folder()]
    folder = Path(chosen)
    if not folder.is_dir():
        origin = "data_dir" if data_dir is not None else "The environment variable THRIFTWOOD_DATA"
        raise ValueError(f"{origin} names {str(folder)!r}, which is not a folder. Give the folder of data.")
    return [folder, cache_folder()]


def cache_folder() -> Path:
    """Return the folder where downloads are kept, by the conventions of the platform."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "thriftwood"


def describe_folder(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the descriptions of the sets in a folder, by name; empty when it describes none."""
    found: dict[str, dict[str, Any]] = {}
    listing = folder / "datasets.json"
    if listing.is_file():
        content = read_json(listing)
        entries = content.get("datasets") if isinstance(content, dict) else None
        if not isinstance(entries, list):
            raise ValueError(f"{listing} must hold an object with a list 'datasets'.")
        for entry in entries:
            _check_description(entry, listing)
            found[entry["name"]] = entry
        return found
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else []:
        entry = read_json(path)
        if isinstance(entry, dict) and entry.get("name") == path.stem and "columns" in entry:
            _check_description(entry, path)
            found[path.stem] = entry
    return found


def read_columns(folder: Path, entry: Mapping[str, Any]) -> tuple[list[Column], Column]:
    """Read the table that an entry describes: every column but the target, and the target."""
    path = _data_file(folder, entry)
    header, rows = _read_csv(path, entry.get("sha256"))
    target_name = entry.get("target", "class")
    described = {column["name"]: column for column in entry["columns"]}
    if missing := [name for name in (*described, target_name) if name not in header]:
        raise ValueError(f"{path} has no column {missing[0]!r}. Its columns: {', '.join(map(repr, header))}.")
    if unknown := [name for name in header if name not in described and name != target_name]:
        raise ValueError(
            f"{path} has the column {unknown[0]!r}, which its description does not name. Describe it."
        )
    cells = dict(zip(header, zip(*rows, strict=True), strict=True))
    columns = [
        parse_column(name, column["type"], cells[name], column.get("values", ()))
        for name, column in described.items()
    ]
    return columns, parse_column(target_name, "nominal", cells[target_name])


def write_columns(folder: Path, entry: Mapping[str, Any], columns: Sequence[Column], target: Column) -> None:
    """Write a table as ``NAME.csv.gz`` and, last, its description: a description always has its data."""
    folder.mkdir(parents=True, exist_ok=True)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*(column.name for column in columns), target.name])
    writer.writerows(zip(*(_cells(column) for column in (*columns, target)), strict=True))
    # mtime=0: the same table always gives the same bytes
    packed = gzip.compress(text.getvalue().encode("utf-8"), mtime=0)
    described = [
        {"name": column.name, "type": column.kind, "missing": column.n_missing}
        | ({"values": list(column.categories)} if column.categories else {})
        for column in columns
    ]
    name = entry["name"]
    checked = {"file": f"{name}.csv.gz", "sha256": hashlib.sha256(packed).hexdigest(), "target": target.name}
    description = {**entry, **checked, "columns": described}
    save_bytes(folder / f"{name}.csv.gz", packed)
    save_bytes(folder / f"{name}.json", json.dumps(description, indent=1, ensure_ascii=False).encode("utf-8"))


def read_json(path: Path) -> Any:
    """Read a JSON file, naming it when it cannot be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{path} is not a JSON file that can be read: {error}.") from error


def _check_description(entry: Any, path: Path) -> None:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise ValueError(f"{path}: every data set must be an object with a 'name'.")
    for key, kind in _FIELDS.items():
        if key in entry and not isinstance(entry[key], kind):
            raise ValueError(
                f"{path}: {key!r} of {entry['name']!r} must be a {kind.__name__}. Got {entry[key]!r}."
            )
    if not all(isinstance(count, int) for count in entry.get("class_counts", {}).values()):
        raise ValueError(f"{path}: 'class_counts' of {entry['name']!r} must be whole numbers.")
    columns = entry.get("columns")
    if not isinstance(columns, list) or not all(map(_is_column, columns)):
        raise ValueError(f"{path}: {entry['name']!r} must have 'columns', each with a 'name' and a 'type'.")
    if len({column["name"] for column in columns}) != len(columns):
        raise ValueError(f"{path}: {entry['name']!r} describes a column twice. Column names must differ.")
    for column in columns:
        if "role" in column and column["role"] not in ROLES:
            raise ValueError(
                f"{path}: column {column['name']!r} of {entry['name']!r} has the role {column['role']!r}. "
                f"Roles: {', '.join(map(repr, ROLES))}; leave it out for a column to learn from."
            )


def _is_column(column: Any) -> bool:
    texts = isinstance(column, dict) and all(isinstance(column.get(key), str) for key in ("name", "type"))
    if not texts:
        return False
    values = column.get("values", [])
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _data_file(folder: Path, entry: Mapping[str, Any]) -> Path:
    name = entry["name"]
    wanted = [entry["file"]] if "file" in entry else [f"{name}.csv", f"{name}.csv.gz"]
    for file in wanted:
        # a description is data: it may not lead out of its folder
        if Path(file).name != file or file == "..":
            raise ValueError(
                f"The file of {name!r} is given as {file!r}. It must be the plain name of a file."
            )
        if (folder / file).is_file():
            return folder / file
    raise ValueError(f"{folder} describes {name!r} but has no file {' or '.join(wanted)}. Put it there.")


def _read_csv(path: Path, sha256: str | None) -> tuple[list[str], list[list[str]]]:
    content = path.read_bytes()
    if sha256 is not None and hashlib.sha256(content).hexdigest() != sha256:
        raise ValueError(
            f"{path} does not match the checksum in its description: it is damaged or was changed. "
            "Fetch it again, or remove 'sha256' from the description."
        )
    try:
        text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read as text, or unpacked: {error}.") from error
    reader = csv.reader(io.StringIO(text, newline=""))
    header = next(reader, [])
    rows = []
    for row in reader:
        if len(row) != len(header):
            raise ValueError(
                f"{path}, line {reader.line_num}: {len(row)} cells, but the header has {len(header)}."
            )
        rows.append(row)
    if not rows or len(set(header)) != len(header):
        raise ValueError(f"{path} must have a header row of distinct names and at least one row of data.")
    return header, rows


def _cells(column: Column) -> list[str]:
    if column.kind == "numeric":
        return ["" if value != value else repr(float(value)) for value in column.values.tolist()]
    return ["" if value is None else str(value) for value in column.texts().tolist()]
