"""The part of a price list that a table needs, and price lists that must be complete."""

import pytest
from costs.strategies import cost_objects, names
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.costs import CostError, Costs, Test

CLINIC = Costs(
    {
        "age": 1,
        "chol": Test(5, needs=["blood"], group="lab", after=3),
        "sugar": Test(4, needs=["blood"], group="lab", after=2, delayed=True),
        "scan": Test(90, needs=["bed"]),
    },
    shared={"blood": 2, "bed": 50, "taxi": 9},
    errors={"sick": {"well": 50}, "well": {"sick": 10}},
    payment="upfront",
)


def test_what_the_table_lacks_is_left_out():
    less = CLINIC.only(["age", "chol", "sugar", "height"])
    assert less == CLINIC.replace(
        tests={name: CLINIC.tests[name] for name in ("age", "chol", "sugar")}, shared={"blood": 2}
    )
    assert CLINIC.only(["scan"]).shared == {"bed": 50}
    assert CLINIC.only([]).tests == {}
    assert Costs({0: 1, 1: 2}).only([1]) == Costs({"x1": 2})


def test_a_group_of_one_is_no_group():
    assert CLINIC.only(["sugar"]).tests["sugar"] == Test(4, needs=["blood"], delayed=True)


@given(cost_objects(), st.lists(names, max_size=6))
def test_what_is_left_costs_the_same(costs, columns):
    columns = list(dict.fromkeys([*columns, *list(costs.tests)[::2]]))
    less = costs.only(columns)
    assert less.purchase(columns) == costs.purchase(columns)
    assert less.only(columns) == less
    assert set(less.tests) == set(costs.tests) & set(columns)


@pytest.mark.parametrize("wrong", ["age", 3, None])
def test_columns_must_be_a_list(wrong):
    with pytest.raises(CostError, match="columns must be a list of names"):
        CLINIC.only(wrong)


# The hints of an unknown column


@pytest.mark.parametrize(
    ("columns", "hint"),
    [
        (["age", "chol", "sugar"], r"costs\.only\(columns\)"),
        (["x0", "x1"], r"came without names.*set_output\(transform='pandas'\)"),
        (["num__age", "cat__chol"], "verbose_feature_names_out=False"),
    ],
)
def test_a_price_without_a_column_says_what_helps(columns, hint):
    with pytest.raises(CostError, match=hint):
        CLINIC.compile(columns)
    assert CLINIC.only(columns).compile(columns).features == tuple(columns)


# Complete price lists


def test_without_a_default_price_every_column_needs_one():
    strict = CLINIC.replace(default_price=None)
    assert strict.compile(["age", "chol", "sugar", "scan"]).price.tolist() == [1, 5, 4, 90]
    with pytest.raises(CostError, match=r"these have none: 'sex', 'height'\. Add their prices"):
        strict.compile(["age", "sex", "chol", "sugar", "scan", "height"])
    with pytest.raises(CostError, match=r"'sugr' has no price.*Did you mean 'sugar'"):
        strict.purchase(["age", "sugr"])
    assert repr(Costs(default_price=None)) == "Costs(default_price=None)"


@pytest.mark.parametrize("ending", ["toml", "json"])
def test_files_can_ask_for_complete_price_lists(tmp_path, ending):
    path = tmp_path / f"costs.{ending}"
    strict = CLINIC.replace(default_price=None)
    strict.to_file(path)
    assert '"none"' in path.read_text()
    assert Costs.from_file(path) == strict
    with pytest.raises(CostError, match="default_price must be"):
        Costs.from_dict({"default_price": "nothing"})


@given(cost_objects())
def test_complete_price_lists_are_read_back(costs):
    strict = costs.replace(default_price=None)
    assert Costs.from_dict(strict.to_dict()) == strict
    assert strict != costs
