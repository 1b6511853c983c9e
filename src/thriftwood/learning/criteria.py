"""Criteria: what the core's list says of each one, and value objects that hold their parameters.

Words
-----
facts
    What a criterion reads, in which unit it counts and which parameters it has. They are declared beside its
    formula, in ``core/criteria/``, and nowhere else.
priced criterion
    One that looks at what tests cost.
value object
    A criterion with its parameters, such as ``CsGain(gamma=0.01)``. The name alone, ``"csgain"``, is the same
    with all of them at their defaults. The classes are made from the facts: a new criterion needs nothing
    here.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, TypeGuard

from thriftwood import _core
from thriftwood.base.parameters import Choice, Flag, Real, Rule, check, nearest
from thriftwood.base.value_object import ValueObject
from thriftwood.learning.criteria_text import class_docstring
from thriftwood.learning.look_ahead import LookAhead

FACTS: dict[str, _core.Criterion] = {facts.name: facts for facts in _core.criteria()}
"""Name to facts, in the order of the core's list."""
PARAMETERS: dict[str, dict[str, _core.Parameter]] = {
    name: {parameter.name: parameter for parameter in facts.parameters} for name, facts in FACTS.items()
}
PRICED: dict[str, _core.Criterion] = {name: facts for name, facts in FACTS.items() if facts.asks_prices}
WEIGHTS = {name for own in PARAMETERS.values() for name, parameter in own.items() if parameter.weighs_prices}
"""The parameters by which criteria say how much prices count."""


class Criterion(ValueObject):
    """A criterion with its parameters: the base of ``CsGain``, ``Eg2`` and the others."""

    facts: ClassVar[_core.Criterion]
    rules: ClassVar[dict[str, Rule]]

    def check(self) -> None:
        """Raise unless every parameter keeps to its bounds."""
        check(self, self.rules)
        look_ahead = getattr(self, "look_ahead", None)
        if look_ahead is None:
            return
        if not isinstance(look_ahead, LookAhead):
            raise TypeError(
                f"The 'look_ahead' parameter of {type(self).__name__} must be a LookAhead or None. "
                f"Got {look_ahead!r} of type {type(look_ahead).__name__}."
            )
        check(look_ahead, look_ahead.rules)

    def set_params(self, **params: Any) -> Self:
        """Set parameters; ``look_ahead__r=3`` reaches into `look_ahead`, also when that is None so far.

        Returns
        -------
        self
        """
        inside = any(name.startswith("look_ahead__") for name in params)
        if inside and params.get("look_ahead", getattr(self, "look_ahead", ...)) is None:
            params["look_ahead"] = LookAhead()
        super().set_params(**params)
        return self


def _value_object(facts: _core.Criterion) -> type[Criterion]:
    """Return the class that holds the parameters of a criterion."""
    parameters = PARAMETERS[facts.name]
    defaults = {name: parameter.default for name, parameter in parameters.items()}
    if facts.samples:
        defaults["look_ahead"] = None

    def __init__(self: Criterion, *args: Any, **given: Any) -> None:
        if args:
            raise TypeError(_by_position(facts, tuple(defaults), args))
        for name, value in given.items():
            if name not in defaults:
                raise TypeError(_unknown(facts, name, value))
        for name, default in defaults.items():
            setattr(self, name, given.get(name, default))

    names = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    names += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
        for name, default in defaults.items()
    ]
    __init__.__qualname__ = f"{facts.value_object}.__init__"
    vars(__init__)["__signature__"] = inspect.Signature(names)  # scikit-learn reads the parameters there
    members = {
        "__doc__": class_docstring(facts),
        "__init__": __init__,
        "__module__": __name__,
        "facts": facts,
        "rules": {name: _rule(parameter) for name, parameter in parameters.items()},
    }
    return type(facts.value_object, (Criterion,), members)


def _rule(parameter: _core.Parameter) -> Rule:
    if parameter.kind == "flag":
        return Flag()
    if parameter.kind == "choice":
        return Choice(tuple(parameter.choices))
    # None is as published, and fit says so where nothing was.
    none = parameter.default is None or parameter.weighs_prices
    return Real(parameter.low, parameter.high, above=parameter.above, below=parameter.below, none=none)


VALUE_OBJECTS: dict[str, type[Criterion]] = {
    name: _value_object(facts) for name, facts in FACTS.items() if facts.value_object
}
"""Criterion to the class that holds its parameters."""
globals().update({made.__name__: made for made in VALUE_OBJECTS.values()})  # where pickle looks for them


def criterion(name: str, **parameters: Any) -> str | Criterion:
    """Return a criterion by name: its value object, or the name itself if no parameter is given.

    Examples
    --------
    >>> criterion("csgain", gamma=0.01), criterion("gini")
    (CsGain(gamma=0.01), 'gini')
    """
    return VALUE_OBJECTS[name](**parameters) if parameters else name


def is_known(given: Any) -> TypeGuard[str | Criterion]:
    """Tell whether something is a criterion, by name or with its parameters."""
    return isinstance(given, Criterion) or (isinstance(given, str) and given in FACTS)


def facts_of(given: str | Criterion) -> _core.Criterion:
    """Return what the core's list says of a criterion.

    Examples
    --------
    >>> facts_of("eg2").formula
    '(2^G - 1) / (c + 1)^w'
    """
    return given.facts if isinstance(given, Criterion) else FACTS[given]


def values_of(given: str | Criterion) -> Iterator[tuple[_core.Parameter, Any]]:
    """Give every parameter of a criterion with its value; None: the default.

    Examples
    --------
    >>> [(parameter.name, value) for parameter, value in values_of("lasc")]
    [('alpha', 1.0), ('norm', 'max'), ('lookahead', True)]
    """
    for name, parameter in PARAMETERS[facts_of(given).name].items():
        value = getattr(given, name) if isinstance(given, Criterion) else None
        yield parameter, parameter.default if value is None else value


def look_ahead_of(given: str | Criterion) -> LookAhead:
    """Return how far a criterion looks ahead that does so by samples."""
    return getattr(given, "look_ahead", None) or LookAhead()


def weight_of(given: str | Criterion) -> _core.Parameter | None:
    """Return the parameter by which a criterion says how much prices count.

    Examples
    --------
    >>> weight_of("csgain").name, weight_of("cs-id3")
    ('gamma', None)
    """
    own = PARAMETERS[facts_of(given).name].values()
    return next((parameter for parameter in own if parameter.weighs_prices), None)


def users_of(parameter: str) -> list[str]:
    """Name the criteria that have a parameter.

    Examples
    --------
    >>> users_of("w"), users_of("look_ahead")
    (['eg2', 'cs-c45', 'act'], ['lsid3', 'act'])
    """
    return [
        name
        for name, facts in FACTS.items()
        if parameter in PARAMETERS[name] or (parameter == "look_ahead" and facts.samples)
    ]


def unused(owner: str, given: str | Criterion, parameter: str, value: object) -> str:
    """Say that a criterion does not have a parameter, and which ones do."""
    users, weight = users_of(parameter), weight_of(given)
    more = f" It weighs prices by {weight.name!r}." if weight is not None and parameter in WEIGHTS else ""
    return (
        f"{owner} has {parameter}={value!r}, which criterion={facts_of(given).name!r} does not use.{more} "
        f"Leave {parameter} out, or use a criterion that does: {', '.join(map(repr, users))}."
    )


def _by_position(facts: _core.Criterion, names: tuple[str, ...], args: tuple[Any, ...]) -> str:
    """Say that parameters go by name, in the order that they seem to be meant."""
    meant = ", ".join(
        f"{name}={'tw.LookAhead(r=5)' if name == 'look_ahead' else repr(value)}"
        for name, value in zip(names, args, strict=False)
    )
    return (
        f"{facts.value_object} takes no positional arguments: its parameters go by name, "
        f"tw.{facts.value_object}({meant})."
    )


def not_made(owner: str, given: type[Criterion]) -> str:
    """Say that a criterion's class was given where the criterion is wanted."""
    facts = given.facts
    return (
        f"The 'criterion' parameter of {owner} is the class {facts.value_object}, which has no values yet. "
        f"Make one, tw.{facts.value_object}({_example(facts)}), or give its name, {facts.name!r}."
    )


def _example(facts: _core.Criterion) -> str:
    needed = [f"{parameter.name}=..." for parameter in facts.parameters if parameter.must_be_given]
    return ", ".join(needed)


def _unknown(facts: _core.Criterion, name: str, value: object) -> str:
    """Say that a value object has no such parameter."""
    if users_of(name):
        return unused(facts.value_object, facts.name, name, value)
    known = [*PARAMETERS[facts.name], *(["look_ahead"] if facts.samples else [])]
    hint = nearest(name, known) or f" It has {', '.join(map(repr, known))}."
    return f"{facts.value_object} has no parameter {name!r}.{hint}"


def reaching_in(owner: str, current: Any, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters to set, such as ``criterion__gamma``, with a value object they can reach into.

    Parameters
    ----------
    owner : str
        Whose parameters they are, for messages.
    current : str or Criterion
        The criterion so far; if it is given by name, its value object takes its place.
    params : mapping
        What ``set_params`` was given.

    Examples
    --------
    >>> reaching_in("CostTreeClassifier", "csgain", {"criterion__gamma": 0.01})
    {'criterion__gamma': 0.01, 'criterion': CsGain()}
    """
    inner = {name: value for name, value in params.items() if name.startswith("criterion__")}
    chosen = params.get("criterion", current)
    if not inner or not is_known(chosen):
        return dict(params)
    facts = facts_of(chosen)
    for name, value in inner.items():
        parameter = name.split("__")[1]
        own = parameter in PARAMETERS[facts.name] or (parameter == "look_ahead" and facts.samples)
        if not own and users_of(parameter):
            raise ValueError(unused(owner, chosen, parameter, value))
    if isinstance(chosen, Criterion):
        return dict(params)
    if chosen not in VALUE_OBJECTS:
        raise ValueError(
            f"criterion={chosen!r} has no parameters, so there is no {next(iter(inner))} to set."
        )
    return {**params, "criterion": VALUE_OBJECTS[chosen]()}
