"""The most that one should pay for something: the price beyond which no tree buys it."""

from __future__ import annotations

import math

from thriftwood.evaluation.whatif.searched import TINY, Searched
from thriftwood.evaluation.whatif.tracing import CLOSE, ROUNDING, sensible
from thriftwood.evaluation.whatif.trees import Learnt, Trees
from thriftwood.evaluation.whatif.varied import Varied

LOOKS = 17
"""Prices at which other learners are asked whether they buy."""
DOUBLED = 40
"""A learner that still buys after the price was doubled so often buys at any price."""


def asks(learnt: Learnt, columns: tuple[int, ...]) -> bool:
    """Tell whether a tree asks for one of these columns."""
    return bool(set(columns) & set(learnt.tree.tests.tolist()))


def wide(varied: Varied, trees: Trees) -> Varied:
    """Return it over a range as wide as anybody may pay: up to what the dearest mistake costs."""
    loss = trees.costs.error_matrix(trees.classes)
    now = varied.value(trees.costs, trees.classes)
    least = varied.least(trees.costs)
    return varied.over(least, least + max(2.0 * now, float(loss.max() - loss.min()), 1.0))


def paid_at_most(
    trees: Trees, varied: Varied, columns: tuple[int, ...], begin: Learnt, without: Learnt
) -> float:
    """Return the price up to which the tree of all cases buys; 0 if it does not even take it as a gift.

    Parameters
    ----------
    trees : Trees
        What is learnt.
    varied : Varied
        The price of a test or a resource, over any range.
    columns : tuple of int
        The tests that need it.
    begin : Learnt
        The tree at today's price.
    without : Learnt
        The tree that has none of these tests; at a gift where it is not bought today.
    """
    if isinstance(trees, Searched):
        return _by_lines(trees, varied, columns, begin, without)
    return _by_looks(trees, varied, columns)


def _by_lines(
    trees: Searched, varied: Varied, columns: tuple[int, ...], begin: Learnt, without: Learnt
) -> float:
    """Go from price to price: to where the tree that was bought last costs as much as the one without."""
    weights = begin.weights
    limit = trees.cost(without, varied.low)
    bought, value = begin, varied.value(trees.costs, trees.classes)
    best = value
    delayed = any(test.delayed for test in trees.costs.tests.values())
    if not asks(begin, columns) or (delayed and value == 0.0):
        value = TINY * varied.high if delayed and varied.low == 0.0 else varied.low
        bought = trees.learnt(varied, value, weights)
        best = varied.low if asks(bought, columns) else 0.0
    equal = ROUNDING * max(abs(limit), abs(trees.cost(bought, value)))
    while asks(bought, columns) and trees.cost(bought, value) < limit - equal:
        low, high = bought.means
        slope = (high - low) / (varied.high - varied.low)
        if slope <= 0.0:  # nobody pays: who has a value is nobody
            return math.inf
        best = value = value + (limit - trees.cost(bought, value)) / slope
        bought = trees.learnt(varied, value, weights)
    return sensible(best)


def _by_looks(trees: Trees, varied: Varied, columns: tuple[int, ...]) -> float:
    """Find a price at which it is bought and a higher one at which it is not, then halve what is between."""

    def buys(value: float) -> bool:
        return asks(trees.learnt(varied, value, trees.weights), columns)

    low, high = varied.low, varied.high
    for _ in range(DOUBLED):
        if not buys(high):
            break
        low, high = high, 2.0 * high
    else:
        return math.inf
    if low == varied.low:
        looks = [low + (high - low) * place / (LOOKS - 1) for place in range(LOOKS - 1)]
        bought = [place for place, value in enumerate(looks) if buys(value)]
        if not bought:
            return 0.0
        low, high = looks[bought[-1]], [*looks, high][bought[-1] + 1]
    while high - low > CLOSE * high:
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if buys(middle) else (low, middle)
    return sensible(low)
