"""Points that no other beats in cost and score both."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.evaluation.pareto import cheapest, cost_of, pareto

# Few different numbers, so that many points tie.
numbers = st.integers(0, 6).map(float) | st.floats(-10, 10)
points = st.lists(st.tuples(numbers, numbers), min_size=1, max_size=30)


def dominates(a, b):
    return a[0] <= b[0] and a[1] >= b[1] and a != b


@given(points)
def test_what_is_kept_is_not_dominated_and_all_else_is(given_points):
    cost, score = np.array(given_points).T
    kept = pareto(cost, score)
    chosen = [given_points[i] for i in kept]
    assert len(set(chosen)) == len(chosen)
    assert chosen == sorted(chosen)
    for point in given_points:
        beaten = any(dominates(other, point) for other in given_points)
        assert beaten == (point not in chosen)
        assert not beaten or any(dominates(other, point) for other in chosen)


@given(points)
def test_of_equal_points_the_one_of_lowest_rank_is_kept(given_points):
    cost, score = np.array(given_points).T
    rank = list(range(len(given_points)))[::-1]
    for i in pareto(cost, score, rank):
        assert rank[i] == min(rank[j] for j, point in enumerate(given_points) if point == given_points[i])


@given(points, st.floats(0, 5))
def test_nothing_cheaper_is_near_enough(given_points, within):
    cost, score = np.array(given_points).T
    chosen = cheapest(cost, score, within)
    assert score[chosen] >= score.max() - within - 1e-9
    for c, s in given_points:
        if s >= score.max() - within:
            assert (cost[chosen], -score[chosen]) <= (c, -s)


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=12), st.integers(0, 60)
)
def test_a_level_costs_what_the_cheapest_mixture_of_two_points_does(points, level):
    cost, score = (np.array(values, dtype=float) for values in zip(*points, strict=True))
    kept = pareto(cost, score)
    cost, score = cost[kept], score[kept]
    mixtures = [cost[i] for i in range(len(kept)) if score[i] >= level] + [
        cost[i] + (cost[j] - cost[i]) * (level - score[i]) / (score[j] - score[i])
        for i in range(len(kept))
        for j in range(i + 1, len(kept))
        if score[i] <= level <= score[j]
    ]
    assert cost_of(cost, score, level) == pytest.approx(min(mixtures, default=float("inf")), abs=1e-6)
