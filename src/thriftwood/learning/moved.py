"""Parameters that estimators had and criteria have now: to use one says where it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from thriftwood.learning.criteria import FACTS, Criterion, facts_of, is_known, users_of

_SAME_NAME = ("gamma", "w", "alpha", "norm", "lookahead", "allow_negative", "path", "max_path_factor", "info")
MOVED: dict[str, str] = {name: name for name in _SAME_NAME} | {"sampling": "look_ahead"}
"""What estimators called it, and what the criterion calls it."""

Estimator = TypeVar("Estimator")
Given = ParamSpec("Given")


def where_it_is(criterion: Any, name: str, value: object) -> str:
    """Say how a parameter is given now.

    Examples
    --------
    >>> where_it_is("csgain", "gamma", 0.01)
    'gamma belongs to the criterion now: criterion=tw.CsGain(gamma=0.01).'
    >>> where_it_is("act", "sampling", 5)
    'sampling belongs to the criterion now: criterion=tw.Act(look_ahead=tw.LookAhead(r=5)).'
    """
    new = MOVED[name]
    users = users_of(new)
    own = facts_of(criterion).name if is_known(criterion) else ""
    user = FACTS[own if own in users else users[0]]
    text = "tw.LookAhead(r=5)" if new == "look_ahead" else repr(value)
    return f"{name} belongs to the criterion now: criterion=tw.{user.value_object}({new}={text})."


def refusing_moved(
    init: Callable[Concatenate[Estimator, Given], None],
) -> Callable[Concatenate[Estimator, Given], None]:
    """Make a constructor say where parameters are that it had."""

    @wraps(init)
    def checked(self: Estimator, /, *args: Given.args, **kwargs: Given.kwargs) -> None:
        for name, value in kwargs.items():
            if name in MOVED:
                positional = next((one for one in args if isinstance(one, str | Criterion)), "gini")
                raise TypeError(where_it_is(kwargs.get("criterion", positional), name, value))
        init(self, *args, **kwargs)

    return checked


def refuse_moved(criterion: Any, params: Mapping[str, Any]) -> None:
    """Raise if ``set_params`` is given parameters that the criterion has now."""
    for name, value in params.items():
        old, _, inner = name.partition("__")
        if old in MOVED:
            full = f"criterion__{MOVED[old]}" + (f"__{inner}" if inner else "")
            said = where_it_is(params.get("criterion", criterion), old, value)
            raise ValueError(f"{said} Where parameters are set by name it is {full}.")
