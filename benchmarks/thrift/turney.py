"""Turney's five medical tables: what a case costs, in percent of the standard cost.

Tables are divided at random into two thirds to learn from and a third to judge by; every mistake costs 50 to
5,000. Means are over all five, and over the four small ones. The standard cost is that of all tests, and of a
mistake about every case outside the commonest class.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from statistics import fmean
from typing import Any

import numpy as np

import thriftwood as tw
from benchmarks.thrift.figure import Figure
from thriftwood.experiments.turney1995.published import DATA_SETS

MISTAKES = 50, 100, 500, 1000, 5000
MOST_CASES = 3000
"""Of the largest table so many are drawn."""
MOST = 50.5
CLASS, OPTIMAL = "leaves='class'", "optimal, 3 tests"
LEARNERS: dict[str, Callable[[tw.Costs], Any]] = {
    CLASS: lambda costs: tw.ThriftClassifier(costs, leaves="class"),
    "leaves='auto'": lambda costs: tw.ThriftClassifier(costs),
    OPTIMAL: lambda costs: tw.OptimalTreeClassifier(costs, max_depth=3, bins=8, nominal="value"),
}


def turney(n_splits: int) -> Iterator[Figure]:
    by_table = {name: [divided(name, seed) for seed in range(n_splits)] for name in DATA_SETS}
    for what in by_table[DATA_SETS[0]][0]:
        for name, found in by_table.items():
            yield Figure.mean(f"{name}: {what}", [one[what] for one in found])
        most = MOST if what == CLASS else np.inf
        for tables in (DATA_SETS, DATA_SETS[:-1]):
            means = [fmean(by_table[name][seed][what] for name in tables) for seed in range(n_splits)]
            yield Figure.mean(f"mean of {len(tables)} tables: {what}", means, most)


def divided(name: str, seed: int) -> dict[str, float]:
    """Return what a case costs with each learner, the mean over all costs of a mistake."""
    data = tw.load_dataset(name)
    y, rng = np.asarray(data.y), np.random.default_rng([seed, len(data.y)])
    rows = rng.permutation(len(y))[:MOST_CASES]
    learnt, judged = np.split(rows, [len(rows) * 2 // 3])
    uncommon = 1.0 - np.unique(y, return_counts=True)[1].max() / len(y)
    found: dict[str, list[float]] = {what: [] for what in (*LEARNERS, "testing nobody")}
    for mistake in MISTAKES:
        costs = data.costs.replace(errors=None, errors_default=mistake)
        standard = costs.total(list(data.X.columns)) + uncommon * mistake
        for what, learner in LEARNERS.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model = learner(costs).fit(data.X.iloc[learnt], y[learnt])
            bill = tw.bill(model, data.X.iloc[judged], y[judged], costs)
            found[what].append(100.0 * bill.mean_cost / standard)
        classes, counts = np.unique(y[learnt], return_counts=True)
        wrong = (y[judged] != classes[counts.argmax()]).mean()
        found["testing nobody"].append(100.0 * float(wrong) * mistake / standard)
    return {what: fmean(costs) for what, costs in found.items()}
