"""`IncrementalTreeClassifier`: the batch tree of the cases so far, revised by every case (ID5R, ITI)."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.parameters import Choice, Real, Rule, Whole
from thriftwood.costs import Costs
from thriftwood.learning.criteria import FACTS, Criterion
from thriftwood.learning.growth import Growth
from thriftwood.learning.pruning import MDL
from thriftwood.learning.weighing import CostReuse, prices_of
from thriftwood.models.labels import class_numbers, one_per_case
from thriftwood.streams.case_by_case import CaseByCase
from thriftwood.table import Encoded, Encoder, Kind
from thriftwood.table.native import core_table, refuse_missing

DEEPEST = 2000
"""A revision calls itself for every level."""
_GLOBAL = ("csgain", "csgain-ratio", "lasc")
"""Criteria that look at the share of all cases at a node: every case would change every node."""


HEARD = 256
"""Cases after which Ctrl-C is heard; ID4, which revises with every case, takes some 0.1 s for so many."""


class IncrementalTreeClassifier(CaseByCase):
    """A tree that is revised by every case, and is at any time the tree of the batch learner on these cases.

    Nodes keep counts, leaves keep cases. A case changes the counts on its path, and where another test turns
    out better the subtrees below are regrouped instead of grown again. Cases can be taken back, so that a
    window over a stream is exact.

    Parameters
    ----------
    criterion : str or criterion with parameters
        What a split is worth, as in `CostTreeClassifier`; not those that look ahead or at the share of all
        cases at a node ("csgain", "csgain-ratio", "lasc", "lsid3", "act").
    costs : Costs, optional
        Prices of the tests and costs of the mistakes. Prices count along the path.
    cost_reuse : {"effective", "list"}
        As in `CostTreeClassifier`.
    nominal : {"multiway", "value"}
        One branch per category (ID3, ID5R), or one category against all others (ITI).
    missing : {"stay", "error"}
        A case whose tested value is missing stays at the node, in a branch of its own that is a leaf, or is
        refused.
    gain_floor : float
        A split must gain more than this.
    max_depth : int or None
        The longest path, in tests; None: 2,000.
    learn : {"all", "errors"}
        Whether every case is kept, or only those that the tree answers wrongly; these are learnt again and
        again until it answers all of the batch rightly that it does not keep.
    when : {"greedy", "lazy"}
        When the tree is revised: with every `partial_fit`, or when it is asked. It is the same tree.
    subtrees : {"regroup", "discard"}
        What becomes of the subtrees below a test that changes. "discard": they begin anew with the case at
        hand, as in ID4. Then the tree need not be that of the batch learner, depends on the order of arrival
        and may discard again and again; cases cannot be forgotten, and `when` makes no difference.
    pruning : MDL or None
        Virtual pruning: the tree that answers is cut back, what is revised stays whole.
    nominal_features : list of column names or positions, optional
        Columns of numbers that are names of categories.
    n_jobs : int, optional
        Threads that predict; None is 1, -1 all processors. Learning has one.

    Attributes
    ----------
    tree_ : Tree
        The tree of the cases so far.
    classes_ : array
        All classes so far, sorted.
    n_cases_ : int
        How many cases it holds.

    Notes
    -----
    Memory grows with the cases, by about 8 bytes for each of their values at every level of the tree.
    A class or a category that is new rebuilds the tree. A missing column, text in a column of numbers, or
    labels of another type are errors, after which the tree is as before. Weights are whole
    numbers: how often a case is learnt.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = tw.algorithm("id5r").partial_fit(golf.X[:10], golf.y[:10])
    >>> model = model.partial_fit(golf.X[10:], golf.y[10:])
    >>> str(model.tree_) == str(tw.algorithm("id3").fit(golf.X, golf.y).tree_)
    True
    >>> model.forget(golf.X[10:], golf.y[10:]).n_cases_
    10

    References
    ----------
    Schlimmer & Fisher 1986, A case study of incremental concept induction, AAAI (ID4);
    Utgoff 1989, Incremental induction of decision trees, Machine Learning 4; Utgoff, Berkman & Clouse 1997,
    Decision tree induction based on efficient tree restructuring, Machine Learning 29
    """

    why_not_upfront = "a test anywhere would change the prices of all nodes"
    criteria: ClassVar[Choice] = Choice(
        tuple(
            name
            for name, facts in FACTS.items()
            if not facts.predicts_numbers and not facts.samples and name not in _GLOBAL
        )
    )
    rules: ClassVar[dict[str, Rule]] = {
        "nominal": Choice(("multiway", "value")),
        "missing": Choice(("stay", "error")),
        "gain_floor": Real(),
        "max_depth": Whole(1, DEEPEST, none=True),
        "learn": Choice(("all", "errors")),
        "when": Choice(("greedy", "lazy")),
        "subtrees": Choice(("regroup", "discard")),
    }

    _native: _core.RevisedTree | None

    def __init__(
        self,
        criterion: str | Criterion = "entropy",
        *,
        costs: Costs | None = None,
        cost_reuse: CostReuse = "effective",
        nominal: Literal["multiway", "value"] = "multiway",
        missing: Literal["stay", "error"] = "stay",
        gain_floor: float = 1e-12,
        max_depth: int | None = None,
        learn: Literal["all", "errors"] = "all",
        when: Literal["greedy", "lazy"] = "greedy",
        subtrees: Literal["regroup", "discard"] = "regroup",
        pruning: MDL | None = None,
        nominal_features: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.costs = costs
        self.cost_reuse = cost_reuse
        self.nominal = nominal
        self.missing = missing
        self.gain_floor = gain_floor
        self.max_depth = max_depth
        self.learn = learn
        self.when = when
        self.subtrees = subtrees
        self.pruning = pruning
        self.nominal_features = nominal_features
        self.n_jobs = n_jobs

    def forget(self, X: Any, y: Any) -> Self:
        """Take cases back: the tree is then that of the others.

        Raises
        ------
        ValueError
            If there is no such case, those before it in the table being forgotten then; or where subtrees are
            discarded, and cases with them.
        """
        if self.subtrees == "discard":
            raise ValueError(
                f"{self.owner} has subtrees='discard', so what a case has changed is not known any more. Use "
                "subtrees='regroup' (tw.algorithm('id5r')), which forgets cases."
            )
        encoded = self.fitted_tree.encoder.encode(X)
        labels = one_per_case(y, encoded.n_rows)
        assert self._native is not None
        lacking = self._native.forget(_rows(encoded), class_numbers(labels, self.classes_, len(labels)))
        self._revised()
        if lacking >= 0:
            raise ValueError(
                f"Row {lacking} is no case that the tree has learnt, with this class, or it was forgotten "
                "already."
            )
        return self

    @property
    def n_cases_(self) -> int:
        """How many cases it holds."""
        return 0 if self._native is None else int(self._native.n_cases)

    def checked_growth(self) -> Growth:
        """Return what of a `Growth` there is: that of the batch learner that grows the same trees."""
        return Growth(
            nominal=self.nominal,
            missing=self.missing,
            gain_floor=self.gain_floor,
            max_depth=self.max_depth or DEEPEST,
            min_branch_weight=1e-9,
            two_branches=True,
            min_split_weight=0.0,
            many_categories=None,
            bins=None,
        )

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        native = state.pop("_native", None)
        state.pop("_finished", None)
        return state | {"_held": None if native is None else native.cases()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        held = state.pop("_held", None)
        super().__setstate__(state)
        if "_classes" not in self.__dict__:
            return  # nothing was begun
        self._native = self._finished = None
        if held is not None:
            self._native = self._new(self._encoder, self._classes.known)
        if held is not None and len(held[1]):
            assert self._native is not None
            self._native.add(np.ascontiguousarray(held[0]), np.ascontiguousarray(held[1]))

    def _begin(self, classes: Any) -> None:
        super()._begin(classes)
        if self.pruning is not None and not isinstance(self.pruning, MDL):
            raise TypeError(
                f"The 'pruning' parameter of {self.owner} must be MDL() or None. Got {self.pruning!r}."
            )
        self._refuses_missing = self.missing == "error"

    def _take(self, X: Any, labels: NDArray[Any], known: NDArray[Any]) -> None:
        encoder, encoded = self._encoded(X)
        self._know(encoder, known)
        assert self._native is not None
        rows, numbers = _rows(encoded), class_numbers(labels, known, len(labels))
        if self.learn == "all":
            for first in range(0, len(numbers), HEARD):
                self._native.add(rows[first : first + HEARD], numbers[first : first + HEARD])
        else:
            self._native.add_errors(rows, numbers)
        self._revised()

    def _check(self, X: Any, labels: NDArray[Any]) -> None:
        self._encoded(X)

    def _core_tree(self) -> _core.Tree:
        native = self._native
        assert native is not None  # there are rows
        core = native.tree()
        return self._cut_back(core, native) if self.pruning is not None and native.n_cases else core

    def _encoded(self, X: Any) -> tuple[Encoder, Encoded]:
        """Encode a batch that can be learnt; the encoder is another one if there are new categories."""
        encoder, encoded = self._encoded_anew(X)
        if self.missing == "error":
            refuse_missing(encoded, encoder)
        return encoder, encoded

    def _encoded_anew(self, X: Any) -> tuple[Encoder, Encoded]:
        if self._native is None:
            encoder = Encoder(self.owner)
            encoded = encoder.fit_encode(X, self.nominal_features)
            self._check_columns(encoder, encoded)
            prices_of(self, encoder)
            return encoder, encoded
        encoded = self._encoder.encode(X)
        if not encoded.unseen:
            return self._encoder, encoded
        batch = Encoder(self.owner)
        batch.fit(X, [unseen.column.index for unseen in encoded.unseen])
        encoder = self._encoder.with_categories_of(batch)
        return encoder, encoder.encode(X)

    def _know(self, encoder: Encoder, known: NDArray[Any]) -> None:
        """Begin, or begin again with the same cases where a class or a category is new."""
        if self._native is None:
            self._native = self._new(encoder, known)
        elif encoder is not self._encoder or len(known) > len(self._classes.known):
            values, labels = self._native.cases()
            for column in self._encoder.coded_columns:
                if column.kind is Kind.NOMINAL and len(labels):
                    place = encoder.columns[column.index].codes_for(column.categories).astype(float)
                    own = values[:, column.index]
                    own[~np.isnan(own)] = place[own[~np.isnan(own)].astype(int)]
            self._native = self._new(encoder, known)
            moved = np.searchsorted(known, self._classes.known).astype(np.int32)
            if len(labels):
                self._native.add(values, np.ascontiguousarray(moved[labels]))
        self._know_columns(encoder)
        self._classes.known = known

    def _new(self, encoder: Encoder, known: NDArray[Any]) -> _core.RevisedTree:
        settings, prices = self._settings(encoder, known, 1)
        kinds = [len(c.categories) if c.kind is Kind.NOMINAL else 0 for c in encoder.columns]
        return _core.RevisedTree(kinds, len(known), settings, prices, self.subtrees == "discard")

    def _revised(self) -> None:
        assert self._native is not None
        if self.when == "greedy":
            self._native.settle()
        self._finished = None

    def _cut_back(self, core: _core.Tree, native: _core.RevisedTree) -> _core.Tree:
        assert isinstance(self.pruning, MDL)
        self.pruning.check()
        values, labels = native.cases()
        columns = [
            np.nan_to_num(values[:, j], nan=-1.0).astype(np.int32)
            if c.kind is Kind.NOMINAL
            else values[:, j].copy()
            for j, c in enumerate(self._encoder.columns)
        ]
        table = core_table(Encoded(len(labels), len(columns), True, columns=columns), self._encoder)
        cut = _core.cut_back(core, self.pruning.cut(self.core_settings(1)), table, labels)
        return _core.relabel(cut, self._error_costs(self.classes_), None, None)


def _rows(encoded: Encoded) -> NDArray[np.float64]:
    """Return an encoded table as the core takes cases: by row, codes as numbers, NaN where missing."""
    if encoded.dense is not None:
        return np.ascontiguousarray(encoded.dense, dtype=np.float64)
    if encoded.columns is None:
        raise TypeError("A sparse table is not learnt case by case. Pass X.toarray().")
    rows = np.empty((encoded.n_rows, encoded.n_features))
    for j, values in enumerate(encoded.columns):
        rows[:, j] = values
        if values.dtype == np.int32:
            rows[values < 0, j] = np.nan
    return rows
