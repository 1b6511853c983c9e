"""Cases as votes for answers: where growth ends, and what a relative gain is a share of."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thriftwood as tw

MATRIX = np.array([[0, 5, 10], [4, 0, 3], [10, 2, 0.0]])
CRITERIA = ["gini", "entropy", "gain_ratio", "leaf-cost"]


def bands(n_rows):
    """Three classes that two cuts of the first column tell apart."""
    X = np.random.default_rng(0).normal(size=(n_rows, 3))
    return X, (X[:, 0] > 0).astype(int) + (X[:, 0] > 1)


def costs_of(kind, y):
    """The right answer is free for every case; what the others cost has ratios of its own if `uneven`."""
    rng = np.random.default_rng(1)
    if kind == "matrix":
        return MATRIX[y]
    if kind == "amounts":
        return MATRIX[y] * rng.uniform(1, 100, (len(y), 1))
    return (1 - np.eye(3))[y] * rng.uniform(1, 10, (len(y), 3))


@pytest.mark.parametrize("kind", ["matrix", "amounts", "uneven"])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_growth_ends_where_one_answer_is_the_cheapest_for_every_case(criterion, kind):
    X, y = bands(1_000)
    costs = costs_of(kind, y)
    core = tw.CostTreeClassifier(criterion).fit(X, y, error_costs=costs).tree_.core
    above = core.values[core.kind != 0]
    assert (np.count_nonzero(above, axis=1) > 1).all()  # no node of one class is split
    assert core.n_leaves <= 6
    assert core.risk[core.kind == 0].sum() == 0


@pytest.mark.parametrize("criterion", ["gini", "leaf-cost"])
@pytest.mark.parametrize("bootstrap", [True, False])
def test_trees_of_a_forest_end_there_too(criterion, bootstrap):
    X, y = bands(600)
    forest = tw.CostForestClassifier(
        5, criterion, growth=tw.Growth(), bootstrap=bootstrap, random_state=0
    ).fit(X, y, error_costs=costs_of("amounts", y))
    assert max(tree.n_leaves for tree in forest.trees_) <= 6


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 5), st.sampled_from(CRITERIA), st.booleans())
def test_no_settled_node_is_split(seed, n_classes, criterion, missing):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (60, 3)).astype(float)
    if missing:
        X[rng.random(X.shape) < 0.15] = np.nan
    y = np.r_[np.arange(n_classes), rng.integers(0, n_classes, 60 - n_classes)]
    costs = rng.integers(0, 5, (60, n_classes)).astype(float)
    model = tw.CostTreeClassifier(criterion).fit(X, y, error_costs=costs)
    core, visited = model.tree_.core, model.decision_path(X).toarray().astype(bool)
    for node in np.flatnonzero(core.kind):
        here = costs[visited[:, node]]
        shared = (here == here.min(axis=1, keepdims=True)).all(axis=0)  # answers that are the best for all
        assert not shared.any()


@settings(max_examples=40, deadline=None)
# A gain of 0 is compared with this part of the root's cost, which below the least normal number is rounding.
@given(st.integers(0, 10**6), st.integers(2, 4), st.floats(0.0, 0.6, allow_subnormal=False))
def test_a_matrix_by_row_is_the_matrix(seed, n_classes, least):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 8, (60, 2)).astype(float)
    y = np.r_[np.arange(n_classes), rng.integers(0, n_classes, 60 - n_classes)]
    errors = rng.integers(1, 10, (n_classes, n_classes)).astype(float)
    np.fill_diagonal(errors, 0)
    growth = tw.Growth(min_relative_gain=least)
    by_matrix = tw.CostTreeClassifier("leaf-cost", costs=tw.Costs(errors=errors), growth=growth).fit(X, y)
    by_row = tw.CostTreeClassifier("leaf-cost", growth=growth).fit(X, y, error_costs=errors[y])
    assert by_row.get_n_leaves() == by_matrix.get_n_leaves()
    assert np.array_equal(by_row.predict(X), by_matrix.predict(X))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_a_relative_gain_is_a_share_of_what_answers_cost_beyond_the_cheapest(seed, n_classes):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 8, 40).astype(float)
    y = np.r_[np.arange(n_classes), rng.integers(0, n_classes, 40 - n_classes)]
    costs = rng.integers(0, 20, (40, n_classes)).astype(float)
    regret = costs - costs.min(axis=1, keepdims=True)

    def lost(cases):
        return regret[cases].sum(axis=0).min()

    whole = lost(x == x)
    best = max((whole - lost(x <= cut) - lost(x > cut)) / whole for cut in np.unique(x)[:-1])
    for least, leaves in ((best * 0.999, 2), (best * 1.001, 1)):
        if best > 1e-9:
            growth = tw.Growth(max_depth=1, min_relative_gain=min(least, 1.0))
            model = tw.CostTreeClassifier("leaf-cost", growth=growth).fit(x[:, None], y, error_costs=costs)
            assert model.get_n_leaves() == (leaves if least <= 1 else 2)


def test_one_class_has_nothing_to_vote_for():
    model = tw.CostTreeClassifier().fit([[0], [1]], ["only", "only"], error_costs=[[1.0], [2.0]])
    assert model.predict([[5]]).tolist() == ["only"]
    with pytest.raises(tw.CostError, match="but there are 1 classes: 'only'"):
        tw.CostTreeClassifier().fit([[0], [1]], ["only", "only"], error_costs=[[1, 2], [2, 1]])
