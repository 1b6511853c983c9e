"""What all ensembles share: the costs they need, the answers they give, what scikit-learn asks of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, ClassVar, TypeVar

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from thriftwood.base.advice import advised
from thriftwood.base.estimator import Estimator
from thriftwood.base.interrupts import WholeFit
from thriftwood.base.parameters import Jobs, Rule, check, parameter_error
from thriftwood.base.remedies import Learners, NoCosts
from thriftwood.costs import Costs
from thriftwood.costs.further import class_matrix
from thriftwood.costs.model import check_costs
from thriftwood.costs.names import class_name
from thriftwood.costs.reasonable import warn_if_unreasonable
from thriftwood.ensembles.base_learner import BaseLearner, TreeBaseLearner, base_learner, check_estimator_can
from thriftwood.learning.estimator import MOST_THREADS
from thriftwood.learning.targets import given_labels, share_right
from thriftwood.models.ensemble import EnsembleModel, LearntColumns
from thriftwood.models.model import Model

M = TypeVar("M", bound=Model)
FloatArray = NDArray[np.float64]

JOBS = Jobs()
NEEDS_ERRORS = "This ensemble goes by what mistakes cost"
UNIT_COSTS = Costs(errors_default=1)
"""What ensembles go by where nobody says what mistakes cost."""
MANY_CLASSES = Learners(("metacost", "csb0", "csb1", "csb2", "lp-csb", "b-pet", "b-lot"))
"""Published ensembles for any number of classes and any matrix."""


class Ensemble(WholeFit, ClassifierMixin, Estimator):
    """The common part of all ensembles; it asks nothing about costs."""

    rules: ClassVar[Mapping[str, Rule]] = {}

    costs: Costs | None
    random_state: Any
    n_jobs: int | None

    classes_: NDArray[Any]
    n_features_in_: int
    _refuses_missing: bool = False
    """Whether its trees were told to refuse missing values."""

    learns: ClassVar[type[Model]] = EnsembleModel
    """The kind of `model_`."""

    @property
    @abstractmethod
    def model_(self) -> Model:
        """What was learnt, asked as the parameters say now: with these costs, by so many threads."""

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the answers."""
        return self.model_.predict(X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of cases whose answer is their class; an answer that is no class is not right."""
        model = self.model_
        if not model.further:
            return float(super().score(X, given_labels(y), sample_weight))
        return share_right(model.answers_of(model.table(X)), y, self.classes_, sample_weight)

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the share of each class, in the order of ``classes_``."""
        return self.model_.predict_proba(X)

    def save(self, path: str | PathLike[str]) -> None:
        """Write what was learnt to a JSON file, without the settings; `load` gives `model_` back.

        Trees, panels, boosters and cascades have a file; other ensembles are a TypeError that says so.
        """
        self.model_.save(path)

    def decide(self, row: Mapping[str, Any]) -> Any:
        """Answer one case quickly: a mapping from the names of all features to values."""
        return self.model_.decide(row)

    def tests_asked(self, X: Any, costs: Costs) -> NDArray[np.bool_]:
        """Tell which tests each case is asked, by any of the models; all, if they are not trees of ours.

        Parameters
        ----------
        X : table
            The cases.
        costs : Costs
            How tests are paid: with upfront payment every test that any case might be asked counts, and a
            delayed test brings those below it.

        Returns
        -------
        ndarray of shape (n_rows, n_features)
        """
        model = self.model_
        return model.asked(model.table(X), costs)

    def _check(self) -> None:
        """Raise unless all parameters are as they should be."""
        check(self, {"n_jobs": JOBS} | dict(self.rules))
        check_costs(type(self).__name__, self.costs, "a Costs")

    def _remember_columns(self, n_features: int, names: Sequence[str] | None) -> None:
        """Set the fitted attributes of scikit-learn."""
        self.n_features_in_ = n_features
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        else:
            self.__dict__.pop("feature_names_in_", None)

    def _asked(self, model: M) -> M:
        """Return a model that is asked as the parameters say."""
        threads, owner = self.thread_count(), type(self).__name__
        return model.asked_with(n_threads=threads, refuses_missing=self._refuses_missing, owner=owner)

    def thread_count(self) -> int:
        """Return the number of threads to use, by `n_jobs`."""
        if not JOBS.accepts(self.n_jobs):
            raise parameter_error(type(self).__name__, "n_jobs", self.n_jobs, JOBS)
        return min(int(joblib.effective_n_jobs(self.n_jobs or 1)), MOST_THREADS)


class CostEnsemble(Ensemble):
    """The common part of the ensembles that go by what mistakes cost: without any costs, 1 for each."""

    def _check(self) -> None:
        """Raise unless all parameters are as they should be, and costs, if any, say what mistakes cost."""
        super()._check()
        if self.costs is not None and not self.costs.names_errors:
            raise advised(
                ValueError,
                f"{NEEDS_ERRORS}, but ",
                NoCosts("errors"),
                ". Add errors, or errors_default = 1 if every mistake costs the same.",
            )

    def _loss(self, classes: NDArray[Any]) -> FloatArray:
        """Return what answers cost, ``[actual, predicted]``, and warn where that makes little sense."""
        costs = UNIT_COSTS if self.costs is None else self.costs
        loss = class_matrix(costs, classes, type(self).__name__)
        warn_if_unreasonable(loss, classes)
        return loss

    def _mistakes(self, classes: NDArray[Any], loss: FloatArray) -> FloatArray:
        """Return what mistakes cost more than right answers; an error if one costs less."""
        mistakes = loss - np.diag(loss)[:, None]
        if mistakes.min() < 0:
            actual, answer = (class_name(classes[i]) for i in np.argwhere(mistakes < 0)[0])
            raise ValueError(
                f"errors[{actual!r}][{answer!r}] is less than errors[{actual!r}][{actual!r}]: a mistake that "
                f"costs less than the right answer. {type(self).__name__} learns to avoid mistakes; use "
                "MetaCostClassifier or CostBagClassifier, which go by expected cost alone."
            )
        return np.asarray(mistakes)


class EstimatorEnsemble(CostEnsemble):
    """The common part of the ensembles of models that a base estimator learns."""

    estimator: Any
    estimators_: list[Any]
    asks_several: ClassVar[bool] = True
    """Whether a case is asked by several of the models."""

    @abstractmethod
    def _default_estimator(self) -> Any:
        """Return a new base estimator, for `estimator=None`."""

    def base_estimator(self) -> Any:
        """Return `estimator`, or the default one if that is None."""
        return self._default_estimator() if self.estimator is None else self.estimator

    def _base_learner(
        self, X: Any, y: Any, seed: int, *, weights: bool = False, shares: bool = False
    ) -> BaseLearner:
        """Prepare the base learner at a table; an error if it lacks what the ensemble needs of it."""
        base, owner = self.base_estimator(), type(self).__name__
        check_estimator_can(base, owner, weights=weights, shares=shares)
        return base_learner(base, X, y, owner, self.n_jobs, seed, asked_together=self.asks_several)

    def _remember(self, learner: BaseLearner, member: Any) -> None:
        """Set the fitted attributes of scikit-learn."""
        self.classes_, self._refuses_missing = learner.classes, learner.refuses_missing
        if isinstance(learner, TreeBaseLearner):
            encoder = learner.prepared.encoder
            self._remember_columns(encoder.n_features, encoder.feature_names)
            return
        for name in ("n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)
            if hasattr(member, name):
                setattr(self, name, getattr(member, name))

    @property
    def model_(self) -> Model:
        """What was learnt, asked as the parameters say now: with these costs, by so many threads."""
        check_is_fitted(self, "estimators_")
        learnt, members = LearntColumns.of(self), self.estimators_
        return self._asked(EnsembleModel(members, learnt, self.classes_, self.costs, **self._combined()))

    def _combined(self) -> dict[str, Any]:
        """Say how what the models say becomes an answer: parameters of `EnsembleModel`."""
        return {}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.base_estimator()).input_tags
        return tags
