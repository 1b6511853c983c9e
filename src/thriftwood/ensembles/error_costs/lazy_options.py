"""`LazyOptionTreesClassifier`: for every case trees of its own, that follow several tests at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from thriftwood import _core
from thriftwood.base.parameters import Real, Rule, Whole
from thriftwood.costs import Costs
from thriftwood.costs.answers import cheapest
from thriftwood.ensembles.base import CostEnsemble
from thriftwood.ensembles.drawing import SampleSize, bootstraps, sample_size
from thriftwood.learning.targets import Labels, class_labels
from thriftwood.models.asked import AskedModel, Came
from thriftwood.models.ledger import FloatArray, Mask
from thriftwood.models.model import Model
from thriftwood.table import Encoded, Encoder, SparseColumns
from thriftwood.table.native import core_table

Answered: TypeAlias = tuple[FloatArray, NDArray[np.uint8]]


class LazyTable:
    """Cases that are asked once, for the shares of their classes and for the tests followed."""

    def __init__(self, X: Any, answer: Callable[[], Answered]) -> None:
        self.X, self._answer = X, answer

    @cached_property
    def answered(self) -> Answered:
        """The shares of the classes, and which tests were followed."""
        return self._answer()


class LazyModel(AskedModel):
    """Bags of training cases: trees are grown along the values of each case that comes."""

    kind: ClassVar[str] = "ensemble"
    decides_by_name = False
    classes: NDArray[Any]

    def __init__(self, learner: LazyOptionTreesClassifier, encoder: Encoder, loss: FloatArray) -> None:
        self.learner, self.encoder, self.loss = learner, encoder, loss
        self.classes, self.costs = learner.classes_, learner.costs

    @property
    def tests(self) -> NDArray[np.int32]:
        """All features: any may be followed for some case."""
        return np.arange(self.n_features, dtype=np.int32)

    def table(self, X: Any) -> LazyTable:
        """Read a table; its cases are answered once, by so many threads as `setup` says."""
        cases = super().table(X)
        return LazyTable(X, lambda: self.learner.answered(cases, self.setup.n_threads))

    def shares_of(self, table: LazyTable, n_threads: int | None = None) -> FloatArray:
        """Give the mean of what the bags' trees say, for every row."""
        return table.answered[0]

    def answers_of(self, table: LazyTable, n_threads: int | None = None) -> NDArray[np.int32]:
        """Give the number of the class with the least expected cost, for every row."""
        return cheapest(self.shares_of(table), self.loss)

    def came(self, table: LazyTable) -> Came:
        """Return a table that was read as it came."""
        return Came(self.setup.prepared(table.X), self.encoder.feature_names)

    def columns_read(self, table: LazyTable, delayed: Mask) -> Mask:
        """Tell which tests are followed for each case."""
        return table.answered[1].astype(bool)


class LazyOptionTreesClassifier(CostEnsemble):
    """Bagged lazy option trees: nothing is grown before a case comes, and then only along its own values.

    At each node several tests are followed, the best and others that gain nearly as much; the shares of the
    node are the mean of those that they lead to. The answer is the one of least expected cost by the mean
    over bags.

    Parameters
    ----------
    costs : Costs, optional
        What mistakes cost; None: 1 for every mistake. Prices of tests do not guide it.
    n_estimators : int
        The number of bags.
    max_samples : int, float or None
        The size of each bag: a number of cases, a share of them, or None for as many as there are.
    options : int
        The most tests that are followed from a node, b.
    min_share : float
        What each of them gains at least, as a share of what the best one gains, g.
    max_depth : int
        The most tests on the way to a node; the training cases that agree after several ways are one node,
        and the shortest way counts.
    min_weight : float
        The least number of training cases that agree with the case after a test, m; a node of less than twice
        as many is a leaf.
    max_nodes : int
        The most nodes for a case and a bag; once there are so many, the others stay leaves. Options that lead
        to the same training cases share a node.
    max_cuts : int
        The most cuts that are tried for a number, at quantiles of the training table; up to 254.
    nominal_features : list of column names or positions, optional
        Columns of numbers that are names of categories. Text and categorical columns are nominal anyway.
    random_state : int, RandomState or None
        Draws the bags.
    n_jobs : int, optional
        Threads; None is 1, -1 all processors. The answers are the same for any number.

    Attributes
    ----------
    bags_ : array of shape (n_estimators, n_rows)
        How often each bag holds each training case.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    A test gains what it takes from the entropy at its node to the entropy among the training cases on the
    case's own side, the classes at the node weighted to equal mass. A test whose value is missing is not
    made. A leaf gives class c the share (W_c + 1) / (W + k). Fitting is quick and answers are slow: the time
    grows with the number of bags, nodes and training cases. References: Margineantu & Dietterich 2002,
    Improved class probability estimates from decision tree models; lazy trees: Friedman, Kohavi & Yun 1996,
    AAAI.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> costs = Costs(errors=[[0, 1, 1], [1, 0, 1], [1, 9, 0]])
    >>> model = LazyOptionTreesClassifier(costs=costs, random_state=0).fit(X[::2], y[::2])
    >>> int(((y == 2) & (model.predict(X) == 1)).sum())
    0
    """

    learns: ClassVar[type[Model]] = LazyModel
    rules: ClassVar[Mapping[str, Rule]] = {
        "n_estimators": Whole(1),
        "max_samples": SampleSize(),
        "options": Whole(1, 1000),
        "min_share": Real(0, 1),
        "max_depth": Whole(0, 10**6),
        "min_weight": Real(0),
        "max_nodes": Whole(1, 10**6),
        "max_cuts": Whole(1, 254),
    }

    bags_: NDArray[np.uint32]
    _encoder: Encoder
    _encoded: Encoded
    _labels: Labels
    _loss_matrix: FloatArray

    def __init__(
        self,
        *,
        costs: Costs | None = None,
        n_estimators: int = 30,
        max_samples: float | None = None,
        options: int = 3,
        min_share: float = 0.2,
        max_depth: int = 10,
        min_weight: float = 2.0,
        max_nodes: int = 64,
        max_cuts: int = 32,
        nominal_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.costs = costs
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.options = options
        self.min_share = min_share
        self.max_depth = max_depth
        self.min_weight = min_weight
        self.max_nodes = max_nodes
        self.max_cuts = max_cuts
        self.nominal_features = nominal_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        """Draw the bags and keep the training table.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            The cases; as for CostTreeClassifier.
        y : array-like of shape (n_rows,)
            Their classes.

        Returns
        -------
        self
        """
        self._check()
        encoder = Encoder(type(self).__name__)
        # A copy: answers must not change when the caller's table does.
        encoded = _copied(encoder.fit_encode(X, self.nominal_features))
        self.classes_, self._labels = class_labels(y, encoded.n_rows)
        self._loss_matrix = self._loss(self.classes_)
        size = sample_size(self.max_samples, encoded.n_rows)
        rng = check_random_state(self.random_state)
        bags = bootstraps(self.n_estimators, size, encoded.n_rows, rng)
        counts = [np.bincount(rows, minlength=encoded.n_rows) for rows in bags]
        self.bags_ = np.array(counts, dtype=np.uint32)
        self._encoder, self._encoded = encoder, encoded
        self._remember_columns(encoder.n_features, encoder.feature_names)
        return self

    @property
    def model_(self) -> LazyModel:
        """The bags and the training table, asked as the parameters say now: by so many threads."""
        check_is_fitted(self, "bags_")
        return self._asked(LazyModel(self, self._encoder, self._loss_matrix))

    def answered(self, cases: _core.Table, n_threads: int) -> Answered:
        """Grow trees along the cases' values; return the shares of the classes, and the tests followed."""
        return _core.answer_lazily(
            core_table(self._encoded, self._encoder),
            self._labels,
            len(self.classes_),
            self.bags_,
            cases,
            options=self.options,
            share=self.min_share,
            depth=self.max_depth,
            min_weight=self.min_weight,
            max_nodes=self.max_nodes,
            cuts=self.max_cuts,
            n_threads=n_threads,
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.sparse = True
        tags.input_tags.categorical = tags.input_tags.string = True
        return tags


def _copied(encoded: Encoded) -> Encoded:
    """Return an encoded table that shares no memory with the caller's."""
    if encoded.sparse is not None:
        indptr, indices, data = encoded.sparse
        return replace(encoded, sparse=SparseColumns(indptr.copy(), indices.copy(), data.copy()))
    if encoded.dense is not None:
        return replace(encoded, dense=encoded.dense.copy(order="K"))
    assert encoded.columns is not None  # a table has one of the three
    return replace(encoded, columns=[values.copy() for values in encoded.columns])
