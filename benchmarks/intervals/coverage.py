"""Populations with a known mean, samples of them, and how often an interval of a sample has that mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

import thriftwood as tw
from thriftwood.evaluation import Bill, Interval

FloatArray = NDArray[np.float64]

POPULATION = 40_000  # cases; samples are a few hundred of them, so the population is as good as endless
LEARNT_FROM = 600
DRAWS = 400  # of the bootstrap that ours is compared with
PRICES: dict[str, tw.Costs] = {
    "even": tw.Costs({"a": 2, "b": 3, "c": 4, "d": 1}, errors_default=30),
    "skewed": tw.Costs(
        {"a": 1, "b": 8, "c": tw.Test(20, needs=["lab"]), "d": 1},
        {"lab": 15},
        errors={"sick": {"well": 600}, "well": {"sick": 40}},
    ),
    "rare": tw.Costs({"a": 1, "b": 2, "c": 5, "d": 1}, errors={"sick": {"well": 3000}, "well": {"sick": 20}}),
}


class Coverage(NamedTuple):
    """How often an interval had the truth inside, and how wide it was beside ours."""

    prices: str
    what: str
    n: int
    method: str
    coverage: float
    width: float


class Population(NamedTuple):
    """The bills of two models on the same cases."""

    model: Bill
    other: Bill


def population(costs: tw.Costs, seed: int = 0) -> Population:
    """Learn two models from a few cases and bill them on many others."""
    rng = np.random.default_rng(seed)
    size = POPULATION + LEARNT_FROM
    X = rng.normal(size=(size, 4))
    risk = 1 / (1 + np.exp(3 - 1.5 * X[:, 0] - X[:, 1] - 1.2 * X[:, 2]))
    y = np.where(rng.random(size) < risk, "sick", "well")
    named = costs.replace(tests={f"x{'abcd'.index(name)}": test for name, test in costs.tests.items()})
    learnt, new = slice(LEARNT_FROM), slice(LEARNT_FROM, None)
    tree = tw.algorithm("min-total-cost", costs=named).fit(X[learnt], y[learnt])
    other = tw.algorithm("c45", costs=named).fit(X[learnt], y[learnt])
    return Population(tw.bill(tree, X[new], y[new]), tw.bill(other, X[new], y[new]))


def student_interval(values: FloatArray, _: np.random.Generator) -> Interval:
    """Return the interval of textbooks."""
    reach = student.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return Interval(values.mean() - reach, values.mean() + reach)


def bootstrap_interval(values: FloatArray, rng: np.random.Generator) -> Interval:
    """Return the percentiles of the means of samples of the sample."""
    counts = rng.multinomial(len(values), np.full(len(values), 1 / len(values)), size=DRAWS)
    return Interval(*np.quantile(counts @ values / len(values), [0.025, 0.975]))


OTHERS: dict[str, Callable[[FloatArray, np.random.Generator], Interval]] = {
    "student": student_interval,
    "bootstrap": bootstrap_interval,
}


def coverages(name: str, n: int, simulations: int, *, others: bool = True, seed: int = 1) -> list[Coverage]:
    """Draw samples of n cases and count how often each method's interval has the mean of all cases."""
    rng = np.random.default_rng([seed, n])
    of_others = np.random.default_rng([seed, n, 1])  # so that the samples are the same with them and without
    every = population(PRICES[name])
    assert every.model.cost is not None
    assert every.other.cost is not None
    costs = {"bill": every.model.cost, "difference": every.model.cost - every.other.cost}
    inside: dict[tuple[str, str], list[tuple[bool, float]]] = {}
    for _ in range(simulations):
        rows = rng.choice(POPULATION, n)
        model, other = every.model.part(rows), every.other.part(rows)
        difference = model.against(other)
        found = {("bill", "ours"): model.interval, ("difference", "ours"): Interval(*difference[1:])}
        if others:
            for what, values in costs.items():
                found |= {(what, method): make(values[rows], of_others) for method, make in OTHERS.items()}
        for (what, method), interval in found.items():
            assert interval is not None
            low, high = interval
            inside.setdefault((what, method), []).append((low <= costs[what].mean() <= high, high - low))
    ours = {what: np.median([width for _, width in inside[what, "ours"]]) for what in costs}
    return [
        Coverage(
            name,
            what,
            n,
            method,
            float(np.mean([hit for hit, _ in hits])),
            float(np.median([width for _, width in hits]) / ours[what]),
        )
        for (what, method), hits in inside.items()
    ]
