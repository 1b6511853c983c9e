"""The journey of a case: its way through a tree, with what was bought at every step.

What is bought is up to the core's till, as in the ledger: what a journey costs is what the bill charges.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.models.tree.tree import Tree
from thriftwood.models.tree.walk import STOP, Way, branch_shares, way_out

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
    """Number the features that a walk may read, surrogates included."""
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
    till = _core.Till(tree.prices_of(costs))
    for feature, code in known.items():
        if tree.columns[feature].is_missing(code):
            till.answer(feature, has_value=False)
    upfront = till.order(tree.tests.tolist()) if till.upfront else []
    steps: list[Step] = []
    open_nodes: list[tuple[int, float, _core.Till]] = [(0, 1.0, till)]
    while open_nodes:
        node, share, till = open_nodes.pop()
        way = way_out(tree, node, known)
        read = [
            purchase for test in _read_at(tree, node, way) for purchase in till.ask(tree.core, node, test)
        ]
        bought = tuple((tree.feature_names[test], price) for test, price in [*upfront, *read])
        upfront = []
        ends = way.branch == STOP
        steps.append(Step(node, share, bought, till.spent, ends))
        if way.branch >= 0:
            open_nodes.append((tree.flat.first_child[node] + way.branch, share, till))
        elif not ends:
            parts = [(child, share * part) for child, part in branch_shares(tree, node) if share * part > 0]
            open_nodes.extend((child, part, till.copy()) for child, part in reversed(parts))
    return steps


def paid(steps: list[Step]) -> float:
    """Return what a journey costs: every purchase by the share of the case that made it."""
    return math.fsum(step.share * price for step in steps for _, price in step.bought)


def _read_at(tree: Tree, node: int, way: Way) -> list[int]:
    """List the tests that are read at a node: its own, then surrogates up to the one that decided."""
    if tree.flat.feature[node] < 0:
        return []
    core = tree.core
    first, count = int(core.first_surrogate[node]), int(core.n_surrogates[node])
    last = way.by + 1 if way.by >= 0 else first + count if way.taken_for_missing else first
    return [tree.flat.feature[node], *core.surrogates["feature"][first:last].tolist()]
