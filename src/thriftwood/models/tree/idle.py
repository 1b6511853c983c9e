"""Idle tests: those that cannot change the answer, because every way below them ends with the same one.

A way ends at a leaf, or at a test that stops the cases whose value is missing or unseen: such a test answers
by itself, so its own answer counts too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.models.files.trees import NODE_FIELDS, SURROGATE_FIELDS
from thriftwood.models.tree.branches import NOMINAL
from thriftwood.models.tree.walk import ALL_BRANCHES, STOP

if TYPE_CHECKING:
    from thriftwood.models.tree.tree import Tree

_LEAF = {
    **dict.fromkeys(("feature", "first_child", "map_offset"), -1),
    **dict.fromkeys(("kind", "n_children", "first_surrogate", "n_surrogates", "threshold", "gain"), 0),
    **dict.fromkeys(("missing_route", "unseen_route"), ALL_BRANCHES),
}
"""What the core writes into a leaf; weights and impurity stay those of the node."""


def uppermost_idle(tree: Tree) -> frozenset[int]:
    """Number the idle tests that stand below no other idle test."""
    flat, common = tree.flat, common_answers(tree)
    idle = [common[node] is not None and flat.feature[node] >= 0 for node in range(tree.n_nodes)]
    return frozenset(
        node for node, is_idle in enumerate(idle) if is_idle and not (node and idle[flat.parent[node]])
    )


def common_answers(tree: Tree) -> list[Any]:
    """Give, per node, the answer that every way from it ends with; None where they differ.

    A class is given by its number.
    """
    flat = tree.flat
    own: list[Any] = tree.core.values[:, 0].tolist() if tree.regression else flat.label
    common = list(own)
    for node in reversed(range(tree.n_nodes)):  # children have larger numbers
        if flat.feature[node] < 0:
            continue
        ends = {common[child] for child in flat.children(node)}
        if STOP in (flat.missing_route[node], flat.unseen_route[node]):
            ends.add(own[node])
        common[node] = ends.pop() if len(ends) == 1 else None
    return common


def without_idle_tests(tree: Tree) -> _core.Tree:
    """Give the core's tree with a leaf in place of every idle test."""
    merged = sorted(tree.idle)
    if not merged:
        return tree.core
    arrays = {name: array.copy() for name, array in tree.core.to_arrays().items() if name in _COPIED}
    _answer(tree, merged, arrays)
    for name, entry in _LEAF.items():
        arrays[name][merged] = entry
    kept = _reached(arrays["first_child"], arrays["n_children"])
    place = np.full(tree.n_nodes, -1, dtype=np.int32)
    place[np.sort(kept)] = np.arange(len(kept))
    for name in _COPIED:
        arrays[name] = arrays[name][np.sort(kept)]
    inner = arrays["first_child"] >= 0
    arrays["first_child"][inner] = place[arrays["first_child"][inner]]
    rest = {name: getattr(tree.core, name) for name in _KEPT}
    return _core.Tree.from_arrays(arrays | _lists(tree.core, arrays, place[kept]) | rest)


_COPIED = (*NODE_FIELDS, "values")
_KEPT = ("feature_values", "loss", "smoothing", "regression", "cases")


def _answer(tree: Tree, merged: list[int], arrays: dict[str, NDArray[Any]]) -> None:
    """Make nodes answer what all ways from them end with; theirs is the same, save for ties and rounding."""
    common = common_answers(tree)
    for node in merged:
        if tree.regression:
            arrays["values"][node, 0] = common[node]
        elif arrays["label"][node] != common[node]:
            arrays["label"][node] = common[node]
            arrays["risk"][node] = _risk(tree.core, node, common[node])


def _risk(core: _core.Tree, node: int, label: int) -> float:
    """Give the training loss of a node that answers a class."""
    weights = core.values[node]
    if len(core.loss):
        return float(weights @ core.loss.reshape(core.width, -1)[:, label])
    return float(weights.sum() - weights[label])


def _reached(first_child: NDArray[Any], n_children: NDArray[Any]) -> NDArray[np.int64]:
    """Number the nodes that the root leads to, each before its children, in the order of the branches."""
    found, open_nodes = [], [0]
    first, count = first_child.tolist(), n_children.tolist()
    while open_nodes:
        node = open_nodes.pop()
        found.append(node)
        open_nodes.extend(reversed(range(first[node], first[node] + count[node])))
    return np.array(found)


def _lists(core: _core.Tree, arrays: dict[str, NDArray[Any]], order: NDArray[Any]) -> dict[str, Any]:
    """Give the branch maps and surrogates of the nodes that are left, and point the nodes to them."""
    maps: list[NDArray[np.int32]] = []
    kept: list[int] = []
    offsets: list[int] = []
    length = 0

    def moved(kind: int, feature: int, offset: int) -> int:
        nonlocal length
        if kind != NOMINAL:
            return offset
        maps.append(core.branch_map[offset : offset + core.feature_values[feature]])
        length += len(maps[-1])
        return length - len(maps[-1])

    old = core.surrogates
    for node in order[arrays["kind"][order] > 0].tolist():
        of_node = (arrays[name][node] for name in ("kind", "feature", "map_offset"))
        arrays["map_offset"][node] = moved(*of_node)
        first, count = int(arrays["first_surrogate"][node]), int(arrays["n_surrogates"][node])
        arrays["first_surrogate"][node] = len(kept) if count else 0
        for surrogate in range(first, first + count):
            kept.append(surrogate)
            offsets.append(moved(*(old[name][surrogate] for name in ("kind", "feature", "map_offset"))))
    surrogates = {name: old[name][kept] for name in SURROGATE_FIELDS}
    surrogates["map_offset"] = np.array(offsets, dtype=np.int32)
    branch_map = np.concatenate([np.zeros(0, dtype=np.int32), *maps])
    return {"branch_map": branch_map, "surrogates": surrogates}
