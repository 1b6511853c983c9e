"""`Peer`: an estimator of another library, seen as a model that asks tests.

A row pays a tree, forest or boosted trees of scikit-learn or LightGBM for the columns on its paths, and any
other estimator for all columns.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from thriftwood.costs import Costs
from thriftwood.models.adapters.lightgbm_trees import booster_of, booster_trees, objective
from thriftwood.models.adapters.paths import Mask, Reading, columns_on_paths
from thriftwood.models.adapters.sklearn_trees import (
    ASKS_NOTHING,
    GRADIENT_BOOSTING,
    OF_MEMBERS,
    members,
    plain,
    sklearn_trees,
)
from thriftwood.table.missing import missing_values
from thriftwood.table.order import names_error
from thriftwood.table.reading import read


class Peer:
    """A fitted estimator that is not of thriftwood, with what a bill wants to know of a model.

    Parameters
    ----------
    model : fitted estimator or booster of LightGBM
        The model that answers.
    X : table
        The cases. Its names of columns, if it has any, are the names of the tests.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X = [[1, 0], [2, 0], [3, 0], [3, 1]]
    >>> peer = Peer(DecisionTreeClassifier(random_state=0).fit(X, ["a", "a", "b", "c"]), X)
    >>> peer.tests_asked(X, Costs({"x0": 1, "x1": 5})).astype(int).tolist()
    [[1, 0], [1, 0], [1, 1], [1, 1]]
    """

    def __init__(self, model: Any, X: Any) -> None:
        self.model = model
        source = read(X)
        known = getattr(model, "n_features_in_", None)
        booster = booster_of(model)
        self.n_features_in_ = int(
            booster.num_feature() if booster is not None else source.shape[1] if known is None else known
        )
        if source.names is not None and len(source.names) == self.n_features_in_:
            # LightGBM keeps the names with other letters in place of blanks; the table has the user's own.
            self.feature_names_in_ = tuple(source.names)
        elif getattr(model, "feature_names_in_", None) is not None and booster is None:
            self.feature_names_in_ = tuple(model.feature_names_in_)

    @cached_property
    def classes_(self) -> NDArray[Any] | None:
        """The classes it tells apart; None if it answers with numbers."""
        model = self.model
        if not hasattr(model, "fit"):
            return _classes_of_booster(model)
        if not is_classifier(model):
            return None
        if isinstance(model.classes_, list):
            raise TypeError(
                f"This {type(model).__name__} answers several questions at once. A bill is written for one "
                "answer to each case: fit it to one column of y."
            )
        return np.asarray(model.classes_)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the answers."""
        answers = np.asarray(self.model.predict(X))
        if hasattr(self.model, "fit") or self.classes_ is None:
            return answers
        return answers.argmax(axis=1) if answers.ndim == 2 else (answers > 0.5).astype(np.intp)

    def tests_asked(self, X: Any, costs: Costs) -> Mask:
        """Tell which tests each case is asked: an array of shape (n_rows, n_features)."""
        names = getattr(self, "feature_names_in_", None)
        tests = names or tuple(f"x{j}" for j in range(self.n_features_in_))
        delayed = np.array([(test := costs.tests.get(name)) is not None and test.delayed for name in tests])
        upfront = costs.payment == "upfront"
        asked = _columns_read(self.model, X, Reading(self.n_features_in_, delayed, upfront))
        if not costs.charge_missing:
            asked &= ~missing_values(X, self.n_features_in_, names)
        return asked


def peer_of(model: Any, X: Any) -> tuple[Peer, Any]:
    """Return the peer that decides, inside a search too, and the table with its columns as at fit.

    A pipeline as a whole is asked for all columns.

    Raises
    ------
    NotFittedError
        If it is not fitted.
    ValueError
        If columns of a frame are missing, or there are others.
    """
    while hasattr(model, "best_estimator_"):
        model = model.best_estimator_
    if hasattr(model, "fit"):
        check_is_fitted(model, msg="This %(name)s is not fitted yet. Call fit before asking for a bill.")
    X = _in_learnt_order(model, X)
    return Peer(model, X), X


def _in_learnt_order(model: Any, X: Any) -> Any:
    """Return a frame with its columns where they were at fit; LightGBM itself would go by position."""
    came, booster = read(X).names, booster_of(model)
    learnt = getattr(model, "feature_names_in_", None) if booster is None else booster.feature_name()
    if came is None or learnt is None or len(set(came)) < len(came):
        return X
    learnt = tuple(learnt)
    if booster is not None and learnt == tuple(f"Column_{j}" for j in range(len(learnt))):
        return X  # it was given no names
    known = came if booster is None else tuple(name.replace(" ", "_") for name in came)  # as LightGBM does
    if sorted(known) == sorted(learnt):
        frame = nw.from_native(X, eager_only=True, pass_through=True)
        if known == learnt or not isinstance(frame, nw.DataFrame):
            return X
        own = dict(zip(known, frame.columns, strict=True))
        return frame.select([own[name] for name in learnt]).to_native()
    if isinstance(model, Pipeline):
        return X  # its first step may pick columns by name, so it decides what it lacks
    raise names_error(learnt, known)


def _columns_read(model: Any, X: Any, reading: Reading) -> Mask:
    n_rows = read(X).shape[0]
    if isinstance(model, ASKS_NOTHING):
        return np.zeros((n_rows, reading.n_features), dtype=bool)
    if isinstance(model, OF_MEMBERS):
        return _read_by_members(model, X, reading)
    booster = booster_of(model)
    trees = sklearn_trees(model, X) if booster is None else booster_trees(booster, X)
    if trees is None:
        return np.ones((n_rows, reading.n_features), dtype=bool)
    asked = columns_on_paths(trees, n_rows, reading)
    if isinstance(model, GRADIENT_BOOSTING) and hasattr(model.init_, "predict"):
        asked |= _columns_read(model.init_, plain(X), reading)
    return asked


def _read_by_members(model: Any, X: Any, reading: Reading) -> Mask:
    asked = np.zeros((read(X).shape[0], reading.n_features), dtype=bool)
    for member, table, columns in members(model, X):
        own = Reading(len(columns), reading.delayed[columns], reading.upfront)
        found = _columns_read(member, table, own)
        for place, column in enumerate(columns):  # a bag may draw a column twice
            asked[:, column] |= found[:, place]
    return asked


def _classes_of_booster(booster: Any) -> NDArray[Any] | None:
    """Return the class numbers of a booster that tells classes apart."""
    kind = objective(booster)
    if kind.startswith("multiclass"):
        return np.arange(booster.num_model_per_iteration())
    return np.arange(2) if kind == "binary" else None
