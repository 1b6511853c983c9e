"""Finished trees to test with: grown ones, random ones, very deep ones."""

import numpy as np
import pandas as pd
from plain_tree import chain, random_tree

from thriftwood import _core
from thriftwood.costs import Costs, Test
from thriftwood.datasets import load_dataset
from thriftwood.models.tree.tree import Tree
from thriftwood.table import Encoder
from thriftwood.table.native import core_table

GOLF_PRICES = Costs({"Outlook": 4, "Temperature": 1, "Humidity": 2, "Windy": 0.5})
RANDOM_PRICES = Costs(
    {
        "age": 1,
        "hair": Test(2, group="looks", after=0.5),
        "dose": Test(3, needs=["blood"], delayed=True),
        "coat": Test(4, group="looks", after=1, delayed=True),
        "size": Test(0.25, needs=["blood"]),
    },
    {"blood": 8},
)
"""For `random_finished`: groups, a shared resource, delayed tests."""
MULTIWAY = {
    "nominal": "multiway",
    "reuse_nominal": False,
    "min_split_weight": 2.0,
    "min_branch_weight": 1.0,
    "gain_floor": 0.0,
}
"""The rules that trees of these tests grow by unless they say others: ID3's."""
WORDS = ["red", "green", "blue", "grey", "black"]


def grown(X, y, costs=None, regression=False, **settings):
    encoder = Encoder("Tree")
    table = core_table(encoder.fit_encode(X), encoder)
    chosen = _core.Settings()
    for name, value in (MULTIWAY | settings).items():
        setattr(chosen, name, value)
    if regression:
        return Tree(_core.grow(table, chosen, numbers=np.asarray(y, dtype=float)), encoder, None, costs)
    classes, labels = np.unique(y, return_inverse=True)
    return Tree(_core.grow(table, chosen, labels.astype(np.int32), len(classes)), encoder, classes, costs)


def golf(costs=GOLF_PRICES, name="golf", **settings):
    """C4.5's tree of the golf table."""
    data = load_dataset(name)
    return grown(data.X, data.y, costs, **({"cut_at": "observed", "criterion": "entropy"} | settings))


def referring():
    """A tree with two answers that are no class, one of which it gives."""
    tree = mixed(max_depth=3)
    width = tree.core.width
    loss = np.hstack([10.0 * (1 - np.eye(width)), np.full((width, 1), 2.0), np.full((width, 1), 9.0)])
    return Tree(_core.relabel(tree.core, loss), tree.encoder, tree.classes, None, ("refer", "later"))


def mixed(seed=0, **settings):
    """A tree of numbers and names with missing values, binary subsets and surrogates."""
    rng = np.random.default_rng(seed)
    n = 120
    number, size = rng.normal(size=n), rng.integers(0, 3, n)
    word = rng.choice(WORDS, n)
    rows = [[float(a), str(w), int(s)] for a, w, s in zip(number, word, size, strict=True)]
    for i, j in zip(rng.integers(0, n, 40), rng.integers(0, 3, 40), strict=True):
        rows[i][j] = None
    y = (number + size + (word == "red") > 1.2).astype(int) + (word == "blue")
    costs = Costs({"x0": Test(3, needs=["kit"]), "x1": Test(2, needs=["kit"], delayed=True)}, {"kit": 1.5})
    settings = {"missing": "surrogate", "nominal": "binary", "max_surrogates": 3} | settings
    return grown(rows, y, costs, **settings)


def regression(seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(80, 3))
    return grown(X, X[:, 0] * 2 + X[:, 1], None, True, criterion="squared_error", max_depth=4)


def random_finished(rng, *, regression=False, surrogates=True, costs=None, full_maps=False, n_tests=8):
    """A tree with random tests, routes and weights on two numbers, two names and an ordered feature."""
    kinds = ["numeric", "nominal", "numeric", "nominal", "ordered"]
    feature_values = [0, 3, 0, 5, 0]
    arrays = random_tree(
        rng, feature_values=feature_values, regression=regression, surrogates=surrogates, n_tests=n_tests
    )
    if full_maps:
        arrays["branch_map"] = np.maximum(arrays["branch_map"], 0)
    categories = {1: WORDS[:3], 3: WORDS, 4: ["S", "M", "L"]}
    content = {
        "n_features": 5,
        "names": ["age", "hair", "dose", "coat", "size"],
        "categorical": {str(j): {"kind": kinds[j], "categories": names} for j, names in categories.items()},
    }
    classes = None if regression else ["a", "b", "c"]
    return Tree(_core.Tree.from_arrays(arrays), Encoder.from_json(content, "Tree"), classes, costs)


def random_row(rng, missing=0.0):
    row = {
        "age": float(rng.choice([-1.0, -0.5, 0.0, 0.1, 0.3, 0.7, 2.0])),
        "hair": str(rng.choice(WORDS[:3])),
        "dose": float(rng.choice([-1.0, 0.0, 0.1, 0.7, 5.0])),
        "coat": str(rng.choice(WORDS)),
        "size": str(rng.choice(["S", "M", "L"])),
    }
    return {name: None if rng.random() < missing else value for name, value in row.items()}


def table_of(tree, rows):
    if tree.encoder.feature_names is None:
        return [[row[name] for name in tree.feature_names] for row in rows]
    return pd.DataFrame({name: [row[name] for row in rows] for name in tree.feature_names}, dtype=object)


def shared_out():
    """A tree that sends a case without a value down four branches, all of one class; by rounding the shares
    1/13, 6/13, 3/13 and 3/13 add up to 1.0000000000000002."""
    counts = [1, 6, 3, 3]
    X = np.repeat(sorted(WORDS[:4]), counts).reshape(-1, 1).astype(object)
    tree = grown(X, X[:, 0], Costs({"x0": 3}), nominal="multiway", criterion="entropy")
    arrays = tree.core.to_arrays()
    assert arrays["weight"].tolist()[1:] == [float(count) for count in counts]
    arrays["values"] = np.outer(arrays["weight"], [1.0, 0.0])
    arrays["label"] = np.zeros_like(arrays["label"])
    return Tree(_core.Tree.from_arrays(arrays), tree.encoder, ["a", "b"], tree.costs)


def deep(depth, costs=None):
    """A chain of tests, each with a higher threshold than the one above."""
    arrays = chain(depth)
    arrays["threshold"] = np.where(arrays["kind"] > 0, np.arange(len(arrays["kind"])), 0).astype(float)
    encoder = Encoder("Tree").fit([[0.0], [1.0]])
    return Tree(_core.Tree.from_arrays(arrays), encoder, ["low", "high"], costs)
