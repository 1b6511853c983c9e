"""What the tests of a tree cost where they stand.

A test is paid once per case, so its price depends on what the path above it has paid for (`Costs.basket`):

- sequential: a node pays for its own test; if that test is *delayed*, for every test of the subtree at once;
- upfront: the whole tree is paid before anything happens; each test's price stands at the first node that
  asks it, and the bill is the same everywhere.

Where a missing value is not charged (``charge_missing=False``), the cases of a branch for missing values have
not paid for that test, nor for what would have been ordered with it.

Stand-ins (surrogates) are not part of these prices: they are asked only when the test itself has no answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from thriftwood.costs import Basket, Costs
from thriftwood.models.tree.conditions import IsMissing

if TYPE_CHECKING:
    from thriftwood.models.tree.tree import Tree

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
    orders: dict[int, Order] = {}
    basket = costs.basket()
    flat, names = tree.flat, tree.feature_names
    for node in tree.preorder():
        if flat.feature[node] >= 0 and names[flat.feature[node]] not in basket.bill:
            name = names[flat.feature[node]]
            orders[node] = ((name, basket.buy(name)),)
    absent = _absent(tree, costs)
    paid = {
        lacking: costs.total(name for name in basket.bill if name not in lacking) for lacking in set(absent)
    }
    return Payments(orders, [paid[lacking] for lacking in absent])


def _sequential(tree: Tree, costs: Costs) -> Payments:
    flat = tree.flat
    orders: dict[int, Order] = {}
    bill = [0.0] * tree.n_nodes
    absent = _absent(tree, costs)
    open_nodes: list[tuple[int, Basket]] = [(0, costs.basket())]
    while open_nodes:
        node, before = open_nodes.pop()
        bill[node] = math.fsum(before.bill.values())
        if flat.feature[node] < 0:
            continue
        # A test paid above this node was paid together with all it orders.
        paid_above = tree.feature_names[flat.feature[node]] in before.bill
        basket = before if paid_above else before.copy()  # nodes that buy nothing share their parent's basket
        if not paid_above:
            orders[node] = _buy(tree, costs, node, basket, absent[node])
        for child in flat.children(node):
            if absent[child] == absent[node]:
                open_nodes.append((child, basket))
            elif paid_above:
                open_nodes.append((child, _path_basket(tree, costs, node, absent[child])))
            else:
                open_nodes.append((child, before))
    return Payments(orders, bill)


def _buy(tree: Tree, costs: Costs, node: int, basket: Basket, absent: frozenset[str]) -> Order:
    """Buy what is ordered at a node; a test that cannot be had orders nothing."""
    if tree.feature_names[tree.flat.feature[node]] in absent:
        return ()
    wanted = [
        name for name in ordered_at(tree, costs, node) if name not in basket.bill and name not in absent
    ]
    return tuple((name, basket.buy(name)) for name in wanted)


def _path_basket(tree: Tree, costs: Costs, last: int, absent: frozenset[str]) -> Basket:
    """Return what a case without some values has bought when it leaves a node; some was ordered above it."""
    basket = costs.basket()
    for node in tree.path(last):
        if tree.feature_names[tree.flat.feature[node]] not in basket.bill:
            _buy(tree, costs, node, basket, absent)
    return basket


def _absent(tree: Tree, costs: Costs) -> list[frozenset[str]]:
    """Name, for every node, the tests that its cases have no value of and were not charged for."""
    absent: list[frozenset[str]] = [frozenset()] * tree.n_nodes
    if not costs.charge_missing:
        for node in range(1, tree.n_nodes):  # parents have lower numbers
            absent[node] = absent[tree.flat.parent[node]]
            condition = tree.condition(node)
            if isinstance(condition, IsMissing):
                absent[node] |= {condition.feature}
    return absent
