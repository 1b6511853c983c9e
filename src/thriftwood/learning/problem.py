"""A learning problem as the core sees it: an encoded table, what to predict, how much each case counts.

Estimators make one, pruning rules use it: to grow the tree, to grow others on some of the rows, and to give
the nodes of a tree the answers that cost least.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from thriftwood import _core
from thriftwood.base.callers import callers_level
from thriftwood.base.interrupts import ends_all
from thriftwood.costs import Costs, answer_costs
from thriftwood.learning.look_ahead import LookAheadGrower
from thriftwood.learning.priors import Reweighed
from thriftwood.learning.votes import Votes, votes
from thriftwood.learning.weighing import compiled_prices
from thriftwood.table import Encoded, Encoder, SparseColumns
from thriftwood.table.native import core_seed, core_table

Rows = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Problem:
    """Everything that growing and pruning need. Exactly one of `labels` and `numbers` is set."""

    encoded: Encoded
    encoder: Encoder
    table: _core.Table
    """The encoded table as the core holds it."""
    settings: _core.Settings
    labels: NDArray[np.int32] | None = None
    n_classes: int = 0
    numbers: NDArray[np.float64] | None = None
    weights: NDArray[np.float64] | None = None
    loss: NDArray[np.float64] | None = None
    """What answers cost, [actual, predicted]; None: 1 for every mistake, so the most likely is cheapest."""
    reweighing: Reweighed | None = None
    """How `weights` came about, where priors or error costs alter what the cases of a class count."""
    class_scale: NDArray[np.float64] | None = None
    """Turns the class weights the tree was grown with into those that answers are chosen by."""
    smoothing: _core.Smoothing | None = None
    """How the leaves smooth their class shares."""
    random_state: Any = None
    prices: _core.Prices | None = None
    """What tests cost, when the criterion asks."""
    costs: Costs | None = None
    sampled: LookAheadGrower | None = None
    """Grows the trees, when the criterion looks ahead by samples."""
    votes: Votes | None = None
    """When costs differ by row: labels and weights are votes, and `recounted` makes a tree of cases."""

    def reweighed(self, found: Reweighed) -> Problem:
        """Return the problem with the weights that priors or error costs give to the classes."""
        settings = copy.copy(self.settings)  # cached and shared: copy before changing
        settings.class_weights = found.class_weights
        return replace(
            self,
            settings=settings,
            weights=found.weights,
            reweighing=found,
            class_scale=found.class_scale,
        )

    def seeded(self, random_state: Any) -> Problem:
        """Return the problem with another random seed, for features, samples and folds."""
        settings = copy.copy(self.settings)  # cached and shared: copy before changing
        settings.seed = core_seed(random_state)
        return replace(self, settings=settings, random_state=random_state)

    def grow(self, rows: Rows | None = None, settings: _core.Settings | None = None) -> _core.Tree:
        """Grow a tree on all rows or on some; `answered` finishes it."""
        settings = settings or self.settings
        if self.sampled is not None:
            tree = self.sampled.grow(self, rows, settings)
            if ends_all():
                self.sampled.raise_interrupt()
            self.sampled.warn()
            return tree
        return self.grown(rows, settings) if settings.lookahead == 1 else self._searched(rows, settings)

    def grown(
        self, rows: Rows | None, settings: _core.Settings, stop: _core.Stop | None = None
    ) -> _core.Tree:
        """Grow one tree in the core."""
        return _core.grow(
            self.table,
            settings,
            self.labels,
            self.n_classes,
            self.numbers,
            self.weights,
            rows,
            self.prices,
            self._case_of,
            stop,
        )

    def grow_many(self, rows: Sequence[Rows]) -> list[_core.Tree]:
        """Grow one tree for each list of rows, in one call of the core; `answered` finishes them."""
        trees, interrupted = self.grow_first(rows)
        if interrupted:
            raise KeyboardInterrupt  # some of many trees are not a result
        return trees

    def grow_first(self, rows: Sequence[Rows]) -> tuple[list[_core.Tree], bool]:
        """Do the same until Ctrl-C is pressed: the trees of the first lists, and whether it was."""
        if self.sampled is not None:
            return self._sample_many(self.sampled, rows), False
        if self.settings.lookahead > 1:
            return [self._searched(one, self.settings, one_of_many=True) for one in rows], False
        return _core.grow_many(
            self.table,
            self.settings,
            rows,
            self.labels,
            self.n_classes,
            self.numbers,
            self.weights,
            self.prices,
            self._case_of,
        )

    def _searched(self, rows: Rows | None, settings: _core.Settings, one_of_many: bool = False) -> _core.Tree:
        """Grow a tree whose tests are searched for, which may take long: Ctrl-C is heard."""
        stop = _core.Stop(None)
        tree = self.grown(rows, settings, stop)
        if stop.why is not None:
            if one_of_many or ends_all():
                raise KeyboardInterrupt  # some of many trees are not a result
            said = "Ctrl-C was pressed; kept is a tree whose last tests were chosen without looking ahead."
            warnings.warn(said, UserWarning, stacklevel=callers_level())
        return tree

    def _sample_many(self, sampled: LookAheadGrower, rows: Sequence[Rows]) -> list[_core.Tree]:
        trees = []
        own = sampled.reached  # of the tree that is kept, when these are for pruning it
        for one in rows:
            trees.append(sampled.grow(self, one, self.settings))
            sampled.raise_interrupt()  # some of many trees are not a result
            sampled.warn()
        sampled.reached = own
        return trees

    def answered(self, tree: _core.Tree) -> _core.Tree:
        """Give every node of a grown tree the answer with the least expected loss; to be done once."""
        return self._relabelled(tree, self.class_scale)

    def unaltered(self, tree: _core.Tree) -> _core.Tree:
        """Give every node of a grown tree the class weights that it is to be judged by; to be done once."""
        return tree if self.class_scale is None else _core.relabel(tree, None, self.class_scale)

    def answered_as_judged(self, tree: _core.Tree) -> _core.Tree:
        """Finish a tree that has the weights it is to be judged by: `answered` without altering them."""
        return self._relabelled(tree, None)

    def _relabelled(self, tree: _core.Tree, class_scale: NDArray[np.float64] | None) -> _core.Tree:
        if self.loss is None and class_scale is None and self.smoothing is None:
            return tree
        return _core.relabel(tree, self.loss, class_scale, self.smoothing)

    def by_votes(self, error_costs: Any, classes: NDArray[Any], *, in_money: bool = False) -> Problem:
        """Return the problem of growing for the cheapest answers, where costs differ by row.

        `in_money`: the criterion adds prices to what mistakes cost.
        """
        assert self.labels is not None  # only classes have error costs
        if len(classes) == 1:
            answer_costs(error_costs, self.labels, classes)  # refuses what is none
            return self  # there is no other answer to vote for
        told = error_costs, self.labels, classes, self.weights, self.table, self.smoothing
        counted = votes(*told, in_money=in_money)
        own = replace(self, labels=counted.labels, weights=counted.weights, smoothing=None, votes=counted)
        if counted.loss is not None:
            settings = copy.copy(self.settings)  # cached and shared: copy before changing
            settings.loss = counted.loss
            own = replace(own, settings=settings, loss=counted.loss, n_classes=len(counted.loss))
        if counted.case_of is None:
            return own
        encoded = taken_rows(self.encoded, counted.case_of)
        return replace(own, encoded=encoded, table=core_table(encoded, self.encoder))

    @property
    def _case_of(self) -> Rows | None:
        """The case of each row, where a node ends when all cases vote for one answer.

        In money it ends when no test pays.
        """
        return None if self.votes is None or self.votes.loss is not None else self.votes.case_of

    def recounted(self, tree: _core.Tree) -> _core.Tree:
        """Count cases at the nodes of a finished tree, if it was grown on their votes."""
        return tree if self.votes is None else self.votes.recounted(tree)

    @property
    def price_list(self) -> _core.Prices | None:
        """What tests cost, whether the criterion asks or not; None: nothing."""
        return None if self.costs is None else compiled_prices(self.costs, self.encoder)

    @property
    def case_weights(self) -> NDArray[np.float64]:
        """What each case counts, also where all count 1."""
        return np.ones(self.n_rows) if self.weights is None else self.weights

    @property
    def error_matrix(self) -> NDArray[np.float64]:
        """What answers cost, [actual, predicted], also where every mistake costs 1."""
        return 1.0 - np.eye(self.n_classes) if self.loss is None else self.loss

    @property
    def judging_weights(self) -> NDArray[np.float64] | None:
        """What each case counts when answers are judged, as opposed to when the tree grows."""
        if self.class_scale is None or self.weights is None:
            return self.weights
        return self.weights * self.class_scale[self.labels]

    @property
    def judged_cases(self) -> tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]:
        """What each case counts by itself, and how many times as much its mistakes count; None: once.

        The product is `judging_weights`.
        """
        if self.reweighing is None:
            return self.weights, None
        factors = self.reweighing.class_weights
        if self.class_scale is not None:
            factors = factors * self.class_scale
        return self.reweighing.cases, factors[self.labels]

    def table_of(self, rows: Rows) -> _core.Table:
        """Return a table of some of the rows."""
        return core_table(taken_rows(self.encoded, rows), self.encoder)

    @property
    def n_rows(self) -> int:
        """The number of cases."""
        return self.table.n_rows

    @property
    def has_cases(self) -> bool:
        """Whether the cases are at hand; else the nodes of a tree count them, and nothing else is known."""
        return True


def taken_rows(encoded: Encoded, rows: Rows) -> Encoded:
    """Return some rows of an encoded table, as a copy.

    Examples
    --------
    >>> taken_rows(Encoder().fit_encode([[1.0], [2.0], [3.0]]), np.array([2, 0], dtype=np.uint32)).dense
    array([[3.],
           [1.]])
    """
    shape = len(rows), encoded.n_features, encoded.has_missing
    if encoded.dense is not None:
        return Encoded(*shape, dense=np.ascontiguousarray(encoded.dense[rows]))
    if encoded.columns is not None:
        return Encoded(*shape, columns=[values[rows] for values in encoded.columns])
    assert encoded.sparse is not None  # a table has one of the three
    indptr, indices, data = encoded.sparse
    matrix = csc_matrix((data, indices, indptr), shape=(encoded.n_rows, encoded.n_features))[rows]
    matrix.sort_indices()
    sparse = SparseColumns(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), matrix.data)
    return Encoded(*shape, sparse=sparse)
