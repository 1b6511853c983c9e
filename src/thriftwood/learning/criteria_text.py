"""Criteria in words: docstrings and tables made from what the core's list says of them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import TypeVar

from thriftwood import _core
from thriftwood.base.parameters import Real

_WIDTHS = 16, 26, 50
"""Of the columns of the table in a docstring."""
_LINE = 100
_LOOK_AHEAD = (
    "look_ahead",
    "LookAhead, optional",
    "How many trees are sampled below every outcome of a test, and within which time; None is "
    "``LookAhead()``.",
)

Class = TypeVar("Class", bound=type)


def class_docstring(facts: _core.Criterion) -> str:
    """Return the docstring of the class that holds a criterion's parameters."""
    lines = [f'The criterion "{facts.name}" with its parameters.', ""]
    lines += _wrapped(
        f"It chooses the largest ``{facts.formula}``; see `CostTreeClassifier` for the letters."
    )
    lines += ["", "Parameters", "----------"]
    described = [(p.name, accepted(p), explained(p)) for p in facts.parameters]
    for name, kind, words in [*described, *([_LOOK_AHEAD] if facts.samples else [])]:
        lines += [f"{name} : {kind}", *_wrapped(words, "    ")]
    lines += ["", "References", "----------", facts.reference]
    lines += ["", "Examples", "--------", ">>> import thriftwood as tw", *_example(facts)]
    return "\n".join(lines) + "\n"


def _wrapped(words: str, indent: str = "") -> list[str]:
    return textwrap.wrap(words, _LINE, initial_indent=indent, subsequent_indent=indent)


def _example(facts: _core.Criterion) -> list[str]:
    """Return a use of the class with a parameter that is not at its default."""
    parameter = next(iter(facts.parameters), None)
    given = (
        "look_ahead=LookAhead(r=3)" if parameter is None else f"{parameter.name}={_other_value(parameter)!r}"
    )
    shown = f"{facts.value_object}({given})"
    call = "tw." + shown.replace("=LookAhead", "=tw.LookAhead")
    return [f">>> tw.CostTreeClassifier({call})", f"CostTreeClassifier(criterion={shown})"]


def _other_value(parameter: _core.Parameter) -> object:
    if parameter.kind == "number":
        return next(value for value in (0.5, 2.0, parameter.high / 2) if value != parameter.default)
    return not parameter.default if parameter.kind == "flag" else parameter.choices[-1]


def accepted(parameter: _core.Parameter) -> str:
    """Say which values a parameter takes, and which one it has.

    Examples
    --------
    >>> [pm] = [facts for facts in _core.criteria() if facts.name == "pm"]
    >>> accepted(pm.parameters[0])
    "{'gain_ratio', 'gain'}, default 'gain_ratio'"
    """
    if parameter.kind == "flag":
        return f"bool, default {parameter.default}"
    if parameter.kind == "choice":
        return f"{{{', '.join(map(repr, parameter.choices))}}}, default {parameter.default!r}"
    span = Real(parameter.low, parameter.high, above=parameter.above, below=parameter.below).wanted()
    given = f"default {parameter.default}" if parameter.default is not None else "optional"
    return f"float in {span.removeprefix('a number in the range ')}, " + (
        "must be given" if parameter.must_be_given else given
    )


def explained(parameter: _core.Parameter) -> str:
    """Say what a parameter does."""
    if not parameter.must_be_given:
        return parameter.words
    return (
        f"{parameter.words} It is what one unit of price weighs, in {parameter.unit}. There is no published "
        "default."
    )


def docstring_table(criteria: Iterable[_core.Criterion]) -> str:
    """Return the table of criteria as docstrings have it: name, formula, reference."""
    rule = "  ".join("=" * width for width in _WIDTHS)
    lines = [rule, _row("criterion", "chooses the largest", "reference"), rule]
    for facts in criteria:
        cells = [
            textwrap.wrap(text, width)
            for text, width in zip((f'"{facts.name}"', facts.formula, facts.reference), _WIDTHS, strict=True)
        ]
        lines += [_row(*texts) for texts in zip_longest(*cells, fillvalue="")]
    return "\n".join([*lines, rule])


def _row(*texts: str) -> str:
    return "  ".join(f"{text:<{width}}" for text, width in zip(texts, _WIDTHS, strict=True)).rstrip()


def with_table(criteria: Iterable[_core.Criterion]) -> Callable[[Class], Class]:
    """Put the table of criteria, and the names of those in money, where a class's docstring asks for them."""
    listed = list(criteria)

    def filled(cls: Class) -> Class:
        if cls.__doc__ is not None:  # python -OO has none
            names = [f'"{facts.name}"' for facts in listed if facts.in_money]
            in_money = f"{', '.join(names[:-1])} and {names[-1]}"
            table = textwrap.indent(docstring_table(listed), "    ").lstrip()
            cls.__doc__ = cls.__doc__.replace("{criteria}", table).replace("{in_money}", in_money)
        return cls

    return filled


def page_rows(criteria: Iterable[_core.Criterion]) -> list[str]:
    """Return the rows of the table of criteria in docs/algorithms.md."""
    return [_page_row(facts) for facts in criteria]


def _page_row(facts: _core.Criterion) -> str:
    reads = [
        word
        for word, asked in (
            ("prices", facts.asks_prices),
            ("mistakes", facts.asks_errors),
            ("split information", facts.asks_split_info),
            ("sampled trees", facts.samples),
        )
        if asked
    ]
    parameters = [f"`{p.name}`: {accepted(p)}" for p in facts.parameters]
    parameters += ["`look_ahead`: `tw.LookAhead`"] if facts.samples else []
    cells = [f'`"{facts.name}"`', f"`{facts.formula}`", ", ".join(reads)]
    cells += ["money" if facts.in_money else "", f"`tw.{facts.value_object}`" if facts.value_object else ""]
    cells += ["; ".join(parameters), facts.reference]
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"
