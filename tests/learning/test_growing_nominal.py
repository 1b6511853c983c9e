"""Tests of categories: one branch each, C4.5's groups, and features of very many values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from learning.growing_tables import (
    C45_GROUPED,
    CART,
    GOLF,
    ID3,
    OVERCAST,
    RAIN,
    SUNNY,
    Data,
    categories_of,
    random_data,
)

seeds = st.integers(0, 2**32 - 1)


def test_outlook_in_two_groups():
    tree = GOLF.grow(**C45_GROUPED)
    branches = categories_of(tree, 0)
    assert tree.feature[0] == 0
    assert branches[SUNNY] == branches[RAIN] != branches[OVERCAST]
    # Known: (K/W) * [H - 4/14 * 0 - 10/14 * 1] bits.
    assert tree.gain[0] == pytest.approx(0.940286 - 10 / 14, abs=5e-7)


def test_groups_may_be_divided_again():
    tree = GOLF.grow(**C45_GROUPED)
    assert tree.feature.tolist().count(0) > 1


def test_pure_values_of_one_class_share_a_branch():
    codes = [c for c in range(6) for _ in range(4)]
    target = [0, 0, 0, 0, 1, 1, 1, 1] * 2 + [0, 0, 0, 0, 0, 1, 0, 1]
    branches = categories_of(Data([codes], [6], target).grow(**C45_GROUPED), 0)
    assert branches[0] == branches[2]
    assert branches[1] == branches[3]
    assert branches[0] != branches[1]


def test_values_that_no_case_has_are_the_last_branch():
    codes = [1] * 4 + [3] * 4 + [5] * 4
    target = [0] * 4 + [1] * 4 + [0, 1, 0, 1]
    tree = Data([codes], [7], target).grow(**C45_GROUPED)
    branches = categories_of(tree, 0)
    rest = max(branches)
    assert [c for c, b in enumerate(branches) if b == rest] == [0, 2, 4, 6]
    assert tree.weight[int(tree.first_child[0]) + rest] == 0
    assert tree.n_children[0] == rest + 1


def test_two_values_are_never_grouped():
    tree = Data([[0, 0, 0, 1, 1, 1]], [2], [0, 0, 0, 1, 1, 1]).grow(**C45_GROUPED)
    assert categories_of(tree, 0) == [0, 1]


def test_gain_groups_down_to_two():
    codes = [c for c in range(5) for _ in range(6)]
    target = [int(i % 6 < c + 1) for i, c in enumerate(codes)]
    rules = C45_GROUPED | {"criterion": "entropy", "average_gain": False}
    tree = Data([codes], [5], target).grow(max_depth=1, **rules)
    assert tree.n_children[0] == 2


@settings(max_examples=80, deadline=None)
@given(seeds, st.integers(2, 4))
def test_a_group_is_a_set_of_values_and_every_value_has_one(seed, n_classes):
    data = random_data(seed, n_classes=n_classes)
    tree = data.grow(**C45_GROUPED)
    for node in range(tree.n_nodes):
        if tree.kind[node] == 2:
            branches = categories_of(tree, node)
            assert set(branches) == set(range(int(tree.n_children[node])))
    np.testing.assert_allclose(tree.predict_proba(data.table, 1).sum(axis=1), 1)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_the_names_of_categories_do_not_matter(seed):
    data = random_data(seed, n_classes=3)
    rng = np.random.default_rng(seed)
    columns = []
    for cells, values in zip(data.columns, data.values, strict=True):
        names = rng.permutation(values).tolist()
        columns.append([names[c] if c >= 0 else -1 for c in cells] if values else cells)
    renamed = Data(columns, data.values, data.target, 3, data.weights)
    a, b = data.grow(**ID3), renamed.grow(**ID3)
    np.testing.assert_allclose(a.predict_proba(data.table, 1), b.predict_proba(renamed.table, 1), atol=1e-9)


@pytest.mark.parametrize("n_values", [253, 254, 255, 256, 300, 10_000])
def test_very_many_categories(n_values):
    rng = np.random.default_rng(n_values)
    codes = rng.integers(0, n_values, 2000)
    codes[0] = n_values - 1
    data = Data([codes.tolist()], [n_values], (codes % 2).tolist())
    for rules in [ID3, CART]:
        tree = data.grow(**rules)
        np.testing.assert_array_equal(tree.predict_labels(data.table, 1), data.target)
    assert data.grow(**ID3).n_nodes == n_values + 1
    assert data.grow(**CART).n_nodes == 3


def test_wide_and_narrow_columns_agree():
    # The same categories, once in a column of 5 declared values and once of 400.
    for seed in range(20):
        data = random_data(seed, n_classes=3)
        wide = Data(data.columns, [400 if v else 0 for v in data.values], data.target, 3, data.weights)
        for rules in [CART, CART | {"missing": "majority"}, CART | {"missing": "surrogate"}]:
            a, b = data.grow(**rules), wide.grow(**rules)
            np.testing.assert_array_equal(a.feature, b.feature)
            np.testing.assert_array_equal(a.values, b.values)
            np.testing.assert_array_equal(a.predict_proba(data.table, 1), b.predict_proba(wide.table, 1))


def test_too_many_categories_are_refused():
    with pytest.raises(ValueError, match="categories"):
        Data([[0, 1]], [70_000], [0, 1]).grow(**ID3)
