"""`LpCsbClassifier`: boosting of pairs of a case and an answer, by the p-norm of costs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from thriftwood.base.interrupts import keeping
from thriftwood.base.parameters import Real, Rule, Whole
from thriftwood.costs import Costs
from thriftwood.costs.answers import regrets
from thriftwood.ensembles.base import EstimatorEnsemble
from thriftwood.ensembles.base_learner import base_learner, check_estimator_can
from thriftwood.ensembles.defaults import BOOSTED_DEPTH, shallow_tree
from thriftwood.ensembles.drawing import seeds
from thriftwood.ensembles.error_costs.pairs import Pairs
from thriftwood.learning import CostTreeClassifier
from thriftwood.learning.targets import class_labels
from thriftwood.models.ensemble import EnsembleModel, LearntColumns
from thriftwood.models.ledger import FloatArray, Mask
from thriftwood.models.members import shares_of_members
from thriftwood.table import Encoded
from thriftwood.table.reading import read

SUITS = np.array([0, 1])
"""The classes of a pair: whether the answer suits the case."""


def pair_weights(costs: FloatArray, shares: FloatArray, p: float) -> FloatArray:
    """Return what each pair of a case and an answer weighs in the next round.

    Parameters
    ----------
    costs : array of shape (n_rows, n_classes)
        What each answer costs for each case more than the best one.
    shares : array of shape (n_rows, n_classes)
        How likely the ensemble so far is to give each answer.
    p : float
        The norm.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        For a case's cheapest answer the sum of the others.

    Examples
    --------
    >>> pair_weights(np.array([[0.0, 2.0, 6.0]]), np.full((1, 3), 1 / 3), 2).round(6)
    array([[1.333333, 0.333333, 1.      ]])
    """
    weights = 0.5 * costs * shares ** (p - 1)
    rows, best = np.arange(len(costs)), costs.argmin(axis=1)
    weights[rows, best] = 0.0
    weights[rows, best] = weights.sum(axis=1)
    return np.asarray(weights)


class LpCsbClassifier(EstimatorEnsemble):
    """Boosting by the p-norm of costs: each round learns which answers suit which cases.

    A case becomes as many pairs as there are answers. The base estimator learns to tell a case's cheapest
    answer from the others, dear ones and those that the ensemble still gives counting most.

    Parameters
    ----------
    estimator : classifier, optional
        The base estimator, any that takes sample_weight; None: a CostTreeClassifier of depth 4. It sees one
        more column, the answer: nominal for a CostTreeClassifier, otherwise 0 and 1 for each class.
        Its probabilities count, or its answers if it has none.
    costs : Costs, optional
        What answers cost; None: 1 for every mistake. Prices of tests do not guide it.
    n_estimators : int
        The number of rounds.
    p : float
        The norm, at least 1; with 1, rounds do not depend on each other.
    random_state : int, RandomState or None
        Seeds base estimators without a seed of their own; the rounds draw nothing.
    n_jobs : int, optional
        Threads of trees of ours; None is 1, -1 all processors. The model is the same for any number.

    Attributes
    ----------
    estimators_ : list
        The models of pairs: finished trees (`Tree`) if the base estimator is a CostTreeClassifier.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    w(x, a) = 1/2 C(x, a) H(a | x)^(p - 1), and for the cheapest answer the sum of the others; H is the mean
    of the rounds' distributions over answers, even before the first. Reference: Lozano & Abe 2008,
    Multi-class cost-sensitive boosting with p-norm loss functions, KDD.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> costs = Costs(errors=[[0, 1, 1], [1, 0, 1], [1, 9, 0]])
    >>> model = LpCsbClassifier(costs=costs).fit(X, y)
    >>> int(((y == 2) & (model.predict(X) == 1)).sum())
    0
    """

    rules: ClassVar[Mapping[str, Rule]] = {"n_estimators": Whole(1), "p": Real(1)}

    estimators_: list[Any]
    _pairs: Pairs

    def __init__(
        self,
        estimator: Any = None,
        *,
        costs: Costs | None = None,
        n_estimators: int = 10,
        p: float = 2.0,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.n_estimators = n_estimators
        self.p = p
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        """Learn round by round.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            The cases. Not a sparse one.
        y : array-like of shape (n_rows,)
            Their classes.

        Returns
        -------
        self
        """
        self._check()
        own_seed, *member_seeds = seeds(1 + self.n_estimators, check_random_state(self.random_state))
        owner, base = type(self).__name__, self.base_estimator()
        check_estimator_can(base, owner, weights=True)
        classes, labels = class_labels(y, read(X).shape[0])
        costs = regrets(self._loss(classes))[labels]
        best = np.eye(len(classes), dtype=np.int32)[costs.argmin(axis=1)]
        self._pairs = Pairs.of(X, classes, owner, nominal=isinstance(base, CostTreeClassifier))
        learner = base_learner(
            base, self._pairs.table(X), self._pairs.by_pair(best), owner, self.n_jobs, own_seed
        )
        self.estimators_ = []
        shares = np.full(costs.shape, 1 / len(classes))
        with keeping(self.estimators_, self.n_estimators, "rounds"):
            for number, seed in enumerate(member_seeds):
                weights = pair_weights(costs, shares, self.p)
                if number and not weights.any():
                    break  # no case is left that might get a dearer answer
                weights = weights if weights.any() else np.ones(costs.shape)  # of a single class
                weights *= len(labels) / weights.sum()
                member = learner.learn(self._pairs.by_pair(weights), seed)
                self.estimators_.append(member)
                found = distribution(self._pairs, learner.shares(member, votes=self._votes()))
                shares = shares + (found - shares) / (number + 1)
        self.classes_, self._refuses_missing = classes, learner.refuses_missing
        self._remember_columns(self._pairs.n_features, self._pairs.names)
        return self

    @property
    def model_(self) -> PairsModel:
        """What was learnt, asked as the parameters say now: with these costs, by so many threads."""
        check_is_fitted(self, "estimators_")
        learnt, votes = LearntColumns.of(self), self._votes()
        return self._asked(
            PairsModel(self._pairs, self.estimators_, learnt, self.classes_, self.costs, votes=votes)
        )

    def _votes(self) -> bool:
        return not hasattr(self.base_estimator(), "predict_proba")

    def _default_estimator(self) -> Any:
        return shallow_tree(BOOSTED_DEPTH + 1)  # one test more, for the answer

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags


class PairsModel(EnsembleModel):
    """Models of pairs of a case and an answer: the shares are how much they are for each answer."""

    decides_by_name = False

    def __init__(self, pairs: Pairs, *of_ensemble: Any, **settings: Any) -> None:
        """Keep how cases and answers become rows; the rest is as for `EnsembleModel`."""
        super().__init__(*of_ensemble, **settings)
        self.pairs = pairs

    def encode(self, X: Any) -> Encoded:
        """Encode the pairs of a table."""
        return self.encoder.encode(self.pairs.table(self.setup.prepared(X)))

    def table(self, X: Any) -> Any:
        """Read a table: its pairs, encoded for trees of ours."""
        return super().table(X) if self.of_trees else self.pairs.table(self.setup.prepared(X))

    @cached_property
    def tests(self) -> NDArray[np.int32]:
        """The numbers of the features that any member tests; the answer is no test."""
        found: NDArray[np.int32] = super().tests
        return found[found < self.n_features]

    def shares_of(self, table: Any, n_threads: int | None = None) -> FloatArray:
        """Give H: how much the models are for each answer, in the order of `classes`."""
        threads = self.threads(n_threads)
        suits = shares_of_members(self.members, table, SUITS, votes=self.votes, n_threads=threads)
        return np.asarray(sum(distribution(self.pairs, said) for said in suits) / len(self.members))

    def asked(self, table: Any, costs: Costs, n_threads: int | None = None) -> Mask:
        """Tell which tests each case is asked, with any of the answers; see `EnsembleModel`."""
        free = costs.replace(default_price=0)  # the answer has no price
        asked = super().asked(table, free, n_threads)[:, : self.n_features]
        return np.asarray(asked.reshape(len(self.classes), -1, self.n_features).any(axis=0))


def distribution(pairs: Pairs, shares: FloatArray) -> FloatArray:
    """Turn what a model says of pairs into a distribution over answers; even where it is for none."""
    suits = pairs.by_case(shares[:, -1])
    total = suits.sum(axis=1, keepdims=True)
    even = np.full(suits.shape, 1 / suits.shape[1])
    return np.asarray(np.divide(suits, total, out=even, where=total > 0))
