"""Which gamma a trial chooses, and the cost ratio that follows.

The paper takes the cheapest tree whose cross-validated accuracy is "within 1 %" of the baseline's. Readings:
percentage points, so one case in a hundred; the price of the tree grown on all cases; among equal prices the
more accurate, then the smaller gamma. If no gamma comes within 1 %, the most accurate one is taken, not the
baseline: published ratios exceed 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

WITHIN = 0.01
"""How much less accurate than the baseline a tree may be."""


class Score(NamedTuple):
    """How well one way of growing trees does: right answers, and the price of its tree."""

    correct: int
    """Cases that cross-validation answers correctly, of all."""
    price: float
    """The price of all tests in the tree grown on all cases."""


class Choice(NamedTuple):
    """What a trial chose."""

    place: int
    """The place in the list of gammas."""
    eligible: bool
    """Whether it is as accurate as was asked."""


def choose(baseline: Score, judged: Sequence[Score], gammas: Sequence[float], n_cases: int) -> Choice:
    """Choose the cheapest gamma that is accurate enough.

    Examples
    --------
    >>> base = Score(correct=90, price=2.0)
    >>> choose(base, [Score(90, 1.5), Score(89, 0.5), Score(88, 0.1)], gammas=[0.0, 0.1, 1.0], n_cases=100)
    Choice(place=1, eligible=True)
    >>> choose(base, [Score(87, 1.5), Score(88, 3.0)], gammas=[0.0, 0.1], n_cases=100)
    Choice(place=1, eligible=False)
    """
    allowed = WITHIN * n_cases
    eligible = [place for place, one in enumerate(judged) if baseline.correct - one.correct <= allowed]
    if eligible:
        best = min(eligible, key=lambda place: (judged[place].price, -judged[place].correct, gammas[place]))
        return Choice(best, True)
    best = min(range(len(judged)), key=lambda place: (-judged[place].correct, gammas[place]))
    return Choice(best, False)


def cost_ratio(baseline: Score, chosen: Score) -> float | None:
    """Cost ratio, chosen tree to baseline; None when the baseline costs nothing.

    Examples
    --------
    >>> cost_ratio(Score(90, 2.0), Score(89, 0.5))
    0.25
    """
    return chosen.price / baseline.price if baseline.price > 0.0 else None
