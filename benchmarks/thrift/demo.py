"""The demo table: what a new case costs, over random divisions of four to one, beside C4.5."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sklearn.model_selection import train_test_split

import thriftwood as tw
from benchmarks.thrift.figure import Figure

MOST = {"class": 185.0, "score": 120.0, "auto": math.inf}
DEARER = {"class": 20.0, "score": 5.0, "auto": 10.0}
"""So many of a hundred divisions may cost more than C4.5."""


def demo(n_splits: int) -> Iterator[Figure]:
    data = tw.load_dataset("wisconsin-diagnostic")
    for leaves, most in MOST.items():
        bills, dearer = [], []
        for seed in range(n_splits):
            X, X_new, y, y_new = train_test_split(
                data.X, data.y, test_size=0.2, stratify=data.y, random_state=seed
            )
            model = tw.ThriftClassifier(data.costs, leaves=leaves).fit(X, y)
            bills.append(tw.bill(model, X_new, y_new).mean_cost)
            blind = tw.algorithm("c45", costs=data.costs).fit(X, y)
            dearer.append(100.0 * (bills[-1] >= tw.bill(blind, X_new, y_new).mean_cost))
        yield Figure.mean(f"leaves={leaves!r}", bills, most)
        yield Figure.mean(f"leaves={leaves!r}, % of divisions dearer than C4.5", dearer, DEARER[leaves])
