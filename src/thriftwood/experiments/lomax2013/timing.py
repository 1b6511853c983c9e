"""Seconds of CPU to the optimal tree, here and with STreeD where it is installed, and what both cost."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, TypeVar

import numpy as np

from thriftwood.costs.readers import lomax_attributes
from thriftwood.evaluation import bill
from thriftwood.experiments.lomax2013.tables import PricedTable, Rows
from thriftwood.learning import OptimalTreeClassifier

DEPTHS = (3, 4)
Result = TypeVar("Result")


def has_streed() -> bool:
    """Return whether STreeD is installed."""
    return find_spec("pystreed") is not None


def timed(function: Callable[[], Result]) -> tuple[Result, float]:
    """Return a result, and the seconds of CPU it took."""
    begun = time.process_time()
    result = function()
    return result, time.process_time() - begun


def compared(table: PricedTable, number: int) -> dict[str, Any]:
    """Search the optimal tree of each depth on the rows of a division, with both programs.

    Returns
    -------
    dict
        The data set, the level, and by depth the seconds and what the training rows cost together: ours, and
        STreeD's where it is installed.
    """
    rows, _ = table.divided(number)
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for depth in DEPTHS:
        found[str(depth)] = {"ours": ours(table, rows, depth)}
        if has_streed():
            found[str(depth)]["streed"] = streed(table, rows, depth)
    return {"data_set": table.data_set, "level": table.level, "depths": found}


def ours(table: PricedTable, rows: Rows, depth: int) -> tuple[float, float]:
    """Return the seconds of our search, and what its tree costs the rows together."""
    model = OptimalTreeClassifier(table.costs, max_depth=depth)
    X, y = table.X[rows], table.y[rows]
    model, seconds = timed(lambda: model.fit(X, y))
    # By the bill, which knows nothing of the search.
    cost = bill(model, X, y).mean_cost
    assert cost is not None  # the costs name mistakes
    return seconds, cost * len(rows)


def streed(table: PricedTable, rows: Rows, depth: int) -> tuple[float, float]:
    """Return the seconds of STreeD's search, and what its tree costs the rows together."""
    from pystreed import STreeDCostSensitiveClassifier
    from pystreed.data import CostSpecifier, FeatureCostSpecifier

    attributes = lomax_attributes(table.costs_file)
    matrix = table.costs.error_matrix(range(int(table.y.max()) + 1))
    prices = [
        FeatureCostSpecifier(
            each.test.price,
            each.test.price if each.test.after is None else each.test.after,
            each.test.group or "x",
            each.first,
            each.last,
        )
        for each in attributes
    ]
    model = STreeDCostSensitiveClassifier(max_depth=depth)
    specified = CostSpecifier(matrix.tolist(), prices)
    X, y = table.X[rows], table.y[rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, seconds = timed(lambda: model.fit(X, y, specified))
    return seconds, _walked(table, model.tree_, rows, [])


def _walked(table: PricedTable, node: Any, rows: Rows, bought: list[str]) -> float:
    """Return what a tree of STreeD's costs some rows, by our price list."""
    if node.is_leaf_node():
        errors = table.costs.error_matrix(range(int(table.y.max()) + 1))
        return float(errors[table.y[rows], node.label].sum())
    column = f"x{node.feature}"
    paid = len(rows) * table.costs.effective_price(column, bought)
    yes = table.X[rows, node.feature] == 1
    below = [*bought, column]
    return (
        float(paid)
        + _walked(table, node.left_child, rows[np.logical_not(yes)], below)
        + _walked(table, node.right_child, rows[yes], below)
    )
