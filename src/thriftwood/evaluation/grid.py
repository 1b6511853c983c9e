"""Which parameter is varied, and through which values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from thriftwood import _core
from thriftwood.base.advice import advised
from thriftwood.base.parameters import nearest
from thriftwood.base.remedies import Blank, Criterion, Pass, Vary
from thriftwood.ensembles import CostGradientBoostingClassifier
from thriftwood.learners.published import inner_parameters
from thriftwood.learning import CostTreeClassifier
from thriftwood.learning.weighing import PRICED, mean_price, prices_of
from thriftwood.table import Encoder
from thriftwood.table.reading import Source

# Where prices divide or are an exponent's base, whatever their unit: 0 ignores them, 1 is what was published.
_RATIO_VALUES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0)
# Where prices lose weight down the tree: near 0 they count in full at every node, from 10 at the root alone.
_SUPPRESSED_VALUES = (0.01, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 10.0)


def swept_parameter(model: CostTreeClassifier, param: str | None) -> str:
    """Return the parameter to vary: the one given, or the one by which the criterion weighs prices."""
    if param is not None:
        if not isinstance(param, str):
            raise TypeError(
                f"param must be the name of a parameter. Got {param!r} of {type(param).__name__}."
            )
        return _full_name(model, param)
    weighing = PRICED.get(model.criterion)
    if weighing is None or weighing.parameter is None:
        weighed = ", ".join(repr(c) for c, known in PRICED.items() if known.parameter)
        raise advised(
            ValueError,
            Criterion(model.criterion),
            " has no parameter that weighs prices, so there is nothing to vary. Name a parameter and its "
            "values, for example ",
            Vary("pruning__cf", (0.1, 0.25)),
            f", or use one of the criteria {weighed}.",
        )
    return weighing.parameter


def _full_name(model: CostTreeClassifier, param: str) -> str:
    """Return a parameter as ``set_params`` takes it; those of growth and pruning have short names."""
    inner = inner_parameters(model)
    own = model.get_params(deep=False)
    if param in own or param in inner.values():
        return param
    if param in inner:
        return inner[param]
    owner, reaches_in, _ = param.partition("__")
    if reaches_in and owner in ("pruning", "sampling") and getattr(model, owner) is None:
        return param  # set_params makes it, or says what is not there
    near = nearest(param, [*own, *inner, *inner.values()])
    full = inner.get(near.split("'")[1], "") if near else ""
    hint = f" Did you mean {full!r}?" if full else near or f" Choices: {', '.join(sorted([*own, *inner]))}."
    raise ValueError(f"{type(model).__name__} has no parameter {param!r}.{hint}")


def swept_values(model: CostTreeClassifier, param: str, values: Any, encoder: Encoder) -> list[Any]:
    """Return the values to try: those given, or a grid for the parameter that weighs prices."""
    return _default_values(model, param, encoder) if values is None else listed(param, values)


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
    weighing = PRICED.get(model.criterion)
    if weighing is None or weighing.parameter != param:
        grid = Pass("values", Blank.LIST)
        raise advised(ValueError, f"There is no usual grid for {param}. ", grid, ".")
    if weighing.suppressed:
        return list(_SUPPRESSED_VALUES)
    if not weighing.additive:
        return list(_RATIO_VALUES)
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
