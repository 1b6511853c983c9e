"""Cascades of every kind with prices of every kind, and tables with missing values and new categories."""

from pathlib import Path

import numpy as np
import pandas as pd
from evaluation.plain_ledger import random_costs

from thriftwood.models import load
from thriftwood.models.cascade import Cascade, Stage
from thriftwood.models.score_card import CategoryPoints, NumberPoints, ScoreCard
from thriftwood.table import Encoder, Kind

GOLDEN = Path(__file__).parent / "golden" / "cascade-v1.json"
N_FEATURES = 5
COLOURS = ["blue", "green", "red"]
SIZES = ["small", "middling", "large"]


def golf_cascade():
    """Three stages, made by hand."""
    return load(GOLDEN)


def random_frame(rng, n_rows=20, missing=0.2, new=0.1, names=None):
    """Two columns of numbers, one of them whole, two of names and one of ordered names."""
    colour = rng.choice([*COLOURS, "new"], n_rows, p=[*[(1 - new) / 3] * 3, new]).astype(object)
    frame = pd.DataFrame(
        {
            "x0": rng.normal(size=n_rows).round(2),
            "x1": colour,
            "x2": rng.integers(0, 6, n_rows).astype(float),
            "x3": pd.Categorical(rng.choice(SIZES, n_rows), SIZES, ordered=True),
            "x4": rng.choice(["no", "yes"], n_rows).astype(object),
        }
    )
    for name in frame:
        frame.loc[rng.random(n_rows) < missing, name] = None
    return frame if names is None else frame.set_axis(names, axis=1)


def learnt_encoder(names=None):
    """How tables of `random_frame` are read."""
    encoder = Encoder()
    encoder.fit_encode(random_frame(np.random.default_rng(0), 200, 0.0, 0.0, names))
    return encoder


def random_cascade(seed, n_classes=None, costs="random", names=None, classes=None, besides=None):
    """Up to three stages, some without tests; prices of every kind; answers that are no class, or none."""
    rng = np.random.default_rng(seed)
    encoder = learnt_encoder(names)
    if n_classes is None:
        n_classes = int(rng.choice([2, 2, 3, 4]))
    width = 1 if n_classes == 2 else n_classes
    n_stages = int(rng.integers(1, 4))
    order = rng.permutation(N_FEATURES)[: rng.integers(0, N_FEATURES + 1)]
    where = np.sort(rng.integers(0, n_stages, len(order)))
    loss = np.round(rng.uniform(0, 50, (n_classes, n_classes)), 2)
    np.fill_diagonal(loss, 0.0)
    others = np.random.default_rng([seed, 1])
    further = [["refer"], ["refer", "wait"], [], [], []][others.integers(5)] if besides is None else besides
    loss = np.hstack([loss, np.round(others.uniform(0, 15, (n_classes, len(further))), 2)])
    stages, bought = [], []
    for number in range(n_stages):
        tests = order[where == number].tolist()
        bought += tests
        counted = [test for test in bought if rng.random() < 0.85]
        base = tuple(rng.integers(-150, 150, width).tolist())
        card = ScoreCard(base, tuple(random_entry(rng, encoder.columns[test], width) for test in counted))
        stop = np.inf if number == n_stages - 1 else float(rng.choice([-1.0, 3.0, 10.0, np.inf, *loss[0]]))
        stages.append(Stage(tuple(tests), card, stop))
    prices = random_costs(rng, N_FEATURES) if costs == "random" else costs
    if prices is not None and names is not None:
        prices = prices.replace(tests={name: prices.tests[f"x{j}"] for j, name in enumerate(names)})
    if classes is None:
        classes = np.array(["alpha", "beta", "gamma", "delta"][:n_classes])
    return Cascade(stages, loss, encoder, classes, prices, further=further)


def random_entry(rng, column, width):
    """Points for one column."""

    def points(n):
        return tuple(tuple(row) for row in rng.integers(-200, 200, (n, width)).tolist())

    (missing,) = points(1)
    if column.kind is Kind.NOMINAL:
        return CategoryPoints(column.index, points(len(column.categories)), missing)
    values = (0, 1, 2) if column.kind is Kind.ORDERED else (-1.5, -0.3, 0.1, 0.7, 2.0, 4.0)
    n = int(rng.integers(2, len(values) + 1))
    at = tuple(sorted(map(float, rng.choice(values, n, replace=False))))
    return NumberPoints(column.index, at, points(n), missing)
