"""`HoeffdingTreeClassifier`: a tree that learns a stream in one pass, in bounded memory, with prices."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.parameters import Choice, Flag, Real, Rule, Whole
from thriftwood.costs import Costs
from thriftwood.learning.criteria import FACTS, Criterion
from thriftwood.learning.growth import MOST_BINS, Growth
from thriftwood.learning.pruning import Pruning
from thriftwood.learning.weighing import CostReuse, compiled_prices
from thriftwood.models.bayes_answers import BayesAnswersModel, LeafBayes
from thriftwood.models.labels import class_numbers
from thriftwood.streams.case_by_case import CaseByCase
from thriftwood.streams.keeping import KeptRows
from thriftwood.table import Encoded, Encoder, Kind
from thriftwood.table.native import core_table

Leaves = Literal["counts", "bayes", "adaptive"]
LEAVES = {
    "counts": _core.LeafAnswer.Counts,
    "bayes": _core.LeafAnswer.Bayes,
    "adaptive": _core.LeafAnswer.Adaptive,
}
"""What answers at a leaf."""
LEAST_BRANCH = 5.0
"""Cases on each side of a test, at least."""


class HoeffdingTreeClassifier(CaseByCase):
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
        category of each feature, with naive Bayes 24 bytes more for each class and number.
    max_depth : int or None
        The longest path, in tests.
    nominal : {"multiway", "binary", "value"}
        Tests of nominal features, as in `Growth`.
    revise : bool
        Whether tests are made as soon as they beat none, and made again when another turns out better (EFDT).
    leaves : {"counts", "bayes", "adaptive"}
        What answers at a leaf: the counts of its classes; naive Bayes over the tests on its path and those
        that are free then, with densities of the leaf's own cases; or whichever of the two has cost less
        there so far (the adaptive leaves of Gama, Rocha & Medas). Without prices all tests are free.
    drift : float or None
        Whether nodes watch what the answers below them cost, by ADWIN at this confidence: where it rises, a
        new subtree is begun beside the old one and takes its place once it costs less (as in HAT), and a leaf
        forgets what it counted. None: nobody watches.
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
    labels of another type are errors, after which the tree is as before. Weights are whole
    numbers: how often a case is learnt. With naive Bayes `tree_` still has the counts, and `model_` is what
    answers and is saved.

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
    fast decision tree, KDD; Bifet & Gavalda 2009, Adaptive learning from evolving data streams, IDA;
    Gama, Rocha & Medas 2003, Accurate decision trees for mining high-speed data streams, KDD
    """

    why_not_upfront = "a test would be paid by cases that are gone already"
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
        "leaves": Choice(tuple(LEAVES)),
        "drift": Real(0.0, 1.0, above=True, below=True, none=True),
    }

    pruning: Pruning | None = None

    n_rows_: int
    _native: _core.HoeffdingTree | None
    _answering: BayesAnswersModel | None

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
        leaves: Leaves = "counts",
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
        self.leaves = leaves
        self.drift = drift
        self.nominal_features = nominal_features
        self.n_jobs = n_jobs

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the answer for each case."""
        return super().predict(X) if self.leaves == "counts" else self.model_.predict(X)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the share of each class, in the order of ``classes_``, by what answers where a case ends."""
        return super().predict_proba(X) if self.leaves == "counts" else self.model_.predict_proba(X)

    @property
    def model_(self) -> Any:
        """What answers now: `tree_`, or the tree with naive Bayes in its leaves."""
        tree = super().model_
        if self.leaves == "counts":
            return tree
        if self._answering is None or self._answering.inside is not self.tree_:
            assert self._native is not None  # there is a tree
            errors = self._error_costs(self.classes_)
            further = () if errors is None else self._further_answers(self.classes_)
            bayes = LeafBayes(*self._native.leaf_densities())
            self._answering = BayesAnswersModel(self.tree_, bayes, self.costs, errors, further=further)
        setup = tree.setup
        return self._answering.asked_with(
            n_threads=setup.n_threads, refuses_missing=setup.refuses_missing, owner=setup.owner
        )

    def consult(self, known: Any = None, **options: Any) -> Any:
        """Start a consultation, with what answers now; see `Model.consult`."""
        return self.model_.consult(known, **options)

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

    def _begin(self, classes: Any) -> None:
        super()._begin(classes)
        self._rows: KeptRows | None = KeptRows()
        self._answering = None
        self._refuses_missing = False
        self.n_rows_ = 0

    def _take(self, X: Any, labels: NDArray[Any], known: NDArray[Any]) -> None:
        if self._rows is not None:
            self._begin_with(X, labels, known)
        else:
            encoded = self._encoder.encode(X)
            self._widen(known)
            self._learn(encoded, labels)
        self.n_rows_ += len(labels)

    def _check(self, X: Any, labels: NDArray[Any]) -> None:
        if self._rows is not None:
            self._sampled(self._rows, X, labels)
        else:
            self._encoder.encode(X)

    def _core_tree(self) -> _core.Tree:
        assert self._native is not None  # there are rows
        return self._native.tree()

    def _begin_with(self, X: Any, labels: NDArray[Any], known: NDArray[Any]) -> None:
        """Learn from the first rows, all of them again until there are as many as `sample`."""
        assert self._rows is not None
        rows, encoder, encoded = self._sampled(self._rows, X, labels)
        native = self._new(encoder, encoded, known)
        # Nothing has changed so far: from here on nothing can be wrong with the batch.
        self._know_columns(encoder)
        self._native, self._classes.known = native, known
        self._learn(encoded, rows.table()[1])
        self._rows = None if rows.n_rows >= self.sample else rows

    def _sampled(self, so_far: KeptRows, X: Any, labels: NDArray[Any]) -> tuple[KeptRows, Encoder, Encoded]:
        """Return the first rows so far with further ones, and how they are encoded."""
        rows = so_far.copy()
        rows.append(X, labels)
        encoder = Encoder(self.owner)
        encoded = encoder.fit_encode(rows.table()[0], self.nominal_features)
        self._check_columns(encoder, encoded)
        return rows, encoder, encoded

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        native = state.pop("_native", None)
        state.pop("_finished", None)
        state.pop("_answering", None)
        if native is not None:
            state["_rows"] = None  # a copy has the bins and categories of the rows so far
        return state | {"_learnt": None if native is None else native.state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        learnt = state.pop("_learnt", None)
        super().__setstate__(state)
        if "_classes" not in self.__dict__:
            return  # nothing was begun
        self._native = self._finished = self._answering = None
        if learnt is not None:
            nothing = _empty(self._encoder)
            self._native = self._new(self._encoder, nothing, self._classes.known)
            self._native.restore(np.ascontiguousarray(learnt, dtype=np.float64))

    def _new(self, encoder: Encoder, encoded: Encoded, known: NDArray[Any]) -> _core.HoeffdingTree:
        settings, prices = self._settings(encoder, known, encoded.n_rows)
        if self.leaves != "counts" and self.costs is not None:  # what is free is known by naive Bayes alone
            prices = compiled_prices(self.costs, encoder)
        how = _core.HoeffdingSettings()
        how.delta, how.tau, how.grace, how.bins = self.delta, self.tau, int(self.grace), int(self.bins)
        how.max_leaves, how.max_depth = int(self.max_leaves), int(self.max_depth or 0)
        how.revise, how.drift = bool(self.revise), self.drift or 0.0
        how.leaves = LEAVES[self.leaves]
        return _core.HoeffdingTree(core_table(encoded, encoder), len(known), settings, prices, how)

    def _widen(self, known: NDArray[Any]) -> None:
        if len(known) > len(self._classes.known):
            errors = self._error_costs(known)
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
