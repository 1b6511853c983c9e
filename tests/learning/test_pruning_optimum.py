"""CART's pruning finds, of all trees that cutting can make, that of least risk + alpha x leaves."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood.learning.pruning import CostComplexity

MODES = ["plain", "prior", "loss", "both", "weights"]


def table(seed, n_classes, missing):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 80))
    y = np.append(np.arange(n_classes), rng.integers(0, n_classes, n - n_classes))
    X = np.empty((n, 3), dtype=object)
    X[:, 0] = np.round(rng.normal(size=n) + 0.7 * y, 1)
    X[:, 1] = rng.integers(0, 5, n).astype(float)
    X[:, 2] = np.array(["a", "b", "c", "d"])[rng.integers(0, 4, n)]
    X[rng.random((n, 3)) < missing] = None
    return X, y, rng


def parameters(mode, n_classes, rng):
    found = {}
    if mode in ("prior", "both"):
        found["priors"] = rng.dirichlet(np.ones(n_classes)) + 0.02
    if mode in ("loss", "both"):
        cost = rng.integers(1, 9, (n_classes, n_classes))
        errors = {i: {j: int(cost[i, j]) for j in range(n_classes) if i != j} for i in range(n_classes)}
        found["costs"] = tw.Costs(errors=errors)
    return found


class Cuts:
    """Works out by dynamic programming what the cheapest cut of a tree costs, from its training cases."""

    def __init__(self, model, X, y, weights):
        problem = model.prepare(X, y, weights).problem
        self.core, self.labels = model.tree_.core, problem.labels
        judged = problem.judging_weights
        self.weights = np.ones(len(y)) if judged is None else judged
        self.loss = 1.0 - np.eye(problem.n_classes) if problem.loss is None else problem.loss
        self.ends = self.core.apply(problem.table)

    def cost(self, rows, label):
        return math.fsum(self.weights[rows] * self.loss[self.labels[rows], label])

    def cheapest(self, price, node=0):
        """Give the cases of a node, and the least cost and the fewest leaves that have it."""
        core, first = self.core, self.core.first_child[node]
        rows = np.flatnonzero(self.ends == node)
        if first < 0:
            return rows, self.cost(rows, core.label[node]) + price, 1
        cost, leaves = self.cost(rows, core.label[node]), 0  # those whose value is missing stop here
        for child in range(first, first + core.n_children[node]):
            below, child_cost, child_leaves = self.cheapest(price, child)
            rows, cost, leaves = np.append(rows, below), cost + child_cost, leaves + child_leaves
        closed = self.cost(rows, core.label[node]) + price
        if closed <= cost + 1e-9 * self.weights.sum() * self.loss.max():
            return rows, closed, 1
        return rows, cost, leaves


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 4),
    st.sampled_from(MODES),
    st.sampled_from([0.0, 0.15]),
    st.floats(0.0, 0.12),
    st.sampled_from([(2, 1), (6, 2)]),
)
def test_no_other_cut_is_cheaper(seed, n_classes, mode, missing, alpha, least):
    X, y, rng = table(seed, n_classes, missing)
    weights = rng.integers(1, 5, len(y)) if mode == "weights" else None
    given_by = {"minsplit": least[0], "minbucket": least[1]} | parameters(mode, n_classes, rng)
    whole = tw.algorithm("cart", pruning=None, **given_by).fit(X, y, weights)
    pruned = tw.algorithm("cart", pruning=CostComplexity(alpha=alpha), **given_by).fit(X, y, weights)
    cuts, after = Cuts(whole, X, y, weights), Cuts(pruned, X, y, weights)
    price = alpha * cuts.weights.sum()
    _, least_cost, fewest = cuts.cheapest(price)
    leaf_costs = after.cheapest(-math.inf)[0]  # nothing is cut: every case is in some leaf
    assert len(leaf_costs) == len(y)
    predicted = after.core.label[after.ends]
    cost = math.fsum(after.weights * after.loss[after.labels, predicted]) + price * pruned.tree_.n_leaves
    assert cost == pytest.approx(least_cost, rel=1e-9, abs=1e-9)
    assert pruned.tree_.n_leaves == fewest


def test_the_path_ends_with_a_leaf_and_each_step_is_the_cheapest_at_its_alpha():
    X, y, _ = table(7, 3, 0.0)
    whole = tw.algorithm("cart", pruning=None, minsplit=2, minbucket=1).fit(X, y)
    cuts = Cuts(whole, X, y, None)
    previous = whole.tree_.n_leaves + 1
    for alpha in np.linspace(0, 0.5, 200):
        model = tw.algorithm("cart", pruning=CostComplexity(alpha=alpha), minsplit=2, minbucket=1).fit(X, y)
        assert model.tree_.n_leaves == cuts.cheapest(alpha * len(y))[2] <= previous
        previous = model.tree_.n_leaves
    assert previous == 1
