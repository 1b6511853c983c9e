"""`CostForestClassifier`: many trees, each grown on a bag of the cases and on random features."""

from __future__ import annotations

import copy
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from thriftwood import _core
from thriftwood.costs import Costs, cost_matrices, mean_matrix
from thriftwood.ensembles.answers import cheapest
from thriftwood.table import Encoder
from thriftwood.tree import CostTreeClassifier, Growth, Tree
from thriftwood.tree.base import refuse_missing
from thriftwood.tree.native import core_table
from thriftwood.tree.parameters import Flag, Real, Rule, Whole, check
from thriftwood.tree.problem import Problem
from thriftwood.tree.targets import case_weights

FloatArray = NDArray[np.float64]


class CostForestClassifier(ClassifierMixin, BaseEstimator):
    """A forest of trees that know what tests and mistakes cost.

    Every tree is grown on a bag: as many cases as there are, drawn with replacement. Together the trees
    answer with the mean of their class shares, weighed by what mistakes cost.

    Parameters
    ----------
    n_estimators : int
        The number of trees.
    criterion, costs, gamma, w, nominal_features
        As for `CostTreeClassifier`, of every tree.
    growth : Growth, optional
        How the trees grow; None is ``Growth(max_features="sqrt")``: at every node the best test of so many
        features, drawn anew. With `error_costs` None has leaves of some weight, too: see the notes.
    bootstrap : bool
        True: bags are drawn with replacement. False: without.
    max_samples : int, float or None
        The cases in a bag, or their share of all; None is all of them with replacement, and 0.632 without,
        which is the share that differs in a bag with replacement.
    oob : bool
        Whether to keep, for every training case, what the trees say whose bags it is not in.
    random_state : int, RandomState or None
        Draws bags and features. With the same one the forest is the same, for any number of threads.
    n_jobs : int, optional
        Threads; None is 1, -1 all processors.

    Attributes
    ----------
    trees_ : list of Tree
        The finished trees.
    classes_ : array of shape (n_classes,)
        The classes, sorted.
    oob_proba_ : array of shape (n_rows, n_classes)
        With ``oob=True``: the class shares of each training case by the trees it was left out of; NaN where
        there is none.
    n_features_in_, feature_names_in_
        As for `CostTreeClassifier`.

    Notes
    -----
    With ``fit(..., error_costs=...)`` the trees are grown for the cheapest answers, as `CostTreeClassifier`
    does. `predict` then asks them for these; `predict_proba` still gives the shares of the true classes.
    Where leaves are pure, costs have no say: a leaf of one case answers its class, whatever that costs. So
    unless `growth` says otherwise, every branch then has a ``min_branch_weight`` of 30, in small tables of a
    twentieth of all cases. Where the costs of the cases to be answered are known,
    ``predict(X, error_costs=...)`` goes by them; `CheapestAnswer` does the same around any classifier.

    Examples
    --------
    >>> import thriftwood as tw
    >>> flowers = tw.load_dataset("iris")
    >>> forest = CostForestClassifier(20, oob=True, random_state=0).fit(flowers.X, flowers.y)
    >>> forest.predict(flowers.X[:2]).tolist() == flowers.y[:2].tolist()
    True
    >>> forest.oob_proba_.shape
    (150, 3)

    References
    ----------
    Breiman 2001, Random forests, Machine Learning 45
    """

    __metadata_request__fit: ClassVar[dict[str, bool]] = {"error_costs": True}
    __metadata_request__predict: ClassVar[dict[str, bool]] = {"error_costs": True}

    rules: ClassVar[dict[str, Rule]] = {"n_estimators": Whole(1, 10**6), "bootstrap": Flag(), "oob": Flag()}

    classes_: NDArray[Any]
    n_features_in_: int
    oob_proba_: FloatArray

    def __init__(
        self,
        n_estimators: int = 100,
        criterion: str = "gini",
        *,
        costs: Costs | None = None,
        gamma: float | None = None,
        w: float | None = None,
        growth: Growth | None = None,
        bootstrap: bool = True,
        max_samples: float | None = None,
        oob: bool = False,
        nominal_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.costs = costs
        self.gamma = gamma
        self.w = w
        self.growth = growth
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.oob = oob
        self.nominal_features = nominal_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def set_params(self, **params: Any) -> Self:
        """Set parameters; ``growth__max_depth=3`` reaches into `growth`, also when that is None so far.

        Returns
        -------
        self
        """
        if any(name.startswith("growth__") for name in params) and params.get("growth", self.growth) is None:
            params["growth"] = Growth(**_DEFAULT_GROWTH.get_params())
        super().set_params(**params)
        return self

    def fit(self, X: Any, y: Any, sample_weight: Any = None, error_costs: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X, y, sample_weight, error_costs
            As for `CostTreeClassifier.fit`.

        Returns
        -------
        self
        """
        check(self, self.rules)
        encoder = Encoder(type(self).__name__)
        encoded = encoder.fit_encode(X, self.nominal_features)
        tree = self._one_tree()
        if self.growth is None and error_costs is not None:
            tree.set_params(growth__min_branch_weight=_least_branch(sample_weight, encoded.n_rows))
        prepared = tree._prepare(X, y, sample_weight, (encoder, encoded), error_costs=error_costs)
        assert prepared.classes is not None  # of a classifier
        problem, threads = prepared.problem, tree._n_threads()
        grown = self._grown(problem, encoded.n_rows, threads)
        self.classes_ = prepared.classes
        self.n_features_in_ = encoder.n_features
        if encoder.feature_names is not None:
            self.feature_names_in_ = np.array(encoder.feature_names, dtype=object)
        else:
            self.__dict__.pop("feature_names_in_", None)
        self._encoder = encoder
        self._refuses_missing = tree._growth().missing == "error"
        self._keep(problem, grown, threads)
        return self

    def predict(self, X: Any, error_costs: Any = None) -> NDArray[Any]:
        """Return the answer for each case: the class with the least expected cost.

        Parameters
        ----------
        X : array, frame, sparse matrix or list of rows
            The cases.
        error_costs : array-like of shape (n_rows, n_classes, n_classes), optional
            What answers cost these cases, a matrix [actual, predicted] for each. None: as at `fit`.
        """
        check_is_fitted(self)
        if error_costs is not None:
            shares = self.predict_proba(X)
            return self.classes_.take(
                cheapest(shares, cost_matrices(error_costs, len(shares), self.classes_))
            )
        if self._voting is not None:
            return self.classes_.take(cheapest(self._asked(self._voting, X), None))
        return self.classes_.take(cheapest(self.predict_proba(X), self._loss))

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the mean over the trees of the share of each class, in the order of ``classes_``."""
        check_is_fitted(self)
        return self._asked(self._fitted, X)

    @property
    def trees_(self) -> list[Tree]:
        """The finished trees."""
        check_is_fitted(self)
        return [Tree(core, self._encoder, self.classes_, self.costs) for core in self._fitted]

    @property
    def feature_importances_(self) -> FloatArray:
        """The share of each feature in what the splits gained, on average over the trees."""
        check_is_fitted(self)
        return np.asarray(np.mean([_importances(core, self.n_features_in_) for core in self._fitted], axis=0))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = self._one_tree()._growth().missing != "error"
        tags.input_tags.categorical = tags.input_tags.string = tags.input_tags.sparse = True
        return tags

    def _one_tree(self) -> CostTreeClassifier:
        """Return the settings of a tree."""
        return CostTreeClassifier(
            self.criterion,
            costs=self.costs,
            gamma=self.gamma,
            w=self.w,
            growth=Growth(**_DEFAULT_GROWTH.get_params()) if self.growth is None else self.growth,
            nominal_features=self.nominal_features,
            random_state=0,  # trees get seeds of the forest's own
            n_jobs=self.n_jobs,
        )

    def _grown(self, problem: Problem, n_cases: int, threads: int) -> _Grown:
        if problem.sampled is not None:
            raise ValueError(
                f"criterion={self.criterion!r} looks ahead by samples, which takes far longer than a forest "
                "is worth. Choose another criterion."
            )
        votes = problem.votes
        assert problem.labels is not None  # of a classifier
        forestry = _core.Forestry(
            problem.table,
            problem.labels,
            problem.n_classes,
            problem.weights,
            None if votes is None else votes.case_of,
            n_cases,
            int(self.n_estimators),
            self._draws(n_cases),
            bool(self.bootstrap),
            int(check_random_state(self.random_state).randint(2**31 - 1)),
        )
        settings = copy.copy(problem.settings)  # fits share it
        settings.threads = threads
        return _Grown(forestry, forestry.grow(settings, problem.prices))

    def _keep(self, problem: Problem, grown: _Grown, threads: int) -> None:
        """Finish the trees, and set what depends on them."""
        votes = problem.votes
        if votes is None:
            self._voting: list[_core.Tree] | None = None
            self._loss = problem.loss
            self._fitted = [problem.answered(tree) for tree in grown.trees]
            table = problem.table
        else:
            self._voting = grown.trees
            self._loss = mean_matrix(votes.costs, votes.true_labels, votes.case_weights)
            table = votes.table
            counted = (grown.trees, table, votes.true_labels, votes.costs, self._loss, votes.case_weights)
            self._fitted = grown.forestry.recounted(*counted, threads)
        self.__dict__.pop("oob_proba_", None)
        if self.oob:
            self.oob_proba_ = grown.forestry.left_out_proba(self._fitted, table, threads)

    def _draws(self, n_cases: int) -> int:
        """Return the number of cases in a bag."""
        given = self.max_samples
        if given is None:
            return n_cases if self.bootstrap else max(1, round(_DISTINCT * n_cases))
        if Whole(1).accepts(given):
            if given > n_cases and not self.bootstrap:
                raise ValueError(
                    f"max_samples={given} cases cannot be drawn without replacement from {n_cases}. Set "
                    "bootstrap=True, or draw fewer."
                )
            return int(given)
        if not isinstance(given, int) and Real(0.0, 1.0, above=True).accepts(given):
            return max(1, round(float(given) * n_cases))
        raise ValueError(
            f"The 'max_samples' parameter of {type(self).__name__} must be a whole number of at least 1, a "
            f"share above 0.0 and at most 1.0, or None. Got {given!r} of type {type(given).__name__}."
        )

    def _asked(self, trees: list[_core.Tree], X: Any) -> FloatArray:
        encoded = self._encoder.encode(X)
        if encoded.has_missing and self._refuses_missing:
            refuse_missing(encoded, self._encoder)
        return _core.mean_proba(trees, core_table(encoded, self._encoder), self._one_tree()._n_threads())


class _Grown(NamedTuple):
    """Trees, and what they were grown on."""

    forestry: _core.Forestry
    trees: list[_core.Tree]


_DEFAULT_GROWTH = Growth(max_features="sqrt")
_LEAST_BRANCH, _LEAST_SHARE = 30.0, 0.05
"""The weight of a branch by which costs decide: so much, in small tables this share of all cases."""
_DISTINCT = 0.632
"""1 - 1/e: the share of the cases that is in a bag drawn with replacement."""


def _least_branch(sample_weight: Any, n_cases: int) -> float:
    weights = case_weights(sample_weight, n_cases)
    return min(_LEAST_BRANCH, _LEAST_SHARE * (n_cases if weights is None else float(weights.sum())))


def _importances(core: _core.Tree, n_features: int) -> FloatArray:
    """Return the share of each feature in what the splits of a tree gained."""
    inner = np.flatnonzero(core.kind)
    totals = np.zeros(n_features)
    np.add.at(totals, core.feature[inner], np.maximum(core.gain[inner], 0.0) * core.weight[inner])
    return np.asarray(totals / (totals.sum() or 1.0))
