"""Missing values while growing: down every branch, the heavier one, one of their own, or staying."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from learning.growing_tables import C45, CART, GOLFQ, Data, children, random_data
from learning.reference import assert_grown_by_the_rules

seeds = st.integers(0, 2**32 - 1)
NAN = math.nan


@settings(max_examples=60, deadline=None)
@given(
    seeds,
    st.integers(2, 4),
    st.sampled_from([C45, CART, *(CART | {"missing": way} for way in ("majority", "branch", "stay"))]),
)
def test_branches_share_out_the_node(seed, n_classes, rules):
    data = random_data(seed, n_classes=n_classes, missing=0.4)
    tree = data.grow(**rules)
    assert tree.weight[0] == pytest.approx(sum(data.weights or [1.0] * data.n_rows))
    for node in range(tree.n_nodes):
        assert tree.weight[node] == pytest.approx(tree.values[node].sum())
        assert tree.risk[node] == pytest.approx(tree.weight[node] - tree.values[node].max())
        if tree.kind[node]:
            branches = list(children(tree, node))
            np.testing.assert_allclose(tree.values[branches].sum(axis=0), tree.values[node], atol=1e-9)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_cases_that_stop_are_the_only_ones_that_branches_lack(seed):
    data = random_data(seed, n_classes=3, missing=0.4)
    tree = data.grow(after_surrogates="stop", **CART | {"missing": "surrogate"})
    for node in range(tree.n_nodes):
        if tree.kind[node]:
            below = tree.values[list(children(tree, node))].sum(axis=0)
            assert (below <= tree.values[node] + 1e-9).all()


@pytest.mark.parametrize("seed", range(150))
@pytest.mark.parametrize("missing", ["fractional", "majority", "branch", "stay"])
def test_much_missing_follows_the_rules(seed, missing):
    data = random_data(seed, n_classes=2 + seed % 3, missing=0.5)
    rules = CART | {"missing": missing, "nominal": "multiway", "criterion": ["gini", "entropy"][seed % 2]}
    assert assert_grown_by_the_rules(data, **rules) > 0


def test_a_missing_case_goes_down_by_the_weight_of_the_known():
    tree = GOLFQ.grow(**C45)
    sunny, overcast, rain = children(tree, 0)
    assert tree.weight[[sunny, overcast, rain]] == pytest.approx([5 + 5 / 13, 3 + 3 / 13, 5 + 5 / 13])


def test_a_fraction_of_a_fraction():
    # Row 6 knows neither number: half of it goes left, where 1 and 2 of 3 known cases part.
    first = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, NAN]
    second = [0.0, 1.0, 1.0, 0.0, 0.0, 0.0, NAN]
    target = [0, 1, 1, 2, 2, 2, 0]
    tree = Data([first, second], [0, 0], target, 3).grow(
        criterion="gini", missing="fractional", min_split_weight=2.0
    )
    left, right = children(tree, 0)
    assert tree.feature[0] == 0
    assert tree.values[left].tolist() == pytest.approx([1.5, 2.0, 0.0])
    assert tree.values[right].tolist() == pytest.approx([0.5, 0.0, 3.0])
    low, high = children(tree, left)
    assert tree.values[low].tolist() == pytest.approx([1 + 0.5 / 3, 0.0, 0.0])
    assert tree.values[high].tolist() == pytest.approx([1 / 3, 2.0, 0.0])


def test_a_column_without_any_value_is_never_tested():
    for missing in ["fractional", "majority", "branch", "stay", "surrogate"]:
        data = Data([[NAN] * 4, [-1] * 4, [0.0, 0.0, 1.0, 1.0]], [0, 3, 0], [0, 0, 1, 1])
        tree = data.grow(criterion="gini", missing=missing)
        assert tree.feature.tolist() == [2, -1, -1]
        assert (
            Data(data.columns[:2], [0, 3], data.target).grow(criterion="gini", missing=missing).n_nodes == 1
        )


def test_numbers_with_a_branch_for_missing():
    data = Data([[1.0, 2.0, 3.0, 4.0, NAN, NAN]], [0], [0, 0, 1, 1, 2, 2], 3)
    tree = data.grow(criterion="gini", missing="branch")
    assert tree.n_children[0] == 3
    assert tree.missing_route[0] == 2
    assert tree.gain[0] == pytest.approx(tree.impurity[0])
    np.testing.assert_array_equal(tree.predict_labels(data.table, 1), data.target)


def test_cases_that_stay_are_never_split():
    # The second column would tell the cases without a first one apart.
    first, second = [1.0, 2.0, 3.0, 4.0, NAN, NAN, NAN], [0.0] * 4 + [1.0, 1.0, 2.0]
    data = Data([first, second], [0, 0], [0, 0, 1, 1, 2, 2, 1], 3)
    rules = {"criterion": "gini", "max_depth": 2}
    stays, own_branch = (data.grow(missing=missing, **rules) for missing in ("stay", "branch"))
    assert stays.feature[0] == own_branch.feature[0] == 0
    assert stays.missing_route[0] == own_branch.missing_route[0] == 2
    waiting = children(stays, 0)[2]
    assert stays.kind[waiting] == 0
    assert stays.values[waiting].tolist() == [0, 1, 2]
    assert own_branch.kind[children(own_branch, 0)[2]] == 1
    assert stays.predict_labels(data.row(NAN, 2.0), 1).tolist() == [2]
    assert own_branch.predict_labels(data.row(NAN, 2.0), 1).tolist() == [1]


def test_where_nobody_stayed_the_node_answers():
    data = Data([[1.0, 2.0, 3.0, 4.0, 5.0]], [0], [1, 1, 1, 0, 0])
    tree = data.grow(criterion="gini", missing="stay")
    assert tree.n_children[0] == 2
    assert tree.missing_route[0] == -2
    assert tree.predict_labels(data.row(NAN), 1).tolist() == [1]


def test_not_to_be_tested_is_no_outcome_of_a_test():
    # One known value: as a branch, "missing" is a second outcome; staying it is none.
    data = Data([[0, 0, 0, -1, -1]], [2], [0, 0, 0, 1, 1])
    assert data.grow(criterion="gini", missing="branch", min_branch_weight=1e-9).n_nodes > 1
    assert data.grow(criterion="gini", missing="stay", min_branch_weight=1e-9).n_nodes == 1
    # And no branch that could be too light.
    light = Data([[1.0, 1.0, 2.0, 2.0, NAN]], [0], [0, 0, 1, 1, 1])
    assert light.grow(criterion="gini", missing="branch", min_branch_weight=2.0).n_nodes == 1
    assert light.grow(criterion="gini", missing="stay", min_branch_weight=2.0).n_nodes == 4


def test_the_heavier_branch_takes_the_missing():
    for numbers, heavier in [([1.0, 1.0, 1.0, 2.0, 2.0, NAN], 0), ([1.0, 1.0, 2.0, 2.0, 2.0, NAN], 1)]:
        data = Data([numbers], [0], [0 if x == 1.0 else 1 for x in numbers])
        tree = data.grow(criterion="gini", missing="majority")
        assert tree.missing_route[0] == heavier
        assert tree.weight[1 + heavier] == 4


@pytest.mark.parametrize("missing", ["fractional", "majority", "branch", "stay", "surrogate"])
def test_infinities_are_values_like_any_other(missing):
    data = Data([[-math.inf, -math.inf, math.inf, math.inf]], [0], [0, 0, 1, 1])
    tree = data.grow(criterion="gini", missing=missing)
    assert tree.n_nodes == 3
    np.testing.assert_array_equal(tree.predict_labels(data.table, 1), data.target)
