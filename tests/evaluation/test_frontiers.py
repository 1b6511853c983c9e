"""What accuracy costs: a grid of values, judged by cross-validation."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.metrics import accuracy_score, balanced_accuracy_score, log_loss
from sklearn.model_selection import KFold, RepeatedStratifiedKFold, StratifiedKFold

import thriftwood as tw
from thriftwood.costs import CostError
from thriftwood.evaluation import Frontier, sweep
from thriftwood.learning.criteria import PRICED, users_of, weight_of

seeds = st.integers(0, 2**32 - 1)


def clinic(seed=0, n=150, missing=0.05):
    """Patients: two numbers and a word, of different prices, that tell three illnesses apart."""
    rng = np.random.default_rng(seed)
    blood, scan = rng.normal(size=(2, n))
    word = rng.choice(["no", "some", "much"], n)
    signal = blood + scan / 2 + (word == "much") + rng.normal(size=n) / 2
    y = np.array(["flu", "cold", "gout"])[np.digitize(signal, [-0.4, 0.8])]
    X = pd.DataFrame({"blood": blood, "scan": scan, "word": word})
    X.loc[rng.random(n) < missing, "blood"] = np.nan
    weights = rng.choice([0.5, 1.0, 2.0], n) if seed % 2 else None
    costs = tw.Costs(
        {"blood": tw.Test(3, needs=["visit"]), "scan": tw.Test(9, needs=["visit"]), "word": 1},
        shared={"visit": 2},
        errors={"flu": {"cold": 5, "gout": 20}, "cold": {"flu": 1, "gout": 2}, "gout": {"flu": 9, "cold": 9}},
        payment="upfront" if seed % 3 == 0 else "sequential",
    )
    return X, y, weights, costs


def plain_loop(model, X, y, weights, costs, param, values, cv):
    """The same by scikit-learn's own means."""
    rows = []
    for value in values:
        folds = []
        for train, test in cv.split(X, y):
            own = None if weights is None else weights[train]
            judge = None if weights is None else weights[test]
            fitted = clone(model).set_params(**{param: value}).fit(X.iloc[train], y[train], own)
            answers = fitted.predict(X.iloc[test])
            paid = costs.replace(payment="sequential")
            bill = tw.bill(fitted, X.iloc[test], y[test], paid, sample_weight=judge)
            shares = np.clip(fitted.predict_proba(X.iloc[test]), np.finfo(float).eps, 1)
            truth = pd.get_dummies(pd.Categorical(y[test], fitted.classes_)).to_numpy()
            folds.append(
                {
                    "accuracy": accuracy_score(y[test], answers, sample_weight=judge),
                    "balanced_accuracy": balanced_accuracy_score(y[test], answers, sample_weight=judge),
                    "error_cost": bill.mean_error_cost,
                    "log_loss": np.average(-np.log((shares * truth).sum(axis=1)), weights=judge),
                    "sequential_cost": bill.mean_test_cost,
                }
            )
        table = pd.DataFrame(folds)
        whole = clone(model).set_params(**{param: value}).fit(X, y, weights)
        row = table.mean().to_dict() | table.sem().add_suffix("_se").to_dict()
        row |= {
            "value": value,
            "upfront_cost": tw.bill(whole, X, costs=costs).upfront_cost,
            "n_leaves": whole.get_n_leaves(),
            "depth": whole.get_depth(),
            "training_accuracy": whole.score(X, y, weights),
        }
        rows.append(row)
    return pd.DataFrame(rows)


GROWTH = tw.Growth(min_split_weight=10, min_branch_weight=4)
SWEEPS = [
    ({"criterion": "csgain", "pruning": tw.Pessimistic()}, "gamma", [0, 0.003, 0.03, 1]),
    ({"criterion": "eg2", "growth": GROWTH}, "w", [0, 1.0, 4]),
    ({"criterion": "gain_ratio", "pruning": tw.Pessimistic()}, "pruning__cf", [0.01, 0.25]),
    ({"pruning": tw.MDL()}, "growth__max_depth", [1, 3, None]),
    ({"criterion": "mitchell", "growth": GROWTH}, "gamma", [0.01, 0.1]),
    # The core cannot do these alone.
    ({"pruning": tw.CostComplexity(0.02)}, "pruning__alpha", [0.0, 0.02, 1]),
    ({"pruning": tw.ReducedError(), "random_state": 0}, "growth__max_depth", [1, 4]),
    (
        {"criterion": "csgain", "priors": {"flu": 5, "cold": 1, "gout": 1}, "growth": GROWTH},
        "gamma",
        [0, 0.01],
    ),
    ({"loss_in_growth": "altered_priors", "growth": GROWTH}, "growth__min_branch_weight", [2, 20]),
]


@pytest.mark.parametrize(
    ("setting", "param", "values"), SWEEPS, ids=[f"{s[1]}-{i}" for i, s in enumerate(SWEEPS)]
)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_numbers_are_those_of_a_plain_loop(setting, param, values, seed):
    X, y, weights, costs = clinic(seed)
    model = tw.CostTreeClassifier(**setting, costs=costs)
    cv = StratifiedKFold(4, shuffle=True, random_state=seed)
    found = tw.frontier(model, X, y, param=param, values=values, cv=cv, sample_weight=weights)
    full = f"criterion__{param}" if users_of(param) else param
    wanted = plain_loop(model, X, y, weights, costs, full, values, cv)
    pd.testing.assert_frame_equal(
        found.points[wanted.columns], wanted, check_dtype=False, rtol=1e-9, atol=1e-12
    )
    for value, fitted in zip(values, found.models, strict=True):
        alone = clone(model).set_params(**{full: value}).fit(X, y, weights)
        assert fitted.tree_.core == alone.tree_.core
        assert fitted.get_params()[full] == value


@given(seeds)
@settings(max_examples=15, deadline=None)
def test_both_ways_give_the_same_numbers(seed):
    X, y, weights, costs = clinic(seed, n=60)
    model = tw.CostTreeClassifier("csgain", costs=costs, pruning=tw.Pessimistic(), growth=GROWTH)
    asked = {"cv": 3, "random_state": seed % 1000, "sample_weight": weights}
    together = tw.frontier(model, X, y, **asked, n_jobs=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep, "has_trials", lambda *_: False)
        apart = tw.frontier(model, X, y, **asked)
    pd.testing.assert_frame_equal(together.points, apart.points, check_exact=True)
    assert [m.tree_.core for m in together.models] == [m.tree_.core for m in apart.models]


def test_any_number_of_threads_gives_the_same():
    X, y, _, costs = clinic()
    model = tw.CostTreeClassifier("csgain-ratio", costs=costs, n_jobs=1)
    one, many = (tw.frontier(model, X, y, cv=5, random_state=3, n_jobs=n) for n in (None, 4))
    pd.testing.assert_frame_equal(one.points, many.points, check_exact=True)
    assert many.model.n_jobs == 4
    assert model.n_jobs == 1
    assert not hasattr(model, "tree_")


def test_the_tree_on_all_cases_has_bins_when_there_are_many(monkeypatch):
    monkeypatch.setattr("thriftwood.learning.growth.EXACT_ROWS", 350)
    X, y, _, costs = clinic(n=400, missing=0)
    model = tw.CostTreeClassifier(tw.CsGain(gamma=1e-6), costs=costs, growth=tw.Growth(min_split_weight=20))
    ((train, test),) = list(StratifiedKFold(4).split(X, y))[:1]
    found = tw.frontier(model, X, y, values=[1e-6], cv=[(train, test)])
    assert found.model.tree_.core == model.fit(X, y).tree_.core
    exact = model.fit(X.iloc[train], y[train])  # 300 rows
    assert found.points.accuracy[0] == exact.score(X.iloc[test], y[test])


def test_log_loss_is_that_of_scikit_learn():
    X, y, _, costs = clinic()
    model = tw.CostTreeClassifier(costs=costs, growth=tw.Growth(min_branch_weight=20))
    ((train, test),) = list(KFold(2).split(X))[:1]
    found = tw.frontier(model, X, y, param="growth__max_depth", values=[2], cv=[(train, test)])
    fitted = clone(model).set_params(growth__max_depth=2).fit(X.iloc[train], y[train])
    wanted = log_loss(y[test], fitted.predict_proba(X.iloc[test]), labels=fitted.classes_)
    assert found.points.log_loss[0] == pytest.approx(wanted)
    assert np.isnan(found.points.log_loss_se[0])


def test_other_prices_can_be_charged():
    X, y, _, costs = clinic()
    model = tw.CostTreeClassifier("gini", growth=tw.Growth(max_depth=2))
    asked = {"param": "growth__max_depth", "values": [1, 2], "cv": 3, "random_state": 0}
    found = tw.frontier(model, X, y, costs=costs, **asked)
    double = costs.replace(
        tests={name: tw.Test(2 * test.price, needs=test.needs) for name, test in costs.tests.items()},
        shared={"visit": 4},
    )
    dearer = tw.frontier(model, X, y, costs=double, **asked)
    np.testing.assert_allclose(dearer.points.sequential_cost, 2 * found.points.sequential_cost)
    np.testing.assert_allclose(dearer.points.upfront_cost, 2 * found.points.upfront_cost)


def test_rows_drawn_twice_count_twice():
    X, y, _, costs = clinic()
    draw = np.random.default_rng(0).integers(0, len(X), len(X))
    rest = np.setdiff1d(np.arange(len(X)), draw)
    model = tw.CostTreeClassifier("csgain", costs=costs)
    found = tw.frontier(model, X, y, values=[0.01], cv=[(draw, rest)])
    alone = tw.CostTreeClassifier(tw.CsGain(gamma=0.01), costs=costs).fit(
        X.iloc[np.sort(draw)], y[np.sort(draw)]
    )
    assert found.points.accuracy[0] == alone.score(X.iloc[rest], y[rest])


def test_masks_and_splitters_and_numbers_of_folds():
    X, y, _, costs = clinic()
    model = tw.CostTreeClassifier("csgain", costs=costs)
    cv = StratifiedKFold(3, shuffle=True, random_state=7)
    masks = [(np.isin(np.arange(len(X)), train), test) for train, test in cv.split(X, y)]
    by_number, by_splitter, by_masks = (
        tw.frontier(model, X, y, values=[0.01, 0.1], cv=c, random_state=7).points for c in (3, cv, masks)
    )
    pd.testing.assert_frame_equal(by_number, by_splitter)
    pd.testing.assert_frame_equal(by_number, by_masks)


# The usual grid


@pytest.mark.parametrize("criterion", [c for c in PRICED if weight_of(c)])
def test_every_weighing_criterion_has_a_usual_grid(criterion):
    X, y, _, costs = clinic()
    found = tw.frontier(tw.CostTreeClassifier(criterion, costs=costs), X, y, cv=3, random_state=0)
    assert found.param == weight_of(criterion).name
    assert found.values[0] == (0.01 if criterion == "lasc" else min(weight_of(criterion).tried, default=0))
    assert list(found.values) == sorted(set(found.values))


def test_the_usual_grid_goes_from_all_tests_to_none():
    X, y, _, costs = clinic()
    for unit in (1, 1000):
        own = costs.replace(
            tests={n: tw.Test(unit * t.price, needs=t.needs) for n, t in costs.tests.items()},
            shared={"visit": 2 * unit},
        )
        found = tw.frontier(tw.CostTreeClassifier("csgain", costs=own), X, y, cv=3, random_state=0)
        assert found.points.n_tests.iloc[1] == found.points.n_tests.iloc[0] == 3
        assert found.points.n_tests.iloc[-1] == 0


@pytest.mark.parametrize("price", [1e-310, 5e-324, 1e-101])
def test_prices_too_small_to_weigh(price):
    X, y, *_ = clinic()
    model = tw.CostTreeClassifier("csgain", costs=tw.Costs(default_price=price))
    with pytest.raises(ValueError, match=rf"cost {price:g} on average, .* Use a smaller unit of money"):
        tw.frontier(model, X, y, cv=3)
    with pytest.raises(ValueError, match="Use a smaller unit of money"):
        model.fit(X, y)  # which would propose a gamma
    assert len(tw.frontier(model, X, y, cv=3, values=[0.0, 1.0])) == 2


# Choosing


def made(cost, score, values=None, accuracy="accuracy"):
    columns = {
        "value": values or list(range(len(cost))),
        "sequential_cost": np.array(cost),
        accuracy: np.array(score),
    }
    columns |= {f"{name}_se": np.zeros(len(cost)) for name in ("sequential_cost", accuracy)}
    columns |= {
        "upfront_cost": np.array(cost),
        "n_tests": np.zeros(len(cost)),
        "n_leaves": np.ones(len(cost)),
    }
    models = tuple(tw.CostTreeClassifier() for _ in cost)
    return Frontier("gamma", tuple(columns["value"]), columns, models, accuracy, "sequential", 10)


F6_COST, F6_SCORE = [10, 8, 8, 5, 3, 12], [0.90, 0.88, 0.91, 0.85, 0.85, 0.915]


def test_pareto_points_of_the_worked_example():
    kept = made(F6_COST, F6_SCORE).pareto
    assert list(zip(kept.sequential_cost, kept.accuracy, strict=True)) == [(3, 0.85), (8, 0.91), (12, 0.915)]


def test_less_is_better_for_losses():
    kept = made(F6_COST, [1 - s for s in F6_SCORE], accuracy="error_cost")
    assert kept.pareto.sequential_cost.tolist() == [3, 8, 12]
    assert kept.cheapest(within=0.01).cost == 8
    assert kept.by(accuracy="error_cost").cheapest(within=0.1).cost == 3


def test_near_is_one_percent_of_a_cost_in_any_unit():
    # 100 cents more than the best of 50,000 are near it, 1,000 are not; an amount of 0.01 would be nothing.
    cents = made([10, 5, 1], [50_000, 50_100, 51_000], accuracy="error_cost")
    assert (cents.cheapest().cost, cents.cheapest(0.01).cost, cents.allowance()) == (5, 10, 500)
    assert "the least cost within 500 (1% of it) of the best score" in " ".join(str(cents).split())
    euros = made([10, 5, 1], [500, 501, 510], accuracy="error_cost")
    assert euros.cheapest().cost == 5
    assert made([10, 5, 1], [-500, -499, -490], accuracy="error_cost").cheapest().cost == 5  # it earns
    assert made([10, 5, 1], [0.2, 0.2015, 0.21], accuracy="log_loss").cheapest().cost == 5
    assert made([10, 5], [0.0, 0.001], accuracy="error_cost").cheapest().cost == 10
    assert made([10, 5], [0.5, 0.492]).allowance() == 0.01
    assert made([10, 5], [0.5, 0.492]).cheapest().cost == 5


@pytest.mark.parametrize(
    ("within", "cost"), [(0, 12), (0.004, 12), (0.005, 8), (0.01, 8), (0.065, 3), (1, 3)]
)
def test_the_cheapest_within_so_much_of_the_best(within, cost):
    point = made(F6_COST, F6_SCORE).cheapest(within)
    assert point.cost == cost
    assert point.cost_se == 0


def test_ties_go_to_the_better_score_then_to_the_smaller_value():
    assert made([5, 5, 5], [0.89, 0.9, 0.9], values=[1, 3, 2]).cheapest().value == 2
    assert made([5, 5, 5], [0.89, 0.9, 0.9], values=[1, 3, 2]).pareto.value.tolist() == [2]
    assert made([5, 5], [0.9, 0.9], values=["b", "a"]).cheapest().value == "b"  # no size: as they came


def test_a_chosen_model_is_fitted_on_all_cases():
    X, y, _, costs = clinic()
    found = tw.frontier(tw.CostTreeClassifier("csgain", costs=costs), X, y, cv=3, random_state=0)
    point = found.cheapest(within=0.05)
    alone = tw.CostTreeClassifier(tw.CsGain(gamma=point.value), costs=costs).fit(X, y)
    assert point.model.tree_.core == alone.tree_.core
    assert found.refit(point) is found.refit(point.value) is point.model
    np.testing.assert_array_equal(point.model.predict(X), alone.predict(X))
    assert found.model is found.cheapest().model
    with pytest.raises(ValueError, match=r"gamma=7 was not tried. The values are 0\.0, "):
        found.refit(7)


def test_another_pair_of_measures_without_another_fit():
    X, y, _, costs = clinic()
    found = tw.frontier(tw.CostTreeClassifier("csgain", costs=costs), X, y, cv=3, random_state=0)
    other = found.by("log_loss", "upfront")
    assert (other.accuracy, other.cost, found.accuracy) == ("log_loss", "upfront", "accuracy")
    assert other.models is found.models
    assert [p.cost for p in other] == found.points.upfront_cost.tolist()
    with pytest.raises(ValueError, match="'cost' parameter of by must be one of 'sequential', 'upfront'"):
        found.by(cost="free")
    with pytest.raises(ValueError, match="'within' parameter of cheapest"):
        found.cheapest(-1)


# To be read


def test_the_text_marks_the_frontier():
    text = str(made(F6_COST, F6_SCORE)).splitlines()
    assert text[0] == "Frontier of gamma: 10 folds"
    assert [line.split()[-1] for line in text[2:8]] == ["1", "1", "cheapest", "1", "*", "*"]
    assert "<table>" in made(F6_COST, F6_SCORE)._repr_html_()
    assert repr(made(F6_COST, F6_SCORE)) == (
        "<Frontier: 6 values of gamma, 3 on the Pareto line, accuracy against sequential cost>"
    )


def test_progress_is_told_and_nothing_is_printed(capfd):
    X, y, _, costs = clinic()
    for pruning in (None, tw.CostComplexity(0.01)):
        model = tw.CostTreeClassifier("csgain", costs=costs, pruning=pruning)
        calls = []
        tw.frontier(
            model, X, y, values=[0, 0.1], cv=3, progress=lambda *call, calls=calls: calls.append(call)
        )
        assert calls[-1] == (8, 8)
        assert [call[0] for call in calls] == sorted(call[0] for call in calls)
        tw.frontier(model, X, y, values=[0], cv=3)
    assert capfd.readouterr() == ("", "")
    tw.frontier(model, X, y, values=[0, 0.1], cv=3, progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert "2 values of gamma" in err
    assert "8/8" in err


# What is refused


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"param": "gama", "values": [1]}, ValueError, r"no parameter 'gama'\. Did you mean 'gamma'\?$"),
        ({"param": "max_dept", "values": [1]}, ValueError, r"Did you mean 'growth__max_depth'\?$"),
        ({"param": "growth__max_dept", "values": [1]}, ValueError, r"Did you mean 'growth__max_depth'\?$"),
        ({"param": "cf", "values": [1]}, ValueError, r"no parameter 'cf'\. Choices: .*max_depth"),
        ({"param": "pruning__cf", "values": [1]}, ValueError, "pruning is None"),
        ({"param": "growth__max_depth"}, ValueError, "no usual grid for growth__max_depth"),
        ({"param": 3, "values": [1]}, TypeError, "name of a parameter"),
        ({"values": []}, ValueError, "values is empty. Give at least one value of gamma"),
        ({"values": "abc"}, TypeError, "values must be a list of values of gamma"),
        ({"values": 0.1}, TypeError, "values must be a list"),
        ({"values": [0.1, -1]}, ValueError, "'gamma' parameter of CsGain must be"),
        ({"param": "pruning", "values": ["c45"]}, TypeError, "must be a pruning rule such as"),
        ({"param": "pruning", "values": [tw.Pessimistic(cf=2)]}, ValueError, "'cf' parameter of Pessimistic"),
        ({"cv": 1}, ValueError, "at least 2. Got 1"),
        ({"cv": None}, TypeError, "cv must be a number of folds"),
        ({"cv": 0.3}, TypeError, "cv must be a number of folds"),
        ({"cv": []}, ValueError, "cv has no folds"),
        ({"cv": [3]}, ValueError, "Fold 0 of cv must be a pair"),
        ({"cv": [([0, 1], [])]}, ValueError, "rows to judge of fold 0 of cv must be row numbers"),
        ({"cv": [([0, 999], [1])]}, ValueError, "have the row 999; the table has rows 0 to 149"),
        ({"cv": 200}, ValueError, "largest class, 65. Got 200. Pass a smaller cv"),
        ({"accuracy": "acuracy"}, ValueError, "Did you mean 'accuracy'"),
        ({"cost": "delayed"}, ValueError, "'cost' parameter of frontier"),
        ({"progress": "bar"}, TypeError, "progress must be True, False or a function"),
        ({"costs": tw.Costs({"urine": 1})}, CostError, "urine"),
        ({"sample_weight": [1, 2]}, ValueError, "one number per case"),
    ],
)
def test_what_is_asked_wrongly(asked, error, words):
    X, y, _, costs = clinic()
    with pytest.raises(error, match=words):
        tw.frontier(
            tw.CostTreeClassifier("csgain", costs=costs),
            X,
            y,
            **{"values": [0, 1], **asked} if "param" not in asked else asked,
        )


def test_models_that_have_no_frontier():
    X, y, _, costs = clinic()
    with pytest.raises(ValueError, match="criterion='gini' has no parameter that weighs prices"):
        tw.frontier(tw.CostTreeClassifier(costs=costs), X, y)
    with pytest.raises(ValueError, match="without costs, so there is nothing to charge"):
        tw.frontier(tw.CostTreeClassifier(), X, y, param="growth__max_depth", values=[1])
    with pytest.raises(TypeError, match="CostTreeRegressor predicts numbers"):
        tw.frontier(tw.CostTreeRegressor(), X, y)
    with pytest.raises(TypeError, match=r"has parameters\. Got str"):
        tw.frontier("c45", X, y)
    weights = np.ones(len(X))
    weights[:10] = 0
    rows = np.arange(len(X))
    with pytest.raises(ValueError, match="judge of fold 0 of cv are all of sample_weight 0"):
        tw.frontier(
            tw.CostTreeClassifier("csgain", costs=costs), X, y, cv=[(rows, rows[:10])], sample_weight=weights
        )


def test_criteria_with_and_without_error_costs_in_one_frontier():
    X, y, _, costs = clinic()
    own = costs.replace(errors_default=9.0)
    found = tw.frontier(
        tw.CostTreeClassifier("eg2", costs=own),
        X,
        y,
        param="criterion",
        values=["eg2", "min-total-cost", "cs-id3", "pm"],
        cv=3,
        random_state=0,
    )
    alone = tw.CostTreeClassifier("min-total-cost", costs=own).fit(X, y)
    assert found.refit("min-total-cost").tree_.core == alone.tree_.core


def test_a_budget_is_a_point_each():
    X, y, _weights, costs = clinic(seed=1)
    costs = costs.replace(payment="sequential")
    for name in ("c45", "gated", "optimal", "ecco"):
        model = tw.algorithm(name, costs=costs)
        if name == "ecco":
            model.set_params(evolution__trials=30, evolution__population=10, random_state=0)
        found = tw.frontier(model, X, y, budget=[0, 3, 8, 40], cv=3, random_state=0)
        assert (found.param, found.values) == ("budget", (0, 3, 8, 40))
        assert all(point.cost <= point.value for point in found)
        assert found.columns["n_tests"][0] == 0
    with pytest.raises(TypeError, match="Give one of them"):
        tw.frontier(model, X, y, budget=[1], param="max_depth", values=[2])
    with pytest.raises(ValueError, match="single trees"):
        tw.frontier(tw.algorithm("bagging", costs=costs), X, y, budget=[1])
    with pytest.raises(ValueError, match="budget"):
        tw.frontier(tw.algorithm("c45", costs=costs), X, y, budget=[-1], cv=3)


def priced_table(n=120):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(n, 3))
    return X, np.where(X[:, 0] + 0.4 * rng.normal(size=n) > 0.3, "sick", "well")


PRICED_BILL = tw.Costs({0: 2, 1: 3, 2: 4}, errors_default=40)


@pytest.mark.parametrize("cost", ["sequential", "upfront"])
def test_the_first_line_is_the_row_that_is_called_cheapest(cost):
    X, y = priced_table(121)  # folds of different sizes: means of folds are not the mean of cases
    model = tw.CostTreeClassifier("csgain", costs=PRICED_BILL)
    found = tw.frontier(model, X, y, cv=7, random_state=0, cost=cost)
    said, number = found.verdict(), found.cheapest_number()
    assert said.cost == found.bills[number] == found.bills.min()
    if cost == "upfront":
        paid = found.columns["upfront_cost"][number]
        assert said.cost == pytest.approx(paid + found.contenders[number].error_cost.mean())


def test_one_split_and_repeated_ones_have_intervals():
    X, y = priced_table()
    model = tw.CostTreeClassifier("csgain", costs=PRICED_BILL.replace(today=[0]))
    rows = np.arange(120)
    one = tw.frontier(model, X, y, cv=[(rows[:80], rows[80:])]).verdict()
    assert 0 <= one.interval.low < one.cost < one.interval.high <= 49
    assert str(one).endswith("Of cases held out.")
    twice = tw.frontier(model, X, y, cv=RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0))
    assert [one.judged for one in twice.contenders] == pytest.approx([1 / 3] * len(twice))


def test_a_today_that_cannot_be_found_is_left_out_with_its_reason():
    X, y = priced_table()
    costs = PRICED_BILL.replace(today={"model": "nowhere.json"})
    found = tw.frontier(tw.CostTreeClassifier("csgain", costs=costs), X, y, cv=3, random_state=0)
    assert (found.today, found.verdict().against_today) == (None, None)
    assert "today is left out: " in " ".join(str(found).split())


def test_a_tree_that_is_fitted_value_by_value_has_its_leaves():
    X, y = priced_table()
    found = tw.frontier(tw.ThriftClassifier(PRICED_BILL, leaves="class"), X, y, budget=[0, 9], cv=3)
    assert found.columns["n_leaves"].tolist() == [model.tree_.n_leaves for model in found.models]
