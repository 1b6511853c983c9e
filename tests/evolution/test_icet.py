"""ICET: EG2 by evolved biases."""

import numpy as np
import pytest
from evolution.evolved_tables import price_lists, tables
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood import _core


def genome(model, X, y, weights=None):
    return model.make_genome(model.prepare(X, y, weights).problem, _core.Stop())


def eg2(biases, w, cf, names, payment, **growth):
    """EG2 told these prices."""
    told = tw.Costs(dict(zip(names, biases.tolist(), strict=True)), payment=payment)
    return tw.algorithm("eg2", costs=told, w=w, cf=min(0.999, max(0.01, cf)), **growth)


# Half of the cases may weigh too little to be split.
@pytest.mark.filterwarnings("ignore:sample_weight adds up to")
@settings(deadline=None, max_examples=60)
@given(tables(least=4), price_lists(), st.integers(0, 2**31), st.integers(0, 2**31), st.data())
def test_a_trial_is_the_bill_on_one_half_of_eg2_grown_on_the_other(table, costs, seed, trial, data):
    X, y = table
    weight = st.one_of(st.just(0.0), st.integers(1, 3).map(float), st.floats(0.1, 5))
    weights = data.draw(st.none() | st.lists(weight, min_size=len(X), max_size=len(X)).map(np.array))
    counted = range(len(X)) if weights is None else np.flatnonzero(weights)
    assume(len(counted) >= 2)
    made = genome(tw.IcetClassifier(costs), X, y, weights)
    rng = np.random.default_rng(seed)
    string = "".join(rng.choice(["0", "1"], made.bits))
    grow, judge = made.halves(trial)
    assert sorted([*grow, *judge]) == list(counted)
    assert len(grow) - len(judge) in (0, 1)
    model = eg2(*made.decode(string), X.columns, costs.payment)
    [tree] = tw.fit_many(model, X, y, [grow], weights)
    own = None if weights is None else weights[judge]
    bill = tw.bill(tree, X.iloc[judge], np.asarray(y)[judge], costs, sample_weight=own)
    assert made.cost(string, trial) == pytest.approx(bill.mean_cost, abs=1e-9)


def test_the_best_string_grows_the_tree_on_all_cases():
    data = tw.load_dataset("wisconsin-diagnostic")
    costs = data.costs.replace(errors_default=50)
    model = tw.algorithm("icet", costs=costs, trials=100, random_state=0).fit(data.X, data.y)
    again = eg2(model.biases_, model.w_, model.cf_, data.X.columns, "sequential").fit(data.X, data.y)
    assert model.tree_.core == again.tree_.core
    assert model.best_cost_ == model.history_["best_so_far"].iloc[-1] == model.history_["best_cost"].min()
    assert ((model.biases_ >= 1) & (model.biases_ <= 10_000)).all()
    cheapest = tw.IcetClassifier(costs, answer="cheapest", evolution=tw.Evolution(trials=50), random_state=0)
    assert tw.bill(cheapest.fit(data.X, data.y), data.X, data.y).mean_cost > 0


def test_the_best_of_the_last_generation_can_be_kept(days):
    costs = days.costs.replace(errors_default=20)
    best, last = (tw.algorithm("icet", costs=costs, keep=keep, random_state=1) for keep in ("best", "last"))
    best.fit(days.X, days.y)
    last.fit(days.X, days.y)
    assert last.history_.equals(best.history_)
    assert best.best_cost_ == best.history_["best_cost"].min()
    assert last.best_cost_ == last.history_["best_cost"].iloc[-1]
    assert last.string_ != best.string_


def test_codes_are_those_of_the_worked_example():
    made = genome(tw.IcetClassifier(), np.arange(12.0).reshape(2, 6), [0, 1])
    assert made.bits == 88
    string = "100000000000" + "000000000001" + "011000000000" + "0" * 36 + "10000000" + "01000000"
    biases, w, cf = made.decode(string)
    assert biases == pytest.approx([10_000, 3.441758, 2501.360440, 1, 1, 1], abs=1e-6)
    assert (w, cf) == (1.0, pytest.approx(0.50305882))
    assert made.encode(biases.tolist(), w, cf) == string


def test_true_prices_can_begin_and_win():
    # The first column tells nothing that the second does not, and costs a hundred times as much.
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (80, 4)).astype(float)
    X[:, 0] = X[:, 1]
    y = X[:, 1] == 1
    costs = tw.Costs({"x0": 9000, "x1": 90, "x2": 1, "x3": 1}, errors_default=1e6)
    model = tw.IcetClassifier(
        costs, seed_true_costs=True, evolution=tw.Evolution(2, 2), mutation=0.0, random_state=0
    ).fit(X, y)
    assert model.best_cost_ == 90
    assert model.tree_.features_used == ("x1",)


def test_any_number_of_threads_gives_the_same():
    data = tw.load_dataset("wisconsin-diagnostic")
    models = [
        tw.algorithm("icet", costs=data.costs, trials=100, random_state=3, n_jobs=jobs).fit(data.X, data.y)
        for jobs in (1, 3)
    ]
    assert models[0].string_ == models[1].string_
    assert models[0].tree_.core == models[1].tree_.core
    assert models[0].history_.equals(models[1].history_)


def test_one_class_in_a_half_makes_a_leaf(days):
    rare = ["Yes"] * 13 + ["No"]
    model = tw.algorithm("icet", costs=days.costs, trials=50, random_state=0).fit(days.X, rare)
    assert model.tree_.n_nodes == 1
    assert set(model.predict(days.X)) == {"Yes"}
    with pytest.raises(ValueError, match=r"needs at least 2 cases that count; n_samples = 1\."):
        tw.IcetClassifier().fit(days.X, days.y, sample_weight=[1] + [0] * 13)


def test_where_no_test_is_affordable_the_cheapest_tree_asks_little(days):
    costs = tw.Costs(default_price=1000, errors_default=1)
    model = tw.algorithm("icet", costs=costs, trials=500, random_state=0).fit(days.X, days.y)
    assert model.best_cost_ <= 1  # some string prunes all tests away


def test_a_test_that_tells_all_is_bought_whatever_it_costs():
    # Biases only compare tests: with one that is perfect no string does without it. ECCO does.
    X = np.repeat([0.0, 1.0], 30)[:, None]
    costs = tw.Costs(default_price=1000, errors_default=1)
    icet, ecco = (tw.algorithm(name, costs=costs, random_state=0) for name in ("icet", "ecco"))
    assert icet.fit(X, X[:, 0]).best_cost_ == 1000
    assert tw.bill(icet, X, X[:, 0]).mean_cost == 1000
    assert ecco.fit(X, X[:, 0]).tree_.n_nodes == 1
    assert ecco.best_cost_ == 0.5


def test_growth_is_that_of_c45_and_can_be_set(days):
    model = tw.IcetClassifier().set_params(growth__max_depth=1, evolution__trials=50)
    assert model.growth.cut_penalty
    assert model.fit(days.X, days.y).tree_.depth <= 1
    assert tw.algorithm("icet", min_weight=5, crossover=0.5).growth.min_branch_weight == 5
    assert tw.IcetClassifier(cost_reuse="list", mutation_kind="flip").fit(days.X, days.y).tree_


def test_features_are_drawn_by_the_random_state(days):
    model = tw.IcetClassifier(growth=tw.Growth(max_features=1))
    string = "0" * 56 + "10000000"  # hardly pruned
    first = {
        genome(model.set_params(random_state=seed), days.X, days.y).tree(string).feature[0]
        for seed in range(20)
    }
    assert len(first) > 2
