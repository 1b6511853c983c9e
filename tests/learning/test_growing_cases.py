"""Minimum sizes of CART count cases, not what priors and error costs make of them."""

import numpy as np
import pytest

import thriftwood as tw

MINSPLIT, MINBUCKET = 20, 7


def table(seed, n=240, rare=0.08, n_classes=2):
    """Numbers, few numbers and categories that tell something of the class, which is rare."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < rare).astype(int)
    if n_classes == 3:
        y[rng.random(n) < rare] = 2
    X = np.empty((n, 3), dtype=object)
    X[:, 0] = rng.normal(size=n) + y
    X[:, 1] = rng.integers(0, 6, n) + y
    X[:, 2] = np.array(["a", "b", "c", "d"])[(rng.integers(0, 4, n) + y) % 4]
    return X, y


MODES = {
    "prior": {"priors": [0.5, 0.5]},
    "loss": {"costs": tw.Costs(errors={0: {1: 1}, 1: {0: 30}})},
    "both": {"priors": [0.3, 0.7], "costs": tw.Costs(errors={0: {1: 1}, 1: {0: 9}})},
}


def sizes(model, X):
    """Count the cases that come through every node."""
    core = model.tree_.core
    found = np.zeros(core.n_nodes, dtype=int)
    for node in model.tree_.apply(X):
        found[node] += 1
    for node in range(core.n_nodes - 1, 0, -1):
        found[model.tree_.flat.parent[node]] += found[node]
    return found, core.first_child >= 0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(6))
def test_no_leaf_has_fewer_cases_than_rpart_allows(mode, seed):
    X, y = table(seed)
    model = tw.algorithm("cart", pruning=None, **MODES[mode]).fit(X, y)
    found, inner = sizes(model, X)
    assert inner.any()
    assert found[inner].min() >= MINSPLIT
    assert found[~inner].min() >= MINBUCKET


@pytest.mark.parametrize("mode", MODES)
def test_common_cases_that_count_little_make_a_leaf_too(mode):
    """Seven cases of the common class, all of low weight, are as many as seven others."""
    n = 120
    x = np.arange(n, dtype=float)
    y = np.zeros(n, dtype=int)
    y[7:20] = 1
    model = tw.algorithm("cart", pruning=None, **MODES[mode]).fit(x[:, None], y)
    found, inner = sizes(model, x[:, None])
    assert sorted(found[~inner]) == [7, 13, 100]
    assert set(model.tree_.core.threshold[inner]) == {6.5, 19.5}


def test_three_classes_and_weights():
    X, y = table(3, n=400, n_classes=3)
    weights = np.random.default_rng(0).integers(1, 4, len(y))
    model = tw.algorithm("cart", pruning=None, priors=[1, 1, 1]).fit(X, y, sample_weight=weights)
    repeated = tw.algorithm("cart", pruning=None, priors=[1, 1, 1]).fit(
        X.repeat(weights, axis=0), y.repeat(weights)
    )
    assert model.tree_.n_nodes > 3
    for name in ("feature", "threshold", "branch_map"):
        np.testing.assert_array_equal(getattr(model.tree_.core, name), getattr(repeated.tree_.core, name))


def test_folds_and_subsets_count_cases_too():
    X, y = table(1)
    model = tw.algorithm("cart", pruning=None, priors=[0.5, 0.5])
    rows = np.flatnonzero(np.arange(len(y)) % 3)
    (subset,) = tw.fit_many(model, X, y, rows=[rows])
    alone = model.fit(X[rows], y[rows])
    assert subset.n_nodes == alone.tree_.n_nodes > 1
    np.testing.assert_array_equal(subset.predict(X), alone.predict(X))


def test_elsewhere_minimum_sizes_are_weights():
    X, y = table(2)
    growth = tw.Growth(min_branch_weight=7.0, max_depth=3)
    by_weight = tw.CostTreeClassifier(priors=[0.5, 0.5], growth=growth).fit(X, y)
    by_cases = tw.CostTreeClassifier(
        priors=[0.5, 0.5], growth=tw.Growth(min_branch_weight=7.0, max_depth=3, count_cases=True)
    ).fit(X, y)
    found, inner = sizes(by_cases, X)
    assert found[~inner].min() >= 7
    found, inner = sizes(by_weight, X)
    assert found[~inner].min() < 7
    assert by_weight.tree_.core.weight[~inner].min() >= 7 - 1e-9


def test_without_priors_and_costs_nothing_changes():
    X, y = table(4)
    for count_cases in (False, True):
        model = tw.algorithm("cart", count_cases=count_cases, random_state=0).fit(X, y)
        assert model.tree_ == tw.algorithm("cart", random_state=0).fit(X, y).tree_
