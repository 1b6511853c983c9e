"""Learners that a user names on the command line, with their settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thriftwood.base.spelling import decimal_comma
from thriftwood.baselines.base import PanelLearner
from thriftwood.cli.models import SEVERAL
from thriftwood.costs import Costs
from thriftwood.evaluation.comparisons import Learner
from thriftwood.learners import algorithm
from thriftwood.learning.class_tree import ClassTree

WORDS: dict[str, bool | None] = {"true": True, "false": False, "none": None}


def saved_learner_of(
    name: str, settings: Sequence[str], costs: Costs | None, seed: int, *, saved: bool = True
) -> Learner:
    """Make a learner whose model has a file, or can be shown if it is not `saved`; see `learner_of`."""
    model = learner_of(name, settings, costs, seed)
    if model.learns.has_file or (isinstance(model, PanelLearner) and not saved):
        return model
    if isinstance(model, PanelLearner):
        raise ValueError(
            f"{name!r} learns a score of the same tests for everybody, for which there is no file. Leave "
            f"--output out. {_what_to_do(name)}"
        )
    raise ValueError(
        f"{name!r} learns several models together, for which there is no file. Learners of one tree have "
        f"one, and of several trees {SEVERAL}. {_what_to_do(name)}"
    )


def tree_learner_of(name: str, settings: Sequence[str], costs: Costs | None, seed: int) -> ClassTree:
    """Make a learner that learns a single tree; see `learner_of`."""
    model = learner_of(name, settings, costs, seed)
    if isinstance(model, ClassTree):
        return model
    saved = f"`thriftwood fit --algorithm {name}` saves them, and " if model.learns.has_file else ""
    learns = "a score" if isinstance(model, PanelLearner) else "several models together"
    raise ValueError(
        f"{name!r} learns {learns}, and this command shows and saves a single tree. "
        f"{saved}{_what_to_do(name)}"
    )


def _what_to_do(name: str) -> str:
    return (
        f"`thriftwood compare --algorithms {name},c45` says what it costs; in Python tw.algorithm({name!r}) "
        "makes it."
    )


def learner_of(name: str, settings: Sequence[str], costs: Costs | None, seed: int) -> Learner:
    """Make a learner from its name and ``NAME=VALUE`` settings; two runs with one seed give the same one."""
    model = algorithm(name, **dict(map(setting_of, settings)))
    if not isinstance(model, Learner):
        raise ValueError(
            f"The algorithm {name!r} does not learn classes. `thriftwood algorithms` lists others."
        )
    if model.get_params(deep=False).get("random_state", seed) is None:
        model.set_params(random_state=seed)
    model.set_params(costs=costs)
    return model


def with_budget(budget: float | None) -> list[str]:
    """Write --budget as the setting of a learner that it is.

    >>> with_budget(2.5), with_budget(None)
    (['budget=2.5'], [])
    """
    return [] if budget is None else [f"budget={budget!r}"]


def setting_of(text: str) -> tuple[str, Any]:
    """Read ``NAME=VALUE``; a list is written in brackets.

    >>> setting_of("w=0.5"), setting_of("max_depth=3"), setting_of("missing=branch")
    (('w', 0.5), ('max_depth', 3), ('missing', 'branch'))
    >>> setting_of("alphas=[0.1, 1]")
    ('alphas', [0.1, 1])
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name:
        raise ValueError(f"A setting is written NAME=VALUE, for example max_depth=3. Got {text!r}.")
    if value.startswith("[") and value.endswith("]"):
        return name, [value_of(part.strip()) for part in value[1:-1].split(",") if part.strip()]
    if "," in value:
        comma = decimal_comma(value)
        raise ValueError(f"A list is written in brackets: {name}=[{value}]. Got {text!r}.{comma}")
    return name, value_of(value)


def value_of(text: str) -> Any:
    """Read a value: true, false, none, a number, or text.

    >>> [value_of(text) for text in ("true", "none", "3", "0.5", "1e4", "best")]
    [True, None, 3, 0.5, 10000, 'best']
    """
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    for kind in (int, _float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _float(text: str) -> float:
    """Read a number; 1e4 is a whole one."""
    number = float(text)
    return int(number) if "e" in text.lower() and number.is_integer() else number
