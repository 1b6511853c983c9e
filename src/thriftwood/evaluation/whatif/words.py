"""What was found, in a sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from thriftwood.costs.names import counted
from thriftwood.evaluation.statement import amount

if TYPE_CHECKING:
    from thriftwood.evaluation.whatif.result import WhatIf

LOOKS = 101
"""Numbers of the range at which the bill is compared with that of testing nobody."""
MOST_NAMED = 4
"""Parts of the range, or flips, that a sentence names."""


def sentence(found: WhatIf) -> str:
    """Say what happens along the range."""
    said = [_changes(found) if found.varied.kind == "error" else _purchases(found)]
    low, high = found.varied.low, found.varied.high
    if found.unseen.parts:
        said.append(
            f"An unseen case costs {amount(found.cost(low))} at {amount(low)} and {amount(found.cost(high))} "
            f"at {amount(high)}; {_untested(found)}."
        )
    said += _advice(found)
    if found.path.interrupted:
        said.append("Ctrl-C was pressed before all of the range was looked at.")
    return " ".join(said)


def _untested(found: WhatIf) -> str:
    """Say what testing nobody costs, and where that is less."""
    curve = found.curve(LOOKS)
    first, last = curve["untested_cost"][0], curve["untested_cost"][-1]
    ends = amount(first) if first == last else f"{amount(first)} and {amount(last)}"
    less = curve["untested_cost"] < curve["cost"] * (1.0 - 1e-9)
    begins = int(less.argmax())
    if not less.any():
        return f"testing nobody costs {ends}"
    if less.all():
        return f"testing nobody costs less all the way, {ends}"
    if less[begins:].all():
        return f"testing nobody costs {ends}, and that is less from about {curve['value'][begins]:.3g} on"
    return f"testing nobody costs {ends}, and that is less in parts of the range"


def listed(words: Sequence[str]) -> str:
    """Join words to a list.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def who(share: float) -> str:
    """Say how many of the cases.

    >>> who(1), who(0), who(0.342), who(0.004)
    ('everybody', 'nobody', '34 % of the cases', '0.4 % of the cases')
    """
    if share >= 1.0 - 1e-9:
        return "everybody"
    if share <= 1e-9:
        return "nobody"
    percent = 100 * share
    return f"{percent:.1g} % of the cases" if percent < 0.95 else f"{percent:.0f} % of the cases"


def _purchases(found: WhatIf) -> str:
    """Say who buys, and up to which price."""
    name, low, high = found.varied.name, found.varied.low, found.varied.high
    verb = "bought" if found.varied.kind == "price" else "paid for"
    ends: list[tuple[str, float]] = []
    for step in found.steps:
        if ends and ends[-1][0] == who(step.share):
            ends.pop()
        ends.append((who(step.share), step.high))
    if len(ends) == 1:
        return f"{name} is {verb} by {ends[0][0]} all the way from {amount(low)} to {amount(high)}."
    if len(ends) > MOST_NAMED:
        between = counted(len(ends) - 2, "step")
        return (
            f"{name} is {verb} by {ends[0][0]} up to {amount(ends[0][1])}, by fewer and fewer in {between}, "
            f"and by {ends[-1][0]} beyond {amount(ends[-2][1])}."
        )
    parts = [f"by {buyers} up to {amount(end)}" for buyers, end in ends[:-1]] + [f"by {ends[-1][0]} beyond"]
    return f"{name} is {verb} {listed(parts)}."


def _changes(found: WhatIf) -> str:
    """Say where the tree changes."""
    ends = f"as {found.varied.words} goes from {amount(found.varied.low)} to {amount(found.varied.high)}"
    flips = [amount(flip.at) for flip in found.flips]
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
    return [f"The most that should be paid for {name} is {amount(most)}; it costs {amount(found.now)} now."]
