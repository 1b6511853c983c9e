"""What was found, in a sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.evaluation.statement import words_of

if TYPE_CHECKING:
    from thriftwood.evaluation.whatif.result import WhatIf

LOOKS = 101
"""Numbers of the range at which the bill is compared with that of testing nobody."""
MOST_NAMED = 4
"""Parts of the range, or flips, that a sentence names."""


def sentence(found: WhatIf) -> str:
    """Say what happens along the range."""
    said = [_changes(found) if found.varied.kind == "error" else _purchases(found)]
    if found.unseen.parts:
        ends = found.varied.low, found.varied.high
        costs = [f"{_money(found, found.cost(end))} at {_money(found, end)}" for end in ends]
        said.append(f"An unseen {found.costs.case_name} costs {listed(costs)}; {_untested(found)}.")
    said += _advice(found)
    if found.path.interrupted:
        said.append("Ctrl-C was pressed before all of the range was looked at.")
    return " ".join(said)


def listed(words: Sequence[str]) -> str:
    """Join words to a list.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def who(share: float, costs: Costs) -> str:
    """Say how many of the cases.

    >>> patients = Costs(case_name="patient")
    >>> who(1, patients), who(0, patients), who(0.342, patients), who(0.004, patients)
    ('everybody', 'nobody', '34 % of the patients', '0.4 % of the patients')
    """
    if share >= 1.0 - 1e-9:
        return "everybody"
    if share <= 1e-9:
        return "nobody"
    percent = f"{100 * share:.1g}" if share < 0.0095 else f"{100 * share:.0f}"
    return f"{percent} % of the {costs.cases_name}"


def _money(found: WhatIf, value: float) -> str:
    return words_of(found.costs).money(value)


def _untested(found: WhatIf) -> str:
    """Say what testing nobody costs, and where that is less."""
    curve = found.curve(LOOKS)
    first, last = curve["untested_cost"][0], curve["untested_cost"][-1]
    ends = _money(found, first) if first == last else f"{_money(found, first)} and {_money(found, last)}"
    less = curve["untested_cost"] < curve["cost"] * (1.0 - 1e-9)
    begins = int(less.argmax())
    if not less.any():
        return f"testing nobody costs {ends}"
    if less.all():
        return f"testing nobody costs less all the way, {ends}"
    if less[begins:].all():
        return f"testing nobody costs {ends}, and that is less from about {curve['value'][begins]:.3g} on"
    return f"testing nobody costs {ends}, and that is less in parts of the range"


def _purchases(found: WhatIf) -> str:
    """Say who buys, and up to which price."""
    name = found.varied.name
    verb = "bought" if found.varied.kind == "price" else "paid for"
    ends: list[tuple[str, float]] = []
    for step in found.steps:
        buyers = who(step.share, found.costs)
        if ends and ends[-1][0] == buyers:
            ends.pop()
        ends.append((buyers, step.high))
    if len(ends) == 1:
        low, high = _money(found, found.varied.low), _money(found, found.varied.high)
        return f"{name} is {verb} by {ends[0][0]} all the way from {low} to {high}."
    if len(ends) > MOST_NAMED:
        between = counted(len(ends) - 2, "step")
        first, last = _money(found, ends[0][1]), _money(found, ends[-2][1])
        return (
            f"{name} is {verb} by {ends[0][0]} up to {first}, by fewer and fewer in {between}, and by "
            f"{ends[-1][0]} beyond {last}."
        )
    parts = [f"by {buyers} up to {_money(found, end)}" for buyers, end in ends[:-1]]
    return f"{name} is {verb} {listed([*parts, f'by {ends[-1][0]} beyond'])}."


def _changes(found: WhatIf) -> str:
    """Say where the tree changes."""
    low, high = _money(found, found.varied.low), _money(found, found.varied.high)
    ends = f"as {found.varied.words} goes from {low} to {high}"
    flips = [_money(found, flip.at) for flip in found.flips]
    if not flips:
        return f"The tree stays the same {ends}."
    if len(flips) > MOST_NAMED:
        return f"The tree changes {len(flips)} times {ends}, first at {flips[0]} and last at {flips[-1]}."
    return f"The tree changes {ends}: at {listed(flips)}."


def _advice(found: WhatIf) -> list[str]:
    """Say what should be paid at most, where the range does not show it."""
    most = found.break_even
    if most is None or found.varied.low < most < found.varied.high:
        return []
    name = found.varied.name
    if math.isinf(most):
        return [f"{name} is bought whatever it costs."]
    if most == 0.0:
        return [f"{name} is not worth anything to this tree."]
    now = _money(found, found.now)
    return [f"The most that should be paid for {name} is {_money(found, most)}; it costs {now} now."]
