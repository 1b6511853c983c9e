"""The order of growth and its limits; weights against copies; subsets of rows against smaller tables."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from learning.growing_tables import (
    C45,
    CART,
    ID3,
    NO,
    T14,
    YES,
    Data,
    children,
    core_settings,
    random_data,
    shape,
)

from thriftwood._core import grow, grow_many

seeds = st.integers(0, 2**32 - 1)
REGRESSION = {"criterion": "squared_error", "nominal": "binary", "reuse_nominal": True}
EVERY_ORDER = pytest.mark.parametrize("order", ["depth", "breadth", "best"])


def test_best_first_takes_the_largest_gain_times_weight():
    one, two, three = (T14.grow(order="best", max_splits=n, **ID3) for n in (1.0, 2.0, 3.0))
    assert shape(one) == (0, (0, 1, 2), NO, YES, YES)
    assert 14 * one.gain[0] == pytest.approx(3.4545, abs=5e-5)
    assert shape(two) == (0, (0, 1, 2), (2, (0, 1), NO, YES), YES, YES)
    sunny = children(two, 0)[0]
    assert two.weight[sunny] * two.gain[sunny] == pytest.approx(4.8548, abs=5e-5)
    assert three == T14.grow(**ID3)


def test_growth_goes_on_while_the_splits_are_below_the_limit():
    for limit, splits in [(0.0, 0), (0.5, 1), (1.0, 1), (1.2, 2), (2.0, 2), (6.0, 3)]:
        tree = T14.grow(order="breadth", max_splits=limit, **ID3)
        assert (tree.kind > 0).sum() == splits


def splits_of(tree, node=0, path=()):
    """Where the tree is split, as paths of branch numbers from the root."""
    if tree.kind[node] == 0:
        return []
    below = [splits_of(tree, child, (*path, b)) for b, child in enumerate(children(tree, node))]
    return [path, *(split for some in below for split in some)]


@pytest.mark.parametrize(
    ("order", "sequence"), [("breadth", lambda path: (len(path), path)), ("depth", lambda path: path)]
)
def test_breadth_first_goes_by_levels_and_depth_first_by_branches(order, sequence):
    data = random_data(3, n_classes=3, n_rows=60)
    every = sorted(splits_of(data.grow(**CART)), key=sequence)
    assert len(every) > 10
    for n in range(len(every)):
        tree = data.grow(order=order, max_splits=float(n), **CART)
        assert sorted(splits_of(tree), key=sequence) == every[:n]


@settings(max_examples=50, deadline=None)
@given(seeds, st.sampled_from([ID3, C45, CART]))
def test_the_order_does_not_matter_without_a_limit(seed, rules):
    data = random_data(seed, n_classes=3, n_rows=40)
    depth, breadth, best = (data.grow(order=order, **rules) for order in ("depth", "breadth", "best"))
    assert depth == breadth
    assert depth == best


@EVERY_ORDER
@pytest.mark.parametrize("leaves", [1, 2, 3, 5, 8])
def test_leaves_are_limited(order, leaves):
    for seed in range(10):
        data = random_data(seed, n_classes=3, n_rows=50)
        tree = data.grow(order=order, max_leaves=leaves, **CART)
        assert tree.n_leaves <= leaves
        full = data.grow(**CART)
        assert tree.n_leaves == min(leaves, full.n_leaves)


def test_a_split_that_makes_too_many_leaves_is_passed_over():
    for leaves, size in [(2, 1), (3, 4), (4, 6), (5, 8)]:
        assert T14.grow(order="best", max_leaves=leaves, **ID3).n_nodes == size


@EVERY_ORDER
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_depth_is_limited(order, depth):
    tree = random_data(1, n_classes=3, n_rows=80).grow(order=order, max_depth=depth, **CART)
    assert tree.depth == depth


@settings(max_examples=40, deadline=None)
@given(seeds, st.sampled_from([2.0, 5.0, 7.5]), st.sampled_from([1.0, 2.0, 3.5]))
def test_light_nodes_stay_leaves_and_branches_are_heavy_enough(seed, split, branch):
    data = random_data(seed, n_classes=2, n_rows=40, missing=0.0)
    tree = data.grow(**CART | {"min_split_weight": split, "min_branch_weight": branch})
    inner = np.flatnonzero(tree.kind)
    assert (tree.weight[inner] >= split - 1e-9).all()
    assert (tree.weight[1:] >= branch - 1e-9).all()


@settings(max_examples=40, deadline=None)
@given(seeds, st.sampled_from([0.001, 0.01, 0.05]))
def test_every_split_takes_enough_from_the_impurity_of_the_whole(seed, least):
    data = random_data(seed, n_classes=2, n_rows=40)
    tree = data.grow(min_decrease=least, **CART)
    inner = np.flatnonzero(tree.kind)
    assert (tree.gain[inner] * tree.weight[inner] / tree.weight[0] >= least * (1 - 1e-9)).all()
    free = data.grow(**CART)
    if free.kind[0] and free.gain[0] >= least:
        assert tree.kind[0]


def test_a_decrease_of_exactly_the_least_is_enough():
    data = Data([[0.0, 1.0]], [0], [0, 1])
    assert data.grow(criterion="gini", min_decrease=0.5).n_nodes == 3
    assert data.grow(criterion="gini", min_decrease=0.5 + 1e-9).n_nodes == 1


# ---- weights ----


def copies(data, times):
    return data.taken([row for row, n in enumerate(times) for _ in range(n)])


def assert_same_tree(a, b):
    assert shape(a) == shape(b)
    for name in ["weight", "values", "impurity", "gain", "risk"]:
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-8, atol=1e-9)


@settings(max_examples=60, deadline=None)
@given(seeds, st.sampled_from([ID3, CART, CART | {"missing": "branch"}, REGRESSION]))
def test_a_weight_is_a_number_of_copies(seed, rules):
    regression = rules is REGRESSION
    data = random_data(seed, n_classes=0 if regression else 3, weights=None)
    times = np.random.default_rng(seed).integers(0, 4, data.n_rows)
    times[0] = 1
    weighted = Data(data.columns, data.values, data.target, data.n_classes, times.astype(float).tolist())
    repeated = copies(data, times)
    assert_same_tree(weighted.grow(**rules), repeated.grow(**rules))


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_a_weight_is_a_number_of_copies_for_c45(seed):
    # Columns of numbers alone: how many values count as many depends on the number of cases.
    data = random_data(seed, n_classes=3, weights=None, nominal=False)
    times = np.random.default_rng(seed).integers(0, 4, data.n_rows)
    times[0] = 1
    weighted = Data(data.columns, data.values, data.target, 3, times.astype(float).tolist())
    assert_same_tree(weighted.grow(**C45), copies(data, times).grow(**C45))


@settings(max_examples=40, deadline=None)
@given(seeds, st.sampled_from([C45, CART, CART | {"missing": "surrogate"}, CART | {"nominal": "grouped"}]))
def test_a_weight_of_nothing_is_no_case(seed, rules):
    data = random_data(seed, n_classes=3)
    rng = np.random.default_rng(seed)
    weights = np.array(data.weights or [1.0] * data.n_rows) * rng.integers(0, 2, data.n_rows)
    weights[0] = 1.0
    kept = np.flatnonzero(weights).tolist()
    whole = Data(data.columns, data.values, data.target, 3, weights.tolist())
    assert whole.grow(**rules) == whole.taken(kept).grow(**rules)


@settings(max_examples=30, deadline=None)
@given(seeds, st.sampled_from([0.5, 4.0, 1024.0]))
def test_the_unit_of_weights_matters_only_to_the_least_weights(seed, unit):
    data = random_data(seed, n_classes=3)
    weights = data.weights or [1.0] * data.n_rows
    rules = CART | {"min_split_weight": 0.0, "min_branch_weight": 0.0}
    one = Data(data.columns, data.values, data.target, 3, weights).grow(**rules)
    other = Data(data.columns, data.values, data.target, 3, [unit * w for w in weights]).grow(**rules)
    assert shape(one) == shape(other)
    np.testing.assert_allclose(other.values, unit * one.values, rtol=1e-9)


def test_weights_that_make_no_sense_are_refused():
    for weights in [[-1.0, 1.0], [np.nan, 1.0], [np.inf, 1.0], [0.0, 0.0]]:
        with pytest.raises(ValueError, match=r"[Ww]eight"):
            Data([[0.0, 1.0]], [0], [0, 1], 2, weights).grow(**ID3)


# ---- subsets of rows ----


@settings(max_examples=60, deadline=None)
@given(seeds, st.sampled_from([ID3, C45, CART, CART | {"missing": "surrogate"}]), st.booleans())
def test_some_rows_grow_the_tree_of_a_table_of_those_rows(seed, rules, continuous):
    data = random_data(seed, n_classes=3, n_rows=120 if continuous else 30, continuous=continuous)
    rng = np.random.default_rng(seed)
    rows = np.flatnonzero(rng.random(data.n_rows) < 0.6).tolist() or [0]
    a, b = data.grow(rows=rows, **rules), data.taken(rows).grow(**rules)
    assert shape(a) == shape(b)
    np.testing.assert_array_equal(a.values, b.values)


@pytest.mark.parametrize("threads", [1, 2])
def test_many_trees_in_one_call_are_the_trees_of_many_calls(threads):
    data = random_data(11, n_classes=3, n_rows=200, continuous=True)
    rng = np.random.default_rng(11)
    lists = [np.flatnonzero(rng.random(200) < share).astype(np.uint32) for share in rng.uniform(0.1, 1, 25)]
    for rules in [C45, CART]:
        growth = core_settings(threads=threads, **rules)
        together = grow_many(data.table, growth, lists, **data.core_target())[0]
        for rows, tree in zip(lists, together, strict=True):
            assert tree == grow(data.table, growth, rows=rows, **data.core_target())


@pytest.mark.parametrize("rows", [[3, 1], [0, 0], [0, 99]])
def test_rows_that_make_no_sense_are_refused(rows):
    with pytest.raises(ValueError, match=r"[Rr]ows"):
        T14.grow(rows=rows, **ID3)


def test_no_rows_are_not_all_rows():
    with pytest.raises(ValueError, match=r"[Rr]ows"):
        T14.grow(rows=[], **ID3)
