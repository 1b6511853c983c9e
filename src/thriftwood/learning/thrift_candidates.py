"""The trees and score cards that compete in `ThriftClassifier`.

Trees are made by rollouts, and their leaves doubted: to the cases of each leaf some are added that are like
all others, and every leaf costs a fee. That keeps a tree from buying tests for what few cases seem to tell.
On 226 settings of 15 tables with drawn prices the tree with much doubt costs 72.8 % of testing nobody, and
more than that in 4.4 % of the settings; with little doubt 105.8, and 38 %.

Where there are few questions for the cases, and mistakes enough to learn from, the best tree of three tests
fits no chance, and all of them are searched in milliseconds: there it is the usual one. On Lomax's tables it
is better than trees with much doubt (14.4 and 15.4 on heart with dear mistakes). On nine tables made 0/1 it
is level with them where testing nobody costs as much as forty of the dearest mistakes, and twice as dear
where it costs less than ten.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from thriftwood import _core
from thriftwood.costs import mean_matrix
from thriftwood.costs.further import worth_giving
from thriftwood.learning.class_tree import FloatArray
from thriftwood.learning.optimal import DEEPEST, OptimalTreeClassifier
from thriftwood.learning.problem import Problem, taken_rows
from thriftwood.learning.scores import learnt_cascade
from thriftwood.learning.smoothing import smoothing_of
from thriftwood.models.cascade import Cascade
from thriftwood.models.tree.tree import Tree
from thriftwood.table.columns import Kind

CONSTANT, THREE_TESTS, DOUBTED = "constant", "three tests", " doubt"
DOUBTS = (("much", 12.0, 4.0), ("some", 4.0, 1.0), ("little", 1.0, 1.0), ("no", 0.0, 1.0))
"""How much small leaves are doubted: a word, the weight of cases like all others that is added to a leaf, and
the fee of a leaf as a multiple of what testing nobody costs a case. The first is the usual tree."""
BINS = 16
"""Quantiles that numbers are cut at."""
TRIED = 8
"""Questions that rollouts try at a node, or one for three columns if that is more. On 78 settings of eight
tables the usual tree then costs 76.5 % of testing nobody; with 64 questions 77.6 %, 7 times as slowly, and
with 4 76.3 %. Of the 80 columns of soybean in Lomax's benchmark 8 are too few: 11.8 and 8.9 with mistakes
of middle and high cost, 10.0 and 8.3 with 20."""
MANY_CLASSES = 10
"""With more of them no question tells much by itself, and one for every column is tried: on soybean, of 15
classes, trees with little doubt then cost 9.6 instead of 9.9, the mean of three levels and four divisions."""
CASES_FOR_A_QUESTION = 10
"""Where there are so many, the best tree of three tests is the usual one."""
MISTAKES = 40.0
"""Testing nobody must then cost as much as so many of the dearest mistakes; where it costs less, luck tells
who misses one."""
SEARCHED_WORK = 2e7
"""Cases times classes times pairs of questions that its search may have, about ten milliseconds."""
LEARNT_FROM = 3
"""Cases that a class must have for its mistakes to count as the dearest: fewer are in one part or two, and
whoever is judged by them learnt from one at most. One case of nursery, which costs 200 times as much as any
other to get wrong, would otherwise hide what tests save."""
LOOKED_AT = 2000
"""Rows whose numbers are looked at to count questions."""

SCORES = "scores"
"""The name of the candidate that is no tree."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to learn a tree."""

    name: str
    words: str
    searcher: OptimalTreeClassifier
    fee: float
    """What a leaf costs, as a multiple of what tests can save a case; infinite: no tests."""

    def learnt(self, problem: Problem, by_row: FloatArray | None) -> _core.Tree:
        """Learn the tree of a problem; Ctrl-C ends it."""
        problem = replace(problem, smoothing=smoothing_of(self.searcher.smoothing))
        saved = most_saved(problem, by_row)
        counted = problem.n_rows if problem.weights is None else np.count_nonzero(problem.weights)
        # No tree of two leaves costs less than one leaf if each costs more than all mistakes.
        fee = 2.0 * saved + 1.0 if np.isinf(self.fee) else self.fee * saved / counted
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

    def counting_ended(
        self, problem: Problem, tree: _core.Tree, ended: FloatArray, n_cases: int
    ) -> _core.Tree:
        """Do the same with cases elsewhere: `ended` is what they weigh at the nodes where they end."""
        counted = 0 if problem.weights is None else n_cases
        return _core.recount_ended(
            tree, ended, problem.error_matrix, smoothing_of(self.searcher.smoothing), counted
        )


@dataclass(frozen=True, slots=True)
class Scores:
    """The way to learn score cards."""

    budget: float | None
    name: str = SCORES
    words: str = "score cards of tests that are bought in stages"

    def model(self, problem: Problem, by_row: FloatArray | None, seed: int) -> Cascade:
        """Learn the cascade of a problem, with numbers for classes."""
        return learnt_cascade(problem, by_row, self.budget, seed)


def candidates(like: OptimalTreeClassifier, problem: Problem, by_row: FloatArray | None) -> list[Candidate]:
    """Return the trees that compete, the constant first, then the usual one, then those with less doubt."""

    def searcher(depth: int, rollouts: int | None, smoothing: float | None) -> OptimalTreeClassifier:
        own = OptimalTreeClassifier(
            like.costs, max_depth=depth, nominal=like.nominal, bins=BINS, budget=like.budget
        )
        own.rollouts, own.smoothing, own.part_of = rollouts, smoothing, like.part_of
        return own

    found = [Candidate(CONSTANT, "no test", searcher(1, None, None), np.inf)]
    if fits_no_chance(problem, by_row):
        words = "the best tree of at most three tests on a path"
        found.append(Candidate(THREE_TESTS, words, searcher(3, None, None), 0.0))
    columns_each = 1 if problem.n_classes > MANY_CLASSES else 3
    tried = max(TRIED, problem.encoder.n_features // columns_each)
    for doubt, added, fee in DOUBTS:
        words = f"a tree with {doubt} doubt of small leaves"
        found.append(Candidate(f"{doubt}{DOUBTED}", words, searcher(DEEPEST, tried, added or None), fee))
    return found


def fits_no_chance(problem: Problem, by_row: FloatArray | None) -> bool:
    """Tell whether the best tree of three tests is the usual one: few questions, and mistakes enough."""
    n_cases = int(np.count_nonzero(problem.case_weights))
    least = n_cases // CASES_FOR_A_QUESTION
    if by_row is not None or problem.encoder.n_features > least:
        return False
    if few_mistakes(problem):
        return False
    n_asked = n_questions(problem, BINS)
    return n_asked <= least and n_cases * problem.n_classes * n_asked**2 <= SEARCHED_WORK


def few_mistakes(problem: Problem) -> bool:
    """Tell whether tests save less than so many of the dearest mistakes that luck evens out."""
    weights = problem.case_weights
    dearest = dearest_mistake(problem, None) * float(weights.sum()) / int(np.count_nonzero(weights))
    return most_saved(problem, None) < MISTAKES * dearest


def n_questions(problem: Problem, bins: int) -> int:
    """Return about how many questions there are about a table: cuts of numbers, categories."""
    first = problem.encoded
    if problem.n_rows > LOOKED_AT:
        first = taken_rows(first, np.arange(LOOKED_AT, dtype=np.uint32))
    if first.sparse is not None:
        return problem.encoder.n_features * (bins - 1)
    columns = first.columns if first.columns is not None else list(first.dense.T)  # type: ignore[union-attr]
    counted = 0
    for column, values in zip(problem.encoder.columns, columns, strict=True):
        seen = np.unique(values)
        if column.kind is Kind.NOMINAL:  # below 0: missing, as all names of cases are that are not asked
            n_seen = int(np.count_nonzero(seen >= 0))
            counted += n_seen if n_seen > 2 else max(0, n_seen - 1)  # of two, one question is the other
        else:
            counted += max(0, min(int(np.count_nonzero(~np.isnan(seen))), bins) - 1)
    return counted


def dearest_mistake(problem: Problem, by_row: FloatArray | None) -> float:
    """Return what the dearest mistake costs more than the right answer, about a class that can be learnt."""
    assert problem.labels is not None  # classes
    if by_row is not None:
        return float(np.ptp(by_row[problem.case_weights > 0.0], axis=1).max())
    counts = np.bincount(problem.labels[problem.case_weights > 0.0], minlength=problem.n_classes)
    learnt = counts >= min(LEARNT_FROM, counts.max())
    matrix = problem.error_matrix[: len(counts)]
    return float(np.ptp(matrix[:, worth_giving(matrix)][learnt], axis=1).max())


def most_saved(problem: Problem, by_row: FloatArray | None) -> float:
    """Return what the best constant answer costs all cases more than the right ones.

    A difference, so that a cost which every answer to a case has, or a benefit, changes nothing.
    """
    assert problem.labels is not None  # classes
    weights = problem.case_weights
    if by_row is not None:
        right = weights @ by_row.min(axis=1)
    else:
        counts = np.bincount(problem.labels, weights, minlength=problem.n_classes)
        right = counts @ problem.error_matrix.min(axis=1)
    return max(0.0, float(constant_costs(problem, by_row).min() - right))


def constant_costs(problem: Problem, by_row: FloatArray | None) -> FloatArray:
    """Return what each answer costs when it is given to all cases."""
    assert problem.labels is not None  # classes
    weights = problem.case_weights
    if by_row is not None:
        return np.asarray(weights @ by_row)
    counts = np.bincount(problem.labels, weights, minlength=problem.n_classes)
    return np.asarray(counts @ problem.error_matrix)
