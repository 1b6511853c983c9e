"""Many fits of one model in one call."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

import thriftwood as tw
from thriftwood.datasets import make_small

X, Y = make_small(150)[:2]
MODELS = [
    tw.CostTreeClassifier(),
    tw.CostTreeClassifier(n_jobs=2),
    tw.algorithm("c45"),
    tw.CostTreeClassifier(pruning=tw.CostComplexity(alpha=0.02), costs=tw.Costs(errors=[[0, 1], [5, 0]])),
    tw.CostTreeClassifier(pruning=tw.ReducedError(), random_state=0),
    tw.CostTreeRegressor(),
]


@pytest.mark.parametrize("model", MODELS, ids=range(len(MODELS)))
def test_each_tree_is_the_one_that_fit_gives(model):
    rng = np.random.default_rng(0)
    rows = [np.sort(rng.permutation(len(X))[:100]) for _ in range(5)]
    trees = tw.fit_many(model, X, Y, rows)
    assert len(trees) == 5
    for tree, chosen in zip(trees, rows, strict=True):
        alone = clone(model).fit(X[chosen], Y[chosen]).tree_
        assert tree.n_nodes == alone.n_nodes
        if tree.regression:
            np.testing.assert_allclose(tree.predict(X), alone.predict(X), atol=1e-12)
        else:
            np.testing.assert_array_equal(tree.predict(X), alone.predict(X))


CLASSES_WEIGHED = [
    {"priors": {0: 0.2, 1: 0.8}},
    {"costs": tw.Costs(errors=[[0, 1], [20, 0]]), "loss_in_growth": "altered_priors"},
    {"priors": [3, 1], "costs": tw.Costs(errors=[[0, 1], [20, 0]]), "loss_in_growth": "altered_priors"},
    {
        "costs": tw.Costs(errors=[[0, 1], [20, 0]]),
        "loss_in_growth": "instance_weights",
        "answer": "most_likely",
        "smoothing": 3,
    },
]


@pytest.mark.parametrize("settings", CLASSES_WEIGHED, ids=range(len(CLASSES_WEIGHED)))
@pytest.mark.parametrize("pruning", [None, tw.CostComplexity(0.01), tw.CostComplexity(), tw.ReducedError()])
def test_classes_weigh_as_common_as_they_are_in_each_subset(settings, pruning):
    rng = np.random.default_rng(1)
    noisy = np.where(rng.random(len(Y)) < 0.2, 1 - Y, Y)
    weights = rng.integers(1, 4, len(Y)).astype(float)
    growth = tw.Growth(min_split_weight=10, min_branch_weight=3)
    model = tw.CostTreeClassifier(growth=growth, pruning=pruning, random_state=0, **settings)
    # All of the one class and a few of the other: the shares are far from those of the whole table.
    rows = [np.flatnonzero((noisy == k) | (rng.random(len(Y)) < 0.3)) for k in (0, 1)]
    for tree, chosen in zip(tw.fit_many(model, X, noisy, rows, weights), rows, strict=True):
        alone = clone(model).fit(X[chosen], noisy[chosen], weights[chosen]).tree_
        np.testing.assert_array_equal(tree.core.feature, alone.core.feature)
        np.testing.assert_allclose(tree.core.threshold, alone.core.threshold)
        np.testing.assert_allclose(tree.core.values, alone.core.values)
        np.testing.assert_array_equal(tree.core.label, alone.core.label)


def test_priors_hold_in_a_subset_whose_rows_are_drawn_twice():
    rows = np.random.default_rng(0).integers(0, len(X), 80)
    (tree,) = tw.fit_many(tw.CostTreeClassifier(priors=[0.3, 0.7]), X, Y, [rows])
    np.testing.assert_allclose(tree.core.values[0], [24, 56])


def test_automatic_bins_go_by_the_largest_subset(monkeypatch):
    monkeypatch.setattr("thriftwood.learning.growth.EXACT_ROWS", 1000)
    rng = np.random.default_rng(0)
    x = rng.random((2000, 1))
    y = rng.integers(0, 2, 2000)
    small, large = np.arange(0, 2000, 4), np.arange(1500)
    (exact,) = tw.fit_many(tw.CostTreeClassifier(), x, y, [small])
    assert exact.core == tw.CostTreeClassifier().fit(x[small], y[small]).tree_.core
    for tree in tw.fit_many(tw.CostTreeClassifier(), x, y, [small, large]):
        assert tree.n_leaves <= 255
    (repeated,) = tw.fit_many(tw.CostTreeClassifier(), x[:900], y[:900], [np.arange(1800) % 900])
    assert repeated.n_leaves <= 255


def test_a_subset_without_weight_is_named():
    weights = (np.arange(len(X)) >= 3).astype(float)
    with pytest.raises(ValueError, match=r"rows\[1\] has only cases of sample_weight 0"):
        tw.fit_many(tw.CostTreeClassifier(), X, Y, [[2, 3], [0, 1, 2]], weights)


def test_no_subsets_give_no_trees():
    assert tw.fit_many(tw.CostTreeClassifier(), X, Y, []) == []


@given(st.lists(st.integers(0, len(X) - 1), min_size=1, max_size=60))
def test_rows_drawn_twice_count_twice(rows):
    (tree,) = tw.fit_many(tw.CostTreeClassifier(), X, Y, [rows])
    weights = np.bincount(rows, minlength=len(X))
    alone = tw.CostTreeClassifier().fit(X, Y, sample_weight=weights).tree_
    np.testing.assert_array_equal(tree.predict(X), alone.predict(X))


def test_masks_and_weights_and_classes_of_the_whole_table():
    mask = Y == 0
    (tree,) = tw.fit_many(tw.CostTreeClassifier(), X, Y, [mask], sample_weight=np.full(len(X), 2.0))
    assert tree.classes.tolist() == [0, 1]
    assert tree.core.weight[0] == 2 * mask.sum()


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([[]], r"rows\[0\] must be a list of row numbers or a mask, with at least one row"),
        ([[0], [150]], r"rows\[1\] has the row 150; the table has rows 0 to 149"),
        ([[-1]], "has the row -1"),
        ([[0.5]], "must be a list of row numbers"),
        ([np.zeros(3, dtype=bool)], r"mask of shape \(3,\); the table has 150 rows"),
    ],
)
def test_wrong_rows(rows, words):
    with pytest.raises(ValueError, match=words):
        tw.fit_many(tw.CostTreeClassifier(), X, Y, rows)


def test_other_models_are_refused():
    with pytest.raises(
        TypeError, match="fit_many takes a CostTreeClassifier or a CostTreeRegressor, got str"
    ):
        tw.fit_many("c45", X, Y, [[0]])
