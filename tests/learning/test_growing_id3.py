"""ID3: the worked numbers, its stops, and values that it has no branch for."""

import numpy as np
import pytest
from learning.growing_tables import (
    COOL,
    ID3,
    NO,
    OUTLOOK,
    OVERCAST,
    RAIN,
    SUNNY,
    T14,
    YES,
    Data,
    categories_of,
    random_data,
    shape,
)
from learning.reference import assert_grown_by_the_rules


def gain_of(feature, rows=None):
    """What a feature gains on some rows of T14 when it is the only one."""
    alone = Data([T14.columns[feature]], [T14.values[feature]], T14.target)
    return alone.grow(rows=rows, max_depth=1, **ID3).gain[0]


def days_with(outlook):
    return [day for day, value in enumerate(OUTLOOK) if value == outlook]


@pytest.mark.parametrize(("feature", "gain"), [(0, 0.246750), (1, 0.029223), (2, 0.151836), (3, 0.048127)])
def test_gains_at_the_root(feature, gain):
    assert gain_of(feature) == pytest.approx(gain, abs=5e-7)


def test_entropy_of_the_root():
    assert T14.grow(**ID3).impurity[0] == pytest.approx(0.940286, abs=5e-7)


@pytest.mark.parametrize(("feature", "gain"), [(1, 0.570951), (2, 0.970951), (3, 0.019973)])
def test_gains_at_the_sunny_node(feature, gain):
    assert gain_of(feature, days_with(SUNNY)) == pytest.approx(gain, abs=5e-7)


def test_gain_of_wind_at_the_rain_node():
    assert gain_of(3, days_with(RAIN)) == pytest.approx(0.970951, abs=5e-7)


def test_the_tree_of_the_fourteen_days():
    tree = T14.grow(**ID3)
    assert shape(tree) == (0, (0, 1, 2), (2, (0, 1), NO, YES), YES, (3, (0, 1), YES, NO))
    np.testing.assert_array_equal(tree.predict_labels(T14.table, 1), T14.target)


def test_equal_gains_go_to_the_lower_feature():
    size, colour, form = [0, 0, 1, 1], [0, 1, 1, 1], [1, 1, 1, 0]
    slide = Data([size, colour, form], [2, 2, 2], [0, 1, 0, 1])
    gains = [Data([c], [2], slide.target).grow(max_depth=1, **ID3).gain[0] for c in slide.columns]
    assert gains == pytest.approx([0.0, 0.311278, 0.311278], abs=5e-7)
    assert slide.grow(**ID3).feature[0] == 1


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_a_feature_that_gains_nothing_is_not_tested(order):
    either_or = Data([[0, 0, 1, 1], [0, 1, 0, 1]], [2, 2], [0, 1, 1, 0])
    assert Data([either_or.columns[f] for f in order], [2, 2], either_or.target).grow(**ID3).n_nodes == 1


@pytest.mark.parametrize("times", [1, 2, 3, 5, 7, 11])
def test_what_rounding_makes_of_no_gain_is_no_gain(times):
    # Two thirds of every branch are of class 0, in numbers whose logarithms are not exact.
    cells = [0] * 3 * times + [1] * 6 * times + [2] * 9 * times
    target = [int(i % 3 == 2) for i in range(len(cells))]
    for criterion in ["entropy", "gini"]:
        assert Data([cells], [3], target).grow(**ID3 | {"criterion": criterion}).n_nodes == 1


def test_a_nominal_feature_is_tested_once_on_a_path():
    tree = Data([[0, 0, 1, 1, 1]], [2], [0, 1, 1, 1, 0]).grow(**ID3)
    assert shape(tree) == (0, (0, 1), 0, 1)


def test_depth_counts_down_to_a_leaf():
    for depth in [1, 2]:
        assert T14.grow(max_depth=depth, **ID3).depth == depth
    stump = T14.grow(max_depth=1, **ID3)
    assert shape(stump) == (0, (0, 1, 2), NO, YES, YES)


def test_a_declared_value_that_no_case_has_answers_with_the_parents_majority():
    for labels, majority in [([0, 0, 0, 1, 1], 0), ([0, 0, 1, 1, 1], 1)]:
        tree = Data([[0, 0, 0, 3, 3]], [5], labels).grow(**ID3)
        empty = [c for c in range(1, tree.n_nodes) if tree.weight[c] == 0]
        assert len(empty) == 3
        assert all(tree.label[c] == majority for c in empty)


def test_an_unseen_value_answers_with_the_nodes_majority():
    tree = T14.grow(**ID3)
    assert tree.predict_labels(T14.row(-2, COOL, 0, 0), 1)[0] == YES
    assert tree.predict_labels(T14.row(SUNNY, COOL, -2, 0), 1)[0] == NO


def test_missing_is_a_value_of_its_own():
    data = Data([[0, 0, 0, 1, 1, -1, -1, -1]], [2], [0, 0, 0, 0, 0, 1, 1, 1])
    tree = data.grow(**ID3)
    assert tree.n_children[0] == 3
    assert tree.missing_route[0] == 2
    assert tree.gain[0] == pytest.approx(tree.impurity[0])
    np.testing.assert_array_equal(tree.predict_labels(data.table, 1), data.target)


def test_one_category_and_missing_are_two_values():
    data = Data([[1, 1, -1, -1]], [3], [0, 0, 1, 1])
    tree = data.grow(**ID3)
    assert categories_of(tree, 0) == [0, 1, 2]
    np.testing.assert_array_equal(tree.predict_labels(data.table, 1), data.target)


def test_missing_where_training_had_none_stops_at_the_node():
    tree = T14.grow(**ID3)
    assert tree.predict_labels(T14.row(-1, COOL, 0, 0), 1)[0] == YES
    assert tree.predict_labels(T14.row(OVERCAST, COOL, 0, -1), 1)[0] == YES


@pytest.mark.parametrize("seed", range(200))
def test_every_node_follows_the_rules(seed):
    assert assert_grown_by_the_rules(random_data(seed, n_classes=2 + seed % 3), **ID3) > 0
