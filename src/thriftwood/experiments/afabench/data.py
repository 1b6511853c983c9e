"""The tables of AFABench that are tables, drawn or loaded, with their budgets.

CUBE: 20 numbers drawn from N(0.5, 0.3); of class y in 0 to 7 those at y, y + 1 and y + 2 are the three bits
of y, each with N(0, 0.1) added.

CUBE-NM: a context in 0 to 4, told by five numbers that are 1 for it and 0 otherwise, with N(0, 0.1) added;
then five blocks of ten numbers drawn from N(0.5, 0.3). In the block of the context those at (y + j) mod 10
are the bits of y, as in CUBE. The context says nothing about the class, but which block to ask. It is
acquired as one: its five numbers share a step that costs 1, and nothing more each.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs, Test
from thriftwood.datasets import load_dataset

N_ROWS = 1000
N_CLASSES = 8
CONTEXTS, BLOCK = 5, 10
BITS = np.array([4, 2, 1])
MISS = 1000.0
"""What a mistake costs where some are to cost more: so much that prices are nothing beside it."""


@dataclass(frozen=True, slots=True)
class Cases:
    """A table, and the price list that makes a budget a number of tests."""

    X: Any
    y: NDArray[Any]
    tests: dict[str, Test]
    shared: dict[str, float]

    def costs(self, weight: float = 1.0) -> Costs:
        """Return the prices; with a weight, also errors: to miss a "yes" costs so many times more."""
        if weight == 1.0:
            return Costs(self.tests, self.shared)
        errors = {"yes": {"no": weight * MISS}, "no": {"yes": MISS}}
        return Costs(self.tests, self.shared, errors=errors)


@dataclass(frozen=True, slots=True)
class Contest:
    """One of the data sets."""

    name: str
    budgets: tuple[int, ...]
    measure: str
    draw: Callable[[np.random.Generator], Cases]
    digest: str


def cube(rng: np.random.Generator, n_rows: int = N_ROWS) -> Cases:
    """Draw CUBE.

    Examples
    --------
    >>> cases = cube(np.random.default_rng(0))
    >>> three = cases.X[cases.y == 3][:, 3:6].mean(axis=0).round(1)
    >>> three.tolist()
    [0.0, 1.0, 1.0]
    """
    y = rng.integers(N_CLASSES, size=n_rows)
    X = rng.normal(0.5, 0.3, size=(n_rows, 20))
    _put_bits(X, y, y[:, None] + np.arange(3), rng)
    return Cases(X, y, _priced(X.shape[1]), {})


def cube_nm(rng: np.random.Generator, n_rows: int = N_ROWS) -> Cases:
    """Draw CUBE-NM.

    Examples
    --------
    >>> cases = cube_nm(np.random.default_rng(0))
    >>> cases.X.shape, cases.costs().total(["x0", "x1", "x5"])
    ((1000, 55), 2.0)
    """
    y, context = rng.integers(N_CLASSES, size=n_rows), rng.integers(CONTEXTS, size=n_rows)
    told = np.eye(CONTEXTS)[context] + rng.normal(0, 0.1, size=(n_rows, CONTEXTS))
    X = np.column_stack([told, rng.normal(0.5, 0.3, size=(n_rows, CONTEXTS * BLOCK))])
    places = CONTEXTS + BLOCK * context[:, None] + (y[:, None] + np.arange(3)) % BLOCK
    _put_bits(X, y, places, rng)
    tests = _priced(X.shape[1]) | {f"x{j}": Test(0, needs=["context"]) for j in range(CONTEXTS)}
    return Cases(X, y, tests, {"context": 1.0})


def _put_bits(X: Any, y: Any, places: Any, rng: np.random.Generator) -> None:
    bits = (y[:, None] // BITS) % 2
    X[np.arange(len(y))[:, None], places] = bits + rng.normal(0, 0.1, size=bits.shape)


def _priced(n_features: int) -> dict[str, Test]:
    return {f"x{j}": Test(1) for j in range(n_features)}


GENERATED = {"cube": (cube, (3, 5, 10)), "cube-nm": (cube_nm, (3, 5, 7, 10, 14))}
BANK, BANK_BUDGETS = "bank-marketing", (2, 4, 7)
NAMES = (*GENERATED, BANK)


def contest(name: str, data_dir: Path | None) -> Contest:
    """Return a data set by name; bank marketing is loaded."""
    if name in GENERATED:
        draw, budgets = GENERATED[name]
        return Contest(name, budgets, "accuracy", draw, "drawn")
    data = load_dataset(name, data_dir=data_dir, frame="pandas")
    X = data.X.assign(duration=data.extra["duration"])  # known after the call, and one of the tests there
    cases = Cases(X, np.asarray(data.y), {column: Test(1) for column in X.columns}, {})
    digest = hashlib.sha256(X.to_csv().encode()).hexdigest()[:12]
    return Contest(name, BANK_BUDGETS, "macro F1", lambda rng: cases, digest)
