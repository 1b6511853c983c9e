"""Arrays of C: what numbers mean, and what tests cost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from thriftwood.base.number_texts import number_text
from thriftwood.export.cascade_plan import CascadePlan
from thriftwood.export.plan import Asked, Plan
from thriftwood.export.quoting import c_string, plain


def _check_distinct(test: Asked) -> None:
    texts = [_category_text(value, test) for value in test.categories or ()]
    for text in texts:
        if texts.count(text) > 1:
            raise ValueError(
                f"The test {test.name!r} has two categories that C writes as {text!r}, such as 1 and '1'. "
                "Turn its values into text before fit."
            )


def names_of(made: Plan | CascadePlan, name: str) -> list[str]:
    """Write what numbers mean."""
    lines = [_texts(f"const char *const {name}_tests", (test.name for test in made.tests))]
    pointers = []
    for number, test in enumerate(made.tests):
        if test.categories:
            _check_distinct(test)
            declared = f"static const char *const {name}_categories_{number}_"
            lines.append(
                _texts(declared, map(_category_text, test.categories, [test] * len(test.categories)))
            )
        pointers.append(f"{name}_categories_{number}_" if test.categories else "0")
    lines.append(array(f"const char *const *const {name}_categories", pointers))
    counts = [-1 if test.categories is None else len(test.categories) for test in made.tests]
    lines.append(array(f"const int {name}_n_categories", counts))
    if made.classes is not None:
        texts = [_text(plain(value, "The target")) for value in made.classes]
        lines.append(_texts(f"const char *const {name}_classes", texts))
        if made.further:
            lines.append(_texts(f"const char *const {name}_answers", [*texts, *made.further]))
    return lines


def price_tables(made: Plan | CascadePlan, name: str) -> list[str]:
    """Write how tests are encoded and what they cost."""
    tests = made.tests
    whole: dict[str, Iterable[int]] = {
        "unseen_is_missing": [int(test.unseen_is_missing) for test in tests],
        "group": [test.group for test in tests],
        "has_after": [int(test.after is not None) for test in tests],
        "first_need": starts(test.needs for test in tests),
        "need": [resource for test in tests for resource in test.needs],
        "upfront": made.upfront,
    }
    numbers: dict[str, Iterable[float]] = {
        "own_price": [test.price for test in tests],
        "after": [test.after or 0.0 for test in tests],
        "resource_price": made.resources,
    }
    return [array(f"static const int {name}_{key}_", values) for key, values in whole.items()] + [
        array(f"static const double {name}_{key}_", map(repr, values)) for key, values in numbers.items()
    ]


def starts(groups: Iterable[Any]) -> list[int]:
    """Say where each group begins when they lie one after another, and where the last one ends."""
    starts = [0]
    for group in groups:
        starts.append(starts[-1] + len(group))
    return starts


def _category_text(value: Any, test: Asked) -> str:
    return _text(plain(value, f"The test {test.name!r}"))


def _text(value: Any) -> str:
    return number_text(value) if isinstance(value, float) else str(value)


def _texts(declared: str, texts: Iterable[str]) -> str:
    return array(declared, map(c_string, texts))


def array(declared: str, values: Iterable[Any]) -> str:
    """Write an array, a zero where there would be nothing, in lines of bearable length."""
    entries = [str(value) for value in values] or ["0"]
    lines, line = [], f"{declared}[] = {{"
    for number, entry in enumerate(entries):
        entry += "};" if number + 1 == len(entries) else ","
        if len(line) + len(entry) > 109:
            lines.append(line.rstrip())
            line = "  "
        line += entry if line.endswith(("{", "  ")) else f" {entry}"
    return "\n".join([*lines, line])
