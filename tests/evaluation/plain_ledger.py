"""The ledger in plain Python, on the arrays of a tree, and random prices to compare it with the core on."""

import math

import numpy as np
from plain_tree import FRACTIONAL, LEAF, STOP, outcome

from thriftwood.costs import Costs, Test


def bought(tree, costs, row):
    """What a case buys: a list of (feature, share, price paid), a feature once per path that buys it."""
    if costs.payment == "upfront":
        first = purchases(costs, row, tree, tests_below(tree, 0), 1.0, [])
        paid = [feature for feature, *_ in first]
        return first + walked(tree, costs, row, 0, 1.0, paid)
    return walked(tree, costs, row, 0, 1.0, [])


def walked(tree, costs, row, node, share, paid):
    if tree["kind"][node] == LEAF:
        return []
    feature = tree["feature"][node]
    delayed = costs.tests[f"x{feature}"].delayed
    asked = []
    if feature not in paid and not unavailable(costs, row, tree, feature):
        asked = purchases(costs, row, tree, tests_below(tree, node) if delayed else [feature], share, paid)
    branch = primary = outcome(tree, tree, node, row)
    first = tree["first_surrogate"][node]
    for s in range(first, first + tree["n_surrogates"][node]):
        if isinstance(branch, str):
            surrogate = tree["surrogates"]["feature"][s]
            so_far = [*paid, *(feature for feature, *_ in asked)]
            asked = asked + purchases(costs, row, tree, [surrogate], share, so_far)
            branch = outcome(tree, tree["surrogates"], s, row)
            if not isinstance(branch, str) and tree["surrogates"]["flipped"][s]:
                branch = 1 - branch
    if isinstance(branch, str):
        branch = tree["unseen_route" if primary == "unseen" else "missing_route"][node]
    paid = [*paid, *(feature for feature, *_ in asked)]
    children = range(tree["first_child"][node], tree["first_child"][node] + tree["n_children"][node])
    if branch == STOP:
        return asked
    if branch != FRACTIONAL:
        return asked + walked(tree, costs, row, children[branch], share, paid)
    total = sum(tree["weight"][child] for child in children)
    for child in children:
        part = share * (tree["weight"][child] / total if total > 0 else 1 / len(children))
        if part > 0:
            asked = asked + walked(tree, costs, row, child, part, paid)
    return asked


def purchases(costs, row, tree, features, share, paid):
    """Buy features that are not paid for and can be had; `paid` in the order it was bought."""
    basket = costs.basket()
    for feature in paid:
        basket.buy(f"x{feature}")
    fresh = [f for f in features if f not in paid and not unavailable(costs, row, tree, f)]
    return [(feature, share, basket.buy(f"x{feature}")) for feature in fresh]


def unavailable(costs, row, tree, feature):
    if costs.charge_missing:
        return False
    value = row[feature]
    return value == -1 if tree["feature_values"][feature] > 0 else math.isnan(value)


def tests_below(tree, node):
    if tree["kind"][node] == LEAF:
        return []
    features = [tree["feature"][node]]
    for child in range(tree["first_child"][node], tree["first_child"][node] + tree["n_children"][node]):
        features += tests_below(tree, child)
    return list(dict.fromkeys(features))


def random_costs(rng, n_features, groups=True, **settings):
    """A price list with shared resources, groups, delays and free tests."""
    resources = {f"r{i}": float(rng.choice([0, 0.1, 2, 5])) for i in range(3)}

    def test():
        price = float(rng.choice([0, 0.1, 1, 2.5, 7]))
        needs = [name for name in resources if rng.random() < 0.3]
        group = str(rng.choice(["a", "b"])) if groups and rng.random() < 0.6 else None
        after = price * float(rng.choice([0, 0.5, 1])) if group and rng.random() < 0.7 else None
        return Test(price, needs, delayed=bool(rng.random() < 0.25), group=group, after=after)

    settings = {
        "payment": str(rng.choice(["sequential", "sequential", "upfront"])),
        "charge_missing": bool(rng.integers(2)),
    } | settings
    return Costs({f"x{f}": test() for f in range(n_features)}, resources, **settings)


def random_table(rng, n_rows, missing=0.0):
    """Two numeric and two nominal columns, as lists of rows, and labels that depend on them."""
    X = np.empty((n_rows, 4), dtype=object)
    X[:, 0] = rng.integers(0, 6, n_rows).astype(float)
    X[:, 1] = rng.integers(0, 4, n_rows).astype(float)
    X[:, 2] = rng.choice(["red", "green", "blue"], n_rows)
    X[:, 3] = rng.choice(["yes", "no"], n_rows)
    score = (
        (X[:, 0].astype(float) > 2) + (X[:, 2] == "red") + (X[:, 3] == "yes") * (X[:, 1].astype(float) > 1)
    )
    y = np.array(["low", "middle", "high", "high"])[score.astype(int)]
    y[rng.random(n_rows) < 0.1] = "low"
    X[rng.random(X.shape) < missing] = None
    return X, y
