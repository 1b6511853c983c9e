"""Reliability: how often what scores hold likely comes true, on cases that they were not learnt from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import train_test_split

import thriftwood as tw

TABLES = ("wisconsin-diagnostic", "diabetes")
EDGES = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)


class Bin(NamedTuple):
    table: str
    low: float
    high: float
    cases: int
    said: float
    """The mean chance of the dearer class."""
    true: float
    """Its share."""


def reliability(n_splits: int) -> Iterator[Bin]:
    for name in TABLES:
        data = tw.load_dataset(name)
        classes, counts = np.unique(np.asarray(data.y), return_counts=True)
        costs = data.costs if data.costs is not None else tw.Costs(default_price=1)
        if not costs.names_errors:
            costs = costs.replace(errors_default=20.0 * max(1.0, costs.total(list(data.X.columns))))
        rare = int(counts.argmin())
        said, true = [], []
        for seed in range(n_splits):
            X, X_new, y, y_new = train_test_split(
                data.X, data.y, test_size=0.2, stratify=data.y, random_state=seed
            )
            model = tw.ThriftClassifier(costs, leaves="score").fit(X, y)
            said.append(model.predict_proba(X_new)[:, rare])
            true.append(np.asarray(y_new) == classes[rare])
        yield from binned(name, np.concatenate(said), np.concatenate(true))


def binned(name: str, said: np.ndarray, true: np.ndarray) -> Iterator[Bin]:
    """Compare chances with shares, where there are any cases."""
    place = np.clip(np.searchsorted(EDGES, said, side="right") - 1, 0, len(EDGES) - 2)
    for number in range(len(EDGES) - 1):
        own = place == number
        if own.any():
            low, high = EDGES[number : number + 2]
            yield Bin(name, low, high, int(own.sum()), float(said[own].mean()), float(true[own].mean()))
