"""`HoeffdingTreeClassifier`: a tree that learns a stream in one pass, in bounded memory, with prices."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.parameters import Choice, Flag, Real, Rule, Whole, check
from thriftwood.costs import Costs
from thriftwood.learning.answering import LossInGrowth
from thriftwood.learning.class_tree import ClassTree
from thriftwood.learning.criteria import FACTS, Criterion, facts_of
from thriftwood.learning.estimator import Prepared
from thriftwood.learning.growth import MOST_BINS, Growth
from thriftwood.learning.pruning import Pruning
from thriftwood.learning.weighing import CostReuse, check_weighing, prices_of, weighed
from thriftwood.models.labels import class_numbers, one_per_case
from thriftwood.models.tree.tree import Tree
from thriftwood.streams.charging import Classes
from thriftwood.streams.keeping import KeptRows
from thriftwood.table import Encoded, Encoder, Kind
from thriftwood.table.native import core_table
from thriftwood.table.reading import read

LEAST_BRANCH = 5.0
"""Cases on each side of a test, at least."""


class HoeffdingTreeClassifier(ClassTree):
    """A tree that looks at each case once and keeps counts, not cases: VFDT and EFDT with prices.

    A leaf makes a test when it is sure, by Hoeffding's bound, that no other would turn out better. It bounds
    the gain of a test and decides by the criterion's merit, so that prices, error costs and every criterion
    count as in any tree here. `tree_` is an ordinary `Tree` at any time.

    Parameters
    ----------
    criterion : str or criterion with parameters
        What a split is worth, as in `CostTreeClassifier`; not those that look ahead ("lasc", "lsid3", "act").
    costs : Costs, optional
        Prices of the tests and costs of the mistakes. Prices count along the path: a test tested above is
        free.
    cost_reuse : {"effective", "list"}
        As in `CostTreeClassifier`.
    delta : float
        The chance that a test that is made is not the best.
    tau : float
        Tests whose gains differ by less than this share of the largest possible gain are as good as equal:
        then the first of them is made.
    grace : int
        Cases between two looks at a leaf.
    bins : int
        Numbers are counted in so many bins, at quantiles of the first rows.
    sample : int
        How many first rows decide bins and categories; they are learnt like all others. Categories that come
        later count as missing. In a copy that is stored earlier than that, the rows so far decide.
    max_leaves : int
        No more leaves are made, which bounds memory: each takes 4 bytes for each class and each bin or
        category of each feature.
    max_depth : int or None
        The longest path, in tests.
    nominal : {"multiway", "binary", "value"}
        Tests of nominal features, as in `Growth`.
    revise : bool
        Whether tests are made as soon as they beat none, and made again when another turns out better (EFDT).
    drift : float or None
        Whether nodes watch what the answers below them cost, by ADWIN at this confidence: where it rises, a
        new subtree is begun beside the old one and takes its place once it costs less (as in HAT). None:
        nobody watches.
    nominal_features : list of column names or positions, optional
        Columns of numbers that are names of categories.
    n_jobs : int, optional
        Threads that predict; None is 1, -1 all processors. Learning has one.

    Attributes
    ----------
    tree_ : Tree
        The tree as it is now.
    classes_ : array
        All classes that were announced or have come so far, sorted.
    n_rows_ : int
        How many rows have come.

    Notes
    -----
    A missing value goes down the heaviest branch. In mid-stream: a new class is learnt like any other, from
    its first case on; a new category counts as missing; a missing column, text in a column of numbers and
    labels of another type are errors, after which the tree is as before.

    Examples
    --------
    >>> import thriftwood as tw
    >>> model = HoeffdingTreeClassifier()
    >>> history = tw.evaluate_stream(model, tw.make_stream("agrawal", function=1, noise=0.0), 30_000)
    >>> model.tree_.features_used  # the age
    ('x2',)
    >>> history.accuracy > 0.97
    True

    References
    ----------
    Domingos & Hulten 2000, Mining high-speed data streams, KDD; Manapragada, Webb & Salehi 2018, Extremely
    fast decision tree, KDD; Bifet & Gavalda 2009, Adaptive learning from evolving data streams, IDA
    """

    grows_one_tree = False
    asks_all_categories = True
    criteria: ClassVar[Choice] = Choice(
        tuple(
            name
            for name, facts in FACTS.items()
            if not facts.predicts_numbers and not facts.samples and name != "lasc"
        )
    )
    rules: ClassVar[dict[str, Rule]] = {
        "delta": Real(0.0, 1.0, above=True, below=True),
        "tau": Real(0.0, 1.0),
        "grace": Whole(1),
        "bins": Whole(2, MOST_BINS - 1),
        "sample": Whole(2),
        "max_leaves": Whole(2),
        "max_depth": Whole(1, none=True),
        "nominal": Choice(("multiway", "binary", "value")),
        "revise": Flag(),
        "drift": Real(0.0, 1.0, above=True, below=True, none=True),
    }

    growth: Growth | None = None
    pruning: Pruning | None = None
    always_a_tree = False  # it learns case by case
    random_state: Any = None
    loss_in_growth: LossInGrowth = None

    n_rows_: int
    _native: _core.HoeffdingTree | None
    _finished: Tree | None

    def __init__(
        self,
        criterion: str | Criterion = "entropy",
        *,
        costs: Costs | None = None,
        cost_reuse: CostReuse = "effective",
        delta: float = 1e-7,
        tau: float = 0.05,
        grace: int = 200,
        bins: int = 64,
        sample: int = 1000,
        max_leaves: int = 1000,
        max_depth: int | None = None,
        nominal: Literal["multiway", "binary", "value"] = "multiway",
        revise: bool = False,
        drift: float | None = None,
        nominal_features: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.costs = costs
        self.cost_reuse = cost_reuse
        self.delta = delta
        self.tau = tau
        self.grace = grace
        self.bins = bins
        self.sample = sample
        self.max_leaves = max_leaves
        self.max_depth = max_depth
        self.nominal = nominal
        self.revise = revise
        self.drift = drift
        self.nominal_features = nominal_features
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:  # type: ignore[override]  # cases count once
        """Forget everything, and learn from a table, once, in the order of its rows."""
        self._begin(None)
        return self.partial_fit(X, y)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn from the next rows of the stream.

        Parameters
        ----------
        X : array, frame, sparse matrix or list of rows
            The next rows, one or many, with the same columns as before.
        y : array-like
            Their classes.
        classes : array-like, optional
            Classes that may come, at the first call; all others are known once they have come.

        Returns
        -------
        self
        """
        if not hasattr(self, "_classes"):
            self._begin(classes)
        labels = one_per_case(y, read(X).shape[0])
        known = self._classes.with_new(labels)
        errors = self._error_costs(known)  # refuses classes that it does not know
        if self._rows is not None:
            self._begin_with(X, labels, known)
        else:
            encoded = self._encoder.encode(X)
            self._widen(known, errors)
            self._learn(encoded, labels)
        self.n_rows_ += len(labels)
        self._finished = None
        return self

    @property
    def tree_(self) -> Tree:  # type: ignore[override]  # made when it is asked for
        """The tree as it is now."""
        native: _core.HoeffdingTree | None = getattr(self, "_native", None)
        if native is None:
            raise AttributeError("tree_")
        if self._finished is None:
            self._finished = Tree(native.tree(), self._encoder, self.classes_, self.costs)
        return self._finished

    @property
    def classes_(self) -> NDArray[Any]:  # type: ignore[override]
        """All classes so far, sorted."""
        if not hasattr(self, "_classes"):
            raise AttributeError("classes_")
        return self._classes.known

    @property
    def n_classes_(self) -> int:  # type: ignore[override]
        """Their number."""
        return len(self.classes_)

    @property
    def nbytes_(self) -> int:
        """What its counts take in memory."""
        return 0 if self._native is None else int(self._native.bytes)

    def checked_growth(self) -> Growth:
        """Return what of a `Growth` there is."""
        return Growth(
            nominal=self.nominal,
            missing="majority",
            min_branch_weight=LEAST_BRANCH,
            two_branches=True,
            many_categories=None,
            bins=None,
        )

    def prepare(
        self, X: Any, y: Any, sample_weight: Any, encoding: tuple[Encoder, Encoded] | None = None
    ) -> Prepared:
        """Refuse: nothing is prepared, cases are learnt as they come."""
        raise TypeError(f"{self.owner} learns case by case. Use partial_fit, or fit.")

    def __sklearn_is_fitted__(self) -> bool:
        return getattr(self, "_native", None) is not None

    def _begin(self, classes: Any) -> None:
        check(self, self.rules)
        self.checked_criterion()
        check_weighing(self)
        if isinstance(self.costs, Costs) and self.costs.payment == "upfront":
            raise ValueError(
                f"{self.owner} has costs with payment='upfront': a test would be paid by cases that are gone "
                "already. Use costs.replace(payment='sequential')."
            )
        self._rows: KeptRows | None = KeptRows()
        self._classes = Classes([] if classes is None else classes)
        self._native = None
        self._finished = None
        self._refuses_missing = False
        self.n_rows_ = 0

    def _begin_with(self, X: Any, labels: NDArray[Any], known: NDArray[Any]) -> None:
        """Learn from the first rows, all of them again until there are as many as `sample`."""
        assert self._rows is not None
        rows = KeptRows()
        for part in self._rows.pieces:
            rows.append(*part)
        rows.append(X, labels)
        table, all_labels = rows.table()
        encoder = Encoder(self.owner)
        encoded = encoder.fit_encode(table, self.nominal_features)
        self._check_columns(encoder, encoded)
        native = self._new(encoder, encoded, known)
        # Nothing has changed so far: from here on nothing can be wrong with the batch.
        self._encoder, self._native, self._classes.known = encoder, native, known
        self.n_features_in_ = encoder.n_features
        if encoder.feature_names is not None:
            self.feature_names_in_ = np.array(encoder.feature_names, dtype=object)
        self._learn(encoded, all_labels)
        self._rows = None if rows.n_rows >= self.sample else rows

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        native = state.pop("_native", None)
        state.pop("_finished", None)
        if native is not None:
            state["_rows"] = None  # a copy has the bins and categories of the rows so far
        return state | {"_learnt": None if native is None else native.state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        learnt = state.pop("_learnt", None)
        super().__setstate__(state)
        if "_classes" not in self.__dict__:
            return  # nothing was begun
        self._native = self._finished = None
        if learnt is not None:
            nothing = _empty(self._encoder)
            self._native = self._new(self._encoder, nothing, self._classes.known)
            self._native.restore(np.ascontiguousarray(learnt, dtype=np.float64))

    def _new(self, encoder: Encoder, encoded: Encoded, known: NDArray[Any]) -> _core.HoeffdingTree:
        prices = prices_of(self, encoder)
        facts = facts_of(self.checked_criterion())
        settings = self.core_settings(encoded.n_rows)
        if facts.asks_prices or facts.value_object:
            settings = weighed(settings, self, prices)
        own = settings.__copy__()
        errors = self._error_costs(known)
        if errors is not None:
            own.loss = errors
        how = _core.HoeffdingSettings()
        how.delta, how.tau, how.grace, how.bins = self.delta, self.tau, int(self.grace), int(self.bins)
        how.max_leaves, how.max_depth = int(self.max_leaves), int(self.max_depth or 0)
        how.revise, how.drift = bool(self.revise), self.drift or 0.0
        return _core.HoeffdingTree(core_table(encoded, encoder), len(known), own, prices, how)

    def _widen(self, known: NDArray[Any], errors: NDArray[np.float64] | None) -> None:
        if len(known) > len(self._classes.known):
            assert self._native is not None
            place = np.searchsorted(known, self._classes.known).tolist()
            self._native.widen(len(known), place, [] if errors is None else errors.ravel().tolist())
            self._classes.known = known

    def _learn(self, encoded: Encoded, labels: NDArray[Any]) -> None:
        assert self._native is not None
        numbers = class_numbers(labels, self.classes_, len(labels))
        self._native.learn(core_table(encoded, self._encoder), numbers)


def _empty(encoder: Encoder) -> Encoded:
    """Return a table of one row without values, of the columns that an encoder knows."""
    kinds = (column.kind is Kind.NOMINAL for column in encoder.columns)
    columns = [np.full(1, -1, dtype=np.int32) if nominal else np.full(1, np.nan) for nominal in kinds]
    return Encoded(1, encoder.n_features, True, columns=columns)
