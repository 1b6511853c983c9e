"""The tables that are compared, as plain arrays, and the priors and error costs they are compared with.

Words
-----
mode
    What a tree is grown with: nothing ("plain"), equal priors ("prior"), error costs ("loss") or both.
code
    Categories are numbered from 0 in the order in which our tables have them; so are classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import thriftwood as tw
from thriftwood.datasets.builtin import BUILT_IN
from thriftwood.learning.pruning.folds import folds
from thriftwood.table.columns import Kind

MODES = ("plain", "prior", "loss", "both")
SEED = 0
"""Of the folds of cross-validation."""

RPART = (
    "anneal",
    "breast-w",
    "credit-a",
    "credit-g",
    "diabetes",
    "echocardiogram",
    "glass",
    "heart-statlog",
    "hepatitis",
    "horse-colic",
    "hypothyroid",
    "iris",
    "led-7",
    "liver-disorders",
    "lymphography",
    "monks-2",
    "monks-3",
    "sick-euthyroid",
    "soybean",
    "vehicle",
    "wine",
    "wisconsin-diagnostic",
    "zoo",
)
"""Some have missing values (soybean, horse-colic, hypothyroid ...), some categories, up to 19 classes."""


@dataclass(frozen=True)
class Table:
    """A table as other programs read it."""

    name: str
    X: Any
    y: Any
    classes: list[Any]
    columns: list[NDArray[np.float64]]
    """Numbers, or the codes of categories; NaN is missing."""
    categories: list[int]
    """Of each column; 0 for numbers."""
    labels: NDArray[np.int32]
    folds: NDArray[np.intp]

    @property
    def loss(self) -> NDArray[np.float64]:
        """What mistakes cost, [actual, predicted]: of two classes the last is dear, more differ all round."""
        n = len(self.classes)
        if n == 2:
            return np.array([[0.0, 1.0], [5.0, 0.0]])
        return np.array([[0.0 if i == j else 1.0 + (2 * i + j) % 4 for j in range(n)] for i in range(n)])

    def settings(self, mode: str) -> dict[str, Any]:
        """Return the parameters of our learner in a mode."""
        found: dict[str, Any] = {}
        if mode in ("prior", "both"):
            found["priors"] = np.full(len(self.classes), 1.0 / len(self.classes))
        if mode in ("loss", "both"):
            errors = {
                actual: {answer: float(self.loss[i, j]) for j, answer in enumerate(self.classes) if i != j}
                for i, actual in enumerate(self.classes)
            }
            found["costs"] = tw.Costs(errors=errors)
        return found


def is_built_in(name: str) -> bool:
    """Tell whether a table needs no data folder."""
    return name in BUILT_IN


def load(name: str) -> Table:
    """Return a table by name."""
    data = tw.load_dataset(name, frame="numpy")
    prepared = tw.algorithm("cart").prepare(data.X, data.y, None)
    problem = prepared.problem
    encoded, labels = problem.encoded, problem.labels
    raw = encoded.columns if encoded.columns is not None else list(encoded.dense.T)
    columns = [np.asarray(column, dtype=np.float64).copy() for column in raw]
    categories = [
        len(column.categories) if column.kind is Kind.NOMINAL else 0 for column in prepared.encoder.columns
    ]
    for column, nominal in zip(columns, categories, strict=True):
        if nominal:
            column[column < 0] = np.nan
    return Table(
        name=name,
        X=data.X,
        y=data.y,
        classes=prepared.classes.tolist(),
        columns=columns,
        categories=categories,
        labels=labels,
        folds=folds(problem, 10, SEED),
    )
