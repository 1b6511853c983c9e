"""The walk of one case of which not everything is known yet.

The same rules as the core's walk (`core/tree/walk.hpp`), with one more ending: a *question*, where the walk
cannot go on until a feature is asked. A case whose value cannot be had goes by surrogates, then down the
branch that the node chose for missing values, or down all of them with shares, or stops.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from thriftwood.models.tree.branches import LEAF, THRESHOLD
from thriftwood.table import MISSING, UNSEEN

if TYPE_CHECKING:
    from thriftwood.models.tree.tree import Tree

ALL_BRANCHES, STOP = -1, -2
"""The core's routes for a missing value that are no branch."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A place where the walk ends, or waits for an answer."""

    node: int
    share: float
    asks: int = -1
    """The feature to ask; -1 if the walk ends here."""
    surrogate: bool = False
    """Whether it is asked in place of the node's own test."""


@dataclass(frozen=True, slots=True)
class Way:
    """How a case leaves a node: by a branch, by a route, or not before `asks` is known."""

    branch: int = STOP
    asks: int = -1
    by: int = -1
    """The surrogate that decided or is asked; -1 if it is the node's own test."""
    taken_for_missing: bool = False
    """Whether nothing decided, and the node's route for such cases was taken."""


def endings(
    tree: Tree,
    known: Mapping[int, float],
    awaited: Set[int] = frozenset(),
    start: Iterable[tuple[int, float]] = ((0, 1.0),),
) -> list[Ending]:
    """Walk a case of which some encoded values are known; endings in the order of the branches.

    Parameters
    ----------
    tree : Tree
        The tree.
    known : mapping of int to float
        Feature -> its encoded value.
    awaited : set of int
        Features that will have a value, nobody knows yet which: the walk takes every branch of their tests,
        with the share of the training cases that went there.
    start : pairs of int and float
        The nodes to set out from, each with its share of the case.
    """
    flat = tree.flat
    found: list[Ending] = []
    open_nodes = list(start)[::-1]
    while open_nodes:
        node, share = open_nodes.pop()
        way = way_out(tree, node, known)
        if way.asks in awaited:  # also down branches no training case took: this case may
            parts = [(child, share * part) for child, part in branch_shares(tree, node)]
            open_nodes.extend(reversed(parts))
        elif way.asks >= 0:
            found.append(Ending(node, share, way.asks, way.by >= 0))
        elif way.branch >= 0:
            open_nodes.append((flat.first_child[node] + way.branch, share))
        elif way.branch == STOP:
            found.append(Ending(node, share))
        else:
            parts = [(child, share * part) for child, part in branch_shares(tree, node)]
            open_nodes.extend(reversed([(child, part) for child, part in parts if part > 0]))
    return found


def way_out(tree: Tree, node: int, known: Mapping[int, float]) -> Way:
    """Tell how a case leaves a node."""
    flat, core = tree.flat, tree.core
    if flat.kind[node] == LEAF:
        return Way()
    feature = flat.feature[node]
    if feature not in known:
        return Way(asks=feature)
    numeric = flat.kind[node] == THRESHOLD
    place = float(core.threshold[node]) if numeric else int(core.map_offset[node])
    primary = _outcome(tree, numeric, place, feature, known[feature])
    if primary >= 0:
        return Way(primary)
    first = int(core.first_surrogate[node])
    for surrogate in range(first, first + int(core.n_surrogates[node])):
        way = _surrogate(tree, surrogate, known)
        if way.asks >= 0 or way.branch >= 0:
            return way
    route = flat.unseen_route[node] if primary == UNSEEN else flat.missing_route[node]
    return Way(route, taken_for_missing=True)


def branch_shares(tree: Tree, node: int) -> list[tuple[int, float]]:
    """Give each child with the share of a case that goes there when all branches are taken."""
    children = tree.flat.children(node)
    weights = [tree.flat.weight[child] for child in children]
    total = 0.0
    for weight in weights:  # in the core's order, for the core's rounding
        total += weight
    if not 0.0 < total < math.inf:  # nothing was weighed, or a file weighs more than a number can hold
        return [(child, 1.0 / len(children)) for child in children]
    return [(child, weight / total) for child, weight in zip(children, weights, strict=True)]


def _surrogate(tree: Tree, surrogate: int, known: Mapping[int, float]) -> Way:
    surrogates = tree.core.surrogates
    feature = int(surrogates["feature"][surrogate])
    if feature not in known:
        return Way(asks=feature, by=surrogate)
    numeric = surrogates["kind"][surrogate] == THRESHOLD
    place = float(surrogates["threshold"][surrogate]) if numeric else int(surrogates["map_offset"][surrogate])
    branch = _outcome(tree, numeric, place, feature, known[feature])
    if branch < 0:
        return Way()
    return Way(1 - branch if surrogates["flipped"][surrogate] else branch, by=surrogate)


def _outcome(tree: Tree, numeric: bool, place: float, feature: int, value: float) -> int:
    """Give the branch of a test, or MISSING or UNSEEN; `place` is its cut, or where its categories begin."""
    if numeric:
        return MISSING if math.isnan(value) else int(value > place)
    code = int(value)
    if code < 0:
        return MISSING if code == MISSING else UNSEEN
    if code >= int(tree.core.feature_values[feature]):
        return UNSEEN
    return int(tree.core.branch_map[int(place) + code])
