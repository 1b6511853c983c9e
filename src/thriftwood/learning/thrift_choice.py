"""The trees that compete in `ThriftClassifier`, how they are judged, and which one is taken.

Trees are made by rollouts, and their leaves doubted: to the cases of each leaf some are added that are like
all others, and every leaf costs a fee. That keeps a tree from buying tests for what few cases seem to tell.
On 226 settings of 15 tables with drawn prices the tree with much doubt costs 72.8 % of testing nobody, and
more than that in 4.4 % of the settings; with little doubt 105.8, and 38 %.

Cross-validation tells large differences and not small ones: the tree of lowest estimate, or testing nobody,
costs 76.9 % (dearer than nobody in 9.7 % of the settings). So much doubt is the usual, less is taken where it
is cheaper by more than one and a half standard errors, and nobody is tested where that much is not saved:
73.6 % and 1.3 %. Where one mistake is much worse than others few cases tell, so one more of the dearest is
counted in the standard error (without it 74.4 % and 3.1 %). Where trees compete alone, one standard error is
enough against testing nobody: 73.2 % and 2.2 %.

Scores are judged as one candidate, so nothing was chosen by the cases that judge them. They are taken where
they save one and a half standard errors against testing nobody, and half of one against a tree, which is
easier to read: on 104 settings of 11 tables 72.4 %, dearer than nobody in 1.0 %; if any saving is enough
against nobody 72.2 and 4.8, with a whole standard error against a tree 73.3 and 1.0.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.callers import callers_level
from thriftwood.base.interrupts import ends_all
from thriftwood.base.progress import Progress
from thriftwood.costs import mean_matrix
from thriftwood.learning.class_tree import FloatArray
from thriftwood.learning.optimal import DEEPEST, OptimalTreeClassifier
from thriftwood.learning.problem import Problem
from thriftwood.learning.scores import learnt_cascade
from thriftwood.learning.smoothing import smoothing_of
from thriftwood.models.cascade import Cascade
from thriftwood.models.tree.tree import Tree

CONSTANT = "constant"
DOUBTS = (("much", 12.0, 4.0), ("some", 4.0, 1.0), ("little", 1.0, 1.0))
"""How much small leaves are doubted: a word, the weight of cases like all others that is added to a leaf, and
the fee of a leaf as a multiple of what testing nobody costs a case. The first is the usual tree."""
BINS = 16
"""Quantiles that numbers are cut at."""
TRIED = 8
"""Questions that rollouts try at a node, or one for three columns if that is more. On 78 settings of eight
tables the usual tree then costs 76.5 % of testing nobody; with 64 questions 77.6 %, 7 times as slowly, and
with 4 76.3 %. Of the 80 columns of soybean in Lomax's benchmark 8 are too few: 11.8 and 8.9 with mistakes
of middle and high cost, 10.0 and 8.3 with 20."""
MANY_CASES = 3000
"""From here on one part of the cases tells enough."""
MOST_CELLS = 600_000
"""Larger tables are learnt from a sample of so many cells, and its leaves then count all cases."""
DOUBT = 1.5
"""Standard errors by which another tree must be cheaper than the usual one, and tests than testing nobody."""
DOUBT_OF_TREES = 1.0
"""Those by which a tree must be cheaper than testing nobody where scores do not compete."""
DOUBT_OF_SCORES = 0.5
"""Those by which scores must be cheaper than a tree."""

SCORES = "scores"
"""The name of the candidate that is no tree."""


class Judged(NamedTuple):
    """What a candidate costs.

    Examples
    --------
    >>> Judged("depth 1", "the best tree of at most one test on a path", 12.25, 1.5, np.zeros(400))
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
    competing: int
    """How many candidates there were; more than results where Ctrl-C was pressed."""

    @property
    def how(self) -> str:
        """How costs were estimated, as part of a sentence."""
        return f"estimated {'on a quarter of the cases' if self.parts == 1 else f'by {self.parts} folds'}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to learn a tree."""

    name: str
    words: str
    searcher: OptimalTreeClassifier
    fee: float
    """What a leaf costs, as a multiple of what the best constant answer costs a case; infinite: no tests."""

    def learnt(self, problem: Problem, by_row: FloatArray | None) -> _core.Tree:
        """Learn the tree of a problem; Ctrl-C ends it."""
        problem = replace(problem, smoothing=smoothing_of(self.searcher.smoothing))
        constant = constant_costs(problem, by_row).min()
        counted = problem.n_rows if problem.weights is None else np.count_nonzero(problem.weights)
        # No tree of two leaves costs less than one leaf if each costs more than all mistakes.
        fee = 2.0 * constant + 1.0 if np.isinf(self.fee) else self.fee * constant / counted
        self.searcher.leaf_fee = float(fee)
        found = self.searcher.search(problem, _core.Stop(None), by_row)
        if found.ended == "interrupt":
            raise KeyboardInterrupt
        return found.tree

    def model(self, problem: Problem, by_row: FloatArray | None, seed: int) -> Tree:
        """Learn the tree of a problem, as a model whose classes are numbers."""
        core = self.learnt(problem, by_row)
        return Tree(core, problem.encoder, np.arange(problem.n_classes), problem.costs)

    def counting(self, problem: Problem, sample: Problem, by_row: FloatArray | None) -> _core.Tree:
        """Learn from a sample a tree whose leaves count all cases of the problem, and answer by them."""
        tree = self.learnt(sample, by_row)
        if sample is problem:
            return tree
        assert problem.labels is not None  # classes
        loss = problem.error_matrix
        if by_row is not None:
            loss = mean_matrix(by_row, problem.labels, problem.weights)
        costs = np.ascontiguousarray(loss[problem.labels]) if by_row is None else by_row
        smoothing = smoothing_of(self.searcher.smoothing)
        return _core.recount(tree, problem.table, problem.labels, costs, loss, problem.weights, smoothing)


@dataclass(frozen=True, slots=True)
class Scores:
    """The way to learn score cards."""

    budget: float | None
    name: str = SCORES
    words: str = "score cards of tests that are bought in stages"

    def model(self, problem: Problem, by_row: FloatArray | None, seed: int) -> Cascade:
        """Learn the cascade of a problem, with numbers for classes."""
        return learnt_cascade(problem, by_row, self.budget, seed)


def candidates(like: OptimalTreeClassifier, n_columns: int) -> list[Candidate]:
    """Return the trees that compete, the constant first, then the usual one, then those with less doubt."""

    def searcher(depth: int, rollouts: int | None, smoothing: float | None) -> OptimalTreeClassifier:
        own = OptimalTreeClassifier(
            like.costs, max_depth=depth, nominal=like.nominal, bins=BINS, budget=like.budget
        )
        own.rollouts, own.smoothing, own.part_of = rollouts, smoothing, like.part_of
        return own

    found = [Candidate(CONSTANT, "no test", searcher(1, None, None), np.inf)]
    for doubt, added, fee in DOUBTS:
        words = f"a tree with {doubt} doubt of small leaves"
        found.append(
            Candidate(f"{doubt} doubt", words, searcher(DEEPEST, max(TRIED, n_columns // 3), added), fee)
        )
    return found


def constant_costs(problem: Problem, by_row: FloatArray | None) -> FloatArray:
    """Return what each answer costs when it is given to all cases."""
    assert problem.labels is not None  # classes
    weights = problem.case_weights
    if by_row is not None:
        return np.asarray(weights @ by_row)
    counts = np.bincount(problem.labels, weights, minlength=problem.n_classes)
    return np.asarray(counts @ problem.error_matrix)


def parts(labels: NDArray[np.int32], folds: int, seed: int) -> list[NDArray[np.intp]]:
    """Deal the cases into parts, each with about its share of every class; of many cases take one part.

    Examples
    --------
    >>> [part.tolist() for part in parts(np.array([0, 0, 0, 1, 1, 1], dtype=np.int32), 3, seed=0)]
    [[2, 3], [0, 5], [1, 4]]
    """
    rng = np.random.default_rng(seed)
    dealt = rng.permutation(len(labels))
    dealt = dealt[np.argsort(labels[dealt], kind="stable")]
    if len(labels) > MANY_CASES:
        return [np.sort(dealt[::4])]
    folds = min(folds, len(labels))
    return [np.sort(dealt[fold::folds]) for fold in range(folds)]


def judged(
    competing: Sequence[Candidate | Scores],
    problem: Problem,
    by_row: FloatArray | None,
    folds: int,
    seed: int,
    tell: Progress | None,
) -> Judging:
    """Judge every candidate by what cases cost that it was not learnt from.

    Trees come with less and less doubt: where one costs no less than the one before, those after it are left
    out (on 226 settings of 15 tables that changed no choice). After Ctrl-C those that were judged on all
    parts compete, if the constant and another one are among them.
    """
    assert problem.labels is not None  # classes
    counted = np.flatnonzero(problem.case_weights)
    dealt = [counted[part] for part in parts(problem.labels[counted], folds, seed)]
    unseen = [part for part in dealt if len(part) < len(counted)]
    total = len(unseen) * len(competing) + 1  # the last one is learnt on all cases
    judged_so_far: list[Judged] = []

    def told(parts_done: int) -> None:
        if tell is not None:
            tell(len(judged_so_far) * len(unseen) + parts_done, total)

    n_competing = len(competing)
    for candidate in competing:
        if isinstance(candidate, Candidate) and _overdone(judged_so_far):
            n_competing -= 1
            continue
        try:
            bills = _bills(candidate, problem, by_row, seed, unseen, told)
        except KeyboardInterrupt:
            if len(judged_so_far) < 2 or ends_all():
                raise
            warnings.warn(
                f"Ctrl-C was pressed; kept is the best of the {len(judged_so_far)} of {n_competing} "
                "candidates that were judged.",
                stacklevel=callers_level(),
            )
            break
        mean, error = mean_bill(bills, problem.weights)
        judged_so_far.append(Judged(candidate.name, candidate.words, mean, error, bills))
    return Judging(judged_so_far, len(unseen), n_competing)


def _overdone(results: Sequence[Judged]) -> bool:
    """Tell whether the last tree costs no less than the one before, which has more doubt."""
    return len(results) > 2 and not results[-1].cost < results[-2].cost


def _bills(
    candidate: Candidate | Scores,
    problem: Problem,
    by_row: FloatArray | None,
    seed: int,
    unseen: list[NDArray[np.intp]],
    told: Callable[[int], None],
) -> FloatArray:
    """Return what each case costs by what was learnt without its part; NaN if it is in no part."""
    bills = np.full(problem.n_rows, np.nan)
    for number, part in enumerate(unseen, 1):
        own = problem.case_weights.copy()
        own[part] = 0.0
        model = candidate.model(replace(problem, weights=own), by_row, seed)
        bills[part] = bill_of(model, problem, by_row)[part]
        told(number)
    return bills


def bill_of(model: Tree | Cascade, problem: Problem, by_row: FloatArray | None) -> FloatArray:
    """Return what each case costs: its tests and its answer."""
    assert problem.labels is not None  # classes
    table: Any = problem.table if isinstance(model, Tree) else problem.encoded
    answers = model.answers_of(table)
    if by_row is not None:
        mistakes = by_row[np.arange(problem.n_rows), answers]
    else:
        mistakes = problem.error_matrix[problem.labels, answers]
    if problem.costs is None:
        return np.asarray(mistakes)
    return np.asarray(model.ledger_of(table, problem.costs).test_cost + mistakes)


def chosen(
    results: list[Judged], weights: FloatArray | None, dearest: float, doubt: float = DOUBT_OF_TREES
) -> int:
    """Return the place of the candidate to take; `dearest`: what the dearest mistake costs.

    That is the usual tree, the one after the constant, unless others are clearly cheaper, of which the
    cheapest is taken. Tests are bought only where they are clearly cheaper than the constant, too. Scores are
    taken if they are cheaper than what would be taken without them.
    """
    if results[-1].name == SCORES:
        taken = chosen(results[:-1], weights, dearest, DOUBT)
        doubt = DOUBT_OF_SCORES if taken else DOUBT
        return len(results) - 1 if _cheaper(results[-1], results[taken], weights, doubt, 0.0) else taken
    constant, *trees = results
    order = sorted(range(2, len(results)), key=lambda number: results[number].cost)
    clear = [number for number in order if _cheaper(results[number], trees[0], weights, DOUBT, dearest)]
    for number in (*clear[:1], *([1] if trees else [])):
        if _cheaper(results[number], constant, weights, doubt, dearest):
            return number
    return 0


def _cheaper(one: Judged, other: Judged, weights: FloatArray | None, doubt: float, dearest: float) -> bool:
    """Tell whether the same cases cost one less than the other, by more than so many standard errors.

    Where few cases tell, none may have had the dearest mistake by luck: one more such case is counted in the
    standard error.
    """
    differences = other.bills - one.bills
    saved, error = mean_bill(differences, weights)
    n_judged = int((~np.isnan(differences)).sum())
    return bool(n_judged) and saved > doubt * float(np.hypot(error, dearest / n_judged))


def dearest_mistake(problem: Problem, by_row: FloatArray | None) -> float:
    """Return what the dearest mistake costs more than the right answer."""
    assert problem.labels is not None  # classes
    answers = problem.error_matrix[np.unique(problem.labels)] if by_row is None else by_row
    return float(np.ptp(answers, axis=1).max())


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


def mean_bill(bills: FloatArray, weights: FloatArray | None) -> tuple[float, float]:
    """Return the mean of the bills that are known, and its standard error; NaN if none is."""
    known = ~np.isnan(bills)
    if weights is not None:
        known &= weights > 0
    if not known.any():
        return np.nan, np.nan
    own = np.ones(int(known.sum())) if weights is None else weights[known]
    mean = np.average(bills[known], weights=own)
    variance = np.average((bills[known] - mean) ** 2, weights=own)
    return float(mean), float(np.sqrt(variance * (own**2).sum()) / own.sum())
