"""The price list as arrays."""

import numpy as np
import pytest
from costs.strategies import cost_objects
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.costs import CostError, Costs, Test

CLINIC = Costs(
    {
        "chol": Test(5.17, needs=["blood draw"], delayed=True),
        "thal": Test(102.9, group="scan", after=1),
        "age": 1,
    },
    shared={"taxi": 30, "blood draw": 2.1},
    payment="upfront",
    charge_missing=False,
)


def test_arrays_follow_the_columns_of_the_table():
    prices = CLINIC.compile(["age", "sex", "chol", "thal"])
    assert prices.features == ("age", "sex", "chol", "thal")
    assert prices.resources == ("taxi", "blood draw")
    assert prices.groups == ("scan",)
    assert prices.price.tolist() == [1, 0, 5.17, 102.9]
    assert prices.needs_indptr.tolist() == [0, 0, 0, 1, 1]
    assert prices.needs_indices.tolist() == [1]
    assert prices.resource_price.tolist() == [30, 2.1]
    assert prices.group.tolist() == [-1, -1, -1, 0]
    np.testing.assert_array_equal(prices.after, [np.nan, np.nan, np.nan, 1])
    assert prices.delayed.tolist() == [0, 0, 1, 0]
    assert prices.upfront
    assert not prices.charge_missing


def test_types_are_those_of_the_core_and_the_arrays_are_read_only():
    prices = CLINIC.compile(["age", "chol", "thal"])
    types = {"price": "f8", "needs_indptr": "i4", "needs_indices": "i4", "resource_price": "f8"}
    types |= {"group": "i4", "after": "f8", "delayed": "u1"}
    for name, dtype in types.items():
        array = getattr(prices, name)
        assert array.dtype == np.dtype(dtype), name
        assert array.flags.c_contiguous, name
        assert not array.flags.writeable, name


def test_no_tests_at_all_and_no_columns_at_all_are_price_lists_too():
    prices = Costs(default_price=3).compile([0, 1])
    assert prices.price.tolist() == [3, 3]
    assert prices.needs_indptr.tolist() == [0, 0, 0]
    assert prices.needs_indices.dtype == np.int32
    assert Costs().compile([]).needs_indptr.tolist() == [0]


def test_a_price_for_a_column_that_is_not_there_names_the_nearest():
    with pytest.raises(
        CostError, match=r"price for 'chol', .* no such column. Did you mean 'chool'\? Choices: 'age',"
    ):
        CLINIC.compile(["age", "chool", "thal"])
    with pytest.raises(CostError, match="and 90 more"):
        CLINIC.compile(range(100))
    with pytest.raises(CostError, match="column 'age' occurs twice"):
        CLINIC.compile(["age", "age"])


def walk(prices, order):
    """The effective price from the arrays alone, as the core computes it."""
    paid, resources, groups, bill = set(), set(), set(), []
    for i in order:
        due = 0.0
        if i not in paid:
            discounted = prices.group[i] in groups and not np.isnan(prices.after[i])
            due = prices.after[i] if discounted else prices.price[i]
            for r in prices.needs_indices[prices.needs_indptr[i] : prices.needs_indptr[i + 1]]:
                due += 0.0 if r in resources else prices.resource_price[r]
                resources.add(r)
            if prices.group[i] >= 0:
                groups.add(prices.group[i])
        paid.add(i)
        bill.append(due)
    return bill


@given(costs=cost_objects(), data=st.data())
def test_the_arrays_say_the_same_prices_as_the_reference(costs, data):
    columns = data.draw(st.permutations([*costs.tests, "an unnamed column"]))
    order = data.draw(st.lists(st.integers(0, len(columns) - 1)))
    expected = costs.purchase(columns[i] for i in order)
    assert walk(costs.compile(columns), order) == expected


def test_a_hundred_thousand_tests_and_resources_stay_sparse():
    n = 100_000
    tests = {f"f{i}": Test(0, needs=[f"r{(i + j * 7919) % n}" for j in range(3)]) for i in range(n)}
    costs = Costs(tests, {f"r{i}": float(i) for i in range(n)})
    prices = costs.compile(tests)
    assert len(prices.needs_indices) == 3 * n
    assert prices.needs_indices[3:6].tolist() == [1, 7920, 15839]
    arrays = [array for array in vars(prices).values() if isinstance(array, np.ndarray)]
    assert sum(array.nbytes for array in arrays) < 50 * n  # dense needs would be n * n
