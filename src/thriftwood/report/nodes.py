"""The tree as data for the page: a small record per node."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.evaluation import Bill
from thriftwood.evaluation.statement import amount
from thriftwood.report.naming import cut, name_text
from thriftwood.tree.palette import node_colours
from thriftwood.tree.structure import Tree
from thriftwood.tree.text import answer_text, remarks, weight_text

MOST_NODES = 3000
"""A larger tree is cut at the depth to which so many nodes are drawn."""
MOST_CLASSES = 12
"""Of more classes, those that are most common at a node are listed."""


def drawn_depth(tree: Tree) -> int:
    """Return the depth down to which the page has the tree.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> drawn_depth(tw.algorithm("c45").fit(golf.X, golf.y).tree_)
    2
    """
    of_depth = np.cumsum(np.bincount(tree.flat.depth))
    return max(int(np.searchsorted(of_depth, MOST_NODES, side="right")) - 1, 0)


def node_data(bill: Bill, tree: Tree, table: _core.Table) -> list[dict[str, Any]]:
    """Describe the drawn nodes, each before its branches."""
    deepest, flat = drawn_depth(tree), tree.flat
    here = passing(bill, tree, table)
    colours = node_colours(tree)
    drawn = [node for node in tree.preorder() if flat.depth[node] <= deepest]
    return [
        _words(tree, node)
        | _money(tree, node)
        | {
            "id": node,
            "parent": flat.parent[node],
            "colour": colours[node],
            "share": flat.weight[node] / flat.weight[0] if flat.weight[0] > 0 else 0.0,
            "cases": weight_text(flat.weight[node]),
            "shares": _shares(tree, node),
            "counts": _counts(tree, tree.core.values[node]),
            "here": _here(tree, here[node]),
            "below": _below(tree, node) if flat.depth[node] == deepest else 0,
        }
        for node in drawn
    ]


def passing(bill: Bill, tree: Tree, table: _core.Table) -> NDArray[np.float64]:
    """Count the cases of the bill that come to each node, by true class if it is known."""
    indptr, nodes = tree.core.decision_path(table, 1)
    cases = np.repeat(np.arange(bill.n_cases), np.diff(indptr))
    known = bill.actual is not None and tree.classes is not None
    width = tree.core.width if known else 1
    labels = bill.actual[cases] if known and bill.actual is not None else np.zeros(len(cases), dtype=np.int64)
    weights = None if bill.weights is None else bill.weights[cases]
    counted = np.bincount(nodes.astype(np.int64) * width + labels, weights, minlength=tree.n_nodes * width)
    return counted.reshape(tree.n_nodes, width).astype(np.float64)


def _words(tree: Tree, node: int) -> dict[str, Any]:
    feature, condition = tree.flat.feature[node], tree.condition(node)
    return {
        "test": None if feature < 0 else name_text(tree.feature_names[feature]),
        "answer": cut(answer_text(tree, node)),
        "branch": "" if condition is None else cut(condition.phrase),
        "condition": "" if condition is None else cut(str(condition)),
        "remarks": [cut(words) for words in remarks(tree, node)],
    }


def _money(tree: Tree, node: int) -> dict[str, Any]:
    paid, leaf = tree.payments, tree.flat.feature[node] < 0
    if paid is None:
        return {"price": None, "bill": None}
    price = None if leaf else amount(paid.price(node)) if node in paid.orders else "paid before"
    return {"price": price, "bill": amount(paid.bill[node])}


def _shares(tree: Tree, node: int) -> list[list[float]]:
    """Give the classes at a node with their shares, for the strip at its foot."""
    if tree.regression:
        return []
    weights = tree.core.values[node]
    total = float(weights.sum())
    if not 0 < total < np.inf:
        return []
    largest = np.sort(np.argsort(-weights, kind="stable")[:MOST_CLASSES]).tolist()  # what is left stays blank
    return [[label, float(weights[label]) / total] for label in largest if weights[label] > 0]


def _counts(tree: Tree, weights: NDArray[np.float64]) -> list[list[Any]]:
    """Give the classes with their counts, most common first: class number, name, count."""
    if tree.classes is None:
        return []
    order = np.argsort(-weights, kind="stable")[:MOST_CLASSES].tolist()
    names = tree.classes.tolist()
    return [
        [label, name_text(names[label]), weight_text(float(weights[label]))]
        for label in order
        if weights[label] > 0
    ]


def _here(tree: Tree, counts: NDArray[np.float64]) -> dict[str, Any]:
    by_class = _counts(tree, counts) if len(counts) > 1 else []
    return {"cases": weight_text(float(counts.sum())), "counts": by_class}


def _below(tree: Tree, node: int) -> int:
    return sum(1 for _ in tree.preorder(node)) - 1
