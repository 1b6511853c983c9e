"""The effective price: worked numbers and what holds for every price list."""

import math

import pytest
from costs.strategies import cost_objects
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.costs import CostError, Costs, Test

GOLF = Costs({"Outlook": 4, "Temp": 1, "Humidity": 2, "Wind": 0.5})


def test_functions_inside_call_tree_features_are_paid_once():
    calls = {"f": 100, "g": 10, "h": 1}
    costs = Costs(
        {"fg": Test(0, needs=["f", "g"]), "gh": Test(0, needs=["g", "h"])}, calls, payment="upfront"
    )
    assert costs.purchase(["fg", "gh"]) == [110, 1]
    assert costs.purchase(["gh", "fg"]) == [11, 100]
    assert costs.total(["fg", "gh"]) == 111


def test_turneys_delayed_path_is_ordered_at_7_then_8():
    costs = Costs(
        {
            "alpha": 5,
            "beta": 10,
            "delta": Test(7, delayed=True, group="g", after=5),
            "epsilon": Test(10, delayed=True, group="g", after=8),
        }
    )
    assert costs.purchase(["alpha", "delta", "epsilon"]) == [5, 7, 8]
    assert costs.total(["alpha", "delta", "epsilon"]) + 50 == 70
    assert costs.effective_price("delta", paid=["epsilon"]) == 5


def test_the_golf_tree_costs_four_dollars_ninety_a_case_and_six_and_a_half_upfront():
    sunny, rain, overcast = ["Outlook", "Humidity"], ["Outlook", "Wind"], ["Outlook"]
    paths = 5 * [sunny] + 5 * [rain] + 4 * [overcast]
    assert math.fsum(GOLF.total(path) for path in paths) / 14 == pytest.approx(4.892857, abs=5e-7)
    assert GOLF.total(["Outlook", "Humidity", "Wind"]) == 6.5


def test_standard_cost_of_the_golf_problem():
    shares = {"Yes": 9 / 14, "No": 5 / 14}
    standard = GOLF.replace(errors_default=20).standard_cost(GOLF.tests, shares)
    assert standard == pytest.approx(14.642857, abs=5e-7)
    assert 100 * 4.892857142857143 / standard == pytest.approx(33.414634, abs=5e-7)
    with pytest.raises(CostError, match="add up to 1"):
        GOLF.standard_cost(GOLF.tests, {"Yes": 0.5})


def test_a_test_is_paid_once_and_unnamed_columns_cost_the_default():
    costs = Costs({"a": 3}, default_price=2)
    assert costs.purchase(["a", "a", "b", "b", 0]) == [3, 0, 2, 0, 2]


def test_a_group_member_without_after_opens_the_group_but_has_no_discount():
    costs = Costs({"bf": Test(1500, group="a"), "chrom": Test(1500, group="a", after=250)})
    assert costs.purchase(["bf", "chrom"]) == [1500, 250]
    assert costs.purchase(["chrom", "bf"]) == [1500, 1500]


def test_after_replaces_the_own_price_only_and_resources_stay_due():
    costs = Costs(
        {"a": Test(5, group="g"), "b": Test(7, needs=["r"], group="g", after=1)},
        {"r": 10},
    )
    assert costs.purchase(["a", "b"]) == [5, 11]


def test_an_fft_feature_costs_its_own_small_price_once_the_fft_is_there():
    costs = Costs({f"fft{i}": Test(0.2, needs=["fft"]) for i in range(3)}, {"fft": 1.8})
    assert costs.purchase(["fft2", "fft0", "fft1"]) == pytest.approx([2.0, 0.2, 0.2])


@given(
    common=st.floats(0, 100),
    discounted=st.lists(st.floats(0, 100), min_size=1, max_size=6),
    data=st.data(),
)
def test_a_group_discount_is_a_shared_resource(common, discounted, data):
    full_and_after = {f"t{i}": Test(low + common, group="g", after=low) for i, low in enumerate(discounted)}
    resource = {f"t{i}": Test(low, needs=["common"]) for i, low in enumerate(discounted)}
    order = data.draw(st.permutations(list(full_and_after)))
    assert Costs(full_and_after).purchase(order) == Costs(resource, {"common": common}).purchase(order)


@given(costs=cost_objects(groups=False), data=st.data())
def test_with_shared_resources_only_the_total_does_not_depend_on_the_order(costs, data):
    bought = list(costs.tests)
    order = data.draw(st.permutations(bought))
    expected = math.fsum(
        [test.price for test in costs.tests.values()]
        + [costs.shared[r] for r in {r for test in costs.tests.values() for r in test.needs}]
    )
    assert costs.total(order) == pytest.approx(expected, rel=1e-12)


@given(costs=cost_objects(), data=st.data())
def test_paying_more_before_never_makes_a_test_dearer(costs, data):
    names = [*costs.tests, "unnamed"]
    paid = data.draw(st.lists(st.sampled_from(names), unique=True))
    fewer = [name for name in paid if data.draw(st.booleans())]
    for name in names:
        price = costs.effective_price(name, paid)
        assert 0 <= price <= costs.effective_price(name, fewer) * (1 + 1e-12)
        assert name not in paid or price == 0


@given(costs=cost_objects(), data=st.data())
def test_a_purchase_is_the_effective_prices_in_turn_and_sums_to_the_total(costs, data):
    order = data.draw(st.lists(st.sampled_from([*costs.tests, "unnamed"])))
    expected = [costs.effective_price(name, order[:i]) for i, name in enumerate(order)]
    assert costs.purchase(order) == expected
    assert costs.total(order) == math.fsum(expected)


@given(costs=cost_objects(), data=st.data())
def test_a_basket_tells_the_price_before_it_is_paid(costs, data):
    basket = costs.basket()
    for name in data.draw(st.lists(st.sampled_from([*costs.tests, "unnamed"]))):
        asked = basket.price(name)
        assert basket.buy(name) == asked
    assert math.fsum(basket.bill.values()) == costs.total(basket.bill)


@given(costs=cost_objects(), data=st.data())
def test_a_copied_basket_goes_its_own_way(costs, data):
    names = [*costs.tests, "a column without a price"]
    bought, later = (data.draw(st.lists(st.sampled_from(names), max_size=6)) for _ in range(2))
    basket = costs.basket()
    for name in bought:
        basket.buy(name)
    before = dict(basket.bill)
    other = basket.copy()
    assert [other.buy(name) for name in later] == costs.purchase([*bought, *later])[len(bought) :]
    assert basket.bill == before
    assert [basket.price(name) for name in names] == [costs.effective_price(name, bought) for name in names]
