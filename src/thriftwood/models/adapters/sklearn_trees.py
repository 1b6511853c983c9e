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

from thriftwood.models.adapters.paths import LEAF, ForeignTree, Numbers

TREES = (DecisionTreeClassifier, DecisionTreeRegressor)
FORESTS = (RandomForestClassifier, RandomForestRegressor, ExtraTreesClassifier, ExtraTreesRegressor)
GRADIENT_BOOSTING = (GradientBoostingClassifier, GradientBoostingRegressor)
HISTOGRAM_BOOSTING = (HistGradientBoostingClassifier, HistGradientBoostingRegressor)
OF_MEMBERS = (AdaBoostClassifier, AdaBoostRegressor, BaggingClassifier, BaggingRegressor)
ASKS_NOTHING = (DummyClassifier, DummyRegressor)


def sklearn_trees(model: Any) -> list[ForeignTree] | None:
    """Return the trees of a fitted model; None if it has none known here.

    Examples
    --------
    >>> tree = DecisionTreeClassifier().fit([[1], [2]], ["a", "b"])
    >>> [tree.feature.tolist() for tree in sklearn_trees(tree)]
    [[0, -1, -1]]
    >>> [nodes.tolist() for nodes in sklearn_nodes(tree, [[0], [9]])]
    [[1, 2]]
    """
    if isinstance(model, TREES):
        return [_tree(model)]
    if isinstance(model, FORESTS):
        return [_tree(tree) for tree in model.estimators_]
    if isinstance(model, GRADIENT_BOOSTING):
        return [_tree(tree) for tree in model.estimators_.ravel()]
    if isinstance(model, HISTOGRAM_BOOSTING):
        column = _columns_inside(model)
        return [_binned_tree(predictor, column) for predictor in _predictors(model)]
    return None


def sklearn_nodes(model: Any, X: Any) -> Iterator[Numbers]:
    """Give the node where each row ends in the trees that `sklearn_trees` returns, tree by tree."""
    if isinstance(model, HISTOGRAM_BOOSTING):
        return _binned_nodes(model, X)
    nodes = model.apply(plain(X) if isinstance(model, GRADIENT_BOOSTING) else X)
    return iter(np.asarray(nodes, dtype=np.intp).reshape(len(nodes), -1).T)


def plain(X: Any) -> Any:
    """Return a table without names, as the models inside others were given it."""
    return check_array(X, accept_sparse="csr", dtype=None, ensure_all_finite=False)


def members(model: Any, n_features: int) -> Iterator[tuple[Any, Numbers]]:
    """Give the models inside a bag or a boosted sequence, each with the columns that it takes."""
    everything = np.arange(n_features)
    columns = getattr(model, "estimators_features_", [everything] * len(model.estimators_))
    return zip(model.estimators_, columns, strict=True)


def _tree(model: Any) -> ForeignTree:
    tree = model.tree_
    feature = np.where(tree.children_left == -1, LEAF, tree.feature)
    return ForeignTree(feature.astype(np.intp), tree.children_left, tree.children_right)


# Histogram-based boosting: scikit-learn has no public way to the nodes of this model.


def _predictors(model: Any) -> list[Any]:
    return [tree for iteration in model._predictors for tree in iteration]


def _binned_tree(predictor: Any, column: Numbers) -> ForeignTree:
    nodes = predictor.nodes
    feature = np.where(nodes["is_leaf"].astype(bool), LEAF, column[nodes["feature_idx"]]).astype(np.intp)
    return ForeignTree(feature, nodes["left"].astype(np.intp), nodes["right"].astype(np.intp))


def _binned_nodes(model: Any, X: Any) -> Iterator[Numbers]:
    """Let every tree answer with the number of the node instead of its value."""
    from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor  # may move: asked for late

    values = model._preprocess_X(X, reset=False)
    categories, place = model._bin_mapper.make_known_categories_bitsets()
    for predictor in _predictors(model):
        nodes = predictor.nodes.copy()
        nodes["value"] = np.arange(len(nodes))
        sets = predictor.binned_left_cat_bitsets, predictor.raw_left_cat_bitsets
        yield TreePredictor(nodes, *sets).predict(values, categories, place, 1).astype(np.intp)


def _columns_inside(model: Any) -> NDArray[np.intp]:
    """Give the columns of the table in the order of the model, which moves categorical ones to the front."""
    categorical = model.is_categorical_
    if categorical is None:
        return np.arange(model.n_features_in_)
    return np.concatenate([np.flatnonzero(categorical), np.flatnonzero(~categorical)])
