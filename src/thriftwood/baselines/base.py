"""`PanelLearner`: the common part of the estimators that ask every case the same tests."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from thriftwood.base.estimator import Estimator
from thriftwood.base.interrupts import WholeFit
from thriftwood.base.parameters import Rule, check
from thriftwood.baselines.logistic import fit_logistic
from thriftwood.costs import Costs, answer_costs, mean_matrix
from thriftwood.costs.further import refuse_both
from thriftwood.costs.model import check_costs
from thriftwood.costs.reasonable import warn_if_unreasonable
from thriftwood.learning.targets import Labels, class_labels, given_labels, share_right, training_weights
from thriftwood.models.coding import Coding
from thriftwood.models.fixed_panel import FixedPanelModel, LogisticScores, Scores
from thriftwood.models.labels import class_numbers
from thriftwood.models.model import Model
from thriftwood.table import Encoded, Encoder

FloatArray = NDArray[np.float64]


class Learnt(NamedTuple):
    """A training table, read."""

    encoder: Encoder
    encoded: Encoded
    classes: NDArray[Any]
    labels: Labels
    weights: FloatArray
    loss: FloatArray
    """What answers are chosen by, [actual, predicted]."""
    answer_costs: FloatArray
    """What each answer costs each case."""

    def logistic(self, coding: Coding, panel: tuple[int, ...]) -> LogisticScores:
        """Learn a logistic regression of these tests; of none the shares of the classes."""
        counted = np.flatnonzero(self.weights)
        if not panel and len(self.classes) > 1:
            totals = np.bincount(self.labels, self.weights, minlength=len(self.classes))
            with np.errstate(divide="ignore"):
                return LogisticScores(coding, panel, np.log(totals / totals.sum())[None])
        coded = coding.of(self.encoded, panel)[counted]
        labels, weights = self.labels[counted], self.weights[counted]
        return LogisticScores(coding, panel, fit_logistic(coded, labels, len(self.classes), weights))


class PanelLearner(WholeFit, ClassifierMixin, Estimator):
    """A scikit-learn classifier whose model asks every case the same tests."""

    __metadata_request__fit: ClassVar[dict[str, bool]] = {"error_costs": True}  # nobody needs to request it
    __metadata_request__predict: ClassVar[dict[str, bool]] = {"error_costs": True}
    learns: ClassVar[type[Model]] = FixedPanelModel
    rules: ClassVar[Mapping[str, Rule]] = {}

    costs: Costs | None
    nominal_features: Any

    classes_: NDArray[Any]
    n_features_in_: int
    _model: FixedPanelModel
    known_classes: NDArray[Any] | None = None  # None: those of the table

    def knowing(self, classes: NDArray[Any] | None) -> Self:
        """Return an unfitted copy that knows these classes, sorted, of which a table may lack some."""
        own: Self = clone(self)
        own.known_classes = classes
        return own

    def read(self, X: Any, y: Any, sample_weight: Any, error_costs: Any) -> Learnt:
        """Check the parameters, and read a training table."""
        owner = type(self).__name__
        check(self, self.rules)
        check_costs(owner, self.costs)
        if y is None:
            raise ValueError(f"{owner} requires y to be passed, but the target y is None.")
        encoder = Encoder(owner)
        encoded = encoder.fit_encode(X, self.nominal_features)
        if self.costs is not None:  # prices that the table cannot be billed by are refused now, not then
            self.costs.compile(encoder.feature_names or range(encoder.n_features))
        if self.known_classes is None:
            classes, labels = class_labels(y, encoded.n_rows)
        else:
            classes = self.known_classes
            labels = class_numbers(y, classes, encoded.n_rows)
        weights = training_weights(sample_weight, encoded.n_rows)
        named = self.costs is not None and self.costs.names_errors
        if error_costs is not None and self.costs is not None and named:
            refuse_both(owner, self.costs)
        if error_costs is not None:
            by_row = answer_costs(error_costs, labels, classes)
            loss = mean_matrix(by_row, labels, weights)
        else:
            loss = (self.costs if self.costs is not None and named else Costs()).error_matrix(classes)
            by_row = loss[labels]
            if named:
                warn_if_unreasonable(loss, classes, self._further(classes))
        own = np.ones(encoded.n_rows) if weights is None else weights
        return Learnt(encoder, encoded, classes, labels, own, loss, by_row)

    def set_fitted(self, learnt: Learnt, scores: Scores, panel: tuple[int, ...]) -> None:
        """Set the fitted attributes of scikit-learn."""
        encoder, besides = learnt.encoder, learnt.loss.shape[1] > len(learnt.classes)
        self._model = FixedPanelModel(
            scores,
            panel,
            encoder,
            learnt.classes,
            self.costs,
            learnt.loss,
            further=self._further(learnt.classes) if besides else (),
        )
        self.classes_ = learnt.classes
        self.n_features_in_ = encoder.n_features
        if encoder.feature_names is not None:
            self.feature_names_in_ = np.array(encoder.feature_names, dtype=object)
        else:
            self.__dict__.pop("feature_names_in_", None)

    def _further(self, classes: NDArray[Any]) -> tuple[str, ...]:
        """Name the answers that are no class."""
        return () if self.costs is None else self.costs.further_answers(classes)

    @property
    def model_(self) -> FixedPanelModel:
        """What was learnt, with these costs."""
        check_is_fitted(self, "_model")
        model = self._model if self.costs is None else self._model.with_costs(self.costs)
        return model.asked_with(owner=type(self).__name__)

    def predict(self, X: Any, error_costs: Any = None) -> NDArray[Any]:
        """Return the answer for each case: the class with the least expected cost.

        Parameters
        ----------
        X : table
            The cases.
        error_costs : array-like of shape (n_rows, n_classes, n_classes), optional
            What answers cost these cases, a matrix [actual, predicted] for each; None: as at fit, by class.
        """
        model = self.model_
        table = model.table(X)
        if error_costs is not None:
            model = model.told(error_costs, table.encoded.n_rows)
        assert model.answers is not None  # classes
        return model.answers.take(model.answers_of(table))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of cases whose answer is their class; an answer that is no class is not right."""
        model = self.model_
        if not model.further:
            return float(super().score(X, given_labels(y), sample_weight))
        return share_right(model.answers_of(model.table(X)), y, self.classes_, sample_weight)

    def predict_proba(self, X: Any) -> FloatArray:
        """Return how likely each class is, in the order of ``classes_``."""
        return self.model_.predict_proba(X)

    def decide(self, row: Mapping[str, Any]) -> Any:
        """Answer one case quickly: a mapping from the names of all features to values."""
        return self.model_.decide(row)

    def save(self, path: str | PathLike[str]) -> None:
        """Write what was learnt to a JSON file; a TypeError, as a fixed panel of tests has none."""
        self.model_.save(path)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = tags.input_tags.string = tags.input_tags.sparse = True
        return tags
