"""What both learners share: settings, history, endings, conventions."""

import os
import pickle
import signal
import threading
import time
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import thriftwood as tw

BOTH = pytest.mark.parametrize("name", ["icet", "ecco"])


def press_soon(generation, generations, best, mean):
    """Press Ctrl-C while a later generation is judged."""
    if generation == 1:
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()


@BOTH
def test_published_settings_and_short_names(name):
    model = tw.algorithm(name, trials=200, population=20, patience=3)
    assert model.evolution.get_params() == tw.Evolution(20, 200, patience=3).get_params()
    assert tw.algorithm(name).evolution.get_params() == tw.Evolution().get_params()
    defaults = tw.Evolution()
    assert (defaults.population, defaults.trials, defaults.crossover) == (50, 1000, 0.6)
    assert (defaults.generation_gap, defaults.scaling_window, defaults.elitist) == (1.0, 5, True)
    assert tw.algorithm(name).mutation == {"icet": 0.001, "ecco": 0.02}[name]
    with pytest.raises(ValueError, match="has no setting 'generations'"):
        tw.algorithm(name, generations=3)


@BOTH
def test_history_has_a_line_for_every_generation(name, days):
    told = []
    model = tw.algorithm(name, costs=days.costs, trials=300, random_state=0)
    model.set_params(progress=lambda *line: told.append(line)).fit(days.X, days.y)
    history = model.history_
    assert list(history.columns) == ["generation", "best_cost", "mean_cost", "best_so_far"]
    assert history["generation"].tolist() == list(range(1, 7))
    assert (history["best_cost"] <= history["mean_cost"]).all()
    assert (np.diff(history["best_so_far"]) <= 0).all()
    assert [line[:2] for line in told] == [(number, 6) for number in range(1, 7)]
    assert [line[2] for line in told] == history["best_cost"].tolist()
    assert (model.n_trials_, model.ended_) == (300, "trials")


@BOTH
def test_a_seed_decides_all(name, days):
    model = tw.algorithm(name, costs=days.costs, trials=100, random_state=5)
    first, second = (clone(model).fit(days.X, days.y) for _ in range(2))
    assert first.string_ == second.string_
    assert first.string_ != clone(model).set_params(random_state=6).fit(days.X, days.y).string_
    restored = pickle.loads(pickle.dumps(first))
    assert restored.tree_.core == first.tree_.core
    assert restored.history_.equals(first.history_)


@BOTH
def test_patience_and_time_end_it(name, days):
    model = tw.algorithm(name, costs=days.costs, mutation=0.0, random_state=0)
    model.set_params(evolution__trials=10**7, evolution__patience=2).fit(days.X, days.y)
    assert model.ended_ == "patience"
    model.set_params(evolution__patience=None, evolution__time_budget=0.05)
    worked = time.process_time()
    model.fit(days.X, days.y)
    assert model.ended_ == "time"
    assert time.process_time() - worked < 30  # whatever else the machine did meanwhile
    assert model.tree_.n_nodes >= 1


@BOTH
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ctrl_c_keeps_the_best_tree_so_far(name, n_jobs, days):
    model = tw.algorithm(name, costs=days.costs, trials=10**12, random_state=0, n_jobs=n_jobs)
    model.set_params(progress=press_soon)
    with pytest.warns(UserWarning, match=r"Ctrl-C was pressed; kept is the best of the \d+ trees tried"):
        model.fit(days.X, days.y)
    assert model.ended_ == "interrupt"
    assert model.n_trials_ >= 50
    assert model.best_cost_ == model.history_["best_so_far"].iloc[-1]
    assert model.predict(days.X).shape == (14,)


@pytest.mark.parametrize("keep", ["best", "last"])
@pytest.mark.parametrize(("name", "size"), [("icet", 40), ("ecco", 400)])
def test_a_generation_judged_in_part_is_not_the_last_one(name, size, keep):
    data = tw.load_dataset("wisconsin-diagnostic")
    # In the time there are a few generations, of so many trials that it will hardly end between two.
    model = tw.algorithm(name, costs=data.costs, population=size, trials=10**9, random_state=0)
    model.set_params(evolution__keep=keep, evolution__time_budget=0.3).fit(data.X, data.y)
    assert model.ended_ == "time"
    costs = model.history_["best_cost"]
    whole = model.n_trials_ // size
    assert len(costs) == -(-model.n_trials_ // size)
    assert model.best_cost_ == (costs.min() if keep == "best" or whole == 0 else costs[whole - 1])


def test_which_tree_ctrl_c_keeps_is_said(days):
    def pressed(generation, generations, best, mean):
        if generation == 2:
            raise KeyboardInterrupt

    last = tw.algorithm("icet", keep="last", random_state=0).set_params(progress=pressed)
    with pytest.warns(UserWarning, match="kept is the best of the last whole generation; 100 trees were"):
        last.fit(days.X, days.y)
    assert last.best_cost_ == last.history_["best_cost"].iloc[-1]


@BOTH
def test_ctrl_c_with_the_last_trial_is_heard(name, days):
    def pressed(generation, generations, best, mean):
        if generation == generations:
            raise KeyboardInterrupt

    model = tw.algorithm(name, trials=100, random_state=0).set_params(progress=pressed)
    with pytest.warns(UserWarning, match="kept is the best of the 100 trees tried"):
        model.fit(days.X, days.y)
    assert (model.ended_, model.n_trials_) == ("interrupt", 100)
    with pytest.raises(KeyboardInterrupt):
        tw.fit_many(model, days.X, days.y, [range(14), range(7)])


@BOTH
@pytest.mark.parametrize("wrapped", [False, True], ids=["alone", "in an ensemble"])
def test_ctrl_c_ends_a_comparison(name, wrapped, days):
    costs = days.costs.replace(errors_default=20)
    model = tw.algorithm(name, costs=costs, trials=10**12, random_state=0).set_params(progress=press_soon)
    if wrapped:
        model = tw.MetaCostClassifier(model, costs=costs, n_estimators=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if wrapped else "error")  # of many fits none says that a tree is kept
        with pytest.raises(KeyboardInterrupt):
            tw.compare({"first": model, "second": model}, days.X, days.y, cv=2)


@BOTH
def test_what_fit_does_not_take_is_named(name, days):
    model = tw.algorithm(name)
    words = rf"{type(model).__name__}.fit takes no error_costs: .* CheapestAnswer"
    with pytest.raises(TypeError, match=words):
        model.fit(days.X, days.y, error_costs=np.zeros((14, 2)))
    with pytest.raises(TypeError, match="takes X, y and sample_weight, and no 'weights'"):
        model.fit(days.X, days.y, weights=None)


def test_settings_of_growth_are_not_eccos():
    with pytest.raises(ValueError, match="'ecco' has no setting 'max_depth'"):
        tw.algorithm("ecco", max_depth=3)
    with pytest.raises(ValueError, match="'ecco' has no setting 'growth'"):
        tw.algorithm("ecco", growth=tw.Growth())


@BOTH
def test_what_progress_raises_is_raised(name, days):
    def fail(*line):
        raise RuntimeError("no paper")

    with pytest.raises(RuntimeError, match="no paper"):
        tw.algorithm(name).set_params(progress=fail).fit(days.X, days.y)
    with pytest.raises(TypeError, match="progress must be True, False or a function"):
        tw.algorithm(name).set_params(progress="yes").fit(days.X, days.y)


@BOTH
def test_a_bar_goes_to_standard_error(name, days, capsys):
    tw.algorithm(name, trials=50).set_params(progress=True).fit(days.X, days.y)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "cost of a case" in captured.err


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"population": 1}, "'population' parameter of Evolution must be a whole number from 2"),
        ({"trials": 0}, "'trials' parameter of Evolution"),
        ({"generation_gap": 0}, "'generation_gap' parameter of Evolution"),
        ({"scaling_window": 0}, "'scaling_window' parameter of Evolution"),
        ({"patience": 0}, "'patience' parameter of Evolution"),
        ({"time_budget": 0.0}, "'time_budget' parameter of Evolution"),
        ({"crossover": 2}, "'crossover' parameter of Evolution"),
        ({"mutation": 2}, "'mutation' parameter of"),
        ({"n_jobs": "two"}, "'n_jobs' parameter of"),
    ],
)
@BOTH
def test_settings_out_of_bounds_are_named(name, settings, message, days):
    with pytest.raises(ValueError, match=message):
        tw.algorithm(name, **settings).fit(days.X, days.y)


@BOTH
def test_wrong_objects_are_named(name, days):
    with pytest.raises(TypeError, match=r"must be an Evolution, such as tw.Evolution\(.*\), or None"):
        tw.algorithm(name).set_params(evolution=3).fit(days.X, days.y)
    with pytest.raises(TypeError, match="must be a Costs or None"):
        tw.algorithm(name).set_params(costs=3).fit(days.X, days.y)


@BOTH
@pytest.mark.parametrize("came", [{"trials": 3}, 5, tw.Evolution])
def test_an_evolution_that_is_none_is_refused_when_it_is_set(name, came):
    with pytest.raises(TypeError, match=r"an object, such as tw.Evolution\(trials=5000\)"):
        tw.algorithm(name, evolution=came)


@BOTH
def test_no_threads_are_no_number_of_threads(name, days):
    with pytest.raises(ValueError, match=r"'n_jobs' parameter of .* must be a number of threads"):
        tw.algorithm(name, n_jobs=0).fit(days.X, days.y)


@BOTH
def test_learners_are_compared_and_fitted_on_subsets(name, days):
    model = tw.algorithm(name, costs=days.costs.replace(errors_default=20), trials=100, random_state=0)
    whole, half = tw.fit_many(model, days.X, days.y, [range(14), range(7)])
    assert whole.core == model.fit(days.X, days.y).tree_.core
    assert half.core.weight[0] == 7
    ranking = tw.compare({name: model, "c45": tw.algorithm("c45")}, days.X, days.y, model.costs, cv=3)
    assert {contender.name for contender in ranking} == {name, "c45"}


ROWS = "the halves are drawn among rows: a row of weight 2 is not two rows"


@parametrize_with_checks(
    [
        tw.EccoClassifier(evolution=tw.Evolution(trials=500), random_state=0),
        tw.IcetClassifier(evolution=tw.Evolution(trials=100), random_state=0),
    ],
    expected_failed_checks=lambda model: (
        {f"check_sample_weight_equivalence_on_{kind}_data": ROWS for kind in ("dense", "sparse")}
        if isinstance(model, tw.IcetClassifier)
        else {}
    ),
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)
