"""Trees put below a question, as one tree."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.models.tree.branches import NOMINAL, THRESHOLD


class Question(NamedTuple):
    """What the new root asks."""

    feature: int
    cut: float | None
    """Of a numeric feature; None: each category has the branch that `branch_of` says."""
    branch_of: NDArray[np.int32]
    """By category; -1: it did not occur."""


def joined(plain: _core.Tree, question: Question, branches: list[_core.Tree], route: int) -> _core.Tree:
    """Put trees below a question; its node weighs and answers what the root of `plain` does.

    `route` is the branch of cases without a value, and of categories that were not there.
    """
    root, below = plain.to_arrays(), [branch.to_arrays() for branch in branches]
    node = {name: root[name][:1].copy() for name in root if _per_node(root, name)}
    nominal = question.cut is None
    node["kind"][0], node["feature"][0] = NOMINAL if nominal else THRESHOLD, question.feature
    node["first_child"][0], node["n_children"][0] = 1, len(branches)
    node["threshold"][0] = 0.0 if question.cut is None else question.cut
    node["map_offset"][0] = 0 if nominal else -1
    node["missing_route"][0] = node["unseen_route"][0] = route
    node["gain"][0], node["first_surrogate"][0], node["n_surrogates"][0] = 0.0, 0, 0
    roots: dict[str, list[Any]] = {name: [] for name in node}
    others: dict[str, list[Any]] = {name: [] for name in node}
    surrogates: dict[str, list[Any]] = {name: [] for name in root["surrogates"]}
    maps = [question.branch_of]
    first, map_start, surrogate_start = 1 + len(branches), len(question.branch_of), 0
    for arrays in below:
        own = {name: arrays[name].copy() for name in node}
        inner = own["first_child"] >= 0
        own["first_child"][inner] += first - 1
        own["map_offset"][own["map_offset"] >= 0] += map_start
        own["first_surrogate"][own["n_surrogates"] > 0] += surrogate_start
        stands_in = {name: values.copy() for name, values in arrays["surrogates"].items()}
        stands_in["map_offset"][stands_in["map_offset"] >= 0] += map_start
        for name, values in own.items():
            roots[name].append(values[:1])
            others[name].append(values[1:])
        for name, values in stands_in.items():
            surrogates[name].append(values)
        maps.append(arrays["branch_map"])
        first += len(own["kind"]) - 1
        map_start += len(arrays["branch_map"])
        surrogate_start += len(stands_in["kind"])
    joined: dict[str, Any] = {
        name: np.concatenate([node[name], *roots[name], *others[name]]) for name in node
    }
    joined["branch_map"] = np.concatenate(maps).astype(np.int32)
    joined["surrogates"] = {name: np.concatenate(values) for name, values in surrogates.items()}
    rest = {name: root[name] for name in root if name not in joined}
    return _core.Tree.from_arrays(rest | joined)


def _per_node(arrays: dict[str, Any], name: str) -> bool:
    return name == "values" or (isinstance(arrays[name], np.ndarray) and name not in _OF_THE_TREE)


_OF_THE_TREE = ("branch_map", "feature_values", "loss", "smoothing")
