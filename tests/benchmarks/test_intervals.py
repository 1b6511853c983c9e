"""A quick form of ``python -m benchmarks.intervals``."""

import pytest

from benchmarks.intervals.coverage import coverages


@pytest.mark.parametrize("prices", ["even", "skewed"])
def test_an_interval_has_the_truth_as_often_as_it_says(prices):
    for row in coverages(prices, 300, 500, others=False):
        assert 0.92 <= row.coverage <= 0.98, row


def test_a_bootstrap_misses_rare_dear_mistakes():
    found = {(row.what, row.method): row.coverage for row in coverages("skewed", 100, 150)}
    assert found["bill", "bootstrap"] < 0.8 < 0.9 < found["bill", "ours"]
