"""What the tests of a tree cost where they stand; `core/accounting/node_payments.hpp` has the rules."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from thriftwood import _core
from thriftwood.costs import Costs

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
        Node -> what is bought there; nodes whose test was paid before are left out.
    bill : list of float
        Per node: what a case has paid when it arrives there.
    """

    orders: dict[int, Order]
    bill: list[float]

    def price(self, node: int) -> float:
        """Return what is paid at a node."""
        return math.fsum(price for _, price in self.orders.get(node, ()))


def payments(tree: Tree, costs: Costs) -> Payments:
    """Price every node of a tree.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> tree = tw.algorithm("c45").fit(golf.X, golf.y).tree_
    >>> paid = payments(tree, golf.costs)
    >>> paid.orders[0], paid.bill[1]
    ((('Outlook', 4.0),), 4.0)
    """
    orders, bill = _core.payments(tree.core, tree.prices_of(costs))
    names = tree.feature_names
    named = {node: tuple((names[test], price) for test, price in bought) for node, bought in orders.items()}
    return Payments(named, bill)
