"""Parameters that belong to the criterion, to growth or to pruning: to give one to the estimator says so."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import Any, Concatenate, ParamSpec, TypeVar

from thriftwood.base.advice import either
from thriftwood.learning.criteria import FACTS, Criterion, facts_of, is_known, users_of
from thriftwood.learning.growth import Growth

_SAME_NAME = ("gamma", "w", "alpha", "norm", "lookahead", "allow_negative", "path", "max_path_factor", "info")
MOVED: dict[str, str] = {name: name for name in _SAME_NAME} | {"sampling": "look_ahead"}
"""What estimators called it, and what the criterion calls it."""

INNER = {name: ("growth", "Growth", name) for name in Growth.rules} | {
    "min_samples_leaf": ("growth", "Growth", "min_branch_weight"),
    "min_samples_split": ("growth", "Growth", "min_split_weight"),
    "max_leaf_nodes": ("growth", "Growth", "max_leaves"),
    "min_impurity_decrease": ("growth", "Growth", "min_decrease"),
    "ccp_alpha": ("pruning", "CostComplexity", "alpha"),
    "cf": ("pruning", "Pessimistic", "cf"),
}
"""By its name here or in scikit-learn: the parameter that has it, the object to give, and its name there."""

Estimator = TypeVar("Estimator")
Given = ParamSpec("Given")


def where_it_is(criterion: Any, name: str, value: object) -> str:
    """Say how a parameter is given now; of a criterion that does not have it, which ones do.

    Examples
    --------
    >>> where_it_is("csgain", "gamma", 0.01)
    'gamma belongs to the criterion now: criterion=tw.CsGain(gamma=0.01).'
    >>> where_it_is("act", "sampling", 5)
    'sampling belongs to the criterion now: criterion=tw.Act(look_ahead=tw.LookAhead(r=5)).'
    >>> print(where_it_is("gini", "w", 2))
    w belongs to the criterion now: criterion=tw.Eg2(w=2), tw.CsC45(w=2) or tw.Act(w=2). 'gini' has no w.
    """
    new = MOVED[name]
    text = "tw.LookAhead(r=5)" if new == "look_ahead" else repr(value)
    own = facts_of(criterion).name if is_known(criterion) else None
    users = [own] if own in users_of(new) else users_of(new)
    objects = either(f"tw.{FACTS[user].value_object}({new}={text})" for user in users)
    without = f" {own!r} has no {new}." if own is not None and own not in users else ""
    return f"{name} belongs to the criterion now: criterion={objects}.{without}"


def set_as(name: str) -> str | None:
    """Return what ``set_params`` calls a parameter now, such as ``sampling__r``; None: it did not move.

    Examples
    --------
    >>> set_as("sampling__r"), set_as("gamma"), set_as("max_depth")
    ('criterion__look_ahead__r', 'criterion__gamma', None)
    """
    old, inside, inner = name.partition("__")
    return f"criterion__{MOVED[old]}{inside}{inner}" if old in MOVED else None


def refusing_moved(
    init: Callable[Concatenate[Estimator, Given], None],
) -> Callable[Concatenate[Estimator, Given], None]:
    """Make a constructor say where parameters are that it had, or that others have."""
    own = signature(init).parameters
    known = frozenset(own)

    @wraps(init)
    def checked(self: Estimator, /, *args: Given.args, **kwargs: Given.kwargs) -> None:
        if not kwargs.keys() <= known:
            _refuse_unknown(type(self).__name__, own, args, kwargs)
        init(self, *args, **kwargs)

    return checked


def _refuse_unknown(
    owner: str, own: Mapping[str, Parameter], args: Sequence[Any], given: Mapping[str, Any]
) -> None:
    """Raise if a constructor is given what another parameter has; others are Python's to refuse."""
    criterion = _at_hand(own, args, given)
    for name in (name for name in given if name not in own):
        if name in INNER and INNER[name][0] in own and not _has(criterion, name):
            holder, kind, inner = INNER[name]
            new = f"{holder}=tw.{kind}({inner}={given[name]!r})"
            raise TypeError(f"{owner} has no parameter {name!r}; {holder} has: {new}.")
        if name in MOVED and "criterion" in own:
            raise TypeError(where_it_is(criterion, name, given[name]))


def _at_hand(own: Mapping[str, Parameter], args: Sequence[Any], given: Mapping[str, Any]) -> Any:
    """Return the criterion that a constructor is given by name or place, or has of itself."""
    preset = own["criterion"].default if "criterion" in own else None
    return given.get("criterion", next((one for one in args if isinstance(one, str | Criterion)), preset))


def _has(criterion: Any, name: str) -> bool:
    """Tell whether a criterion has the parameter that estimators had under this name."""
    return name in MOVED and is_known(criterion) and facts_of(criterion).name in users_of(MOVED[name])


def refuse_moved(criterion: Any, params: Mapping[str, Any]) -> None:
    """Raise if ``set_params`` is given parameters that the criterion has now."""
    criterion = params.get("criterion", criterion)
    for name, value in params.items():
        full = set_as(name)
        if full is not None and (name not in INNER or _has(criterion, name)):
            said = where_it_is(criterion, name.partition("__")[0], value)
            raise ValueError(f"{said} Where parameters are set by name it is {full}.")


def refuse_inner(owner: str, known: Container[str], params: Mapping[str, Any]) -> None:
    """Raise if ``set_params`` is given parameters that one of the `known` parameters has.

    Examples
    --------
    >>> refuse_inner("CostTreeClassifier", {"growth"}, {"max_depth": 3})
    Traceback (most recent call last):
    ...
    ValueError: Invalid parameter 'max_depth' for CostTreeClassifier. Did you mean 'growth__max_depth'?
    """
    for name in params:
        holder, _, inner = INNER.get(name, ("", "", ""))
        if holder in known and name not in known:
            meant = f"{holder}__{inner}"
            raise ValueError(f"Invalid parameter {name!r} for {owner}. Did you mean {meant!r}?")
