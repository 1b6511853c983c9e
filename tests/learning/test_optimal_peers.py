"""Optimal trees beside STreeD's and ConTree's: the same cost, in less time.

Skipped where these programs (``pip install thriftwood[bench]``), or the data, are not there.
"""

import os
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

import thriftwood as tw

DATA = Path(os.environ.get("THRIFTWOOD_DATA", "nowhere"))
LOMAX = DATA / "lomax"
SETS = ("annealing", "car", "diabetes", "heart", "iris", "nursery", "soybean", "tictactoe")
needs_lomax = pytest.mark.skipif(not LOMAX.exists(), reason="THRIFTWOOD_DATA has no folder lomax")


def timed(function):
    """Return a result and the seconds of CPU it took."""
    begun = time.process_time()
    return function(), time.process_time() - begun


class Setting:
    """A table of Lomax's benchmark with the costs of one level, for both programs."""

    def __init__(self, name, level, split=0):
        stored = np.load(LOMAX / f"{name}.npz")
        rows = np.ones(len(stored["y"]), dtype=bool)
        rows[stored["test_rows"][split][stored["test_rows"][split] >= 0]] = False
        self.X, self.y = stored["X"][rows].astype(np.int32), stored["y"][rows].astype(np.int64)
        path = LOMAX / f"{name}-{level}-costs.csv"
        self.costs = tw.Costs.from_lomax(path)
        lines = [line.split() for line in path.read_text().splitlines() if line.strip()]
        heading = next(i for i, line in enumerate(lines) if line[0].lower().startswith("attribute"))
        self.matrix = np.array([[float(cell) for cell in line] for line in lines[:heading]])
        self.attributes = [
            (float(price), float(discount), group, int(first), int(last))
            for _, price, discount, group, first, last in lines[heading + 1 :]
        ]
        self.attribute_of = np.zeros(self.X.shape[1], dtype=int)
        for number, (*_, first, last) in enumerate(self.attributes):
            self.attribute_of[first : last + 1] = number

    def ours(self, depth):
        """Return our cost of all cases, and the time."""
        model = tw.OptimalTreeClassifier(self.costs, max_depth=depth)
        seconds = timed(lambda: model.fit(self.X, self.y))[1]
        assert model.gap_ == 0
        return model.cost_ * len(self.y), seconds

    def streed(self, depth):
        """Return STreeD's cost of all cases, and the time."""
        from pystreed import STreeDCostSensitiveClassifier
        from pystreed.data import CostSpecifier, FeatureCostSpecifier

        prices = [FeatureCostSpecifier(*attribute) for attribute in self.attributes]
        specifier = CostSpecifier(self.matrix.tolist(), prices)
        model = STreeDCostSensitiveClassifier(max_depth=depth)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            seconds = timed(lambda: model.fit(self.X, self.y, specifier))[1]
        return self.walked(model.tree_, np.arange(len(self.y)), frozenset()), seconds

    def walked(self, node, rows, bought):
        """Return what a tree of STreeD's costs some rows."""
        if node.is_leaf_node():
            return float(self.matrix[self.y[rows], node.label].sum())
        own = self.attribute_of[node.feature]
        price, discount, group, *_ = self.attributes[own]
        opened = group != "x" and any(self.attributes[other][2] == group for other in bought)
        paid = 0.0 if own in bought else len(rows) * (discount if opened else price)
        yes, below = self.X[rows, node.feature] == 1, bought | {own}
        paid += self.walked(node.left_child, rows[~yes], below)
        return paid + self.walked(node.right_child, rows[yes], below)


@needs_lomax
@pytest.mark.parametrize("depth", [3, 4])
@pytest.mark.parametrize("level", ["low", "middle", "high"])
@pytest.mark.parametrize("name", SETS)
def test_the_cost_is_that_of_streed(name, level, depth):
    pytest.importorskip("pystreed")
    setting = Setting(name, level)
    ours, our_time = setting.ours(depth)
    theirs, their_time = setting.streed(depth)
    assert ours == pytest.approx(theirs, rel=1e-9)
    if depth == 4 and their_time > 0.01:
        assert our_time <= their_time / (10 if name == "soybean" else 2)


NUMERIC = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}


def numeric_table(name):
    """Return a table of numbers and its classes."""
    if name in NUMERIC:
        return NUMERIC[name](return_X_y=True)
    path = DATA / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"THRIFTWOOD_DATA has no {name}.csv")
    frame = pd.read_csv(path, keep_default_na=False, na_values=[""])
    X = frame.drop(columns="class").select_dtypes("number").to_numpy(float)
    return X, pd.factorize(frame["class"])[0]


@pytest.mark.parametrize("name", [*NUMERIC, "diabetes", "vehicle", "glass", "heart-statlog"])
def test_the_accuracy_is_that_of_contree(name):
    contree = pytest.importorskip("pycontree")
    X, y = numeric_table(name)
    model, peer = tw.OptimalTreeClassifier(max_depth=3), contree.ConTree(max_depth=3)
    our_time = timed(lambda: model.fit(X, y))[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        their_time = timed(lambda: peer.fit(X, y))[1]
        theirs = peer.score(X, y)
    assert model.score(X, y) == pytest.approx(theirs, abs=1e-12)
    assert model.cost_ == pytest.approx(1 - theirs, abs=1e-12)
    if name in ("diabetes", "breast cancer", "vehicle"):
        assert our_time <= their_time / 2
