"""`learnt_cascade`: the cascade of score cards with the lowest bill on held-out cases."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from thriftwood.costs import Costs, mean_matrix
from thriftwood.learning.problem import Problem
from thriftwood.learning.scores.basis import card_of, learnt_bases
from thriftwood.learning.scores.logistic import logistic
from thriftwood.learning.scores.panels import RIDGES, Cases, Panel, PathLearner, Prices, folds_of
from thriftwood.learning.scores.stages import Plan, Planner
from thriftwood.models.cascade import Cascade, Stage
from thriftwood.models.ledger import FloatArray
from thriftwood.models.score_card import column_of
from thriftwood.table.missing import missing_in

OWN_LOSS = 0.5
"""How much of what answers cost a case is its own, where that differs by row; the rest is the mean of its
class. Losses have long tails: with all of it cards of a lender cost 58.5 and 100 % of testing nobody on two
tables, with half 58.0 and 87.0, with none 58.2 and 91.4 (six and three divisions, on which it was chosen; on
others half is no better than none on the first table). Cases then count by what is at stake in them, so that
a card learns who has much to lose, and its chances are shares of losses."""
SMALL = 1e-9


def learnt_cascade(problem: Problem, by_row: FloatArray | None, budget: float | None, seed: int) -> Cascade:
    """Learn a cascade of a problem with two or more classes; one stage without tests where no test pays.

    Parameters
    ----------
    problem : Problem
        The cases. Those of weight 0 leave no trace.
    by_row : array of shape (n_rows, n_classes), optional
        What each answer costs each case, where that differs by row.
    budget : float, optional
        The most that a case may pay for tests.
    seed : int
        Deals the cases.
    """
    with _blas_threads().limit(limits=1, user_api="blas"):
        return _learnt(problem, by_row, budget, seed)


@cache
def _blas_threads() -> ThreadpoolController:
    """Return what holds BLAS to one thread: products of small matrices take ten times as long with two."""
    return ThreadpoolController()


def _learnt(problem: Problem, by_row: FloatArray | None, budget: float | None, seed: int) -> Cascade:
    cases = _cases(problem, by_row)
    costs = problem.costs or Costs()
    encoder = problem.encoder
    names = encoder.feature_names or tuple(f"x{feature}" for feature in range(encoder.n_features))
    lacking = costs.unavailable(lambda: missing_in(problem.encoded)[_counted(problem)])
    prices = Prices(costs, names, budget, lacking)
    path: list[Panel] = []
    plan, ridge = None, RIDGES[0]
    if len(cases.labels) > 1 and len(np.unique(cases.labels)) > 1:
        learner = PathLearner(cases, prices, folds_of(encoder, cases, seed))
        path, ridge = learner.path(), learner.ridge
        may_stop = [costs.payment != "upfront" and prices.delayed.isdisjoint(panel.tests) for panel in path]
        plan = Planner(cases, path, may_stop).best()
    stages = [_nobody(cases)] if plan is None else _stages(problem, cases, path, plan, ridge)
    return Cascade(stages, cases.loss, encoder, np.arange(problem.n_classes), problem.costs)


def _cases(problem: Problem, by_row: FloatArray | None) -> Cases:
    assert problem.labels is not None  # classes
    rows = _counted(problem)
    labels, weights = problem.labels[rows], problem.case_weights[rows]
    # What the best answer costs, or brings in, is had in any case: who is sure stops, however dear he is.
    loss = _beyond_best(problem.error_matrix)
    answer_costs = loss[labels]
    if by_row is not None:
        by_row = _beyond_best(by_row)
        loss = mean_matrix(by_row, problem.labels, problem.weights)
        answer_costs = OWN_LOSS * by_row[rows] + (1.0 - OWN_LOSS) * loss[labels]
        counts = _relative_stakes(answer_costs, labels, weights)
        weights, answer_costs = weights * counts, answer_costs / counts[:, None]
    columns = [column_of(problem.encoded, feature)[rows] for feature in range(problem.encoder.n_features)]
    return Cases(columns, labels, problem.n_classes, weights, answer_costs, loss)


def _counted(problem: Problem) -> NDArray[np.intp]:
    """Return the rows of the cases that count."""
    return np.flatnonzero(problem.case_weights)


def _beyond_best(answer_costs: FloatArray) -> FloatArray:
    """Return what answers cost more than the best one of their row."""
    return np.asarray(answer_costs - answer_costs.min(axis=1, keepdims=True))


def _relative_stakes(answer_costs: FloatArray, labels: NDArray[np.int32], weights: FloatArray) -> FloatArray:
    """Return what is at stake in each case, as a multiple of the mean of its class; 1 where nothing is."""
    stakes = np.ptp(answer_costs, axis=1)
    means = np.bincount(labels, weights * stakes) / np.maximum(np.bincount(labels, weights), SMALL)
    relative = stakes / np.maximum(means[labels], SMALL)
    return np.asarray(np.where(relative > SMALL, relative, 1.0))


def _nobody(cases: Cases) -> Stage:
    """Return the stage that buys nothing: the chances are those of all cases."""
    counts = np.bincount(cases.labels, cases.weights, minlength=cases.n_classes)
    log_odds = np.log(np.maximum(counts, 1e-9 * counts.sum()))
    base = log_odds[1:] - log_odds[0] if cases.n_classes == 2 else log_odds - log_odds.mean()
    return Stage((), card_of([], base[None, :]))


def _stages(problem: Problem, cases: Cases, path: list[Panel], plan: Plan, ridge: float) -> list[Stage]:
    """Learn the cards of the stages on all cases."""
    bases = learnt_bases(problem.encoder, cases.columns)
    stages, bought = [], 0
    for place, stop in zip(plan.places, plan.stops, strict=True):
        tests = path[place].tests
        ones = np.ones((len(cases.labels), 1))
        columns = np.hstack([ones, *(bases[test].columns(cases.columns[test]) for test in tests)])
        weights = logistic(columns, cases.labels, cases.n_classes, ridge, cases.weights)
        stages.append(Stage(tests[bought:], card_of([bases[test] for test in tests], weights), stop))
        bought = len(tests)
    # A test of a set may come to no points at all: then nobody pays for it.
    counted = {feature for stage in stages for feature in stage.card.features}
    return [replace(stage, tests=tuple(test for test in stage.tests if test in counted)) for stage in stages]
