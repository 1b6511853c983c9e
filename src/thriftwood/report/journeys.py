"""The journey of a case: its way through a tree, with what was bought at every step.

The same rules as the core's ledger (`core/accounting/ledger.cpp`), one case at a time: what a journey costs
is what the bill charges.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from thriftwood.costs import Basket, Costs
from thriftwood.models.tree.payments import ordered_at, subtree_tests
from thriftwood.models.tree.tree import Tree
from thriftwood.models.tree.walk import STOP, Way, branch_shares, way_out
from thriftwood.table import MISSING, Kind

Bought = tuple[tuple[str, float], ...]
"""Tests with what was paid for each, in order."""


@dataclass(frozen=True, slots=True)
class Step:
    """A node that a case came to.

    Attributes
    ----------
    node : int
        Its number.
    share : float
        How much of the case came here: 1 unless a missing value spread it over several branches.
    bought : Bought
        What was bought here, at full price; the case pays its share of it.
    bill : float
        What this part of the case has paid so far, what is bought here included.
    ends : bool
        Whether the case, or this part of it, ends here.
    """

    node: int
    share: float
    bought: Bought
    bill: float
    ends: bool


def needed_features(tree: Tree) -> list[int]:
    """Number the features that a walk may read, stand-ins included."""
    read = {feature for feature in tree.flat.feature if feature >= 0}
    return sorted(read | set(tree.core.surrogates["feature"].tolist()))


def journey(tree: Tree, costs: Costs, known: Mapping[int, float]) -> list[Step]:
    """Walk a case, every encoded value of which is known; a missing one is NaN or the code of missing.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> tree = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y).tree_
    >>> rainy = {0: 2.0, 3: 0.0}
    >>> known = {feature: rainy.get(feature, 0.0) for feature in needed_features(tree)}
    >>> [(step.node, step.bought, step.bill) for step in journey(tree, golf.costs, known)]
    [(0, (('Outlook', 4.0),), 4.0), (3, (('Wind', 0.5),), 4.5), (6, (), 4.5)]
    """
    cashier = _Cashier(tree, costs, known)
    basket = costs.basket()
    first: Bought = ()
    if costs.payment == "upfront":
        first = cashier.buy(basket, subtree_tests(tree, 0))
    steps: list[Step] = []
    open_nodes: list[tuple[int, float, Basket]] = [(0, 1.0, basket)]
    while open_nodes:
        node, share, basket = open_nodes.pop()
        way = way_out(tree, node, known)
        bought = first + cashier.asked(basket, node, way)
        first = ()
        ends = way.branch == STOP
        steps.append(Step(node, share, bought, math.fsum(basket.bill.values()), ends))
        if way.branch >= 0:
            open_nodes.append((tree.flat.first_child[node] + way.branch, share, basket))
        elif not ends:
            parts = [(child, share * part) for child, part in branch_shares(tree, node) if share * part > 0]
            open_nodes.extend((child, part, basket.copy()) for child, part in reversed(parts))
    return steps


def paid(steps: list[Step]) -> float:
    """Return what a journey costs: every purchase by the share of the case that made it."""
    return math.fsum(step.share * price for step in steps for _, price in step.bought)


class _Cashier:
    """Who charges one case."""

    def __init__(self, tree: Tree, costs: Costs, known: Mapping[int, float]) -> None:
        self.tree, self.costs, self.known = tree, costs, known

    def asked(self, basket: Basket, node: int, way: Way) -> Bought:
        """Buy what is read at a node: its test, with all that is ordered with it, then stand-ins."""
        feature = self.tree.flat.feature[node]
        if feature < 0:
            return ()
        bought: Bought = ()
        name = self.tree.feature_names[feature]
        if name not in basket.bill and not self._unavailable(name):
            bought = self.buy(basket, ordered_at(self.tree, self.costs, node))
        return bought + self.buy(basket, self._stand_ins(node, way))

    def buy(self, basket: Basket, names: list[str]) -> Bought:
        """Buy what can be had and was not bought."""
        fresh = [name for name in names if name not in basket.bill and not self._unavailable(name)]
        return tuple((name, basket.buy(name)) for name in fresh)

    def _stand_ins(self, node: int, way: Way) -> list[str]:
        """Name the stand-ins that were consulted: up to the one that decided, or all in vain."""
        core = self.tree.core
        first, count = int(core.first_surrogate[node]), int(core.n_surrogates[node])
        last = way.by + 1 if way.by >= 0 else first + count if way.taken_for_missing else first
        features = core.surrogates["feature"][first:last].tolist()
        return [self.tree.feature_names[feature] for feature in features]

    def _unavailable(self, name: str) -> bool:
        feature = self.tree.feature_index[name]
        if self.costs.charge_missing or feature not in self.known:
            return False
        value = self.known[feature]
        nominal = self.tree.columns[feature].kind is Kind.NOMINAL
        return value == MISSING if nominal else math.isnan(value)
