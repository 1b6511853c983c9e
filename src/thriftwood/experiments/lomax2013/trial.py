"""One division of one table: every learner learns from one part, and the other pays."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from thriftwood.evaluation import bill
from thriftwood.experiments.learners import CUT_BACK, learner_of
from thriftwood.experiments.lomax2013.tables import PricedTable, Rows

CONSTANT = "constant"
DEFAULT_LEARNERS = (
    *(CONSTANT, "optimal 2", "optimal 3", "optimal 4", "optimal 5"),
    *("thrift, class", "min-total-cost", "cstree", "ecco", CUT_BACK, "gradient-boosting", "pm", "c45"),
)
"""Those that are done with a division of all tables in seconds."""


def perform(
    table: PricedTable, number: int, learners: tuple[str, ...], seed: int, n_jobs: int
) -> dict[str, Any]:
    """Run one division.

    Returns
    -------
    dict
        The data set, the level, and for each learner what a case of the test part costs in percent of the
        standard cost, and a case of the part it learnt from.

    Raises
    ------
    KeyboardInterrupt
        On Ctrl-C.
    """
    learnt, judged = table.divided(number)
    costs: dict[str, list[float]] = {}
    for name in learners:
        if name == CONSTANT:
            cost_of = _constant(table, learnt)
        else:
            model = learner_of(name, table.costs, seed, n_jobs).fit(table.X[learnt], table.y[learnt])
            cost_of = partial(_billed, table, model)
        costs[name] = [100.0 * cost_of(rows) / table.standard_cost(rows) for rows in (judged, learnt)]
    return {"data_set": table.data_set, "level": table.level, "cost": costs}


def _billed(table: PricedTable, model: Any, rows: Rows) -> float:
    """Return what a case costs with a model, which may lack a class that is rare in the table."""
    result = bill(model, table.X[rows], costs=table.costs)
    errors = table.costs.error_matrix(range(int(table.y.max()) + 1))
    return result.mean_test_cost + float(errors[table.y[rows], model.predict(table.X[rows])].mean())


def _constant(table: PricedTable, learnt: Rows) -> Callable[[Rows], float]:
    """Return what a case costs if all get the answer that costs those learnt from least."""
    errors = table.costs.error_matrix(range(int(table.y.max()) + 1))
    answer = int(np.argmin(errors[table.y[learnt]].sum(axis=0)))
    return lambda rows: float(errors[table.y[rows], answer].mean())
