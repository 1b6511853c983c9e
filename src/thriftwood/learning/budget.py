"""A budget while growing: no case of any table pays more for tests.

What that means for a path is the core's affair (`core/growing/spending.hpp`); here are the prices that it
goes by.
"""

from __future__ import annotations

import copy
import math
import warnings
from typing import Any

import numpy as np

from thriftwood import _core
from thriftwood.base.advice import advised
from thriftwood.base.callers import callers_level
from thriftwood.base.interrupts import ends_all
from thriftwood.base.remedies import GiveCosts, NoCosts, SetFreely
from thriftwood.learning.pruning import Pruning
from thriftwood.learning.weighing import compiled_prices, has_prices
from thriftwood.table import Encoder


def limit_of(budget: float | None) -> float | None:
    """Return a budget as a number; None where there is no limit: none was given, or an infinite one.

    Examples
    --------
    >>> limit_of(5), limit_of(math.inf), limit_of(None)
    (5.0, None, None)
    """
    return None if budget is None or math.isinf(budget) else float(budget)


def no_budget_of_each(ensemble: str) -> str:
    """Say why the trees of an ensemble have no budget, and what to do.

    Examples
    --------
    >>> no_budget_of_each("BaggedTreesClassifier").partition(":")[0]
    'BaggedTreesClassifier asks several trees about a case, and they pay together'
    """
    return (
        f"{ensemble} asks several trees about a case, and they pay together: a budget of each tree is none "
        "of the case. Learn without one, and keep to it when cases are asked: "
        "tw.bill(model, X, y, budget=...), model.consult(budget=...), thriftwood bill --budget."
    )


def budget_prices(model: Any, encoder: Encoder) -> _core.Prices:
    """Return the prices that a model's budget goes by; an error where it has none, or is part of an ensemble.

    The trees of an ensemble pay together, so that a budget of each would be none of the whole.
    """
    if model.part_of is not None:
        raise ValueError(no_budget_of_each(model.part_of))
    costs = model.costs
    if costs is None or not has_prices(costs):
        raise advised(
            ValueError,
            f"{model.owner} has a budget, the most that a case may pay for tests, but ",
            NoCosts("costs" if costs is None else "prices"),
            ". ",
            GiveCosts(),
            ".",
        )
    return compiled_prices(costs, encoder)


def keeping_to(
    budget: float, settings: _core.Settings, prices: _core.Prices, pruning: Pruning | None
) -> _core.Settings:
    """Return the settings with a budget in them."""
    own = copy.copy(settings)  # cached and shared: copy before changing
    own.set_budget(budget, prices, pruning is not None and pruning.takes_out_tests)
    return own


def warn_of_small_budget(model: Any) -> None:
    """Warn if a fitted model, not one of many, buys nothing as no test that costs is within its budget."""
    if model.costs is None or ends_all():
        return
    budget = limit_of(model.checked_growth().budget)
    if budget is None:
        return
    learnt = model.model_
    price = compiled_prices(model.costs, learnt.encoder).list_price()
    costly = np.flatnonzero(price > 0)
    if not len(costly) or price[costly].min() <= budget * (1 + _core.BUDGET_ROUNDING):
        return
    cheapest = int(costly[price[costly].argmin()])
    asked = "nothing that costs" if learnt.tests.size else "nothing and answers all cases alike"
    which, of_those = (" that costs anything", " of those") if (price == 0).any() else ("", "")
    said = advised(
        UserWarning,
        f"No test{which} is within the budget of {budget:g}: the cheapest{of_those}, "
        f"{learnt.feature_names[cheapest]!r}, costs {price[cheapest]:g}. So it asks for {asked}. ",
        SetFreely("budget", float(price[cheapest])),
        ".",
    )
    warnings.warn(said, stacklevel=callers_level())
