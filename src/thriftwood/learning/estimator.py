"""What the two estimators share: fit reads as encode, grow, prune, wrap."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import Any, ClassVar, NamedTuple, Self

import joblib
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.exceptions import NotFittedError
from sklearn.utils import Bunch

from thriftwood import _core
from thriftwood.base.advice import advised
from thriftwood.base.interrupts import WholeFit
from thriftwood.base.parameters import Choice, Jobs, parameter_error
from thriftwood.base.progress import Progress
from thriftwood.base.remedies import InPython
from thriftwood.consult import Consultation
from thriftwood.costs import Costs
from thriftwood.costs.model import check_costs
from thriftwood.datasets.scans import Scan
from thriftwood.learning.budget import budget_prices, keeping_to, limit_of, warn_of_small_budget
from thriftwood.learning.criteria import Criterion, facts_of, is_known, not_made, reaching_in
from thriftwood.learning.display import DisplayMixin
from thriftwood.learning.growth import Growth
from thriftwood.learning.moved import refuse_inner
from thriftwood.learning.problem import Problem
from thriftwood.learning.pruning import (
    MDL,
    CostComplexity,
    CrossValidatedComplexity,
    ExpectedCost,
    ExpectedLoss,
    Pessimistic,
    Pruning,
    ReducedError,
)
from thriftwood.learning.scans import CountedTable, fit_scan
from thriftwood.learning.weighing import warn_of_uncounted_mistakes
from thriftwood.models.model import Model
from thriftwood.models.strategy import Strategy
from thriftwood.models.tree.tree import Tree
from thriftwood.table import Encoded, Encoder, Kind
from thriftwood.table.case_names import warn_of_case_names
from thriftwood.table.native import core_seed, core_table, refuse_many_categories, refuse_missing

MOST_THREADS = 256
"""More are not started, whatever `n_jobs` says: every thread has its own workspace."""

_DEFAULT_GROWTH = Growth()
_JOBS = Jobs()


class Prepared(NamedTuple):
    """A problem, with the encoder and the classes that the finished tree needs."""

    problem: Problem
    encoder: Encoder
    classes: NDArray[Any] | None


class CostTree(WholeFit, DisplayMixin):
    """The common part of `CostTreeClassifier` and `CostTreeRegressor`."""

    learns: ClassVar[type[Model]] = Tree
    """The kind of `model_`."""
    criteria: ClassVar[Choice]
    grows_one_tree: ClassVar[bool] = True
    """Whether to fit is to grow one tree and prune it, so that many fits can be one call of the core."""
    predicts_numbers: ClassVar[bool] = False
    asks_all_categories: ClassVar[bool] = False
    """Whether columns with many categories are tested like any other, whatever `growth` says."""
    hides_case_names: bool = False
    """Whether columns that name the cases are not asked, whatever `growth` says."""

    always_a_tree: bool = True
    """Whether `fit_many` learns it, and a tree whatever the cases; else `fit` does, `model_` says what."""

    criterion: str | Criterion
    costs: Costs | None
    growth: Growth | None
    pruning: Pruning | None
    nominal_features: Any
    random_state: Any
    n_jobs: int | None

    tree_: Tree
    n_features_in_: int
    _refuses_missing: bool
    part_of: str | None = None
    """The ensemble that the tree is part of, whose parameters messages name; None: it stands alone."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn a tree.

        Parameters
        ----------
        X : array, frame, sparse matrix or list of rows, of shape (n_rows, n_features)
            The cases. Text and unordered categories are nominal, NaN, None and NA are missing.
        y : array-like of shape (n_rows,)
            What is to be predicted.
        sample_weight : array-like of shape (n_rows,), optional
            How much each case counts; a case of weight 2 counts as two cases, one of weight 0 not at all.

        Returns
        -------
        self
        """
        prepared = self.prepare(X, y, sample_weight)
        self.set_fitted(prepared, self.grow_tree(prepared.problem))
        warn_of_uncounted_mistakes(self)
        warn_of_small_budget(self)
        return self

    def fit_scan(
        self,
        scan: Scan,
        *,
        memory: int | str = "2GB",
        cache: str | PathLike[str] | None = None,
        progress: bool | Progress = False,
    ) -> Self:
        """Learn a tree from a table that need not fit in memory.

        The table is read twice, and then a byte for every cell of it is counted in passes, about one for each
        level of the tree until nodes are small enough to be grown in memory. The tree is the one that `fit`
        grows by bins (`Growth`) from the same table, to the last bit.

        Parameters
        ----------
        scan : Scan
            Where the table lies and what is to be predicted: what `tw.scan` returns.
        memory : int or str
            About how much may be held at once, besides the libraries: bytes, or "2GB".
        cache : path, optional
            A folder for the codes of tables in files: the next fit with the same files and columns finds them
            there and reads nothing else. None: they are thrown away.
        progress : bool or callable
            True: a bar on the terminal; a function is called with (rows seen in this pass, rows).

        Returns
        -------
        self

        Notes
        -----
        Refused, because they need the cases and not just counts: ``Growth(bins=None)`` and what needs exact
        thresholds, pruning with cases (ReducedError, cross-validation, Pessimistic unless without subtree
        raising), "lsid3" and "act". Where the codes do not fit in `memory` also: ``lookahead``, "lasc",
        and missing values that are "fractional".

        Examples
        --------
        >>> import thriftwood as tw, polars as pl
        >>> cases = pl.LazyFrame({"age": [54, 61, 37, 41], "sick": ["yes", "yes", "no", "no"]})
        >>> model = tw.CostTreeClassifier().fit_scan(tw.scan(cases, target="sick"))
        >>> model.predict(pl.DataFrame({"age": [50]}))
        array(['yes'], dtype='<U3')
        """
        prepared, tree = fit_scan(self, scan, memory=memory, cache=cache, progress=progress)
        self.set_fitted(prepared, tree)
        warn_of_uncounted_mistakes(self)
        warn_of_small_budget(self)
        return self

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the number of the node each case ends in.

        A case that a missing value sends down several branches is counted where its largest part ends.
        """
        return self.fitted_tree.core.apply(self._table(X), self.thread_count())

    def decision_path(self, X: Any) -> csr_matrix:
        """Return which nodes each case visits: a CSR matrix of shape (n_rows, n_nodes) of ones."""
        core, table = self.fitted_tree.core, self._table(X)
        indptr, indices = core.decision_path(table, self.thread_count())
        ones = np.ones(len(indices), dtype=np.int64)
        return csr_matrix((ones, indices, indptr), shape=(table.n_rows, core.n_nodes))

    def get_depth(self) -> int:
        """Return the number of tests on the longest path."""
        return self.fitted_tree.core.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        return self.fitted_tree.core.n_leaves

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Return the alphas at which cost-complexity pruning takes the next branch, with the impurity left.

        As scikit-learn's method of this name: by impurity, of the tree grown without pruning.

        Returns
        -------
        Bunch
            ``ccp_alphas``, rising from 0, and ``impurities``, the summed impurity of the leaves at each.
        """
        if not self.grows_one_tree:
            raise ValueError(
                f"{type(self).__name__} does not grow one tree that could be pruned step by step. Ask a "
                "CostTreeClassifier for its path."
            )
        problem = self.prepare(X, y, sample_weight).problem
        alphas, _, impurities, _ = _core.ccp_path(problem.grow(), "impurity")
        return Bunch(ccp_alphas=alphas, impurities=impurities)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The share of each feature in all that the tree's splits gained."""
        core = self.fitted_tree.core
        inner = np.flatnonzero(core.kind)
        gains = np.maximum(core.gain[inner], 0.0) * core.weight[inner]
        totals = np.zeros(self.n_features_in_)
        np.add.at(totals, core.feature[inner], gains)
        return np.asarray(totals / (totals.sum() or 1.0))

    @property
    def fitted_tree(self) -> Tree:
        """The finished tree; an error before `fit`."""
        try:
            return self.tree_
        except AttributeError:
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate "
                "arguments before using this estimator."
            ) from None

    @property
    def model_(self) -> Tree:
        """The finished tree, asked as the parameters say now: with these costs, by so many threads."""
        tree = self.fitted_tree
        tree = tree if self.costs is None else tree.with_costs(self.costs)
        threads, owner = self.thread_count(), type(self).__name__
        return tree.asked_with(n_threads=threads, refuses_missing=self._refuses_missing, owner=owner)

    def decide(self, row: Any) -> Any:
        """Answer one case quickly: a mapping from names to values, or the values in the order at fit.

        Every feature has a value, None where it is missing. It takes a few microseconds; `predict` of a table
        of one row takes many times that.

        Examples
        --------
        >>> import thriftwood as tw
        >>> golf = tw.load_dataset("golf-nominal")
        >>> model = tw.algorithm("c45").fit(golf.X, golf.y)
        >>> model.decide({"Outlook": "Rain", "Temp": "Mild", "Humidity": "High", "Wind": "Strong"})
        'No'
        """
        return self.model_.decide(row)

    def consult(
        self,
        known: Any = None,
        *,
        unavailable: Iterable[str] = (),
        strategy: Strategy = "sequential",
        budget: float | None = None,
    ) -> Consultation:
        """Start a consultation: the tree asks for the tests it needs and keeps the running bill.

        Parameters
        ----------
        known : mapping of feature to value, optional
            What is known already, and so costs nothing: a dictionary or a pandas Series. A missing value
            in it is not known yet, and will be asked for.
        unavailable : list of features, optional
            Tests that cannot be had; they are not asked for.
        strategy : {"sequential", "single_batch", "multiple_batch"}
            Which tests are run together: one at a time, down to a leaf; or all at once that are worth their
            price before anything is known; or such batches until no further test is worth its price.
        budget : float, optional
            The most that the case may cost. What would exceed it is not bought: the case then ends where it
            stands, with the answer of that node, and ``.stopped`` says "budget".

        Examples
        --------
        >>> import thriftwood as tw
        >>> golf = tw.load_dataset("golf-nominal")
        >>> model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
        >>> case = model.consult(budget=4)
        >>> case.answer("Rain")
        <Consultation: finished, answer Yes, bill 4, stopped by budget>
        >>> case.why
        'Outlook = Rain: Wind exceeds the budget, so Yes'
        """
        return self.fitted_tree.consult(known, unavailable=unavailable, strategy=strategy, budget=budget)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the tree to a JSON file, without the settings; `load` gives the `Tree` back."""
        self.model_.save(path)

    def set_params(self, **params: Any) -> Self:
        """Set parameters; ``growth__max_depth=3`` reaches into `growth`, also when that is None so far.

        So does ``criterion__gamma=0.01`` into a criterion that is given by name.

        Returns
        -------
        self
        """
        refuse_inner(self.owner, self._get_param_names(), params)
        if _reaches_into("growth", params) and params.get("growth", self.growth) is None:
            params["growth"] = Growth()
        params = reaching_in(self.owner, getattr(self, "criterion", None), params)
        inner = _reaches_into("pruning", params)
        if inner and params.get("pruning", self.pruning) is None:
            raise advised(
                ValueError,
                f"pruning is None, so there is no {inner} to set. ",
                InPython(f"First choose a rule, for example pruning=tw.{_rule_with(inner)}()."),
            )
        super().set_params(**params)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = self.checked_growth().missing != "error"
        tags.input_tags.categorical = tags.input_tags.string = tags.input_tags.sparse = True
        return tags

    @abstractmethod
    def prepare(
        self, X: Any, y: Any, sample_weight: Any, encoding: tuple[Encoder, Encoded] | None = None
    ) -> Prepared:
        """Check the parameters, encode the table, and state the problem in terms of the core.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.
        encoding : tuple of Encoder and Encoded, optional
            The table as `fit_encoder` returns it, where it has been encoded already; X is not read then.
        """

    def prepare_counted(
        self,
        encoder: Encoder,
        n_rows: int,
        classes: NDArray[Any] | None,
        totals: NDArray[np.float64],
        counted: Callable[[NDArray[np.float64] | None], CountedTable],
    ) -> Prepared:
        """Do as `prepare` does, for cases that are elsewhere.

        Parameters
        ----------
        encoder : Encoder
            What the columns are.
        n_rows : int
            The number of rows.
        classes : array or None
            The classes; None: numbers are predicted.
        totals : array
            What the cases of each class weigh.
        counted : callable
            Gives the cases, given what each class counts (None: 1).
        """
        raise ValueError(f"{type(self).__name__} does not learn from tables that are read in parts.")

    @property
    def owner(self) -> str:
        """The class that messages name: that of the ensemble where the tree is part of one."""
        return self.part_of or type(self).__name__

    def weighs_classes(self) -> bool:
        """Tell whether a class's weight depends on how common it is among the rows of a tree."""
        return False

    def set_fitted(self, prepared: Prepared, core: _core.Tree) -> None:
        """Set the fitted attributes of scikit-learn, and the tree."""
        self.set_seen(prepared)
        self.tree_ = Tree(core, prepared.encoder, prepared.classes, self.costs)

    def set_seen(self, prepared: Prepared) -> None:
        """Set the fitted attributes that tell which table was seen."""
        encoder = prepared.encoder
        self.n_features_in_ = encoder.n_features
        self._refuses_missing = self.checked_growth().missing == "error"
        if encoder.feature_names is not None:
            self.feature_names_in_ = np.array(encoder.feature_names, dtype=object)
        else:
            self.__dict__.pop("feature_names_in_", None)

    def grow_tree(self, problem: Problem) -> _core.Tree:
        """Grow the tree of a problem, and prune it."""
        rule = self.checked_pruning()
        tree = problem.answered(problem.grow()) if rule is None else rule.tree(problem)
        return problem.recounted(tree)

    def checked_pruning(self) -> Pruning | None:
        """Return `pruning`; an error if it is no pruning rule, or if its parameters are wrong."""
        if self.pruning is None:
            return None
        if not isinstance(self.pruning, Pruning):
            raise TypeError(
                f"The 'pruning' parameter of {self.owner} must be a pruning rule such as "
                f"Pessimistic() or None. Got {self.pruning!r} of type {type(self.pruning).__name__}."
            )
        self.pruning.check()
        return self.pruning

    def _empty(self, encoder: Encoder, n_rows: int) -> tuple[Encoded, _core.Table]:
        """Check columns of a table that is elsewhere; return one without rows that has them."""
        self._check_columns(encoder, Encoded(n_rows, encoder.n_features, False, columns=[]))
        kinds = {column.index: np.int32 for column in encoder.coded_columns if column.kind is Kind.NOMINAL}
        columns = [np.empty(0, kinds.get(j, np.float64)) for j in range(encoder.n_features)]
        encoded = Encoded(0, encoder.n_features, False, columns=columns)
        return encoded, core_table(encoded, encoder)

    def fit_encoder(self, X: Any) -> tuple[Encoder, Encoded]:
        """Learn how to encode a training table, and encode it."""
        encoder = Encoder(self.owner)
        return encoder, encoder.fit_encode(X, self.nominal_features)

    def _check_columns(self, encoder: Encoder, encoded: Encoded, n_rows: int | None = None) -> None:
        """Raise if a column has missing values that are refused, or lacks a price that it needs.

        `n_rows`: of the table that the encoder has seen; None: `encoded`, else that is a sample of it.
        """
        growth = self.checked_growth()
        if growth.missing == "error":
            refuse_missing(encoded, encoder)
        refuse_many_categories(encoder, grouped=growth.nominal == "grouped")
        if growth.max_leaves != 1:  # a single leaf asks for nothing
            many = None if self.asks_all_categories else growth.many_categories
            n_rows = encoded.n_rows if n_rows is None else n_rows
            warn_of_case_names(encoder, n_rows, many=many, hidden=self.hides_case_names)
        if self.costs is not None:
            check_costs(self.owner, self.costs)
            self.costs.compile(encoder.feature_names or range(encoder.n_features))

    def _table(self, X: Any) -> _core.Table:
        """Encode a table for prediction."""
        tree = self.fitted_tree
        encoded = tree.encode(X)
        if encoded.has_missing and self._refuses_missing:
            refuse_missing(encoded, tree.encoder)
        return core_table(encoded, tree.encoder)

    def checked_growth(self) -> Growth:
        """Return `growth`, or the default one; an error if it is something else."""
        growth = self.growth
        if growth is None:
            return _DEFAULT_GROWTH
        if not isinstance(growth, Growth):
            raise TypeError(
                f"The 'growth' parameter of {self.owner} must be a Growth or None. "
                f"Got {growth!r} of type {type(growth).__name__}."
            )
        return growth

    def core_settings(self, n_rows: int) -> _core.Settings:
        """Return the settings of growth in terms of the core, for a table of so many rows."""
        criterion = facts_of(self.checked_criterion()).name
        return self.checked_growth().settings(criterion, n_rows, self.thread_count())

    def checked_criterion(self) -> str | Criterion:
        """Return the criterion; an error if it is none of the estimator's."""
        given = self.criterion
        if isinstance(given, type) and issubclass(given, Criterion):
            raise ValueError(not_made(self.owner, given))
        if not (is_known(given) and facts_of(given).name in self.criteria.values):
            raise parameter_error(self.owner, "criterion", given, self.criteria)
        return given

    def draws_features(self) -> bool:
        """Tell whether each node looks at some features only."""
        return self.checked_growth().max_features is not None

    def _seeded(self, settings: _core.Settings) -> _core.Settings:
        """Return the settings with a seed, if features are to be drawn."""
        if not self.draws_features():
            return settings
        own = copy.copy(settings)  # cached and shared: copy before changing
        own.seed = core_seed(self.random_state)
        return own

    def budgeted(
        self, settings: _core.Settings, encoder: Encoder, pruning: Pruning | None = None
    ) -> _core.Settings:
        """Return the settings with the budget of growth in them, if there is one; `pruning`: its own."""
        budget = limit_of(self.checked_growth().budget)
        if budget is None:
            return settings
        return keeping_to(budget, settings, budget_prices(self, encoder), pruning or self.pruning)

    def thread_count(self) -> int:
        """Return the number of threads to use, by `n_jobs`."""
        n_jobs = self.n_jobs
        if n_jobs is None or n_jobs == 1:
            return 1
        if not _JOBS.accepts(n_jobs):
            raise parameter_error(self.owner, "n_jobs", n_jobs, _JOBS)
        return min(int(joblib.effective_n_jobs(n_jobs)), MOST_THREADS)


def _reaches_into(parameter: str, params: Mapping[str, Any]) -> str:
    """Return the first name such as ``growth__max_depth``; empty if there is none."""
    return next((name for name in params if name.startswith(f"{parameter}__")), "")


def _rule_with(inner: str) -> str:
    """Name a pruning rule that has the parameter."""
    rules = (
        Pessimistic,
        CostComplexity,
        ReducedError,
        CrossValidatedComplexity,
        MDL,
        ExpectedCost,
        ExpectedLoss,
    )
    wanted = inner.partition("__")[2]
    return next((rule.__name__ for rule in rules if wanted in rule().get_params()), "Pessimistic")
