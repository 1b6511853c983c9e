"""Trees of other libraries, as far as a bill needs them: which columns lead to which leaf."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from thriftwood.models.ledger import Mask

Numbers: TypeAlias = NDArray[np.intp]

LEAF = -1


class ForeignTree(NamedTuple):
    """A binary tree as arrays over its nodes; parents come before their children."""

    feature: Numbers
    """The column that a node asks for; `LEAF`: none, here a row ends."""
    left: Numbers
    right: Numbers
    answers_by: Mask | None = None
    """The columns that the answer of each node is computed from, where leaves hold models."""


def columns_on_paths(
    trees: Iterable[ForeignTree], ends: Iterable[Numbers], n_rows: int, delayed: Mask
) -> Mask:
    """Tell which columns each row reads in any of the trees: an array of shape (n_rows, n_features).

    Parameters
    ----------
    trees : iterable of ForeignTree
        The trees.
    ends : iterable of arrays
        For each of them the node where each row ends, as the library says.
    n_rows : int
        The number of rows.
    delayed : array of bool
        The columns that, when asked for, bring everything below them.

    Examples
    --------
    >>> stump = ForeignTree(np.array([1, LEAF, LEAF]), np.array([1, 0, 0]), np.array([2, 0, 0]))
    >>> columns_on_paths([stump], [np.array([1, 2])], 2, np.zeros(3, dtype=bool))
    array([[False,  True, False],
           [False,  True, False]])
    """
    read = np.zeros((n_rows, len(delayed)), dtype=bool)
    for tree, node in zip(trees, ends, strict=True):
        read |= _columns_above(tree, delayed)[node]
    return read


def columns_tested(trees: Iterable[ForeignTree], n_features: int) -> Mask:
    """Tell which columns any row may read in any of the trees: an array of shape (n_features,)."""
    tested = np.zeros(n_features, dtype=bool)
    for tree in trees:
        tested |= _answers_by(tree, n_features).any(axis=0)
        tested[tree.feature[tree.feature != LEAF]] = True
    return tested


def _columns_above(tree: ForeignTree, delayed: Mask) -> Mask:
    """Tell for every node which columns a row that ends there has read."""
    n_features = len(delayed)
    read = _answers_by(tree, n_features)
    inner = np.flatnonzero(tree.feature != LEAF)
    below = _columns_below(tree, n_features) if delayed[tree.feature[inner]].any() else None
    for node in inner.tolist():
        feature = tree.feature[node]
        bought = read[node].copy()
        bought[feature] = True
        if below is not None and delayed[feature]:
            bought |= below[node]
        read[tree.left[node]] |= bought
        read[tree.right[node]] |= bought
    return read


def _columns_below(tree: ForeignTree, n_features: int) -> Mask:
    """Tell for every node which columns it and the nodes below it read."""
    below = _answers_by(tree, n_features)
    for node in np.flatnonzero(tree.feature != LEAF)[::-1].tolist():
        below[node] |= below[tree.left[node]] | below[tree.right[node]]
        below[node, tree.feature[node]] = True
    return below


def _answers_by(tree: ForeignTree, n_features: int) -> Mask:
    if tree.answers_by is not None:
        return tree.answers_by.copy()
    return np.zeros((len(tree.feature), n_features), dtype=bool)
