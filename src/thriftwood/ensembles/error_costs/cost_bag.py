"""`CostBagClassifier`: the mean of many models' probabilities, and the answer of least expected cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from thriftwood.base.parameters import Rule, Whole
from thriftwood.costs import Costs
from thriftwood.ensembles.base import EstimatorEnsemble
from thriftwood.ensembles.defaults import probability_tree
from thriftwood.ensembles.drawing import SampleSize, bootstraps, sample_size, seeds

FloatArray = NDArray[np.float64]


class CostBagClassifier(EstimatorEnsemble):
    """A bag of models that estimate probabilities together, and answer what costs least by them.

    Parameters
    ----------
    estimator : classifier with predict_proba, optional
        The base estimator; None: a tree of C4.5 that is not pruned, with Laplace's correction at the leaves.
        It need not know costs.
    costs : Costs, optional
        What mistakes cost; None: 1 for every mistake. Prices of tests do not guide it.
    n_estimators : int
        The number of bags.
    max_samples : int, float or None
        The size of each bag: a number of cases, a share of them, or None for as many as there are.
    random_state : int, RandomState or None
        Draws the bags, and seeds base estimators without a seed of their own.
    n_jobs : int, optional
        Threads or processes; None is 1, -1 all processors. The model is the same for any number.

    Attributes
    ----------
    estimators_ : list
        The models: finished trees (`Tree`) if the base estimator is a CostTreeClassifier.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    With the default estimator this is B-PET, bagged probability estimation trees. Reference: Margineantu &
    Dietterich 2002, Improved class probability estimates from decision tree models.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> costs = Costs(errors={0: {1: 20}, 1: {0: 1}})
    >>> model = CostBagClassifier(costs=costs, random_state=0).fit(X, y)
    >>> shares = model.predict_proba(X)
    >>> bool(((model.predict(X) == 0) == (20 * shares[:, 0] >= shares[:, 1])).all())
    True
    """

    rules: ClassVar[Mapping[str, Rule]] = {"n_estimators": Whole(1), "max_samples": SampleSize()}

    estimators_: list[Any]
    _loss_matrix: FloatArray

    def __init__(
        self,
        estimator: Any = None,
        *,
        costs: Costs | None = None,
        n_estimators: int = 30,
        max_samples: float | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        """Draw the bags and learn from them.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            The cases; whatever the base estimator takes.
        y : array-like of shape (n_rows,)
            Their classes.

        Returns
        -------
        self
        """
        self._check()
        rng = check_random_state(self.random_state)
        own_seed, *member_seeds = seeds(1 + self.n_estimators, rng)
        learner = self._base_learner(X, y, own_seed, shares=True)
        self._loss_matrix = self._loss(learner.classes)
        size = sample_size(self.max_samples, learner.n_rows)
        bags = bootstraps(self.n_estimators, size, learner.n_rows, rng)
        self.estimators_ = learner.learn_samples(bags, member_seeds)
        self._remember(learner, self.estimators_[0])
        return self

    def _combined(self) -> dict[str, Any]:
        """Answer what costs least by the mean of the models' probabilities."""
        return {"loss": self._loss_matrix}

    def _default_estimator(self) -> Any:
        return probability_tree()
