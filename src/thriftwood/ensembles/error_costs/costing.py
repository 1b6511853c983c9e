"""`CostingClassifier`: models of samples in which a case is as likely as its mistake is dear."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from thriftwood.base.advice import advised
from thriftwood.base.parameters import Flag, Rule, Whole
from thriftwood.costs import Costs
from thriftwood.costs.names import class_name
from thriftwood.ensembles.base import MANY_CLASSES, EstimatorEnsemble
from thriftwood.ensembles.defaults import c45
from thriftwood.ensembles.drawing import rejection_samples, seeds

FloatArray = NDArray[np.float64]


class CostingClassifier(EstimatorEnsemble):
    """Models of rejection samples: a case is kept with a probability in proportion to what its mistake costs.

    Each sample is small and holds every case at most once, and its cost-blind model minimises what mistakes
    cost. The models answer together.

    Parameters
    ----------
    estimator : classifier, optional
        The base estimator, any of scikit-learn's kind; None: C4.5. It need not know costs.
    costs : Costs, optional
        What mistakes cost; None: 1 for every mistake. With more than two classes, a mistake must cost the
        same whatever the wrong answer. Prices of tests do not guide it.
    n_estimators : int
        The number of samples, t.
    use_probabilities : bool
        Whether the models' probabilities are averaged; False: their answers are counted.
    random_state : int, RandomState or None
        Draws the samples, and seeds base estimators without a seed of their own.
    n_jobs : int, optional
        Threads or processes; None is 1, -1 all processors. The model is the same for any number.

    Attributes
    ----------
    estimators_ : list
        The models: finished trees (`Tree`) if the base estimator is a CostTreeClassifier.
    samples_ : list of arrays
        The rows each of them learnt from.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    Reference: Zadrozny, Langford & Abe 2003, Cost-sensitive learning by cost-proportionate example
    weighting, ICDM.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> costs = Costs(errors={0: {1: 20}, 1: {0: 1}})
    >>> model = CostingClassifier(costs=costs, random_state=0).fit(X, y)
    >>> [len(rows) for rows in model.samples_[:3]]  # 212 of class 0, and a twentieth of the 357 others
    [227, 230, 238]
    """

    rules: ClassVar[Mapping[str, Rule]] = {"n_estimators": Whole(1), "use_probabilities": Flag()}

    estimators_: list[Any]
    samples_: list[NDArray[np.intp]]

    def __init__(
        self,
        estimator: Any = None,
        *,
        costs: Costs | None = None,
        n_estimators: int = 10,
        use_probabilities: bool = True,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.n_estimators = n_estimators
        self.use_probabilities = use_probabilities
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        """Draw the samples and learn from them.

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
        learner = self._base_learner(X, y, own_seed, shares=self.use_probabilities)
        importance = self._importance(learner.classes, self._loss(learner.classes))[learner.labels]
        samples = rejection_samples(self.n_estimators, importance, rng)
        self.estimators_ = learner.learn_samples(samples, member_seeds)
        self.samples_ = samples[: len(self.estimators_)]
        self._remember(learner, self.estimators_[0])
        return self

    def _combined(self) -> dict[str, Any]:
        """Answer the class with the largest mean share: dear cases were common where the models learnt."""
        return {"votes": not self.use_probabilities}

    def _importance(self, classes: NDArray[Any], loss: FloatArray) -> FloatArray:
        """Return what a mistake costs for each class."""
        if len(classes) == 1:
            return np.ones(1)
        mistakes = self._mistakes(classes, loss)
        others = ~np.eye(len(classes), dtype=bool)
        low, high = mistakes.min(axis=1, where=others, initial=np.inf), mistakes.max(axis=1)
        if (low != high).any():
            name = class_name(classes[int((low != high).argmax())])
            raise advised(
                ValueError,
                f"CostingClassifier needs one cost for each case, and what a mistake about class {name!r} "
                "costs depends on the wrong answer. Make its errors equal, or use one of ",
                MANY_CLASSES,
                ".",
            )
        return np.asarray(high)

    def _default_estimator(self) -> Any:
        return c45()
