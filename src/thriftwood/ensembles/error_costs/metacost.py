"""`MetaCostClassifier`: any classifier made cost-sensitive by relabelling what it learns from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from thriftwood.base.parameters import Flag, Rule, Whole
from thriftwood.costs import Costs
from thriftwood.costs.answers import cheapest
from thriftwood.ensembles.base import EstimatorEnsemble
from thriftwood.ensembles.base_learner import BaseLearner
from thriftwood.ensembles.defaults import c45
from thriftwood.ensembles.drawing import Rows, SampleSize, bootstraps, sample_size, seeds
from thriftwood.models import Tree
from thriftwood.models.conversion import as_model
from thriftwood.models.ensemble import EnsembleModel, LearntColumns
from thriftwood.models.labels import class_numbers
from thriftwood.models.ledger import FloatArray
from thriftwood.models.members import estimator_shares
from thriftwood.models.model import Model


def _has_probabilities(ensemble: MetaCostClassifier) -> bool:
    return hasattr(getattr(ensemble, "estimator_", ensemble.base_estimator()), "predict_proba")


class MetaCostClassifier(EstimatorEnsemble):
    """Learns once, from cases relabelled with the answer that costs least there.

    How likely the classes are at each training case is estimated by models of bootstrap samples. The final
    model is one of the base estimator, as easy to read and as quick as that is.

    Parameters
    ----------
    estimator : classifier, optional
        The base estimator, any of scikit-learn's kind; None: C4.5. It need not know costs.
    costs : Costs, optional
        What mistakes cost; None: 1 for every mistake. Prices of tests do not guide it; `bill` charges them.
    n_estimators : int
        The number of bootstrap samples, m.
    max_samples : int, float or None
        The size of each, n: a number of cases, a share of them, or None for as many as there are.
    use_probabilities : bool
        Whether the models' probabilities are averaged, p; False: their answers are.
    use_all : bool
        Whether all models vote on a case, q; False: those that did not learn from it (all, if there
        are none).
    random_state : int, RandomState or None
        Draws the samples, and seeds base estimators without a seed of their own.
    n_jobs : int, optional
        Threads or processes; None is 1, -1 all processors. The model is the same for any number.

    Attributes
    ----------
    estimator_ : classifier
        The final model.
    relabelled_ : array of shape (n_rows,)
        The labels it learnt from.
    probabilities_ : array of shape (n_rows, n_classes)
        How likely each class was at each training case.
    estimators_ : list
        The models of the samples: finished trees (`Tree`) if the base estimator is a CostTreeClassifier.
    tree_ : Tree
        The final tree, if it is one of ours: for text, files, bills and exports.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    A case keeps its label where no answer is cheaper. Reference: Domingos 1999, MetaCost: a general method
    for making classifiers cost-sensitive, KDD.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> costs = Costs(errors={0: {1: 20}, 1: {0: 1}})
    >>> model = MetaCostClassifier(costs=costs, n_estimators=10, random_state=0).fit(X, y)
    >>> int((model.relabelled_ != y).sum()), int((model.predict(X) == 0).sum()) > int((y == 0).sum())
    (57, True)
    """

    learns: ClassVar[type[Model]] = Tree
    rules: ClassVar[Mapping[str, Rule]] = {
        "n_estimators": Whole(1),
        "max_samples": SampleSize(),
        "use_probabilities": Flag(),
        "use_all": Flag(),
    }

    estimator_: Any
    relabelled_: NDArray[Any]
    _class_counts: tuple[float, ...]
    probabilities_: FloatArray
    estimators_: list[Any]
    asks_several = False  # one model answers, which learnt last

    def __init__(
        self,
        estimator: Any = None,
        *,
        costs: Costs | None = None,
        n_estimators: int = 50,
        max_samples: float | None = None,
        use_probabilities: bool = True,
        use_all: bool = False,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.use_probabilities = use_probabilities
        self.use_all = use_all
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        """Estimate, relabel, learn.

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
        loss = self._loss(learner.classes)
        size = sample_size(self.max_samples, learner.n_rows)
        samples = bootstraps(self.n_estimators, size, learner.n_rows, rng)
        self.estimators_ = learner.learn_samples(samples, member_seeds, keep_done=False)
        self.probabilities_ = self._estimate(learner, samples)
        relabelled = cheapest(self.probabilities_, loss, keep=learner.labels)
        self.relabelled_ = learner.classes[relabelled]
        self.estimator_ = learner.learn_labels(relabelled, own_seed)
        self._remember(learner, self.estimator_)
        self._class_counts = tuple(np.bincount(learner.labels, minlength=len(learner.classes)).tolist())
        return self

    def _estimate(self, learner: BaseLearner, samples: list[Rows]) -> FloatArray:
        """Return how likely each class is at each case, by the models that vote there."""
        n_rows, n_classes = learner.n_rows, len(learner.classes)
        by_all = np.zeros((n_rows, n_classes))
        by_others, others = np.zeros((n_rows, n_classes)), np.zeros(n_rows)
        for member, rows in zip(self.estimators_, samples, strict=True):
            shares = learner.shares(member, votes=not self.use_probabilities)
            by_all += shares
            unknown = np.ones(n_rows, dtype=bool)
            unknown[rows] = False
            by_others[unknown] += shares[unknown]
            others[unknown] += 1
        mean = by_all / len(samples)
        if self.use_all:
            return mean
        return np.where(others[:, None] > 0, by_others / np.maximum(others, 1)[:, None], mean)

    @property
    def model_(self) -> Model:
        """The final model, asked as the parameters say now: with these costs, by so many threads."""
        check_is_fitted(self, "estimator_")
        if hasattr(self, "tree_"):
            tree = as_model(self.estimator_).with_costs(self.costs)
            # Its root counts the classes as relabelled, by which nobody would be answered untested.
            return tree.asked_with(owner=type(self).__name__, class_counts=self._class_counts)
        return self._asked(FinalModel([self.estimator_], LearntColumns.of(self), self.classes_, self.costs))

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]  # scikit-learn's
    def predict_proba(self, X: Any) -> FloatArray:
        """Return the final model's shares of the classes as relabelled, in the order of ``classes_``."""
        return estimator_shares(self._final(), X, self.classes_, votes=False)

    def _final(self) -> Any:
        check_is_fitted(self, "estimator_")
        return self.estimator_

    def _default_estimator(self) -> Any:
        return c45()

    @property
    def tree_(self) -> Tree:
        """The final tree, if the base estimator is a tree of ours."""
        tree = self.estimator_.tree_  # an AttributeError, as for any attribute that is not there
        if not isinstance(tree, Tree):
            raise AttributeError(
                f"The final {type(self.estimator_).__name__} of this {type(self).__name__} is no tree of "
                "thriftwood. Its own tree is estimator_.tree_."
            )
        return tree


class FinalModel(EnsembleModel):
    """A single classifier of another library, which is charged for all columns."""

    def answers_of(self, table: Any, n_threads: int | None = None) -> NDArray[np.int32]:
        """Give the numbers of its own answers."""
        answers = np.asarray(self.members[0].predict(table))
        return class_numbers(answers, self.classes, len(answers))
