"""A base learner prepared at one table: fits by weights or on samples, and class shares of the same table.

Trees of ours go through `PreparedLearner`: the table is encoded once and models are finished trees. Every
other estimator is cloned and fitted, with rows of the user's own table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _num_samples, has_fit_parameter

from thriftwood.base.interrupts import ending_all, keeping
from thriftwood.costs import Costs
from thriftwood.costs.further import refuse_further
from thriftwood.ensembles.drawing import Rows, seeded
from thriftwood.learning import CostTreeClassifier, PreparedLearner
from thriftwood.learning.budget import limit_of, no_budget_of_each
from thriftwood.learning.targets import Labels, class_labels
from thriftwood.models import Tree
from thriftwood.models.members import estimator_shares, tree_shares
from thriftwood.table.rows import take_rows

FloatArray = NDArray[np.float64]


class BaseLearner(ABC):
    """The base learner of an ensemble, with the table that it learns from."""

    classes: NDArray[Any]
    labels: Labels
    refuses_missing: bool = False
    """Whether its members are trees of ours that take no missing values."""

    @property
    def n_rows(self) -> int:
        """The number of cases."""
        return len(self.labels)

    @abstractmethod
    def learn(self, weights: FloatArray, seed: int) -> Any:
        """Fit a member on all cases, each counting as much as its weight."""

    @abstractmethod
    def learn_samples(self, samples: list[Rows], seeds: list[int], *, keep_done: bool = True) -> list[Any]:
        """Fit a member on each sample of the rows; a row drawn twice counts twice.

        Ctrl-C leaves the members that are done, and a warning; without `keep_done` it is raised.
        """

    @abstractmethod
    def learn_labels(self, labels: Labels, seed: int) -> Any:
        """Fit the base estimator on other labels, and return it."""

    @abstractmethod
    def shares(self, member: Any, *, votes: bool) -> FloatArray:
        """Return the class shares that a member gives this table; see `members.shares_of`."""


class TreeBaseLearner(BaseLearner):
    """Trees of ours. If the estimator has a `random_state`, all members have that."""

    def __init__(
        self,
        estimator: CostTreeClassifier,
        X: Any,
        y: Any,
        owner: str,
        n_jobs: int | None,
        seed: int,
        *,
        asked_together: bool = True,
    ) -> None:
        if asked_together and limit_of(estimator.checked_growth().budget) is not None:
            raise ValueError(no_budget_of_each(owner))
        self.keeps_own_seed = estimator.random_state is not None
        model = seeded(clone(estimator), seed)
        if n_jobs is not None:
            model.set_params(n_jobs=n_jobs)
        self.prepared = PreparedLearner(model, X, y, owner)
        self.refuses_missing = model.checked_growth().missing == "error"
        self.classes, self.labels = self.prepared.classes, self.prepared.labels
        if model.costs is not None:
            refuse_further(model.costs.further_answers(self.classes), owner)

    def learn(self, weights: FloatArray, seed: int) -> Tree:
        """Grow a tree."""
        return self.prepared.grow(weights=weights, seed=None if self.keeps_own_seed else seed)

    def learn_samples(self, samples: list[Rows], seeds: list[int], *, keep_done: bool = True) -> list[Tree]:
        """Grow all trees, in one call of the core where neither rows nor features are drawn anew."""
        own_seeds = None if self.keeps_own_seed else seeds
        return self.prepared.grow_many(samples, own_seeds, keep_done=keep_done)

    def learn_labels(self, labels: Labels, seed: int) -> CostTreeClassifier:
        """Grow a tree on other labels."""
        return self.prepared.fitted(labels)

    def shares(self, member: Tree, *, votes: bool) -> FloatArray:
        """Return the shares of a tree, without encoding the table again."""
        threads = self.prepared.model.thread_count()
        return tree_shares(member, self.prepared.table, votes=votes, n_threads=threads)

    def answers(self, member: Tree) -> Labels:
        """Return the class numbers that a tree answers for this table."""
        return member.core.predict_labels(self.prepared.table, self.prepared.model.thread_count())


class EstimatorBaseLearner(BaseLearner):
    """Any classifier of scikit-learn's kind."""

    def __init__(self, estimator: Any, X: Any, y: Any, n_jobs: int | None) -> None:
        self.estimator, self.X, self.n_jobs = estimator, X, n_jobs
        self.classes, self.labels = class_labels(y, _num_samples(X))
        own = getattr(estimator, "costs", None)
        if isinstance(own, Costs):
            refuse_further(own.further_answers(self.classes), "An ensemble")

    def learn(self, weights: FloatArray, seed: int) -> Any:
        """Fit a clone with weights."""
        return _fitted(self.estimator, self.X, self.classes[self.labels], seed, weights)

    def learn_samples(self, samples: list[Rows], seeds: list[int], *, keep_done: bool = True) -> list[Any]:
        """Fit clones side by side."""
        fits = (
            delayed(_fitted)(self.estimator, take_rows(self.X, rows), self.classes[self.labels[rows]], seed)
            for rows, seed in zip(samples, seeds, strict=True)
        )
        members: list[Any] = []
        with keeping(members, len(samples), "models") if keep_done else ending_all():
            members.extend(Parallel(n_jobs=self.n_jobs, return_as="generator")(fits))
        return members

    def learn_labels(self, labels: Labels, seed: int) -> Any:
        """Fit a clone on other labels."""
        return _fitted(self.estimator, self.X, self.classes[labels], seed)

    def shares(self, member: Any, *, votes: bool) -> FloatArray:
        """Return the shares of an estimator."""
        return estimator_shares(member, self.X, self.classes, votes=votes)


def base_learner(
    estimator: Any,
    X: Any,
    y: Any,
    owner: str,
    n_jobs: int | None,
    seed: int,
    *,
    asked_together: bool = True,
) -> BaseLearner:
    """Prepare a copy of an estimator at a table; `asked_together`: cases will be asked by several of them."""
    if isinstance(estimator, CostTreeClassifier):
        return TreeBaseLearner(estimator, X, y, owner, n_jobs, seed, asked_together=asked_together)
    return EstimatorBaseLearner(clone(estimator), X, y, n_jobs)


def check_estimator_can(estimator: Any, owner: str, *, weights: bool = False, shares: bool = False) -> None:
    """Raise unless an estimator has what an ensemble needs of it."""
    name = type(estimator).__name__
    if not hasattr(estimator, "fit") or not hasattr(estimator, "predict"):
        raise TypeError(
            f"The 'estimator' parameter of {owner} must be a classifier or None. Got {estimator!r} of type "
            f"{name}."
        )
    if weights and not has_fit_parameter(estimator, "sample_weight"):
        raise ValueError(
            f"{owner} weighs cases, and {name}.fit takes no sample_weight. Use an estimator that does, such "
            "as a tree, or an ensemble that draws samples instead: MetaCostClassifier, CostingClassifier."
        )
    if shares and not hasattr(estimator, "predict_proba"):
        raise ValueError(
            f"{owner} asks for probabilities, and this {name} has no predict_proba. Use an estimator that "
            "has, or let answers count as votes where there is a parameter for it (use_probabilities=False)."
        )


def _fitted(estimator: Any, X: Any, y: NDArray[Any], seed: int, weights: FloatArray | None = None) -> Any:
    """Fit a clone; where all cases have one class, which many estimators refuse, answer that class."""
    if (y[1:] == y[:-1]).all():
        return DummyClassifier(strategy="prior").fit(X, y)
    own = seeded(clone(estimator), seed)
    own.fit(X, y) if weights is None else own.fit(X, y, sample_weight=weights)
    if getattr(own, "ended_", None) == "interrupt":  # an evolved tree: Ctrl-C ends all models
        raise KeyboardInterrupt
    return own
