"""What all ensembles share: the costs they need, the answers they give, what scikit-learn asks of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import get_tags

from thriftwood.costs import Costs
from thriftwood.costs.names import class_name
from thriftwood.costs.reasonable import heed
from thriftwood.ensembles.workshop import TreeWorkshop, Workshop, check_estimator_can, workshop
from thriftwood.tree.parameters import Rule, Whole, check

FloatArray = NDArray[np.float64]

JOBS = Whole(-(2**31), 2**31 - 1, none=True)
MANY_CLASSES = "'metacost', 'csb0', 'csb1', 'csb2', 'lp-csb', 'b-pet' and 'b-lot'"
"""Published ensembles for any number of classes and any matrix."""


class CostEnsemble(ClassifierMixin, BaseEstimator):
    """The common part of the ensembles."""

    rules: ClassVar[Mapping[str, Rule]] = {}

    estimator: Any
    costs: Costs | None
    random_state: Any
    n_jobs: int | None

    classes_: NDArray[Any]
    n_features_in_: int

    @abstractmethod
    def _default_estimator(self) -> Any:
        """Return a new base estimator, for `estimator=None`."""

    def _base(self) -> Any:
        return self._default_estimator() if self.estimator is None else self.estimator

    def _check(self) -> None:
        """Raise unless all parameters are as they should be."""
        check(self, {"n_jobs": JOBS} | dict(self.rules))
        self._check_costs()

    def _open(
        self, X: Any, y: Any, seed: int, *, weights: bool = False, shares: bool = False
    ) -> tuple[Workshop, FloatArray]:
        """Read the table and return where to learn, and what answers cost."""
        owner = type(self).__name__
        base = self._base()
        check_estimator_can(base, owner, weights=weights, shares=shares)
        opened = workshop(base, X, y, owner, self.n_jobs, seed)
        assert self.costs is not None  # _check
        loss = self.costs.error_matrix(opened.classes)
        heed(loss, opened.classes)
        return opened, loss

    def _check_costs(self) -> None:
        """Raise unless the costs say what mistakes cost."""
        owner = type(self).__name__
        if self.costs is None:
            raise ValueError(
                f"{owner} goes by what mistakes cost, but costs is None. Pass costs=tw.Costs(errors=...)."
            )
        if not isinstance(self.costs, Costs):
            raise TypeError(
                f"The 'costs' parameter of {owner} must be a Costs. Got {self.costs!r} of type "
                f"{type(self.costs).__name__}."
            )
        if self.costs.errors is None and self.costs.errors_default is None:
            raise ValueError(
                f"{owner} goes by what mistakes cost, but costs has prices of tests only. Add errors=..., or "
                "errors_default=1 if every mistake costs the same."
            )

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

    def _remember(self, opened: Workshop, member: Any) -> None:
        """Set what scikit-learn calls fitted attributes."""
        self.classes_ = opened.classes
        self.__dict__.pop("feature_names_in_", None)
        if isinstance(opened, TreeWorkshop):
            encoder = opened.nursery.encoder
            self.n_features_in_ = encoder.n_features
            if encoder.feature_names is not None:
                self.feature_names_in_ = np.array(encoder.feature_names, dtype=object)
            return
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(member, name):
                setattr(self, name, getattr(member, name))

    def _n_threads(self) -> int:
        return int(joblib.effective_n_jobs(self.n_jobs or 1))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._base()).input_tags
        return tags
