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
