"""`ForeignModel`: an estimator of another library, seen as a model that asks tests.

A row pays a tree, forest or boosted trees of scikit-learn or LightGBM for the columns on its paths, and any
other estimator for all columns.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, Self

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.pipeline import Pipeline

from thriftwood.models.adapters.lightgbm_trees import booster_nodes, booster_of, booster_trees, objective
from thriftwood.models.adapters.paths import columns_on_paths, columns_tested
from thriftwood.models.adapters.sklearn_trees import (
    ASKS_NOTHING,
    GRADIENT_BOOSTING,
    OF_MEMBERS,
    members,
    plain,
    sklearn_nodes,
    sklearn_trees,
)
from thriftwood.models.asked import AskedModel, Came
from thriftwood.models.labels import class_numbers
from thriftwood.models.ledger import FloatArray, Mask
from thriftwood.table.order import names_error
from thriftwood.table.reading import read


class ForeignModel(AskedModel):
    """A fitted estimator that is not of thriftwood, or a booster of LightGBM.

    Parameters
    ----------
    estimator : fitted estimator or booster of LightGBM
        The model that answers.
    X : table, optional
        Cases. Its names of columns, if it has any, are the names of the tests; without a table they are those
        that the estimator has learnt.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from thriftwood.costs import Costs
    >>> X = [[1, 0], [2, 0], [3, 0], [3, 1]]
    >>> model = ForeignModel(DecisionTreeClassifier(random_state=0).fit(X, ["a", "a", "b", "c"]))
    >>> model.asked(model.table(X), Costs({"x0": 1, "x1": 5})).astype(int).tolist()
    [[1, 0], [1, 0], [1, 1], [1, 1]]
    """

    kind: ClassVar[str] = "model of another library"
    decides_by_name = False

    def __init__(self, estimator: Any, X: Any = None) -> None:
        self.estimator = estimator
        self.classes = _classes_of(estimator)
        self.costs = getattr(estimator, "costs", None)
        self._booster = booster_of(estimator)
        self._named, self._n_features = self._columns(X)

    def _columns(self, X: Any) -> tuple[tuple[str, ...] | None, int | None]:
        """Return the names of the columns, if they have any, and their number, if it is known."""
        booster, source = self._booster, None if X is None else read(X)
        known = getattr(self.estimator, "n_features_in_", None) if booster is None else booster.num_feature()
        n_features = source.shape[1] if known is None and source is not None else known
        learnt = _names_learnt(self.estimator)
        if source is None:
            return learnt, n_features
        if source.names is not None and len(source.names) == n_features:
            # LightGBM keeps the names with other letters in place of blanks; the table has the user's own.
            return tuple(source.names), n_features
        return learnt if booster is None else None, n_features

    @property
    def owner(self) -> str:
        """The class of the estimator, for messages."""
        return type(self.estimator).__name__

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the tests; x0, x1, ... if they have none."""
        if self._n_features is None:
            raise TypeError(
                f"This {type(self.estimator).__name__} does not say which columns it takes (n_features_in_)."
            )
        return self._named or tuple(f"x{j}" for j in range(self._n_features))

    @cached_property
    def tests(self) -> NDArray[np.int32]:
        """The numbers of the columns that any case may pay for, in their order."""
        return np.flatnonzero(_tested(self.estimator, self.n_features)).astype(np.int32)

    def read(self, X: Any) -> tuple[Self, Any]:
        """Read a table, whose names of columns are then those of the tests."""
        table = self.table(X)
        other = type(self)(self.estimator, table)
        other.setup, other.costs = self.setup, self.costs
        return other, table

    def table(self, X: Any) -> Any:
        """Return a table with its columns as at fit.

        Raises
        ------
        ValueError
            If columns of a frame are missing, or there are others.
        """
        return _in_learnt_order(self.estimator, self.setup.prepared(X))

    def answers_of(self, table: Any, n_threads: int | None = None) -> NDArray[Any]:
        """Answer every row: with the number of a class, or with a number."""
        answers = np.asarray(self.estimator.predict(table))
        if self.classes is None:
            return answers
        if hasattr(self.estimator, "fit"):
            return class_numbers(answers, self.classes, len(answers))
        return (answers.argmax(axis=1) if answers.ndim == 2 else answers > 0.5).astype(np.int32)

    def shares_of(self, table: Any, n_threads: int | None = None) -> FloatArray:
        """Give the share of each class, as the estimator says, for every row."""
        if hasattr(self.estimator, "fit"):
            return np.asarray(self.estimator.predict_proba(table), dtype=np.float64)
        shares = np.asarray(self.estimator.predict(table), dtype=np.float64)
        return shares if shares.ndim == 2 else np.column_stack([1.0 - shares, shares])

    def came(self, table: Any) -> Came:
        """Return a table that was read as it came, its columns as at fit."""
        return Came(table, self._named)

    def columns_read(self, table: Any, delayed: Mask) -> Mask:
        """Tell which columns each case reads: an array of shape (n_rows, n_features)."""
        return _columns_read(self.estimator, table, delayed)


def _classes_of(model: Any) -> NDArray[Any] | None:
    """Return the classes that a model tells apart; None if it answers with numbers."""
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


def _classes_of_booster(booster: Any) -> NDArray[Any] | None:
    """Return the class numbers of a booster that tells classes apart."""
    kind = objective(booster)
    if kind.startswith("multiclass"):
        return np.arange(booster.num_model_per_iteration())
    return np.arange(2) if kind == "binary" else None


def _names_learnt(model: Any) -> tuple[str, ...] | None:
    """Return the names of the columns at fit, as the library keeps them; None if there were none."""
    booster = booster_of(model)
    learnt = getattr(model, "feature_names_in_", None) if booster is None else booster.feature_name()
    if learnt is None:
        return None
    learnt = tuple(learnt)
    given_none = booster is not None and learnt == tuple(f"Column_{j}" for j in range(len(learnt)))
    return None if given_none else learnt


def _in_learnt_order(model: Any, X: Any) -> Any:
    """Return a frame with its columns where they were at fit; LightGBM itself would go by position."""
    came, learnt = read(X).names, _names_learnt(model)
    if came is None or learnt is None or len(set(came)) < len(came):
        return X
    as_learnt = came if booster_of(model) is None else tuple(name.replace(" ", "_") for name in came)
    if sorted(as_learnt) == sorted(learnt):
        frame = nw.from_native(X, eager_only=True, pass_through=True)
        if as_learnt == learnt or not isinstance(frame, nw.DataFrame):
            return X
        own = dict(zip(as_learnt, frame.columns, strict=True))
        return frame.select([own[name] for name in learnt]).to_native()
    if isinstance(model, Pipeline):
        return X  # its first step may pick columns by name, so it decides what it lacks
    raise names_error(learnt, as_learnt)


# Which columns are read


def _columns_read(model: Any, X: Any, delayed: Mask) -> Mask:
    """Tell which columns each row reads; what is delayed, when asked for, brings everything below it."""
    n_rows = read(X).shape[0]
    if isinstance(model, ASKS_NOTHING):
        return np.zeros((n_rows, len(delayed)), dtype=bool)
    if isinstance(model, OF_MEMBERS):
        return _read_by_members(model, X, delayed)
    booster = booster_of(model)
    trees = sklearn_trees(model) if booster is None else booster_trees(booster)
    if trees is None:
        return np.ones((n_rows, len(delayed)), dtype=bool)
    ends = sklearn_nodes(model, X) if booster is None else booster_nodes(booster, trees, X)
    asked = columns_on_paths(trees, ends, n_rows, delayed)
    if isinstance(model, GRADIENT_BOOSTING) and hasattr(model.init_, "predict"):
        asked |= _columns_read(model.init_, plain(X), delayed)
    return asked


def _read_by_members(model: Any, X: Any, delayed: Mask) -> Mask:
    values = plain(X)
    asked = np.zeros((values.shape[0], len(delayed)), dtype=bool)
    for member, columns in members(model, len(delayed)):
        found = _columns_read(member, values[:, columns], delayed[columns])
        for place, column in enumerate(columns):  # a bag may draw a column twice
            asked[:, column] |= found[:, place]
    return asked


def _tested(model: Any, n_features: int) -> Mask:
    """Tell which columns any row may read."""
    if isinstance(model, ASKS_NOTHING):
        return np.zeros(n_features, dtype=bool)
    tested = np.zeros(n_features, dtype=bool)
    if isinstance(model, OF_MEMBERS):
        for member, columns in members(model, n_features):
            tested[columns[_tested(member, len(columns))]] = True
        return tested
    booster = booster_of(model)
    trees = sklearn_trees(model) if booster is None else booster_trees(booster)
    if trees is None:
        return ~tested
    tested = columns_tested(trees, n_features)
    if isinstance(model, GRADIENT_BOOSTING) and hasattr(model.init_, "predict"):
        tested |= _tested(model.init_, n_features)
    return tested
