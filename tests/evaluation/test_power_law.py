"""The law of bills: exact where bills follow it, never below 0, and as sure as the folds are."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.evaluation.power_law import PowerLaw, fitted_laws

SIZES = np.array([40.0, 71.0, 126.0, 225.0, 400.0])


@pytest.mark.parametrize(
    ("a", "c", "e"), [(10.0, 100.0, 0.5), (0.0, 30.0, 0.25), (7.0, 0.0, 0.1), (5.0, 400.0, 1.0)]
)
def test_bills_that_follow_a_law_give_it_back(a, c, e):
    law = PowerLaw.fit(SIZES, (a + c * SIZES**-e)[None], np.ones(5))
    assert law.at(800.0)[0] == pytest.approx(a + c * 800.0**-e, rel=1e-6)


@given(st.lists(st.floats(0.0, 1e6), min_size=5, max_size=5), st.floats(-10.0, 0.0))
def test_more_cases_never_cost_more_and_no_case_less_than_it_can(costs, least):
    law = PowerLaw.fit(SIZES, np.array([costs]), np.ones(5), least)
    bills = [float(law.at(n)[0]) for n in (40.0, 400.0, 800.0, 1e9)]
    assert all(before >= after - 1e-9 * abs(before) for before, after in pairwise(bills))
    assert bills[-1] >= least - 1e-9


def test_least_squares_by_brute_force():
    costs, weights = np.array([30.0, 22.0, 21.0, 17.0, 16.5]), np.array([1.0, 2.0, 3.0, 2.0, 1.0])
    law = PowerLaw.fit(SIZES, costs[None], weights)
    found = sum(w * (law.at(n)[0] - cost) ** 2 for n, cost, w in zip(SIZES, costs, weights, strict=True))
    best = min(
        weights @ (a + c * (SIZES / 400) ** -e - costs) ** 2
        for a in np.linspace(0, 20, 41)
        for c in np.linspace(0, 20, 41)
        for e in np.linspace(0.1, 1.0, 7)
    )
    assert found <= best + 1e-9


def drawn_folds(rng, mean, spread):
    """Mean bills of ten folds whose sizes share most of their noise, as nested parts of the cases do."""
    shared, own = rng.normal(size=(10, 1)), rng.normal(size=(10, len(mean)))
    return mean + spread * (0.8 * shared + 0.6 * own)


def test_the_interval_holds_what_the_law_says():
    rng, mean = np.random.default_rng(0), 12 + 120 * SIZES**-0.6
    true = 120 * (400**-0.6 - 800**-0.6)
    held = 0
    for seed in range(40):
        saved = fitted_laws(SIZES, drawn_folds(rng, mean, 2.0), seed=seed).saved(400, 800)
        assert 0.0 <= saved.low <= saved.mean <= saved.high
        held += saved.low <= true <= saved.high
    assert held >= 36


def test_bills_that_rise_by_chance_leave_room_for_doubt():
    rng = np.random.default_rng(1)
    saved = fitted_laws(SIZES, drawn_folds(rng, np.array([20.0, 20.2, 20.1, 20.3, 20.6]), 2.0)).saved(
        400, 800
    )
    assert saved.mean < 0.2
    assert saved.low == 0.0
    assert saved.high > 0.1


def test_folds_without_any_noise_are_taken_at_their_word():
    mean = 10 + 100 * SIZES**-0.5
    saved = fitted_laws(SIZES, np.tile(mean, (5, 1))).saved(400, 800)
    assert saved.mean == pytest.approx(100 * (400**-0.5 - 800**-0.5))
    assert saved.high - saved.low < 1e-6
