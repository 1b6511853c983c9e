"""Gates: tests that tell nothing by themselves, but which other tests to ask.

Words
-----
gate
    A test that is made because of what is grown below its branches, whatever it gains itself.
candidate
    A test that may be a gate: of a numeric feature the cut that separates its own values best (two means) and
    the one that gains most, of a nominal feature a branch for each category.
trial
    Growing, and pruning, on some of the cases of a node, and answering the others. A candidate's trial grows
    a tree below each of its branches, with what the budget leaves after it.

A candidate is taken where it makes the answers to cases kept aside better than the tree that grows there
without it, by more than chance would: by `margin` standard errors of the difference, case by case. All
candidates of a node are tried on the same cases; the best of many is good by chance, too, so it has to be as
good once more when the cases are dealt anew. Where none is, the tree grows as usual.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.interrupts import ending_all
from thriftwood.learning.gate_cuts import best_cut, two_means
from thriftwood.learning.joining import Question, joined
from thriftwood.learning.problem import Problem, taken_rows
from thriftwood.table import Kind
from thriftwood.table.native import core_table

FloatArray = NDArray[np.float64]

MOST_CATEGORIES = 16
"""Nominal features with more are no candidates: a branch for each leaves too few cases."""
Path: TypeAlias = tuple[int, ...]
"""The tests that were bought on the way to a node."""


class Candidate(NamedTuple):
    """A test that may be a gate."""

    feature: int
    cut: float | None
    """Of a numeric feature; None: a branch for each category."""


@dataclass(frozen=True, slots=True)
class Search:
    """How gates are looked for; see `GatedTreeClassifier` for the words."""

    grow: Callable[[Problem], _core.Tree]
    """Grows and prunes a tree."""
    errors: FloatArray
    """What answers cost, [actual, predicted]."""
    in_money: bool
    """Whether that is in the unit of prices, so that tests count, too."""
    budget: float | None
    tests_may_go: bool
    folds: int
    min_cases: int
    max_cases: int
    margin: float
    seed: int


class Gates:
    """The tree of a problem, with gates where they pay.

    Parameters
    ----------
    problem : Problem
        The table and what is to be told.
    search : Search
        How gates are looked for.
    """

    def __init__(self, problem: Problem, search: Search) -> None:
        self.search = search
        self._whole = problem
        self._columns = problem.encoder.columns
        names = problem.encoder.feature_names or range(problem.encoder.n_features)
        self._prices = None if problem.costs is None else problem.costs.compile(names)
        self._rng = np.random.default_rng(search.seed)
        self.found: list[int] = []
        """The features of the gates, in the order they were found."""

    def tree(self) -> _core.Tree:
        """Grow the tree; Ctrl-C ends all that it is made of."""
        cases, weights = self._whole, self._whole.weights
        if weights is not None and not weights.all():
            cases = _taken(cases, np.flatnonzero(weights))  # a case of weight 0 is as good as none
        with ending_all():
            return self._grown(cases, ())

    def _grown(self, cases: Problem, path: Path) -> _core.Tree:
        plain = self._plain(cases, path)
        if cases.n_rows < self.search.min_cases or plain.values[0].max() >= plain.weight[0]:
            return plain
        gate = self._gate(cases, path)
        if gate is None:
            return plain
        self.found.append(gate.feature)
        side, categories = self._sides(gate, cases)
        branches = [
            self._grown(_taken(cases, np.flatnonzero(side == branch)), (*path, gate.feature))
            for branch in range(side.max() + 1)
        ]
        heaviest = int(np.argmax([branch.weight[0] for branch in branches]))
        question = Question(gate.feature, gate.cut, self._map(gate, categories))
        return joined(plain, question, branches, heaviest)

    # What is tried

    def _gate(self, cases: Problem, path: Path) -> Candidate | None:
        """Return the candidate that helps most, if one helps by more than chance."""
        if cases.n_rows > self.search.max_cases:
            drawn = self._rng.choice(cases.n_rows, self.search.max_cases, replace=False)
            cases = _taken(cases, np.sort(drawn))
        candidates = list(self._candidates(cases, path))
        savings = self._savings(cases, path, candidates)
        best = int(np.argmax(savings)) if candidates else -1
        if best < 0 or savings[best] <= 0 or self._savings(cases, path, [candidates[best]])[0] <= 0:
            return None
        return candidates[best]

    def _savings(self, cases: Problem, path: Path, candidates: list[Candidate]) -> list[float]:
        """Deal the cases, and return what each candidate surely saves."""
        fold = self._rng.permutation(cases.n_rows) % self.search.folds
        without = self._trial(cases, path, fold, None)
        weights = cases.case_weights
        found = []
        for candidate in candidates:
            saved = (without - self._trial(cases, path, fold, candidate)) * weights
            found.append(float(saved.sum() - self.search.margin * np.sqrt((saved**2).sum())))
        return found

    def _candidates(self, cases: Problem, path: Path) -> Iterator[Candidate]:
        labels, weights = _labels(cases), cases.case_weights
        for feature, column in enumerate(self._columns):
            if not self._affordable(path, feature):
                continue
            values = _numbers(cases, feature)
            known = ~np.isnan(values)
            if len(np.unique(values[known])) < 2:
                continue
            if column.kind is not Kind.NOMINAL:
                apart = two_means(values[known], weights[known])
                gains_most = best_cut(values[known], labels[known], weights[known], cases.n_classes)
                yield from (Candidate(feature, cut) for cut in {apart: 0, gains_most: 0})
            elif len(column.categories) <= MOST_CATEGORIES:
                yield Candidate(feature, None)

    def _trial(
        self, cases: Problem, path: Path, fold: NDArray[np.intp], candidate: Candidate | None
    ) -> FloatArray:
        """Return what each case costs when it is answered by what was grown on the other folds."""
        cost = np.zeros(cases.n_rows)
        side = np.zeros(cases.n_rows, dtype=np.intp)
        if candidate is not None:
            side, _ = self._sides(candidate, cases)
            if self.search.in_money:
                cost[self._charged(cases, candidate.feature)] += self._price(path, candidate.feature)
            path = (*path, candidate.feature)
        for number in range(self.search.folds):
            for branch in range(side.max() + 1):
                judged = np.flatnonzero((fold == number) & (side == branch))
                grown_on = np.flatnonzero((fold != number) & (side == branch))
                if len(judged):
                    on = grown_on if len(grown_on) else np.flatnonzero(fold != number)
                    cost[judged] += self._answered(_taken(cases, on), path, _taken(cases, judged))
        return cost

    def _answered(self, cases: Problem, path: Path, judged: Problem) -> FloatArray:
        tree = self._plain(cases, path)
        cost: FloatArray = self.search.errors[_labels(judged), tree.predict_labels(judged.table)].copy()
        if self.search.in_money and self._prices is not None:
            cost += _core.ledger(tree, self._prices_after(path), judged.table).test_cost
        return cost

    def _sides(self, candidate: Candidate, cases: Problem) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the branch of each case, the heaviest where there is no value; and categories by branch."""
        values = _numbers(cases, candidate.feature)
        known = ~np.isnan(values)
        categories = np.array([], dtype=np.intp)
        if candidate.cut is None:
            categories = np.unique(values[known]).astype(np.intp)
            side = np.searchsorted(categories, np.where(known, values, categories[0]))
        else:
            side = (values > candidate.cut).astype(np.intp)
        heaviest = np.argmax(np.bincount(side[known], cases.case_weights[known]))
        return np.where(known, side, heaviest), categories

    def _map(self, gate: Candidate, categories: NDArray[np.intp]) -> NDArray[np.int32]:
        """Return the branch of each category; -1: it did not occur."""
        if gate.cut is not None:
            return np.array([], dtype=np.int32)
        branch_of = np.full(len(self._columns[gate.feature].categories), -1, dtype=np.int32)
        branch_of[categories] = np.arange(len(categories))
        return branch_of

    # What is left to pay

    def _plain(self, cases: Problem, path: Path) -> _core.Tree:
        """Grow a tree without gates, with prices after what was bought."""
        if self._prices is None or not path:
            return self.search.grow(cases)
        if cases.prices is not None:
            cases = replace(cases, prices=self._prices_after(path))
        left = self._left(path)
        if left is not None:
            settings = copy.copy(cases.settings)  # cached and shared: copy before changing
            settings.set_budget(left, self._prices_after(path), self.search.tests_may_go)
            cases = replace(cases, settings=settings)
        return self.search.grow(cases)

    def _affordable(self, path: Path, feature: int) -> bool:
        if self._prices is None:
            return True
        if self._prices.delayed[feature] and feature not in path:
            return False  # it would order all that grows below, in every branch
        left = self._left(path)
        return left is None or self._price(path, feature) <= left * (1 + _core.BUDGET_ROUNDING)

    def _charged(self, cases: Problem, feature: int) -> NDArray[np.bool_]:
        """Tell which cases pay for a test that is asked of all."""
        prices, everyone = self._prices, np.ones(cases.n_rows, dtype=np.bool_)
        lacking = None if prices is None else prices.unavailable(lambda: np.isnan(_numbers(cases, feature)))
        return everyone if lacking is None else ~lacking

    def _price(self, path: Path, feature: int) -> float:
        return 0.0 if self._prices is None else float(self._prices_after(path).list_price()[feature])

    def _left(self, path: Path) -> float | None:
        if self.search.budget is None or self._prices is None:
            return self.search.budget
        spent = sum(self._price(path[:place], feature) for place, feature in enumerate(path))
        return max(0.0, self.search.budget - spent)

    def _prices_after(self, path: Path) -> _core.Prices:
        assert self._prices is not None  # asked for only where there are some
        return _core.Prices(self._prices.after_buying(path))


def _taken(cases: Problem, rows: NDArray[np.intp]) -> Problem:
    """Return the problem of some of the cases."""
    encoded = taken_rows(cases.encoded, rows.astype(np.uint32))
    return replace(
        cases,
        encoded=encoded,
        table=core_table(encoded, cases.encoder),
        labels=_labels(cases)[rows],
        weights=None if cases.weights is None else cases.weights[rows],
    )


def _labels(cases: Problem) -> NDArray[np.int32]:
    assert cases.labels is not None  # a classifier's
    return cases.labels


def _numbers(cases: Problem, feature: int) -> FloatArray:
    """Give a column as numbers, codes too; NaN where there is no value."""
    if cases.encoded.dense is not None:
        return np.asarray(cases.encoded.dense[:, feature], dtype=float)
    assert cases.encoded.columns is not None  # sparse tables are refused
    values = cases.encoded.columns[feature]
    numbers = np.array(values, dtype=float)
    if values.dtype.kind == "i":
        numbers[values < 0] = np.nan
    return numbers
