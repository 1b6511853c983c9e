"""What the core's Tree answers, checked against a walk written in plain Python."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_tree import (
    chain,
    class_shares,
    column_table,
    endings,
    random_rows,
    random_tree,
    some_tree,
)
from scipy import sparse

from thriftwood._core import Table, Tree

seeds = st.integers(0, 2**32 - 1)


def check_against_plain_walk(arrays, table, X, n_threads=1):
    tree = Tree.from_arrays(arrays)
    reached = [endings(arrays, row) for row in X.astype(float).tolist()]
    best = [min(some, key=lambda ending: (-ending[1], ending[0]))[0] for some in reached]
    np.testing.assert_array_equal(tree.apply(table, n_threads), best)
    indptr, indices = tree.decision_path(table, n_threads)
    for r, some in enumerate(reached):
        visited = {node for *_, path in some for node in path}
        assert indices[indptr[r] : indptr[r + 1]].tolist() == sorted(visited)
    if arrays["regression"]:
        means = [sum(share * arrays["values"][node, 0] for node, share, _ in some) for some in reached]
        answers = tree.predict_numbers(table, n_threads)
        np.testing.assert_allclose(answers, means, rtol=1e-12, atol=1e-12)
    else:
        shares = np.array([class_shares(arrays, some) for some in reached]).reshape(len(X), -1)
        got = tree.predict_proba(table, n_threads)
        np.testing.assert_allclose(got, shares, rtol=1e-12, atol=1e-12)
        answers = tree.predict_labels(table, n_threads)
        for r, some in enumerate(reached):
            assert answers[r] == (arrays["label"][some[0][0]] if len(some) == 1 else first_largest(got[r]))
    for r, row in enumerate(X):
        assert tree.decide(row) == answers[r]
        assert tree.decide(row.tolist()) == answers[r]
    return tree


@given(seeds, st.booleans())
@settings(deadline=None)
def test_mixed_trees_answer_as_the_plain_walk_does(seed, regression):
    rng = np.random.default_rng(seed)
    feature_values = rng.choice([0, 0, 1, 2, 5], 4).tolist()
    X = random_rows(rng, feature_values, 17)
    arrays = random_tree(rng, feature_values=feature_values, regression=regression)
    check_against_plain_walk(arrays, column_table(X, feature_values), X)


@given(seeds, st.sampled_from([np.float32, np.float64]), st.sampled_from("CF"), st.booleans(), st.booleans())
@settings(deadline=None)
def test_numeric_trees_answer_alike_for_every_storage(seed, dtype, order, surrogates, regression):
    rng = np.random.default_rng(seed)
    arrays = random_tree(rng, feature_values=[0] * 5, surrogates=surrogates, regression=regression)
    X = np.array(random_rows(rng, [0] * 5, 43, missing=0.03), dtype=dtype, order=order)
    tree = check_against_plain_walk(arrays, Table.from_dense(X), X)
    check_against_plain_walk(arrays, Table.from_columns(list(X.T)), X)
    backwards = Table.from_dense(X[::-2])
    np.testing.assert_array_equal(tree.apply(backwards), tree.apply(Table.from_dense(X))[::-2])


@given(seeds, st.sampled_from([np.float32, np.float64]), st.sampled_from([np.int32, np.int64]))
@settings(deadline=None)
def test_sparse_columns_answer_as_dense_ones(seed, dtype, index):
    rng = np.random.default_rng(seed)
    X = random_rows(rng, [0] * 6, 23, missing=0.1).astype(dtype)
    X[rng.random(X.shape) < 0.6] = 0
    csc = sparse.csc_array(X)
    table = Table.from_csc(csc.indptr.astype(index), csc.indices.astype(index), csc.data, X.shape[0])
    check_against_plain_walk(random_tree(rng, feature_values=[0] * 6), table, X)


@pytest.mark.parametrize("missing", [0.0, 0.01])
def test_threads_change_nothing(missing):
    rng = np.random.default_rng(4)
    arrays = random_tree(rng, feature_values=[0] * 5, surrogates=False, n_tests=40)
    tree = Tree.from_arrays(arrays)
    table = Table.from_dense(random_rows(rng, [0] * 5, 30_001, missing).astype(np.float32))
    for method in (tree.apply, tree.predict_labels, tree.predict_proba):
        np.testing.assert_array_equal(method(table, 1), method(table, 3))
    for one, three in zip(tree.decision_path(table, 1), tree.decision_path(table, 3), strict=True):
        np.testing.assert_array_equal(one, three)


def test_a_float32_is_compared_as_the_double_it_is():
    arrays = random_tree(np.random.default_rng(0), feature_values=[0], n_tests=1, surrogates=False)
    cut = 0.1  # float32(0.1) is above it, the float32 before is below it
    arrays["threshold"][0] = cut
    X = np.array([[0.1], [np.nextafter(np.float32(0.1), np.float32(0))]], dtype=np.float32)
    assert [float(x) <= cut for x in X[:, 0]] == [False, True]
    assert Tree.from_arrays(arrays).apply(Table.from_dense(X)).tolist() == [2, 1]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ([0.0, 1.0], "2 values, the tree was grown on 3"),
        (np.zeros(4), "4 values"),
        (np.zeros((1, 3)), "1-D float64"),
        (np.zeros(3, dtype=int), "int64"),
        ([0.0, "red", 0.0], "Value 1 .* got a str"),
        ("row", "got a str"),
        (None, "got a NoneType"),
    ],
)
def test_rows_that_cannot_be(row, words):
    with pytest.raises(ValueError, match=words):
        Tree.from_arrays(some_tree()).decide(row)


def test_a_category_between_two_codes_is_refused():
    arrays = random_tree(np.random.default_rng(5), feature_values=[3], n_tests=1)
    with pytest.raises(ValueError, match="whole number"):
        Tree.from_arrays(arrays).decide([0.5])


def test_a_tree_deeper_than_any_stack():
    depth = 200_000
    n = 2 * depth + 1
    arrays = chain(depth)
    tree = Tree.from_arrays(arrays)
    assert tree.depth == depth
    assert tree.apply(Table.from_dense(np.array([[1.0], [-1.0], [np.nan]]))).tolist() == [n - 1, 1, 1]


def first_largest(shares):
    """Return the first class whose share is the largest up to rounding."""
    return int((shares >= shares.max() * (1 - 1e-12)).argmax())
