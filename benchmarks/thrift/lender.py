"""A lender: every customer has his own loss, and what is asked about him has a price.

The tables, and what mistakes cost each row, are those of the experiment `savings`. Prices are log-normal, and
all columns together cost a fifth of what testing nobody costs. LightGBM buys everything, and is told the
customer's losses when it answers; thrift knows them only of the cases that it learns from.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import thriftwood as tw
from benchmarks.thrift.figure import Figure
from thriftwood.experiments.savings.data import CostTable, cost_table

TABLES = "creditscoring1", "creditscoring2"
FIRST = 6
"""Divisions before this one were looked at while it was decided how score cards count losses."""
N_CASES = 9000
PRICE = 0.2
"""Of all columns, as a share of what testing nobody costs."""
OURS, MEANS, EVERYTHING = "losses by row", "mean losses", "LightGBM, everything bought"


def lender(n_splits: int) -> Iterator[Figure]:
    for name in TABLES:
        table = cost_table(name, None)
        totals = [divided(table, seed) for seed in range(FIRST, FIRST + n_splits)]
        for what in totals[0]:
            yield Figure.mean(f"{name}: {what}", [total[what] for total in totals])
        for other in totals[0]:
            if other != OURS:
                more = [total[OURS] - total[other] for total in totals]
                yield Figure.mean(f"{name}: {OURS}, less {other}", more, 0.0)


def divided(table: CostTable, seed: int) -> dict[str, float]:
    """Return what a customer costs, in percent of testing nobody, with two thirds of them learnt from."""
    rng = np.random.default_rng([seed, len(table.y)])
    rows = rng.permutation(len(table.y))[:N_CASES]
    learnt, judged = np.split(rows, [len(rows) * 2 // 3])
    answers = table.costs[np.arange(len(table.y)), table.y]
    prices = rng.lognormal(size=table.X.shape[1])
    prices *= PRICE * answers[rows].mean(axis=0).min() / prices.sum()
    costs = tw.Costs(dict(zip(table.X.columns, prices.round(4).tolist(), strict=True)))
    X, y = table.X.iloc[learnt], table.y[learnt]
    X_new, y_new = table.X.iloc[judged], table.y[judged]

    def total(model: Any, told: Any) -> float:
        bill = tw.bill(model, X_new, y_new, costs, error_costs=told)
        return float(bill.mean_cost)

    found = {
        OURS: total(tw.ThriftClassifier(costs).fit(X, y, error_costs=answers[learnt]), answers[judged]),
        MEANS: total(tw.ThriftClassifier(_with_means(costs, table, learnt)).fit(X, y), answers[judged]),
    }
    everything = tw.algorithm("everything", costs=costs, learner="lightgbm").fit(
        X, y, error_costs=table.costs[learnt]
    )
    found[EVERYTHING] = total(everything, table.costs[judged])
    nobody = float(answers[judged, answers[learnt].mean(axis=0).argmin()].mean())
    return {what: 100.0 * cost / nobody for what, cost in found.items()}


def _with_means(costs: tw.Costs, table: CostTable, rows: Any) -> tw.Costs:
    """Name the mean losses of the cases of each class."""
    means = [table.costs[rows][table.y[rows] == actual, actual].mean(axis=0) for actual in (0, 1)]
    return costs.replace(errors={i: {j: float(means[i][j]) for j in (0, 1)} for i in (0, 1)})
