"""The tables of the speed benchmarks: the numbers drawn are part of their definition."""

import numpy as np
import pytest

from thriftwood.datasets import MIXED_VALUES, make_counts, make_dense, make_mixed, make_small

# maker, sum of absolute values, three cells of the fourth row, number of ones, sum of the rows that are one
FINGERPRINTS = [
    (lambda: make_dense(2000, 1), 89894.35692209442, [0.65582377, -0.31925938, -1.0], 1005, 1013092),
    (lambda: make_mixed(2000, 1), 142723.25399825658, [4.0, 10.0, 0.29916254], 1006, 1000520),
    (lambda: make_counts(100, 1000, 1), 663099.0, [0.0, 34.0, 2.0], 54, 2857),
    (lambda: make_small(300, 1), 129598.97285906627, [47.0, 1.00672436, 1.0], 136, 20559),
]


@pytest.mark.parametrize(("make", "total", "cells", "ones", "rows"), FINGERPRINTS)
def test_numbers_are_those_of_the_measured_benchmarks(make, total, cells, ones, rows):
    X, y = make()
    assert np.abs(X.astype(np.float64)).sum() == pytest.approx(total, rel=1e-7)
    assert X[3, [0, 5, -1]].tolist() == pytest.approx(cells, rel=1e-6)
    assert (int(y.sum()), int(np.flatnonzero(y).sum())) == (ones, rows)


@pytest.mark.parametrize("make", [make_dense, make_mixed, make_counts, make_small])
def test_same_seed_same_table_other_seed_other_table(make):
    X, y = make(60, seed=3)
    again_X, again_y = make(60, seed=3)
    assert np.array_equal(X, again_X)
    assert np.array_equal(y, again_y)
    assert not np.array_equal(X, make(60, seed=4)[0])
    assert (X.dtype, y.dtype) == (np.float32, np.int32)
    assert X.flags.c_contiguous


@pytest.mark.parametrize("make", [make_dense, make_mixed, make_counts, make_small])
def test_classes_are_near_balance(make):
    _, y = make(400, seed=5)
    assert set(y.tolist()) == {0, 1}
    assert 0.4 < y.mean() < 0.6


def test_mixed_codes_stay_within_their_values():
    X, _ = make_mixed(5000, seed=6)
    codes = X[:, :10]
    assert np.array_equal(codes, np.round(codes))
    assert (codes.max(axis=0) + 1).tolist() == list(MIXED_VALUES)
    # rarer and rarer: the first value is the commonest
    assert all(np.bincount(column.astype(int)).argmax() == 0 for column in codes.T)


def test_counts_are_whole_and_many_are_zero():
    X, _ = make_counts(50, 500, seed=7)
    assert np.array_equal(X, np.round(X))
    assert X.min() == 0
    assert 0.15 < (X == 0).mean() < 0.6


def test_counts_need_room_for_the_telling_events():
    with pytest.raises(ValueError, match=r"at least 40\. Got 39"):
        make_counts(10, 39)


def test_the_concept_does_not_depend_on_the_seed():
    # what a shallow model learns on one seed holds on another
    from sklearn.tree import DecisionTreeClassifier

    for make in (make_dense, make_mixed):
        X, y = make(4000, seed=1)
        X_new, y_new = make(2000, seed=2)
        accuracy = DecisionTreeClassifier(max_depth=6, random_state=0).fit(X, y).score(X_new, y_new)
        assert accuracy > 0.65
