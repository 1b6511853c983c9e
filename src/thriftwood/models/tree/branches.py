"""From the core's codes to conditions in the user's terms."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

from thriftwood.models.tree.conditions import (
    Above,
    AtMost,
    Condition,
    IsKnown,
    IsMissing,
    IsOneOf,
    OnScale,
)
from thriftwood.table import Kind

if TYPE_CHECKING:
    from thriftwood.models.tree.tree import Tree
    from thriftwood.table import Column

LEAF, THRESHOLD, NOMINAL = 0, 1, 2
"""The kinds of nodes in the core."""
EVERY_NUMBER = sys.float_info.max
"""A threshold test with this cut asks only whether there is a value."""


def branch_conditions(tree: Tree, node: int) -> tuple[Condition, ...]:
    """Say what leads to each child of a node.

    A category without a branch of its own belongs to the branch that missing values take, if there is one
    and no surrogate is asked first.
    """
    flat, core = tree.flat, tree.core
    if flat.kind[node] == LEAF:
        return ()
    name = tree.feature_names[flat.feature[node]]
    column = tree.columns[flat.feature[node]]
    if flat.kind[node] == THRESHOLD:
        if core.threshold[node] == EVERY_NUMBER:
            return IsKnown(name), IsMissing(name)
        sides = sides_of_cut(name, column, float(core.threshold[node]))
        return (*sides, IsMissing(name))[: flat.n_children[node]]
    otherwise = flat.missing_route[node] if core.n_surrogates[node] == 0 else -1
    groups: list[list[int]] = [[] for _ in flat.children(node)]
    for code, branch in enumerate(branches_of(tree, int(core.map_offset[node]), len(column.categories))):
        place = branch if branch >= 0 else otherwise
        if place >= 0:
            groups[place].append(code)
    return tuple(
        IsMissing(name) if not codes and branch == otherwise else categories_in(name, column, codes)
        for branch, codes in enumerate(groups)
    )


def surrogate_conditions(tree: Tree, surrogate: int) -> tuple[Condition, Condition]:
    """Say what sends a case to the first and to the second branch by a surrogate."""
    surrogates = tree.core.surrogates
    feature = int(surrogates["feature"][surrogate])
    name, column = tree.feature_names[feature], tree.columns[feature]
    if surrogates["kind"][surrogate] == THRESHOLD:
        first, second = sides_of_cut(name, column, float(surrogates["threshold"][surrogate]))
    else:
        branches = branches_of(tree, int(surrogates["map_offset"][surrogate]), len(column.categories))
        first, second = (
            categories_in(name, column, [code for code, b in enumerate(branches) if b == side])
            for side in (0, 1)
        )
    return (second, first) if surrogates["flipped"][surrogate] else (first, second)


def branches_of(tree: Tree, offset: int, n_categories: int) -> list[int]:
    """Give the branch of each category of a nominal test; -1 for none."""
    branches: list[int] = tree.core.branch_map[offset : offset + n_categories].tolist()
    return branches


def categories_in(name: str, column: Column, codes: list[int]) -> Condition:
    """Say that a nominal feature has one of some categories."""
    return IsOneOf(name, tuple(column.categories[code] for code in codes))


def sides_of_cut(name: str, column: Column, cut: float) -> tuple[Condition, Condition]:
    """Say what lies on the two sides of a cut, in numbers or on an ordered feature's scale."""
    if column.kind is Kind.NUMERIC:
        return AtMost(name, cut), Above(name, cut)
    last = len(column.categories) - 1
    place = min(max(math.floor(cut), -1), last)
    return OnScale(name, column.categories, 0, place), OnScale(name, column.categories, place + 1, last)
