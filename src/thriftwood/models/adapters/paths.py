"""Trees of other libraries, as far as a bill needs them: which columns lead to which leaf."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Mask: TypeAlias = NDArray[np.bool_]
Numbers: TypeAlias = NDArray[np.intp]

LEAF = -1


class PeerTree(NamedTuple):
    """A binary tree as arrays over its nodes; parents come before their children."""

    feature: Numbers
    """The column that a node asks for; `LEAF`: none, here a row ends."""
    left: Numbers
    right: Numbers
    answers_by: Mask | None = None
    """The columns that the answer of each node is computed from, where leaves hold models."""


class Ended(NamedTuple):
    """A tree, and the node where each row ends in it, as the library says."""

    tree: PeerTree
    node: Numbers


class Reading(NamedTuple):
    """How the reading of columns is charged."""

    n_features: int
    delayed: Mask
    """The columns that, when asked for, bring everything below them."""
    upfront: bool = False
    """Whether a row counts as having read what any row may read."""


def columns_on_paths(trees: Iterable[Ended], n_rows: int, reading: Reading) -> Mask:
    """Tell which columns each row reads in any of the trees: an array of shape (n_rows, n_features).

    Examples
    --------
    >>> stump = PeerTree(np.array([1, LEAF, LEAF]), np.array([1, 0, 0]), np.array([2, 0, 0]))
    >>> both = [Ended(stump, np.array([1, 2]))]
    >>> columns_on_paths(both, 2, Reading(3, np.zeros(3, dtype=bool)))
    array([[False,  True, False],
           [False,  True, False]])
    """
    read = np.zeros((n_rows, reading.n_features), dtype=bool)
    for tree, node in trees:
        if reading.upfront:
            read |= _columns_below(tree, reading.n_features)[0]
        else:
            read |= _columns_above(tree, reading)[node]
    return read


def _columns_above(tree: PeerTree, reading: Reading) -> Mask:
    """Tell for every node which columns a row that ends there has read."""
    read = _answers_by(tree, reading.n_features)
    inner = np.flatnonzero(tree.feature != LEAF)
    below = _columns_below(tree, reading.n_features) if reading.delayed[tree.feature[inner]].any() else None
    for node in inner.tolist():
        feature = tree.feature[node]
        bought = read[node].copy()
        bought[feature] = True
        if below is not None and reading.delayed[feature]:
            bought |= below[node]
        read[tree.left[node]] |= bought
        read[tree.right[node]] |= bought
    return read


def _columns_below(tree: PeerTree, n_features: int) -> Mask:
    """Tell for every node which columns it and the nodes below it read."""
    below = _answers_by(tree, n_features)
    for node in np.flatnonzero(tree.feature != LEAF)[::-1].tolist():
        below[node] |= below[tree.left[node]] | below[tree.right[node]]
        below[node, tree.feature[node]] = True
    return below


def _answers_by(tree: PeerTree, n_features: int) -> Mask:
    if tree.answers_by is not None:
        return tree.answers_by.copy()
    return np.zeros((len(tree.feature), n_features), dtype=bool)
