"""CPU seconds of a fit, beside one plain tree where tables are large."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import thriftwood as tw
from benchmarks.thrift.figure import Figure

SIZES = {
    (300, 20): {"class": 0.05, "auto": 1.0},
    (10_000, 30): {"class": 5.0, "auto": 30.0},
}
LARGE = 1_000_000, 30
TIMES_PLAIN = 10.0


def speed(*, large: bool = True) -> Iterator[Figure]:
    for (n_rows, n_columns), most in SIZES.items():
        X, y, costs = table(n_rows, n_columns)
        for leaves, seconds in most.items():
            model = tw.ThriftClassifier(costs, leaves=leaves)
            taken = timed(lambda model=model, X=X, y=y: model.fit(X, y), 5 if n_rows < 1000 else 1)
            yield Figure(f"{n_rows:,} x {n_columns}, leaves={leaves!r}, seconds", taken, most=seconds)
    if large:
        X, y, costs = table(*LARGE)
        plain = timed(lambda: tw.CostTreeClassifier().fit(X, y), 1)
        taken = timed(lambda: tw.ThriftClassifier(costs, leaves="class").fit(X, y), 1)
        yield Figure(f"{LARGE[0]:,} x {LARGE[1]}, a plain tree, seconds", plain)
        yield Figure(
            f"{LARGE[0]:,} x {LARGE[1]}, leaves='class', times as long", taken / plain, most=TIMES_PLAIN
        )


def timed(fit: Callable[[], Any], repeats: int) -> float:
    """Return the least CPU seconds of several runs."""
    seconds = []
    for _ in range(repeats):
        begin = time.process_time()
        fit()
        seconds.append(time.process_time() - begin)
    return min(seconds)


def table(n_rows: int, n_columns: int) -> tuple[Any, Any, tw.Costs]:
    """Draw numbers of which five tell the class, two more only together, with noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns))
    score = X[:, :5] @ [1.0, -1.0, 0.8, 0.5, 0.3] + 0.7 * X[:, 5] * X[:, 6] + rng.normal(size=n_rows)
    prices = {f"x{column}": 1 + column % 4 for column in range(n_columns)}
    costs = tw.Costs(prices, errors={"sick": {"well": 50}, "well": {"sick": 30}})
    return X, np.where(score > 0, "sick", "well"), costs
