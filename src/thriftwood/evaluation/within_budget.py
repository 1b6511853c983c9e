"""What a model answers, and what cases pay, if none may spend more than a budget.

Each case is asked as in a consultation with that budget (`thriftwood.consult`): a test that would take its
bill beyond it is not bought, and the case is answered by what is known by then. A tree is asked in bulk, by
the core (`core/accounting/budget_ledger.hpp`), also where naive Bayes answers; panels, boosters and cascades
one case after the other.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.parameters import Real, parameter_error
from thriftwood.consult import Consultation
from thriftwood.consult.consultation import Answer
from thriftwood.costs import Costs
from thriftwood.costs.answers import cheapest
from thriftwood.learning.budget import limit_of
from thriftwood.models.asked import ColumnLedger
from thriftwood.models.bayes_answers import BayesAnswersModel
from thriftwood.models.booster import Booster
from thriftwood.models.cascade import Cascade
from thriftwood.models.ledger import Charged, asked_in
from thriftwood.models.model import Model
from thriftwood.models.panel import Panel
from thriftwood.models.tree.tree import Tree
from thriftwood.table import MISSING, Kind

BUDGET = Real(0.0, none=True)
"""What a budget may be."""


class Spent(NamedTuple):
    """What was answered and bought, and which cases the budget stopped."""

    charged: Charged
    stopped: NDArray[np.bool_]


def within_limit(budget: Any) -> float | None:
    """Return the budget that `bill` was given; None: there is no limit.

    Raises
    ------
    ValueError
        If it is negative or not a number.
    """
    if not BUDGET.accepts(budget):
        raise parameter_error("bill", "budget", budget, BUDGET)
    return limit_of(budget)


def spent_within(model: Model, X: Any, costs: Costs, budget: float) -> Spent:
    """Ask every case of a table with a budget.

    Raises
    ------
    ValueError
        If the model does not ask for one test at a time.
    """
    if isinstance(model, Tree):
        ledger, answers, stopped = _core.ledger_within(
            model.core, model.prices_of(costs), model.table(X), float(budget), model.threads(None)
        )
        return Spent(Charged(answers, ledger), stopped.astype(bool))
    if isinstance(model, BayesAnswersModel):
        return _by_bayes(model, X, costs, budget)
    if isinstance(model, Panel | Booster | Cascade):
        return _by_consultation(model.with_costs(costs), X, float(budget))
    raise ValueError(
        f"bill has budget={budget:g}, but {model.owner} is asked for all its tests at once, so no case can "
        "stop where its budget ends. Single trees, panels (bagging, boosting, cocost, shortcut-forest) and "
        "gradient boosting are asked for one test at a time, score cards stage by stage: learn one of these, "
        "or leave the budget out."
    )


def _by_bayes(model: BayesAnswersModel, X: Any, costs: Costs, budget: float) -> Spent:
    """Let the tree ask within the budget, and naive Bayes answer by what that buys."""
    X = model.setup.prepared(X)
    charged, stopped = spent_within(model.inside, X, costs, budget)
    ledger, table = model.with_free(charged.ledger, costs), model.inside.table(X)
    answers = cheapest(model.shares_by(table, asked_in(ledger, model.n_features)), model.loss)
    if model.leaves.group is not None:  # who was stopped is at no leaf
        answers = np.where(stopped, charged.answers, answers)
    return Spent(Charged(answers, ledger), stopped)


def _by_consultation(model: Model, X: Any, budget: float) -> Spent:
    codes = _codes(model, X)
    lacking = None if model.costs is None else model.costs.unavailable(lambda: np.isnan(codes))
    assert model.answers is not None  # all of these answer with classes
    number_of = {name: number for number, name in enumerate(model.answers.tolist())}
    answers, stopped, bills, consulted = [], [], [], []
    for number, row in enumerate(codes):
        lacks = np.isnan(row)
        free = () if lacking is None else np.flatnonzero(lacking[number])
        unavailable = [model.feature_names[feature] for feature in free]
        case = Consultation.of(model, unavailable=unavailable, budget=budget)
        while not case.finished:
            feature = model.feature_index[case.next_tests[0]]
            available = not lacks[feature]
            code = float(row[feature]) if available else model.columns[feature].encode(None)
            case.take(Answer(feature, code, available))
        answers.append(number_of[case.result])
        stopped.append(case.stopped == "budget")
        bills.append([(model.feature_index[name], price) for name, price in case.bought])
        said: Any = case.consulted  # type: ignore[attr-defined]  # all of these have it
        consulted.append(said if isinstance(said, int) else len(said))
    entries = [entry for bill in bills for entry in bill]
    ledger = ColumnLedger(
        np.array([sum(price for _, price in bill) for bill in bills], dtype=float),
        np.cumsum([0, *map(len, bills)], dtype=np.int64),
        np.array([test for test, _ in entries], dtype=np.int32),
        np.ones(len(entries)),
        np.array([price for _, price in entries], dtype=float),
    )
    charged = Charged(
        np.array(answers, dtype=np.int32), ledger, n_consulted=np.array(consulted, dtype=np.int32)
    )
    return Spent(charged, np.array(stopped, dtype=bool))


def _codes(model: Model, X: Any) -> NDArray[np.float64]:
    """Give every cell as a number, codes too; NaN where there is no value."""
    encoded = model.encode(X)
    if encoded.dense is not None:
        return np.asarray(encoded.dense, dtype=float)
    if encoded.columns is None:
        return np.asarray(X.toarray(), dtype=float)  # a sparse table has numbers alone
    columns = []
    for column, values in zip(model.columns, encoded.columns, strict=True):
        numbers = np.array(values, dtype=float)
        if column.kind is not Kind.NUMERIC and values.dtype.kind == "i":
            numbers[values == MISSING] = np.nan
        columns.append(numbers)
    return np.column_stack(columns)
