"""The base learner of an ensemble: its members are it, each with a seed of its own."""

import numpy as np
import pytest
from sklearn.base import clone

import thriftwood as tw
from thriftwood.ensembles.drawing import seeds

COSTS = tw.Costs(errors={"ill": {"well": 10}, "well": {"ill": 1}})


@pytest.mark.parametrize(
    "model",
    [tw.CostBagClassifier(), tw.CostBoostClassifier("csb2"), tw.CostingClassifier(), tw.MetaCostClassifier()],
)
def test_members_have_chances_of_their_own(model):
    X, y = np.random.default_rng(0).normal(size=(200, 5)), np.array(["ill", "well"] * 100)
    base = tw.CostTreeClassifier(growth=tw.Growth(max_depth=2, max_features=1))
    model.set_params(estimator=base, costs=COSTS, n_estimators=12, random_state=0).fit(X, y)
    assert len({tree[0].test for tree in model.estimators_}) > 2
    again = clone(model).set_params(n_jobs=2).fit(X, y)
    assert [tree.core for tree in model.estimators_] == [tree.core for tree in again.estimators_]
    own = clone(model).set_params(estimator__random_state=1).fit(X, y)  # whose chance is its own
    assert len({tree[0].test for tree in own.estimators_}) == 1


DRAWING = [tw.CostTreeClassifier(growth=tw.Growth(max_features=1)), tw.algorithm("lsid3", r=1)]


@pytest.mark.parametrize("base", [tw.CostTreeClassifier(), *DRAWING])
@pytest.mark.parametrize("pruning", [None, tw.ReducedError(), tw.CostComplexity(cv=3)])
def test_a_member_is_the_base_with_the_seed_of_the_member(base, pruning):
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    base = clone(base).set_params(pruning=pruning)
    model = tw.CostingClassifier(base, costs=tw.Costs(errors=[[0, 1], [3, 0]]), random_state=5)
    model.set_params(n_estimators=3).fit(X, y)
    own = seeds(4, np.random.RandomState(5))[1:]
    for tree, rows, seed in zip(model.estimators_, model.samples_, own, strict=True):
        alone = clone(base).set_params(random_state=seed).fit(X[rows], y[rows])
        assert str(tree) == str(alone.tree_)  # gains may differ by rounding
