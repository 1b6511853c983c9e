"""Trees, forests and boosted trees of scikit-learn: which columns each row reads in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils import check_array

from thriftwood.models.adapters.paths import LEAF, Ended, PeerTree

TREES = (DecisionTreeClassifier, DecisionTreeRegressor)
FORESTS = (RandomForestClassifier, RandomForestRegressor, ExtraTreesClassifier, ExtraTreesRegressor)
GRADIENT_BOOSTING = (GradientBoostingClassifier, GradientBoostingRegressor)
HISTOGRAM_BOOSTING = (HistGradientBoostingClassifier, HistGradientBoostingRegressor)
OF_MEMBERS = (AdaBoostClassifier, AdaBoostRegressor, BaggingClassifier, BaggingRegressor)
ASKS_NOTHING = (DummyClassifier, DummyRegressor)


def sklearn_trees(model: Any, X: Any) -> Iterator[Ended] | None:
    """Give the trees of a fitted model and where the rows end in them; None if it has none known here.

    Examples
    --------
    >>> tree = DecisionTreeClassifier().fit([[1], [2]], ["a", "b"])
    >>> [(ended.tree.feature.tolist(), ended.node.tolist()) for ended in sklearn_trees(tree, [[0], [9]])]
    [([0, -1, -1], [1, 2])]
    """
    if isinstance(model, TREES):
        return iter([Ended(_tree(model), model.apply(X))])
    if isinstance(model, FORESTS):
        return _numbered(model.estimators_, model.apply(X))
    if isinstance(model, GRADIENT_BOOSTING):
        return _numbered(model.estimators_.ravel(), model.apply(plain(X)))
    if isinstance(model, HISTOGRAM_BOOSTING):
        return _binned(model, X)
    return None


def plain(X: Any) -> Any:
    """Return a table without names, as the models inside others were given it."""
    return check_array(X, accept_sparse="csr", dtype=None, ensure_all_finite=False)


def members(model: Any, X: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Give the models inside a bag or a boosted sequence: each with its table, and its columns in `X`."""
    values = plain(X)
    everything = np.arange(values.shape[1])
    columns = getattr(model, "estimators_features_", [everything] * len(model.estimators_))
    for member, own in zip(model.estimators_, columns, strict=True):
        yield member, values[:, own], own


def _numbered(trees: Any, nodes: Any) -> Iterator[Ended]:
    of_tree = np.asarray(nodes, dtype=np.intp).reshape(len(nodes), -1).T
    return (Ended(_tree(tree), node) for tree, node in zip(trees, of_tree, strict=True))


def _tree(model: Any) -> PeerTree:
    tree = model.tree_
    feature = np.where(tree.children_left == -1, LEAF, tree.feature)
    return PeerTree(feature.astype(np.intp), tree.children_left, tree.children_right)


def _binned(model: Any, X: Any) -> Iterator[Ended]:
    """Let every tree answer with the number of the node instead of its value.

    scikit-learn has no public way to the nodes of this model.
    """
    from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor  # may move: asked for late

    values = model._preprocess_X(X, reset=False)
    categories, place = model._bin_mapper.make_known_categories_bitsets()
    column = _columns_inside(model)
    for predictor in (tree for iteration in model._predictors for tree in iteration):
        nodes = predictor.nodes.copy()
        leaf = nodes["is_leaf"].astype(bool)
        nodes["value"] = np.arange(len(nodes))
        sets = predictor.binned_left_cat_bitsets, predictor.raw_left_cat_bitsets
        ends = TreePredictor(nodes, *sets).predict(values, categories, place, 1)
        feature = np.where(leaf, LEAF, column[nodes["feature_idx"]]).astype(np.intp)
        tree = PeerTree(feature, nodes["left"].astype(np.intp), nodes["right"].astype(np.intp))
        yield Ended(tree, ends.astype(np.intp))


def _columns_inside(model: Any) -> NDArray[np.intp]:
    """Give the columns of the table in the order of the model, which moves categorical ones to the front."""
    categorical = model.is_categorical_
    if categorical is None:
        return np.arange(model.n_features_in_)
    return np.concatenate([np.flatnonzero(categorical), np.flatnonzero(~categorical)])
