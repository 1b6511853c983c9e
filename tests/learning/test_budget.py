"""Budgets: no case of any table pays more for tests, whoever learnt the tree."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thriftwood as tw

LEARNERS = {
    **{name: {} for name in ("id3", "c45", "cart", "c45cs", "cs-id3", "eg2", "idx", "pm")},
    **{name: {} for name in ("min-total-cost", "cstree")},
    **{name: {"gamma": 0.001} for name in ("mitchell", "csgain", "csgain-ratio")},
    **{name: {"r": 2} for name in ("lsid3", "act")},
    "lasc": {},
    "optimal": {"max_depth": 3},
    "gated": {"min_cases": 20, "margin": 0.5},
    "thrift": {"folds": 2},
    "icet": {"trials": 30, "population": 10},
    "ecco": {"trials": 60, "population": 10, "depth": 3},
}
WAYS = ("fractional", "surrogate", "branch", "stay", "majority")


def random_costs(rng, n_features, upfront=False):
    """Prices with groups, delays, shared steps and free tests."""
    tests = {}
    for feature in range(n_features):
        price = float(rng.choice([0, 1, 2, 3, 5, 0.1]))
        grouped = rng.random() < 0.5
        tests[f"x{feature}"] = tw.Test(
            price,
            needs=[str(name) for name in ("blood", "room") if rng.random() < 0.3],
            group="ab"[int(rng.integers(2))] if grouped else None,
            after=float(rng.random() * price) if grouped else None,
            delayed=bool(rng.random() < 0.25),
        )
    return tw.Costs(
        tests,
        {"blood": 2, "room": float(rng.choice([0, 3]))},
        errors_default=20,
        payment="upfront" if upfront else "sequential",
        charge_missing=bool(rng.random() < 0.5),
    )


def random_table(rng, n_rows, n_features, holes):
    """Numbers of which some are missing, and classes that several of them decide."""
    X = rng.normal(size=(n_rows, n_features)).round(1)
    bits = (X[:, :3] > 0).astype(int)
    y = (bits[:, 0] ^ bits[:, 1]) + bits[:, 2] * (rng.random(n_rows) < 0.8)
    X[rng.random(X.shape) < holes] = np.nan
    return X, y


def dearest(model, X):
    """What the dearest case pays, in a table of other cases with other holes."""
    return tw.bill(model, X).test_cost.max()


def fitted(name, costs, budget, X, y, **others):
    seed = {} if name == "optimal" else {"random_state": 0}
    model = tw.algorithm(name, costs=costs, budget=budget, **seed, **LEARNERS[name], **others)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that no test is within the budget, and the like
        return model.fit(X, y)


@pytest.mark.parametrize("name", LEARNERS)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=12, deadline=None)
def test_no_case_of_any_table_pays_more(name, seed):
    rng = np.random.default_rng(seed)
    costs = random_costs(rng, 5, upfront=name not in ("optimal", "gated", "thrift") and rng.random() < 0.3)
    X, y = random_table(rng, 60, 5, holes=0.15 if rng.random() < 0.7 else 0)
    others = {}
    if name in ("c45", "cart", "eg2", "id3", "idx", "lsid3", "act"):
        others = {"missing": str(rng.choice(WAYS)), "nominal": "binary"}
        others |= {"order": str(rng.choice(["depth", "best"]))}
    budget = float(rng.choice([0, 1, 2.5, 4, 6, 9]))
    model = fitted(name, costs, budget, X, y, **others)
    elsewhere, _ = random_table(rng, 300, 5, holes=0.4)
    for table in (X, elsewhere):
        assert dearest(model, table) <= budget * (1 + 1e-9)


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_a_budget_that_pays_for_everything_changes_nothing(seed):
    rng = np.random.default_rng(seed)
    costs = random_costs(rng, 4)
    X, y = random_table(rng, 50, 4, holes=0.1)
    for name in ("c45", "eg2", "lasc"):
        free = tw.algorithm(name, costs=costs).fit(X, y)
        assert fitted(name, costs, 1000, X, y).tree_.text() == free.tree_.text()


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_threads_do_not_change_the_tree(n_jobs):
    rng = np.random.default_rng(0)
    costs, (X, y) = random_costs(rng, 5), random_table(rng, 4000, 5, holes=0.1)
    one, many = (fitted("c45", costs, 5, X, y, n_jobs=jobs) for jobs in (1, n_jobs))
    assert one.tree_.text() == many.tree_.text()


def test_a_test_bought_on_the_path_is_asked_again():
    X = np.arange(40.0).reshape(-1, 1)
    y = (X[:, 0] // 10).astype(int) % 2
    model = tw.algorithm("c45", costs=tw.Costs({"x0": 3}), budget=3, pruning=None).fit(X, y)
    assert (model.get_n_leaves(), dearest(model, X)) == (4, 3.0)


def test_what_a_group_makes_cheaper_comes_within_the_budget():
    rng = np.random.default_rng(1)
    X = rng.random((200, 2)).round(2)
    y = (X[:, 0] > 0.5).astype(int) * 2 + (X[:, 1] > 0.5)
    tests = {"x0": tw.Test(1, group="g", after=0), "x1": tw.Test(10, group="g", after=2)}
    grown = tw.CostTreeClassifier("entropy", costs=tw.Costs(tests), growth=tw.Growth(budget=3)).fit(X, y)
    assert (grown.tree_.features_used, dearest(grown, X)) == (("x0", "x1"), 3.0)
    # Where x0 may be missing for nothing, x1 costs 10 for whoever lacks it.
    free = tw.Costs(tests, charge_missing=False)
    grown = tw.CostTreeClassifier("entropy", costs=free, growth=tw.Growth(budget=3)).fit(X, y)
    assert grown.tree_.features_used == ("x0",)


def test_below_a_delayed_test_branches_spend_together():
    rng = np.random.default_rng(1)
    X = (rng.random((400, 3)) < 0.5).astype(float)
    y = np.where(X[:, 0] > 0, X[:, 1], X[:, 2]).astype(int) + 2 * X[:, 0].astype(int)
    tests = {"x0": tw.Test(1, delayed=True), "x1": 1, "x2": 1}
    for budget, used in ((1, ("x0",)), (2, ("x0", "x2")), (3, ("x0", "x2", "x1"))):
        model = tw.CostTreeClassifier("entropy", costs=tw.Costs(tests), growth=tw.Growth(budget=budget))
        assert model.fit(X, y).tree_.features_used == used
        assert dearest(model, X) == budget


def test_surrogates_that_would_cost_more_are_not_used():
    rng = np.random.default_rng(0)
    x = rng.random(200)
    X = np.column_stack([x, x + rng.normal(size=200) / 20, x + rng.normal(size=200) / 20])
    X[rng.random(200) < 0.2, 0] = np.nan
    y = (x > 0.5).astype(int)
    costs = tw.Costs({"x0": 0, "x1": 1, "x2": 1})
    growth = tw.Growth(1, missing="surrogate")
    for budget, asked in ((None, {"x0", "x1", "x2"}), (1, {"x0", "x2"})):
        model = tw.CostTreeClassifier(costs=costs, growth=growth).set_params(growth__budget=budget).fit(X, y)
        assert set(model.tree_.features_asked) == asked


def test_a_regression_tree_keeps_to_it():
    rng = np.random.default_rng(0)
    X = rng.random((100, 4))
    costs = tw.Costs({f"x{j}": 1 for j in range(4)})
    model = tw.CostTreeRegressor(costs=costs, growth=tw.Growth(budget=2)).fit(X, X.sum(axis=1))
    assert dearest(model, X) == 2


def test_a_budget_below_every_price_is_a_constant_with_a_warning():
    X, y = [[1, 5], [2, 6], [3, 7]], ["no", "no", "yes"]
    model = tw.algorithm("id3", costs=tw.Costs({"x0": 4, "x1": 3}), budget=2)
    with pytest.warns(UserWarning, match=r"No test is within the budget of 2: the cheapest, 'x1', costs 3\."):
        model.fit(X, y)
    assert model.predict(X).tolist() == ["no"] * 3


def test_a_budget_below_every_price_is_told_where_columns_are_free():
    X, y = [[1, 5], [2, 6], [3, 7], [4, 8]] * 5, ["a", "a", "b", "b"] * 5
    said = (
        r"No test that costs anything is within the budget of 5: the cheapest of those, 'x1', costs 20\. "
        "So it asks for nothing that costs"
    )
    for name in ("optimal", "eg2"):
        model = tw.algorithm(name, budget=5, costs=tw.Costs({"x1": 20}, errors_default=100))
        with pytest.warns(UserWarning, match=said):
            model.fit(X, y)
        assert model.tree_.features_used == ("x0",)


@pytest.mark.parametrize("budget", [-1, float("nan"), "much", [3]])
def test_a_budget_that_is_none_is_named(budget):
    for name in ("c45", "optimal", "ecco"):
        with pytest.raises(ValueError, match="budget"):
            tw.algorithm(name, costs=tw.Costs({"x0": 1}), budget=budget).fit([[1], [2]], [0, 1])


@pytest.mark.parametrize("name", ["c45", "ecco", "icet"])
def test_a_budget_needs_prices(name):
    for costs in (None, tw.Costs(errors_default=3)):
        with pytest.raises(ValueError, match=r"has a budget, the most that a case may pay for tests, but"):
            tw.algorithm(name, costs=costs, budget=3).fit([[1], [2]], [0, 1])


def test_trees_that_are_asked_together_have_none_of_their_own():
    costs = tw.Costs({"x0": 1})
    with pytest.raises(ValueError, match=r"has no setting 'budget'.*they pay together.*budget=\.\.\."):
        tw.algorithm("bagging", costs=costs, budget=3)
    base = tw.algorithm("c45", costs=costs, budget=3)
    for name in ("bagging", "boosting", "costing"):
        with pytest.raises(ValueError, match="they pay together"):
            tw.algorithm(name, estimator=base, costs=costs.replace(errors_default=1)).fit([[1], [2]], [0, 1])
    model = tw.algorithm("metacost", estimator=base, costs=costs.replace(errors_default=1), random_state=0)
    assert model.fit([[1], [2]] * 5, [0, 1] * 5).tree_.depth <= 1  # one tree answers


@pytest.mark.parametrize("name", ["c45", "gated", "optimal", "thrift", "min-total-cost", "ecco"])
def test_an_infinite_budget_is_no_limit(name):
    data = tw.load_dataset("golf-nominal")
    costs = data.costs.replace(errors_default=20)
    more = {"trials": 50, "random_state": 0} if name == "ecco" else {}
    free = tw.algorithm(name, costs=costs, **more).fit(data.X, data.y)
    without_limit = tw.algorithm(name, costs=costs, budget=np.inf, **more).fit(data.X, data.y)
    assert without_limit.tree_ == free.tree_
    assert "inf" not in str(without_limit.tree_)
    plain, billed = tw.bill(free, data.X, data.y), tw.bill(free, data.X, data.y, budget=np.inf)
    assert str(plain) == str(billed)
    assert billed.budget is billed.stopped is None
    assert free.tree_.consult(budget=np.inf).next_test == free.tree_.consult().next_test


def test_an_infinite_budget_needs_no_prices_and_may_be_in_an_ensemble_or_a_frontier():
    data = tw.load_dataset("golf-nominal")
    tw.algorithm("c45", budget=np.inf).fit(data.X, data.y)
    bagged = tw.algorithm("bagging", estimator=tw.algorithm("c45", budget=np.inf), bags=2, random_state=0)
    bagged.fit(data.X, data.y)
    model = tw.algorithm("c45", costs=data.costs.replace(errors_default=20))
    assert len(tw.frontier(model, data.X, data.y, budget=[2, np.inf], cv=2).points) == 2
