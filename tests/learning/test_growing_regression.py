"""Regression: squared and absolute error."""

import math

import numpy as np
import pytest
from learning.growing_tables import Data, categories_of, random_data, shape
from learning.reference import assert_grown_by_the_rules

SQUARED = {"criterion": "squared_error", "nominal": "binary", "reuse_nominal": True}
ABSOLUTE = {"criterion": "absolute_error", "nominal": "multiway"}
SIX = Data([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]], [0], [1.0, 2.0, 2.0, 8.0, 9.0, 12.0], 0)


@pytest.mark.parametrize(
    ("criterion", "whole", "parts", "value"),
    [("squared_error", 316 / 3, 28 / 3, 17 / 3), ("absolute_error", 24, 5, 2.0)],
)
def test_the_worked_example(criterion, whole, parts, value):
    tree = SIX.grow(criterion=criterion, max_depth=1)
    assert tree.threshold[0] == 3.5
    assert tree.risk[0] == pytest.approx(whole)
    assert tree.risk[1] + tree.risk[2] == pytest.approx(parts)
    assert 6 * tree.gain[0] == pytest.approx({"squared_error": 96, "absolute_error": 19}[criterion])
    assert tree.values[0, 0] == pytest.approx(value)


def test_the_median_is_the_lower_one():
    for target, weights, middle in [
        ([1.0, 2.0, 3.0, 4.0], None, 2.0),
        ([4.0, 1.0, 3.0], None, 3.0),
        ([1.0, 10.0], [1.0, 3.0], 10.0),
        ([1.0, 10.0], [2.0, 2.0], 1.0),
        ([5.0, 1.0, 2.0], [0.4, 0.3, 0.1], 2.0),
    ]:
        constant = Data([[0.0] * len(target)], [0], target, 0, weights)
        assert constant.grow(criterion="absolute_error").values[0, 0] == pytest.approx(middle, abs=1e-12)


@pytest.mark.parametrize("seed", range(200))
@pytest.mark.parametrize("missing", ["fractional", "branch"])
def test_squared_error_follows_the_rules(seed, missing):
    rules = SQUARED | {"missing": missing, "min_branch_weight": 0.0}
    if missing == "branch":
        rules["nominal"] = "multiway"
    assert assert_grown_by_the_rules(random_data(seed, n_classes=0), **rules) > 0


@pytest.mark.parametrize("seed", range(200))
@pytest.mark.parametrize("missing", ["fractional", "branch"])
def test_absolute_error_follows_the_rules(seed, missing):
    assert assert_grown_by_the_rules(random_data(seed, n_classes=0), missing=missing, **ABSOLUTE) > 0


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rules", [SQUARED | {"nominal": "multiway"}, ABSOLUTE], ids=["squared", "absolute"])
def test_columns_of_many_numbers_follow_the_same_rules(seed, rules):
    data = random_data(seed, n_classes=0, n_rows=110, continuous=True)
    assert assert_grown_by_the_rules(data, max_depth=3, **rules) > 1


def test_categories_are_divided_by_their_means():
    codes = [0, 0, 1, 1, 2, 2, 3, 3]
    tree = Data([codes], [4], [5.0, 6.0, -3.0, -2.0, 5.5, 5.0, -4.0, -2.0], 0).grow(max_depth=1, **SQUARED)
    assert categories_of(tree, 0) == [1, 0, 1, 0]


def test_categories_are_divided_by_their_medians():
    codes = [0, 0, 0, 1, 1, 1, 2, 2, 2]
    target = [0.0, 1.0, 50.0, 10.0, 11.0, -50.0, 1.0, 2.0, 3.0]
    tree = Data([codes], [3], target, 0).grow(max_depth=1, **ABSOLUTE | {"nominal": "binary"})
    assert categories_of(tree, 0) == [0, 1, 0]


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@pytest.mark.parametrize("power", [-60, -20, 20, 45, 60])
def test_the_unit_of_the_target_does_not_matter(criterion, power):
    rng = np.random.default_rng(power + 100)
    numbers = rng.normal(size=(3, 60))
    target = (numbers[0] + rng.normal(size=60)).round(2)
    trees = [
        Data(numbers.tolist(), [0] * 3, (target * scale).tolist(), 0).grow(criterion=criterion, max_depth=4)
        for scale in (1.0, 2.0**power)
    ]
    assert shape(trees[0]) == shape(trees[1])
    assert trees[0].n_nodes > 15


def test_a_target_far_from_zero_keeps_its_digits():
    rng = np.random.default_rng(1)
    numbers = rng.normal(size=80)
    target = (numbers > 0) + 0.01 * rng.normal(size=80)
    plain, shifted = (Data([numbers.tolist()], [0], (target + by).tolist(), 0) for by in (0.0, 1e6))
    a, b = (data.grow(criterion="squared_error", max_depth=2) for data in (plain, shifted))
    np.testing.assert_array_equal(a.threshold, b.threshold)
    np.testing.assert_allclose(b.values - 1e6, a.values, atol=1e-8)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_a_constant_target_is_a_leaf(criterion):
    for constant in [0.1, -7e9, 1e-30]:
        data = Data([[1.0, 2.0, 3.0, 4.0, 5.0]], [0], [constant] * 5, 0)
        tree = data.grow(criterion=criterion)
        assert tree.n_nodes == 1
        assert tree.values[0, 0] == pytest.approx(constant)


def test_a_branch_without_cases_answers_as_its_parent():
    tree = Data([[0, 0, 2, 2]], [4], [1.0, 2.0, 5.0, 6.0], 0).grow(max_depth=1, **ABSOLUTE)
    assert tree.values[:, 0].tolist() == pytest.approx([2.0, 1.0, 2.0, 5.0, 2.0])
    means = Data([[0, 0, 2, 2]], [4], [1.0, 2.0, 5.0, 6.0], 0).grow(max_depth=1, criterion="squared_error")
    assert means.values[:, 0].tolist() == pytest.approx([3.5, 1.5, 3.5, 5.5, 3.5])


def test_classes_and_numbers_do_not_mix():
    with pytest.raises(ValueError, match="criterion"):
        SIX.grow(criterion="gini")
    with pytest.raises(ValueError, match="criterion"):
        Data([[1.0, 2.0]], [0], [0, 1]).grow(criterion="squared_error")
    with pytest.raises(ValueError, match="finite"):
        Data([[1.0, 2.0]], [0], [0.0, math.nan], 0).grow(criterion="squared_error")
