"""One trial: ten folds, each with a matrix of its own, in which every learner is judged.

A *learner* grows trees: C4.5, C4.5CS, or C4.5 with altered priors. A *way* is a learner and how its trees
answer: the class of the largest weight, or ``... by cost``: the answer of the least expected cost.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.experiments.ting1998.matrices import Matrix, draw, of_statlog
from thriftwood.experiments.ting1998.tables import DataTable, Draw, Split
from thriftwood.learning.priors import instance_weights
from thriftwood.learning.problem import Problem
from thriftwood.learning.pruning import Pessimistic
from thriftwood.learning.trials import run_trials

LEARNERS = ("c45", "c45cs", "c45-priors")
BY_COST = {"c45": "c45 by cost", "c45cs": "c45cs by cost"}
"""The ways that ask a learner's trees for the answer of the least expected cost."""
WAYS = (*LEARNERS, *BY_COST.values())


class Readings(NamedTuple):
    """What the paper leaves open, and how it is read here."""

    seed: int
    stratified: bool
    statlog: str


class Measured(NamedTuple):
    """The measures of a tree on the cases held out; in the order of `MEASURES`."""

    cost: float
    size: int
    high_cost_errors: int
    errors: int


def perform(table: DataTable, number: int, readings: Readings, n_threads: int) -> dict[str, Any]:
    """Run one trial.

    Returns
    -------
    dict
        The name of the data set, and for each way the measures of its ten trees.

    Raises
    ------
    KeyboardInterrupt
        On Ctrl-C.
    """
    rng = np.random.default_rng([readings.seed, crc32(table.name.encode()), number])
    given = of_statlog(table.name, table.classes, turned=readings.statlog == "book")
    judged: dict[str, list[Measured]] = {way: [] for way in WAYS}
    for drawn in table.draws(rng, readings.stratified):
        matrices = [draw(len(table.classes), rng) if given is None else given for _ in drawn.splits]
        for way, found in judge(drawn, matrices, n_threads).items():
            judged[way] += found
    return {"data_set": table.name, "judged": judged}


def judge(drawn: Draw, matrices: list[Matrix], n_threads: int) -> dict[str, list[Measured]]:
    """Grow the trees of all learners on each split, and judge them by its matrix.

    Raises
    ------
    KeyboardInterrupt
        On Ctrl-C.
    """
    problem = drawn.problem
    assert problem.labels is not None
    trials = [
        trial
        for split, matrix in zip(drawn.splits, matrices, strict=True)
        for trial in _trials(problem, split, matrix)
    ]
    outcomes = run_trials(problem, trials, n_threads)
    if outcomes.interrupted:
        raise KeyboardInterrupt
    finished = iter(outcomes)
    judged: dict[str, list[Measured]] = {way: [] for way in WAYS}
    for split, matrix in zip(drawn.splits, matrices, strict=True):
        actual = problem.labels[split.judge_rows]
        for learner in LEARNERS:
            outcome = next(finished)
            assert outcome is not None  # not interrupted
            size = len(outcome.tree.kind)
            judged[learner].append(_judged(matrix, actual, outcome.labels, size))
            if learner in BY_COST:
                cheapest = cheapest_answers(outcome.probabilities, matrix)
                judged[BY_COST[learner]].append(_judged(matrix, actual, cheapest, size))
    return judged


def cheapest_answers(probabilities: NDArray[np.float64], matrix: Matrix) -> NDArray[np.intp]:
    """Return for each case the answer of the least expected cost; ties, up to rounding, go to the first.

    Examples
    --------
    >>> cheapest_answers(np.array([[0.75, 0.25], [0.9, 0.1]]), np.array([[0.0, 1.0], [5.0, 0.0]]))
    array([1, 0])
    """
    expected = probabilities @ matrix
    least = expected.min(axis=1, keepdims=True)
    answers: NDArray[np.intp] = np.argmax(expected <= least * (1.0 + 1e-12), axis=1)
    return answers


def _trials(problem: Problem, split: Split, matrix: Matrix) -> list[_core.Trial]:
    """Return what the core is to do for each learner, in their order."""
    assert problem.labels is not None
    counts = np.bincount(problem.labels[split.grow_rows], minlength=problem.n_classes)
    weights = instance_weights(matrix, counts.astype(np.float64))
    cut = Pessimistic().cut(problem.settings)
    plain = (problem.settings, None, cut, *split)
    return [
        _core.Trial(*plain),
        _core.Trial(*plain, grow_weights=weights, cut_weights=weights),
        _core.Trial(*plain, grow_weights=weights),
    ]


def _judged(matrix: Matrix, actual: NDArray[np.int32], answers: NDArray[Any], size: int) -> Measured:
    costs = matrix[actual, answers]
    dear, wrong = int(np.count_nonzero(costs > 1.0)), int(np.count_nonzero(answers != actual))
    return Measured(float(costs.sum()), size, dear, wrong)
