"""Intervals of bills and of differences: worked ends and laws; benchmarks.intervals has their coverage."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

import thriftwood as tw
from thriftwood.evaluation.intervals import Interval, Spread, fold_interval

amounts = st.floats(0, 1000, allow_subnormal=False)


def test_of_mistakes_of_one_price_it_is_that_of_their_share():
    """With two costs the likelihood is the binomial one; its ends are found here by trying all shares."""
    n, wrong, price = 200, 9, 50.0
    costs = np.r_[np.zeros(n - wrong), np.full(wrong, price)]
    low, high = Spread.of(costs, least=0, most=price).interval
    shares = np.linspace(1e-5, 1 - 1e-5, 200_001)
    for end, more in ((high, (0, 1 / 3)), (low, (1 / 3, 0))):
        right, found = n - wrong + more[0], wrong + more[1]
        log = found * np.log(shares) + right * np.log(1 - shares)
        inside = shares[2 * (log.max() - log) <= 1.9719565**2]  # Student's t of 199 degrees, 97.5 %
        best = inside.max() if more[1] else inside.min()
        assert end == pytest.approx(price * best, rel=1e-3)
    exact = binom.ppf([0.025, 0.975], n, wrong / n) * price / n
    assert low == pytest.approx(exact[0], abs=0.6)
    assert high == pytest.approx(exact[1], abs=1.1)


@pytest.mark.parametrize("n", [50, 100, 1000, 100_000])
def test_nothing_seen_means_at_most_three(n):
    low, high = Spread.of(np.zeros(n), least=0, most=1).interval
    assert low == 0
    assert high == pytest.approx(3 / n, rel=0.1)


@given(st.lists(amounts, min_size=2, max_size=60), st.floats(0, 100), st.floats(0, 100))
def test_it_holds_the_mean_and_lies_within_what_a_case_can_cost(costs, less, more):
    least, most = min(costs) - less, max(costs) + more
    spread = Spread.of(np.array(costs), least=least, most=most)
    low, high = spread.interval
    assert least - 1e-9 <= low <= spread.mean <= high <= most + 1e-9


@given(st.lists(amounts, min_size=3, max_size=30), st.floats(0.01, 100), st.floats(-50, 50))
def test_it_goes_with_the_unit_of_money(costs, factor, shift):
    own = Spread.of(np.array(costs), least=0, most=1000).interval
    moved = np.array(costs) * factor + shift
    other = Spread.of(moved, least=shift, most=1000 * factor + shift).interval
    assert other.low == pytest.approx(own.low * factor + shift, abs=1e-4 * factor + 1e-9)
    assert other.high == pytest.approx(own.high * factor + shift, abs=1e-4 * factor + 1e-9)


@given(st.lists(amounts, min_size=2, max_size=40), st.integers(1, 39))
def test_parts_add_up(costs, cut):
    values = np.array(costs)
    whole = Spread.of(values, least=0, most=1000)
    if not 0 < cut < len(values):
        return
    both = Spread.of(values[:cut], least=0, most=1000) + Spread.of(values[cut:], least=0, most=1000)
    assert both.interval == pytest.approx(whole.interval)


def test_a_weight_of_two_everywhere_adds_no_case():
    values = np.arange(40.0)
    once = Spread.of(values, least=0, most=50).interval
    assert Spread.of(values, np.full(40, 2.0), least=0, most=50).interval == pytest.approx(once)


def test_one_case_says_nothing_of_others():
    assert Spread.of(np.array([7.0]), least=0, most=50).interval == Interval(0, 50)


def test_many_costs_are_joined_with_little_loss():
    rng = np.random.default_rng(0)
    values = rng.gamma(0.5, 10, 30_000) + 1000 * (rng.random(30_000) < 0.001)
    joined = Spread.of(values, least=0, most=1500)
    assert len(joined.values) <= 4096
    assert joined.mean == pytest.approx(values.mean())
    half = 1.96 * values.std() / math.sqrt(len(values))
    assert joined.interval.high - joined.interval.low == pytest.approx(2 * half, rel=0.05)


def test_folds_never_begin_below_what_a_case_can_cost():
    values, fold = np.array([0.0, 0.0, 0.0, 8.0]), np.array([0, 0, 1, 1])
    assert fold_interval(values, fold).low < 0
    assert fold_interval(values, fold, least=0).low == 0


def test_folds_dealt_twice_are_no_more_sure_of_shared_cases():
    values, fold = np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 0, 1, 1])
    once = fold_interval(values, fold)
    assert fold_interval(values, fold, judged=1.0) == pytest.approx(once)
    again = np.r_[values, values[::-1]], np.r_[fold, fold + 2]
    spread = math.sqrt((1 / 4 + 1) * np.var([1.5, 3.5, 3.5, 1.5], ddof=1)) * 3.182446
    assert fold_interval(*again, judged=1.0) == pytest.approx([2.5 - spread, 2.5 + spread], rel=1e-6)


def test_folds_count_a_case_of_weight_two_twice():
    values, fold = np.array([1.0, 5.0, 30.0, 40.0]), np.array([0, 0, 1, 1])
    double = np.r_[values, 5.0], np.r_[fold, 0]
    found = fold_interval(values, fold, np.array([1.0, 2.0, 1.0, 1.0]))
    assert found == pytest.approx(fold_interval(*double))


def test_folds_with_equal_shares_of_the_classes_do_not_hide_how_samples_differ():
    """What testing nobody costs is the same in all folds dealt evenly, and not in all samples."""
    rng, held, fold = np.random.default_rng(0), 0, np.arange(200) % 10
    for _ in range(200):
        sick = np.sort(rng.random(200) < 0.1)[::-1]  # dealt in turn: each fold has its share
        held += np.prod(np.sign(np.subtract(fold_interval(600.0 * sick, fold, least=0), 60.0))) <= 0
    assert 184 <= held <= 197  # 92 to 98 %; by the folds alone 153


def test_folds_none_of_whose_cases_counts_are_left_out():
    values, fold = np.array([1.0, 2.0, 30.0, 40.0, 7.0]), np.array([0, 0, 1, 1, 2])
    found = fold_interval(values, fold, np.array([1.0, 1.0, 1.0, 1.0, 0.0]))
    assert found == pytest.approx(fold_interval(values[:4], fold[:4]))
    assert math.isfinite(fold_interval(values, fold, np.array([1.0, 1.0, 0.0, 0.0, 0.0])).high)


def test_bills_of_other_weights_are_not_compared():
    one, other = two_bills()
    weighed = replace(other, weights=np.full(60, 2.0))
    with pytest.raises(ValueError, match="have other weights"):
        one.against(weighed)


def two_bills(n=60):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, 3))
    y = np.where(X[:, 0] + rng.normal(size=n) > 0, "b", "a")
    costs = tw.Costs({0: 1, 1: 2, 2: 3}, errors={"a": {"b": 10}, "b": {"a": 40}})
    learners = [tw.algorithm(name, costs=costs).fit(X, y) for name in ("c45", "nobody")]
    return [tw.bill(learner, X, y) for learner in learners]


def test_a_difference_is_of_the_same_cases():
    one, other = two_bills()
    there, back = one.against(other), other.against(one)
    assert there.mean == pytest.approx(one.mean_cost - other.mean_cost)
    assert there == pytest.approx([-back.mean, -back.high, -back.low])
    assert one.against_untested.mean == pytest.approx(one.mean_cost - one.untested_cost)
    with pytest.raises(ValueError, match="Only bills of the same cases"):
        one.against(other.part(np.arange(10)))


def test_a_total_has_the_interval_of_all_its_cases():
    bill, _ = two_bills()
    total = tw.total_bill([bill.part(np.arange(25)), bill.part(np.arange(25, 60))])
    assert total.interval == pytest.approx(bill.interval)
    assert total.against_untested == pytest.approx(bill.against_untested)


def test_benefits_can_lie_below_nothing():
    costs = tw.Costs(errors={"a": {"a": -5, "b": 1}, "b": {"a": 1, "b": -5}})
    X, y = [[0.0], [1.0]] * 10, ["a", "b"] * 10
    bill = tw.bill(tw.algorithm("c45", costs=costs).fit(X, y), X, y)
    assert bill.interval.low == -5
    assert -5 < bill.interval.high < 0


def test_without_the_truth_there_is_none():
    bill, _ = two_bills()
    X = [[0.0, 0.0, 0.0]]
    model = tw.algorithm("c45", costs=bill.costs).fit([[0.0, 0, 0], [1.0, 0, 0]] * 5, ["a", "b"] * 5)
    untrue = tw.bill(model, X)
    assert (untrue.interval, untrue.against_untested, untrue.cost) == (None, None, None)
    with pytest.raises(ValueError, match="need the true classes"):
        untrue.against(untrue)
