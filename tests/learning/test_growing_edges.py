"""Rules of growth at their edges: what must hold however far the data are from ordinary."""

import numpy as np
import pandas as pd
import pytest

import thriftwood as tw
from thriftwood import _core


def test_a_far_number_does_not_hide_the_others():
    X = np.random.default_rng(0).random((1000, 1))
    y = X[:, 0].copy()
    y[5] = 1e9
    model = tw.CostTreeRegressor().fit(X, y)
    assert model.get_n_leaves() == 1000
    assert (model.predict(X) == y).all()


def test_small_waves_on_a_large_step_are_learnt():
    X = np.random.default_rng(0).random((1000, 1))
    y = np.where(X[:, 0] < 0.5, 0, 1e6) + 0.1 * np.sin(40 * X[:, 0])
    model = tw.CostTreeRegressor().fit(X, y)
    np.testing.assert_allclose(model.predict(X), y, rtol=1e-12)


def test_a_category_without_cases_answers_as_its_parent():
    kinds = pd.CategoricalDtype(["x", "y", "z"])
    X = pd.DataFrame({"a": pd.Series(["x"] * 10 + ["y"] * 10, dtype=kinds)})
    y = ["ok"] * 8 + ["bad"] * 2 + ["ok"] * 7 + ["bad"] * 3
    costs = tw.Costs(errors={"bad": {"ok": 100}, "ok": {"bad": 1}})
    model = tw.algorithm("id3", costs=costs).fit(X, y)
    cases = pd.DataFrame({"a": pd.Series(["x", "y", "z"], dtype=kinds)})
    assert model.predict(cases).tolist() == ["bad", "bad", "bad"]


def test_c45_keeps_its_least_weight_above_25():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(2000, 3))
    y = (X[:, 0] + rng.normal(size=2000) > 0).astype(int)
    core = tw.algorithm("c45", min_weight=40, pruning=None).fit(X, y).tree_.core
    assert core.n_leaves > 3
    assert core.weight[core.kind == 0].min() >= 40


@pytest.mark.parametrize("floor", [{"gain_floor": 0.03}, {"min_decrease": 0.03}])
def test_a_feature_that_gains_too_little_makes_way(floor):
    # "rare" has the better ratio and gains almost nothing; "big" clears the floor.
    n = 200
    rare, big, y = np.zeros(n), np.zeros(n), np.zeros(n, dtype=int)
    y[: n // 2] = 1
    rare[:2] = 1
    big[:65] = 1
    big[100:140] = 1
    X = np.column_stack([rare, big])
    plain = tw.CostTreeClassifier("gain_ratio", growth=tw.Growth(max_depth=1)).fit(X, y)
    assert list(plain.tree_.features_used) == ["x0"]
    model = tw.CostTreeClassifier("gain_ratio", growth=tw.Growth(max_depth=1, **floor)).fit(X, y)
    assert list(model.tree_.features_used) == ["x1"]


def test_the_branch_of_missing_values_needs_the_least_weight_too():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 1))
    y = (X[:, 0] > 0).astype(int)
    X[7] = np.nan
    growth = tw.Growth(missing="branch", min_branch_weight=5, max_depth=1)
    assert tw.CostTreeClassifier(growth=growth).fit(X, y).get_n_leaves() == 1
    X[:6] = np.nan
    core = tw.CostTreeClassifier(growth=growth).fit(X, y).tree_.core
    assert sorted(core.weight[core.kind == 0].tolist())[0] == 7


def test_frequent_values_leave_bins_to_the_others():
    X = np.repeat(np.arange(256.0), [1000] + [1] * 255)[:, None]
    y = (np.arange(256) % 2)[X[:, 0].astype(int)]
    growth = tw.Growth(bins=256)
    assert tw.CostTreeClassifier(growth=growth).fit(X, y).get_n_leaves() >= 254


def test_best_first_growth_of_many_leaves_is_quick_and_complete():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20_000, 4)), rng.integers(0, 2, 20_000)
    trees = [
        tw.CostTreeClassifier(growth=tw.Growth(order=order)).fit(X, y).tree_ for order in ("depth", "best")
    ]
    assert trees[0] == trees[1]


def test_a_surrogate_without_a_node_is_refused():
    table = _core.Table.from_dense(np.array([[0.0], [1.0]]))
    arrays = _core.grow(table, _core.Settings(), np.array([0, 1], dtype=np.int32), 2).to_arrays()
    arrays["surrogates"] = {
        "kind": np.array([1], dtype=np.uint8),
        "feature": np.array([2**31 - 1], dtype=np.int32),
        "map_offset": np.array([-1], dtype=np.int32),
        "flipped": np.array([False]),
        "threshold": np.array([0.0]),
        "agreement": np.array([0.0]),
        "adjusted": np.array([0.0]),
    }
    with pytest.raises(ValueError, match="belongs to no node"):
        _core.Tree.from_arrays(arrays)
