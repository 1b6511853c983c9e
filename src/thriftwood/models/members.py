"""The members of an ensemble: trees of ours, or any fitted classifiers, asked for the shares of classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.models.ledger import FloatArray, asked_in
from thriftwood.models.tree.tree import Tree


def shares_of_members(
    members: Sequence[Any], table: Any, classes: NDArray[Any], *, votes: bool = False, n_threads: int = 1
) -> Iterator[FloatArray]:
    """Give for each member the shares of all classes, an array of shape (n_rows, n_classes).

    Parameters
    ----------
    members : sequence of Tree, or of fitted classifiers
        Trees must be of one table.
    table : encoded table for trees, otherwise as the classifiers take it
        The cases.
    classes : array
        All classes, sorted; a member need not know them all.
    votes : bool
        True: 1 for the member's answer, instead of its probabilities.
    n_threads : int
        Threads of the core.

    Examples
    --------
    >>> from thriftwood.learning import fit_many, CostTreeClassifier
    >>> trees = fit_many(CostTreeClassifier(), [[1], [2], [3]], ["a", "b", "b"], [[0, 1, 2], [1, 2]])
    >>> [shares.tolist() for shares in shares_of_members(trees, trees[0].table([[0]]), trees[0].classes)]
    [[[1.0, 0.0]], [[0.0, 1.0]]]
    """
    for member in members:
        if isinstance(member, Tree):
            yield tree_shares(member, table, votes=votes, n_threads=n_threads)
        else:
            yield estimator_shares(member, table, classes, votes=votes)


def tree_shares(tree: Tree, table: _core.Table, *, votes: bool, n_threads: int) -> FloatArray:
    """Return the shares that a tree gives to the rows of an encoded table."""
    if votes:
        assert tree.classes is not None  # members tell classes apart
        return one_hot(tree.core.predict_labels(table, n_threads), len(tree.classes))
    return tree.core.predict_proba(table, n_threads)


def estimator_shares(member: Any, X: Any, classes: NDArray[Any], *, votes: bool) -> FloatArray:
    """Return the shares that a fitted classifier gives; 0 for classes it has not met."""
    if votes:
        return one_hot(np.searchsorted(classes, member.predict(X)), len(classes))
    own = np.asarray(member.predict_proba(X), dtype=np.float64)
    if len(member.classes_) == len(classes):
        return own
    shares = np.zeros((len(own), len(classes)))
    shares[:, np.searchsorted(classes, member.classes_)] = own
    return shares


def asked_by_trees(
    trees: Sequence[Tree], table: _core.Table, costs: Costs, n_threads: int = 1
) -> NDArray[np.bool_]:
    """Tell which tests any of the trees asks for each row of an encoded table: shape (n_rows, n_features).

    Examples
    --------
    >>> from thriftwood.learning import fit_many, CostTreeClassifier
    >>> trees = fit_many(CostTreeClassifier(), [[1, 0], [2, 0], [3, 0]], [0, 1, 1], [[0, 1, 2], [1, 2]])
    >>> asked_by_trees(trees, trees[0].table([[1, 5]]), Costs())
    array([[ True, False]])
    """
    prices = trees[0].prices_of(costs)
    asked = np.zeros((table.n_rows, trees[0].n_features), dtype=bool)
    for tree in trees:
        asked |= asked_in(_core.ledger(tree.core, prices, table, n_threads), tree.n_features)
    return asked


def one_hot(labels: NDArray[Any], n_classes: int) -> FloatArray:
    """Return a row for each label with 1 at its place.

    Examples
    --------
    >>> one_hot(np.array([1, 0]), 2)
    array([[0., 1.],
           [1., 0.]])
    """
    return np.asarray(np.eye(n_classes)[labels])
