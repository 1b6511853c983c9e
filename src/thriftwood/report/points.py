"""The frontier as data for the page: a small record per point."""

from __future__ import annotations

from typing import Any

from thriftwood.evaluation import Frontier
from thriftwood.evaluation.statement import amount
from thriftwood.evaluation.tradeoff import WITHIN
from thriftwood.plots.frontier import TITLES
from thriftwood.report.naming import name_text
from thriftwood.tree.weighing import PRICED

CHEAPEST = f"cheapest within {WITHIN:g} of the best"
MOST_POINTS = 500
"""Of more points only those of the Pareto line are drawn."""


def frontier_data(frontier: Frontier, model: Any) -> dict[str, Any]:
    """Describe the points, which of them are on the Pareto line, and which one is chosen.

    The chosen point is the model's own, if one has its value of the parameter; otherwise the one that
    ``frontier.cheapest()`` gives.
    """
    line, cheapest = frontier.pareto_numbers, frontier.cheapest_number()
    own = own_point(frontier, model)
    chosen = cheapest if own is None else own
    drawn = range(len(frontier)) if len(frontier) <= MOST_POINTS else sorted({*line, cheapest, chosen})
    return {
        "param": name_text(frontier.param),
        "xTitle": TITLES[frontier.cost],
        "yTitle": TITLES[frontier.accuracy],
        "folds": frontier.n_folds,
        "chosenIs": "this model" if own is not None else CHEAPEST,
        "cheapestIs": CHEAPEST,
        "points": [
            _point(frontier, number)
            | {"pareto": number in set(line), "cheapest": number == cheapest, "chosen": number == chosen}
            for number in drawn
        ],
    }


def own_point(frontier: Frontier, model: Any) -> int | None:
    """Return which point has the model's value of the parameter; None if there is none."""
    if not hasattr(model, "get_params"):
        return None
    params = model.get_params()
    if frontier.param not in params:
        return None
    mine = params[frontier.param]
    weighing = PRICED.get(params.get("criterion", ""))
    if mine is None and weighing is not None and weighing.parameter == frontier.param:
        mine = weighing.default  # what growth takes for it
    return next((n for n, value in enumerate(frontier.values) if value is mine or value == mine), None)


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
