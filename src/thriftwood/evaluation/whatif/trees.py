"""Trees learnt anew at any price, and what they cost every case.

Words
-----
bill
    What each case costs, tests and answer, as two arrays: with the varied number at the low and at the high
    end of its range. Between them it lies on a straight line.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.interrupts import ending_all
from thriftwood.costs import Costs
from thriftwood.evaluation.whatif.tracing import Division
from thriftwood.evaluation.whatif.varied import Varied
from thriftwood.learning.class_tree import ClassTree, FloatArray
from thriftwood.learning.estimator import Prepared
from thriftwood.learning.problem import Problem
from thriftwood.models.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class Learnt:
    """A tree, and what it costs every case of the table."""

    tree: Tree
    varied: Varied
    at_low: FloatArray
    at_high: FloatArray
    weights: FloatArray
    """What each case counted in learning."""

    def bills(self, value: float) -> FloatArray:
        """Return what each case costs at a number."""
        share = (value - self.varied.low) / (self.varied.high - self.varied.low)
        return self.at_low + share * (self.at_high - self.at_low)

    @cached_property
    def means(self) -> tuple[float, float]:
        """What a case it was learnt from costs at both ends of the range."""
        low, high = (float(np.average(bills, weights=self.weights)) for bills in (self.at_low, self.at_high))
        return low, high

    def mean(self, value: float) -> float:
        """Return what a case it was learnt from costs at a number."""
        low, high = self.means
        return low + (value - self.varied.low) / (self.varied.high - self.varied.low) * (high - low)

    @cached_property
    def n_leaves(self) -> int:
        """Leaves that cases it was learnt from end in; others, where categories are rare, cost nothing."""
        core = self.tree.core
        return int(np.count_nonzero((core.n_children == 0) & (core.weight > 0)))

    @cached_property
    def shape(self) -> tuple[bytes, ...]:
        """What makes it the tree that it is: its questions, branches and answers."""
        core = self.tree.core
        parts = (core.kind, core.feature, core.first_child, core.n_children, core.threshold, core.label)
        routes = (core.missing_route, core.unseen_route, core.map_offset, core.branch_map)
        return tuple(np.asarray(part).tobytes() for part in (*parts, *routes))


class Trees(ABC):
    """Learns trees of a table at any number of what is varied."""

    problem: Problem
    words: str
    """What is learnt, as part of a sentence."""
    exact: bool
    """Whether no tree that comes and goes in between can be missed."""

    def __init__(self, prepared: Prepared, costs: Costs) -> None:
        assert prepared.classes is not None
        self.encoder, self.classes = prepared.encoder, prepared.classes
        self.costs = costs
        self.n_fits = 0
        """How many trees were learnt."""

    @abstractmethod
    def core(self, costs: Costs, weights: FloatArray) -> _core.Tree:
        """Learn a tree."""

    @abstractmethod
    def division(
        self, varied: Varied, weights: FloatArray, *, roughly: bool
    ) -> tuple[Division[Learnt], list[float]]:
        """Return how to find the flips, and where to look first.

        `roughly`: their places need not be exact.
        """

    @abstractmethod
    def same(self, one: Learnt, other: Learnt) -> bool:
        """Tell whether two trees need not be told apart."""

    @abstractmethod
    def without(self, columns: Sequence[int]) -> Trees:
        """Return the same learner of a table where these columns tell nothing, so that none is asked for."""

    @abstractmethod
    def learner(self, costs: Costs) -> ClassTree:
        """Return the estimator whose ``fit`` gives the tree of all cases."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, as price lists call them."""
        return self.encoder.feature_names or tuple(f"x{place}" for place in range(self.encoder.n_features))

    @property
    def weights(self) -> FloatArray:
        """What each case counts."""
        return self.problem.case_weights

    @property
    def labels(self) -> NDArray[np.int32]:
        """The class number of every case."""
        assert self.problem.labels is not None  # classes
        return self.problem.labels

    def learnt(self, varied: Varied, value: float, weights: FloatArray) -> Learnt:
        """Learn the tree at a number, from the cases that have weight."""
        costs = varied.turned(self.costs, self.classes, value)
        with warnings.catch_warnings(), ending_all():
            warnings.simplefilter("ignore")  # said once, when the table was prepared
            core = self.core(costs, weights)
        self.n_fits += 1
        return self.billed(Tree(core, self.encoder, self.classes, costs), varied, weights)

    def billed(self, tree: Tree, varied: Varied, weights: FloatArray) -> Learnt:
        """Return a tree with what it costs over another range."""
        at_low, at_high = (self.bills(tree, self._turned(varied, end)) for end in (varied.low, varied.high))
        return Learnt(tree, varied, at_low, at_high, weights)

    def bills(self, tree: Tree, costs: Costs) -> FloatArray:
        """Return what each case costs: its tests and its answer."""
        table = self.problem.table
        mistakes = costs.error_matrix(self.classes)[self.labels, tree.answers_of(table)]
        return np.asarray(tree.ledger_of(table, costs).test_cost + mistakes)

    def buyers(self, learnt: Learnt, columns: Sequence[int]) -> float:
        """Return the share of the cases it learnt from that buy one of these tests, at whatever price."""
        ledger = learnt.tree.ledger_of(self.problem.table, self.costs)
        own = np.isin(ledger.test, columns)
        rows = np.repeat(np.arange(len(self.labels)), np.diff(ledger.starts))
        bought = np.zeros(len(self.labels))
        np.maximum.at(bought, rows[own], np.asarray(ledger.share)[own])
        return float(np.average(bought, weights=learnt.weights))

    def cost(self, learnt: Learnt, value: float) -> float:
        """Return what the learner goes by: what a case it learns from costs at a number."""
        return learnt.mean(value)

    def untested(self, costs: Costs, weights: FloatArray) -> FloatArray:
        """Return what each case costs if all get the answer that is cheapest for those with weight."""
        loss = costs.error_matrix(self.classes)
        counts = np.bincount(self.labels, weights, minlength=len(loss))
        return np.asarray(loss[self.labels, int((counts @ loss).argmin())])

    def _turned(self, varied: Varied, value: float) -> Costs:
        return varied.turned(self.costs, self.classes, value)
