"""The least cost over all trees by trying every one, for tiny tables; and such tables."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

import thriftwood as tw


@dataclass
class PriceTable:
    """A price list in plain lists, by column."""

    price: list
    after: list
    group: list
    needs: list
    shared: list
    delayed: list
    charge_missing: bool

    def of(self, test, bought):
        """Return what a test costs once others were bought."""
        if test in bought:
            return 0.0
        opened = self.group[test] is not None and any(self.group[t] == self.group[test] for t in bought)
        own = self.after[test] if opened and self.after[test] is not None else self.price[test]
        had = {resource for t in bought for resource in self.needs[t]}
        return own + sum(self.shared[r] for r in self.needs[test] if r not in had)

    def as_costs(self, **errors):
        """Return the same as `Costs`."""
        tests = {
            f"x{c}": tw.Test(
                price,
                needs=[f"r{r}" for r in self.needs[c]],
                group=None if self.group[c] is None else f"g{self.group[c]}",
                after=self.after[c],
                delayed=self.delayed[c],
            )
            for c, price in enumerate(self.price)
        }
        shared = {f"r{r}": price for r, price in enumerate(self.shared)}
        return tw.Costs(tests, shared=shared, charge_missing=self.charge_missing, **errors)


@dataclass
class TinyProblem:
    """A table of numbers, with codes of categories in the nominal columns, and everything a tree can cost."""

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray
    answer_costs: np.ndarray
    depth: int
    prices: PriceTable | None = None
    nominal: set = field(default_factory=set)
    tests: str = "multiway"
    missing: str = "branch"
    budget: float = math.inf
    fee: float = 0.0
    prior_weight: float = 0.0
    prior_cost: np.ndarray | None = None
    n_classes: int = 0

    def leaf(self, rows):
        """Return what a leaf costs these rows."""
        weight = self.weights[rows].sum()
        sums = (self.weights[rows, None] * self.answer_costs[rows]).sum(axis=0)
        if self.prior_weight > 0:
            sums = (sums + self.prior_weight * self.prior_cost) * weight / (weight + self.prior_weight)
        return sums.min() + self.fee

    def questions(self, rows):
        """Give every question about the rows: its column, its branches, and the rows without a value."""
        for c in range(self.X.shape[1]):
            values = {r: self.X[r, c] for r in rows}
            lacking = [r for r in rows if math.isnan(values[r])]
            known = sorted({v for v in values.values() if not math.isnan(v)})
            if c in self.nominal and self.tests == "multiway":
                offers = [[[r for r in rows if values[r] == k] for k in known]]
            elif c in self.nominal:
                others = {k: [r for r in rows if values[r] in known and values[r] != k] for k in known}
                offers = [[[r for r in rows if values[r] == k], others[k]] for k in known]
            else:
                offers = [
                    [[r for r in rows if values[r] <= k], [r for r in rows if values[r] > k]] for k in known
                ]
            for branches in offers:
                taken = [branch for branch in branches if branch]
                if len(taken) + bool(lacking) > 1:
                    yield c, taken, lacking

    def least(self, rows, bought=(), depth=None, ordered=False):
        """Return what the best tree for the rows costs."""
        depth = self.depth if depth is None else depth
        least = self.leaf(rows)
        if depth == 0 or len(rows) < 2:
            return least
        for c, branches, lacking in self.questions(rows):
            least = min(least, self._asked(rows, c, branches, lacking, bought, depth, ordered))
        return least

    def spent(self, bought):
        """Return what tests cost that were bought in this order."""
        return sum(self.prices.of(test, bought[:i]) for i, test in enumerate(bought))

    def _asked(self, rows, c, branches, lacking, bought, depth, ordered):
        prices = self.prices
        price = 0.0 if prices is None else prices.of(c, bought)
        if price > 0 and (ordered or self.spent(bought) + price > self.budget):
            return math.inf
        free = prices is not None and not prices.charge_missing
        below = ordered or (prices is not None and prices.delayed[c] and c not in bought)
        payers = [r for r in rows if r not in lacking] if free else rows
        cost = price * self.weights[payers].sum()
        after = bought if c in bought else (*bought, c)
        for branch in branches:
            cost += self.least(branch, after, depth - 1, below)
        if lacking:
            # Those that have a value order along what these are asked, if the test is delayed.
            state = (bought, below) if free else (after, below)
            cost += self.least(lacking, state[0], 0 if self.missing == "stay" else depth - 1, state[1])
        return cost


def with_further_answers(problem, seed):
    """Return the problem with one or two answers besides the classes, which can pay or not."""
    rng = np.random.default_rng([seed, 1])
    n, further = len(problem.y), int(rng.integers(1, 3))
    by_class = rng.uniform(0, 4, (problem.n_classes, further))
    added = by_class[problem.y] if rng.random() < 0.5 else by_class[:1].repeat(n, axis=0)
    costs = np.hstack([problem.answer_costs, added])
    prior = np.concatenate([problem.prior_cost, rng.uniform(0, 3, further)])
    return replace(problem, answer_costs=costs, prior_cost=prior)


def tiny_problem(seed):
    """Draw a table with prices, weights, missing values, several classes and answers of any cost."""
    rng = np.random.default_rng(seed)
    n, columns, classes = int(rng.integers(2, 12)), int(rng.integers(1, 5)), int(rng.integers(2, 5))
    X = rng.integers(0, rng.integers(2, 5), (n, columns)).astype(float)
    if rng.random() < 0.5:
        X[rng.random((n, columns)) < 0.15] = np.nan
    y = rng.integers(0, classes, n).astype(np.int32)
    weights = np.ones(n) if rng.random() < 0.5 else rng.integers(0, 4, n).astype(float)
    weights[0] = max(weights[0], 1.0)
    prior_weight = 0.0 if rng.random() < 0.7 else float(rng.uniform(0, 3))
    return TinyProblem(
        X=X,
        y=y,
        weights=weights,
        answer_costs=_drawn_costs(rng, y, classes),
        depth=int(rng.integers(0, 5 if n < 8 and columns < 4 else 4)),
        prices=_drawn_prices(rng, columns) if rng.random() < 0.75 else None,
        nominal={c for c in range(columns) if rng.random() < 0.3},
        tests=("multiway", "value")[rng.integers(2)],
        missing=("branch", "stay")[rng.integers(2)],
        budget=math.inf if rng.random() < 0.7 else float(rng.uniform(0, 3)),
        fee=0.0 if rng.random() < 0.6 else float(rng.uniform(0, 1)),
        prior_weight=prior_weight,
        prior_cost=rng.uniform(0, 5, classes),
        n_classes=classes,
    )


def _drawn_costs(rng, y, classes):
    kind = rng.integers(5)
    if kind == 0:
        return (1 - np.eye(classes))[y]
    if kind == 1:
        return (rng.uniform(0, 10, (classes, 1)) * (1 - np.eye(classes)))[y]
    if kind == 2:
        return rng.uniform(-1, 5, (len(y), classes))
    return rng.uniform(-2 if kind == 3 else 0, 10, (classes, classes))[y]


def _drawn_prices(rng, columns):
    scale = rng.choice([0.05, 0.5, 2.0])
    price = (rng.uniform(0, scale, columns) * (rng.random(columns) < 0.8)).tolist()
    group = [None if rng.random() < 0.4 else int(rng.integers(2)) for _ in range(columns)]
    return PriceTable(
        price=price,
        after=[
            None if g is None or rng.random() < 0.3 else float(rng.uniform(0, p))
            for g, p in zip(group, price, strict=True)
        ],
        group=group,
        needs=[sorted(set(rng.integers(0, 3, rng.integers(0, 3)).tolist())) for _ in range(columns)],
        shared=rng.uniform(0, scale, 3).tolist(),
        delayed=[bool(rng.random() < 0.2) for _ in range(columns)],
        charge_missing=bool(rng.random() < 0.6),
    )
