"""Dealing cases anew: p-values are those of exact tests, and differences divide by column."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from thriftwood.evaluation import drift


def deal(new, pooled, n_deals=20_000):
    new, pooled = np.array(new), np.array(pooled)
    rng = np.random.default_rng(0)
    return drift.p_values(new, pooled, lambda dealt: drift.difference(dealt, pooled), rng, n_deals)[0]


def test_of_two_cells_it_is_fishers_exact_test(monkeypatch):
    monkeypatch.setattr(drift, "ENOUGH", 2000)  # digits, where 20 say that it is no news
    # Equal numbers old and new: tables as likely as the observed one are those with as large a G.
    assert deal([3, 9], [12, 12], 200_000) == pytest.approx(fisher_exact([[3, 9], [9, 3]]).pvalue, rel=0.1)
    assert deal([1, 11], [12, 12], 200_000) == pytest.approx(fisher_exact([[1, 11], [11, 1]]).pvalue, rel=0.3)


def test_what_is_no_news_ends_early_and_what_never_happens_is_as_rare_as_it_was_looked_for():
    assert deal([6, 6], [12, 12]) == 1.0  # each of the first 20 deals
    assert deal([30, 0], [30, 30], 999) == 1 / 1001  # blocks of 1000


def g_by_hand(new, old):
    """The likelihood-ratio statistic of a table of two rows, halved."""
    total = 0.0
    for row in (new, old):
        for cell, a, b in zip(row, new, old, strict=True):
            if cell:
                total += cell * math.log(cell / (sum(row) * (a + b) / (sum(new) + sum(old))))
    return total


@given(
    st.lists(st.integers(0, 9), min_size=5, max_size=5), st.lists(st.integers(0, 9), min_size=5, max_size=5)
)
def test_differences_of_branches_add_up_to_that_of_the_leaves(new, old):
    if not sum(new) or not sum(old):
        return
    # The root asks column 0; node 1 asks column 1, of three branches; node 2 is a leaf, node 3 asks column 0.
    parent, column = [-1, 0, 0, 0, 1, 1, 3, 3], [0, 1, -1, 0, -1, -1, -1, -1]
    ends = np.array([2, 4, 5, 6, 7])
    pooled = np.array(new) + np.array(old)
    measure = drift.BranchDifference(parent, column, ends, pooled, 2)
    nothing = measure.pooled  # what is the same for all deals is taken off by the pooled counts
    logs = [n * math.log(n) if n else 0.0 for n in nothing.tolist()]
    n_new, n_old = sum(new), sum(old)

    def own(children, node):
        totals = [measure.totals(np.array([side]))[0] for side in (new, old)]
        return g_by_hand(*([int(side[child]) for child in children] for side in totals))

    constant = [
        logs[0] - logs[1] - logs[2] - logs[3] + logs[3] - logs[6] - logs[7],
        logs[1] - logs[4] - logs[5],
    ]
    found = measure(np.array([new]))[0] + np.array(constant)
    by_hand = [own([1, 2, 3], 0) + own([6, 7], 3), own([4, 5], 1)]
    assert found == pytest.approx(by_hand, abs=1e-9)
    assert sum(by_hand) == pytest.approx(g_by_hand(new, old), abs=1e-9)
    assert n_new + n_old == nothing[0]


def test_a_new_category_is_as_likely_as_dealing_all_its_cases_to_one_side():
    chance = Fraction(math.comb(20, 4), math.comb(50, 4))  # 20 new cases, 30 of training
    assert drift.new_category(4, 20, 30, 3) == pytest.approx(float(3 * chance))
    assert drift.new_category(20, 20, 10**6, 1) < 1e-80


@given(st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=8))
def test_adjusted_p_values_are_holms(values):
    found = drift.adjusted(np.array(values))
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        before = [found[p] for p in sorted(range(len(values)), key=values.__getitem__)[:rank]]
        assert found[place] == pytest.approx(max([*before, min(1.0, values[place] * (len(values) - rank))]))


@given(st.lists(st.integers(0, 40), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_weights_are_rounded_to_their_sum(thirds, chance):
    total = sum(thirds) // 3
    weights = np.array(thirds) * (total / max(sum(thirds) / 3, 1)) / 3
    found = drift.whole(weights, round(float(weights.sum())))
    assert int(found.sum()) == round(float(weights.sum()))
    assert (np.abs(found - weights) <= 1 + 1e-9).all()


def test_too_many_cases_are_refused():
    with pytest.raises(ValueError, match="Fewer than 1,000,000,000"):
        deal([1, 1], [10**9, 10**9])
