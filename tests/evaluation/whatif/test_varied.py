"""What is varied: one number of a price list, and what is no such number."""

import numpy as np
import pytest

import thriftwood as tw
from thriftwood.evaluation.whatif.varied import Varied, check_prices, varied_of

COLUMNS = ("age", "chol", "sugar")
CLASSES = ["sick", "well"]
COSTS = tw.Costs(
    {"chol": tw.Test(5, needs=["draw"]), "sugar": tw.Test(3, needs=["draw"], group="g", after=1)},
    {"draw": 2, "bed": 9},
    errors={"sick": {"well": 50}, "well": {"sick": 10}},
)


def varied(costs=COSTS, **given):
    return varied_of(given, costs, COLUMNS, CLASSES)


def test_a_price_is_turned_and_all_else_stays():
    found = varied(price={"sugar": (1, 9)})
    turned = found.turned(COSTS, CLASSES, 7)
    assert turned.tests["sugar"] == tw.Test(7, needs=["draw"], group="g", after=1)
    assert turned.replace(tests=COSTS.tests) == COSTS
    assert (found.value(COSTS, CLASSES), found.needed_by(COSTS)) == (3, ("sugar",))


def test_a_resource_is_turned():
    found = varied(shared={"draw": (0, 9)})
    assert found.turned(COSTS, CLASSES, 7).shared == {"draw": 7, "bed": 9}
    assert (found.value(COSTS, CLASSES), found.needed_by(COSTS)) == (2, ("chol", "sugar"))


@pytest.mark.parametrize(
    ("costs", "now", "others"),
    [
        (COSTS, 50, [0, 10]),
        (COSTS.replace(errors=None), 1, [0, 1]),
        (COSTS.replace(errors=None, errors_default=4), 4, [0, 4]),
        (COSTS.replace(errors=[[1, 5], [2, 3]]), 5, [1, 2, 3]),
    ],
)
def test_a_mistake_is_turned_however_error_costs_are_written(costs, now, others):
    found = varied(costs, error={("sick", "well"): (5, 500)})
    assert found.value(costs, CLASSES) == now
    before, after = costs.error_matrix(CLASSES), found.turned(costs, CLASSES, 70).error_matrix(CLASSES)
    assert np.argwhere(before != after).tolist() == [[0, 1]]
    assert after[0, 1] == 70
    assert set(after[before == after].tolist()) == set(map(float, others))


@pytest.mark.parametrize("answers", [{"refer": 8}, {"refer": {"sick": 8, "well": 4}}])
def test_an_answer_that_is_no_class_is_turned(answers):
    costs = COSTS.replace(answers=answers)
    found = varied(costs, error={("sick", "refer"): (1, 20)})
    matrix = found.turned(costs, CLASSES, 15).error_matrix(CLASSES)
    assert matrix[:, 2].tolist() == [15, costs.error_matrix(CLASSES)[1, 2]]


def test_a_column_of_the_default_price_can_be_turned():
    costs = COSTS.replace(default_price=4)
    found = varied(costs, price={"age": (1, 9)})
    assert found.value(costs, CLASSES) == 4
    assert found.turned(costs, CLASSES, 6).tests["age"] == tw.Test(6)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "Give one of price, shared and error. Got none of them."),
        ({"price": {"chol": (1, 2)}, "error": {}}, "Got price and error."),
        ({"price": {}}, "one thing to vary, .* Got 0 names"),
        ({"price": {"chol": (1, 2), "sugar": (1, 2)}}, "Got 2 names: ask for one after the other"),
        ({"price": ("chol", 1, 2)}, r"must be a dictionary name -> \(low, high\)"),
        (
            {"price": {"choll": (1, 2)}},
            "price of 'choll' cannot be varied: the table has no such column. Did you mean 'chol'",
        ),
        ({"price": {"age": (1, 2)}}, "it is free, .* Tests with a price: 'chol', 'sugar'"),
        ({"price": {"chol": (2, 1)}}, "lower number first. Got 2 and 1"),
        ({"price": {"chol": (2, 2)}}, "lower number first"),
        ({"price": {"chol": (-1, 2)}}, "a finite number, 0 or more. Got -1"),
        ({"price": {"chol": (1, float("nan"))}}, "a finite number, 0 or more. Got nan"),
        ({"price": {"chol": (1, float("inf"))}}, "a finite number, 0 or more. Got inf"),
        ({"price": {"chol": 5}}, "must be two numbers"),
        ({"price": {"chol": "18..60"}}, "must be two numbers"),
        ({"price": {"chol": ("a", "b")}}, "a finite number"),
        ({"price": {"sugar": (0, 9)}}, "begins at 0, .* has after=1 for 'sugar'.* Begin at 1 or above"),
        ({"shared": {"drow": (1, 2)}}, "no such shared resource. Did you mean 'draw'"),
        ({"shared": {"bed": (1, 2)}}, "no test of this table needs it"),
        ({"error": {("sik", "well"): (1, 2)}}, "no class 'sik'. Did you mean 'sick'"),
        ({"error": {("sick", "wel"): (1, 2)}}, "no answer 'wel'. Did you mean 'well'"),
        ({"error": {"sick": (1, 2)}}, "the true class and the answer"),
    ],
)
def test_what_cannot_be_varied_is_said(given, said):
    with pytest.raises((ValueError, TypeError), match=said):
        varied(**given)


def test_no_price_and_no_resource_at_all():
    free = tw.Costs(errors_default=10)
    with pytest.raises(ValueError, match="no price of any test"):
        varied(free, price={"chol": (1, 2)})
    with pytest.raises(ValueError, match="It has none at all"):
        varied(free, shared={"draw": (1, 2)})
    with pytest.raises(ValueError, match="asks what prices and mistakes do, and there are none"):
        check_prices(None, "what_if")
    with pytest.raises(TypeError, match="costs must be a Costs"):
        check_prices({"chol": 5}, "what_if")


def test_mistakes_may_pay_and_positions_name_columns():
    assert varied(error={("sick", "well"): (-5, 5)}).low == -5
    assert varied_of({"price": {0: (1, 2)}}, tw.Costs({0: 1}), ("x0",), CLASSES) == Varied(
        "price", ("x0",), 1, 2
    )
