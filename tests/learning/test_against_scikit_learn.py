"""Numeric data without missing values: at every node of ours, no split of scikit-learn's gains more."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

import thriftwood as tw


@st.composite
def tables(draw):
    """Small tables with values on a grid, so that ties happen."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, features, classes = draw(st.integers(2, 60)), draw(st.integers(1, 4)), draw(st.integers(2, 4))
    X = rng.integers(0, draw(st.integers(1, 9)), (n, features)) / 4
    signal = X.sum(axis=1).astype(int) % classes
    return X, np.where(rng.random(n) < 0.3, rng.integers(0, classes, n), signal)


def best_decrease(X, y, criterion, **settings):
    stump = (
        DecisionTreeClassifier(criterion=criterion, max_depth=1, random_state=0, **settings).fit(X, y).tree_
    )
    if stump.node_count == 1:
        return None
    share = stump.weighted_n_node_samples / stump.weighted_n_node_samples[0]
    return stump.impurity[0] - (share * stump.impurity)[1:].sum()


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@given(tables())
def test_every_node_decreases_impurity_as_much_as_scikit_learn_can(criterion, table):
    X, y = table
    model = tw.CostTreeClassifier(criterion).fit(X, y)
    core, visits = model.tree_.core, model.decision_path(X).toarray().astype(bool)
    for node in range(core.n_nodes):
        rows = visits[:, node]
        assert core.weight[node] == rows.sum()
        best = best_decrease(X[rows], y[rows], criterion)
        if core.kind[node]:
            assert core.gain[node] == pytest.approx(best, abs=1e-9)
        else:
            assert best is None  # scikit-learn finds nothing to split either


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@given(tables(), st.integers(1, 4), st.integers(1, 6), st.integers(2, 12))
def test_limits_mean_the_same(criterion, table, depth, leaf, split):
    X, y = table
    growth = tw.Growth(max_depth=depth, min_branch_weight=leaf, min_split_weight=split)
    model = tw.CostTreeClassifier(criterion, growth=growth).fit(X, y)
    core, visits = model.tree_.core, model.decision_path(X).toarray().astype(bool)
    level = {0: 0}
    for node in range(core.n_nodes):
        for child in range(core.first_child[node], core.first_child[node] + core.n_children[node]):
            level[child] = level[node] + 1
        rows = visits[:, node]
        settings = {"min_samples_leaf": leaf, "min_samples_split": split}
        best = None if level[node] == depth else best_decrease(X[rows], y[rows], criterion, **settings)
        if core.kind[node]:
            assert core.gain[node] == pytest.approx(best, abs=1e-9)
        else:
            assert best is None


def test_trees_without_ties_are_the_same_tree():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=300) > 0).astype(int)
    # Below 15 cases several features often separate a node equally well.
    ours = tw.CostTreeClassifier(growth=tw.Growth(min_split_weight=15)).fit(X, y)
    theirs = DecisionTreeClassifier(min_samples_split=15, random_state=0).fit(X, y)
    fresh = rng.normal(size=(1000, 6))
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    np.testing.assert_array_equal(ours.predict_proba(fresh), theirs.predict_proba(fresh))
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_)
