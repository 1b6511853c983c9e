"""The frontier as data for the page: a small record per point."""

from __future__ import annotations

from typing import Any

import numpy as np

from thriftwood.evaluation import Frontier
from thriftwood.evaluation.statement import amount
from thriftwood.learning.criteria import facts_of, is_known, values_of
from thriftwood.plots.frontier import TITLES
from thriftwood.report.naming import name_text

NO_SETTINGS = ("random_state", "n_jobs")
"""Parameters that do not count when two models are compared."""
MOST_POINTS = 500
"""Of more points only those of the Pareto line are drawn."""


def frontier_data(frontier: Frontier, model: Any) -> dict[str, Any]:
    """Describe the points, which of them are on the Pareto line, and which one is chosen.

    The chosen point is the model's own, if one has all its settings; otherwise the one that
    ``frontier.cheapest()`` gives.
    """
    line, cheapest = frontier.pareto_numbers, frontier.cheapest_number()
    own = own_point(frontier, model)
    chosen = cheapest if own is None else own
    cheapest_is = f"cheapest {frontier.near_the_best()}"
    drawn = range(len(frontier)) if len(frontier) <= MOST_POINTS else sorted({*line, cheapest, chosen})
    return {
        "param": name_text(frontier.param),
        "xTitle": TITLES[frontier.cost],
        "yTitle": TITLES[frontier.accuracy],
        "folds": frontier.n_folds,
        "chosenIs": "this model" if own is not None else cheapest_is,
        "cheapestIs": cheapest_is,
        "points": [
            _point(frontier, number)
            | {"pareto": number in set(line), "cheapest": number == cheapest, "chosen": number == chosen}
            for number in drawn
        ],
    }


def own_point(frontier: Frontier, model: Any) -> int | None:
    """Return which point has the model's criterion and all its settings; None if there is none."""
    if not hasattr(model, "get_params"):
        return None
    mine = _settings(model)
    return next((n for n, other in enumerate(frontier.models) if _same(mine, _settings(other))), None)


def _settings(model: Any) -> dict[str, Any]:
    """Return all parameters that say how the model learns, those of its settings objects one by one."""
    params = {name: value for name, value in model.get_params().items() if name not in NO_SETTINGS}
    criterion = params.get("criterion")
    if is_known(criterion):  # by name or with parameters
        params |= {f"criterion__{parameter.name}": value for parameter, value in values_of(criterion)}
        params["criterion"] = facts_of(criterion).name
    nested = {name.partition("__")[0] for name in params if "__" in name} - {"criterion"}
    return params | {name: type(params[name]) for name in nested}


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    def equal(value: Any, another: Any) -> bool:
        if hasattr(value, "shape") or hasattr(another, "shape"):  # priors may be an array
            return np.array_equal(value, another)
        return bool(value == another)

    return one.keys() == other.keys() and all(equal(value, other[name]) for name, value in one.items())


def _point(frontier: Frontier, number: int) -> dict[str, Any]:
    point = frontier[number]
    value = point.value
    score = amount(point.score) if frontier.accuracy == "error_cost" else f"{point.score:.4f}"
    return {
        "value": f"{value:g}" if isinstance(value, float) else name_text(value),
        "score": point.score,
        "scoreError": point.score_se,
        "cost": point.cost,
        "costError": point.cost_se,
        "scoreText": score,
        "costText": amount(point.cost),
        "leaves": amount(float(frontier.columns["n_leaves"][number])),
        "tests": amount(float(frontier.columns["n_tests"][number])),
    }
