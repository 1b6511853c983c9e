"""Finding flips, on lines and steps whose flips are known."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from thriftwood.evaluation.whatif.tracing import Crossing, Flip, Halving, Point, legs, traced

NUMBERS = st.integers(0, 20)


def best(lines, value):
    return min(lines, key=lambda line: (line[0] + line[1] * value, line[1]))


def cost(line, value):
    return line[0] + line[1] * value


def same_line(one, other):
    return one == other


def crossed(lines, low, high):
    """Every place where the least of the lines bends, by comparing each with each."""
    places = set()
    for one in lines:
        for other in lines:
            if one[1] > other[1]:
                at = (other[0] - one[0]) / (one[1] - other[1])
                least = min(cost(line, at) for line in lines)
                if low < at < high and cost(one, at) <= least + 1e-9:
                    places.add(round(at, 9))
    return sorted(places)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=12))
def test_every_bend_of_the_least_line_is_found(lines):
    stretches, interrupted = traced([0.5, 30.5], Crossing(lambda value: best(lines, value), cost))
    found = legs(stretches, same_line)
    assert not interrupted
    assert [leg.until.at for leg in found[:-1]] == pytest.approx(crossed(lines, 0.5, 30.5))
    assert (found[0].low, found[-1].high, found[-1].until) == (0.5, 30.5, None)
    for leg in found:  # a tree of the least cost all the way
        for value in np.linspace(leg.low, leg.high, 7):
            assert cost(leg.fit, value) == pytest.approx(cost(best(lines, value), value))


def test_a_line_takes_two_fits_and_each_bend_one_or_two_more():
    fits = []

    def fit(value):
        fits.append(value)
        return best([(0, 3), (4, 1), (9, 0)], value)

    stretches, _ = traced([0.0, 10.0], Crossing(fit, cost))
    assert [leg.until.at for leg in legs(stretches, same_line)[:-1]] == [2.0, 5.0]
    assert fits == [0.0, 10.0, 3.0, 2.0, 5.0]


@given(st.lists(st.floats(0.001, 0.999), max_size=5, unique=True))
def test_halving_finds_the_places_of_steps_that_it_sees(places):
    edges = sorted(places)
    assume(all(later - one > 1e-9 for one, later in pairwise(edges)))  # closer ones are one step
    division = Halving(lambda value: int(np.searchsorted(edges, value, "right")), same_line, 1e-12)
    stretches, _ = traced(np.linspace(0, 1, 11).tolist(), division)
    found = legs(stretches, same_line)
    for leg in found[:-1]:
        assert leg.until.settled
        assert any(leg.until.low <= edge <= leg.until.high for edge in edges)
    assert [leg.fit for leg in found] == sorted({leg.fit for leg in found})
    assert len(found) == len(edges) + 1  # numbers rise, so none of them can be missed


def test_a_step_that_comes_and_goes_between_two_looks_is_missed():
    division = Halving(lambda value: 0.501 < value < 0.502, same_line, 1e-9)
    stretches, _ = traced([0.0, 0.4, 0.6, 1.0], division)
    assert len(legs(stretches, same_line)) == 1


def test_ctrl_c_leaves_what_is_known_and_says_what_is_not():
    def fit(value):
        if len(fits) == 4:
            raise KeyboardInterrupt
        fits.append(value)
        return best([(0, 3), (4, 1), (9, 0)], value)

    fits = []
    stretches, interrupted = traced([0.0, 10.0], Crossing(fit, cost))
    assert interrupted
    first, second = (leg.until for leg in legs(stretches, same_line)[:-1])
    assert (first.at, first.settled) == (2.0, True)
    assert (second.low, second.high, second.settled) == (3.0, 10.0, False)


def test_ctrl_c_before_both_ends_are_known_is_raised():
    def fit(value):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        traced([0.0, 1.0], Crossing(fit, cost))


def test_ctrl_c_while_first_looks_are_taken_keeps_them():
    def fit(value):
        if value == 0.75:
            raise KeyboardInterrupt
        return value >= 0.5

    stretches, interrupted = traced([0.0, 0.25, 0.5, 0.75, 1.0], Halving(fit, same_line, 1e-9))
    assert interrupted
    (until,) = [leg.until for leg in legs(stretches, same_line)[:-1]]
    assert (until.low, until.high) == (0.25, 0.5)


def test_a_flip_at_an_end_of_the_range_leaves_no_empty_leg():
    lines = [(0, 1), (10, 0)]
    for low, high in ((0.0, 10.0), (10.0, 20.0)):
        stretches, _ = traced([low, high], Crossing(lambda value: best(lines, value), cost))
        (leg,) = legs(stretches, same_line)
        assert (leg.low, leg.high) == (low, high)


def test_points_and_flips_are_values():
    assert Point(1.0, "tree") == Point(1.0, "tree")
    assert Flip(2.0, 2.0, 2.0).settled
