"""The way a case took through a tree, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

from thriftwood.consult.strategies import Refusal
from thriftwood.models.tree.branches import surrogate_conditions
from thriftwood.models.tree.conditions import category_text
from thriftwood.models.tree.text import answer_text
from thriftwood.models.tree.walk import Ending, branch_shares, way_out

if TYPE_CHECKING:
    from thriftwood.models.tree.tree import Tree


_REFUSALS: Mapping[Refusal, str] = {
    "budget": "exceeds the budget",
    "batch": "was not in the batch",
    "price": "is not worth its price",
}


def why(
    tree: Tree,
    known: Mapping[int, float],
    endings: Sequence[Ending],
    refused: Mapping[int, Refusal] = MappingProxyType({}),
) -> str:
    """Say how a case came to each of its endings: a line each, with its share if there are several.

    `refused` says of nodes whose test will not be run why that is so.
    """
    lines = []
    for ending in endings:
        share = f"{100 * ending.share:.3g}%: " if len(endings) > 1 else ""
        path = tree.path(ending.node)
        steps = ", ".join(_step(tree, known, *pair) for pair in pairwise(path))
        lines.append(f"{share}{steps}{': ' if steps else ''}{_goal(tree, ending, refused)}")
    return "\n".join(lines)


def _goal(tree: Tree, ending: Ending, refused: Mapping[int, Refusal]) -> str:
    if ending.node in refused:
        test = category_text(tree.feature_names[ending.asks])
        return f"{test} {_REFUSALS[refused[ending.node]]}, so {answer_text(tree, ending.node)}"
    if ending.asks >= 0:
        return f"asks {category_text(tree.feature_names[ending.asks])}"
    answer, feature = answer_text(tree, ending.node), tree.flat.feature[ending.node]
    if feature >= 0:  # the case stopped at a test
        return f"{category_text(tree.feature_names[feature])} unknown, so {answer}"
    return answer


def _step(tree: Tree, known: Mapping[int, float], node: int, child: int) -> str:
    """Say why a case went from a node to a child."""
    way = way_out(tree, node, known)
    test = category_text(tree.feature_names[tree.flat.feature[node]])
    branch = child - tree.flat.first_child[node]
    if way.by >= 0:
        return f"{surrogate_conditions(tree, way.by)[branch]} in place of {test}"
    if way.branch < 0:
        share = dict(branch_shares(tree, node))[child]
        return f"{tree.condition(child)} ({test} unknown: {100 * share:.3g}% of cases)"
    if way.taken_for_missing:
        return f"{tree.condition(child)} (assumed, {test} unknown)"
    return str(tree.condition(child))
