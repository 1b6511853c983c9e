"""Warnings are told of the line that called the library."""

import warnings

import pytest

import thriftwood as tw

COSTS = tw.Costs({"x0": 5, "x1": 7}, errors_default=1)


@pytest.mark.parametrize("name", ["c45", "gated", "optimal", "thrift"])
def test_a_budget_that_buys_nothing_is_told_of_the_line_that_called_fit(name):
    model = tw.algorithm(name, costs=COSTS, budget=1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit([[0.0, 1.0], [1.0, 0.0]] * 10, ["a", "b"] * 10)
    told = [one for one in caught if "within the budget" in str(one.message)]
    assert [one.filename for one in told] == [__file__]
