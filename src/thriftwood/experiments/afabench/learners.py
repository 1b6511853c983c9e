"""The learners that compete, each with settings chosen by the cases kept aside for that.

c45, gated
    Learnt within the budget; pruned or not.
bayes
    Either of these trees asks, and naive Bayes answers by what was paid.
boosting
    Gradient boosting, learnt without a budget and asked within it; with one of a few weights of prices.

On bank marketing, a large table whose measure counts the rarer class, they choose how much it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score, f1_score

from thriftwood.costs import Costs
from thriftwood.ensembles import BayesAnswers
from thriftwood.evaluation import bill
from thriftwood.experiments.afabench.data import Cases
from thriftwood.learners import algorithm
from thriftwood.table.rows import take_rows

SETTINGS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "c45": ({}, {"pruning": None}),
    "gated": ({}, {"pruning": None}),
    "bayes": tuple({"tree": tree, **how} for tree in ("c45", "gated") for how in ({}, {"pruning": None})),
    "boosting": ({"cost_weight": 0.01}, {"cost_weight": 0.03}, {"cost_weight": 0.1}),
}
"""What each learner chooses from."""
LARGE = 5000
"""Tables of more cases to learn from have settings of their own, and fewer cases to choose by."""
LARGE_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "c45": {"pruning": None, "min_branch_weight": 50.0},
    "gated": {"pruning": None, "min_branch_weight": 50.0},
    "bayes": {"tree": "c45", "pruning": None, "min_branch_weight": 50.0},
    "boosting": {"cost_weight": 0.01},
}
JUDGED = 2000
"""By so many cases, evenly from all that are kept aside, large tables choose."""
WEIGHTS = (2.0, 3.0)
"""How many times more it may cost to miss the rarer class, where F1 counts."""


class Score(NamedTuple):
    """What a learner reached with a budget."""

    score: float
    mean_tests: float
    """What a case paid."""
    gates: int
    """Gates that were found, where a learner looks for them."""


class Parts(NamedTuple):
    """The rows to learn from, to choose by and to answer."""

    learn: NDArray[np.intp]
    choose: NDArray[np.intp]
    answer: NDArray[np.intp]


def parted(n_rows: int, rng: np.random.Generator) -> Parts:
    """Deal cases: 60, 20 and 20 %.

    Examples
    --------
    >>> [len(part) for part in parted(10, np.random.default_rng(0))]
    [6, 2, 2]
    """
    order = rng.permutation(n_rows)
    first, second = int(0.6 * n_rows), int(0.8 * n_rows)
    return Parts(*(np.sort(part) for part in (order[:first], order[first:second], order[second:])))


def thinned(rows: NDArray[np.intp], at_most: int) -> NDArray[np.intp]:
    """Return so many rows, evenly from first to last: tables are sorted, and their classes drift.

    Examples
    --------
    >>> thinned(np.arange(10), 4)
    array([0, 2, 5, 7])
    """
    size = min(at_most, len(rows))
    return rows[np.arange(size) * len(rows) // size]


def score_of(measure: str) -> Callable[[Any, Any], float]:
    """Return a measure by name."""
    if measure == "accuracy":
        return lambda actual, answered: float(accuracy_score(actual, answered))
    return lambda actual, answered: float(f1_score(actual, answered, average="macro"))


def compete(learner: str, cases: Cases, parts: Parts, budget: float, measure: str, seed: int) -> Score:
    """Learn with every setting, choose one by the cases kept aside, and answer the others."""
    judge = score_of(measure)
    choose = thinned(parts.choose, JUDGED) if len(parts.learn) > LARGE else parts.choose
    tried = []
    for settings, costs in _settings(learner, cases, parts, measure):
        model = _learnt(learner, settings, costs, cases, parts.learn, budget, seed)
        tried.append((judge(cases.y[choose], _asked(model, cases, choose, budget)[0]), model))
    model = max(tried, key=lambda one: one[0])[1]
    answers, paid = _asked(model, cases, parts.answer, budget)
    gates = getattr(getattr(model, "estimator_", model), "gates_", ())
    return Score(judge(cases.y[parts.answer], answers), paid, len(gates))


def _settings(
    learner: str, cases: Cases, parts: Parts, measure: str
) -> Iterator[tuple[Mapping[str, Any], Costs]]:
    large = len(parts.learn) > LARGE
    for settings in (LARGE_SETTINGS[learner],) if large else SETTINGS[learner]:
        for weight in (1.0,) if measure == "accuracy" else WEIGHTS:
            yield settings, cases.costs(weight)


def _learnt(
    learner: str, settings: Mapping[str, Any], costs: Costs, cases: Cases, rows: Any, budget: float, seed: int
) -> Any:
    if learner == "boosting":
        model = algorithm("gradient-boosting", costs=costs, random_state=seed, **settings)
    else:
        of_tree = {"tree": learner, **settings}
        model = algorithm(of_tree.pop("tree"), costs=costs, random_state=seed, budget=budget, **of_tree)
        model = BayesAnswers(model) if learner == "bayes" else model
    return model.fit(take_rows(cases.X, rows), cases.y[rows])


def _asked(model: Any, cases: Cases, rows: Any, budget: float) -> tuple[NDArray[Any], float]:
    """Return the answers within the budget, and what a case paid."""
    found = bill(model, take_rows(cases.X, rows), budget=budget)
    return model.classes_[found.predicted], float(found.mean_test_cost)
