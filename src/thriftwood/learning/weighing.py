"""How a criterion weighs prices against information, and against mistakes.

Words
-----
additive
    Subtracts what a test costs, so a test can be not worth its price: growth stops there.
in money
    Counts what mistakes cost too, in the unit of the prices.
"""

from __future__ import annotations

import copy
import warnings
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.advice import advised
from thriftwood.base.callers import callers_level
from thriftwood.base.parameters import Choice, parameter_error
from thriftwood.base.remedies import CountMistakes, GiveCosts, NoCosts, SetParameter, TryBetween
from thriftwood.base.remedies import Criterion as NamedCriterion
from thriftwood.costs import Costs
from thriftwood.learning.criteria import PRICED, Criterion, facts_of, values_of
from thriftwood.table import Encoder

CostReuse = Literal["effective", "list"]

_COST_REUSE = Choice(("effective", "list"))

LEAF_COST = "leaf-cost"
"""The criterion that counts what mistakes cost, and no prices."""
TOTAL_COST = "min-total-cost"
"""The criterion that adds prices to them."""

_SMALLEST = 1e-100
"""Mean prices below this have weights beyond all bounds; the largest price has the inverse bound."""


def check_weighing(model: Any) -> None:
    """Refuse values out of bounds, and values that the model's criterion would not look at."""
    if not _COST_REUSE.accepts(model.cost_reuse):
        raise parameter_error(model.owner, "cost_reuse", model.cost_reuse, _COST_REUSE)
    if isinstance(model.criterion, Criterion):
        model.criterion.check()
    facts = facts_of(model.criterion)
    if model.cost_reuse != "effective" and (facts.samples or not facts.asks_prices):
        whole = " It judges whole trees, in which a test is paid once." if facts.samples else ""
        users = [name for name, known in PRICED.items() if not known.samples]
        raise ValueError(
            f"{model.owner} has cost_reuse={model.cost_reuse!r}, which criterion={facts.name!r} does not "
            f"use.{whole} Leave cost_reuse out, or use a criterion that does: {', '.join(map(repr, users))}."
        )
    if facts.asks_errors and model.loss_in_growth is not None:
        raise advised(
            ValueError,
            f"{model.owner} has loss_in_growth={model.loss_in_growth!r}, which makes cases count as much as "
            f"their mistakes cost, but criterion={facts.name!r} counts these costs itself. ",
            SetParameter("loss_in_growth", (None,)),
            ".",
        )


def prices_of(model: Any, encoder: Encoder) -> _core.Prices | None:
    """Return the prices that guide the model's growth; None when its criterion does not ask for any."""
    facts, costs = facts_of(model.criterion), model.costs
    if not facts.asks_prices:
        return None
    if costs is None or not (has_prices(costs) or (facts.in_money and has_errors(costs))):
        also = " and what mistakes cost" if facts.in_money else ""
        raise advised(
            ValueError,
            NamedCriterion(facts.name),
            f" weighs what tests cost{also}, but ",
            NoCosts("costs" if costs is None else "prices"),
            ". ",
            GiveCosts(),
            ".",
        )
    return compiled_prices(costs, encoder)


def compiled_prices(costs: Costs, encoder: Encoder) -> _core.Prices:
    """Return the prices as the core reads them."""
    return _compiled(costs, tuple(encoder.feature_names or range(encoder.n_features)))


def has_prices(costs: Costs) -> bool:
    """Tell whether some test has a price."""
    return bool(costs.tests) or (costs.default_price or 0.0) > 0.0


def has_errors(costs: Costs) -> bool:
    """Tell whether there are error costs."""
    return costs.names_errors


@lru_cache(maxsize=16)
def _compiled(costs: Costs, names: tuple[str | int, ...]) -> _core.Prices:
    # Cross-validation fits the same columns and prices again and again; hashing takes a tenth of compiling.
    return _core.Prices(costs.compile(names))


def counting_mistakes(
    settings: _core.Settings, criterion: str | Criterion, errors: NDArray[np.float64] | None
) -> _core.Settings:
    """Return the settings with the error costs in them, if the criterion looks at them."""
    if errors is None or not facts_of(criterion).asks_errors:
        return settings
    own = copy.copy(settings)  # cached and shared: copy before changing
    own.loss = errors
    return own


def weighed(settings: _core.Settings, model: Any, prices: _core.Prices | None) -> _core.Settings:
    """Return the settings with the parameters of the model's criterion in them."""
    own = copy.copy(settings)  # Cached and shared: copy before changing.
    own.reuse_is_free = model.cost_reuse == "effective"
    for parameter, value in values_of(model.criterion):
        if value is not None:
            own.set_parameter(parameter.name, _plain(parameter, value))
        elif parameter.must_be_given:
            assert prices is not None  # what must be given is what a unit of price weighs
            raise _undecided(facts_of(model.criterion), parameter, prices)
    return own


def _plain(parameter: _core.Parameter, value: Any) -> bool | float | str:
    """Return a value as the core takes it: numbers may be of any type in Python."""
    if parameter.kind == "number":
        return float(value)
    return bool(value) if parameter.kind == "flag" else str(value)


def warn_of_uncounted_mistakes(model: Any, *, by_row: bool = False) -> None:
    """Warn if a fitted model asks for no test, and there are no error costs, of classes or by row."""
    facts = facts_of(model.criterion)
    if not (facts.asks_prices and facts.in_money) or has_errors(model.costs) or by_row:
        return
    core = model.tree_.core
    if core.n_leaves == 1 and np.count_nonzero(core.values[0]) > 1:  # of one class nothing has to be asked
        said = advised(UserWarning, CountMistakes(facts.name), ", in the unit of the prices.")
        warnings.warn(said, stacklevel=callers_level())


def mean_price(prices: _core.Prices) -> float:
    """Return the mean list price of the tests, to choose weights by; 1 if all are free."""
    mean = float(prices.list_price().mean()) or 1.0
    if mean < _SMALLEST:
        raise ValueError(
            f"The tests cost {mean:g} on average, too little to weigh them against information. Use a "
            "smaller unit of money."
        )
    return mean


def _undecided(facts: _core.Criterion, weight: _core.Parameter, prices: _core.Prices) -> ValueError:
    # A test of mean price is then worth buying for 0.001 to 1 of the unit. Two digits say it.
    mean = mean_price(prices)
    low, high = (float(f"{bits / mean:.2g}") for bits in (0.001, 1.0))
    return advised(
        ValueError,
        NamedCriterion(facts.name),
        f" needs {weight.name}: what one unit of price weighs, in {weight.unit}. There is no "
        "published default. With these prices ",
        TryBetween(weight.name, low, high),
        ".",
    )
