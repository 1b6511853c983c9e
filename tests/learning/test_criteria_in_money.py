"""PM, minimal total cost and CSTree: worked numbers of Quinlan's fourteen days, and facts about the bill.

Outlook costs 4, Temp 1, Humidity 2 and Wind 0.5; all mistakes cost the same.
"""

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood import _core

DAYS = tw.load_dataset("golf-nominal")
PRICE = {"Outlook": 4, "Temp": 1, "Humidity": 2, "Wind": 0.5}
MONEY = ("min-total-cost", "cstree")


def costs_of(mistake, **changes):
    return tw.Costs(PRICE, errors_default=mistake, **changes)


def drop(criterion, feature, mistake):
    """What a test of one feature takes from the cost of the mistakes of all days."""
    model = tw.algorithm(criterion, costs=costs_of(mistake).only([feature]), allow_negative=True, max_depth=1)
    return 14 * model.fit(DAYS.X[[feature]], DAYS.y).tree_.core.gain[0]


def root(criterion, mistake, **changes):
    return tw.algorithm(criterion, costs=costs_of(mistake), **changes).fit(DAYS.X, DAYS.y).tree_[0].test


# Worked numbers


def test_minimal_total_cost_at_the_root():
    totals = {name: 500 - drop("min-total-cost", name, 100) + 14 * PRICE[name] for name in PRICE}
    assert list(totals.values()) == pytest.approx([456, 514, 428, 507])
    assert root("min-total-cost", 100) == min(totals, key=totals.get) == "Humidity"


def test_minimal_total_cost_is_a_leaf_where_no_test_pays_for_itself():
    totals = [100 - drop("min-total-cost", name, 20) + 14 * PRICE[name] for name in PRICE]
    assert min(totals) == pytest.approx(107)
    assert root("min-total-cost", 20) is None
    assert root("min-total-cost", 20, allow_negative=True) == "Wind"


def test_cstree_at_the_root():
    whole = 2 * 900 * 500 / 1400
    assert whole == pytest.approx(642.857143)
    core = tw.algorithm("cstree", costs=costs_of(100)).fit(DAYS.X, DAYS.y).tree_.core
    assert 14 * core.impurity[0] == pytest.approx(whole)
    after = {name: whole - drop("cstree", name, 100) for name in PRICE}
    assert [after[name] for name in ("Outlook", "Humidity", "Wind")] == pytest.approx([480, 514.285714, 600])
    saved = {name: whole - after[name] - 14 * PRICE[name] for name in PRICE}
    assert list(saved.values()) == pytest.approx([106.857143, 12.190476, 100.571429, 35.857143])
    assert root("cstree", 100) == max(saved, key=saved.get) == "Outlook"


@pytest.mark.parametrize(
    ("info", "published", "winner"),
    [
        ("gain_ratio", (0.458096, 0, 0.739880, 0), "Humidity"),
        ("gain", (0.746124, 0, 0.739880, 0), "Outlook"),
    ],
)
def test_pm_at_the_root(info, published, winner):
    scores = []
    for name, price in PRICE.items():
        core = tw.algorithm("id3").fit(DAYS.X[[name]], DAYS.y).tree_.core
        shares = core.weight[1:] / 14 if core.n_nodes > 1 else np.ones(1)
        information = core.gain[0] / (-(shares * np.log2(shares)).sum() if info == "gain_ratio" else 1)
        scores.append((2**information - 1) * drop("min-total-cost", name, 20) / (price + 1))
    assert scores == pytest.approx(published, abs=1e-6)
    assert root("pm", 20, info=info) == winner


def test_pm_makes_no_test_that_saves_no_mistake():
    # Temp and Wind tell something about the class, but the answer stays Yes everywhere.
    model = tw.algorithm("pm", costs=costs_of(20).only(["Temp", "Wind"]))
    assert model.fit(DAYS.X[["Temp", "Wind"]], DAYS.y).tree_.n_nodes == 1
    assert (
        tw.algorithm("eg2", costs=model.costs, pruning=None)
        .fit(DAYS.X[["Temp", "Wind"]], DAYS.y)
        .tree_.n_nodes
        > 1
    )


def test_cases_without_a_value_are_not_tested_and_stay():
    # High: 3 yes, 3 no; Normal: 5 yes, 1 no; unknown: one of each.
    X = pd.DataFrame({"Humidity": ["High"] * 6 + ["Normal"] * 6 + [None] * 2})
    y = ["yes"] * 3 + ["no"] * 3 + ["yes"] * 5 + ["no"] + ["yes", "no"]
    costs = tw.Costs({"Humidity": 2}, errors_default=100)
    model = tw.algorithm("min-total-cost", costs=costs, allow_negative=True).fit(X, y)
    core = model.tree_.core
    assert core.weight.tolist() == [14, 6, 6, 2]
    bill = 14 * (core.impurity[0] - core.gain[0]) + 2 * core.weight[1:3].sum()
    assert bill == 524  # 24 + 300 + 100 + 100, more than the 500 of a leaf
    assert model.set_params(criterion__allow_negative=False).fit(X, y).tree_.n_nodes == 1


def test_the_smoothed_cost_of_three_classes_is_the_harmonic_mean_of_the_answers():
    X, y = [[0.0], [0.0], [0.0], [1.0], [1.0], [1.0]], [0, 0, 1, 1, 2, 2]
    loss = np.array([[0, 4, 1], [2, 0, 6], [3, 5, 0]])
    costs = tw.Costs({0: 0}, errors=loss)
    core = tw.CostTreeClassifier("cstree", costs=costs).fit(X, y).tree_.core
    answers = np.array([2, 2, 2]) @ loss
    assert 6 * core.impurity[0] == pytest.approx(3 / (1 / answers).sum())
    parts = [np.array(cell) @ loss for cell in ([2, 1, 0], [0, 1, 2])]
    assert 3 * core.impurity[1:3] == pytest.approx([3 / (1 / part).sum() for part in parts])
    assert 6 * core.gain[0] == pytest.approx(6 * core.impurity[0] - 3 * core.impurity[1:3].sum())


# Laws of the bill


def table(seed, n_rows=120, missing=0.0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 7, (n_rows, 5)).astype(float)
    y = (X[:, 0] + X[:, 3] > 6).astype(int) + (X[:, 4] > 4) * (rng.random(n_rows) < 0.8)
    X[rng.random(X.shape) < missing] = np.nan
    return X, y


def prices(seed, factor=1.0, errors=20.0, **rest):
    rng = np.random.default_rng(seed)
    tests = {f: tw.Test(factor * float(rng.integers(0, 9)) / 4, needs=["r"][: f % 2]) for f in range(5)}
    loss = factor * errors * rng.integers(1, 6, (3, 3)) * (1 - np.eye(3))
    return tw.Costs(tests, shared={"r": factor}, errors=loss, **rest)


def learner(criterion, costs, **changes):
    return tw.algorithm(criterion, costs=costs, nominal_features=[3, 4], **changes)


@pytest.mark.parametrize("seed", range(12))
def test_deeper_trees_have_smaller_bills(seed):
    # Every split saves more mistakes than its test costs the cases it tests.
    X, y = table(seed, missing=0.1)
    costs = prices(seed, charge_missing=False)
    trees = [learner("min-total-cost", costs, max_depth=depth).fit(X, y).tree_ for depth in range(1, 8)]
    bills = [trees[0].core.impurity[0], *(tw.bill(tree, X, y, costs).mean_cost for tree in trees)]
    assert all(deeper <= bill * (1 + 1e-12) for bill, deeper in itertools.pairwise(bills))
    assert bills[-1] < bills[0]


@pytest.mark.parametrize("seed", range(12))
def test_paid_upfront_every_case_pays_for_every_test(seed):
    X, y = table(seed)
    costs = prices(seed, errors=400.0, payment="upfront")
    model = learner("min-total-cost", costs).fit(X, y)
    core = model.tree_.core
    bought = _core.tests_of(core)
    total = len(y) * (costs.total(bought) if len(bought) else 0)
    bill = tw.bill(model, X, y, costs)
    leaves = core.kind == 0
    assert bill.mean_cost * len(y) == pytest.approx(total + (core.weight * core.impurity)[leaves].sum())
    assert bill.mean_cost <= core.impurity[0]
    assert core.n_nodes == 1 or bill.mean_cost < core.impurity[0]


@pytest.mark.parametrize("nominal", ["multiway", "binary"])
def test_without_prices_the_root_makes_the_fewest_mistakes(nominal):
    for seed in range(8):
        X, y = table(seed)
        costs = tw.Costs(dict.fromkeys(range(5), 0))
        growth = tw.Growth(max_depth=1, nominal=nominal)
        model = tw.CostTreeClassifier("min-total-cost", costs=costs, growth=growth).fit(X, y)
        errors = (model.predict(X) != y).sum()
        for feature, cut in itertools.product(range(5), range(6)):
            sides = X[:, feature] <= cut
            other = sum(len(part) - np.bincount(part).max() for part in (y[sides], y[~sides]) if len(part))
            assert errors <= other


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
@pytest.mark.parametrize("factor", [0.125, 10.0, 1024.0])
@pytest.mark.parametrize("criterion", MONEY)
def test_the_unit_of_money_changes_nothing(criterion, factor, payment):
    for seed in range(8):
        X, y = table(seed, missing=0.05)
        one, other = (
            learner(criterion, prices(seed, unit, errors=200.0, payment=payment)).fit(X, y).tree_.core
            for unit in (1.0, factor)
        )
        assert (one.feature == other.feature).all()
        assert (one.threshold == other.threshold).all()
        assert one.n_nodes > 1


def test_pm_knows_the_unit_of_prices_but_not_that_of_errors():
    for seed in range(8):
        X, y = table(seed)
        trees = [learner("pm", prices(seed, errors=e)).fit(X, y).tree_.core for e in (1.0, 16.0, 0.25)]
        assert trees[0].n_nodes > 1
        assert all((tree.feature == trees[0].feature).all() for tree in trees)
    tests = [
        tw.algorithm(
            "pm", costs=tw.Costs({n: f * p for n, p in PRICE.items()}, errors_default=20), info="gain"
        )
        .fit(DAYS.X, DAYS.y)
        .tree_[0]
        .test
        for f in (1, 100)
    ]
    assert tests == ["Outlook", "Humidity"]


@pytest.mark.parametrize("criterion", ["pm", *MONEY])
def test_what_right_answers_cost_is_counted_from_the_best_answer(criterion):
    for seed in range(8):
        X, y = table(seed, missing=0.05)
        costs = prices(seed, errors=40.0)
        loss = costs.error_matrix([0, 1, 2])
        shifted = costs.replace(errors=loss + np.array([[-500.0], [3.0], [40.0]]))
        one, other = (learner(criterion, c).fit(X, y).tree_.core for c in (costs, shifted))
        assert one.n_nodes > 1
        assert (one.feature == other.feature).all()
        assert (one.label == other.label).all()
        assert (other.impurity >= 0).all()


@pytest.mark.parametrize("criterion", MONEY)
def test_the_unit_of_weights_changes_nothing(criterion):
    for seed in range(5):
        X, y = table(seed, missing=0.05)
        weights = np.random.default_rng(seed).integers(1, 5, len(y)) / 4
        model = learner(criterion, prices(seed))
        trees = [model.fit(X, y, sample_weight=f * weights).tree_.core for f in (1, 8, 0.25)]
        assert all((tree.feature == trees[0].feature).all() for tree in trees)
        assert trees[0].n_nodes > 1


@pytest.mark.parametrize("criterion", ["pm", *MONEY])
def test_mistakes_cost_1_unless_costs_say_otherwise(criterion):
    X, y = table(3)
    one, other = (
        learner(criterion, tw.Costs(dict.fromkeys(range(5), 0.01), errors_default=e)).fit(X, y).tree_.core
        for e in (None, 1)
    )
    assert (one.feature == other.feature).all()
    assert one.n_nodes > 1


@pytest.mark.parametrize("criterion", ["pm", *MONEY])
def test_errors_alone_are_enough_and_all_tests_are_then_free(criterion):
    X, y = table(4)
    loss = prices(4).errors
    free = tw.Costs(dict.fromkeys(range(5), 0), errors=loss)
    assert (
        learner(criterion, tw.Costs(errors=loss)).fit(X, y).tree_.core
        == learner(criterion, free).fit(X, y).tree_.core
    )


def test_best_first_makes_the_split_that_saves_most_first():
    # All orders make the same first split; the second is then the one that saves more.
    bills = {"best": [], "depth": [], "breadth": []}
    for seed, order in itertools.product(range(10), bills):
        X, y = table(seed, 300)
        costs = prices(seed, errors=50.0)
        growth = tw.Growth(order=order, max_leaves=3)
        model = tw.CostTreeClassifier("min-total-cost", costs=costs, growth=growth).fit(X, y)
        bills[order].append(tw.bill(model, X, y, costs).mean_cost)
    best, depth, breadth = map(np.array, bills.values())
    assert (best <= np.minimum(depth, breadth) * (1 + 1e-12)).all()
    assert (best < depth * (1 - 1e-9)).any()


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
@pytest.mark.parametrize("criterion", ["pm", *MONEY])
def test_one_thread_and_two_give_the_same_tree(criterion, payment):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24_000, 6)).round(2)
    y = (np.clip(X[:, 0], -1.5, 1.5) * 4).round().astype(int) + 20 * (X[:, 1] > X[:, 2])
    y = np.where(rng.random(len(y)) < 0.05, 0, y)
    costs = tw.Costs(dict(enumerate([5, 1, 1, 2, 0.1, 0.2])), errors_default=1e6, payment=payment)
    one, two = (
        tw.CostTreeClassifier(criterion, costs=costs, n_jobs=n_jobs).fit(X, y).tree_.core for n_jobs in (1, 2)
    )
    assert one == two
    assert one.n_leaves > 15


# Any two classes


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1), st.integers(1, 9)), min_size=2, max_size=30),
    st.floats(0, 20),
    st.tuples(st.floats(0, 100, exclude_min=True), st.floats(0, 100, exclude_min=True)),
)
@settings(max_examples=150, deadline=None)
def test_a_split_of_two_classes_is_made_if_and_only_if_it_saves(rows, price, mistakes):
    x, y, weights = (np.array(column) for column in zip(*rows, strict=True))
    y[:2] = 0, 1
    costs = tw.Costs({0: price}, errors=[[0, mistakes[0]], [mistakes[1], 0]])
    kinds = {
        "min-total-cost": lambda p, n: min(p * mistakes[0], n * mistakes[1]),
        "cstree": lambda p, n: (
            2 * p * mistakes[0] * n * mistakes[1] / (p * mistakes[0] + n * mistakes[1])
            if p * mistakes[0] * n * mistakes[1]
            else 0.0
        ),
    }
    for criterion, cost in kinds.items():

        def of(cases, cost=cost):
            return cost(weights[cases & (y == 0)].sum(), weights[cases & (y == 1)].sum())

        model = tw.CostTreeClassifier(criterion, costs=costs, growth=tw.Growth(max_depth=1))
        core = model.fit(x.reshape(-1, 1), y, sample_weight=weights).tree_.core
        cuts = [x <= cut for cut in range(3) if 0 < (x <= cut).sum() < len(x)]
        worth = [of(x >= 0) - of(cut) - of(~cut) - price * weights.sum() for cut in cuts]
        best, scale = max(worth, default=-1.0), 1e-9 * (1 + of(x >= 0) + price * weights.sum())
        if abs(best) > scale:
            assert (core.n_nodes > 1) == (best > 0)
        if core.n_nodes > 1 and abs(best) > scale:
            left = x <= core.threshold[0]
            assert of(x >= 0) - of(left) - of(~left) - price * weights.sum() == pytest.approx(best, abs=scale)


@pytest.mark.parametrize("name", ["min-total-cost", "cstree", "act", "pm"])
def test_a_single_leaf_for_want_of_error_costs_is_said(name):
    X, y = [[0], [0], [1], [1], [1]] * 3, ["sick", "well", "sick", "well", "well"] * 3
    dear = tw.Costs({"x0": 50})
    model = tw.algorithm(name, costs=dear, random_state=0)
    with pytest.warns(UserWarning, match="costs has no errors, so every mistake counts 1") as caught:
        model.fit(X, y)
    assert (len(caught), caught[0].filename) == (1, __file__)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.set_params(costs=dear.replace(errors_default=10)).fit(X, y)
        assert model.tree_.n_leaves == 1  # and it was meant
        model.set_params(costs=dear).fit(X, ["well"] * 15)
        model.set_params(costs=tw.Costs({"x0": 0.01})).fit([[0], [0], [1], [1]], ["a", "a", "b", "b"])
        assert model.tree_.n_leaves == 2
        tw.CostTreeClassifier("eg2", costs=dear).fit([[0]] * 15, y)  # weighs no mistakes
