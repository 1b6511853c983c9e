"""How a criterion weighs prices against information: which parameters it reads, and their published values.

Words
-----
priced criterion
    One that looks at what tests cost; all of them are in `PRICED`.
additive
    Subtracts what a test costs, so a test can be not worth its price: growth stops there.
in money
    Counts what mistakes cost too, in the unit of the prices.
suppressed
    Counts prices less and less down the tree, and weighs a test together with those planned for its outcomes.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.advice import advised
from thriftwood.base.parameters import Choice, Flag, Real, Rule, parameter_error
from thriftwood.base.remedies import CountMistakes, Criterion, GiveCosts, NoCosts, TryBetween
from thriftwood.costs import Costs
from thriftwood.learning.look_ahead import SAMPLED
from thriftwood.table import Encoder

CostReuse = Literal["effective", "list"]
Path = Literal["inclusive", "ancestors"]
Info = Literal["gain_ratio", "gain"]
Norm = Literal["max", "mean", "sum", "none"]

_PARAMETERS: dict[str, Rule] = {
    "gamma": Real(0.0, below=True, none=True),
    "w": Real(0.0, below=True, none=True),
    "alpha": Real(0.0, above=True, below=True, none=True),
    "norm": Choice(("max", "mean", "sum", "none")),
    "lookahead": Flag(),
    "cost_reuse": Choice(("effective", "list")),
    "allow_negative": Flag(),
    "path": Choice(("inclusive", "ancestors")),
    "max_path_factor": Real(0.0, above=True, none=True),
    "info": Choice(("gain_ratio", "gain")),
}
_UNLESS_SET: dict[str, Any] = {"path": "inclusive", "max_path_factor": None, "info": "gain_ratio"}
"""Parameters of single criteria, with the values that change nothing."""

LEAF_COST = "leaf-cost"
"""The criterion that counts what mistakes cost, and no prices."""

_SMALLEST = 1e-100
"""Mean prices below this have weights beyond all bounds; the largest price has the inverse bound."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """What a priced criterion does with prices."""

    parameter: str | None = None
    """The parameter that says how much prices count."""
    default: float | None = None
    """Its published value; None: nobody published one, the user has to say."""
    additive: bool = False
    unit: str = ""
    """What a unit of price is weighed against."""
    reads: tuple[str, ...] = ()
    """Parameters that are its own."""
    in_money: bool = False
    suppressed: bool = False
    """Measures prices by `norm` and may look ahead."""


PRICED: dict[str, Weighing] = {
    "cs-id3": Weighing(),
    "idx": Weighing("gamma", 1.0),
    "eg2": Weighing("w", 1.0),
    "mitchell": Weighing("gamma", additive=True, unit="bits of gain at a node"),
    "csgain": Weighing("gamma", additive=True, unit="bits of information about the class in the whole table"),
    "csgain-ratio": Weighing(
        "gamma",
        additive=True,
        unit="gain ratio, weighted by the share of the cases",
        reads=("path", "max_path_factor"),
    ),
    "cs-c45": Weighing("w", 1.0),
    "lasc": Weighing("alpha", 1.0, suppressed=True),
    "pm": Weighing(reads=("info",), in_money=True),
    "min-total-cost": Weighing(additive=True, in_money=True),
    "cstree": Weighing(additive=True, in_money=True),
    "act": Weighing("w", 1.0, in_money=True),
}


_COUNTING = frozenset(_core.error_criteria())
"""The criteria that look at what mistakes cost: those in money, and the gini index with a loss matrix."""


def check_weighing(model: Any) -> None:
    """Refuse values out of bounds, and values that the model's criterion would not look at."""
    owner, criterion = model.owner, model.criterion
    for name, rule in _PARAMETERS.items():
        value = getattr(model, name)
        if not rule.accepts(value):
            raise parameter_error(owner, name, value, rule)
    weighing = PRICED.get(criterion)
    for name in ("gamma", "w", "alpha"):
        if getattr(model, name) is not None and (weighing is None or weighing.parameter != name):
            users = [c for c, known in PRICED.items() if known.parameter == name]
            own = weighing.parameter if weighing is not None else None
            raise _unused(model, name, users, f" It weighs prices by {own!r}." if own else "")
    for name, default in (("norm", "max"), ("lookahead", True)):
        if getattr(model, name) != default and not (weighing is not None and weighing.suppressed):
            raise _unused(model, name, [c for c, known in PRICED.items() if known.suppressed])
    if model.allow_negative and not (weighing is not None and weighing.additive):
        raise _unused(model, "allow_negative", [c for c, known in PRICED.items() if known.additive])
    if model.cost_reuse != "effective" and (weighing is None or criterion in SAMPLED):
        whole = " It judges whole trees, in which a test is paid once." if criterion in SAMPLED else ""
        raise _unused(model, "cost_reuse", [c for c in PRICED if c not in SAMPLED], whole)
    for name, default in _UNLESS_SET.items():
        if getattr(model, name) != default and (weighing is None or name not in weighing.reads):
            raise _unused(model, name, [c for c, known in PRICED.items() if name in known.reads])
    if criterion in _COUNTING and model.loss_in_growth is not None:
        raise ValueError(
            f"{owner} has loss_in_growth={model.loss_in_growth!r}, which makes cases count as much as their "
            f"mistakes cost, but criterion={criterion!r} counts these costs itself. Set loss_in_growth=None."
        )


def _unused(model: Any, name: str, users: Iterable[str], more: str = "") -> ValueError:
    value, criterion = getattr(model, name), model.criterion
    return ValueError(
        f"{model.owner} has {name}={value!r}, which criterion={criterion!r} does not use.{more} "
        f"Leave {name} out, or use a criterion that does: {', '.join(map(repr, users))}."
    )


def prices_of(model: Any, encoder: Encoder) -> _core.Prices | None:
    """Return the prices that guide the model's growth; None when its criterion does not ask for any."""
    criterion, costs = model.criterion, model.costs
    if criterion not in PRICED:
        return None
    in_money = PRICED[criterion].in_money
    if costs is None or not (has_prices(costs) or (in_money and has_errors(costs))):
        also = " and what mistakes cost" if in_money else ""
        raise advised(
            ValueError,
            Criterion(criterion),
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
    """Tell whether it is said what mistakes cost."""
    return costs.errors is not None or costs.errors_default is not None


@lru_cache(maxsize=16)
def _compiled(costs: Costs, names: tuple[str | int, ...]) -> _core.Prices:
    # Cross-validation fits the same columns and prices again and again; hashing takes a tenth of compiling.
    return _core.Prices(costs.compile(names))


def counting_mistakes(
    settings: _core.Settings, criterion: str, errors: NDArray[np.float64] | None
) -> _core.Settings:
    """Return the settings with the error costs in them, if the criterion looks at them."""
    if errors is None or criterion not in _COUNTING:
        return settings
    own = copy.copy(settings)  # fits share the one that came
    own.loss = errors
    return own


def weighed(settings: _core.Settings, model: Any, prices: _core.Prices) -> _core.Settings:
    """Return the settings with the model's weighing of prices in them."""
    weighing = PRICED[model.criterion]
    own = copy.copy(settings)  # fits share the one that came
    if weighing.parameter is not None:
        value = getattr(model, weighing.parameter)
        if value is None:
            value = weighing.default
        if value is None:
            raise _undecided(model.criterion, weighing, prices)
        setattr(own, weighing.parameter, float(value))
    own.norm = model.norm
    own.lookahead = bool(model.lookahead)
    own.allow_negative = bool(model.allow_negative)
    own.reuse_is_free = model.cost_reuse == "effective"
    own.path_inclusive = model.path == "inclusive"
    if model.max_path_factor is not None:
        own.max_path_factor = float(model.max_path_factor)
    own.info = model.info
    return own


def warn_of_uncounted_mistakes(model: Any) -> None:
    """Warn if a fitted model asks for no test, and nobody said what mistakes cost."""
    weighing = PRICED.get(model.criterion)
    if weighing is None or not weighing.in_money or has_errors(model.costs):
        return
    core = model.tree_.core
    if core.n_leaves == 1 and np.count_nonzero(core.values[0]) > 1:  # of one class nothing has to be asked
        said = advised(UserWarning, CountMistakes(model.criterion), ", in the unit of the prices.")
        warnings.warn(said, stacklevel=3)


def mean_price(prices: _core.Prices) -> float:
    """Return the mean list price of the tests, to choose weights by; 1 if all are free."""
    mean = float(prices.list_price().mean()) or 1.0
    if mean < _SMALLEST:
        raise ValueError(
            f"The tests cost {mean:g} on average, too little to weigh them against information. Use a "
            "smaller unit of money."
        )
    return mean


def _undecided(criterion: str, weighing: Weighing, prices: _core.Prices) -> ValueError:
    # A test of mean price is then worth buying for 0.001 to 1 of the unit. Two digits say it.
    mean = mean_price(prices)
    low, high = (float(f"{bits / mean:.2g}") for bits in (0.001, 1.0))
    assert weighing.parameter is not None  # it has no value
    return advised(
        ValueError,
        Criterion(criterion),
        f" needs {weighing.parameter}: what one unit of price weighs, in {weighing.unit}. There is no "
        "published default. With these prices ",
        TryBetween(weighing.parameter, low, high),
        ".",
    )
