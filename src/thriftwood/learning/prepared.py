"""`PreparedLearner`: one model and one table, made ready for many trees of other labels and other weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from thriftwood import _core
from thriftwood.learning.classifier import CostTreeClassifier
from thriftwood.learning.estimator import Prepared
from thriftwood.learning.fitting import fitted_subsets
from thriftwood.learning.problem import Problem
from thriftwood.learning.targets import Labels
from thriftwood.models.tree.tree import Tree
from thriftwood.table import Encoder

FloatArray = NDArray[np.float64]


class PreparedLearner:
    """A model and a table made ready for many trees: the table is encoded once.

    All trees know all classes of the table, whether or not the labels they learn from have them all.

    Parameters
    ----------
    model : CostTreeClassifier
        The settings; it is not changed.
    X, y
        As for ``fit``.
    owner : str, optional
        Whose table it is, for messages; None: the model's class.

    Examples
    --------
    >>> prepared = PreparedLearner(CostTreeClassifier(), [[1], [2], [3], [4]], ["no", "no", "yes", "yes"])
    >>> prepared.grow().n_leaves, prepared.grow(weights=np.array([1.0, 1.0, 0.0, 0.0])).n_leaves
    (2, 1)
    >>> prepared.grow(labels=np.array([0, 1, 1, 1], dtype=np.int32)).predict([[1], [2]])
    array(['no', 'yes'], dtype='<U3')
    """

    def __init__(self, model: CostTreeClassifier, X: Any, y: Any, owner: str | None = None) -> None:
        self.model = model
        encoder = Encoder(owner or type(model).__name__)
        encoded = encoder.fit_encode(X, model.nominal_features)
        self._prepared = model.prepare(X, y, None, (encoder, encoded))

    @property
    def classes(self) -> NDArray[Any]:
        """The classes of y, sorted."""
        assert self._prepared.classes is not None  # a classifier's
        return self._prepared.classes

    @property
    def labels(self) -> Labels:
        """The class number of every row."""
        assert self._prepared.problem.labels is not None  # a classifier's
        return self._prepared.problem.labels

    @property
    def problem(self) -> Problem:
        """The learning problem, every case counting once."""
        return self._prepared.problem

    @property
    def table(self) -> _core.Table:
        """The encoded table as the core holds it."""
        return self._prepared.problem.table

    @property
    def encoder(self) -> Encoder:
        """The encoder of the table."""
        return self._prepared.encoder

    def grow(
        self, *, labels: Labels | None = None, weights: FloatArray | None = None, seed: int | None = None
    ) -> Tree:
        """Grow and prune a tree on all rows.

        Parameters
        ----------
        labels : array of int32, optional
            The class number of every row; None: those of y.
        weights : array of float, optional
            How much every row counts; None: each once.
        seed : int, optional
            In the place of the model's `random_state`.
        """
        prepared = self._with(labels, weights)
        problem = prepared.problem if seed is None else prepared.problem.seeded(seed)
        tree = self.model.grow_tree(problem)
        return Tree(tree, prepared.encoder, prepared.classes, self.model.costs)

    def grow_many(
        self, rows: Iterable[Any], seeds: Sequence[int] | None = None, *, keep_done: bool = False
    ) -> list[Tree]:
        """Grow and prune a tree for each list of rows, as `fit_many` does; with `seeds` each has its own.

        With `keep_done` Ctrl-C leaves the trees that are done, and a warning; else it is raised.
        """
        return fitted_subsets(self.model, self._prepared, rows, seeds=seeds, keep_done=keep_done)

    def fitted(self, labels: Labels | None = None) -> CostTreeClassifier:
        """Return a copy of the model that has learnt these labels."""
        prepared = self._with(labels, None)
        model: CostTreeClassifier = clone(self.model)
        model.set_fitted(prepared, self.model.grow_tree(prepared.problem))
        return model

    def _with(self, labels: Labels | None, weights: FloatArray | None) -> Prepared:
        """Return the problem with other labels and weights."""
        prepared = self._prepared
        labels = self.labels if labels is None else labels
        problem = replace(prepared.problem, labels=labels)
        if self.model.weighs_classes():
            found = self.model.rescaled_weights(self.classes, labels, weights)
            return prepared._replace(problem=problem.reweighed(found))
        return prepared._replace(problem=replace(problem, weights=weights))
