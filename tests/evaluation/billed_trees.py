"""Trees to write bills for: grown ones, and two made by hand."""

import numpy as np
import pandas as pd
from evaluation.plain_ledger import random_table
from plain_tree import INTEGERS, NUMBERS, some_tree, typed

from thriftwood import _core
from thriftwood.costs import Costs, Test
from thriftwood.datasets import load_dataset
from thriftwood.evaluation import bill
from thriftwood.learning import CostTreeClassifier, Growth
from thriftwood.models.tree.tree import Tree
from thriftwood.table import Encoder

MULTIWAY = Growth(nominal="multiway")
TESTS = ["alpha", "beta", "delta", "epsilon"]


def golf(costs=None):
    data = load_dataset("golf-nominal")
    return CostTreeClassifier("entropy", growth=MULTIWAY, costs=costs).fit(data.X, data.y), data


def fitted(seed, n_rows=80, missing=0.0, growth=MULTIWAY):
    X, y = random_table(np.random.default_rng(seed), n_rows, missing)
    return CostTreeClassifier("entropy", growth=growth).fit(X, y), X, y


def thresholds(features, first_child, labels, n_features, n_classes):
    """A tree of cuts at 0; features[i] is -1 where node i is a leaf."""
    n = len(features)
    nodes = dict.fromkeys(INTEGERS, [0] * n) | dict.fromkeys(NUMBERS, [0.0] * n)
    nodes |= dict.fromkeys(["map_offset", "missing_route", "unseen_route"], [-1] * n)
    nodes |= {"kind": [int(f >= 0) for f in features], "feature": features, "first_child": first_child}
    nodes |= {"n_children": [2 * int(f >= 0) for f in features], "label": labels, "weight": [1.0] * n}
    return _core.Tree.from_arrays(
        typed(nodes)
        | {
            "values": np.ones((n, n_classes)),
            "branch_map": np.zeros(0, dtype=np.int32),
            "loss": np.zeros(0),
            "feature_values": np.zeros(n_features, dtype=np.int32),
            "regression": False,
            "surrogates": some_tree(surrogates=False)["surrogates"],
        }
    )


def delays():
    """Alpha; above it delta and then epsilon, below it beta. Only the long path ends with sick."""
    core = thresholds([0, 1, 2, -1, -1, -1, 3, -1, -1], [1, 3, 5, -1, -1, -1, 7, -1, -1], [0] * 8 + [1], 4, 2)
    costs = Costs(
        {
            "alpha": 5,
            "beta": 10,
            "delta": Test(7, delayed=True, group="blood", after=5),
            "epsilon": Test(10, delayed=True, group="blood", after=8),
        },
        errors_default=50,
    )
    return Tree(
        core, Encoder().fit(pd.DataFrame(np.zeros((1, 4)), columns=TESTS)), ["healthy", "sick"], costs
    )


def mistakes(**costs):
    """Bill every pair of a true and an answered class once: x0 tells c from the rest, x1 a from b."""
    core = thresholds([0, 1, -1, -1, -1], [1, 3, -1, -1, -1], [0, 0, 2, 0, 1], 2, 3)
    X = np.repeat([[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]], 3, axis=0)
    tree = Tree(core, Encoder().fit(X), ["a", "b", "c"])
    return bill(tree, X, ["a", "b", "c"] * 3, Costs(**costs))
