"""What the candidates of `ThriftClassifier` cost cases that they were not learnt from.

Each is learnt on four fifths of the cases and billed on the last fifth, in turn; of more than 3,000 cases a
quarter is judged, and all quarters in turn where that leaves open whether any test pays.

Where the best tree of three tests competes, trees are learnt in milliseconds and differ little, so cases are
dealt three times for them: on 76 divisions of Lomax's tables the mean cost is then 12.14 instead of 12.19.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.callers import callers_level
from thriftwood.base.interrupts import ends_all
from thriftwood.base.progress import Progress
from thriftwood.learning.class_tree import FloatArray
from thriftwood.learning.problem import Problem
from thriftwood.learning.thrift_bills import Bills, bills_of, mean_bill
from thriftwood.learning.thrift_candidates import (
    DOUBTED,
    THREE_TESTS,
    Candidate,
    Scores,
    few_mistakes,
)

MANY_CASES, QUARTERS = 3000, 4
"""From so many cases on a quarter of them tells enough, or all quarters in turn."""
MOST_CELLS = 600_000
"""Larger tables are learnt from a sample of so many cells, and its leaves then count all cases."""
DEALT = 3
"""How often cases are dealt where trees are learnt in milliseconds."""


class Judged(NamedTuple):
    """What a candidate costs.

    Examples
    --------
    >>> Judged("depth 1", "the best tree of at most one test on a path", 12.25, 1.5, np.zeros(400), 3.5)
    <depth 1: 12.25 +- 1.5 an unseen case>
    """

    name: str
    words: str
    cost: float
    """Of an unseen case: tests and mistakes."""
    error: float
    """The standard error of `cost`."""
    bills: FloatArray
    """Of each case, learnt without it; NaN where it was in no part that was judged."""
    test_cost: float
    """What of `cost` is for tests."""

    def __repr__(self) -> str:
        cost = "not judged" if np.isnan(self.cost) else f"{self.cost:.6g} +- {self.error:.6g} an unseen case"
        return f"<{self.name}: {cost}>"

    @property
    def about(self) -> str:
        """What it costs, as part of a sentence."""
        return f"about {_rounded(self.cost, 4)} (± {_rounded(self.error, 2)})"


class Judging(NamedTuple):
    """What candidates cost, and how that was found out."""

    results: list[Judged]
    parts: int
    """Of the cases, each billed by trees of the others; 0: there were too few cases."""
    deals: int
    """How often the cases were dealt into parts."""
    competing: int
    """How many candidates there were; more than results where Ctrl-C was pressed."""
    steady: list[FloatArray]
    """The bills of the results, half by what answers were expected to cost; none where mistakes are many."""
    learnt: int
    """How many trees and cards were learnt for it."""
    interrupted: bool = False
    """Whether Ctrl-C ended it: some candidates are missing, or all quarters but one."""
    believed: float | None = None
    """What the candidate that was taken is believed to cost; None: what folds say, for nothing was chosen."""

    @property
    def undecided(self) -> bool:
        """Whether a quarter of the cases leaves open if anything is cheaper than the constant."""
        constant, *others = self.results
        return self.parts == 1 and not self.interrupted and any(one.cost < constant.cost for one in others)

    @property
    def how(self) -> str:
        """How costs were estimated, as part of a sentence."""
        on = "on a quarter of the cases" if self.parts == 1 else f"by {self.parts} folds"
        return f"estimated {on}{'' if self.deals == 1 else f', dealt {self.deals} times'}"


def parts(
    labels: NDArray[np.int32], folds: int, seed: int, every_quarter: bool = False
) -> list[NDArray[np.intp]]:
    """Deal the cases into parts, each with about its share of every class; of many cases take a quarter.

    Examples
    --------
    >>> [part.tolist() for part in parts(np.array([0, 0, 0, 1, 1, 1], dtype=np.int32), 3, seed=0)]
    [[2, 3], [0, 5], [1, 4]]
    """
    rng = np.random.default_rng(seed)
    dealt = rng.permutation(len(labels))
    dealt = dealt[np.argsort(labels[dealt], kind="stable")]
    if len(labels) > MANY_CASES and not every_quarter:
        return [np.sort(dealt[::QUARTERS])]
    folds = QUARTERS if len(labels) > MANY_CASES else min(folds, len(labels))
    return [np.sort(dealt[fold::folds]) for fold in range(folds)]


def judged(
    competing: Sequence[Candidate | Scores],
    problem: Problem,
    by_row: FloatArray | None,
    folds: int,
    seed: int,
    tell: Progress | None,
    quarter: Judging | None = None,
) -> Judging:
    """Judge every candidate by what cases cost that it was not learnt from.

    Trees come with less and less doubt: where one costs more than the one before, those after it are left
    out (on 226 settings of 15 tables that changed no choice). After Ctrl-C those that were judged on all
    parts compete, if the constant and another one are among them.

    `quarter`: what a quarter of the cases said, where all quarters are to be judged now. After Ctrl-C that
    is what holds.
    """
    assert problem.labels is not None  # classes
    counted = np.flatnonzero(problem.case_weights)
    deals = DEALT if any(candidate.name == THREE_TESTS for candidate in competing) else 1
    every_quarter = quarter is not None
    every = [parts(problem.labels[counted], folds, seed + deal, every_quarter) for deal in range(deals)]
    unseen = [counted[part] for dealt in every for part in dealt if len(part) < len(counted)]
    own = [unseen if isinstance(one, Candidate) else unseen[: len(unseen) // deals] for one in competing]
    learnt = 0 if quarter is None else quarter.learnt
    total = learnt + sum(map(len, own)) + 1  # the last one is learnt on all cases
    judged_so_far: list[Judged] = []

    def told() -> None:
        nonlocal learnt
        learnt += 1
        if tell is not None:
            tell(learnt, total)

    n_competing, interrupted = len(competing), False
    expects = by_row is None and isinstance(competing[-1], Scores) and few_mistakes(problem)
    steady: list[FloatArray] = []
    for candidate, its_parts in zip(competing, own, strict=True):
        if isinstance(candidate, Candidate) and _overdone(judged_so_far):
            n_competing -= 1
            continue
        try:
            bills = _bills(candidate, problem, by_row, seed, its_parts, expects, told)
        except KeyboardInterrupt:
            if (quarter is None and len(judged_so_far) < 2) or ends_all():
                raise
            interrupted = True
            kept = f"{len(judged_so_far)} of {n_competing} candidates that were judged"
            if quarter is not None:
                kept = "candidates as a quarter of the cases judges them"
            warnings.warn(f"Ctrl-C was pressed; kept is the best of the {kept}.", stacklevel=callers_level())
            break
        mean, error = mean_bill(bills.own, problem.weights)
        paid, _ = mean_bill(bills.tests, problem.weights)
        judged_so_far.append(Judged(candidate.name, candidate.words, mean, error, bills.own, paid))
        if expects:
            steady.append(bills.steady)
    if quarter is not None and interrupted:
        return quarter._replace(interrupted=True)
    return Judging(judged_so_far, len(unseen) // deals, deals, n_competing, steady, learnt, interrupted)


def _overdone(results: Sequence[Judged]) -> bool:
    """Tell whether the last tree costs more than the one before, which has more doubt."""
    doubted = [one for one in results if one.name.endswith(DOUBTED)]
    return len(doubted) > 1 and not doubted[-1].cost <= doubted[-2].cost


def _bills(
    candidate: Candidate | Scores,
    problem: Problem,
    by_row: FloatArray | None,
    seed: int,
    unseen: list[NDArray[np.intp]],
    expects: bool,
    told: Callable[[], None],
) -> Bills:
    """Return what each case costs by what was learnt without its part; NaN if it is in no part."""
    sums, times = np.zeros((len(Bills._fields), problem.n_rows)), np.zeros(problem.n_rows)
    for part in unseen:
        own = problem.case_weights.copy()
        own[part] = 0.0
        model = candidate.model(replace(problem, weights=own), by_row, seed)
        sums[:, part] += np.stack(bills_of(model, problem, by_row, expects))[:, part]
        times[part] += 1.0
        told()
    return Bills(*np.divide(sums, times, out=np.full(sums.shape, np.nan), where=times > 0.0))


def sampled(problem: Problem, seed: int) -> Problem:
    """Return the problem of a sample of the cases, where the table is too large for rollouts."""
    most = max(MOST_CELLS // problem.encoder.n_features, 1)
    counted = np.arange(problem.n_rows) if problem.weights is None else np.flatnonzero(problem.weights)
    if len(counted) <= most:
        return problem
    assert problem.labels is not None  # classes
    rng = np.random.default_rng(seed)
    dealt = rng.permutation(counted)
    dealt = dealt[np.argsort(problem.labels[dealt], kind="stable")]
    weights = np.zeros(problem.n_rows)
    rows = dealt[np.linspace(0, len(dealt) - 1, most).astype(np.intp)]
    weights[rows] = 1.0 if problem.weights is None else problem.weights[rows]
    return replace(problem, weights=weights)


def _rounded(value: float, digits: int) -> str:
    """Write a number with so many digits that count, large ones whole.

    Examples
    --------
    >>> _rounded(147.5728, 4), _rounded(1234567.8, 4), _rounded(0.00456, 2)
    ('147.6', '1234568', '0.0046')
    """
    return f"{value:.0f}" if abs(value) >= 10**digits else f"{value:.{digits}g}"
