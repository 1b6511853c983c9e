"""Gates: tests that tell nothing by themselves, but which others to ask."""

import warnings

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import thriftwood as tw


def switched(n_rows=500, seed=0, kinds=3):
    """Which two of the readings count depends on the first column."""
    rng = np.random.default_rng(seed)
    X = rng.random((n_rows, 1 + 2 * kinds)).round(2)
    kind = rng.integers(kinds, size=n_rows)
    X[:, 0] = kind
    rows = np.arange(n_rows)
    y = (X[rows, 1 + 2 * kind] > 0.5) * 2 + (X[rows, 2 + 2 * kind] > 0.5)
    return X, y


COSTS = tw.Costs({f"x{j}": 1 for j in range(7)})


def gated(**settings):
    return tw.algorithm("gated", random_state=0, **settings)


def test_a_gate_is_found_within_a_budget():
    X, y = switched()
    model = gated(costs=COSTS, budget=3).fit(X[:350], y[:350])
    assert model.gates_[:2] == ("x0", "x0")  # twice, to tell three kinds apart
    assert model.score(X[350:], y[350:]) > 0.9
    assert tw.bill(model, X).test_cost.max() == 3
    greedy = tw.algorithm("c45", costs=COSTS, budget=3).fit(X[:350], y[:350])
    assert greedy.score(X[350:], y[350:]) < 0.75


def test_a_nominal_gate_has_a_branch_for_each_category():
    X, y = switched()
    table = {"kind": np.array(["mill", "lathe", "press"])[X[:, 0].astype(int)]}
    table |= {f"x{j}": X[:, j] for j in range(1, 7)}
    import pandas as pd

    frame = pd.DataFrame(table)
    model = gated(costs=tw.Costs(dict.fromkeys(frame.columns, 1)), budget=3).fit(frame, y)
    assert model.gates_ == ("kind",)
    root = model.tree_[0]
    assert (root.test, len(model.tree_.core.n_children[:1]), model.tree_.core.n_children[0]) == ("kind", 1, 3)
    assert model.score(frame, y) > 0.9
    frame.loc[0, "kind"] = None
    assert model.predict(frame)[0] in y


def test_trees_of_parts_come_together_whole(tmp_path):
    X, y = switched()
    X[::7, 3] = np.nan
    model = gated(costs=COSTS, budget=3, missing="surrogate", nominal="binary", pruning=None).fit(X, y)
    model.save(tmp_path / "tree.json")
    assert np.array_equal(tw.load(tmp_path / "tree.json").predict(X), model.predict(X))
    core = model.tree_.core
    inner = np.flatnonzero(core.n_children)
    for node in inner:
        children = core.first_child[node] + np.arange(core.n_children[node])
        assert core.weight[node] == pytest.approx(core.weight[children].sum())
        assert np.allclose(core.values[node], core.values[children].sum(axis=0))


def test_what_comes_before_a_gate_is_paid():
    X, y = switched()
    tests = {"x0": tw.Test(0, needs=["look"])} | {f"x{j}": tw.Test(1, needs=["look"]) for j in range(1, 7)}
    costs = tw.Costs(tests, {"look": 2})
    model = gated(costs=costs, budget=4).fit(X, y)
    assert model.gates_[:2] == ("x0", "x0")
    bill = tw.bill(model, X, y)
    assert (bill.test_cost.max(), bill.accuracy > 0.9) == (4, True)


def test_without_a_gate_the_tree_is_the_plain_one():
    rng = np.random.default_rng(0)
    X = rng.random((300, 4))
    y = (X[:, 1] > 0.4).astype(int)
    model = gated(margin=3).fit(X, y)
    plain = tw.CostTreeClassifier("entropy", growth=model.growth, pruning=model.pruning).fit(X, y)
    assert (model.gates_, model.tree_.text()) == ((), plain.tree_.text())


def test_errors_in_money_count_prices_too():
    X, y = switched()
    dear = tw.Costs({"x0": 50} | {f"x{j}": 1 for j in range(1, 7)}, errors_default=10)
    assert "x0" not in gated(costs=dear).fit(X, y).gates_
    assert "x0" in gated(costs=dear.replace(tests={f"x{j}": 1 for j in range(7)})).fit(X, y).gates_


@pytest.mark.parametrize("charged", [True, False])
def test_where_missing_values_are_free_a_gate_is_charged_to_those_who_have_it(charged):
    X, y = switched(kinds=2)
    X[::2, 0] = np.nan
    prices = {"x0": 1.5} | {f"x{j}": 0 for j in range(1, 5)}
    costs = tw.Costs(prices, errors_default=10, charge_missing=charged)
    assert ("x0" in gated(costs=costs).fit(X, y).gates_) == (not charged)  # half of them pay 1.5


def test_one_seed_gives_one_tree():
    X, y = switched(200)
    assert gated().fit(X, y).tree_.text() == gated().fit(X, y).tree_.text()


@pytest.mark.parametrize("others", [{"folds": 1}, {"min_cases": 0}, {"margin": -1}, {"max_cases": 3}])
def test_settings_out_of_bounds_are_named(others):
    with pytest.raises(ValueError, match=next(iter(others))):
        gated(**others).fit([[1], [2]], [0, 1])


def test_what_parts_of_the_cases_cannot_say_is_refused():
    X, y = switched(60)
    with pytest.raises(ValueError, match="upfront"):
        gated(costs=COSTS.replace(payment="upfront")).fit(X, y)
    with pytest.raises(ValueError, match="by row"):
        gated().fit(X, y, error_costs=np.ones((60, 4)) - np.eye(4)[y])
    with pytest.raises(ValueError, match="samples"):
        gated(criterion="lsid3").fit(X, y)


def switched_with_holes(holes):
    """The switch opens a group of tests; some cases lack it."""
    X, y = switched(600, kinds=2)
    X[np.random.default_rng(1).random(600) < holes, 0] = np.nan
    return X, y


@given(seed=st.integers(0, 2**32 - 1))
@example(seed=626)  # a gate that is missing for nothing opens no discount for the next one
@settings(max_examples=40, deadline=None)
def test_many_gates_keep_to_the_budget(seed):
    rng = np.random.default_rng(seed)
    X, y = switched(200, seed=seed, kinds=2)
    X[rng.random(X.shape) < 0.2 * rng.random()] = np.nan
    prices = rng.integers(1, 10, size=5)
    tests = {
        f"x{j}": tw.Test(
            int(price),
            needs=["blood"] if rng.random() < 0.3 else [],
            group=str(rng.choice(["g", "h"])),
            after=int(rng.integers(0, price + 1)),
        )
        for j, price in enumerate(prices)
    }
    costs = tw.Costs(tests, {"blood": 4}, charge_missing=bool(rng.random() < 0.3))
    budget = int(rng.integers(3, 25))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that no test is within the budget
        model = gated(costs=costs, budget=budget, min_cases=10, margin=0.0).fit(X, y)
    elsewhere, _ = switched(500, seed=seed + 1, kinds=2)
    elsewhere[rng.random(elsewhere.shape) < 0.4] = np.nan
    for table in (X, elsewhere):
        assert tw.bill(model, table).test_cost.max() <= budget * (1 + 1e-9)


@pytest.mark.parametrize("drawn", [10, 2000])
def test_cases_of_weight_0_leave_no_trace(drawn):
    X, y = switched_with_holes(0.1)
    search = {"min_cases": 20, "max_cases": drawn, "margin": 0.0}
    clean = gated(**search).fit(X, y)
    places = np.sort(np.random.default_rng(2).choice(1000, 600, replace=False))
    both, classes, weights = np.full((1000, 5), 100.0), np.zeros(1000, dtype=int), np.zeros(1000)
    both[places], classes[places], weights[places] = X, y, 1.0
    model = gated(**search).fit(both, classes, sample_weight=weights)
    assert len(clean.gates_) > 0
    assert (model.gates_, model.tree_.text()) == (clean.gates_, clean.tree_.text())
