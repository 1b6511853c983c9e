"""`ClassTree`: the common part of all estimators whose model is one tree for classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from thriftwood.costs import Costs, answer_costs
from thriftwood.learning.estimator import CostTree, Prepared
from thriftwood.learning.targets import given_labels, share_right
from thriftwood.models.labels import named

FloatArray = NDArray[np.float64]


def costs_by_row(prepared: Prepared, error_costs: Any) -> FloatArray | None:
    """Return what each answer costs each case, where `fit` was told so; else None."""
    if error_costs is None:
        return None
    assert prepared.problem.labels is not None  # classes
    assert prepared.classes is not None
    return answer_costs(error_costs, prepared.problem.labels, prepared.classes)


class ClassTree(ClassifierMixin, CostTree):
    """A tree that answers with classes, as a scikit-learn classifier."""

    classes_: NDArray[Any]
    n_classes_: int

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the answer for each case."""
        tree = self.fitted_tree
        labels = tree.core.predict_labels(self._table(X), self.thread_count())
        names = self.classes_ if tree.answers is None or not tree.further else tree.answers
        return named(names, labels)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of cases whose answer is their class; an answer that is no class is not right."""
        model = self.model_
        if not model.further:
            return float(super().score(X, given_labels(y), sample_weight))
        return share_right(model.answers_of(model.table(X)), y, self.classes_, sample_weight)

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the share of each class, in the order of ``classes_``, where each case ends.

        They are smoothed as the parameter `smoothing` says.
        """
        return self.fitted_tree.core.predict_proba(self._table(X), self.thread_count())

    def predict_log_proba(self, X: Any) -> FloatArray:
        """Return the natural logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def set_seen(self, prepared: Prepared) -> None:
        """Set the fitted attributes that tell which table and which classes were seen."""
        assert prepared.classes is not None  # prepare sets them
        self.classes_ = prepared.classes
        self.n_classes_ = len(prepared.classes)
        super().set_seen(prepared)

    @property
    def _has_error_costs(self) -> bool:
        return isinstance(self.costs, Costs) and self.costs.names_errors

    def _further_answers(self, classes: NDArray[Any]) -> tuple[str, ...]:
        """Name the answers that are no class."""
        return () if self.costs is None else self.costs.further_answers(classes)

    def _error_costs(self, classes: NDArray[Any]) -> FloatArray | None:
        """Return the error costs as a matrix; None when every mistake costs the same."""
        if self.costs is None or not self._has_error_costs:
            return None
        return self.costs.error_matrix(classes)
