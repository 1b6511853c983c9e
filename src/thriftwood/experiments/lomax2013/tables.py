"""A table of the benchmark with the costs of one level, and its fixed divisions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.parameters import nearest
from thriftwood.costs import Costs
from thriftwood.datasets.folder import data_folders

LEVELS = ("low", "middle", "high")
"""What mistakes cost, beside the price list."""
FOLDER = "lomax"
_ARRAYS = ("X", "y", "test_rows")

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class PricedTable:
    """A table of 0/1 columns with its costs, and which rows each division tests."""

    data_set: str
    level: str
    X: NDArray[np.int32]
    y: NDArray[np.int64]
    test_rows: NDArray[np.int64]
    """A line per division, padded with -1."""
    costs: Costs
    costs_file: Path
    digest: str = field(init=False)
    """Changes with the content."""

    def __post_init__(self) -> None:
        content = hashlib.sha256(self.costs_file.read_bytes())
        for array in (self.X, self.y, self.test_rows):
            content.update(np.ascontiguousarray(array).tobytes())
        object.__setattr__(self, "digest", content.hexdigest()[:12])

    @property
    def name(self) -> str:
        """Of the setting."""
        return f"{self.data_set} {self.level}"

    @property
    def columns(self) -> list[str]:
        """The names that the price list has for the columns."""
        return [f"x{number}" for number in range(self.X.shape[1])]

    def divided(self, number: int) -> tuple[Rows, Rows]:
        """Return the rows to learn from and those to judge by."""
        tested = self.test_rows[number]
        judged = np.zeros(len(self.y), dtype=bool)
        judged[tested[tested >= 0]] = True
        return np.flatnonzero(~judged), np.flatnonzero(judged)

    def standard_cost(self, rows: Rows) -> float:
        """Return what costs of these rows are divided by (see `Costs.standard_cost`)."""
        classes = range(int(self.y.max()) + 1)
        return self.costs.standard_cost(
            self.columns, {label: float(np.mean(self.y[rows] == label)) for label in classes}
        )


def load_tables(data_sets: Sequence[str], levels: Sequence[str], data_dir: Path | None) -> list[PricedTable]:
    """Load tables with their costs, from the folder ``lomax`` of a folder of data.

    Raises
    ------
    ValueError
        When there is no such folder or no such table in it, or a file is not of the benchmark's form.
    """
    folder = _folder(data_dir)
    tables = []
    for data_set in data_sets:
        X, y, test_rows = _arrays(folder, data_set)
        for level in levels:
            path = folder / f"{data_set}-{level}-costs.csv"
            if not path.is_file():
                raise ValueError(f"{path} is not there: the costs of {data_set}, level {level}.")
            costs = Costs.from_lomax(path, columns="binary", classes=range(int(y.max()) + 1))
            tables.append(PricedTable(data_set, level, X.astype(np.int32), y, test_rows, costs, path))
    return tables


def _folder(data_dir: Path | None) -> Path:
    folders = [folder / FOLDER for folder in data_folders(data_dir)]
    for folder in folders:
        if folder.is_dir():
            return folder
    raise ValueError(
        f"lomax2013 needs the benchmark's files, NAME.npz and NAME-LEVEL-costs.csv, in {folders[0]}. "
        "docs/experiments/lomax2013.md says what is in them."
    )


def _arrays(folder: Path, data_set: str) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    path = folder / f"{data_set}.npz"
    if not path.is_file():
        known = sorted(file.stem for file in folder.glob("*.npz"))
        raise ValueError(f"{folder} has {', '.join(known)}. Got {data_set!r}.{nearest(data_set, known)}")
    try:
        with np.load(path, allow_pickle=False) as stored:
            X, y, test_rows = (stored[name].astype(np.int64) for name in _ARRAYS)
    except (KeyError, ValueError, OSError, BadZipFile) as error:
        raise ValueError(f"{path} must hold whole numbers X, y and test_rows: {error}") from None
    if X.ndim != 2 or y.shape != X.shape[:1] or test_rows.ndim != 2 or test_rows.max() >= len(y):
        raise ValueError(
            f"{path} must hold X of (rows, columns), y of (rows,), and test_rows with row numbers of each "
            f"division. Got {X.shape}, {y.shape} and {test_rows.shape}."
        )
    return X, y, test_rows
