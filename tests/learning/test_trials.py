"""Trials: trees grown on some rows and judged on others, in one call of the core."""

import signal
import threading
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from learning.growing_tables import random_data

import thriftwood as tw
from thriftwood import _core
from thriftwood.learning.trials import has_trials, run_trials, trial

seeds = st.integers(0, 2**32 - 1)
NONE = np.array([], dtype=np.uint32)


def table_of(seed, n_rows=60, n_classes=3):
    """A table of numbers and categories with missing values, its target, weights and prices."""
    data = random_data(seed, n_classes=n_classes, n_rows=n_rows, continuous=seed % 2 == 0)
    columns = [
        [None if c == -1 else f"c{c}" for c in column] if values else column
        for column, values in zip(data.columns, data.values, strict=True)
    ]
    X = np.empty((n_rows, len(columns)), dtype=object)
    for f, column in enumerate(columns):
        X[:, f] = column
    rng = np.random.default_rng(seed)
    names = [f"x{f}" for f in range(len(columns))]
    costs = tw.Costs(
        tests={name: tw.Test(rng.integers(0, 5) / 2, needs=["draw"] * rng.integers(2)) for name in names},
        shared={"draw": 1.5},
        errors=rng.integers(1, 9, (n_classes, n_classes)) * (1.0 - np.eye(n_classes)) if seed % 3 else None,
    )
    weights = None if data.weights is None else np.array(data.weights)
    y = np.array(data.target)
    y[:n_classes] = np.arange(n_classes)
    return X, y, weights, costs


def models(costs):
    growth = tw.Growth(nominal="grouped", cut_at="observed", two_branches=True, min_branch_weight=2)
    return [
        tw.CostTreeClassifier(costs=costs),
        tw.CostTreeClassifier("gain_ratio", costs=costs, growth=growth, pruning=tw.Pessimistic()),
        tw.CostTreeClassifier("entropy", costs=costs, pruning=tw.Pessimistic(cf=0.1, collapse=False)),
        tw.CostTreeClassifier("gini", costs=costs, pruning=tw.MDL("partial")),
        tw.CostTreeClassifier(tw.CsGain(gamma=0.02), costs=costs, growth=growth),
        tw.CostTreeClassifier("eg2", costs=costs.replace(payment="upfront"), pruning=tw.Pessimistic()),
        tw.CostTreeClassifier("entropy", costs=costs, growth=tw.Growth(bins=4)),
        tw.CostTreeClassifier("gini", costs=costs, growth=tw.Growth(missing="surrogate")),
        tw.CostTreeClassifier("gini-loss", costs=costs, smoothing="laplace"),
        tw.CostTreeClassifier(
            "entropy", costs=costs, answer="most_likely", smoothing=2, pruning=tw.Pessimistic()
        ),
    ]


def parts(n_rows, rng, count=3):
    """Rows to grow on and rows to judge."""
    for _ in range(count):
        grow = np.sort(rng.permutation(n_rows)[: rng.integers(n_rows // 2, n_rows)]).astype(np.uint32)
        yield grow, rng.integers(0, n_rows, rng.integers(0, n_rows)).astype(np.uint32)


@given(seeds)
@settings(max_examples=40, deadline=None)
def test_a_trial_is_a_fit_a_prediction_and_a_bill(seed):
    X, y, weights, costs = table_of(seed)
    rng = np.random.default_rng(seed)
    for model in models(costs):
        problem = model.prepare(X, y, weights).problem
        bill = _core.Prices(costs.compile([f"x{f}" for f in range(X.shape[1])]))
        assert has_trials(model, problem)
        pairs = list(parts(len(X), rng))
        outcomes = run_trials(problem, [trial(model, problem, *pair, bill) for pair in pairs], 2)
        trees = tw.fit_many(model, X, y, [grow for grow, _ in pairs], weights)
        for outcome, tree, (_, judge) in zip(outcomes, trees, pairs, strict=True):
            assert outcome.tree == tree.core
            assert outcome.probabilities.shape == (len(judge), len(tree.classes))
            if not len(judge):
                continue
            own = tw.bill(tree, X[judge], costs=costs)
            np.testing.assert_array_equal(outcome.labels, own.predicted)
            np.testing.assert_array_equal(outcome.probabilities, tree.predict_proba(X[judge]))
            np.testing.assert_array_equal(outcome.test_cost, own.test_cost)
            assert outcome.upfront_cost == pytest.approx(own.upfront_cost, abs=1e-12)


@given(seeds)
@settings(max_examples=20, deadline=None)
def test_outcomes_are_the_same_for_any_number_of_threads(seed):
    X, y, weights, costs = table_of(seed, n_rows=100)
    rng = np.random.default_rng(seed)
    first = models(costs)[0]
    problem = first.prepare(X, y, weights).problem
    trials = []
    for model in models(costs):
        own = model.prepare(X, y, weights).problem
        trials += [trial(model, own, *pair, own.prices) for pair in parts(len(X), rng)]
    one, three = (run_trials(problem, trials, n) for n in (1, 3))
    for a, b in zip(one, three, strict=True):
        assert a.tree == b.tree
        for name in ("labels", "probabilities", "test_cost", "upfront_cost"):
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name))


@given(seeds)
@settings(max_examples=30, deadline=None)
def test_class_weights_are_weights_of_the_cases(seed):
    X, y, weights, _ = table_of(seed)
    rng = np.random.default_rng(seed)
    grow, judge = next(parts(len(X), rng, count=1))
    by_class = rng.choice([0.5, 1.0, 2.5], 3)
    model = tw.algorithm("c45")
    problem = model.prepare(X, y, weights).problem
    own = by_class[y] * (1.0 if weights is None else weights)
    (weighed,) = tw.fit_many(model, X, y, [grow], own)
    cut = model.checked_pruning().cut(problem.settings)
    trial_of = partial(_core.Trial, problem.settings, None, cut, grow, judge)
    outcome, unpruned, plain = run_trials(
        problem,
        [
            trial_of(grow_weights=by_class, cut_weights=by_class),
            _core.Trial(problem.settings, None, None, grow, judge, grow_weights=by_class),
            trial_of(),
        ],
        2,
    )
    assert outcome.tree == weighed.core
    (grown,) = tw.fit_many(model.set_params(pruning=None), X, y, [grow], own)
    assert unpruned.tree == grown.core
    (alone,) = tw.fit_many(tw.algorithm("c45"), X, y, [grow], weights)
    assert plain.tree == alone.core


def test_only_a_bill_is_charged():
    X, y, _, costs = table_of(2)
    model = tw.CostTreeClassifier(costs=costs)
    problem = model.prepare(X, y, None).problem
    rows = np.arange(len(X), dtype=np.uint32)
    (free,) = run_trials(problem, [trial(model, problem, rows, rows)], 1)
    assert len(free.test_cost) == 0
    assert free.upfront_cost == 0.0


def test_which_models_have_trials():
    X, y, _, costs = table_of(1)
    for pruning, wanted in (
        (None, True),
        (tw.MDL(), True),
        (tw.CostComplexity(0.1), False),
        (tw.ReducedError(), False),
    ):
        model = tw.CostTreeClassifier(costs=costs, pruning=pruning)
        assert has_trials(model, model.prepare(X, y, None).problem) == wanted
    model = tw.CostTreeClassifier(costs=costs, priors={0: 1, 1: 2, 2: 3})
    assert not has_trials(model, model.prepare(X, y, None).problem)
    number = tw.CostTreeRegressor()
    assert not has_trials(number, number.prepare(X, y.astype(float), None).problem)


# Progress and Ctrl-C


def slow_trials(count):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 20))
    y = rng.integers(0, 2, 4000)
    model = tw.CostTreeClassifier("entropy")
    problem = model.prepare(X, y, None).problem
    rows = np.arange(4000, dtype=np.uint32)
    return problem, [trial(model, problem, rows, NONE)] * count


def test_progress_rises_and_ends_at_the_total():
    problem, trials = slow_trials(12)
    calls = []
    outcomes = run_trials(problem, trials, 2, lambda *call: calls.append((*call, threading.get_ident())))
    done = [call[0] for call in calls]
    assert done == sorted(done)
    assert calls[-1] == (12, 12, threading.get_ident())
    assert {call[2] for call in calls} == {threading.get_ident()}
    assert not outcomes.interrupted
    assert len(outcomes) == 12
    assert outcomes[11].tree == outcomes[0].tree


@pytest.mark.parametrize("n_threads", [1, 2])
def test_ctrl_c_keeps_what_is_done(n_threads):
    problem, trials = slow_trials(400)
    timer = threading.Timer(0.02, signal.raise_signal, [signal.SIGINT])

    def start_timer(done, total):
        if done > 0 and timer.ident is None:
            timer.start()

    outcomes = run_trials(problem, trials, n_threads, start_timer)
    timer.join()
    assert outcomes.interrupted
    reached = [outcome for outcome in outcomes if outcome is not None]
    assert 0 < len(reached) < 400
    assert all(outcome.tree == reached[0].tree for outcome in reached)


def test_what_progress_raises_is_raised():
    problem, trials = slow_trials(400)

    def stop(done, total):
        raise RuntimeError(f"{done} are enough")

    with pytest.raises(RuntimeError, match="are enough"):
        run_trials(problem, trials, 2, stop)


# What is refused


def test_wrong_rows_and_prices():
    X, y, _, costs = table_of(1)
    model = tw.CostTreeClassifier(costs=costs)
    problem = model.prepare(X, y, None).problem
    rows = np.arange(10, dtype=np.uint32)
    short = _core.Prices(tw.Costs({"a": 1}).compile(["a"]))
    for grow, judge, bill, words in (
        (NONE, rows, None, "no rows to grow on"),
        (rows[::-1].copy(), rows, None, "ascending order"),
        (rows, rows + np.uint32(55), None, "judge row 60; the table has 60 rows"),
        (rows, rows, short, "1 tests, the table"),
    ):
        with pytest.raises(ValueError, match=words):
            run_trials(problem, [_core.Trial(problem.settings, None, None, grow, judge, bill)], 1)
    for wrong, words in (
        (np.ones(2), "2 class weights; there are 3 classes"),
        (np.array([1.0, -1.0, 1.0]), "finite and not negative"),
        (np.array([1.0, np.nan, 1.0]), "finite and not negative"),
        (np.ones(0), "empty array"),
    ):
        for name in ("grow_weights", "cut_weights"):
            with pytest.raises(ValueError, match=words):
                run_trials(
                    problem, [_core.Trial(problem.settings, None, None, rows, rows, **{name: wrong})], 1
                )
    with pytest.raises(TypeError, match="takes Prices or None, got a str"):
        _core.Trial(problem.settings, "free", None, rows, rows)
    with pytest.raises(TypeError):
        _core.Trial(problem.settings, None, None, rows.astype(np.int64), rows)


def test_no_trials_have_no_outcomes():
    problem, _ = slow_trials(0)
    assert list(run_trials(problem, [], 1)) == []


@pytest.mark.parametrize("wrong", [None, 5, "trial"])
def test_what_is_no_trial_is_refused(wrong):
    problem = tw.CostTreeClassifier().prepare([[0.0], [1.0]], [0, 1], None).problem
    with pytest.raises((TypeError, RuntimeError)):
        _core.run_trials(problem.table, [wrong], problem.labels, 2)


def test_error_costs_are_one_matrix_with_a_row_and_at_least_a_column_per_class():
    with pytest.raises(ValueError, match="4 rows and 1 columns"):
        _core.Settings().loss = np.array([[0.0], [1.0], [2.0], [0.0]])
