"""Which parameter is varied, and through which values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from thriftwood import _core
from thriftwood.base.advice import advised
from thriftwood.base.parameters import nearest
from thriftwood.base.remedies import Blank, Criterion, GiveCosts, NoCosts, Pass, Vary
from thriftwood.costs import Costs
from thriftwood.ensembles import CostGradientBoostingClassifier
from thriftwood.learners.published import inner_parameters
from thriftwood.learning import CostTreeClassifier
from thriftwood.learning.criteria import PRICED, facts_of, users_of, weight_of
from thriftwood.learning.moved import set_as
from thriftwood.learning.weighing import mean_price, prices_of
from thriftwood.table import Encoder
from thriftwood.table.reading import Source, read

BUDGETS = 8
"""Points of a frontier of budgets."""


def swept_parameter(model: CostTreeClassifier, param: str | None) -> str:
    """Return the parameter to vary: the one given, or the one by which the criterion weighs prices."""
    if param is not None:
        if not isinstance(param, str):
            raise TypeError(
                f"param must be the name of a parameter. Got {param!r} of {type(param).__name__}."
            )
        return _full_name(model, param)
    criterion = model.checked_criterion()
    weight = weight_of(criterion)
    if weight is None:
        weighed = ", ".join(repr(name) for name in PRICED if weight_of(name))
        raise advised(
            ValueError,
            Criterion(facts_of(criterion).name),
            " has no parameter that weighs prices, so there is nothing to vary. Name a parameter and its "
            "values, for example ",
            Vary("pruning__cf", (0.1, 0.25)),
            f", or use one of the criteria {weighed}.",
        )
    return f"criterion__{weight.name}"


def budget_parameter(model: Any) -> str:
    """Return the parameter of a learner that is its budget for tests; an error where it has none.

    Examples
    --------
    >>> budget_parameter(CostTreeClassifier())
    'growth__budget'
    """
    own = model.get_params(deep=False) if hasattr(model, "get_params") else {}
    if "budget" in own:
        return "budget"
    if "growth" in own and "estimator" not in own:
        return "growth__budget"
    raise ValueError(
        f"{type(model).__name__} learns without a budget: it is for learners of single trees. Give the "
        "budget when cases are asked, tw.bill(model, X, y, budget=...), or vary another parameter."
    )


def thrift_budgets(costs: Costs | None, X: Any) -> list[float]:
    """Return budgets: nothing, then evenly by ratio from the cheapest test to all tests together.

    Examples
    --------
    >>> thrift_budgets(Costs({"x0": 63, "x1": 1}), [[1.0, 2.0]])
    [0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]
    """
    source = read(X)
    names = source.names or tuple(f"x{j}" for j in range(source.shape[1]))
    alone = [] if costs is None else [costs.total([name]) for name in names]
    paid = [price for price in alone if price > 0]
    if costs is None or not paid:
        raise advised(
            ValueError,
            "A frontier needs prices of tests, and ",
            NoCosts("costs" if costs is None else "prices"),
            ". ",
            GiveCosts(),
            ".",
        )
    least, most = min(paid), max(costs.total(names), min(paid))
    ladder = [least * (most / least) ** (step / (BUDGETS - 2)) for step in range(1, BUDGETS - 2)]
    return list(dict.fromkeys([0.0, least, *(float(f"{budget:.4g}") for budget in ladder), most]))


def shown_name(param: str) -> str:
    """Return what a parameter is called where it is shown: that of a criterion by its own name.

    Examples
    --------
    >>> shown_name("criterion__gamma"), shown_name("pruning__cf")
    ('gamma', 'pruning__cf')
    """
    return "budget" if param == "growth__budget" else param.removeprefix("criterion__")


def _full_name(model: CostTreeClassifier, param: str) -> str:
    """Return a parameter as ``set_params`` takes it; those of growth and pruning have short names."""
    inner = inner_parameters(model)
    own = model.get_params(deep=False)
    if param in own or param in inner.values():
        return param
    if param in inner:
        return inner[param]
    owner, reaches_in, _ = param.partition("__")
    if reaches_in and owner == "pruning" and model.pruning is None:
        return param  # set_params says what is not there
    if now := set_as(param):
        raise ValueError(
            f"{type(model).__name__} has no parameter {param!r}. It belongs to the criterion now: {now!r}, "
            f"of the criteria {', '.join(map(repr, users_of(now.split('__')[1])))}."
        )
    near = nearest(param, [*own, *inner, *inner.values()])
    full = inner.get(near.split("'")[1], "") if near else ""
    hint = (
        f" Did you mean {shown_name(full)!r}?"
        if full
        else near or f" Choices: {', '.join(sorted([*own, *inner]))}."
    )
    raise ValueError(f"{type(model).__name__} has no parameter {param!r}.{hint}")


def swept_values(model: CostTreeClassifier, param: str, values: Any, encoder: Encoder) -> list[Any]:
    """Return the values to try: those given, or a grid for the parameter that weighs prices."""
    return _default_values(model, param, encoder) if values is None else listed(shown_name(param), values)


def listed(param: str | None, values: Any) -> list[Any]:
    """Return the values given, at least one.

    Examples
    --------
    >>> listed("gamma", (value / 2 for value in range(3)))
    [0.0, 0.5, 1.0]
    """
    if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
        raise TypeError(f"values must be a list of values of {param}. Got {values!r}.")
    tolist = getattr(values, "tolist", None)
    found = list(tolist() if callable(tolist) else values)
    if not found:
        raise ValueError(f"values is empty. Give at least one value of {param}.")
    return found


def _default_values(model: CostTreeClassifier, param: str, encoder: Encoder) -> list[float]:
    weight = weight_of(model.checked_criterion())
    if weight is None or f"criterion__{weight.name}" != param:
        grid = Pass("values", Blank.LIST)
        raise advised(ValueError, f"There is no usual grid for {shown_name(param)}. ", grid, ".")
    if weight.tried:
        return weight.tried
    prices = prices_of(model, encoder)
    assert prices is not None  # the criterion is a priced one
    return additive_values(prices)


def boosting_values(model: CostGradientBoostingClassifier, source: Source) -> list[float]:
    """Return the values of cost_weight that suit the prices that guide the model; see `additive_values`."""
    prices = None
    if model.costs is not None:
        prices = _core.Prices(model.costs.compile(source.names or range(source.shape[1])))
    if prices is None or not prices.list_price().any():
        raise ValueError(
            "cost_weight weighs what tests cost, and the model's costs have no price of any test. Give it "
            "costs=tw.Costs(tests={'a column': its price, ...})."
        )
    return additive_values(prices)


def additive_values(prices: _core.Prices) -> list[float]:
    """Return 0 and a 1-3-10 series that suits the prices.

    A test of mean price is weighed from about 0.0001 to about 10 bits, so the first values change little
    and the last leave hardly any test worth its price.

    Examples
    --------
    >>> from thriftwood.costs import Costs
    >>> additive_values(_core.Prices(Costs({"a": 80, "b": 120}).compile(["a", "b"])))
    [0.0, 1e-06, 3e-06, 1e-05, 3e-05, 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1]
    """
    unit = -round(math.log10(mean_price(prices)))
    return (
        [0.0]
        + [float(f"{digit}e{unit + e}") for e in range(-4, 1) for digit in (1, 3)]
        + [float(f"1e{unit + 1}")]
    )
