"""The tables that the cases are measured on, made by the package's own generators; and one published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.datasets import generators, load_dataset

Features = NDArray[np.float32]
Labels = NDArray[np.int32]


@dataclass(frozen=True)
class Sample:
    """A table as every contestant gets it.

    Attributes
    ----------
    X : array of float32, C order
        One row a case; nominal columns hold their codes, -1 where missing.
    y : array of int32
        Class 0 or 1; of "flows" 0 to 7.
    nominal : tuple of int
        Positions of the nominal columns.
    """

    X: Features
    y: Labels
    nominal: tuple[int, ...] = ()

    def head(self, rows: int) -> Sample:
        """The first rows, to warm a contestant up."""
        return Sample(self.X[:rows], self.y[:rows], self.nominal)

    def frame(self, X: Features | None = None) -> Any:
        """The table as a pandas frame whose nominal columns are categories (of `X` when given)."""
        import pandas as pd

        values = self.X if X is None else X
        frame = pd.DataFrame({f"f{j}": np.ascontiguousarray(values[:, j]) for j in range(values.shape[1])})
        for j in self.nominal:
            codes = values[:, j].astype(np.int32)
            words = [f"v{code}" for code in range(int(codes.max()) + 1)]
            frame[f"f{j}"] = pd.Categorical.from_codes(codes, categories=words)
        return frame


def make(name: str, rows: int, seed: int, *, quick: bool = False) -> Sample:
    """A table; the same name, rows and seed give the same one.

    "heart" is published data, which $THRIFTWOOD_DATA or the network must have; a quick one is generated.

    Examples
    --------
    >>> make("small", 300, seed=1).X.shape
    (300, 13)
    """
    match name:
        case "dense":
            return Sample(*generators.make_dense(rows, seed=seed))
        case "mixed":
            nominal = tuple(range(len(generators.MIXED_VALUES)))
            return Sample(*generators.make_mixed(rows, seed=seed), nominal)
        case "nominal":
            codes, y = generators.make_mixed(rows, seed=seed)
            nominal = tuple(range(len(generators.MIXED_VALUES)))
            return Sample(np.ascontiguousarray(codes[:, : len(nominal)]), y, nominal)
        case "counts":
            return Sample(*generators.make_counts(rows, 500 if quick else 20_000, seed=seed))
        case "small":
            return Sample(*generators.make_small(rows, seed=seed))
        case "flows":
            return _flows(rows, seed)
        case "heart":
            return Sample(*generators.make_small(rows, seed=seed)) if quick else _heart(rows, seed)
        case _:
            raise ValueError(
                f"There is no table {name!r}. Tables: dense, mixed, nominal, counts, small, flows, heart."
            )


def _flows(rows: int, seed: int) -> Sample:
    """88 numeric columns in which 8 classes overlap, as statistics of byte streams do."""
    means = np.random.default_rng(0).normal(size=(8, 88)) * np.linspace(0.05, 0.8, 88)
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 8, rows)
    return Sample((means[y] + rng.normal(size=(rows, 88))).astype(np.float32), y.astype(np.int32))


def _heart(rows: int, seed: int) -> Sample:
    """Some of the 303 patients of Cleveland, sick or well."""
    data = load_dataset("heart-cleveland-2class")
    chosen = np.random.default_rng(seed).permutation(len(data.y))[:rows]
    nominal = tuple(j for j, kind in enumerate(data.X.dtypes) if kind == "category")
    columns = [
        data.X.iloc[:, j].cat.codes if j in nominal else data.X.iloc[:, j] for j in range(data.X.shape[1])
    ]
    X = np.column_stack(columns).astype(np.float32)[chosen]
    return Sample(X, (np.asarray(data.y).astype(str) != "0").astype(np.int32)[chosen], nominal)
