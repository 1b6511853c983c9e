"""Downloads: a published set from OpenML into the user's cache, checked against what was published."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from thriftwood.base.advice import Advice, advised
from thriftwood.base.remedies import Blank, Pass
from thriftwood.datasets.catalogue import Entry
from thriftwood.datasets.columns import Column
from thriftwood.datasets.folder import write_columns

ADVICE = Advice(
    (
        "To use data files that you have, set the environment variable THRIFTWOOD_DATA to their folder, or ",
        Pass("data_dir", Blank.FOLDER),
        ".",
    )
)


class DownloadError(OSError, ValueError):
    """A published data set could not be fetched; the message says how to use files of your own."""


def download(entry: Entry, cache: Path) -> None:
    """Fetch a set from OpenML, check it, and write it to the cache."""
    if entry.openml is None:
        raise advised(
            ValueError,
            f"The data set {entry.name!r} is not in your data folder, and no copy on OpenML is known to "
            "hold the same table, so it cannot be downloaded. ",
            ADVICE,
        )
    import sklearn.datasets  # a second of processor time

    try:
        # arrays and the plain parser: works without pandas, and keeps the declared values of nominal columns
        bunch = sklearn.datasets.fetch_openml(
            data_id=entry.openml, as_frame=False, parser="liac-arff", cache=False
        )
    except Exception as error:  # network, certificate, server and file errors have no common base
        raise advised(
            DownloadError,
            f"The data set {entry.name!r} is not in your data folder or cache, and downloading it from "
            f"OpenML (number {entry.openml}) failed: {type(error).__name__}: {error}. ",
            ADVICE,
        ) from error
    columns, target = _columns(bunch, entry), _target(bunch)
    _check(entry, columns, target)
    description = {
        "name": entry.name,
        "title": entry.title,
        "source": f"OpenML, data set {entry.openml}",
        "class_counts": dict(Counter(target.texts().tolist())),
        "notes": [
            "Downloaded; checked against the published number of rows, features, classes and empty cells."
        ],
    }
    write_columns(cache, description, columns, target)


def _columns(bunch: Any, entry: Entry) -> list[Column]:
    categories = bunch.categories or {}
    columns = []
    for name, values in zip(bunch.feature_names, np.asarray(bunch.data, dtype=np.float64).T, strict=True):
        if name in entry.drop:
            continue
        if name in categories:
            codes = np.where(np.isnan(values), -1, values).astype(np.int32)
            columns.append(Column(name, "nominal", codes, tuple(str(value) for value in categories[name])))
        else:
            columns.append(Column.numeric(name, values))
    return columns


def _target(bunch: Any) -> Column:
    """Return the labels as texts; whole numbers are written without a point."""
    labels = np.asarray(bunch.target).tolist()
    return Column.nominal("class", [_label(label) for label in labels])


def _label(label: Any) -> str | None:
    if label is None or label != label:
        return None
    if isinstance(label, float) and label.is_integer():
        return str(int(label))
    return str(label)


def _check(entry: Entry, columns: list[Column], target: Column) -> None:
    sizes = tuple(sorted(Counter(target.values.tolist()).values(), reverse=True))
    found = {
        "rows": len(target.values),
        "features": len(columns),
        "class sizes": sizes,
        "empty cells": sum(column.n_missing for column in columns),
    }
    wanted = {
        "rows": entry.rows,
        "features": entry.features,
        "class sizes": entry.classes,
        "empty cells": entry.missing,
    }
    for what, value in wanted.items():
        if found[what] != value:
            raise advised(
                ValueError,
                f"What OpenML sent for {entry.name!r} (number {entry.openml}) is not the published table: "
                f"{what} {found[what]}, published {value}. Nothing was kept. ",
                ADVICE,
            )
