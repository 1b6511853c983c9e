"""The members of an ensemble: trees of ours, or any fitted classifiers, asked for the shares of classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.models import Tree
from thriftwood.models.ledger import Ledger
from thriftwood.table.native import table_to_ask

FloatArray = NDArray[np.float64]


def shares_of(
    members: Sequence[Any],
    X: Any,
    classes: NDArray[Any],
    *,
    votes: bool = False,
    n_threads: int = 1,
    refuses_missing: bool = False,
) -> Iterator[FloatArray]:
    """Give for each member the shares of all classes, an array of shape (n_rows, n_classes).

    Parameters
    ----------
    members : sequence of Tree, or of fitted classifiers
        Trees must be of one table: it is encoded once for all of them.
    X : table
        The cases.
    classes : array
        All classes, sorted; a member need not know them all.
    votes : bool
        True: 1 for the member's answer, instead of its probabilities.
    n_threads : int
        Threads of the core.
    refuses_missing : bool
        Whether trees were told to refuse missing values.

    Examples
    --------
    >>> from thriftwood.learning import fit_many, CostTreeClassifier
    >>> trees = fit_many(CostTreeClassifier(), [[1], [2], [3]], ["a", "b", "b"], [[0, 1, 2], [1, 2]])
    >>> [shares.tolist() for shares in shares_of(trees, [[0]], trees[0].classes)]
    [[[1.0, 0.0]], [[0.0, 1.0]]]
    """
    if isinstance(members[0], Tree):
        table = table_to_ask(members[0].encoder, X, refuses_missing=refuses_missing)
        for tree in members:
            yield tree_shares(tree, table, votes=votes, n_threads=n_threads)
    else:
        for member in members:
            yield estimator_shares(member, X, classes, votes=votes)


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
    trees: Sequence[Tree], X: Any, costs: Costs, n_threads: int = 1, *, refuses_missing: bool = False
) -> NDArray[np.bool_]:
    """Tell which tests any of the trees asks for each case: an array of shape (n_rows, n_features).

    Examples
    --------
    >>> from thriftwood.learning import fit_many, CostTreeClassifier
    >>> trees = fit_many(CostTreeClassifier(), [[1, 0], [2, 0], [3, 0]], [0, 1, 1], [[0, 1, 2], [1, 2]])
    >>> asked_by_trees(trees, [[1, 5]], Costs())
    array([[ True, False]])
    """
    table = table_to_ask(trees[0].encoder, X, refuses_missing=refuses_missing)
    prices = _core.Prices(costs.compile(trees[0].feature_names))
    asked = np.zeros((table.n_rows, trees[0].n_features), dtype=bool)
    for tree in trees:
        asked |= asked_in(_core.ledger(tree.core, prices, table, n_threads), trees[0].n_features)
    return asked


def asked_in(ledger: Ledger, n_features: int) -> NDArray[np.bool_]:
    """Tell which tests each case bought by a ledger: an array of shape (n_rows, n_features)."""
    n_rows = len(ledger.starts) - 1
    asked = np.zeros((n_rows, n_features), dtype=bool)
    asked[np.repeat(np.arange(n_rows), np.diff(ledger.starts)), ledger.test] = True
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
