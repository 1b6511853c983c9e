import pytest

import thriftwood as tw
from thriftwood import flowtype
from thriftwood.flowtype.chunk import NEEDS, STEPS


def test_every_feature_has_a_price_and_needs_its_steps(prices):
    assert list(prices.tests) == list(flowtype.FEATURES)
    assert list(prices.shared) == list(STEPS)
    for name, test in prices.tests.items():
        assert test.needs == NEEDS[name]


def test_more_bytes_take_longer(prices):
    for step in ("sum", "histogram", "spectrum", "bicoherence"):
        assert prices.shared[f"{step}@2k"] < prices.shared[f"{step}@16k"]


def test_a_step_is_paid_once(prices):
    bands = [name for name in flowtype.FEATURES if name.startswith("band") and name.endswith("@8k")]
    once = prices.shared["spectrum@8k"] + sum(prices.tests[name].price for name in bands)
    assert len(bands) == 12
    assert prices.total(bands) == pytest.approx(once)


def test_prices_survive_a_file(prices, tmp_path):
    prices.to_file(tmp_path / "costs.toml")
    assert tw.Costs.from_file(tmp_path / "costs.toml") == prices
