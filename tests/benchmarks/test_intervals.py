"""A quick form of ``python -m benchmarks.intervals``."""

import pytest

from benchmarks.intervals.coverage import coverages
from benchmarks.intervals.rates import by_share


@pytest.mark.parametrize("prices", ["even", "skewed"])
def test_an_interval_has_the_truth_as_often_as_it_says(prices):
    for row in coverages(prices, 300, 500, others=False):
        assert 0.92 <= row.coverage <= 0.98, row


def test_a_bootstrap_misses_rare_dear_mistakes():
    found = {(row.what, row.method): row.coverage for row in coverages("skewed", 100, 150)}
    assert found["bill", "bootstrap"] < 0.8 < 0.9 < found["bill", "ours"]


@pytest.mark.parametrize("n", [100, 300])
def test_of_rare_dear_mistakes_it_is_never_too_narrow_and_not_wider_than_the_exact_one(n):
    found = {one.method: one for one in by_share(n, (0.92, 0.98))}
    assert found["ours"].least >= 0.92
    assert found["Jeffreys"].mean < found["ours"].mean <= 0.98 < found["exact"].mean + 0.005
