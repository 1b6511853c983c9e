"""Weights that are shares count as cases, so that minimum sizes and pruning mean what they say."""

import numpy as np
import pytest
from numpy.lib.recfunctions import structured_to_unstructured
from sklearn.ensemble import AdaBoostClassifier

import thriftwood as tw
from thriftwood.learners.published import ALGORITHMS
from thriftwood.learning.targets import counting_cases

DATA = tw.load_dataset("wisconsin-diagnostic", frame="numpy")
X, Y = structured_to_unstructured(DATA.X)[:, :6], DATA.y
COSTS = tw.Costs(
    {f"x{i}": 1.0 + i for i in range(6)}, errors={"benign": {"malignant": 20}, "malignant": {"benign": 30}}
)
SETTINGS = {
    "mitchell": {"gamma": 0.001},
    "csgain": {"gamma": 0.001},
    "csgain-ratio": {"gamma": 0.001},
    "icet": {"population": 4, "trials": 8, "random_state": 0},
    "ecco": {"population": 4, "trials": 8, "random_state": 0},
}
TREES = [
    name
    for name, entry in ALGORITHMS.items()
    if hasattr(entry.make(), "growth")
    and hasattr(entry.make(), "criterion")
    and not hasattr(entry.make(), "partial_fit")  # those learn case by case, and refuse weights
]
OTHERS = ["icet", "ecco", "optimal"]


def learner(name):
    return tw.algorithm(name, costs=COSTS, **SETTINGS.get(name, {}))


@pytest.mark.parametrize("name", [*TREES, *OTHERS])
def test_adaboost_around_every_tree_learner_beats_the_commonest_class(name):
    rows = np.arange(len(Y)) % 3 == 0
    boosted = AdaBoostClassifier(learner(name), n_estimators=3, random_state=0).fit(X[rows], Y[rows])
    commonest = max(np.mean(Y[~rows] == c) for c in np.unique(Y))
    assert np.mean(boosted.predict(X[~rows]) == Y[~rows]) > commonest + 0.1
    assert boosted.estimators_[0].tree_.n_leaves > 1


@pytest.mark.parametrize("name", TREES)
def test_equal_shares_are_no_weights(name):
    shares = np.full(len(Y), 1 / len(Y))
    with_shares = learner(name).set_params(random_state=0).fit(X, Y, sample_weight=shares).tree_
    without = learner(name).set_params(random_state=0).fit(X, Y).tree_
    for field in ("feature", "threshold"):
        np.testing.assert_array_equal(getattr(with_shares.core, field), getattr(without.core, field))
    np.testing.assert_allclose(with_shares.core.weight, without.core.weight)


def test_a_case_of_weight_2_counts_as_two():
    weights = np.random.default_rng(0).integers(0, 4, len(Y))
    weighted = tw.algorithm("c45").fit(X, Y, sample_weight=weights).tree_
    repeated = tw.algorithm("c45").fit(X.repeat(weights, axis=0), Y.repeat(weights)).tree_
    np.testing.assert_array_equal(weighted.core.threshold, repeated.core.threshold)
    assert weighted.core.weight[0] == weights.sum()


def test_a_few_cases_of_little_weight_do_not_scale_the_others():
    weights = np.array([1.0, 3.0, 0.5])
    assert counting_cases(weights) is weights


def test_subsets_are_scaled_as_they_are_when_they_are_fitted_alone():
    rng = np.random.default_rng(1)
    weights = rng.random(len(Y)) / len(Y)
    weights[:50] *= 9000
    model = tw.algorithm("c45")
    for rows in (np.arange(60), np.arange(50, len(Y)), np.arange(0, len(Y), 2)):
        (subset,) = tw.fit_many(model, X, Y, rows=[rows], sample_weight=weights)
        alone = model.fit(X[rows], Y[rows], sample_weight=weights[rows]).tree_
        np.testing.assert_array_equal(subset.core.threshold, alone.core.threshold)
        np.testing.assert_allclose(subset.core.weight, alone.core.weight)


def test_regression():
    y = X[:, 0] * 2
    growth = tw.Growth(min_branch_weight=20)
    shares = np.full(len(y), 0.001)
    model = tw.CostTreeRegressor(growth=growth).fit(X, y, sample_weight=shares)
    assert model.tree_.n_nodes == tw.CostTreeRegressor(growth=growth).fit(X, y).tree_.n_nodes > 1


@pytest.mark.parametrize("name", ["c45", "cart"])
def test_weights_too_light_for_any_split_are_told(name):
    weights = np.full(len(Y), 3.0 / len(Y))
    with pytest.warns(UserWarning, match="adds up to 3 for 569 cases, and what is lighter than"):
        model = tw.algorithm(name).fit(X, Y, sample_weight=weights)
    assert model.tree_.n_nodes == 1


def test_regression_tells_so_too():
    model = tw.CostTreeRegressor(growth=tw.Growth(min_split_weight=20))
    with pytest.warns(UserWarning, match="Multiply the weights"):
        model.fit(X, X[:, 0], sample_weight=np.full(len(Y), 0.01))
