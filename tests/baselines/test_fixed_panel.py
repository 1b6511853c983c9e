"""The best fixed panel: which tests are chosen, what they cost, and odd tables."""

import itertools
import time

import numpy as np
import pandas as pd
import pytest

import thriftwood as tw
from thriftwood.baselines import fixed_panel


def table(n=300, n_features=6, seed=0):
    """The first two columns tell the class, the first better; the others nothing."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_features))
    return X, np.where(X[:, 0] + 0.7 * X[:, 1] + 0.4 * rng.normal(size=n) > 0, "sick", "well")


def prices(n_features=6, price=1.0, error=30.0):
    return tw.Costs({f"x{j}": price for j in range(n_features)}, errors_default=error)


def test_tests_that_tell_are_bought_and_others_are_not():
    X, y = table()
    model = tw.algorithm("fixed-panel", costs=prices()).fit(X, y)
    assert model.panel_ == ("x0", "x1")
    bill = tw.bill(model, *table(seed=1))
    assert set(bill.test_cost) == {2.0}
    everything = tw.algorithm("everything", costs=prices()).fit(X, y)
    assert bill.mean_cost < tw.bill(everything, *table(seed=1)).mean_cost
    assert [step.added for step in model.steps_[:3]] == [(), ("x0",), ("x1",)]
    assert model.steps_[2].cost == pytest.approx(bill.mean_cost, abs=1.5)
    assert repr(model.steps_[1]).startswith("<+ x0: ")


def test_a_dear_test_is_bought_only_if_mistakes_are_dear():
    X, y = table()
    for error, panel in ((3.0, ()), (3000.0, ("x0", "x1"))):
        costs = prices(price=2.0, error=error)
        model = tw.FixedPanelClassifier(costs).fit(X, y)
        assert set(panel) <= set(model.panel_)
        assert bool(panel) == bool(model.panel_)


def test_where_nothing_pays_it_is_the_constant():
    X, y = table()
    costs = prices(price=100.0)
    model, nobody = (tw.algorithm(name, costs=costs).fit(X, y) for name in ("fixed-panel", "nobody"))
    assert model.panel_ == ()
    assert (model.predict(X) == nobody.predict(X)).all()
    assert np.allclose(model.predict_proba(X), nobody.predict_proba(X))
    assert tw.bill(model, X, y).mean_cost == tw.bill(nobody, X, y).mean_cost


def test_free_columns_are_always_in():
    X, y = table()
    costs = prices().replace(tests={"x0": 1, "x1": 1, "x2": 0, "x3": 0, "x4": 100, "x5": 100})
    assert tw.FixedPanelClassifier(costs).fit(X, y).panel_ == ("x0", "x1", "x2", "x3")
    assert len(tw.FixedPanelClassifier().fit(X, y).panel_) == 6


def test_tests_with_a_common_resource_come_together():
    """Neither blood test pays for the draw alone; both together do."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    y = np.where(X[:, 0] + X[:, 1] > 0, "sick", "well")
    errors = {"errors_default": 20.0}
    blood = {f"x{j}": tw.Test(0.5, needs=["draw"]) for j in (0, 1)}
    model = tw.FixedPanelClassifier(tw.Costs(blood | {"x2": 1, "x3": 1}, {"draw": 5.5}, **errors)).fit(X, y)
    assert model.panel_ == ("x0", "x1")
    assert tw.bill(model, X, y).mean_test_cost == 6.5
    grouped = {f"x{j}": tw.Test(6, group="lab", after=0.5) for j in (0, 1)}
    model = tw.FixedPanelClassifier(tw.Costs(grouped | {"x2": 1, "x3": 1}, **errors)).fit(X, y)
    assert model.panel_ == ("x0", "x1")
    assert model.steps_[1].added == ("x0", "x1")
    assert tw.bill(model, X, y).mean_test_cost == 6.5


def test_the_first_step_is_the_best_of_all():
    X, y = table(120, 4)
    costs = tw.Costs({"x0": 4, "x1": 1, "x2": 0.5, "x3": 2}, errors_default=10)
    model = tw.FixedPanelClassifier(costs).fit(X, y)
    first = model.steps_[1]
    alone = {}
    for j in range(4):
        dear = {f"x{k}": 1e6 for k in range(4) if k != j}
        others = costs.replace(tests={**costs.tests, **dear})
        alone[f"x{j}"] = tw.FixedPanelClassifier(others).fit(X, y).steps_[1].cost
    assert first.added == (min(alone, key=alone.get),)
    assert first.cost == pytest.approx(min(alone.values()))


def test_missing_values_that_are_free_are_not_charged():
    X, y = table()
    X[::2, 1] = np.nan
    model = tw.FixedPanelClassifier(prices().replace(charge_missing=False)).fit(X, y)
    assert "x1" in model.panel_
    assert sorted(set(tw.bill(model, X, y).test_cost)) == [len(model.panel_) - 1, len(model.panel_)]


def test_a_budget_is_kept():
    X, y = table()
    costs = prices(error=1000)
    assert len(tw.FixedPanelClassifier(costs, budget=1).fit(X, y).panel_) == 1
    assert tw.FixedPanelClassifier(costs, budget=0.5).fit(X, y).panel_ == ()
    points = tw.frontier(tw.FixedPanelClassifier(costs), X, y, budget=[0.5, 1, 2], cv=3).points
    assert points["sequential_cost"].tolist() == pytest.approx([0, 1, 2])
    with pytest.raises(ValueError, match="FixedPanelClassifier has a budget, the most that a case may pay"):
        tw.FixedPanelClassifier(budget=2).fit(X, y)


def test_costs_by_row_choose_the_tests():
    """What x2 tells matters to the rich alone, what x0 tells to nobody."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    rich = X[:, 1] > 0.8
    y = np.where(rich, X[:, 2] > 0, X[:, 0] > 0).astype(int)
    rows = np.zeros((400, 2))
    rows[np.arange(400), 1 - y] = np.where(rich, 50.0, 0.01)
    model = tw.FixedPanelClassifier(tw.Costs({"x0": 1, "x1": 1, "x2": 1})).fit(X, y, error_costs=rows)
    assert "x2" in model.panel_
    assert "x0" not in model.panel_
    bill = tw.bill(model, X, y, error_costs=rows)
    assert bill.mean_cost < bill.untested_cost


def test_frames_with_text_and_missing_values():
    X, y = table()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    frame["kind"] = np.where(y == "sick", "bad", "good")
    frame.loc[::3, "kind"] = None
    costs = tw.Costs({"kind": 1}, default_price=5, errors_default=12)
    model = tw.FixedPanelClassifier(costs).fit(frame, y)
    assert model.panel_ == ("kind",)
    shuffled = frame[frame.columns[::-1]]
    assert (model.predict(shuffled) == model.predict(frame)).all()
    assert len(model.predict(frame.assign(kind="worse"))) == 300


def test_the_same_seed_gives_the_same_panel_and_weight_0_is_not_there():
    X, y = table()
    first, second = (tw.FixedPanelClassifier(prices(), random_state=3).fit(X, y) for _ in range(2))
    assert first.steps_ == second.steps_
    assert np.array_equal(first.predict_proba(X), second.predict_proba(X))
    weights = np.ones(400)
    weights[300:] = 0
    noise = np.random.default_rng(9).normal(size=(100, 6))
    longer = tw.FixedPanelClassifier(prices(), random_state=3).fit(
        np.vstack([X, noise]), np.concatenate([y, ["sick"] * 100]), sample_weight=weights
    )
    assert longer.steps_ == first.steps_
    assert np.allclose(longer.predict_proba(X), first.predict_proba(X))


def test_a_sample_of_many_cases_chooses(monkeypatch):
    X, y = table(1000)
    monkeypatch.setattr(fixed_panel, "MOST_CASES", 200)
    model = tw.FixedPanelClassifier(prices()).fit(X, y)
    assert model.panel_ == ("x0", "x1")


@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[1.0]], ["a"]),
        ([[1.0], [2.0]], ["a", "b"]),
        ([[1.0], [2.0], [3.0]], ["a", "a", "a"]),
        ([[np.nan], [np.nan], [1.0]], ["a", "b", "a"]),
        ([["x"], ["y"]], [1, 2]),
    ],
)
def test_small_tables_get_an_answer(X, y):
    model = tw.FixedPanelClassifier(tw.Costs({}, default_price=1, errors_default=5)).fit(X, y)
    assert set(model.predict(X)) <= set(y)
    assert np.isfinite(model.predict_proba(X)).all()


def test_several_classes():
    X, _ = table()
    y = np.digitize(X[:, 3], [-0.6, 0.6])
    model = tw.FixedPanelClassifier(prices()).fit(X, y)
    assert model.panel_ == ("x3",)
    assert model.score(X, y) > 0.8


def test_it_is_quick():
    """300 cases of 20 columns: two seconds at most, of which the best of two runs takes a fraction."""
    X, y = table(300, 20)
    took = []
    for _ in itertools.repeat(None, 2):
        begun = time.perf_counter()
        tw.FixedPanelClassifier(prices(20, 0.1)).fit(X, y)
        took.append(time.perf_counter() - begun)
    assert min(took) < 2.0


@pytest.mark.parametrize("wrong", [{"folds": 1}, {"budget": -1}, {"random_state": "x"}, {"costs": 3}])
def test_wrong_parameters_are_named(wrong):
    with pytest.raises((ValueError, TypeError), match=next(iter(wrong))):
        tw.FixedPanelClassifier(**wrong).fit(*table(30))
