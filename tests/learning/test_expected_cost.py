"""Pruning by what tests and expected mistakes cost together."""

import numpy as np
import pytest
from learning.growing_tables import children
from learning.sampled_reference import expected_cost

import thriftwood as tw
from thriftwood import _core

LOSS = np.array([[0.0, 400.0], [150.0, 0.0]])
COSTS = tw.Costs(
    {
        0: tw.Test(1, needs=["draw"]),
        1: tw.Test(2, needs=["draw"]),
        2: tw.Test(3, group="g", after=1),
        3: tw.Test(2, group="g", after=0.5),
        4: 0.25,
    },
    shared={"draw": 2},
    errors={0: {1: 400}, 1: {0: 150}},
)


def table(seed, n_rows=120, missing=0.0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n_rows, 5)).astype(float)
    y = (X[:, 0] + X[:, 2] > 5) ^ (X[:, 4] > 3) ^ (rng.random(n_rows) < 0.15)
    X[rng.random(X.shape) < missing] = np.nan
    return X, y.astype(int)


def unpruned(seed, payment="sequential", **settings):
    model = tw.CostTreeClassifier("eg2", costs=COSTS.replace(payment=payment), growth=tw.Growth(max_depth=5))
    return model.set_params(**settings).fit(*table(seed))


def prices(payment):
    return _core.Prices(COSTS.replace(payment=payment).compile(range(5)))


def mistakes(core, node):
    return expected_cost(core.values[node].tolist(), LOSS.ravel().tolist(), 0.25)


def least_cost(core, tags, node=0, paid=()):
    """The least expected cost of a subtree, by trying the leaf and the split of every node."""
    as_leaf = mistakes(core, node)
    if core.kind[node] == 0:
        return as_leaf
    feature = int(core.feature[node])
    price = tags.total([*paid, feature]) - tags.total(paid)
    below = sum(least_cost(core, tags, child, (*paid, feature)) for child in children(core, node))
    return min(as_leaf, core.weight[node] * price + below)


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
def test_test_costs_are_those_of_the_ledger(payment):
    costs = COSTS.replace(payment=payment)
    for seed in range(10):
        X, y = table(seed)
        model = unpruned(seed, payment)
        free = np.zeros((2, 2))
        total = _core.expected_cost(model.tree_.core, prices(payment), free)
        assert total == pytest.approx(len(X) * tw.bill(model, X, y, costs).mean_test_cost, rel=1e-9)


def test_paid_on_the_way_the_pruned_tree_is_the_cheapest_subtree():
    partly = 0
    for seed in range(20):
        core = unpruned(seed).tree_.core
        pruned = _core.prune_expected_cost(core, prices("sequential"), LOSS)
        total = _core.expected_cost(pruned, prices("sequential"), LOSS)
        assert total == pytest.approx(least_cost(core, COSTS), rel=1e-9)
        partly += 1 < pruned.n_nodes < core.n_nodes
    assert partly > 10


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
def test_pruning_never_makes_a_tree_dearer_and_nothing_is_left_to_prune(payment):
    for seed in range(20):
        core = unpruned(seed, payment).tree_.core
        pruned = _core.prune_expected_cost(core, prices(payment), LOSS)
        before, after = (_core.expected_cost(tree, prices(payment), LOSS) for tree in (core, pruned))
        assert after <= before + 1e-9
        assert after <= mistakes(core, 0) + 1e-9
        assert _core.prune_expected_cost(pruned, prices(payment), LOSS) == pruned


@pytest.mark.parametrize("criterion", ["eg2", "gini"])  # one that asks for prices, one that does not
def test_the_rule_prunes_by_the_models_costs(criterion):
    X, y = table(3)
    full = tw.CostTreeClassifier(criterion, costs=COSTS).fit(X, y)
    cheap_mistakes = COSTS.replace(errors={0: {1: 4}, 1: {0: 1.5}})
    few, none = (
        tw.CostTreeClassifier(criterion, costs=costs, pruning=tw.ExpectedCost()).fit(X, y).get_n_leaves()
        for costs in (COSTS, cheap_mistakes)
    )
    assert 1 < few < full.get_n_leaves()
    assert none == 1


def test_without_costs_mistakes_cost_one_and_tests_nothing():
    X, y = table(4)
    model = tw.CostTreeClassifier("entropy", pruning=tw.ExpectedCost(cf=0.1)).fit(X, y)
    full = tw.CostTreeClassifier("entropy").fit(X, y)
    assert 1 < model.get_n_leaves() < full.get_n_leaves()
    assert model.tree_.core == _core.prune_expected_cost(full.tree_.core, None, None, 0.1)


@pytest.mark.parametrize("missing", ["fractional", "branch", "majority", "surrogate"])
def test_missing_values_and_altered_priors(missing):
    X, y = table(5, missing=0.1)
    growth = tw.Growth(missing=missing, use_surrogate=1)
    model = tw.CostTreeClassifier("eg2", costs=COSTS, growth=growth, pruning=tw.ExpectedCost())
    assert model.fit(X, y).get_n_leaves() > 1
    altered = model.set_params(loss_in_growth="altered_priors").fit(X, y)
    assert altered.tree_.core.weight[0] == pytest.approx(len(X))  # judged by the cases as they are


def test_numbers_cannot_be_pruned_by_expected_cost():
    with pytest.raises(ValueError, match="ExpectedCost prunes trees that tell classes apart"):
        tw.CostTreeRegressor(pruning=tw.ExpectedCost()).fit([[0], [1]], [0.5, 1])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"cf": 0}, "'cf' parameter of ExpectedCost"),
        ({"z": "none"}, "'z' parameter of ExpectedCost must be one of"),
    ],
)
def test_values_that_make_no_sense_are_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        tw.CostTreeClassifier(pruning=tw.ExpectedCost(**settings)).fit([[0], [1]], [0, 1])


def test_arrays_that_do_not_fit_are_refused_by_the_core():
    core = unpruned(0).tree_.core
    with pytest.raises(ValueError, match="one row and one column per class"):
        _core.expected_cost(core, None, np.zeros((2, 1)))
    with pytest.raises(ValueError, match="2 classes need 4"):
        _core.expected_cost(core, None, np.zeros((3, 3)))
    with pytest.raises(ValueError, match="has 2 tests, the tree 5 features"):
        _core.prune_expected_cost(core, _core.Prices(tw.Costs({0: 1, 1: 1}).compile(range(2))))
