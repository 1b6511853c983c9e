"""`OptimalTreeClassifier`: the tree that costs the training cases least, found by search."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.advice import advised
from thriftwood.base.callers import callers_level
from thriftwood.base.interrupts import ends_all
from thriftwood.base.parameters import Choice, Real, Rule, Whole, check
from thriftwood.base.remedies import InPython
from thriftwood.costs import Costs, mean_matrix
from thriftwood.costs.further import refuse_both
from thriftwood.costs.reasonable import warn_if_unreasonable
from thriftwood.learning.budget import budget_prices, limit_of, warn_of_small_budget
from thriftwood.learning.class_tree import ClassTree, FloatArray, costs_by_row
from thriftwood.learning.estimator import Prepared
from thriftwood.learning.growth import MOST_BINS, Growth
from thriftwood.learning.optimal_progress import SearchProgress, telling
from thriftwood.learning.problem import Problem
from thriftwood.learning.pruning import Pruning
from thriftwood.learning.smoothing import SMOOTHING, Smoothing, smoothing_of
from thriftwood.learning.targets import Labels, class_labels, training_weights
from thriftwood.table import Encoded, Encoder
from thriftwood.table.native import core_table

DEEPEST = 32
"""The search calls itself for each level; long before this one it does not end."""


_ENDINGS = {"time": "after the time budget", "interrupt": "after Ctrl-C", "rollouts": "by rollouts"}
"""Why nothing is proven, in words."""


class Searched(NamedTuple):
    """What a search has found, for a training case on average."""

    tree: _core.Tree
    cost: float
    lower_bound: float
    ended: str


class OptimalTreeClassifier(ClassTree):
    """The tree that costs the training cases least, up to a depth: what tests and mistakes cost together.

    Nothing greedy: all trees are searched, with bounds that leave out what cannot be the best. Prices are
    those of `Costs`: a test is paid once, shared resources and groups count, missing values that are not
    charged are free. After a time limit or Ctrl-C the best tree so far stays, with a proven bound on what any
    tree of that depth costs.

    The least cost of the training cases is not the least cost of others: deep trees of few cases fit too
    closely. Choose `max_depth`, `leaf_fee` and `smoothing` by cross-validation.

    Parameters
    ----------
    costs : Costs, optional
        Prices of the tests and costs of the mistakes. None: tests are free and every mistake costs 1, so the
        tree has the largest accuracy in training.
    max_depth : int
        The most tests on a path. Each level more takes about as many times as long as there are questions.
    nominal : {"multiway", "value"}
        Tests of nominal features: one branch per category, or one category against all others.
    missing : {"branch", "stay", "error"}
        A case whose tested value is missing goes down a branch of its own, or stays at the node in a branch
        of its own that is a leaf, or is refused. Cases in parts ("fractional") or sent elsewhere would make
        branches depend on each other.
    bins : int or None
        Numeric features in at most so many bins (2 to 256), at quantiles; None: every cut between two values
        is tried.
    budget : float, optional
        The most that a case may pay for tests, on any path. None: no limit.
    leaf_fee : float
        What every leaf costs beside its answers, for all cases together: leaves that save less are not made.
    smoothing : {None, "laplace"} or float
        As in `CostTreeClassifier`; the search counts mistakes by the smoothed shares, so that small leaves
        are as dear as they look.
    rollouts : int, optional
        None: all trees are searched. A number: no tree is proven, but a good one of any depth is found
        quickly, in tables too large for a search: at each node so many questions are tried, each judged by
        what trees cost that are grown greedily below its branches. 32 is enough for most tables; use it
        with a large `max_depth` and with `bins`.
    time_budget : float, optional
        Ends so many seconds after ``fit`` was called. None: when the tree is proven.
    memory_limit : float
        Megabytes for the search, at least 1. What is forgotten for lack of it is searched again.
    nominal_features : list of column names or positions, optional
        Columns of numbers that are names of categories. Text and categorical columns are nominal anyway.
    n_jobs : int, optional
        Threads that predict; None is 1, -1 all processors. The search has one.
    progress : bool or callable
        True: a bar on standard error. A function is called now and then with what the best tree so far costs
        a case, and what every tree costs at least.

    Attributes
    ----------
    tree_ : Tree
        The finished tree; its text says in the last line what was proven.
    classes_, n_classes_, n_features_in_, feature_names_in_
        As in `CostTreeClassifier`.
    cost_ : float
        What the tree costs a training case: tests, mistakes, and fees where there are any.
    lower_bound_ : float
        No tree of this depth costs less.
    gap_ : float
        What `cost_` is above `lower_bound_`, as a share of `cost_`; 0: the tree is the best.
    ended_ : {"proof", "rollouts", "time", "interrupt"}
        What ended the search; "rollouts": there was none.
    proof_ : str
        The same in a sentence.

    Notes
    -----
    Tests that are paid upfront are refused: every case would pay for what any branch asks, so branches could
    not be searched apart. Below a delayed test only tests are asked that cost nothing more then, for the same
    reason: the best of such trees is found.

    Examples
    --------
    Each number by itself says nothing; together they say all. A greedy learner sees no gain in either.

    >>> import thriftwood as tw
    >>> X = [[a, b] for a in (0, 1) for b in (0, 1)] * 3
    >>> y = ["same" if a == b else "different" for a, b in X]
    >>> costs = tw.Costs({"x0": 1, "x1": 2}, errors_default=10)
    >>> model = OptimalTreeClassifier(costs, max_depth=2).fit(X, y)
    >>> model.cost_, model.gap_
    (3.0, 0.0)
    >>> print(model.tree_.text(counts=False))
                           price   bill
    x0?                        1
    ├─ x0 <= 0.5: x1?          2
    │  ├─ x1 <= 0.5: same             3
    │  └─ x1 > 0.5: different         3
    └─ x0 > 0.5: x1?           2
       ├─ x1 <= 0.5: different        3
       └─ x1 > 0.5: same              3
    Costs a training case 3, the least of all trees of depth 2.

    References
    ----------
    van der Linden, de Weerdt & Demirovic 2023, Necessary and sufficient conditions for optimal decision trees
    using dynamic programming, NeurIPS; Brita, van der Linden & Demirovic 2025, Optimal classification trees
    for continuous feature data using dynamic programming with branch-and-bound, AAAI
    """

    __metadata_request__fit: ClassVar[dict[str, bool]] = {"error_costs": True}  # nobody needs to request it
    grows_one_tree = False
    asks_all_categories = True
    rules: ClassVar[dict[str, Rule]] = {
        "max_depth": Whole(1, DEEPEST),
        "nominal": Choice(("multiway", "value")),
        "missing": Choice(("branch", "stay", "error")),
        "bins": Whole(2, MOST_BINS, none=True),
        "budget": Real(0.0, none=True),
        "leaf_fee": Real(0.0, below=True),
        "smoothing": SMOOTHING,
        "rollouts": Whole(1, none=True),
        "time_budget": Real(0.0, above=True, below=True, none=True),
        "memory_limit": Real(1.0, below=True),
    }

    # Trees are searched for: nothing grows and nothing is drawn, so there is nothing of the kind to set.
    growth: Growth | None = None
    pruning: Pruning | None = None
    random_state: Any = None

    cost_: float
    lower_bound_: float
    gap_: float
    ended_: str
    proof_: str

    def __init__(
        self,
        costs: Costs | None = None,
        *,
        max_depth: int = 3,
        nominal: Literal["multiway", "value"] = "multiway",
        missing: Literal["branch", "stay", "error"] = "branch",
        bins: int | None = None,
        budget: float | None = None,
        leaf_fee: float = 0.0,
        smoothing: Smoothing = None,
        rollouts: int | None = None,
        time_budget: float | None = None,
        memory_limit: float = 1000.0,
        nominal_features: Any = None,
        n_jobs: int | None = None,
        progress: bool | SearchProgress = False,
    ) -> None:
        self.costs = costs
        self.max_depth = max_depth
        self.nominal = nominal
        self.missing = missing
        self.bins = bins
        self.budget = budget
        self.leaf_fee = leaf_fee
        self.smoothing = smoothing
        self.rollouts = rollouts
        self.time_budget = time_budget
        self.memory_limit = memory_limit
        self.nominal_features = nominal_features
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(self, X: Any, y: Any, sample_weight: Any = None, error_costs: Any = None) -> Self:
        """Search for the tree.

        Parameters
        ----------
        X : array, frame, sparse matrix or list of rows, of shape (n_rows, n_features)
            The cases. Text and unordered categories are nominal, NaN, None and NA are missing.
        y : array-like of shape (n_rows,)
            Their classes.
        sample_weight : array-like of shape (n_rows,), optional
            How much each case counts; one of weight 0 does not at all.
        error_costs : array-like of shape (n_rows, n_classes) or (n_rows, n_classes, n_classes), optional
            What mistakes cost where that differs by row, as in `CostTreeClassifier`. `costs` must not name
            error costs as well.

        Returns
        -------
        self
            After Ctrl-C: with the best tree so far, and a warning.
        """
        self._check()
        stop = _core.Stop(self.time_budget)  # time runs from here
        prepared = self.prepare(X, y, sample_weight)
        by_row = costs_by_row(prepared, error_costs)
        found = self.search(prepared.problem, stop, by_row)
        if found.ended == "interrupt" and ends_all():
            raise KeyboardInterrupt
        self.set_fitted(prepared, found.tree)
        self._remember(found)
        if found.ended == "interrupt":
            said = "Ctrl-C was pressed; kept is the best tree so far. "
            warnings.warn(advised(UserWarning, said, InPython("See gap_.")), stacklevel=callers_level())
        warn_of_small_budget(self)
        return self

    def prepare(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        encoding: tuple[Encoder, Encoded] | None = None,
        n_rows: int | None = None,
    ) -> Prepared:
        """Check the parameters, encode the table, and state the problem in terms of the core.

        `n_rows`: of the table that the encoder has seen, if `encoding` is a sample of it.
        """
        self._check()
        encoder, encoded = encoding or self.fit_encoder(X)
        self._check_columns(encoder, encoded, n_rows)
        if limit_of(self.budget) is not None and self.part_of is None:
            budget_prices(self, encoder)
        classes, labels = class_labels(y, encoded.n_rows)
        errors = self._error_costs(classes)
        if errors is not None:
            warn_if_unreasonable(errors, classes, self._further_answers(classes))
        problem = Problem(
            encoded=encoded,
            encoder=encoder,
            table=core_table(encoded, encoder),
            settings=_core.Settings(),
            labels=labels,
            n_classes=len(classes),
            weights=training_weights(sample_weight, encoded.n_rows),
            loss=errors,
            smoothing=smoothing_of(self.smoothing),
            costs=self.costs,
        )
        return Prepared(problem, encoder, classes)

    def grow_tree(self, problem: Problem) -> _core.Tree:
        """Search the tree of a problem, one of many; Ctrl-C ends all of them."""
        found = self.search(problem, _core.Stop(self.time_budget), None)
        if found.ended == "interrupt":
            raise KeyboardInterrupt
        return found.tree

    def checked_growth(self) -> Growth:
        """Return what of a `Growth` there is: what becomes of missing values, and the budget."""
        return Growth(missing=self.missing, budget=self.budget)

    def _check(self) -> None:
        if self.missing in ("fractional", "surrogate", "majority"):
            raise ValueError(
                f"{self.owner} has missing={self.missing!r}, but a case without a value that takes other "
                "cases' branches, whole or in parts, makes branches depend on each other, and then no tree "
                "is proven to be the best. Use 'branch' or 'stay', or a CostTreeClassifier."
            )
        check(self, self.rules)
        if isinstance(self.costs, Costs) and self.costs.payment == "upfront":
            raise ValueError(
                f"{self.owner} has costs with payment='upfront': every case pays for what any branch asks, "
                "so branches cannot be searched apart. Use costs.replace(payment='sequential'), or a "
                "CostTreeClassifier."
            )

    def search(self, problem: Problem, stop: _core.Stop, by_row: FloatArray | None) -> Searched:
        """Search the tree of a problem; `by_row`: what each answer costs each case, where that differs."""
        assert problem.labels is not None  # a classifier's
        if by_row is not None and problem.loss is not None and self.costs is not None:
            refuse_both(self.owner, self.costs)
        loss = problem.error_matrix
        if by_row is not None:
            loss = mean_matrix(by_row, problem.labels, problem.weights)
        costs = np.ascontiguousarray(loss[problem.labels]) if by_row is None else by_row
        weight = float(problem.n_rows if problem.weights is None else problem.weights.sum())
        prior = self._prior(problem.labels, problem.weights, loss)
        with telling(self.progress, weight) as tell:
            found = _core.find_optimal(
                problem.table,
                problem.labels,
                problem.n_classes,
                costs,
                problem.weights,
                problem.price_list,
                int(self.max_depth),
                self.nominal,
                "branch" if self.missing == "error" else self.missing,
                0 if self.bins is None else int(self.bins),
                np.inf if self.budget is None else float(self.budget),
                float(self.leaf_fee),
                float(prior.sum()),
                [] if not prior.any() else (prior @ loss / prior.sum()).tolist(),
                int(self.memory_limit * 1e6),
                0 if self.rollouts is None else int(self.rollouts),
                stop,
                tell,
            )
        if by_row is None:
            tree = problem.answered(found.tree)
        else:
            counted = problem.labels, by_row, loss, problem.weights, problem.smoothing
            tree = _core.recount(found.tree, problem.table, *counted)
        return Searched(tree, found.cost / weight, found.lower / weight, found.ended)

    def _prior(self, labels: Labels, weights: FloatArray | None, loss: FloatArray) -> FloatArray:
        """Return the weight that smoothing adds to each class of a leaf."""
        if self.smoothing is None:
            return np.zeros(len(loss))
        if self.smoothing == "laplace":
            return np.ones(len(loss))
        counts: NDArray[np.float64] = np.bincount(labels, weights, minlength=len(loss)).astype(np.float64)
        return np.asarray(float(self.smoothing) * counts / counts.sum())

    def _remember(self, found: Searched) -> None:
        """Set the fitted attributes that describe the search."""
        self.cost_, self.lower_bound_, self.ended_ = found.cost, found.lower_bound, found.ended
        above = found.cost - found.lower_bound
        self.gap_ = 0.0 if above <= 0 else above / abs(found.cost) if found.cost else np.inf
        within = "" if limit_of(self.budget) is None else f" within the budget of {self.budget:g}"
        depth = f"all trees of depth {self.max_depth}{within}"
        if found.ended == "proof":
            self.proof_ = f"Costs a training case {found.cost:.6g}, the least of {depth}."
        else:
            why = _ENDINGS[found.ended]
            self.proof_ = (
                f"Costs a training case {found.cost:.6g}; {depth} cost at least {found.lower_bound:.6g} "
                f"(gap {self.gap_:.2%}, {why})."
            )
        self.tree_.note = self.proof_
