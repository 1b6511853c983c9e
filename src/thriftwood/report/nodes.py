"""The tree as data for the page: a small record per node."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs.names import counted
from thriftwood.evaluation import Bill
from thriftwood.evaluation.statement import Words
from thriftwood.models.tree.palette import node_colours
from thriftwood.models.tree.text import answer_text, remarks, weight_text
from thriftwood.models.tree.tree import Tree
from thriftwood.models.tree.walk import branch_shares
from thriftwood.plots.axes import shortened
from thriftwood.report.naming import cut, name_text

MOST_NODES = 3000
"""A larger tree is cut at the depth to which so many nodes are drawn."""
MOST_CLASSES = 12
"""Of more classes, those that are most common at a node are listed."""
ALONG, LONGEST = 2, 20
"""So many tests that are ordered along with a delayed one are named in its box, with so many letters each."""
MOST_ORDERED = 20
"""So many tests of an order are listed where one points at its node."""


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


def node_data(bill: Bill, tree: Tree, table: _core.Table, words: Words) -> list[dict[str, Any]]:
    """Describe the drawn nodes, each before its branches."""
    deepest, flat = drawn_depth(tree), tree.flat
    here = passing(bill, tree, table)
    colours = node_colours(tree)
    drawn = [node for node in tree.preorder() if flat.depth[node] <= deepest]
    return [
        _words(tree, node)
        | _money(tree, node, words)
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
    """Count the cases of the bill that come to each node, by true class if it is known.

    A case that a missing value spread over several branches counts in each by its share.
    """
    starts, found = tree.core.decision_path(table, 1)
    nodes = found.astype(np.int64)
    cases = np.repeat(np.arange(bill.n_cases), np.diff(starts))
    weights = np.ones(len(nodes)) if bill.weights is None else bill.weights[cases]
    depth = np.array(tree.flat.depth)[nodes]
    if bill.n_cases:
        # More nodes than a way to the deepest of them has.
        spread = (np.diff(starts) > np.maximum.reduceat(depth, starts[:-1]) + 1)[cases]
        weights[spread] *= shares_on_the_way(tree, cases[spread], nodes[spread])
    known = bill.actual is not None and tree.classes is not None
    width = tree.core.width if known else 1
    labels = bill.actual[cases] if known and bill.actual is not None else np.zeros(len(cases), dtype=np.int64)
    here = np.bincount(nodes * width + labels, weights, minlength=tree.n_nodes * width)
    return here.reshape(tree.n_nodes, width).astype(np.float64)


def shares_on_the_way(tree: Tree, cases: NDArray[np.int64], nodes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the share of a case at each node that it visits; `cases` and `nodes` list all such pairs."""
    parent, depth = np.array(tree.flat.parent)[nodes], np.array(tree.flat.depth)[nodes]
    pair, pair_above = cases * tree.n_nodes + nodes, cases * tree.n_nodes + parent
    _, group, siblings = np.unique(pair_above, return_inverse=True, return_counts=True)
    several = siblings[group] > 1  # where a case takes one branch, all of it goes there
    part = np.ones(tree.n_nodes)
    for node in set(parent[several].tolist()):
        for child, share in branch_shares(tree, node):
            part[child] = share
    shares = np.where(several, part[nodes], 1.0)
    order = np.argsort(pair)
    by_depth = np.split(np.argsort(depth, kind="stable"), np.cumsum(np.bincount(depth))[:-1])
    for level in by_depth[1:]:  # from the root down: below it everyone's parent is found
        shares[level] *= shares[order[np.searchsorted(pair, pair_above[level], sorter=order)]]
    return shares


def _words(tree: Tree, node: int) -> dict[str, Any]:
    feature, condition = tree.flat.feature[node], tree.condition(node)
    return {
        "test": None if feature < 0 else name_text(tree.feature_names[feature]),
        "answer": cut(answer_text(tree, node)),
        "branch": "" if condition is None else branch_text(condition.phrase),
        "condition": "" if condition is None else cut(str(condition)),
        "remarks": [cut(said) for said in remarks(tree, node, prices=False)],
    }


def branch_text(phrase: str) -> str:
    """Write what leads to a branch as readers write it."""
    return cut(f"≤{phrase[2:]}" if phrase.startswith("<=") else phrase)


def _money(tree: Tree, node: int, words: Words) -> dict[str, Any]:
    paid, leaf = tree.payments, tree.flat.feature[node] < 0
    if paid is None:
        return {"price": None, "along": "", "ordered": [], "bill": None}
    ordered = paid.orders.get(node, ())
    return {
        "price": None if leaf else price_text(tree, node, words),
        "along": along_text(tree, node),
        "ordered": [[name_text(name), words.money(cost)] for name, cost in ordered[:MOST_ORDERED]],
        "bill": words.money(paid.bill[node]),
    }


def price_text(tree: Tree, node: int, words: Words) -> str:
    """Write what the test of a node costs there, all that is ordered with it included."""
    assert tree.payments is not None  # asked for only of a tree with prices
    price = tree.payments.price(node)
    if price > 0:
        return f"price {words.money(price)}"
    costs, name = tree.costs, tree.feature_names[tree.flat.feature[node]]
    return "free" if costs is None or not costs.effective_price(name) else "paid before"


def along_text(tree: Tree, node: int) -> str:
    """Say which tests are ordered along with the one of a node, whose answer comes late; empty if none is.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> late = golf.costs.replace(tests={**golf.costs.tests, "Outlook": tw.Test(4, delayed=True)})
    >>> tree = tw.algorithm("c45", costs=late).fit(golf.X, golf.y).tree_
    >>> along_text(tree, 0)
    ' with Humidity, Wind'
    """
    paid, costs = tree.payments, tree.costs
    if paid is None or costs is None:
        return ""
    # What is free needs no order.
    others = [name for name, _ in paid.orders.get(node, ())[1:] if costs.effective_price(name) > 0]
    if not others:
        return ""
    shown = others if len(others) <= ALONG + 1 else others[:ALONG]
    more = f" and {len(others) - len(shown)} more" if len(shown) < len(others) else ""
    return f" with {', '.join(shortened(name_text(name), LONGEST) for name in shown)}{more}"


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
    """Give the classes with their counts, most common first: class number, name, count.

    Of many classes the last entry, without a number, adds up those that are left out.
    """
    if tree.classes is None:
        return []
    order = np.argsort(-weights, kind="stable")[:MOST_CLASSES].tolist()
    names = tree.classes.tolist()
    listed: list[list[Any]] = [
        [label, name_text(names[label]), weight_text(float(weights[label]))]
        for label in order
        if weights[label] > 0
    ]
    more = int(np.count_nonzero(weights)) - len(listed)
    rest = weight_text(float(weights.sum() - weights[order].sum()))
    return [*listed, [None, counted(more, "more class", "more classes"), rest]] if more > 0 else listed


def _here(tree: Tree, counts: NDArray[np.float64]) -> dict[str, Any]:
    by_class = _counts(tree, counts) if len(counts) > 1 else []
    return {"cases": weight_text(float(counts.sum())), "counts": by_class}


def _below(tree: Tree, node: int) -> int:
    return sum(1 for _ in tree.preorder(node)) - 1
