"""`CheapestAnswer`: the answer with the least expected cost, by the probabilities of any classifier."""

from __future__ import annotations

from os import PathLike
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from thriftwood.base.estimator import Estimator
from thriftwood.base.interrupts import WholeFit
from thriftwood.base.parameters import Choice, parameter_error
from thriftwood.costs import Costs, answer_costs, cost_matrices, mean_matrix
from thriftwood.costs.answers import cheapest
from thriftwood.costs.further import refuse_both
from thriftwood.costs.model import check_costs
from thriftwood.costs.reasonable import warn_if_unreasonable
from thriftwood.costs.selecting import names_prices
from thriftwood.learning.targets import case_weights, class_labels, given_labels, share_right
from thriftwood.models.answer_rule import AnswerRuleModel
from thriftwood.models.conversion import as_model, is_ours, own_costs
from thriftwood.models.labels import with_further
from thriftwood.models.model import Model

FloatArray = NDArray[np.float64]
_CALIBRATIONS = Choice((None, "isotonic", "sigmoid"))


class CheapestAnswer(WholeFit, MetaEstimatorMixin, ClassifierMixin, Estimator):
    """Minimum expected cost as the answer rule of any classifier.

    The classifier says how likely each class is, and the answer is the class that costs least in expectation.
    The classifier itself learns as always: costs are for its answers alone.

    Parameters
    ----------
    estimator : classifier with `predict_proba`, or with `decision_function` and a `calibration`
        The classifier that estimates how likely the classes are.
    costs : Costs, optional
        With ``errors`` or ``errors_default``: what answers cost. None: what `fit` or `predict` are told by
        `error_costs`, and otherwise 1 for every mistake.
    calibration : {None, "isotonic", "sigmoid"}
        Whether probabilities are calibrated first: fitted, on cases the classifier has not learnt from, to
        how often each class really comes. Answers by cost are only as good as the probabilities.
    cv : int, cross-validation generator or iterable
        How these cases are kept aside in turn; with `calibration`.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier, with its calibration.
    classifier_ : classifier
        The same without calibration: `bill` charges the tests that it asks.
    classes_ : array of shape (n_classes,)
        The classes, sorted.
    loss_ : array of shape (n_classes, n_classes) or None
        What answers cost, [actual, predicted], where `predict` is not told otherwise: by `costs`, or by
        `error_costs`: row by row the mean over the training cases of that true class.

    Examples
    --------
    >>> import thriftwood as tw
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = [[1], [2], [3], [4], [5], [6]], ["ok", "ok", "ok", "bad", "ok", "bad"]
    >>> careful = CheapestAnswer(LogisticRegression(), tw.Costs(errors={"bad": {"ok": 9}, "ok": {"bad": 1}}))
    >>> careful.fit(X, y).predict(X)
    array(['ok', 'bad', 'bad', 'bad', 'bad', 'bad'], dtype='<U3')

    A matrix [actual, predicted] for each case, in the order of ``classes_``:

    >>> cheap, dear = [[0, 1], [1, 0]], [[0, 50], [1, 0]]  # to miss a bad one
    >>> careful.predict([[2], [2]], error_costs=[cheap, dear])
    array(['ok', 'bad'], dtype='<U3')
    """

    learns: ClassVar[type[Model]] = AnswerRuleModel
    __metadata_request__fit: ClassVar[dict[str, bool]] = {"error_costs": True}
    __metadata_request__predict: ClassVar[dict[str, bool]] = {"error_costs": True}

    classes_: NDArray[Any]
    loss_: FloatArray | None

    def __init__(
        self,
        estimator: Any,
        costs: Costs | None = None,
        *,
        calibration: Literal["isotonic", "sigmoid"] | None = None,
        cv: Any = 5,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.calibration = calibration
        self.cv = cv

    def fit(self, X: Any, y: Any, sample_weight: Any = None, error_costs: Any = None) -> Self:
        """Fit the classifier, and its calibration.

        Parameters
        ----------
        X, y
            The cases and their classes, as the classifier takes them.
        sample_weight : array-like of shape (n_rows,), optional
            How much each case counts, if the classifier takes it.
        error_costs : array-like of shape (n_rows, n_classes) or (n_rows, n_classes, n_classes), optional
            What answers cost each case; the mean over the cases of each true class decides where `predict` is
            not told what its own cases cost.

        Returns
        -------
        self
        """
        if not _CALIBRATIONS.accepts(self.calibration):
            raise parameter_error(type(self).__name__, "calibration", self.calibration, _CALIBRATIONS)
        check_costs(type(self).__name__, self.costs)
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        model = clone(self.estimator)
        self._check_probabilities(model)
        weights = self._weights(sample_weight)
        if self.calibration is None:
            self.classifier_ = self.estimator_ = model.fit(X, y, **weights)
        else:
            if weights and get_config()["enable_metadata_routing"]:
                model.set_fit_request(sample_weight=True)  # what is handed on must be asked for
            mended = CalibratedClassifierCV(model, method=self.calibration, cv=self.cv, ensemble=False)
            self.estimator_ = mended.fit(X, y, **weights)
            self.classifier_ = mended.calibrated_classifiers_[0].estimator
        self.classes_ = self.estimator_.classes_
        self.loss_ = self._mean_costs(y, sample_weight, error_costs)
        return self

    @property
    def model_(self) -> AnswerRuleModel:
        """The rule around the classifier's model, with the costs that a bill charges."""
        check_is_fitted(self)
        inside = as_model(self.classifier_)
        # Models of other libraries answer here as they do in `predict`, by the table as it came.
        by_inside = self.estimator_ is self.classifier_ and is_ours(self.classifier_)
        calibrated = None if by_inside else self.estimator_
        found = AnswerRuleModel(
            inside, self.classes_, self.charged, self.loss_, calibrated, further=self._further
        )
        return found.asked_with(owner=type(self).__name__)

    @property
    def charged(self) -> Costs | None:
        """What a bill charges: `costs`, with the prices of the classifier where they name none."""
        costs = self.costs
        if names_prices(costs):
            return costs
        inside = own_costs(getattr(self, "classifier_", self.estimator))
        if costs is None or inside is None:
            return costs or inside
        return inside.replace(**costs.error_parameters)

    def save(self, path: str | PathLike[str]) -> None:
        """Write what was learnt to a JSON file; a TypeError, as a rule around a classifier has none."""
        self.model_.save(path)

    def predict(self, X: Any, error_costs: Any = None) -> NDArray[Any]:
        """Return the answer for each case: the class with the least expected cost.

        Parameters
        ----------
        X
            The cases.
        error_costs : array-like of shape (n_rows, n_classes, n_classes), optional
            What answers cost these cases, a matrix [actual, predicted] for each; None: ``loss_``.
        """
        shares = self.predict_proba(X)
        if error_costs is not None:
            costs = cost_matrices(error_costs, len(shares), self.classes_)
            return self.classes_.take(cheapest(shares, costs))
        return self._answers.take(cheapest(shares, self.loss_))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of cases whose answer is their class; an answer that is no class is not right."""
        if not self._further:
            return float(super().score(X, given_labels(y), sample_weight))
        answers = cheapest(self.predict_proba(X), self.loss_)
        return share_right(answers, y, self.classes_, sample_weight)

    @property
    def _further(self) -> tuple[str, ...]:
        """The answers that are no class."""
        if self.costs is None or self.loss_ is None or self.loss_.shape[0] == self.loss_.shape[1]:
            return ()
        return self.costs.further_answers(self.classes_)

    @property
    def _answers(self) -> NDArray[Any]:
        further = self._further
        return with_further(self.classes_, further) if further else self.classes_

    def predict_proba(self, X: Any) -> FloatArray:
        """Return how likely each class is, in the order of ``classes_``."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict_proba(X), dtype=np.float64)

    @property
    def n_features_in_(self) -> int:
        """The number of features, if the classifier knows it."""
        check_is_fitted(self)
        return int(self.estimator_.n_features_in_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if hasattr(self.estimator, "__sklearn_tags__"):
            tags.input_tags = self.estimator.__sklearn_tags__().input_tags
        return tags

    def _check_probabilities(self, model: Any) -> None:
        """Raise unless there are probabilities, or values that calibration makes probabilities of."""
        valued = hasattr(model, "decision_function")
        if hasattr(model, "predict_proba") or (valued and self.calibration is not None):
            return
        remedy = "Set calibration='sigmoid' or 'isotonic', which makes them of its decision_function."
        raise TypeError(
            f"{type(self).__name__} answers by probabilities, and {type(model).__name__} has no "
            f"predict_proba. {remedy if valued else 'Choose another classifier.'}"
        )

    def _weights(self, sample_weight: Any) -> dict[str, Any]:
        if sample_weight is None:
            return {}
        if not has_fit_parameter(self.estimator, "sample_weight"):
            raise ValueError(
                f"fit was given sample_weight, and {type(self.estimator).__name__} does not take it. Leave "
                "it out, or choose another classifier."
            )
        return {"sample_weight": sample_weight}

    def _mean_costs(self, y: Any, sample_weight: Any, error_costs: Any) -> FloatArray | None:
        costs = self.costs
        named = costs is not None and costs.names_errors
        if error_costs is None:
            if costs is None or not named:
                return None
            loss = costs.error_matrix(self.classes_)
            warn_if_unreasonable(loss, self.classes_, costs.further_answers(self.classes_))
            return loss
        if costs is not None and named:
            refuse_both(type(self).__name__, costs)
        _, labels = class_labels(y, len(y))
        costs_of_answers = answer_costs(error_costs, labels, self.classes_)
        return mean_matrix(costs_of_answers, labels, case_weights(sample_weight, len(labels)))
