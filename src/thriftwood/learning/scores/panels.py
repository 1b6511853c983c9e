"""The path of panels: what is free, then one purchase more at a time, each judged on held-out cases.

A purchase is a test, or all tests that share a step or a group, which cost less together. The next one is
that which lowers the logarithmic loss of held-out cases the most for its price, cases counting as much as a
mistake about them costs. Money itself would not tell: a test that makes answers surer and changes none of
them yet saves nothing by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.learning.scores.basis import learnt_bases
from thriftwood.learning.scores.logistic import add_ridge, logistic, newton
from thriftwood.models.asked import ColumnLedger
from thriftwood.models.ledger import FloatArray, Mask
from thriftwood.models.score_card import chances
from thriftwood.table import Encoder

MOST_PURCHASES = 14
MOST_TRIED = 24
"""Purchases that are tried after the first one: those that promised most at the beginning."""
MOST_FREE = 30
"""Free tests that are bought at the beginning. More of them are chosen from like the others, and all bought
at the end: on 80 that each tell a little a new case then costs 3.5 instead of 5.4, learnt from 1,000."""
NEARLY_FREE = 0.1
"""Of the mean price: added to what a purchase costs, lest the cheapest come first whatever they tell."""
RIDGES = (1.0, 0.3, 3.0)
"""How much weights may be held back. Which is chosen with all tests bought: where few are, as at the end of a
path, less is chosen and the bill is higher (122 instead of 99 on the demo table, mean of 20 divisions)."""
MANY_WEIGHTS, MOST_WEIGHTS = 200, 3000
"""With many for all tests together the ridge is chosen by one fold; with more it is the first of `RIDGES`.
Free tests with more are not all bought."""
FOLDS = 4
FEW_STEPS, STEPS_OF_MANY = 2, 6
"""Of the weights of a purchase that is only tried: for two classes, and for more, whose steps are shorter."""
SURE = 1e-4
"""The least chance that a case's class is held to have had."""

Column = NDArray[Any]


class Cases(NamedTuple):
    """What is known of the cases that are learnt from."""

    columns: list[Column]
    labels: NDArray[np.int32]
    n_classes: int
    weights: FloatArray
    answer_costs: FloatArray
    """What each answer costs each case, of shape (n_rows, n_answers)."""
    loss: FloatArray
    """What answers cost on the mean, [actual, answer]: a case to come is answered by it."""

    @property
    def constant(self) -> FloatArray:
        """What each answer costs a case if it is given to all."""
        return np.asarray(self.weights @ self.answer_costs / self.weights.sum())


class Prices:
    """What tests cost together; `missing`: which values are, where those are free."""

    def __init__(
        self, costs: Costs, names: Sequence[str], budget: float | None, missing: Mask | None = None
    ) -> None:
        self._prices = _core.Prices(costs.compile(names))
        self._missing = missing
        self.budget = np.inf if budget is None else budget * (1 + _core.BUDGET_ROUNDING)
        listed = [costs.tests.get(name) for name in names]
        self.delayed = frozenset(test for test, one in enumerate(listed) if one is not None and one.delayed)
        sharing: dict[object, list[int]] = {}
        for test, one in enumerate(listed):
            if one is not None:
                for key in (*one.needs, one.needs or None, ("group", one.group) if one.group else None):
                    sharing.setdefault(key, []).append(test)
        sharing.pop(None, None)
        every = {tuple(tests): None for tests in sharing.values() if len(tests) > 1}
        self.purchases = [*((test,) for test in range(len(names))), *every]

    def of(self, tests: Sequence[int]) -> float:
        """Return what tests cost, bought in this order."""
        return float(sum(self._prices.purchase(list(tests)))) if tests else 0.0

    def paid(self, tests: Sequence[int]) -> float | FloatArray:
        """Return what each case pays for tests, bought in this order; a number where all pay the same."""
        if self._missing is None or not tests:
            return self.of(tests)
        asked = np.zeros_like(self._missing)
        asked[:, tests] = ~self._missing[:, tests]
        return ColumnLedger.of(asked, self._prices, np.array(tests, dtype=np.int32)).test_cost

    def share_paid(self, tests: Sequence[int]) -> float:
        """Return the share of the values of some tests that are paid."""
        return 1.0 if self._missing is None or not tests else 1.0 - float(self._missing[:, tests].mean())

    def most(self, tests: Sequence[int]) -> float:
        """Return the most that tests can cost, bought in this order, whichever values are missing."""
        return float(self._prices.most(list(tests)))


@dataclass(frozen=True, slots=True)
class Fold:
    """Cases that are learnt from, the others, and the columns of both that each test becomes."""

    learnt: NDArray[np.intp]
    held: NDArray[np.intp]
    blocks: list[tuple[FloatArray, FloatArray]]

    @classmethod
    def of(cls, encoder: Encoder, columns: list[Column], held: NDArray[np.bool_]) -> Fold:
        """Hold out some cases; what a column becomes is learnt from the others."""
        learnt, others = np.flatnonzero(~held), np.flatnonzero(held)
        bases = learnt_bases(encoder, [column[learnt] for column in columns])
        blocks = [
            (basis.columns(column[learnt]), basis.columns(column[others]))
            for basis, column in zip(bases, columns, strict=True)
        ]
        return cls(learnt, others, blocks)

    def columns(self, tests: Sequence[int]) -> tuple[FloatArray, FloatArray]:
        """Return the columns of some tests, after one of ones: those of cases learnt from, and of others."""
        learnt = [np.ones((len(self.learnt), 1)), *(self.blocks[test][0] for test in tests)]
        held = [np.ones((len(self.held), 1)), *(self.blocks[test][1] for test in tests)]
        return np.hstack(learnt), np.hstack(held)


class Panel(NamedTuple):
    """Tests bought together, and what cards of them say of cases that they were not learnt from."""

    tests: tuple[int, ...]
    price: float | FloatArray
    """What each case pays; a number where all pay the same."""
    shares: FloatArray


@dataclass(slots=True)
class PathLearner:
    """Finds the path of panels.

    Parameters
    ----------
    cases : Cases
        What is learnt from.
    prices : Prices
        What tests cost.
    folds : list of Fold
        Ways to hold out cases, each case once.
    """

    cases: Cases
    prices: Prices
    folds: list[Fold]
    ridge: float = RIDGES[0]
    _scores: list[tuple[FloatArray, FloatArray]] = field(default_factory=list)  # by fold: learnt, held
    _weights: list[FloatArray] = field(default_factory=list)

    def path(self) -> list[Panel]:
        """Return the panels, what is free first, or last where that is much."""
        n_tests = len(self.cases.columns)
        self._choose_ridge()
        free = [test for test in range(n_tests) if self.prices.of([test]) == 0.0]
        panels = [self.panel(free if len(free) <= MOST_FREE else [])]
        usual = NEARLY_FREE * self.prices.of(range(n_tests)) / n_tests
        tried: Sequence[tuple[int, ...]] = self.prices.purchases
        for step in range(MOST_PURCHASES):
            rated = self._rated(panels[-1], tried, usual)
            if not rated:
                break
            if step == 0:
                tried = [purchase for _, purchase in rated[:MOST_TRIED]]
            panels.append(self.panel([*panels[-1].tests, *self._new(panels[-1], rated[0][1])]))
        every = [*panels[-1].tests, *self._new(panels[-1], tuple(free))]
        if len(every) > len(panels[-1].tests) and self._n_weights(every) <= MOST_WEIGHTS:
            panels.append(self.panel(every))
        return panels

    def panel(self, tests: Sequence[int]) -> Panel:
        """Learn cards of some tests, fold by fold, beginning with the weights of the last ones."""
        begin: Sequence[FloatArray | None] = self._weights or [None] * len(self.folds)
        shares = np.zeros((len(self.cases.labels), self.cases.n_classes))
        self._scores, self._weights = [], []
        for fold, start in zip(self.folds, begin, strict=True):
            learnt, held = fold.columns(tests)
            weights = self._learnt(learnt, fold.learnt, start)
            self._weights.append(weights)
            self._scores.append((learnt @ weights, held @ weights))
            shares[fold.held] = chances(self._scores[-1][1])
        return Panel(tuple(tests), self.prices.paid(tests), shares)

    def _choose_ridge(self) -> None:
        """Take the ridge that is best with all tests bought."""
        n_tests = len(self.cases.columns)
        n_weights = self._n_weights(range(n_tests))
        if n_weights > MOST_WEIGHTS:
            return
        losses = {}
        for self.ridge in RIDGES:
            loss = 0.0
            for fold in self.folds[: 1 if n_weights > MANY_WEIGHTS else None]:
                learnt, held = fold.columns(range(n_tests))
                shares = chances(held @ self._learnt(learnt, fold.learnt, None))
                loss += self.log_loss(shares, fold.held)
            losses[self.ridge] = loss
        self.ridge = min(losses, key=losses.__getitem__)

    def _n_weights(self, tests: Sequence[int]) -> int:
        """Return how many weights cards of some tests have."""
        n_scores = 1 if self.cases.n_classes == 2 else self.cases.n_classes
        return n_scores * sum(int(self.folds[0].blocks[test][0].shape[1]) for test in tests)

    def _learnt(self, columns: FloatArray, rows: NDArray[np.intp], start: FloatArray | None) -> FloatArray:
        cases = self.cases
        return logistic(columns, cases.labels[rows], cases.n_classes, self.ridge, cases.weights[rows], start)

    def _rated(
        self, panel: Panel, tried: Sequence[tuple[int, ...]], usual: float
    ) -> list[tuple[float, tuple[int, ...]]]:
        """Return the purchases that help, with what they save in logarithmic loss for their price."""
        before, most = self.log_loss(panel.shares), self.cases.constant.min()
        rated = []
        for purchase in tried:
            new = self._new(panel, purchase)
            more = self.prices.of([*panel.tests, *new]) - self.prices.of(panel.tests)
            price = more * self.prices.share_paid(new)
            allowed = self.prices.most([*panel.tests, *new]) <= self.prices.budget
            if not new or price > most or not allowed:
                continue
            saved = before - self.log_loss(self._tried(new))
            if saved > 0.0:
                rated.append((saved / (price + usual) if usual else saved, purchase))
        return sorted(rated, key=lambda one: -one[0])

    def _new(self, panel: Panel, purchase: tuple[int, ...]) -> list[int]:
        """Return the tests of a purchase that are new and differ between cases."""
        blocks = self.folds[0].blocks
        return [test for test in purchase if test not in panel.tests and blocks[test][0].shape[1]]

    def log_loss(self, shares: FloatArray, rows: NDArray[np.intp] | slice = slice(None)) -> float:
        """Return the logarithmic loss of all cases or of some, each counting as much as is at stake."""
        cases = self.cases
        stake = (cases.weights * np.ptp(cases.answer_costs, axis=1))[rows]
        chance = np.maximum(shares[np.arange(len(shares)), cases.labels[rows]], SURE)
        return float(-(stake @ np.log(chance)))

    def _tried(self, tests: list[int]) -> FloatArray:
        """Return about what cards would say that have more tests: the weights of the others stay."""
        shares = np.zeros((len(self.cases.labels), self.cases.n_classes))
        for fold, (learnt, held) in zip(self.folds, self._scores, strict=True):
            columns = np.hstack([fold.blocks[test][0] for test in tests])
            weights = self._added(columns, learnt, fold.learnt)
            others = np.hstack([fold.blocks[test][1] for test in tests])
            shares[fold.held] = chances(held + others @ weights)
        return shares

    def _added(self, columns: FloatArray, scores: FloatArray, rows: NDArray[np.intp]) -> FloatArray:
        """Return weights of columns beside scores that stay as they are, by a few steps."""
        labels, case_weights = self.cases.labels[rows], self.cases.weights[rows]
        width = scores.shape[1]
        if width == 1:
            held, begin = np.full(columns.shape[1], self.ridge), np.zeros(columns.shape[1])
            target = (labels == 1).astype(np.float64)
            return newton(columns, target, held, case_weights, begin, scores[:, 0], FEW_STEPS)[:, None]
        truth = np.zeros((len(rows), width))
        truth[np.arange(len(rows)), labels] = 1.0
        # Second derivatives are at most 1/2 of the columns' squares; less nearly everywhere, so steps of 3/2
        # of what that would give are safe.
        bend = (columns * (case_weights[:, None] / 3)).T @ columns
        add_ridge(bend, self.ridge)
        weights = np.zeros((columns.shape[1], width))
        for _ in range(STEPS_OF_MANY):
            off = case_weights[:, None] * (chances(scores + columns @ weights) - truth)
            weights = weights - np.linalg.solve(bend, columns.T @ off + self.ridge * weights)
        return weights


def folds_of(encoder: Encoder, cases: Cases, seed: int) -> list[Fold]:
    """Deal the cases into folds, each with about its share of every class."""
    dealt = np.random.default_rng(seed).permutation(len(cases.labels))
    dealt = dealt[np.argsort(cases.labels[dealt], kind="stable")]
    number = np.empty(len(dealt), dtype=np.intp)
    number[dealt] = np.arange(len(dealt)) % FOLDS
    return [Fold.of(encoder, cases.columns, number == fold) for fold in range(min(FOLDS, len(dealt)))]
