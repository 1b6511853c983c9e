"""Bags of probability trees."""

import numpy as np
import pytest
from ensembles.learners import mixed_table

import thriftwood as tw
from thriftwood.ensembles.drawing import bootstraps, seeds

COSTS = tw.Costs(errors={"ill": {"well": 10}, "well": {"ill": 1}})


def bootstraps_of(seed, n_samples, n_rows):
    """The rows that an ensemble with this random_state draws."""
    rng = np.random.RandomState(seed)
    seeds(1 + n_samples, rng)
    return bootstraps(n_samples, n_rows, n_rows, rng)


def test_a_bag_of_trees_is_the_mean_of_smoothed_leaves_that_are_not_pruned():
    X, y = mixed_table()
    model = tw.CostBagClassifier(costs=COSTS, n_estimators=4, random_state=5).fit(X, y)
    shares = [tree.predict_proba(X) for tree in model.estimators_]
    np.testing.assert_allclose(model.predict_proba(X), np.mean(shares, axis=0))
    np.testing.assert_array_equal(
        model.predict(X) == "ill", 10 * model.predict_proba(X)[:, 0] >= model.predict_proba(X)[:, 1]
    )
    rows = bootstraps_of(5, 4, 120)
    for tree, drawn in zip(model.estimators_, rows, strict=True):
        alone = tw.algorithm("c45", pruning=None, smoothing="laplace").fit(X.iloc[drawn], y[drawn])
        np.testing.assert_allclose(tree.predict_proba(X), alone.predict_proba(X))


def test_a_leaf_of_three_and_one_is_worked_by_hand():
    model = tw.CostBagClassifier(
        tw.CostTreeClassifier(smoothing="laplace"),
        costs=tw.Costs(errors_default=1),
    )
    model.set_params(n_estimators=200, random_state=0).fit([[0.0]] * 4, [0, 0, 0, 1])
    means = {tuple(np.round(tree.predict_proba([[0.0]])[0], 6)) for tree in model.estimators_}
    assert (0.666667, 0.333333) in means  # (3 + 1) / (4 + 2)
    assert means <= {(round((n + 1) / 6, 6), round((5 - n) / 6, 6)) for n in range(5)}


def test_bags_may_be_small():
    X, y = mixed_table()
    model = tw.CostBagClassifier(costs=COSTS, n_estimators=3, max_samples=0.25, random_state=0).fit(X, y)
    assert {tree.core.weight[0] for tree in model.estimators_} == {30.0}
    with pytest.raises(ValueError, match=r"'max_samples' parameter .* a share in the range \(0, 1\]"):
        tw.CostBagClassifier(costs=COSTS, max_samples=1.5).fit(X, y)
