"""``load_dataset`` and ``list_datasets``: a name becomes a table, wherever it is.

A name is looked up in this order: built in, the data folder, the user's cache, OpenML.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from thriftwood.costs import Costs
from thriftwood.datasets.builtin import BUILT_IN
from thriftwood.datasets.catalogue import catalogue
from thriftwood.datasets.columns import Column
from thriftwood.datasets.dataset import Dataset, DatasetInfo, Task
from thriftwood.datasets.folder import cache_folder, data_folders, describe_folder, read_columns
from thriftwood.datasets.frames import Frame, choose_library, to_frame
from thriftwood.datasets.openml import download
from thriftwood.datasets.published import published_costs


def load_dataset(
    name: str, *, data_dir: str | os.PathLike[str] | None = None, frame: Frame = "auto"
) -> Dataset:
    """Load a data set by name.

    Parameters
    ----------
    name : str
        A name that :func:`list_datasets` lists.
    data_dir : path, optional
        A folder of data files; the environment variable ``THRIFTWOOD_DATA`` unless given. What is not there
        is looked for in the user's cache, and then downloaded from OpenML into the cache.
    frame : {"auto", "pandas", "polars", "pyarrow", "numpy"}
        The kind of ``X``. ``"auto"`` takes the first that is installed, in this order.

    Returns
    -------
    Dataset
        With ``X``, ``y``, ``costs``, ``description`` and more.

    Examples
    --------
    >>> data = load_dataset("golf-nominal")
    >>> data.feature_names, data.target_names
    (('Outlook', 'Temp', 'Humidity', 'Wind'), ('No', 'Yes'))
    >>> data.costs
    Costs(tests={'Outlook': 4, 'Temp': 1, 'Humidity': 2, 'Wind': 0.5})
    """
    if not isinstance(name, str):
        raise TypeError(
            f"The name of a data set is a text. Got {name!r} of type {type(name).__name__} instead."
        )
    library = choose_library(frame)
    if name in BUILT_IN:
        built_in = BUILT_IN[name]
        *columns, target = built_in.columns()
        costs = built_in.costs() if built_in.costs else None
        return _assemble(name, columns, target, costs, built_in.description, {}, library)
    folders = data_folders(data_dir)
    for folder in folders:
        described = describe_folder(folder)
        if name in described:
            return _from_folder(folder, described[name], library)
    if name not in catalogue():
        raise ValueError(_unknown(name, folders))
    cache = cache_folder()
    download(catalogue()[name], cache)
    return _from_folder(cache, describe_folder(cache)[name], library)


def list_datasets(*, data_dir: str | os.PathLike[str] | None = None) -> list[DatasetInfo]:
    """List every data set that can be loaded by name, with its size and where it would come from.

    Parameters
    ----------
    data_dir : path, optional
        A folder of data files; the environment variable ``THRIFTWOOD_DATA`` unless given.

    Examples
    --------
    >>> [info.n_rows for info in list_datasets() if info.name == "iris"]
    [150]
    """
    found: dict[str, DatasetInfo] = {}
    for name, entry in catalogue().items():
        source = "not here" if entry.openml is None else "OpenML"
        found[name] = _classification(name, entry.rows, entry.features, len(entry.classes), source)
    # the folder looked in first is listed last, so that its line stays
    for folder in reversed(data_folders(data_dir)):
        source = "cache" if folder == cache_folder() else "folder"
        for name, description in describe_folder(folder).items():
            found[name] = _describe(folder, description, source)
    for name, built_in in BUILT_IN.items():
        size = (built_in.rows, built_in.features, built_in.classes)
        task: Task = "classification" if built_in.classes else "regression"
        found[name] = DatasetInfo(name, task, *size, built_in.source)
    return sorted(found.values(), key=lambda info: info.name)


def _from_folder(folder: Path, entry: Mapping[str, Any], library: str) -> Dataset:
    columns, target = read_columns(folder, entry)
    roles = {column["name"]: column["role"] for column in entry["columns"] if "role" in column}
    features = [column.name for column in columns if column.name not in roles]
    name = entry["name"]
    costs = published_costs(name, entry, folder, features, target.categories)
    words = _words(entry, target.n_missing)
    if (
        costs is not None
        and costs.tests
        and (free := [column for column in features if column not in costs.tests])
    ):
        words += f" No price was published for {', '.join(free)}: counted as free."
    return _assemble(name, columns, target, costs, words, roles, library)


def _assemble(
    name: str,
    columns: Sequence[Column],
    target: Column,
    costs: Costs | None,
    description: str,
    roles: dict[str, str],
    library: str,
) -> Dataset:
    labelled = ~target.missing
    if not labelled.all():
        columns, target = [column.take(labelled) for column in columns], target.take(labelled)
    features = [column for column in columns if column.name not in roles]
    others = [column for column in columns if column.name in roles]
    y = target.values if target.kind == "numeric" else target.texts().astype(np.str_)
    return Dataset(
        name=name,
        X=to_frame(features, library),
        y=y,
        costs=costs,
        description=description,
        feature_names=tuple(column.name for column in features),
        target_names=() if target.kind == "numeric" else tuple(np.unique(y).tolist()),
        extra=to_frame(others, library) if others else None,
        roles=roles,
        n_missing=sum(column.n_missing for column in features),
    )


def _words(entry: Mapping[str, Any], n_unlabelled: int) -> str:
    """Tell in sentences what a description holds: title, notes, rows left out, papers, source."""
    sentences = [entry.get("title", entry["name"]), *entry.get("notes", ())]
    if n_unlabelled:
        sentences.append(f"Rows without a class, left out: {n_unlabelled}")
    if papers := entry.get("papers"):
        sentences.append(f"Used by: {', '.join(map(str, papers))}")
    if source := entry.get("source"):
        sentences.append(f"Source: {source}")
    return " ".join(sentence.rstrip(".") + "." for sentence in map(str, sentences))


def _describe(folder: Path, entry: Mapping[str, Any], source: str) -> DatasetInfo:
    features = [column for column in entry["columns"] if "role" not in column]
    counts = entry.get("class_counts")
    if counts is None:  # not said, so counted
        counts = Counter(read_columns(folder, entry)[1].texts().tolist())
    counts = {label: count for label, count in counts.items() if label}
    return _classification(entry["name"], sum(counts.values()), len(features), len(counts), source)


def _classification(name: str, rows: int, features: int, classes: int, source: str) -> DatasetInfo:
    return DatasetInfo(name, "classification", rows, features, classes, source)


def _unknown(name: str, folders: Sequence[Path]) -> str:
    known = {*BUILT_IN, *catalogue()}.union(*(describe_folder(folder) for folder in folders))
    near = get_close_matches(name, sorted(known), n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(map(repr, near))}?" if near else "list_datasets() lists the names."
    return f"There is no data set {name!r}. {hint}"
