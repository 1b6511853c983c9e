"""`CaseByCase`: what the trees share that learn as cases arrive."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.parameters import Rule, check
from thriftwood.costs import Costs
from thriftwood.learning.answering import LossInGrowth
from thriftwood.learning.class_tree import ClassTree
from thriftwood.learning.criteria import facts_of
from thriftwood.learning.estimator import Prepared
from thriftwood.learning.growth import Growth
from thriftwood.learning.targets import case_weights
from thriftwood.learning.weighing import CostReuse, check_weighing, prices_of, weighed
from thriftwood.models.labels import one_per_case
from thriftwood.models.tree.tree import Tree
from thriftwood.streams.charging import Classes
from thriftwood.table import Encoded, Encoder
from thriftwood.table.reading import read
from thriftwood.table.rows import take_rows

MOST_CASES = 1e8
"""What the weights of a batch add up to, at most: so many row numbers take 0.8 GB."""


def whole_weights(sample_weight: Any, n_rows: int, owner: str) -> NDArray[np.int64]:
    """Return how often each case is learnt; of a batch it may be that none is.

    Examples
    --------
    >>> whole_weights([2.0, 0.0, 1.0], 3, "A tree").tolist()
    [2, 0, 1]
    """
    weights = case_weights(sample_weight, n_rows, none_counts=True)
    assert weights is not None
    total = float(weights.sum())
    if total > MOST_CASES:
        raise ValueError(
            f"{owner} learns case by case: sample_weight says how often. It adds up to {total:g}, and "
            f"more than {MOST_CASES:g} are not learnt at once. Give smaller weights, or several batches."
        )
    times = weights.astype(np.int64)
    if (times != weights).any():
        row = int(np.flatnonzero(times != weights)[0])
        raise ValueError(
            f"{owner} learns case by case: sample_weight says how often, in whole numbers. Got "
            f"{weights[row]:g} in row {row}. tw.StreamingTree takes any weights."
        )
    return times


class CaseByCase(ClassTree):
    """A tree that learns as cases arrive; a case that weighs 3 is learnt three times."""

    grows_one_tree = False
    asks_all_categories = True
    rules: ClassVar[dict[str, Rule]]
    why_not_upfront: ClassVar[str]
    """What speaks against tests that are paid upfront."""

    growth: Growth | None = None
    always_a_tree = False  # it learns case by case
    random_state: Any = None
    loss_in_growth: LossInGrowth = None
    cost_reuse: CostReuse

    _classes: Classes
    _encoder: Encoder
    _native: Any  # the tree of the core; None until the first rows have come
    _finished: Tree | None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget everything, and learn from a table, in the order of its rows."""
        if sample_weight is not None:
            case_weights(sample_weight, read(X).shape[0])  # refuses a table of which no case counts
        self._begin(None)
        return self.partial_fit(X, y, sample_weight=sample_weight)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from the next rows, one or many.

        Parameters
        ----------
        X : array, frame or list of rows
            The next rows, with the same columns as before.
        y : array-like
            Their classes.
        classes : array-like, optional
            Classes that may come, at the first call; all others are known once they have come.
        sample_weight : array-like of whole numbers, optional
            How often each case is learnt, one after the other; 0: not at all, it is only
            checked.

        Returns
        -------
        self
        """
        if not hasattr(self, "_classes"):
            self._begin(classes)
        labels = one_per_case(y, read(X).shape[0])
        if sample_weight is not None:
            rows = np.repeat(np.arange(len(labels)), whole_weights(sample_weight, len(labels), self.owner))
            if not len(rows):
                self._error_costs(self._classes.with_new(labels))
                self._check(X, labels)
                return self
            X, labels = take_rows(X, rows), labels[rows]
        known = self._classes.with_new(labels)
        self._error_costs(known)  # refuses classes that it does not know
        self._take(X, labels, known)
        self._finished = None
        return self

    @property
    def tree_(self) -> Tree:  # type: ignore[override]  # made when it is asked for
        """The tree as it is now."""
        if getattr(self, "_native", None) is None:
            raise AttributeError("tree_")
        if self._finished is None:
            self._finished = Tree(self._core_tree(), self._encoder, self.classes_, self.costs)
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

    def prepare(
        self, X: Any, y: Any, sample_weight: Any, encoding: tuple[Encoder, Encoded] | None = None
    ) -> Prepared:
        """Refuse: nothing is prepared, cases are learnt as they come."""
        raise TypeError(f"{self.owner} learns case by case. Use partial_fit, or fit.")

    def __sklearn_is_fitted__(self) -> bool:
        return getattr(self, "_native", None) is not None

    @abstractmethod
    def _take(self, X: Any, labels: NDArray[Any], known: NDArray[Any]) -> None:
        """Learn from rows; `known` are all classes, those of the rows among them."""

    @abstractmethod
    def _check(self, X: Any, labels: NDArray[Any]) -> None:
        """Refuse rows that could not be learnt; nothing changes."""

    @abstractmethod
    def _core_tree(self) -> _core.Tree:
        """Return the tree that answers now."""

    def _begin(self, classes: Any) -> None:
        """Forget everything, and check the parameters."""
        check(self, self.rules)
        self.checked_criterion()
        check_weighing(self)
        if isinstance(self.costs, Costs) and self.costs.payment == "upfront":
            raise ValueError(
                f"{self.owner} has costs with payment='upfront': {self.why_not_upfront}. Use "
                "costs.replace(payment='sequential')."
            )
        self._classes = Classes([] if classes is None else classes)
        self._native = self._finished = None

    def _know_columns(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.n_features_in_ = encoder.n_features
        if encoder.feature_names is not None:
            self.feature_names_in_ = np.array(encoder.feature_names, dtype=object)

    def _settings(
        self, encoder: Encoder, known: NDArray[Any], n_rows: int
    ) -> tuple[_core.Settings, _core.Prices | None]:
        """Return how the core weighs tests and mistakes, and the prices that it goes by."""
        prices = prices_of(self, encoder)
        facts = facts_of(self.checked_criterion())
        settings = self.core_settings(n_rows)
        if facts.asks_prices or facts.value_object:
            settings = weighed(settings, self, prices)
        own = settings.__copy__()
        errors = self._error_costs(known)
        if errors is not None:
            own.loss = errors
        return own, prices
