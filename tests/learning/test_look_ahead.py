"""Criteria that look ahead by samples: LSID3 by the size of trees, ACT by their expected cost."""

import copy
import math
import pickle
import signal
import time
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st
from learning.growing_tables import T14, core_settings
from learning.sampled_reference import assert_sampled_by_the_rules
from scipy.stats import chisquare
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

import thriftwood as tw
from thriftwood import _core
from thriftwood.learning.look_ahead import LookAheadGrower

DAYS = tw.load_dataset("golf-nominal")
WAYS = [("fractional", "multiway"), ("branch", "binary"), ("fractional", "binary"), ("branch", "multiway")]
# Of 64 rows of six bits each comes twice; the class is the parity of the first three bits, noise aside.
BITS = np.array([[i >> b & 1 for b in range(6)] for i in range(64)] * 2)
PARITY = BITS[:, :3].sum(axis=1) % 2


def priced(seed=0, errors=30.0, **rest):
    rng = np.random.default_rng(seed)
    return tw.Costs({f: float(rng.integers(1, 8)) for f in range(6)}, errors_default=errors, **rest)


def noisy_bits(seed, n_rows=160):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n_rows, 6))
    flipped = rng.random(n_rows) < 0.1
    return X, (X[:, 0] ^ X[:, 1] & X[:, 4]) ^ flipped


# What is chosen


@pytest.mark.parametrize("upfront", [False, True])
@pytest.mark.parametrize("criterion", ["lsid3", "act"])
def test_with_many_samples_every_choice_has_the_least_total_of_all_trees(criterion, upfront):
    nodes = 0
    for seed in range(24):
        missing, nominal = WAYS[seed % 4]
        more = {"w": 0.7} if criterion == "act" else {}
        if criterion == "act" and seed % 3:
            more["loss"] = np.array([[0.0, 10], [4, 0]])
        nodes += assert_sampled_by_the_rules(
            seed, upfront=upfront, samples=400, criterion=criterion, missing=missing, nominal=nominal,
            reuse_nominal=nominal == "binary", **more,
        )  # fmt: skip
    assert nodes > 100


def test_three_classes_with_a_loss_of_their_own():
    loss = np.array([[0.0, 3, 9], [1, 0, 2], [8, 4, -1]])
    nodes = [
        assert_sampled_by_the_rules(
            seed,
            n_classes=3,
            samples=400,
            criterion="act",
            missing="fractional",
            nominal="multiway",
            loss=loss,
        )
        for seed in range(50, 62)
    ]
    assert sum(nodes) > 40


@pytest.mark.parametrize(
    ("criterion", "shares"),
    [
        ("act", (0.348182, 0.095487, 0.345268, 0.211063)),
        ("lsid3", np.array([0.246750, 0.029223, 0.151836, 0.048127]) / 0.475936),
    ],
)
def test_samples_draw_their_tests_in_proportion(criterion, shares):
    prices = _core.Prices(DAYS.costs.compile(DAYS.X.columns))
    counts = [0] * 4
    for seed in range(4000):
        rules = core_settings(
            criterion=criterion, nominal="multiway", max_depth=1, choosing="drawn", seed=seed
        )
        tree = _core.grow(T14.table, rules, prices=prices, **T14.core_target())
        counts[tree.feature[0]] += 1
    shares = np.array(shares) / sum(shares)
    assert chisquare(counts, 4000 * shares).pvalue > 0.001


def test_a_drawn_test_that_leaves_nothing_mixed_is_taken_by_lsid3_alone():
    X = np.array([[a, b, a or b] for a in (0, 1) for b in (0, 1)] * 4, dtype=float)
    y = X[:, 2].astype(np.int32)  # the third column is the class; the first two gain something too
    first = {"lsid3": set(), "act": set()}
    for criterion, features in first.items():
        for seed in range(60):
            rules = core_settings(criterion=criterion, choosing="drawn", seed=seed)
            features.add(int(_core.grow(_core.Table.from_columns(list(X.T.copy())), rules, y, 2).feature[0]))
    assert first == {"lsid3": {2}, "act": {0, 1, 2}}


# No samples: ID3 and EG2


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
def test_without_samples_they_are_id3_and_eg2(payment):
    for seed in range(20):
        X, y = noisy_bits(seed)
        id3, lsid3 = tw.algorithm("id3").fit(X, y), tw.algorithm("lsid3", r=0).fit(X, y)
        assert lsid3.tree_.core == id3.tree_.core
        costs = priced(seed, payment=payment)
        for settings in ({"w": 0.5}, {"min_weight": 1}, {"pruning": tw.Pessimistic()}):
            both = {"pruning": None, "costs": costs} | settings
            act, eg2 = tw.algorithm("act", r=0, **both), tw.algorithm("eg2", **both)
            assert act.fit(X, y).tree_.core == eg2.fit(X, y).tree_.core


def test_lsid3_goes_on_where_nothing_is_gained_unless_it_is_id3():
    assert tw.algorithm("id3").fit(BITS, PARITY).get_n_leaves() == 1
    assert tw.algorithm("lsid3", r=0).fit(BITS, PARITY).get_n_leaves() == 1
    assert tw.algorithm("lsid3", r=0).growth.gain_floor == tw.algorithm("id3").growth.gain_floor
    assert tw.algorithm("lsid3", r=0, gain_floor=-1e-9).growth.gain_floor == -1e-9
    assert tw.algorithm("lsid3", random_state=0).fit(BITS, PARITY).get_n_leaves() == 8


# What samples are good for


def test_lsid3_finds_the_small_tree_of_a_parity():
    X = np.random.default_rng(0).integers(0, 2, (300, 8))
    y = X[:, 1] ^ X[:, 4] ^ X[:, 6]
    greedy = tw.algorithm("id3").fit(X, y)
    sampled = tw.algorithm("lsid3", r=10, random_state=0).fit(X, y)
    assert sampled.get_n_leaves() == 8
    assert greedy.get_n_leaves() > 30
    assert set(sampled.tree_.core.feature) == {-1, 1, 4, 6}


def test_act_finds_the_cheap_pair_where_eg2_buys_the_single_test():
    # Two cheap tests tell the class together and nothing alone; a dear one tells it by itself.
    X = np.array([[a, b, a ^ b] for a in (0, 1) for b in (0, 1) for _ in range(20)])
    y = X[:, 2]
    costs = tw.Costs({0: 1, 1: 1, 2: 9}, errors_default=100)
    shared = {"costs": costs, "nominal_features": [0, 1, 2], "random_state": 0}
    eg2, act = (tw.algorithm(name, **shared).fit(X, y) for name in ("eg2", "act"))
    assert eg2.tree_[0].test == "x2"
    assert tw.bill(eg2, X, y, costs).mean_cost == 9
    assert tw.bill(act, X, y, costs).mean_cost == 2


def test_act_pays_for_tests_only_if_mistakes_cost_more():
    # The worked example: a leaf is expected to cost 135.899863, Outlook alone 209.014789.
    act = tw.algorithm("act", costs=DAYS.costs.replace(errors_default=20), random_state=0).fit(DAYS.X, DAYS.y)
    assert act.get_n_leaves() == 1
    assert act.look_ahead_.estimate == pytest.approx(135.899863, abs=1e-6)
    dear = tw.algorithm("act", costs=DAYS.costs.replace(errors_default=200), random_state=0)
    assert dear.fit(DAYS.X, DAYS.y).get_n_leaves() == 5


# The same tree


@pytest.mark.parametrize("name", ["lsid3", "act"])
@pytest.mark.parametrize("payment", ["sequential", "upfront"])
def test_the_same_seed_gives_the_same_tree_for_any_number_of_threads(name, payment):
    X, y = noisy_bits(1, 400)
    model = tw.algorithm(name, costs=priced(errors=500.0, payment=payment), random_state=7, r=2)
    model.set_params(nominal_features=range(6), pruning=None)
    one = model.fit(X, y).tree_.core
    assert clone(model).fit(X, y).tree_.core == one
    assert model.set_params(n_jobs=3).fit(X, y).tree_.core == one
    assert pickle.loads(pickle.dumps(model)).look_ahead_ == model.look_ahead_
    assert any(model.set_params(random_state=s).fit(X, y).tree_.core != one for s in range(20))


def test_many_fits_are_single_fits():
    X, y = noisy_bits(2)
    rows = [np.arange(100), np.arange(40, 160)]
    for model in (
        tw.algorithm("lsid3", r=2, random_state=0),
        tw.algorithm("act", r=2, random_state=0, costs=priced()),
    ):
        trees = tw.fit_many(model, X, y, rows)
        assert [tree.core for tree in trees] == [model.fit(X[r], y[r]).tree_.core for r in rows]


class Interrupted:
    """What says that Ctrl-C was pressed."""

    def __init__(self, seconds):
        self.why = "interrupt"


def test_many_fits_are_given_up_when_one_is_interrupted(monkeypatch):
    X, y = noisy_bits(2)
    grow = _core.grow
    monkeypatch.setattr(_core, "Stop", Interrupted)
    monkeypatch.setattr(_core, "grow", lambda *arguments: grow(*arguments[:-1]))  # without the stop
    with pytest.raises(KeyboardInterrupt):  # and no warning, which would say that a tree is kept
        tw.fit_many(tw.algorithm("lsid3", r=1), X, y, [np.arange(80), np.arange(90)])


def test_ctrl_c_between_two_trees_keeps_the_best(monkeypatch):
    X, y = noisy_bits(4)
    estimate, pressed_at = LookAheadGrower._estimate, 2
    calls = []

    def pressed(self, tree, problem):
        calls.append(tree)
        if len(calls) == pressed_at:
            signal.raise_signal(signal.SIGINT)
        return estimate(self, tree, problem)

    monkeypatch.setattr(LookAheadGrower, "_estimate", pressed)
    model = tw.algorithm("lsid3", time_budget=600, random_state=3)
    with pytest.warns(UserWarning, match="Ctrl-C was pressed before growth was finished; kept .* r=0"):
        model.fit(X, y)
    assert model.look_ahead_ == (0, model.get_n_leaves(), "interrupt", True)
    assert model.tree_.core == tw.algorithm("lsid3", r=0, gain_floor=-1e-9).fit(X, y).tree_.core
    calls, pressed_at = [], 1
    with pytest.raises(KeyboardInterrupt):  # nothing can be kept yet
        model.fit(X, y)


# Time


def test_a_time_budget_is_kept_and_used():
    X, y = noisy_bits(3, 2000)
    for name in ("lsid3", "act"):
        model = tw.algorithm(name, costs=priced(), time_budget=0.3, random_state=0)
        start, worked = time.perf_counter(), time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # to run out of time is what was asked for
            reached = model.fit(X, y).look_ahead_
        assert time.perf_counter() - start >= 0.3
        assert time.process_time() - worked < 10  # whatever else the machine did meanwhile
        assert reached.stopped == "time"
        greedy = tw.algorithm(name, costs=priced(), r=0, gain_floor=model.growth.gain_floor)
        assert reached.estimate <= greedy.fit(X, y).look_ahead_.estimate


def test_too_little_time_for_the_samples_asked_for_is_said():
    X, y = noisy_bits(3, 1000)
    model = tw.algorithm("lsid3", r=1000, time_budget=1e-6, random_state=0)
    with pytest.warns(UserWarning, match="time_budget was used up .* grown with r=0"):
        model.fit(X, y)
    assert model.look_ahead_ == (0, model.get_n_leaves(), "time", True)
    assert model.tree_.core == tw.algorithm("lsid3", r=0, gain_floor=-1e-9).fit(X, y).tree_.core


def test_rounds_double_up_to_r_and_the_best_tree_is_kept():
    assert list(tw.LookAhead(5, time_budget=9).rounds()) == [0, 1, 2, 4, 5]
    assert list(tw.LookAhead(0, time_budget=9).rounds()) == [0]
    assert list(tw.LookAhead(1, time_budget=9).rounds()) == [0, 1]
    assert list(tw.LookAhead(7).rounds()) == [7]
    assert list(tw.LookAhead().rounds()) == [5]
    assert list(tw.LookAhead(time_budget=1).rounds())[:4] == [0, 1, 2, 4]
    X, y = noisy_bits(4)
    best = tw.algorithm("lsid3", r=2, time_budget=600, random_state=3).fit(X, y)
    single = [
        tw.algorithm("lsid3", r=r, gain_floor=-1e-9, random_state=3).fit(X, y).get_n_leaves()
        for r in (0, 1, 2)
    ]
    assert best.get_n_leaves() == min(single)
    assert best.look_ahead_ == ((0, 1, 2)[single.index(min(single))], min(single), None, True)


def test_no_time_is_spent_where_there_is_nothing_to_choose():
    worked = time.process_time()
    model = tw.algorithm("lsid3", time_budget=30).fit([[1], [2]], [0, 0])
    assert time.process_time() - worked < 10
    assert model.look_ahead_.stopped is None


# Parameters


@pytest.mark.parametrize(
    ("name", "own", "words"),
    [
        ("lsid3", tw.LookAhead(-1), "'r' parameter of LookAhead must be a whole number from 0"),
        ("lsid3", tw.LookAhead(2.0), "'r' parameter of LookAhead must be a whole number"),
        ("act", tw.LookAhead(time_budget=0), "'time_budget' parameter of LookAhead must be a number"),
        ("act", tw.LookAhead(time_budget=math.inf), "'time_budget' parameter of LookAhead must be a number"),
        ("act", {"cf": 0}, "'cf' parameter of Act must be a number"),
        ("eg2", tw.LookAhead(), "which criterion='eg2' does not use.*: 'lsid3', 'act'"),
    ],
)
def test_values_that_make_no_sense_are_refused(name, own, words):
    X, y = noisy_bits(0)
    own = own if isinstance(own, dict) else {"look_ahead": own}
    with pytest.raises(ValueError, match=words):
        tw.CostTreeClassifier(name, costs=priced()).set_params(
            **{f"criterion__{parameter}": value for parameter, value in own.items()}
        ).fit(X, y)


def test_what_is_no_look_ahead_is_refused():
    with pytest.raises(TypeError, match="'look_ahead' parameter of Lsid3 must be a LookAhead or None"):
        tw.CostTreeClassifier(tw.Lsid3(look_ahead=5)).fit([[0], [1]], [0, 1])


def test_error_costs_are_not_counted_twice():
    with pytest.raises(ValueError, match="criterion='act' counts these costs itself"):
        tw.CostTreeClassifier("act", costs=priced(), loss_in_growth="altered_priors").fit(*noisy_bits(0))


def test_settings_go_where_they_belong():
    act = tw.algorithm("act", r=7, cf=0.1, time_budget=3, w=0.5)
    assert act.criterion.look_ahead.get_params() == {"r": 7, "time_budget": 3}
    assert (act.pruning.cf, act.criterion.cf, act.criterion.w) == (0.1, 0.1, 0.5)
    assert tw.algorithm("c45", cf=0.1).pruning.cf == 0.1
    assert tw.algorithm("act", look_ahead=tw.LookAhead(2)).criterion.look_ahead.r == 2
    one, other = tw.algorithm("act", r=2), tw.algorithm("act", r=2)
    assert one.criterion.look_ahead is not other.criterion.look_ahead
    bare = tw.CostTreeClassifier("lsid3").set_params(criterion__look_ahead__r=3)
    assert bare.criterion.look_ahead.r == 3
    with pytest.raises(ValueError, match="Invalid parameter"):
        tw.CostTreeRegressor().set_params(look_ahead__r=3)


def test_a_grid_search_over_samples():
    X, y = noisy_bits(5)
    search = GridSearchCV(
        tw.algorithm("lsid3", random_state=0), {"criterion__look_ahead__r": [0, 2]}, cv=3
    ).fit(X, y)
    assert search.best_estimator_.look_ahead_.r == search.best_params_["criterion__look_ahead__r"]


def test_a_frontier_over_samples():
    X, y = noisy_bits(5)
    act = tw.algorithm("act", costs=priced(errors=500.0), nominal_features=range(6), random_state=0)
    found = tw.frontier(act, X, y, param="r", values=[0, 1], cv=3, random_state=0)
    chosen = found.cheapest(within=1).model
    assert chosen.look_ahead_.r == chosen.criterion.look_ahead.r
    assert chosen.tree_.core == clone(chosen).fit(X, y).tree_.core


def test_what_was_reached_is_of_the_tree_that_is_kept():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 5)).astype(float)
    y = (X[:, 0] != X[:, 1]) ^ (rng.random(60) < 0.1)
    model = tw.CostTreeClassifier(tw.Lsid3(look_ahead=tw.LookAhead(3)), random_state=0)
    whole = model.fit(X, y)
    assert whole.look_ahead_.estimate == whole.get_n_leaves()
    pruned = clone(model).set_params(pruning=tw.CostComplexity()).fit(X, y)  # by folds, grown after the tree
    assert pruned.look_ahead_ == whole.look_ahead_
    small = clone(model).set_params(pruning=tw.CrossValidatedComplexity()).fit(X, y)  # grown after the folds
    assert small.look_ahead_.estimate == small.get_n_leaves()


def test_a_model_fitted_again_by_another_criterion_forgets_its_samples():
    X, y = noisy_bits(0)
    model = tw.algorithm("lsid3", random_state=0).fit(X, y)
    assert not hasattr(model.set_params(criterion="entropy").fit(X, y), "look_ahead_")


@pytest.mark.parametrize(
    "pruning", [tw.ReducedError(), tw.CrossValidatedComplexity(), tw.MDL(), tw.Pessimistic()]
)
def test_every_pruning_rule_grows_by_samples(pruning):
    X, y = noisy_bits(6)
    model = tw.algorithm("act", r=1, costs=priced(), pruning=pruning, random_state=0).fit(X, y)
    assert model.look_ahead_.finished
    assert model.get_n_leaves() > 1


@effort(max_examples=40, deadline=None)
@given(st.data())
def test_any_small_table_can_be_sampled(data):
    n = data.draw(st.integers(2, 14))
    cell = st.one_of(st.none(), st.integers(-2, 3), st.floats(-1, 1))
    rows = data.draw(st.lists(st.tuples(cell, st.sampled_from(["a", "b", None])), min_size=n, max_size=n))
    y = data.draw(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n))
    costs = tw.Costs(
        {"x0": 1, "x1": 2}, errors_default=5, payment=data.draw(st.sampled_from(["sequential", "upfront"]))
    )
    X = [[np.nan if number is None else float(number), word] for number, word in rows]
    for name, more in (("lsid3", {}), ("act", {"costs": costs, "min_weight": 1})):
        model = tw.algorithm(name, r=2, missing="fractional", random_state=0, **more).fit(X, y)
        assert set(model.predict(X)) <= set(y)
        assert np.allclose(model.predict_proba(X).sum(axis=1), 1)
        assert model.look_ahead_.finished


@parametrize_with_checks(
    [
        tw.CostTreeClassifier(tw.Lsid3(look_ahead=tw.LookAhead(1)), random_state=0),
        tw.CostTreeClassifier(
            tw.Act(look_ahead=tw.LookAhead(1)), costs=tw.Costs(default_price=0.01), random_state=0
        ),
    ]
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("w", [300.0, 1000.0, 1e5])
def test_drawn_tests_are_the_cheapest_where_only_prices_count(w):
    rng = np.random.default_rng(3)
    table = rng.integers(0, 2, (40, 3)).astype(float)
    labels = (table.sum(axis=1) + rng.random(40) > 2).astype(int)
    costs = tw.Costs({"x0": 4, "x1": 1, "x2": 0.5}, errors_default=1e6)
    model = tw.CostTreeClassifier(tw.Act(w=w), costs=costs, random_state=0)
    problem = model.prepare(table, labels, None).problem
    settings = copy.copy(problem.settings)
    settings.choosing = "drawn"
    for seed in range(20):
        settings.seed = seed
        tree = _core.grow(problem.table, settings, problem.labels, 2, prices=problem.prices)
        assert tree.to_arrays()["feature"][0] == 2
