"""Score cards are learnt: the weights are those of a peer, panels pay, stages are the cheapest there are."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import thriftwood as tw
from thriftwood.learning.scores.basis import Basis, card_of
from thriftwood.learning.scores.logistic import logistic
from thriftwood.learning.scores.panels import Cases, Panel, Prices
from thriftwood.learning.scores.stages import Planner
from thriftwood.models.score_card import chances

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_weights_are_those_of_scikit_learn(n_classes):
    columns = np.hstack([np.ones((200, 1)), RNG.normal(size=(200, 4))])
    labels = RNG.integers(0, n_classes, 200).astype(np.int32)
    case_weights = RNG.integers(1, 4, 200).astype(float)
    peer = LogisticRegression(C=0.5, tol=1e-8, max_iter=1000)  # C = 1 / ridge
    peer.fit(columns[:, 1:], labels, sample_weight=case_weights)
    found = chances(columns @ logistic(columns, labels, n_classes, 2.0, case_weights))
    np.testing.assert_allclose(found, peer.predict_proba(columns[:, 1:]), atol=2e-3)


@pytest.mark.parametrize("weight", [1e20, 1e40])
def test_cases_may_weigh_so_much_that_a_ridge_is_rounded_away(weight):
    """The pieces of a number and their sum: without a ridge their weights are not determined."""
    pieces = RNG.normal(size=(200, 2))
    columns = np.hstack([np.ones((200, 1)), pieces, pieces.sum(axis=1, keepdims=True)])
    labels = (pieces[:, 0] + RNG.normal(size=200) > 0).astype(np.int32)
    heavy = chances(columns @ logistic(columns, labels, 2, 1.0, np.full(200, weight)))
    light = chances(columns @ logistic(columns, labels, 2, 1.0, np.full(200, 1e6)))
    np.testing.assert_allclose(heavy, light, atol=1e-3)


def test_a_number_counts_by_pieces_between_its_quantiles():
    values = np.arange(101.0)
    basis = Basis.learnt(0, values, 0, nominal=False)
    assert basis.at.tolist() == [0, 5, 35, 65, 95, 100]
    raw = basis.columns(np.array([20.0])) + basis.means
    assert raw.tolist() == [[1, 0.5, 0, 0, 0]]


def test_points_are_those_of_the_columns_that_were_learnt_from():
    values = np.where(RNG.random(300) < 0.1, np.nan, RNG.lognormal(size=300))
    names = RNG.integers(-1, 5, 300).astype(np.int32)
    bases = [Basis.learnt(0, values, 0, nominal=False), Basis.learnt(1, names, 5, nominal=True)]
    columns = np.hstack([np.ones((300, 1)), bases[0].columns(values), bases[1].columns(names)])
    weights = RNG.normal(size=(columns.shape[1], 1))
    card = card_of(bases, weights)
    # Rounded to whole points at each of three places.
    np.testing.assert_allclose(card.scores([values, names]), 100 * columns @ weights, atol=1.5 + 1e-9)


def test_that_a_value_is_missing_counts_where_all_others_are_alike():
    """A mark that is 1 or nothing, in a column of numbers."""
    values = np.where(RNG.random(300) < 0.4, np.nan, 1.0)
    basis = Basis.learnt(0, values, 0, nominal=False)
    weights = np.array([[0.2], [-3.0]])
    card = card_of([basis], weights)
    columns = np.hstack([np.ones((300, 1)), basis.columns(values)])
    np.testing.assert_allclose(card.scores([values]), 100 * columns @ weights, atol=1.5)
    assert card.scores([np.array([-7.0, 1.0, 7.0])]).tolist() == [card.scores([np.ones(1)])[0].tolist()] * 3


def test_a_test_that_tells_only_by_having_a_value_is_bought():
    rng = np.random.default_rng(0)
    sick = rng.random(600) < 0.4
    marked = rng.random(600) < np.where(sick, 0.15, 0.85)
    X = np.column_stack([np.where(marked, 1.0, np.nan), rng.normal(size=(600, 2))])
    costs = tw.Costs(dict.fromkeys(range(3), 1), errors_default=30)
    model = tw.ThriftClassifier(costs, leaves="score").fit(X, sick)
    assert model.model_.features_used == ("x0",)
    assert model.score(X, sick) > 0.8


def test_an_average_case_has_the_points_where_counting_begins():
    values = RNG.normal(size=400)
    basis = Basis.learnt(0, values, 0, nominal=False)
    assert np.abs(basis.columns(values).mean(axis=0)).max() < 1e-12
    assert basis.columns(np.array([np.nan])).tolist() == [[0.0] * basis.width]


def planned(n=40, n_panels=4, seed=1):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n).astype(np.int32)
    loss = np.array([[0.0, 9.0], [20.0, 0.0]])
    cases = Cases([], labels, 2, rng.integers(1, 3, n).astype(float), loss[labels], loss)
    path = []
    for number in range(n_panels):
        second = np.clip(0.5 + (labels - 0.5) * 0.3 * number + rng.normal(0, 0.25, n), 0.01, 0.99)
        path.append(Panel(tuple(range(number)), 0.3 * number, np.column_stack([1 - second, second])))
    return cases, path


def cheapest_limit(cases, path, first, second):
    """Try every limit between two stages; half of what answers cost counts, and half of what was expected."""
    expected = [panel.shares @ cases.loss for panel in (path[first], path[second])]
    rows = np.arange(len(cases.labels))
    mistakes = [0.5 * (cases.answer_costs[rows, one.argmin(1)] + one.min(1)) for one in expected]
    bills = []
    for stop in [-1.0, *expected[0].min(1)]:
        goes_on = expected[0].min(1) > stop
        bill = path[first].price + np.where(
            goes_on, path[second].price - path[first].price + mistakes[1], mistakes[0]
        )
        bills.append(cases.weights @ bill / cases.weights.sum())
    return min(bills)


@pytest.mark.parametrize("seed", range(5))
def test_the_limit_between_two_stages_is_the_cheapest(seed):
    cases, path = planned(seed=seed)
    planner = Planner(cases, path, [True] * len(path))
    for places in combinations(range(len(path)), 2):
        bills = planner.plan(places).bills
        assert np.isclose(cases.weights @ bills / cases.weights.sum(), cheapest_limit(cases, path, *places))


def test_a_panel_after_which_no_case_may_stop_is_no_early_stage():
    cases, path = planned(n=4000)
    plan = Planner(cases, path, [False] * len(path)).best()
    assert len(plan.places) == 1


def test_many_free_tests_that_each_tell_a_little_are_all_asked():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 32))
    y = X.sum(axis=1) + rng.normal(size=150) > 0
    costs = tw.Costs(dict.fromkeys(range(32), 0) | {0: 1000}, errors_default=10)
    model = tw.ThriftClassifier(costs, leaves="score").fit(X, y)
    assert model.model_.features_used == tuple(f"x{number}" for number in range(1, 32))


def test_tests_that_share_a_step_may_be_bought_together():
    lab = tw.Test(1, needs=["lab"])
    costs = tw.Costs({"a": lab, "b": lab, "c": 2}, shared={"lab": 9})
    prices = Prices(costs, ["a", "b", "c"], None)
    assert prices.purchases == [(0,), (1,), (2,), (0, 1)]
    assert prices.of((0, 1)) == 11


def test_a_test_that_most_cases_lack_is_no_dearer_than_what_they_pay_where_missing_values_are_free():
    lab = tw.Test(4, needs=["lab"])
    costs = tw.Costs({"a": lab, "b": lab, "c": 2}, shared={"lab": 9}, charge_missing=False)
    missing = np.array([[True, True, False], [True, False, True], [False, False, False]])
    prices = Prices(costs, ["a", "b", "c"], None, missing)
    assert prices.paid([1, 2, 0]).tolist() == [2, 13, 19]
    assert prices.paid([]) == 0
    assert prices.share_paid([0]) == pytest.approx(1 / 3)
    assert Prices(costs, ["a", "b", "c"], None).paid([1, 2, 0]) == 19


def test_cards_buy_what_few_cases_pay():
    """A fifth has a value, which tells all. That saves ten a case and costs twenty, four if it alone pays."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 1))
    y = X[:, 0] > 0
    X[rng.random(600) < 0.8] = np.nan
    costs = tw.Costs({"x0": 20}, errors_default=100, charge_missing=False)
    assert tw.ThriftClassifier(costs, leaves="score").fit(X, y).model_.features_used == ("x0",)
    assert tw.ThriftClassifier(costs.replace(charge_missing=True)).fit(X, y).model_.features_used == ()


def table(n=600, seed=0):
    """Six noisy measurements of one thing, which share a dear step, and a free column that tells nothing."""
    import pandas as pd

    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    X = pd.DataFrame({f"m{j}": y + rng.normal(0, 1.5, n) for j in range(6)})
    X["free"] = rng.choice(["u", "v"], n)
    X.loc[rng.random(n) < 0.1, "m0"] = np.nan
    tests = {f"m{j}": tw.Test(0.2, needs=["lab"]) for j in range(6)}
    return X, y, tw.Costs({**tests, "free": 0}, shared={"lab": 3}, errors_default=30)


def test_scores_use_all_that_was_paid_for():
    X, y, costs = table()
    new_X, new_y, _ = table(seed=1)
    bills = {
        leaves: tw.bill(tw.ThriftClassifier(costs, leaves=leaves).fit(X, y), new_X, new_y).mean_cost
        for leaves in ("class", "score", "auto")
    }
    assert bills["auto"] == bills["score"] < 0.95 * bills["class"] < 0.9 * 15


def test_cards_are_calibrated():
    X, y, costs = table(4000)
    new_X, new_y, _ = table(4000, seed=1)
    chance = tw.ThriftClassifier(costs, leaves="score").fit(X, y).predict_proba(new_X)[:, 1]
    for low in np.arange(0, 1, 0.2):
        rows = (chance >= low) & (chance < low + 0.2)
        assert abs(chance[rows].mean() - new_y[rows].mean()) < 0.05


def test_nobody_is_tested_where_no_test_pays():
    X, y, costs = table(200)
    model = tw.ThriftClassifier(costs.replace(errors_default=1), leaves="score").fit(X, y)
    assert model.cascade_.tests.tolist() == [X.columns.get_loc("free")] or not model.cascade_.tests.size
    assert tw.bill(model, X, y).total_test_cost == 0


def test_a_budget_is_kept():
    X, y, costs = table()
    model = tw.ThriftClassifier(costs, leaves="score", budget=3.5).fit(X, y)
    assert 0 < tw.bill(model, X, y).test_cost.max() <= 3.5


def test_cases_of_weight_zero_leave_no_trace():
    X, y, costs = table(300)
    weights = np.r_[np.ones(200), np.zeros(100)]
    odd = X.copy()
    odd.loc[200:, "m1"] = 1e9
    model = tw.ThriftClassifier(costs, leaves="score")
    stages = model.fit(odd, y, sample_weight=weights).cascade_.stages
    assert stages == model.fit(X[:200], y[:200]).cascade_.stages


def test_there_is_no_tree_where_scores_answer():
    X, y, costs = table(200)
    model = tw.ThriftClassifier(costs, leaves="score").fit(X, y)
    with pytest.raises(AttributeError, match="answers by score cards and has no tree"):
        model.fitted_tree  # noqa: B018
    assert "predict" in dir(model)
    assert not hasattr(model, "feature_importances_")
    assert "Thrift" in model._repr_html_()
    assert not hasattr(model.set_params(leaves="class").fit(X, y), "cascade_")


def test_what_leaves_may_be_is_said():
    X, y, costs = table(50)
    with pytest.raises(ValueError, match="'leaves' parameter of ThriftClassifier must be one of 'auto'"):
        tw.ThriftClassifier(costs, leaves="tree").fit(X, y)


def test_many_classes_with_costs_by_row():
    X, y, costs = table(300)
    three = y + (X["m5"] > 2)
    by_row = np.where(np.eye(3, dtype=bool)[three], 0.0, RNG.uniform(5, 50, size=(300, 1)))
    model = tw.ThriftClassifier(costs.replace(errors_default=None), leaves="score").fit(
        X, three, error_costs=by_row
    )
    assert set(model.predict(X)) <= {0, 1, 2}
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


def test_tests_of_a_set_that_tell_nothing_are_not_paid():
    X, y, costs = table()
    X["m5"] = 5.0
    model = tw.ThriftClassifier(costs, leaves="score").fit(X, y)
    assert "m5" not in model.cascade_.features_used
    counted = {feature for stage in model.cascade_.stages for feature in stage.card.features}
    assert set(model.cascade_.tests.tolist()) == counted


def test_a_budget_is_kept_whatever_is_missing_and_rounding_counts_for_nothing():
    X, y, _ = table()
    grouped = {"m0": tw.Test(1, group="g", after=1), "m1": tw.Test(10, group="g", after=2)}
    costs = tw.Costs({**grouped, "m2": 0.1, "m3": 0.2}, charge_missing=False, errors_default=100)
    X.loc[::2, "m0"] = np.nan
    four = X[["m0", "m1", "m2", "m3"]]
    for budget in (4, 0.3):
        model = tw.ThriftClassifier(costs, leaves="score", budget=budget).fit(four, y)
        assert 0 < tw.bill(model, four, y).test_cost.max() <= budget + 1e-9
    assert tw.bill(model, four, y).test_cost.max() == pytest.approx(0.3)


@pytest.mark.parametrize("scale", [1e-302, 5e-324, 1e-190, 1e300])
def test_numbers_of_any_size_are_taken(scale):
    X, y, costs = table(200)
    X["m0"] = np.where(y == 1, scale, -scale)
    model = tw.ThriftClassifier(costs, leaves="score").fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()


def test_learners_that_may_answer_by_scores_are_compared():
    X, y, costs = table(200)
    models = {"score": tw.ThriftClassifier(costs, leaves="score"), "thrift": tw.ThriftClassifier(costs)}
    found = tw.compare(models, X, y, costs, cv=2)
    assert len(found.contenders) == 2


def test_losses_that_a_test_tells_are_learnt_though_it_says_nothing_of_the_class():
    """Half of 100 or of 2, and half of the mean, 51: that is more than 40, or less."""
    rng = np.random.default_rng(0)
    large, defaults = np.tile([0, 0, 1, 1], 100), np.tile([0, 1], 200)
    X = np.column_stack([large, rng.normal(size=400)])
    losses = np.where(defaults[:, None] == 1, np.column_stack([np.where(large, 100, 2), 0 * large]), [0, 40])
    model = tw.ThriftClassifier(tw.Costs({"x0": 1, "x1": 1}), leaves="score")
    model.fit(X, defaults, error_costs=losses.astype(float))
    assert model.cascade_.features_used == ("x0",)
    assert model.predict([[0, 0.5], [1, 0.5]]).tolist() == [0, 1]


@pytest.mark.parametrize(("sick", "found", "alarms"), [(100, 92, 80), (120, 110, 40), (100, 95, 400)])
def test_a_test_that_tells_a_rare_class_is_bought(sick, found, alarms):
    """Steps that went too far where a chance is near 0 made such tests look worse than none."""
    cases = 2000
    positive = np.repeat([1.0, 0.0, 1.0, 0.0], [found, sick - found, alarms, cases - sick - alarms])
    y = np.repeat(["sick", "well"], [sick, cases - sick])
    costs = tw.Costs({"x0": 1}, errors={"sick": {"well": 800}, "well": {"sick": 60}})
    model = tw.ThriftClassifier(costs, leaves="score").fit(positive[:, None], y)
    by_hand = 1 + ((sick - found) * 800 + alarms * 60) / cases
    assert tw.bill(model, positive[:, None], y).mean_cost == pytest.approx(by_hand)
