"""The conversation of ``thriftwood consult``."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

import typer
from rich.console import Console
from rich.text import Text

from thriftwood.base.number_texts import amount_text
from thriftwood.base.parameters import parameter_error
from thriftwood.base.spelling import decimal_comma, typed_number
from thriftwood.cli.models import model_of
from thriftwood.cli.printing import FAILED, INTERRUPTED, fail
from thriftwood.consult.consultation import Consultation
from thriftwood.consult.panel import PanelConsultation
from thriftwood.consult.strategies import STRATEGIES
from thriftwood.costs.names import counted, in_list
from thriftwood.models.model import Model
from thriftwood.models.strategy import Strategy
from thriftwood.models.tree.conditions import category_text, list_text

UNAVAILABLE, UNDO = "?", "undo"
LINES_SHOWN = 5
"""What trees said, unless all is wanted."""


def begin(
    model: Path, known: list[str], strategy: str = "sequential", budget: float | None = None
) -> Consultation:
    """Begin a consultation of a saved model with what is known already."""
    asked = model_of(model)
    given = dict(_given(asked, entry) for entry in known)
    lacking = [name for name, value in given.items() if value is None]
    if not STRATEGIES.accepts(strategy):
        raise parameter_error("consult", "strategy", strategy, STRATEGIES)
    if strategy != "sequential" and asked.single_tree is None:
        raise ValueError(
            f"--strategy {strategy} plans the tests of a single tree, and this is {asked.description}, which "
            "asks for one test at a time. Leave it out."
        )
    return asked.consult(given, unavailable=lacking, strategy=cast(Strategy, strategy), budget=budget)


def converse(out: Console, case: Consultation, *, whole: bool = False) -> None:
    """Ask until the model can answer; print the answer, the bill and why (of several trees: the `whole`)."""
    batch: tuple[str, ...] = ()
    while not case.finished:
        if not set(case.next_tests) <= set(batch):
            batch = case.next_tests if len(case.next_tests) > 1 else ()
            if batch:
                names = ", ".join(in_list(category_text(name)) for name in batch)
                out.print(Text(f"Run together{_ordered(case)}: {names}", style="bold"), soft_wrap=True)
        try:
            typed = out.input(Text(_question(case, in_batch=bool(batch)), style="bold"))
        except (EOFError, KeyboardInterrupt) as end:
            out.print()
            raise fail(
                f"The consultation stopped at {case.next_test!r}; its bill is {_bill(case)}.",
                INTERRUPTED if isinstance(end, KeyboardInterrupt) else FAILED,
            ) from None
        try:
            _take(case, typed.strip())
        except ValueError as error:
            out.print(Text(f"  {error}"), soft_wrap=True)
    if isinstance(case, PanelConsultation):
        _print_answer(out, case)
        _print_deciding(out, case, whole)
    else:
        out.print(Text(case.why), style="dim", soft_wrap=True)
        _print_answer(out, case)


def _given(model: Model, entry: str) -> tuple[str, Any]:
    name, equals, text = entry.partition("=")
    if not equals:
        raise typer.BadParameter(f'--known takes TEST=VALUE, for example "age=54". Got {entry!r}.')
    name = name.strip()
    for column, feature in zip(model.columns, model.feature_names, strict=True):
        if feature == name:
            return name, _value(text.strip(), name, column.categories or None)
    return name, text  # the consultation says that there is no such test, and which is meant


def _question(case: Consultation, in_batch: bool) -> str:
    choices = f" ({list_text(case.choices)})" if case.choices else ""
    indent, ordered = ("  ", "") if in_batch else ("", _ordered(case))
    return f"{indent}{category_text(case.next_test)}{choices}{ordered}: "


def _ordered(case: Consultation) -> str:
    price = f" for {_money(case, case.price)}" if case.asking.costs is not None else ""
    with_it = f", ordered with {list_text(case.ordered_with)}," if case.ordered_with else ""
    return f"{with_it}{price}"


def _take(case: Consultation, typed: str) -> None:
    if typed == UNDO:
        case.undo()
    elif not typed:
        raise ValueError(f"Type a value, {UNAVAILABLE} if there is none, or {UNDO}.")
    else:
        case.answer(_value(typed, str(case.next_test), case.choices))


def _value(typed: str, test: str, choices: tuple[Any, ...] | None) -> Any:
    """Read what was typed: a category as it is printed, a number, or None if there is none to be had."""
    for choice in choices or ():
        if typed in (str(choice), category_text(choice)):
            return choice
    if typed == UNAVAILABLE:
        return None
    if choices:
        near = get_close_matches(typed, map(str, choices), n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"Categories: {list_text(choices)}."
        raise ValueError(f"{test!r} has no category {typed!r}. {hint} Type {UNAVAILABLE} if there is none.")
    number = typed_number(typed)
    if number is None:
        why = decimal_comma(typed) or f" Type a number, or {UNAVAILABLE} if there is none."
        raise ValueError(f"{typed!r} is not a number.{why}")
    return number


def _bill(case: Consultation) -> str:
    return _money(case, case.bill)


def _money(case: Consultation, value: float) -> str:
    """Write an amount to its last digit, with its unit."""
    costs = case.asking.costs
    return amount_text(value) if costs is None else f"{amount_text(value)} {costs.currency}".rstrip()


def _print_answer(out: Console, case: Consultation) -> None:
    numbers = case.asking.classes is None
    answer = f"{case.result:.6g}" if numbers else category_text(case.result)
    line = Text("Answer: ").append(answer, style="bold green")
    if case.confidence is not None:
        line.append(f" ({case.confidence})")
    elif not numbers and case.result in case.probabilities:
        line.append(f" (share {100 * case.probabilities[case.result]:.0f} %)")
    if case.asking.costs is not None:
        line.append(f", bill {_bill(case)}")
    out.print(line, soft_wrap=True)


def _print_deciding(out: Console, case: PanelConsultation, whole: bool) -> None:
    """Say how the trees decided; a forest would hide its answer behind what each of them said."""
    asked = f"{len(case.said):,} of {counted(len(case.panel.members), 'tree')} asked"
    out.print(Text(f"{asked}; {case.verdict}"), soft_wrap=True)
    lines = case.heard.splitlines()
    shown = lines if whole or len(lines) <= LINES_SHOWN else lines[:LINES_SHOWN]
    for line in shown:
        out.print(Text(line), style="dim", soft_wrap=True)
    if len(shown) < len(lines):
        more = counted(len(lines) - len(shown), "more line", "more lines")
        out.print(Text(f"and {more}; --why prints all"), style="dim", soft_wrap=True)
