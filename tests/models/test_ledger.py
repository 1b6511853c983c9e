"""The core's ledger and price list against the same rules in plain Python."""

import numpy as np
import pytest
from costs.strategies import cost_objects
from evaluation.plain_ledger import bought, random_costs
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_tree import column_table, random_rows, random_tree, some_tree

from thriftwood import _core
from thriftwood.costs import Costs

seeds = st.integers(0, 2**32 - 1)


@given(cost_objects(), st.data())
def test_the_native_basket_charges_as_the_plain_one(costs, data):
    names = [*costs.tests, "a column without a price"]
    order = data.draw(st.lists(st.integers(0, len(names) - 1), max_size=12))
    prices = _core.Prices(costs.compile(names))
    assert prices.purchase(order).tolist() == costs.purchase(names[i] for i in order)
    assert prices.list_price().tolist() == [costs.effective_price(name) for name in names]


@given(seeds, st.booleans())
@settings(deadline=None, max_examples=300)
def test_every_case_pays_what_the_plain_walk_pays(seed, surrogates):
    rng = np.random.default_rng(seed)
    feature_values = rng.choice([0, 0, 1, 2, 4], 5).tolist()
    arrays = random_tree(rng, feature_values=feature_values, surrogates=surrogates)
    costs = random_costs(rng, 5)
    X = random_rows(rng, feature_values, 9)
    ledger = charged(arrays, costs, column_table(X, feature_values))
    for r, row in enumerate(X.tolist()):
        expected = bought(arrays, costs, row)
        assert ledger.test_cost[r] == pytest.approx(sum(s * price for _, s, price in expected), rel=1e-12)
        own = slice(ledger.starts[r], ledger.starts[r + 1])
        assert ledger.test[own].tolist() == list(dict.fromkeys(feature for feature, *_ in expected))
        for test, share, cost in zip(ledger.test[own], ledger.share[own], ledger.cost[own], strict=True):
            mine = [(s, price) for feature, s, price in expected if feature == test]
            assert share == pytest.approx(sum(s for s, _ in mine), rel=1e-12)
            assert cost == pytest.approx(sum(s * price for s, price in mine), rel=1e-12)


@given(seeds)
@settings(deadline=None)
def test_no_case_pays_more_than_all_tests_of_the_tree(seed):
    rng = np.random.default_rng(seed)
    arrays = random_tree(rng, feature_values=[0, 3, 0, 2], surrogates=False)
    costs = random_costs(rng, 4, groups=False, payment="sequential")
    tree, prices = _core.Tree.from_arrays(arrays), _core.Prices(costs.compile(range(4)))
    everything = prices.purchase(_core.tests_of(tree).tolist()).sum()
    table = column_table(random_rows(rng, [0, 3, 0, 2], 20), [0, 3, 0, 2])
    assert (_core.ledger(tree, prices, table).test_cost <= everything * (1 + 1e-12)).all()


def test_two_threads_write_the_same_ledger():
    rng = np.random.default_rng(8)
    feature_values = [0, 3, 0, 2]
    arrays = random_tree(rng, feature_values=feature_values, n_tests=30)
    table = column_table(random_rows(rng, feature_values, 5_000), feature_values)
    for payment in ("sequential", "upfront"):
        costs = random_costs(rng, 4, payment=payment)
        one, two = (charged(arrays, costs, table, n_threads) for n_threads in (1, 2))
        for name in ("test_cost", "starts", "test", "share", "cost"):
            np.testing.assert_array_equal(getattr(one, name), getattr(two, name))


def test_a_table_without_rows():
    ledger = charged(some_tree(), Costs(), column_table(np.empty((0, 3)), [0, 3, 0]))
    assert ledger.test_cost.tolist() == ledger.test.tolist() == []
    assert ledger.starts.tolist() == [0]


def test_prices_and_tables_of_another_tree_are_refused():
    table = column_table(np.zeros((2, 3)), [0, 3, 0])
    with pytest.raises(ValueError, match="2 tests, the tree was grown on 3"):
        charged(some_tree(), Costs(), table, columns=2)
    with pytest.raises(ValueError, match="grown on 3"):
        charged(some_tree(), Costs(), _core.Table.from_dense(np.zeros((2, 2))))


@pytest.mark.parametrize("order", [[3], [-1], [0, 2**31 - 1]])
def test_tests_that_do_not_exist(order):
    with pytest.raises(ValueError, match="There is no test"):
        _core.Prices(Costs().compile(["a", "b", "c"])).purchase(order)


@pytest.mark.parametrize("given", ["prices", Costs(), {"price": np.ones(2)}])
def test_a_price_list_is_what_compile_returns(given):
    with pytest.raises(ValueError, match=r"as Costs\.compile makes it"):
        _core.Prices(given)


def charged(arrays, costs, table, n_threads=1, columns=None):
    names = range(columns or len(arrays["feature_values"]))
    prices = _core.Prices(costs.compile(names))
    return _core.ledger(_core.Tree.from_arrays(arrays), prices, table, n_threads)
