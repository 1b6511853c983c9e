"""Other libraries on a Parquet file that is read in parts: one tree of depth 8, one thread."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

DEPTH, BINS = 8, 255


def installed() -> list[str]:
    """Name the libraries that are here."""
    return [name for name in ("lightgbm", "xgboost") if find_spec(name)]


def learn(name: str, path: Path, folder: Path) -> None:
    """Learn one tree from a file."""
    {"lightgbm": _lightgbm, "xgboost": _xgboost}[name](path, folder)


def _group(path: Path, number: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Read a row group: the features as one array, and the target."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        table = file.read_row_group(number)
    names = [name for name in table.column_names if name != "y"]
    return np.stack([table[name].to_numpy() for name in names], axis=1), table["y"].to_numpy()


def _sizes(path: Path) -> list[int]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        return [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]


def _lightgbm(path: Path, folder: Path) -> None:
    import lightgbm as lgb

    held: dict[int, np.ndarray[Any, Any]] = {}

    class Group(lgb.Sequence):  # type: ignore[misc]
        """A row group; one of them is held at a time."""

        batch_size = 1 << 16

        def __init__(self, number: int, rows: int) -> None:
            self.number, self.rows = number, rows

        def __len__(self) -> int:
            return self.rows

        def __getitem__(self, rows: Any) -> np.ndarray[Any, Any]:
            if self.number not in held:
                held.clear()
                held[self.number] = _group(path, self.number)[0]
            found = held[self.number][rows]
            return found.astype(np.float64) if found.ndim == 1 else found  # it samples rows as doubles

    sizes = _sizes(path)
    target = np.concatenate([_group(path, number)[1] for number in range(len(sizes))])
    settings = {"objective": "binary", "max_depth": DEPTH, "num_leaves": 2**DEPTH, "max_bin": BINS}
    settings |= {"num_threads": 1, "verbose": -1, "min_data_in_leaf": 1}
    data = lgb.Dataset([Group(n, rows) for n, rows in enumerate(sizes)], target, params=settings)
    lgb.train(settings, data, num_boost_round=1)


def _xgboost(path: Path, folder: Path) -> None:
    import xgboost as xgb

    class Groups(xgb.DataIter):  # type: ignore[misc]
        """Row groups, one after the other."""

        def __init__(self) -> None:
            self.number, self.n_groups = 0, len(_sizes(path))
            super().__init__(cache_prefix=str(folder / "xgboost"))

        def next(self, input_data: Any) -> bool:
            if self.number == self.n_groups:
                return False
            X, y = _group(path, self.number)
            input_data(data=X, label=y)
            self.number += 1
            return True

        def reset(self) -> None:
            self.number = 0

    data = xgb.ExtMemQuantileDMatrix(Groups(), max_bin=BINS, nthread=1)
    settings = {"objective": "binary:logistic", "max_depth": DEPTH, "max_bin": BINS, "nthread": 1}
    xgb.train(settings | {"tree_method": "hist"}, data, num_boost_round=1)
