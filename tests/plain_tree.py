"""Trees in plain Python: the walk written out again, and random trees and rows to compare it on."""

import math

import numpy as np

from thriftwood._core import Table

LEAF, THRESHOLD, NOMINAL = 0, 1, 2
FRACTIONAL, STOP = -1, -2
INTEGERS = ["feature", "first_child", "n_children", "map_offset", "missing_route", "unseen_route", "label"]
INTEGERS += ["first_surrogate", "n_surrogates"]
NUMBERS = ["threshold", "weight", "impurity", "gain", "risk"]
SURROGATES = ["kind", "feature", "map_offset", "flipped", "threshold", "agreement", "adjusted"]
# Values and thresholds share a grid, so that equality happens; 0.1 is larger as a float32 than as a double.
GRID = np.array([-math.inf, -1.0, -0.5, 0.0, 0.1, 0.3, 0.7, 2.0, math.inf])


def outcome(tree, test, at, row):
    value = row[test["feature"][at]]
    if test["kind"][at] == THRESHOLD:
        return "missing" if math.isnan(value) else int(not value <= test["threshold"][at])
    if value == -1 or math.isnan(value):
        return "missing"
    if value < 0 or value >= tree["feature_values"][test["feature"][at]]:
        return "unseen"
    branch = tree["branch_map"][test["map_offset"][at] + int(value)]
    return "missing" if branch < 0 else int(branch)


def endings(tree, row, node=0, share=1.0, path=()):
    """All (node, share, path) where the walk of a row ends."""
    path = (*path, node)
    if tree["kind"][node] == LEAF:
        return [(node, share, path)]
    branch = primary = outcome(tree, tree, node, row)
    first = tree["first_surrogate"][node]
    for s in range(first, first + tree["n_surrogates"][node]):
        if isinstance(branch, str):
            branch = outcome(tree, tree["surrogates"], s, row)
            if not isinstance(branch, str) and tree["surrogates"]["flipped"][s]:
                branch = 1 - branch
    if isinstance(branch, str):
        branch = int(tree["unseen_route" if primary == "unseen" else "missing_route"][node])
    if branch == STOP:
        return [(node, share, path)]
    children = range(tree["first_child"][node], tree["first_child"][node] + tree["n_children"][node])
    if branch >= 0:
        return endings(tree, row, children[branch], share, path)
    total = sum(tree["weight"][c] for c in children)
    parts = [share * (tree["weight"][c] / total if total > 0 else 1 / len(children)) for c in children]
    reached = [endings(tree, row, c, part, path) for c, part in zip(children, parts, strict=True) if part > 0]
    return [ending for some in reached for ending in some]


def class_shares(tree, reached):
    shares = np.zeros(tree["values"].shape[1])
    for node, share, _ in reached:
        weights = tree["values"][node] + (tree["smoothing"] if len(tree["smoothing"]) else 0.0)
        total = weights.sum()
        shares += share * (weights / total if total > 0 else np.eye(len(weights))[tree["label"][node]])
    return shares


def random_test(rng, feature_values, branch_map, n_branches):
    feature = int(rng.integers(len(feature_values)))
    categories = feature_values[feature]
    if categories == 0:
        return THRESHOLD, feature, -1, float(rng.choice(GRID[1:-1]))
    branch_map.extend(int(b) for b in rng.integers(-1, n_branches, categories))
    return NOMINAL, feature, len(branch_map) - categories, 0.0


def typed(columns):
    types = {"kind": np.uint8, "flipped": bool} | dict.fromkeys(INTEGERS, np.int32)
    return {name: np.array(column, dtype=types.get(name, float)) for name, column in columns.items()}


def random_tree(rng, *, feature_values, n_classes=3, regression=False, n_tests=8, surrogates=True):
    """The arrays of a valid tree with tests, routes, weights and labels drawn at random."""
    leaf = dict.fromkeys(["kind", *INTEGERS, *NUMBERS], 0)
    leaf |= dict.fromkeys(["feature", "first_child", "map_offset", "missing_route", "unseen_route"], -1)
    nodes = {name: [value] for name, value in leaf.items()}
    branch_map = []
    asked_next = {name: [] for name in SURROGATES}
    for _ in range(n_tests):
        leaves = [i for i, kind in enumerate(nodes["kind"]) if kind == LEAF]
        node = int(rng.choice(leaves[-3:]))
        n = int(rng.integers(1, 5))
        kind, feature, offset, threshold = random_test(rng, feature_values, branch_map, n)
        if kind == THRESHOLD:
            n = int(rng.choice([2, 2, 3]))
        test = {"kind": kind, "feature": feature, "map_offset": offset, "threshold": threshold}
        test |= {"first_child": len(nodes["kind"]), "n_children": n, "gain": float(rng.random())}
        test["missing_route"] = 2 if n == 3 else int(rng.integers(STOP, n))
        test["unseen_route"] = int(rng.integers(STOP, n))
        if surrogates and n == 2:
            count = int(rng.integers(0, 3))
            test.update(first_surrogate=len(asked_next["kind"]) if count else 0, n_surrogates=count)
            for _ in range(count):
                other = random_test(rng, feature_values, branch_map, 2)
                for name, value in zip(["kind", "feature", "map_offset", "threshold"], other, strict=True):
                    asked_next[name].append(value)
                asked_next["flipped"].append(bool(rng.integers(2)))
                asked_next["agreement"].append(float(rng.random()))
                asked_next["adjusted"].append(float(rng.random()))
        for name, value in test.items():
            nodes[name][node] = value
        for name, value in leaf.items():
            nodes[name] += [value] * n
    size = len(nodes["kind"])
    width = 1 if regression else n_classes
    nodes["label"] = rng.integers(0, width, size)
    nodes["weight"] = rng.integers(0, 4, size).astype(float)
    values = rng.normal(size=(size, 1)) if regression else rng.integers(0, 4, (size, width)).astype(float)
    smoothed = not regression and rng.integers(3) == 0
    return typed(nodes) | {
        "values": values,
        "smoothing": rng.random(width) if smoothed else np.zeros(0),
        "branch_map": np.array(branch_map, dtype=np.int32),
        "loss": np.zeros(0),
        "feature_values": np.array(feature_values, dtype=np.int32),
        "regression": regression,
        "surrogates": typed(asked_next),
    }


def random_rows(rng, feature_values, n_rows, missing=0.2):
    X = rng.choice(GRID, (n_rows, len(feature_values)))
    for f, categories in enumerate(feature_values):
        if categories > 0:
            X[:, f] = rng.integers(-2, categories + 1, n_rows)  # with missing, unseen, and a code too many
        else:
            X[rng.random(n_rows) < missing, f] = np.nan
    return X


def column_table(X, feature_values):
    def column(f):
        return (X[:, f].astype(np.int32), categories + 1) if (categories := feature_values[f]) else X[:, f]

    return Table.from_columns([column(f) for f in range(len(feature_values))])


def some_tree(seed=1, **settings):
    return random_tree(np.random.default_rng(seed), feature_values=[0, 3, 0], **settings)


def chain(depth):
    """The arrays of a chain of tests x0 <= 0: node 2i has the children 2i + 1 (a leaf) and 2i + 2."""
    n = 2 * depth + 1
    inner = np.arange(n) % 2 == 0
    inner[-1] = False
    zeros, minus = np.zeros(n), np.full(n, -1, dtype=np.int32)
    arrays = dict.fromkeys(NUMBERS, zeros) | dict.fromkeys(INTEGERS, np.zeros(n, dtype=np.int32))
    arrays |= {"missing_route": minus, "unseen_route": minus, "map_offset": minus, "weight": zeros + 1}
    arrays["kind"] = inner.astype(np.uint8)
    arrays["feature"] = np.where(inner, 0, -1).astype(np.int32)
    arrays["first_child"] = np.where(inner, np.arange(n) + 1, -1).astype(np.int32)
    arrays["n_children"] = np.where(inner, 2, 0).astype(np.int32)
    arrays["values"] = np.ones((n, 2))
    arrays |= {"branch_map": minus[:0], "feature_values": minus[:1] + 1, "regression": False}
    arrays["loss"] = arrays["smoothing"] = np.zeros(0)
    arrays["surrogates"] = some_tree(surrogates=False)["surrogates"]
    return arrays
