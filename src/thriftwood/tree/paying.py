"""What the tests of a tree cost where they stand.

A test is paid once per case, so its price depends on what the path above it has paid for (`Costs.basket`):

- sequential: a node pays for its own test; if that test is *delayed*, for every test of the subtree at once;
- upfront: the whole tree is paid before anything happens; each test's price stands at the first node that
  asks it, and the bill is the same everywhere.

Stand-ins (surrogates) are not part of these prices: they are asked only when the test itself has no answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from thriftwood.costs import Basket, Costs

if TYPE_CHECKING:
    from thriftwood.tree.structure import Tree

Order = tuple[tuple[str, float], ...]
"""Tests bought together, in order, each with what it cost."""


@dataclass(frozen=True)
class Payments:
    """Prices at every node.

    Parameters
    ----------
    orders : dict of int to Order
        Node -> what is bought there; nodes that buy nothing are left out.
    bill : list of float
        Per node: what a case has paid when it arrives there.
    """

    orders: dict[int, Order]
    bill: list[float]

    def price(self, node: int) -> float:
        """Return what is paid at a node."""
        return math.fsum(price for _, price in self.orders.get(node, ()))


def is_delayed(costs: Costs, test: str) -> bool:
    """Tell whether a test's answer comes too late to choose the next test by it."""
    return test in costs.tests and costs.tests[test].delayed


def subtree_tests(tree: Tree, start: int) -> list[str]:
    """Name the tests of a subtree in pre-order, each once."""
    feature, names = tree.flat.feature, tree.feature_names
    seen = dict.fromkeys(feature[node] for node in tree.preorder(start))
    return [names[f] for f in seen if f >= 0]


def ordered_at(tree: Tree, costs: Costs, node: int) -> list[str]:
    """Name what a case orders on reaching an inner node, paid or not."""
    test = tree.feature_names[tree.flat.feature[node]]
    return subtree_tests(tree, node) if is_delayed(costs, test) else [test]


def payments(tree: Tree, costs: Costs) -> Payments:
    """Price every node of a tree."""
    return _upfront(tree, costs) if costs.payment == "upfront" else _sequential(tree, costs)


def _upfront(tree: Tree, costs: Costs) -> Payments:
    basket = costs.basket()
    orders: dict[int, Order] = {}
    flat, names = tree.flat, tree.feature_names
    for node in tree.preorder():
        if flat.feature[node] >= 0 and names[flat.feature[node]] not in basket.bill:
            name = names[flat.feature[node]]
            orders[node] = ((name, basket.buy(name)),)
    return Payments(orders, [math.fsum(basket.bill.values())] * tree.n_nodes)


def _sequential(tree: Tree, costs: Costs) -> Payments:
    flat = tree.flat
    orders: dict[int, Order] = {}
    bill = [0.0] * tree.n_nodes
    open_nodes: list[tuple[int, Basket]] = [(0, costs.basket())]
    while open_nodes:
        node, basket = open_nodes.pop()
        bill[node] = math.fsum(basket.bill.values())
        if flat.feature[node] < 0:
            continue
        # A test paid above this node was paid together with all it orders.
        if tree.feature_names[flat.feature[node]] not in basket.bill:
            basket = basket.copy()
            wanted = [name for name in ordered_at(tree, costs, node) if name not in basket.bill]
            orders[node] = tuple((name, basket.buy(name)) for name in wanted)
        # Nodes that buy nothing share their parent's basket.
        open_nodes.extend((child, basket) for child in flat.children(node))
    return Payments(orders, bill)
