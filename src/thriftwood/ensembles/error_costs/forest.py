"""`CostForestClassifier`: many trees, each grown on a bag of the cases and on random features."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from thriftwood import _core
from thriftwood.base.advice import advised
from thriftwood.base.interrupts import kept_or_raise
from thriftwood.base.parameters import Flag, Rule, Whole, check
from thriftwood.base.remedies import SetParameter
from thriftwood.costs import Costs, cost_matrices, mean_matrix
from thriftwood.costs.answers import cheapest
from thriftwood.ensembles.base import JOBS, Ensemble
from thriftwood.ensembles.drawing import SampleSize, sample_size
from thriftwood.learning import CostTreeClassifier, Growth
from thriftwood.learning.criteria import Criterion, facts_of, reaching_in
from thriftwood.learning.moved import refuse_inner, refuse_moved, refusing_moved
from thriftwood.learning.problem import Problem
from thriftwood.learning.targets import training_weights
from thriftwood.models import Tree
from thriftwood.models.ensemble import EnsembleModel, LearntColumns
from thriftwood.table import Encoder
from thriftwood.table.native import core_seed

FloatArray = NDArray[np.float64]


class CostForestClassifier(Ensemble):
    """A forest of trees that know what tests and mistakes cost.

    Every tree is grown on a bag: as many cases as there are, drawn with replacement. Together the trees
    answer with the mean of their class shares, weighed by what mistakes cost.

    Parameters
    ----------
    n_estimators : int
        The number of trees.
    criterion, costs, nominal_features
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
        Whether to keep, for every training case, the class shares by the trees whose bags it is not in.
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
    Where leaves are pure, costs do not matter: a leaf of one case answers its class, whatever that costs. So
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

    _further: tuple[str, ...] = ()
    __metadata_request__fit: ClassVar[dict[str, bool]] = {"error_costs": True}
    __metadata_request__predict: ClassVar[dict[str, bool]] = {"error_costs": True}

    rules: ClassVar[Mapping[str, Rule]] = {
        "n_estimators": Whole(1, 10**6),
        "bootstrap": Flag(),
        "max_samples": SampleSize(),
        "oob": Flag(),
        "n_jobs": JOBS,
    }

    oob_proba_: FloatArray

    @refusing_moved
    def __init__(
        self,
        n_estimators: int = 100,
        criterion: str | Criterion = "gini",
        *,
        costs: Costs | None = None,
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
        self.growth = growth
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.oob = oob
        self.nominal_features = nominal_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def set_params(self, **params: Any) -> Self:
        """Set parameters; ``growth__max_depth=3`` reaches into `growth`, also when that is None so far.

        So does ``criterion__gamma=0.01`` into a criterion that is given by name.

        Returns
        -------
        self
        """
        refuse_moved(self.criterion, params)
        refuse_inner(type(self).__name__, self._get_param_names(), params)
        params = reaching_in(type(self).__name__, self.criterion, params)
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
        tree = self._one_tree()
        encoder, encoded = tree.fit_encoder(X)
        if self.growth is None and error_costs is not None:
            tree.set_params(growth__min_branch_weight=_least_branch(sample_weight, encoded.n_rows))
        prepared = tree.prepare(X, y, sample_weight, (encoder, encoded), error_costs=error_costs)
        assert prepared.classes is not None  # of a classifier
        bags = Bags(
            int(self.n_estimators),
            bag_size(self.max_samples, encoded.n_rows, replacement=self.bootstrap),
            bool(self.bootstrap),
            encoded.n_rows,
        )
        grown = grown_bags(prepared.problem, bags, self.random_state, self.thread_count(), self.criterion)
        self.classes_ = prepared.classes
        self._further = ()
        if self.costs is not None and prepared.problem.loss is not None:
            self._further = self.costs.further_answers(prepared.classes)
        self._remember_columns(encoder.n_features, encoder.feature_names)
        self._encoder = encoder
        self._refuses_missing = tree.checked_growth().missing == "error"
        self._keep(prepared.problem, grown)
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
        if error_costs is None:
            return super().predict(X)
        shares = self.predict_proba(X)
        return self.classes_.take(cheapest(shares, cost_matrices(error_costs, len(shares), self.classes_)))

    @property
    def model_(self) -> ForestModel:
        """The trees together, asked as the parameters say now: with these costs, by so many threads."""
        check_is_fitted(self)
        loss = self._loss_matrix
        return self._asked(
            ForestModel(
                self._fitted, self._encoder, self.classes_, self.costs, loss, self._voting, self._further
            )
        )

    @property
    def trees_(self) -> list[Tree]:
        """The finished trees."""
        return self.model_.trees

    @property
    def feature_importances_(self) -> FloatArray:
        """The share of each feature in what the splits gained, on average over the trees."""
        check_is_fitted(self)
        return np.asarray(np.mean([_importances(core, self.n_features_in_) for core in self._fitted], axis=0))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = self._one_tree().checked_growth().missing != "error"
        tags.input_tags.categorical = tags.input_tags.string = tags.input_tags.sparse = True
        return tags

    def _one_tree(self) -> CostTreeClassifier:
        """Return the settings of a tree."""
        tree = CostTreeClassifier(
            self.criterion,
            costs=self.costs,
            growth=Growth(**_DEFAULT_GROWTH.get_params()) if self.growth is None else self.growth,
            nominal_features=self.nominal_features,
            random_state=0,  # trees get seeds of the forest's own
            n_jobs=self.n_jobs,
        )
        tree.part_of = type(self).__name__
        return tree

    def _keep(self, problem: Problem, grown: Grown) -> None:
        """Finish the trees, and set the fitted attributes."""
        votes, threads = problem.votes, self.thread_count()
        if votes is None:
            self._voting: list[_core.Tree] | None = None
            self._loss_matrix = problem.loss
            self._fitted = [problem.answered(tree) for tree in grown.trees]
            table = problem.table
        else:
            self._voting = grown.trees
            loss = self._loss_matrix = mean_matrix(votes.costs, votes.true_labels, votes.case_weights)
            table = votes.table
            counted = (grown.trees, table, votes.true_labels, votes.costs, loss, votes.case_weights)
            self._fitted = grown.forestry.recounted(*counted, threads)
        self.__dict__.pop("oob_proba_", None)
        if self.oob:
            self.oob_proba_ = grown.forestry.left_out_proba(self._fitted, table, threads)


class ForestModel(EnsembleModel):
    """Trees whose mean shares answer; or their votes, where they grew by costs that differ by row.

    Parameters
    ----------
    members : list of trees of the core
        Not wrapped: a forest of many trees answers without.
    encoder : Encoder
        How tables are read.
    classes, costs, loss
        As for `EnsembleModel`.
    voting : list of trees of the core, optional
        The trees whose shares are votes for answers; None: the answer goes by the shares of the classes.
    further : tuple of str
        As for `EnsembleModel`.
    """

    of_trees = True

    def __init__(
        self,
        members: list[_core.Tree],
        encoder: Encoder,
        classes: NDArray[Any],
        costs: Costs | None,
        loss: FloatArray | None,
        voting: list[_core.Tree] | None,
        further: tuple[str, ...] = (),
    ) -> None:
        columns = LearntColumns("forest", encoder.n_features, encoder.feature_names)
        super().__init__(members, columns, classes, costs, loss=loss, further=further)
        self.encoder, self.voting = encoder, voting

    @cached_property
    def trees(self) -> list[Tree]:
        """The finished trees."""
        return [Tree(core, self.encoder, self.classes, self.costs, self.further) for core in self.members]

    def shares_of(self, table: _core.Table, n_threads: int | None = None) -> FloatArray:
        """Give the mean over the trees of the share of each class, for every row of an encoded table."""
        return _core.mean_proba(list(self.members), table, self.threads(n_threads))

    def answers_of(self, table: _core.Table, n_threads: int | None = None) -> NDArray[np.int32]:
        """Give the number of the class with the least expected cost, for every row of an encoded table."""
        if self.voting is None:
            return super().answers_of(table, n_threads)
        return cheapest(_core.mean_proba(self.voting, table, self.threads(n_threads)), None)


class Bags(NamedTuple):
    """How the bags of a forest are drawn."""

    n_trees: int
    draws: int
    replacement: bool
    n_cases: int


class Grown(NamedTuple):
    """Trees, and what they were grown on."""

    forestry: _core.Forestry
    trees: list[_core.Tree]


def grown_bags(
    problem: Problem, bags: Bags, random_state: Any, n_threads: int, criterion: str | Criterion
) -> Grown:
    """Grow a tree on each bag of the cases of a problem; they are neither pruned nor answered yet."""
    if problem.sampled is not None:
        raise ValueError(
            f"criterion={facts_of(criterion).name!r} looks ahead by samples, which takes far longer than a "
            "forest is worth. Choose another criterion."
        )
    votes = problem.votes
    assert problem.labels is not None  # of a classifier
    forestry = _core.Forestry(
        problem.table,
        problem.labels,
        problem.n_classes,
        problem.weights,
        None if votes is None else votes.case_of,
        bags.n_cases,
        bags.n_trees,
        bags.draws,
        bags.replacement,
        core_seed(random_state),
    )
    settings = copy.copy(problem.settings)  # cached and shared: copy before changing
    settings.threads = n_threads
    trees, interrupted = forestry.grow(settings, problem.prices)
    if interrupted:
        kept_or_raise(len(trees), bags.n_trees)
    return Grown(forestry, trees)


def bag_size(max_samples: float | None, n_cases: int, *, replacement: bool) -> int:
    """Return the number of cases in a bag.

    Examples
    --------
    >>> bag_size(None, 1000, replacement=True), bag_size(None, 1000, replacement=False)
    (1000, 632)
    """
    given = _DISTINCT if max_samples is None and not replacement else max_samples
    size = sample_size(given, n_cases)
    if size > n_cases and not replacement:
        raise advised(
            ValueError,
            f"max_samples={given} cases cannot be drawn without replacement from {n_cases}. ",
            SetParameter("bootstrap", (True,)),
            ", or draw fewer.",
        )
    return size


_DEFAULT_GROWTH = Growth(max_features="sqrt")
_LEAST_BRANCH, _LEAST_SHARE = 30.0, 0.05
"""The least weight of a branch with error costs by row; in small tables, this share of all cases."""
_DISTINCT = 0.632
"""1 - 1/e: the share of the cases that is in a bag drawn with replacement."""


def _least_branch(sample_weight: Any, n_cases: int) -> float:
    weights = training_weights(sample_weight, n_cases)
    return min(_LEAST_BRANCH, _LEAST_SHARE * (n_cases if weights is None else float(weights.sum())))


def _importances(core: _core.Tree, n_features: int) -> FloatArray:
    """Return the share of each feature in what the splits of a tree gained."""
    inner = np.flatnonzero(core.kind)
    totals = np.zeros(n_features)
    np.add.at(totals, core.feature[inner], np.maximum(core.gain[inner], 0.0) * core.weight[inner])
    return np.asarray(totals / (totals.sum() or 1.0))
