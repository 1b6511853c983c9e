"""Trees of LightGBM: read from the text that it saves models in. The library is not imported here."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.models.adapters.paths import LEAF, ForeignTree, Numbers


def booster_of(model: Any) -> Any:
    """Return the booster of a fitted model of LightGBM, or the booster itself; None of anything else."""
    library = sys.modules.get("lightgbm")  # who passes such a model has imported it
    if library is None:
        return None
    if isinstance(model, library.Booster):
        return model
    return model.booster_ if isinstance(model, library.LGBMModel) else None


def booster_trees(booster: Any) -> list[ForeignTree]:
    """Return the trees that answers come from: of a booster that was stopped early the best ones."""
    texts = _model_text(booster, None).split("\nTree=")[1:]
    return [_tree(text, booster.num_feature()) for text in texts]


def booster_nodes(booster: Any, trees: list[ForeignTree], X: Any) -> Iterator[Numbers]:
    """Give the node where each row ends, tree by tree."""
    leaves = np.asarray(booster.predict(X, pred_leaf=True), dtype=np.intp)
    leaves = leaves.reshape(len(leaves), -1)
    for number, tree in enumerate(trees):
        yield leaves[:, number] + np.count_nonzero(tree.feature != LEAF)  # leaves come after inner nodes


def objective(booster: Any) -> str:
    r"""Return what a booster was trained for, such as ``"binary"``; empty if that was a function.

    Examples
    --------
    >>> class Saved:
    ...     def model_to_string(self, num_iteration):
    ...         return "tree\nnum_class=3\nobjective=multiclass num_class:3\n"
    >>> objective(Saved())
    'multiclass'
    """
    found = re.search(r"^objective=(\S+)", _model_text(booster, 1), re.MULTILINE)
    return found.group(1) if found else ""


def _model_text(booster: Any, n_iterations: int | None) -> str:
    """Give the head of a model and its trees; what follows has a line for each column, whatever its name.

    Without a number of iterations, those that answers come from.
    """
    text: str = booster.model_to_string(num_iteration=n_iterations)
    return text.partition("\nend of trees")[0]


def _tree(text: str, n_features: int) -> ForeignTree:
    """Read a tree: its inner nodes, then its leaves, which LightGBM numbers -1, -2, ..."""
    fields = dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))
    n_leaves = int(fields["num_leaves"])
    n_inner = n_leaves - 1
    feature = np.full(n_inner + n_leaves, LEAF, dtype=np.intp)
    left, right = np.zeros((2, n_inner + n_leaves), dtype=np.intp)
    feature[:n_inner] = _numbers(fields, "split_feature")
    for children, name in ((left, "left_child"), (right, "right_child")):
        child = _numbers(fields, name)
        children[:n_inner] = np.where(child < 0, n_inner + ~child, child)
    return ForeignTree(feature, left, right, _models(fields, n_inner, n_leaves, n_features))


def _models(fields: dict[str, str], n_inner: int, n_leaves: int, n_features: int) -> NDArray[np.bool_] | None:
    """Tell which columns the linear models of the leaves read; None if leaves hold numbers."""
    if fields.get("is_linear") != "1":
        return None
    reads = np.zeros((n_inner + n_leaves, n_features), dtype=bool)
    leaf = n_inner + np.repeat(np.arange(n_leaves), _numbers(fields, "num_features"))
    reads[leaf, _numbers(fields, "leaf_features")] = True
    return reads


def _numbers(fields: dict[str, str], name: str) -> NDArray[np.intp]:
    return np.array(fields.get(name, "").split(), dtype=np.intp)
