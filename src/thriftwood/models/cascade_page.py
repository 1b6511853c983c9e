"""What is printed of a cascade, before it is text or HTML: its score cards, stage by stage.

Numbers that decide are written so that reading them gives the same number; limits of scores, which follow
from them, are rounded for readers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from thriftwood.base.number_texts import amount_text, number_text, rounded_text
from thriftwood.models.ledger import FloatArray
from thriftwood.models.score_card import UNIT, CategoryPoints, NumberPoints
from thriftwood.models.tree.conditions import category_text
from thriftwood.table import Column, Kind

if TYPE_CHECKING:
    from thriftwood.models.cascade import Cascade

MISSING, OTHERS = "missing", "others"


class Block(NamedTuple):
    """The points of one test: a row for each score, a column for each value."""

    test: str
    values: list[str]
    points: list[list[str]]


class Limit(NamedTuple):
    """The scores, from one to another, at which an answer is given."""

    answer: int
    low: float
    high: float


class StagePage(NamedTuple):
    """One stage: what it buys, its card, and what becomes of a case."""

    heading: str
    base: list[str]
    blocks: list[Block]
    ending: str


class CascadePage(NamedTuple):
    """All that is printed of a cascade."""

    lead: list[str]
    """How points are read, in sentences."""
    scores: list[str]
    """Whose points there are: a class each, or none for two classes, which have one score."""
    stages: list[StagePage]
    classes: list[str]
    answers: list[str]
    """The classes, then the answers that are none."""
    loss: list[list[str]]
    """What answers cost, a row for each true class; empty where all mistakes cost the same."""
    mistake: str
    """What each mistake costs there."""
    note: str


def page_of(cascade: Cascade) -> CascadePage:
    """Gather what is printed of a cascade."""
    classes = [category_text(label) for label in cascade.classes.tolist()]
    answers = [*classes, *map(category_text, cascade.further)]
    return CascadePage(
        _lead(cascade, classes),
        [] if len(classes) == 2 else classes,
        [_stage(cascade, number, answers) for number in range(len(cascade.stages))],
        classes,
        answers,
        *_loss(cascade),
        cascade.note,
    )


def limits(loss: FloatArray, stop: float) -> list[Limit]:
    """Return at which scores of two classes each answer is given, lowest first, by what answers cost.

    Examples
    --------
    >>> [tuple(limit) for limit in limits(np.array([[0.0, 10.0], [10.0, 0.0]]), np.inf)]
    [(0, -inf, 0.0), (1, 0.0, inf)]
    """
    found = []
    lines = [(first, second - first) for first, second in loss.T.tolist()]  # by the chance of the second
    for answer, (at_none, rise) in enumerate(lines):
        least, most = 0.0, 1.0  # chances of the second class
        others = lines[:answer] + lines[answer + 1 :]
        # An answer costs no more than any other, and no more than stop allows.
        for other, other_rise in [*others, *([] if math.isinf(stop) else [(stop, 0.0)])]:
            level, slope = at_none - other, rise - other_rise
            if slope > 0:
                most = min(most, -level / slope)
            elif slope < 0:
                least = max(least, -level / slope)
            elif level > 0:
                most = -1.0
        low, high = _score(least), _score(most)
        if low < high:
            found.append(Limit(answer, low, high))
    return sorted(found, key=lambda limit: (limit.low, limit.high))


def _score(chance: float) -> float:
    """Return the points at which the second class has a chance."""
    if chance <= 0.0 or chance >= 1.0:
        return -math.inf if chance <= 0.0 else math.inf
    return UNIT * math.log(chance / (1.0 - chance))


# The parts


def _loss(cascade: Cascade) -> tuple[list[list[str]], str]:
    loss = cascade.loss
    rows = loss.tolist()
    mistakes = {cost for i, row in enumerate(rows) for j, cost in enumerate(row) if i != j}
    if len(mistakes) == 1 and not np.diagonal(loss).any() and not cascade.further:
        return [], f"Every mistake costs {number_text(mistakes.pop())}."
    return [[amount_text(cost) for cost in row] for row in rows], ""


def _lead(cascade: Cascade, classes: list[str]) -> list[str]:
    if len(classes) == 2:
        odds = (
            f"Points for {classes[1]} against {classes[0]}: {UNIT} points multiply the odds by e = 2.718, "
            f"0 points are even odds."
        )
    else:
        odds = (
            f"Points for each class: {UNIT} points multiply its odds by e = 2.718. Its chance is "
            f"e^(points/{UNIT}) divided by the sum of these over the classes."
        )
    entries = [entry for stage in cascade.stages for entry in stage.card.entries]
    numbers = any(isinstance(entry, NumberPoints) for entry in entries)
    between = "Numbers have points in proportion between the values shown, and beyond them as at the ends."
    found = [odds, *([between] if numbers else [])]
    costs = cascade.costs
    if costs is not None and costs.payment == "upfront" and len(cascade.order):
        found.append("Payment is upfront: every case pays for the tests of all stages.")
    return found


def _stage(cascade: Cascade, number: int, answers: list[str]) -> StagePage:
    stage = cascade.stages[number]
    return StagePage(
        _heading(cascade, number),
        [number_text(points) for points in stage.card.base],
        [_block(cascade, entry) for entry in stage.card.entries],
        _ending(cascade, number, answers),
    )


def _heading(cascade: Cascade, number: int) -> str:
    stage, costs = cascade.stages[number], cascade.costs
    names = [category_text(cascade.feature_names[test]) for test in stage.tests]
    if not names:
        return f"Stage {number + 1} buys nothing"
    if costs is None:
        return f"Stage {number + 1} buys {', '.join(names)}"
    # Upfront all are bought together, in the order of the columns.
    order = cascade.tests if costs.payment == "upfront" else cascade.order
    price_of = dict(zip(order.tolist(), cascade.prices_of(costs).purchase(order.tolist()), strict=True))
    # What is free is read, not bought; what is paid for already, at price 0 here, is no less a test.
    free = [costs.effective_price(cascade.feature_names[test]) == 0 for test in stage.tests]
    read = [name for name, nothing in zip(names, free, strict=True) if nothing]
    paid = [
        (name, price_of[test])
        for name, test, nothing in zip(names, stage.tests, free, strict=True)
        if not nothing
    ]
    reads = f" reads {', '.join(read)}, which {'is' if len(read) == 1 else 'are'} free" if read else ""
    if not paid:
        return f"Stage {number + 1}{reads}"
    priced = ", ".join(f"{name} ({rounded_text(price)})" for name, price in paid)
    together = f" for {rounded_text(sum(price for _, price in paid))}" if len(paid) > 1 else ""
    buys = f"{reads}, and buys" if reads else " buys"
    waits = any(cascade.delays(test, costs) for test in stage.tests)
    brings = waits and costs.payment == "sequential" and number < len(cascade.stages) - 1
    with_it = "; an answer is delayed, so the later stages are ordered with it" if brings else ""
    return f"Stage {number + 1}{buys} {priced}{together}{with_it}"


def _block(cascade: Cascade, entry: NumberPoints | CategoryPoints) -> Block:
    column = cascade.columns[entry.feature]
    values, rows = _values(column, entry)
    name = category_text(cascade.feature_names[entry.feature])
    points = [[number_text(row[score]) for row in rows] for score in range(len(entry.missing))]
    return Block(name, values, points)


def _values(
    column: Column, entry: NumberPoints | CategoryPoints
) -> tuple[list[str], Sequence[Sequence[float]]]:
    missing = entry.missing
    if isinstance(entry, CategoryPoints):
        # Categories without points are among the others, as new ones are.
        listed = zip(column.categories, entry.points, strict=True)
        counting = [(category_text(name), row) for name, row in listed if any(row)]
        nothing = (0,) * len(missing)
        return (
            [*(name for name, _ in counting), OTHERS, MISSING],
            [*(row for _, row in counting), nothing, missing],
        )
    if column.kind is Kind.ORDERED:
        rows = entry.of(np.arange(len(column.categories), dtype=np.float64)).tolist()
        return [*map(category_text, column.categories), MISSING], [*rows, missing]
    return [*map(number_text, entry.at), MISSING], [*entry.points, missing]


def _ending(cascade: Cascade, number: int, answers: list[str]) -> str:
    stop = cascade.stages[number].stop
    on = "" if math.isinf(stop) else f"else to stage {number + 2}"
    if len(cascade.classes) > 2:
        least = "Answers by the least expected cost"
        return f"{least}." if not on else f"{least} where that is at most {number_text(stop)}, {on}."
    found = limits(cascade.loss, stop)
    given = [f"{answers[limit.answer]} {_range(limit)}" for limit in found]
    if not on:
        *firsts, last = given
        return f"Answers {', '.join([*firsts, f'else {answers[found[-1].answer]}'] if firsts else [last])}."
    expected = f"Stops where the answer is expected to cost at most {number_text(stop)}"
    return f"{expected}: {', '.join(given) or 'nobody'}; {on}."


def _range(limit: Limit) -> str:
    low, high = (f"{points:.1f}".removesuffix(".0") for points in limit[1:])
    if math.isinf(limit.low):
        return "always" if math.isinf(limit.high) else f"at {high} points or less"
    return f"at {low} points or more" if math.isinf(limit.high) else f"from {low} to {high} points"
