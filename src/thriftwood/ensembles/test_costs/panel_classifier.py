"""What the ensembles of priced trees share: a base tree that knows prices, and a panel that answers.

They ask nothing about what mistakes cost. Prices guide the trees; a case pays for the tests of the trees that
are consulted, each once.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted

from thriftwood.base.advice import advised
from thriftwood.base.remedies import InPython
from thriftwood.consult import Consultation
from thriftwood.costs.further import class_matrix
from thriftwood.ensembles.base import Ensemble
from thriftwood.ensembles.base_learner import TreeBaseLearner
from thriftwood.ensembles.drawing import seeds
from thriftwood.ensembles.test_costs.sequences import TreeSequence
from thriftwood.learning import CostTreeClassifier
from thriftwood.learning.targets import training_weights
from thriftwood.models import Tree
from thriftwood.models.model import Model
from thriftwood.models.panel import Panel

FloatArray = NDArray[np.float64]


class TreesClassifier(Ensemble):
    """The common part of the ensembles whose models are trees of ours, whatever mistakes cost."""

    estimator: CostTreeClassifier | None
    estimators_: list[Tree]

    @abstractmethod
    def _default_estimator(self) -> CostTreeClassifier:
        """Return a new base estimator, for `estimator=None`."""

    def base_estimator(self) -> CostTreeClassifier:
        """Return the base estimator, with the ensemble's prices if it has no costs of its own."""
        base = self._default_estimator() if self.estimator is None else self.estimator
        if not isinstance(base, CostTreeClassifier):
            raise TypeError(
                f"The 'estimator' parameter of {type(self).__name__} must be a CostTreeClassifier or None. "
                f"Got {base!r} of type {type(base).__name__}. It consults trees test by test; scikit-learn "
                "has ensembles of other classifiers."
            )
        if base.costs is not None or self.costs is None:
            return base
        priced: CostTreeClassifier = clone(base)
        return priced.set_params(costs=self.costs.replace(errors=None, errors_default=None, answers={}))

    def _base_learner(
        self, X: Any, y: Any, seed: int, estimator: CostTreeClassifier | None = None
    ) -> TreeBaseLearner:
        """Prepare the base learner, or another estimator in its place, at a table."""
        base = self.base_estimator() if estimator is None else estimator
        learner = TreeBaseLearner(base, X, y, type(self).__name__, self.n_jobs, seed)
        if self.costs is not None:
            class_matrix(self.costs, learner.classes, type(self).__name__)  # raises if it is of other answers
        return learner

    def _ready(
        self, n_rounds: int, X: Any, y: Any, sample_weight: Any
    ) -> tuple[TreeBaseLearner, FloatArray, list[int]]:
        """Prepare rounds of boosting: the base learner, the first weight of each case, a seed per round."""
        own_seed, *member_seeds = seeds(1 + n_rounds, check_random_state(self.random_state))
        learner = self._base_learner(X, y, own_seed)
        given = training_weights(sample_weight, learner.n_rows)
        return learner, np.ones(learner.n_rows) if given is None else given, member_seeds

    def _warn_if_alone(self, sequence: TreeSequence) -> None:
        """Warn of a sequence that ended with its first tree because that made no mistake."""
        first = sequence.trees[0]
        if sequence.stopped == "perfect" and len(sequence.trees) == 1 and first.n_leaves > 1:
            limits = f"max_depth={first.depth // 2} of growth"
            less = InPython(f"Limit its trees, for example by estimator=... with {limits}.")
            said = advised(
                UserWarning,
                "The first tree makes no mistakes on the cases it learnt from, so there is nothing to boost: "
                f"this {type(self).__name__} is one tree. ",
                *([less] if first.depth > 1 else []),
            )
            warnings.warn(said, stacklevel=4)  # the line that called fit

    def _remember(self, learner: TreeBaseLearner) -> None:
        """Set the fitted attributes of scikit-learn."""
        encoder = learner.prepared.encoder
        self.classes_, self._refuses_missing = learner.classes, learner.refuses_missing
        self._remember_columns(encoder.n_features, encoder.feature_names)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.base_estimator()).input_tags
        return tags


class PanelClassifier(TreesClassifier):
    """The common part of the ensembles whose trees are a panel: `panel_`, asked one after the other."""

    learns: ClassVar[type[Model]] = Panel

    panel_: Panel

    @property
    def model_(self) -> Panel:
        """The panel, asked as the parameters say now: with these costs, by so many threads."""
        check_is_fitted(self, "panel_")
        return self._asked(self.panel_.with_costs(self.costs))

    def n_consulted(self, X: Any) -> NDArray[np.int32]:
        """Return how many trees each case is asked by."""
        return self.model_.n_consulted(X)

    def consult(
        self, known: Any = None, *, unavailable: Iterable[str] = (), budget: float | None = None
    ) -> Consultation:
        """Start a consultation: the trees ask for tests, one at a time and each once, with the running bill.

        Parameters
        ----------
        known : mapping of feature to value, optional
            What is known already, and so costs nothing.
        unavailable : list of features, optional
            Tests that cannot be had; they are not asked for.
        budget : float, optional
            The most that the case may cost. A tree whose test would exceed it ends where it stands.
        """
        check_is_fitted(self, "panel_")
        return self.panel_.consult(known, unavailable=unavailable, budget=budget)
