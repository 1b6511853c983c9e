"""`Growth(lookahead=...)`: tests chosen by the cheapest trees below them, beside optimal trees, and gates."""

import _thread
import threading
import time

import numpy as np
import pandas as pd
import pytest
from learning.optimal_reference import tiny_problem

import thriftwood as tw

COSTS = tw.Costs(default_price=0.1, errors_default=1)


def learner(criterion="min-total-cost", costs=COSTS, n_jobs=None, **growth):
    growth = {"missing": "branch", "nominal": "multiway", **growth}
    return tw.CostTreeClassifier(criterion, costs=costs, growth=tw.Growth(**growth), n_jobs=n_jobs)


def exclusive_or(n=300, columns=8, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, columns))
    return X, (X[:, 2] > np.median(X[:, 2])) ^ (X[:, 5] > np.median(X[:, 5]))


def gated(n=1000, seed=0):
    """Return a column that says nothing but which of five others tells the class; and noise."""
    rng = np.random.default_rng(seed)
    gate = rng.integers(0, 5, n)
    X = rng.integers(0, 2, (n, 11)).astype(float)
    y = X[np.arange(n), 1 + gate].astype(int)
    frame = pd.DataFrame(X[:, 1:], columns=[f"c{i}" for i in range(10)])
    frame["gate"] = pd.Categorical.from_codes(gate, list("abcde"))
    return frame, y


@pytest.mark.parametrize("block", range(4))
def test_as_many_levels_as_the_tree_has_give_the_optimal_tree(block):
    """200 tiny tables with prices, groups, shared resources, weights and nominal columns."""
    for seed in range(50 * block, 50 * block + 50):
        problem = tiny_problem(seed)
        depth = max(1, min(problem.depth, 3))
        prices = problem.prices
        if prices is not None:
            prices.delayed = [False] * len(prices.delayed)
        costs = (tw.Costs() if prices is None else prices.as_costs()).replace(
            errors=drawn_loss(seed, problem)
        )
        # Growth never charges for a value that is missing, which the search does: another aim.
        X = frame_of(np.nan_to_num(problem.X), problem.nominal)
        known = X, problem.y, problem.weights
        ahead = learner(
            costs=costs, two_branches=True, nominal=problem.tests, max_depth=depth, lookahead=depth
        )
        paid = tw.bill(ahead.fit(*known), X, problem.y, sample_weight=problem.weights).mean_cost
        best = tw.OptimalTreeClassifier(costs, max_depth=depth, nominal=problem.tests).fit(*known)
        assert paid == pytest.approx(best.cost_, rel=1e-9, abs=1e-9), seed


def drawn_loss(seed, problem):
    rng = np.random.default_rng(seed + 1000)
    classes = np.unique(problem.y)
    return rng.uniform(1, 5, (len(classes), len(classes))) * (1 - np.eye(len(classes)))


def frame_of(X, nominal):
    columns = {}
    for c in range(X.shape[1]):
        codes = X[:, c].astype(int)
        columns[f"x{c}"] = pd.Categorical.from_codes(codes, list("abcde")) if c in nominal else X[:, c]
    return pd.DataFrame(columns)


def test_two_levels_find_what_only_two_columns_tell_together():
    X, y = exclusive_or()
    greedy, ahead = (learner(lookahead=levels, max_depth=2).fit(X, y) for levels in (1, 2))
    assert tw.bill(greedy, X, y).mean_cost > 0.4
    assert tw.bill(ahead, X, y).mean_cost == pytest.approx(0.2)  # two tests, no mistake: cuts are exact
    assert {ahead.tree_[0].test, ahead.tree_[1].test} == {"x2", "x5"}


@pytest.mark.parametrize("criterion", ["min-total-cost", "cstree", "leaf-cost"])
@pytest.mark.parametrize("rollouts", [False, True])
def test_a_gate_is_asked_first(criterion, rollouts):
    X, y = gated()
    ahead = learner(criterion, lookahead=2, rollouts=rollouts, max_depth=2).fit(X, y)
    assert ahead.tree_[0].test == "gate"
    assert tw.bill(ahead, X, y, COSTS).mean_cost == pytest.approx(0.2)
    fresh, truth = gated(seed=1)
    assert ahead.score(fresh, truth) == 1.0


def test_rollouts_see_further_than_a_search_of_the_same_time():
    """A gate that opens after two more tests: the first one of four levels is searched, the others grown."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (800, 12)).astype(float)
    shown = np.where(X[:, 0] == 1, X[:, 1] + 2 * X[:, 2], X[:, 3] + 2 * X[:, 4])
    y = shown.astype(int)
    ahead = learner(lookahead=4, rollouts=True, max_depth=4).fit(X, y)
    assert ahead.score(X, y) == 1.0
    assert ahead.tree_[0].test == "x0"


@pytest.mark.parametrize("settings", [{"lookahead": 2}, {"lookahead": 3, "rollouts": True}])
def test_any_number_of_threads_grows_the_same_tree(settings):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 6)).round(2)
    X[rng.random(X.shape) < 0.05] = np.nan
    y = ((np.nan_to_num(X[:, 0]) > 0) ^ (np.nan_to_num(X[:, 1]) > 0)) + (rng.random(1500) < 0.1)
    trees = [learner(n_jobs=jobs, max_depth=4, **settings).fit(X, y).tree_ for jobs in (1, 2, 3)]
    assert trees[0] == trees[1] == trees[2]
    assert trees[0].n_leaves > 3


@pytest.mark.parametrize("order", ["breadth", "best"])
def test_the_order_of_growth_does_not_matter(order):
    X, y = gated(400)
    first, other = (learner(lookahead=2, order=each, max_depth=3).fit(X, y) for each in ("depth", order))
    assert tw.bill(first, X, y).mean_cost == pytest.approx(tw.bill(other, X, y).mean_cost)
    assert first.tree_[0].test == other.tree_[0].test == "gate"


def test_bins_upfront_payment_and_fractions_are_grown_too():
    X, y = exclusive_or(400)
    assert learner(lookahead=2, max_depth=2, bins=32).fit(X, y).score(X, y) > 0.9
    upfront = learner(costs=COSTS.replace(payment="upfront"), lookahead=2, max_depth=2).fit(X, y)
    assert upfront.score(X, y) > 0.9
    X[::17, 2] = np.nan
    for missing in ("fractional", "stay", "majority"):
        assert learner(lookahead=2, max_depth=2, missing=missing).fit(X, y).score(X, y) > 0.9


@pytest.mark.parametrize("settings", [{"lookahead": 3}, {"lookahead": 3, "rollouts": True}])
def test_a_budget_is_kept_by_what_is_looked_at(settings):
    X, y = gated()
    enough, short = (learner(budget=budget, **settings).fit(X, y) for budget in (0.2, 0.1))
    assert enough.tree_[0].test == "gate"
    assert tw.bill(enough, X, y).mean_cost == pytest.approx(0.2)
    assert short.get_depth() <= 1  # there is no use in a gate whose tests cannot be paid
    assert short.tree_[0].test != "gate"


def test_minimum_weights_hold_for_tests_that_were_searched():
    X, y = exclusive_or()
    tree = learner(lookahead=2, min_branch_weight=25, max_depth=3).fit(X, y).tree_
    assert min(tree[i].weight for i in range(tree.n_nodes)) >= 25


def test_ctrl_c_keeps_a_tree_that_is_finished_by_merit():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4000, 30)), rng.integers(0, 2, 4000)
    costs = COSTS.replace(default_price=0)
    threading.Timer(0.3, _thread.interrupt_main).start()
    begun = time.perf_counter()
    with pytest.warns(UserWarning, match="last tests were chosen without looking ahead"):
        model = learner(costs=costs, lookahead=3, max_depth=6).fit(X, y)
    assert time.perf_counter() - begun < 20
    assert model.get_depth() > 0


@pytest.mark.parametrize(
    ("criterion", "settings", "words"),
    [
        ("gini", {"lookahead": 2}, "not in money. Use one of 'min-total-cost', 'cstree'"),
        ("min-total-cost", {"lookahead": 0}, "'lookahead' parameter of Growth must be a whole number from 1"),
        ("min-total-cost", {"rollouts": True}, "lookahead=1 looks at no level below"),
        ("min-total-cost", {"lookahead": 2, "missing": "surrogate", "nominal": "value"}, "no surrogates"),
        ("min-total-cost", {"lookahead": 2, "max_features": "sqrt"}, "asks all features"),
    ],
)
def test_what_cannot_look_ahead_is_refused(criterion, settings, words):
    X, y = exclusive_or(50)
    with pytest.raises(ValueError, match=words):
        learner(criterion, **settings).fit(X, y)
