"""The rules of boosting: worked numbers, and what they reduce to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.ensembles import rounds
from thriftwood.ensembles.error_costs.lp_csb import pair_weights

W, RIGHT, COSTS = (
    np.array([0.1, 0.3, 0.4, 0.2]),
    np.array([1.0, 1.0, 1.0, -1.0]),
    np.array([1.0, 1.0, 2.0, 2.0]),
)


def test_adacost_worked_by_hand():
    costs, margins = np.array([0.2, 0.2, 0.4, 0.4]), np.array([-1.0, 1.0, 1.0, 1.0])
    first = rounds.normalised(costs)
    assert first == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3])
    beta = rounds.adacost_factors(margins, costs)
    assert beta == pytest.approx([0.6, 0.4, 0.3, 0.3])
    r = rounds.advantage(first, margins * beta)
    alpha = rounds.vote_weight(r)
    assert (r, alpha) == pytest.approx((0.166667, 0.168236), abs=1e-6)
    assert (first * np.exp(-alpha * margins * beta)).sum() == pytest.approx(0.974043, abs=1e-6)
    second = rounds.reweighed(first, margins * beta, alpha)
    assert second == pytest.approx([0.189282, 0.159972, 0.325373, 0.325373], abs=1e-6)


def test_csb_worked_by_hand():
    r = rounds.advantage(W, RIGHT)
    alpha = rounds.vote_weight(r)
    assert (r, alpha) == pytest.approx((0.6, 0.693147), abs=1e-6)
    zero, one, two = (
        rounds.csb0(W, RIGHT, COSTS),
        rounds.csb(W, RIGHT, COSTS, 1.0),
        rounds.csb(W, RIGHT, COSTS, alpha),
    )
    assert zero == pytest.approx([0.083333, 0.25, 0.333333, 0.333333], abs=1e-6)
    assert one == pytest.approx([0.026627, 0.079880, 0.106507, 0.786986], abs=1e-6)
    assert two == pytest.approx([0.041667, 0.125, 0.166667, 0.666667], abs=1e-6)


def test_asymboost_worked_by_hand():
    assert rounds.asymmetry(np.array([4.0, 1.0]), 10) == pytest.approx([1.071773, 0.933033], abs=1e-6)
    assert rounds.asymmetry(np.array([1.0, 4.0]), 10) == pytest.approx([0.933033, 1.071773], abs=1e-6)


@pytest.mark.parametrize(
    ("p", "weights"),
    [(2, [1.333333, 0.333333, 1.0]), (3, [0.444444, 0.111111, 0.333333]), (1, [4.0, 1.0, 3.0])],
)
def test_pairs_weigh_as_worked_by_hand(p, weights):
    found = pair_weights(np.array([[0.0, 2.0, 6.0]]), np.full((1, 3), 1 / 3), p)
    assert found[0] == pytest.approx(weights, abs=1e-6)


def test_of_equally_cheap_answers_the_first_is_the_best():
    found = pair_weights(np.array([[0.0, 0.0, 6.0]]), np.full((1, 3), 1 / 3), 2)
    assert found[0] == pytest.approx([1.0, 0.0, 1.0])


@given(
    st.lists(st.tuples(st.floats(0.01, 10), st.booleans()), min_size=2, max_size=30).filter(
        lambda cases: 0 < sum(right for _, right in cases) < len(cases)
    )
)
def test_after_a_round_of_adaboost_its_model_is_no_better_than_chance(cases):
    weights = rounds.normalised(np.array([weight for weight, _ in cases]))
    margins = np.array([1.0 if right else -1.0 for _, right in cases])
    following = rounds.reweighed(weights, margins, rounds.vote_weight(rounds.advantage(weights, margins)))
    assert following.sum() == pytest.approx(1)
    assert rounds.advantage(following, margins) == pytest.approx(0, abs=1e-9)
    equal = rounds.csb(
        weights, margins, np.ones(len(cases)), rounds.vote_weight(rounds.advantage(weights, margins))
    )
    assert equal == pytest.approx(following)
