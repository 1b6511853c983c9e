"""The cheapest tree of all: against trying every tree, and what is known when the search ends early."""

import _thread
import math
import pickle
import subprocess
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from learning.optimal_reference import tiny_problem, with_further_answers

import thriftwood as tw
from thriftwood import _core


def searched(problem, seconds=None, rollouts=0):
    columns = []
    for c in range(problem.X.shape[1]):
        values = np.ascontiguousarray(problem.X[:, c])
        if c in problem.nominal:
            values = (np.where(np.isnan(values), -1, values).astype(np.int32), 5)
        columns.append(values)
    prices = None
    if problem.prices is not None:
        prices = _core.Prices(problem.prices.as_costs().compile([f"x{c}" for c in range(len(columns))]))
    return _core.find_optimal(
        _core.Table.from_columns(columns),
        problem.y,
        problem.n_classes,
        np.ascontiguousarray(problem.answer_costs),
        problem.weights,
        prices,
        problem.depth,
        problem.tests,
        problem.missing,
        0,
        problem.budget,
        problem.fee,
        problem.prior_weight,
        problem.prior_cost.tolist() if problem.prior_weight else [],
        100_000_000,
        rollouts,
        _core.Stop(seconds),
    )


@pytest.mark.parametrize("block", range(8))
def test_no_tree_costs_less(block):
    """800 tables with groups, shared resources, delays, weights, missing values, fees and priors."""
    for seed in range(100 * block, 100 * block + 100):
        problem = tiny_problem(seed)
        found = searched(problem)
        counted = [r for r in range(len(problem.y)) if problem.weights[r] > 0]
        least = problem.least(counted)
        assert found.cost == pytest.approx(least, rel=1e-9, abs=1e-9), seed
        assert found.lower == found.cost
        assert found.ended == "proof"


@pytest.mark.parametrize("block", range(4))
def test_no_tree_costs_less_where_there_are_answers_besides_the_classes(block):
    for seed in range(100 * block, 100 * block + 100):
        problem = with_further_answers(tiny_problem(seed), seed)
        found = searched(problem)
        counted = [r for r in range(len(problem.y)) if problem.weights[r] > 0]
        assert found.cost == pytest.approx(problem.least(counted), rel=1e-9, abs=1e-9), seed
        assert found.lower == found.cost
        assert found.tree.width == problem.n_classes
        assert found.tree.label.max() < problem.n_classes  # until the loss is known


@given(seed=st.integers(0, 2**32 - 1), seconds=st.sampled_from([1e-9, 1e-5, 3e-5, 1e-4, 1e-3]))
def test_what_is_proven_is_never_more_than_the_least_cost(seed, seconds):
    problem = tiny_problem(seed)
    found = searched(problem, seconds)
    least = problem.least([r for r in range(len(problem.y)) if problem.weights[r] > 0])
    assert found.lower <= least + 1e-9
    assert found.cost >= least - 1e-9
    assert found.lower <= found.cost


@pytest.mark.parametrize("block", range(4))
def test_rollouts_cost_no_less_than_the_best_tree_and_no_more_than_a_leaf(block):
    as_good = 0
    for seed in range(100 * block, 100 * block + 100):
        problem = tiny_problem(seed)
        counted = [r for r in range(len(problem.y)) if problem.weights[r] > 0]
        least = problem.least(counted)
        found = searched(problem, rollouts=1000)
        assert found.cost >= least - 1e-9, seed
        assert found.cost <= problem.leaf(counted) + 1e-9, seed
        assert found.lower <= least + 1e-9, seed
        assert found.ended in ("proof", "rollouts")
        as_good += found.cost <= least + 1e-9
    assert as_good >= 80  # of 100


def table(seed=0, n=120, columns=6):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({f"x{c}": rng.normal(size=n).round(2) for c in range(columns)})
    X["color"] = rng.choice(["red", "green", "blue"], n)
    X.loc[rng.random(n) < 0.1, "x1"] = np.nan
    y = np.where((X["x0"] > 0) ^ (X["x2"] > 0.3), "sick", "well")
    return X, np.where(rng.random(n) < 0.1, "sick", y)


COSTS = tw.Costs(
    {
        "x0": tw.Test(1, needs=["lab"]),
        "x1": tw.Test(2, needs=["lab"]),
        "x2": tw.Test(3, group="g", after=1),
        "x3": tw.Test(3, group="g", after=1),
        "x4": tw.Test(0.5),
        "x5": tw.Test(0.25),
        "color": tw.Test(0.1),
    },
    shared={"lab": 1.5},
    errors={"sick": {"well": 50}, "well": {"sick": 20}},
)


@pytest.mark.parametrize("missing", ["branch", "stay"])
@pytest.mark.parametrize("charged", [True, False])
def test_the_cost_is_the_mean_bill_of_the_training_cases(missing, charged):
    X, y = table()
    costs = COSTS.replace(charge_missing=charged)
    model = tw.OptimalTreeClassifier(costs, max_depth=3, missing=missing).fit(X, y)
    assert model.cost_ == pytest.approx(tw.bill(model, X, y).mean_cost, rel=1e-12)
    assert model.cost_ == model.lower_bound_
    assert model.gap_ == 0
    assert model.ended_ == "proof"


@pytest.mark.parametrize("rollouts", [None, 16])
@pytest.mark.parametrize("smoothing", [None, "laplace"])
def test_the_cost_with_answers_besides_the_classes_is_the_mean_bill_too(rollouts, smoothing):
    X, y = table()
    costs = COSTS.replace(answers={"refer": 8, "later": {"sick": 30, "well": 2}})
    given = {"max_depth": 3, "rollouts": rollouts, "smoothing": smoothing}
    model = tw.OptimalTreeClassifier(costs, **given).fit(X, y)
    paid = tw.bill(model, X, y)
    assert set(model.predict(X)) & {"refer", "later"}
    assert paid.mean_cost == pytest.approx(model.cost_, rel=1e-12 if smoothing is None else 0.2)
    if rollouts is None and smoothing is None:
        assert model.cost_ < tw.OptimalTreeClassifier(COSTS, max_depth=3).fit(X, y).cost_


@pytest.mark.parametrize("charged", [True, False])
@pytest.mark.parametrize("nominal", ["multiway", "value"])
def test_the_cost_of_rollouts_is_the_mean_bill_of_the_training_cases(charged, nominal):
    X, y = table()
    costs = COSTS.replace(charge_missing=charged)
    model = tw.OptimalTreeClassifier(costs, max_depth=20, nominal=nominal, rollouts=16).fit(X, y)
    assert model.cost_ == pytest.approx(tw.bill(model, X, y).mean_cost, rel=1e-12)
    assert model.ended_ == "rollouts"
    assert model.cost_ <= tw.OptimalTreeClassifier(costs, max_depth=2, nominal=nominal).fit(X, y).cost_ * 1.05
    assert "by rollouts" in model.proof_


def test_rollouts_find_a_test_that_tells_nothing_by_itself():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 12)).round(2)
    y = (X[:, 3] > 0) ^ (X[:, 8] > 0)
    costs = tw.Costs({f"x{i}": 1 for i in range(12)}, errors_default=20)
    model = tw.OptimalTreeClassifier(costs, max_depth=10, bins=16, rollouts=500, leaf_fee=40.0).fit(X, y)
    assert set(model.model_.features_used) == {"x3", "x8"}
    assert model.score(X, y) > 0.95


def test_deeper_trees_cost_no_more_and_no_learner_costs_less():
    X, y = table()
    costs = [tw.OptimalTreeClassifier(COSTS, max_depth=d).fit(X, y).cost_ for d in (1, 2, 3)]
    assert costs == sorted(costs, reverse=True)
    assert costs[2] < costs[0]
    for name in ("min-total-cost", "cstree", "eg2"):
        grown = tw.algorithm(name, costs=COSTS, max_depth=3, missing="branch", nominal="multiway").fit(X, y)
        assert tw.bill(grown, X, y).mean_cost >= costs[2] - 1e-9


def test_without_costs_accuracy_is_largest():
    X, y = table()
    X = X.drop(columns="color").fillna(0)
    model = tw.OptimalTreeClassifier(max_depth=2).fit(X, y)
    assert model.cost_ == pytest.approx(1 - model.score(X, y))
    greedy = tw.CostTreeClassifier(growth=tw.Growth(max_depth=2)).fit(X, y)
    assert model.score(X, y) > greedy.score(X, y)


def test_weights_count_as_often_as_cases():
    X, y = table(n=60)
    weights = np.random.default_rng(0).integers(0, 4, len(y))
    weighed = tw.OptimalTreeClassifier(COSTS, max_depth=2).fit(X, y, sample_weight=weights)
    repeated = np.repeat(np.arange(len(y)), weights)
    copied = tw.OptimalTreeClassifier(COSTS, max_depth=2).fit(X.iloc[repeated], y[repeated])
    assert weighed.cost_ == pytest.approx(copied.cost_, rel=1e-12)


def test_costs_by_row_choose_the_answers():
    X, y = table(n=60)
    amounts = np.random.default_rng(1).uniform(1, 100, len(y))
    by_row = np.where(np.array(["sick", "well"])[None, :] == y[:, None], 0.0, amounts[:, None])
    prices = COSTS.replace(errors=None)
    model = tw.OptimalTreeClassifier(prices, max_depth=2).fit(X, y, error_costs=by_row)
    answers = (model.predict(X) == "well").astype(int)
    mistakes = by_row[np.arange(len(y)), answers].mean()
    tests = tw.bill(model, X, y, costs=prices).mean_cost - (model.predict(X) != y).mean()
    assert model.cost_ == pytest.approx(mistakes + tests, rel=1e-9)
    with pytest.raises(ValueError, match="Only one of them"):
        tw.OptimalTreeClassifier(COSTS).fit(X, y, error_costs=by_row)


@pytest.mark.parametrize("seed", range(12))
def test_counting_pairs_and_sweeping_find_the_same_cost(seed):
    """Tables of few values are searched by counting bits, others by sweeping: a missing value decides."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, (2, 4)[seed % 2], (90, 7)).astype(float)
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.integers(0, 2, 90)).astype(int) % (2 + seed % 3)
    shares = [["lab"] if c < 3 else [] for c in range(7)]
    prices = {f"x{c}": tw.Test(0.02 * c, shares[c], group="g", after=0.01 * c) for c in range(7)}
    costs = tw.Costs(prices, shared={"lab": 0.03}, errors_default=1)
    counted = tw.OptimalTreeClassifier(costs, max_depth=4).fit(X, y)
    X, y = np.vstack([X, [np.nan] * 7]), np.append(y, 0)
    swept = tw.OptimalTreeClassifier(costs, max_depth=4).fit(X, y, sample_weight=[1.0] * 90 + [1e-12])
    assert swept.cost_ == pytest.approx(counted.cost_, rel=1e-9)


@pytest.mark.filterwarnings("ignore:No test is within the budget")
def test_no_case_pays_more_than_the_budget():
    X, y = table()
    costs = []
    for budget in (0.0, 0.3, 2.6, 4.0, None):
        model = tw.OptimalTreeClassifier(COSTS, budget=budget).fit(X, y)
        assert tw.bill(model, X, y).test_cost.max() <= (np.inf if budget is None else budget)
        assert model.gap_ == 0
        costs.append(model.cost_)
        assert ("within the budget of" in model.proof_) == (budget is not None)
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > costs[-1]


@pytest.mark.filterwarnings("ignore:No test is within the budget")
def test_a_budget_counts_tests_where_each_costs_1():
    bits = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    costs = tw.Costs(dict.fromkeys(["x0", "x1", "x2"], 1), errors_default=9)
    for budget in (0, 1, 2, 3):
        model = tw.OptimalTreeClassifier(costs, budget=budget).fit(bits, bits.sum(axis=1) % 2)
        assert model.get_depth() == (3 if budget == 3 else 0)  # only all three together say anything


def test_a_fee_and_smoothing_make_smaller_trees():
    X, y = table()
    plain = tw.OptimalTreeClassifier(COSTS).fit(X, y)
    for settings in ({"leaf_fee": 60.0}, {"smoothing": 10.0}, {"smoothing": "laplace", "leaf_fee": 50.0}):
        model = tw.OptimalTreeClassifier(COSTS, **settings).fit(X, y)
        assert model.get_n_leaves() < plain.get_n_leaves()
        assert model.cost_ > plain.cost_


def test_bins_leave_fewer_cuts():
    X, y = table()
    costs = [tw.OptimalTreeClassifier(COSTS, max_depth=2, bins=bins).fit(X, y).cost_ for bins in (None, 8, 2)]
    assert costs == sorted(costs)
    assert costs[0] < costs[2]


def test_the_text_says_what_was_proven():
    X, y = table(n=40)
    model = tw.OptimalTreeClassifier(COSTS, max_depth=2).fit(X, y)
    said = f"Costs a training case {model.cost_:.6g}, the least of all trees of depth 2."
    assert model.proof_ == said
    assert str(model.tree_).splitlines()[-1] == said
    assert str(pickle.loads(pickle.dumps(model)).tree_) == str(model.tree_)
    assert str(model.model_).splitlines()[-1] == said


def test_a_time_budget_is_kept_and_its_bounds_are_true():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 12))
    y = (rng.random(300) < 0.4).astype(int)
    model = tw.OptimalTreeClassifier(max_depth=4, time_budget=0.5)
    begun = time.perf_counter()
    model.fit(X, y)
    assert time.perf_counter() - begun < 1.0  # half of it for a busy machine
    assert model.ended_ == "time"
    assert 0 < model.gap_ <= 1
    assert f"gap {model.gap_:.2%}" in model.proof_
    assert model.cost_ == pytest.approx(1 - model.score(X, y))
    flatter = tw.OptimalTreeClassifier(max_depth=2).fit(X, y)
    assert model.lower_bound_ < model.cost_ <= flatter.cost_


@pytest.mark.parametrize("seed", range(6))
def test_a_search_that_was_ended_proves_what_the_whole_search_finds(seed):
    X, y = table(seed, n=200)
    whole = tw.OptimalTreeClassifier(COSTS, max_depth=3).fit(X, y)
    for seconds in (1e-9, 0.002, 0.01):
        part = tw.OptimalTreeClassifier(COSTS, max_depth=3, time_budget=seconds).fit(X, y)
        assert part.lower_bound_ <= whole.cost_ + 1e-9
        assert part.cost_ >= whole.cost_ - 1e-9
        assert part.cost_ == pytest.approx(tw.bill(part, X, y).mean_cost, rel=1e-12)


def test_ctrl_c_keeps_the_best_tree_so_far():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 15)), rng.integers(0, 2, 400)
    threading.Timer(0.3, _thread.interrupt_main).start()
    with pytest.warns(UserWarning, match="Ctrl-C was pressed"):
        model = tw.OptimalTreeClassifier(max_depth=5).fit(X, y)
    assert model.ended_ == "interrupt"
    assert model.lower_bound_ <= model.cost_ < y.mean()


def test_progress_is_told_and_what_it_raises_ends_the_search():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 15)), rng.integers(0, 2, 400)
    told = []
    tw.OptimalTreeClassifier(max_depth=5, time_budget=0.4, progress=lambda *now: told.append(now)).fit(X, y)
    assert len(told) > 2
    assert all(lower <= cost for cost, lower in told)

    def broken(cost, lower):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        tw.OptimalTreeClassifier(max_depth=5, progress=broken).fit(X, y)
    with pytest.raises(TypeError, match="progress must be True, False or a function"):
        tw.OptimalTreeClassifier(progress="yes").fit(X, y)


def test_what_cannot_be_searched_is_refused_in_a_sentence():
    X, y = table(n=40)
    for missing in ("fractional", "surrogate", "majority"):
        with pytest.raises(ValueError, match="branches depend on each other"):
            tw.OptimalTreeClassifier(missing=missing).fit(X, y)
    with pytest.raises(ValueError, match="branches cannot be searched apart"):
        tw.OptimalTreeClassifier(COSTS.replace(payment="upfront")).fit(X, y)
    with pytest.raises(ValueError, match="Input X contains NaN"):
        tw.OptimalTreeClassifier(missing="error").fit(X, y)
    with pytest.raises(ValueError, match="'max_depth' parameter"):
        tw.OptimalTreeClassifier(max_depth=0).fit(X, y)
    wide = np.random.default_rng(0).normal(size=(500, 3000))
    said = r"takes about \d+ MB .* 10 MB are allowed. Allow more, or leave columns out"
    with pytest.raises(ValueError, match=said):
        tw.OptimalTreeClassifier(memory_limit=10).fit(wide, np.arange(500) % 2)


MEASURED = """
import numpy as np
import thriftwood as tw


def peak():  # of this process alone: getrusage begins with what the process was forked from
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) / 1000 for line in file if line.startswith("VmHWM"))


rng = np.random.default_rng(0)
X, y = rng.normal(size=(400, 10)).round(2), rng.integers(0, 2, 400)
tw.OptimalTreeClassifier().fit(X[:40], y[:40])
before = peak()
for seconds in (4, 16, 64):  # a busy machine gets to little in four
    tw.OptimalTreeClassifier(max_depth=5, memory_limit=10, time_budget=seconds).fit(X, y)
    if peak() - before > 1:
        break
print(peak() - before)
"""


def test_a_memory_limit_is_kept():
    run = subprocess.run([sys.executable, "-c", MEASURED], capture_output=True, text=True, check=True)
    assert 1 < float(run.stdout) < 12  # ten, and a fifth of it


def test_a_table_that_is_too_wide_to_search_has_a_tree_and_a_gap_when_time_is_up():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (600, 2000)), rng.integers(0, 2, 600)
    begun = time.perf_counter()
    model = tw.OptimalTreeClassifier(max_depth=6, time_budget=0.5).fit(X, y)
    assert time.perf_counter() - begun < 5.0  # a busy machine
    assert model.ended_ == "time"
    assert 0.0 <= model.lower_bound_ < model.cost_ < 0.45
    assert model.gap_ == pytest.approx(1 - model.lower_bound_ / model.cost_)
    assert model.cost_ == pytest.approx(1 - model.score(X, y))


def test_little_memory_finds_the_same_cost():
    X, y = table(n=150)
    X = X.drop(columns="color").round(1)
    much = tw.OptimalTreeClassifier(COSTS.only(X.columns), max_depth=4)
    little = tw.OptimalTreeClassifier(much.costs, max_depth=4, memory_limit=1)
    assert little.fit(X, y).cost_ == pytest.approx(much.fit(X, y).cost_, rel=1e-12)


def test_one_class_and_one_case_are_a_leaf():
    for X, y in (([[1.0], [2.0]], ["a", "a"]), ([[1.0]], ["a"])):
        model = tw.OptimalTreeClassifier().fit(X, y)
        assert (model.cost_, model.gap_, model.get_n_leaves()) == (0.0, 0.0, 1)


def test_an_optimal_tree_is_a_tree_like_others():
    X, y = table()
    model = tw.algorithm("optimal", costs=COSTS, max_depth=2).fit(X, y)
    assert isinstance(model, tw.OptimalTreeClassifier)
    same = tw.Tree.from_json(model.tree_.to_json())
    assert same == model.tree_
    assert math.isclose(tw.bill(same, X, y).mean_cost, model.cost_)
    case = model.consult()
    while not case.finished:
        case.answer(None)
    assert "optimal" not in str(model.report(X, y))
