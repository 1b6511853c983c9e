"""Where the tree changes while one number is turned through its range.

Words
-----
point
    A number of the range, and what was learnt there.
stretch
    What lies between two neighbouring points: the same tree all the way, one flip at a known place, or not
    looked at closely enough yet.
flip
    Where one tree gives way to the next.

Two ways to divide a stretch. `Crossing` is for learners that take the tree of the least cost: what each tree
costs lies on a straight line, the least of all lines bends downwards only, and so two neighbouring trees that
cost the same where their lines cross, and no more than the best tree there, are the only two of the stretch
(Eisner & Severance 1976). `Halving` is for all others: it looks in the middle until the ends of what changes
are next to each other, and sees no tree that comes and goes between two points with the same tree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

Fit = TypeVar("Fit")

ROUNDING = 2e-10
"""Costs that differ by less than this share of the largest are equal: searches are exact to about 1e-11."""
CLOSE = 1e-12
"""Two numbers that differ by this share of the largest have no price between them that anybody would name."""


@dataclass(frozen=True, slots=True)
class Point(Generic[Fit]):
    """A number of the range, and what was learnt there."""

    value: float
    fit: Fit


class Flip(NamedTuple):
    """Where one tree gives way to the next.

    Examples
    --------
    >>> Flip(24.5, 24.5, 24.5).settled, Flip(30, 20, 40).settled
    (True, False)
    """

    at: float
    low: float
    """Here the tree before is still learnt; `at` itself where both cost the same there."""
    high: float
    """Here the next tree is learnt."""

    @property
    def settled(self) -> bool:
        """Whether its place is known; otherwise it lies somewhere from `low` to `high`."""
        return self.high - self.low <= 1e-9 * max(abs(self.low), abs(self.high))


@dataclass(frozen=True, slots=True)
class Stretch(Generic[Fit]):
    """What lies between two neighbouring points."""

    left: Point[Fit]
    right: Point[Fit]
    flip: Flip | None = None
    settled: bool = False


class Division(ABC, Generic[Fit]):
    """A way to divide a stretch."""

    def __init__(self, fit: Callable[[float], Fit]) -> None:
        self.fit = fit

    @abstractmethod
    def divide(self, stretch: Stretch[Fit]) -> tuple[Stretch[Fit], ...]:
        """Settle a stretch, or return its two halves."""


class Crossing(Division[Fit]):
    """For the tree of the least cost; `cost(fit, value)` is a straight line between two points."""

    def __init__(self, fit: Callable[[float], Fit], cost: Callable[[Fit, float], float]) -> None:
        super().__init__(fit)
        self.cost = cost

    def divide(self, stretch: Stretch[Fit]) -> tuple[Stretch[Fit], ...]:
        """Look where the lines of the trees at both ends cross."""
        left, right = stretch.left, stretch.right
        above_left = self.cost(right.fit, left.value) - self.cost(left.fit, left.value)
        above_right = self.cost(left.fit, right.value) - self.cost(right.fit, right.value)
        size = max(
            abs(self.cost(fit, at)) for fit in (left.fit, right.fit) for at in (left.value, right.value)
        )
        equal = ROUNDING * size
        if above_left <= equal and above_right <= equal:
            return (Stretch(left, right, settled=True),)
        if above_left <= equal:  # the tree on the right is the best all the way
            return (_flipped(left, right, left.value),)
        if above_right <= equal:
            return (_flipped(left, right, right.value),)
        at = left.value + (right.value - left.value) * above_left / (above_left + above_right)
        if not left.value < at < right.value:
            return (_flipped(left, right, min(max(at, left.value), right.value)),)
        middle = Point(at, self.fit(at))
        if self.cost(middle.fit, at) >= self.cost(left.fit, at) - equal:
            return (_flipped(left, right, at),)
        return Stretch(left, middle), Stretch(middle, right)


class Halving(Division[Fit]):
    """For any learner; `same(one, other)` tells whether two trees are one."""

    def __init__(self, fit: Callable[[float], Fit], same: Callable[[Fit, Fit], bool], close: float) -> None:
        super().__init__(fit)
        self.same = same
        self.close = close
        """Points that are no further apart are next to each other."""

    def divide(self, stretch: Stretch[Fit]) -> tuple[Stretch[Fit], ...]:
        """Look in the middle."""
        left, right = stretch.left, stretch.right
        if self.same(left.fit, right.fit):
            return (Stretch(left, right, settled=True),)
        at = left.value + (right.value - left.value) / 2
        if right.value - left.value <= self.close or not left.value < at < right.value:
            return (Stretch(left, right, Flip(right.value, left.value, right.value), settled=True),)
        middle = Point(at, self.fit(at))
        return Stretch(left, middle), Stretch(middle, right)


def _flipped(left: Point[Fit], right: Point[Fit], at: float) -> Stretch[Fit]:
    at = sensible(at)
    return Stretch(left, right, Flip(at, at, at), settled=True)


def sensible(value: float) -> float:
    """Return a number without what rounding added to it: 12 digits of it.

    >>> sensible(599.9999999999998), sensible(24.3125)
    (600.0, 24.3125)
    """
    return float(f"{value:.12g}")


def traced(
    values: Sequence[float], division: Division[Fit], tell: Callable[[float], object] | None = None
) -> tuple[list[Stretch[Fit]], bool]:
    """Divide a range into stretches until all of them are settled, from the left to the right.

    Parameters
    ----------
    values : sequence of float
        Rising: the ends of the range, and numbers between them to begin with.
    division : Division
        How to learn at a number, and how to divide.
    tell : callable, optional
        Called with the share of the range that is settled.

    Returns
    -------
    list of Stretch
        In order. After Ctrl-C some of them are not settled.
    bool
        Whether Ctrl-C was pressed.

    Raises
    ------
    KeyboardInterrupt
        If it was pressed before something was learnt at both ends.
    """
    first, last = (Point(value, division.fit(value)) for value in (values[0], values[-1]))
    points = [first, last]
    todo: list[Stretch[Fit]] = []
    done: list[Stretch[Fit]] = []
    try:
        for value in values[1:-1]:
            points.insert(-1, Point(value, division.fit(value)))
        todo = [Stretch(left, right) for left, right in pairwise(points)][::-1]
        while todo:
            parts = division.divide(todo[-1])
            todo[-1:] = [] if len(parts) == 1 else parts[::-1]
            done.extend(parts if len(parts) == 1 else ())
            if tell is not None and todo:
                tell((todo[-1].left.value - values[0]) / (values[-1] - values[0]))
    except KeyboardInterrupt:
        if not done and not todo:
            todo = [Stretch(left, right) for left, right in pairwise(points)][::-1]
        return [*done, *reversed(todo)], True
    return done, False


@dataclass(frozen=True, slots=True)
class Leg(Generic[Fit]):
    """A part of the range with one tree."""

    low: float
    high: float
    fit: Fit
    until: Flip | None
    """What ends it; None: the range does."""


def legs(stretches: Sequence[Stretch[Fit]], same: Callable[[Fit, Fit], bool]) -> list[Leg[Fit]]:
    """Return the parts of the range, each with its tree; those without any length are left out."""
    low, high = stretches[0].left.value, stretches[-1].right.value
    found: list[Leg[Fit]] = []
    fit, since = stretches[0].left.fit, low
    for stretch in stretches:
        begins = stretch.left.value
        if not same(fit, stretch.left.fit):  # two trees cost the same up to here, and not beyond
            found.append(Leg(since, begins, fit, Flip(begins, begins, begins)))
            fit, since = stretch.left.fit, begins
        flip = stretch.flip
        if not stretch.settled and not same(fit, stretch.right.fit):
            ends = begins, stretch.right.value
            flip = Flip(sum(ends) / 2, *ends)
        if flip is None:
            continue
        if flip.at > since:
            found.append(Leg(since, flip.at, fit, flip))
        fit, since = stretch.right.fit, flip.at
    if high > since:
        found.append(Leg(since, high, fit, None))
    elif found:  # the last tree begins where the range ends
        found[-1] = Leg(found[-1].low, high, found[-1].fit, None)
    return found
