"""Tables of numbers beside ConTree: the accuracy of the best tree, and the time to find it."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

import thriftwood as tw
from benchmarks.optimal.verdict import Verdict, same, timed

BUILT_IN = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}
TABLES = (*BUILT_IN, "diabetes", "vehicle", "glass")
JUDGED = ("diabetes", "breast cancer", "vehicle")
DEPTH = 3


def numbers_of(name: str) -> tuple[Any, Any]:
    """Return the numbers of a table, and its classes."""
    if name in BUILT_IN:
        return BUILT_IN[name](return_X_y=True)
    data = tw.load_dataset(name, frame="pandas")
    return data.X.select_dtypes("number").to_numpy(float), np.unique(data.y, return_inverse=True)[1]


def beside_contree(only: tuple[str, ...] = TABLES) -> Iterator[Verdict]:
    """Search the most accurate tree of depth 3 with both programs."""
    from pycontree import ConTree

    for name in only:
        X, y = numbers_of(name)
        model, seconds = timed(lambda X=X, y=y: tw.OptimalTreeClassifier(max_depth=DEPTH).fit(X, y))
        peer = ConTree(max_depth=DEPTH)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _, their_seconds = timed(lambda X=X, y=y, peer=peer: peer.fit(X, y))
            accuracy = peer.score(X, y)
        most = 0.5 if name in JUDGED else math.inf
        equal = same(model.score(X, y), accuracy) and same(model.cost_, 1 - accuracy)
        yield Verdict(
            f"{name}, depth {DEPTH}", seconds, their_seconds, most, equal, f"accuracy {accuracy:.6f}"
        )
