"""Bills of ensembles: every test that any model asks, each once."""

import math

import numpy as np
import polars as pl
import pytest
from ensembles.learners import TWO_CLASSES, made, mixed_table
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import thriftwood as tw

ERRORS = {"ill": {"well": 10}, "well": {"ill": 1}}
PRICES = tw.Costs(
    {
        "age": 1,
        "kind": tw.Test(4, needs=["visit"]),
        "noise": tw.Test(2, needs=["visit"]),
    },
    {"visit": 3},
    errors=ERRORS,
)


@pytest.mark.parametrize(
    "name", [name for name in TWO_CLASSES if name not in ("metacost", "lp-csb", "b-lot")]
)
def test_a_case_pays_for_the_union_of_what_the_trees_ask(name):
    X, y = mixed_table()
    model = made(name, PRICES).fit(X, y)
    bill = tw.bill(model, X, y)
    singles = [tw.bill(tree, X, y, PRICES).per_case["tests"] for tree in model.estimators_]
    for case in range(len(y)):
        asked = set().union(*(single[case] for single in singles))
        assert set(bill.per_case["tests"][case]) == asked
        assert bill.test_cost[case] == pytest.approx(PRICES.total(sorted(asked)))
    answers = model.predict(X)
    assert bill.total_error_cost == sum(ERRORS[a].get(p, 0) for a, p in zip(y, answers, strict=True))
    assert bill.accuracy == pytest.approx((answers == y).mean())
    used = set().union(*(tree.features_used for tree in model.estimators_))
    assert bill.upfront_cost == pytest.approx(PRICES.total(sorted(used)))
    assert "all tests of the model, upfront" in str(bill)


@pytest.mark.parametrize("name", TWO_CLASSES)
def test_paid_upfront_every_case_pays_the_same(name):
    X, y = mixed_table()
    model = made(name, PRICES).fit(X, y)
    bill = tw.bill(model, X, y, PRICES.replace(payment="upfront"))
    assert np.unique(bill.test_cost).tolist() == [bill.upfront_cost]
    assert tw.bill(model, X, y).test_cost.max() <= bill.upfront_cost


def test_other_models_are_asked_for_all_columns():
    X, y = mixed_table()
    X = X[["age", "noise"]].fillna(50.0)
    costs = PRICES.only(X.columns)
    model = made("costing", costs, estimator=LogisticRegression()).fit(X, y)
    bill = tw.bill(model, X, y)
    assert set(bill.test_cost) == {costs.total(["age", "noise"])}
    assert set(bill.by_test["test"]) == {"age", "noise"}


def test_scorers_grids_and_missing_truth():
    X, y = mixed_table()
    model = made("b-pet", PRICES).fit(X, y)
    assert tw.cost_scorer(model, X, y) == -tw.bill(model, X, y).mean_cost
    assert tw.bill(model, X).mean_error_cost is None
    with pytest.raises(TypeError, match="no single tree of thriftwood"):
        _ = tw.bill(model, X, y).tree
    with pytest.raises(ValueError, match="is not fitted yet"):
        tw.bill(made("b-pet", PRICES), X, y)
    with pytest.raises(ValueError, match="agee"):
        tw.bill(model, X, y, tw.Costs({"agee": 1}))


def test_ensembles_and_trees_are_compared_on_the_same_folds():
    X, y = mixed_table()
    names = ["c45", "metacost", "csb2", "b-lot", "lp-csb"]
    models = {name: made(name, PRICES) if name in TWO_CLASSES else tw.algorithm(name) for name in names}
    ranking = tw.compare(models, X, y, PRICES, cv=3)
    assert {contender.name for contender in ranking} == set(names)
    again = tw.compare(models, X, y, PRICES, cv=3, n_jobs=2)
    leaves = {contender.name: contender.n_leaves for contender in ranking}
    assert math.isnan(leaves["b-lot"])
    assert leaves["csb2"] > leaves["c45"]
    for one, other in zip(ranking, again, strict=True):
        np.testing.assert_array_equal(one.cost, other.cost)
    assert "nan" not in str(ranking)
    own = next(contender for contender in ranking if contender.name == "csb2")
    held = own.fold == 0
    model = made("csb2", PRICES).fit(X[~held], y[~held])
    assert own.cost[held].sum() == pytest.approx(tw.bill(model, X[held], y[held]).total_cost)


def test_who_takes_two_classes_only_is_left_out():
    X, y = mixed_table(n_classes=3)
    ranking = tw.compare(["adacost", "csb0"], X, y, tw.Costs(errors_default=1), cv=2)
    assert [contender.name for contender in ranking] == ["csb0"]
    assert "Only binary classification" in ranking.refused["adacost"]


def test_a_case_pays_a_forest_for_the_union_of_what_its_trees_ask():
    X, y = mixed_table()
    forest = tw.CostForestClassifier(5, costs=PRICES, random_state=0).fit(X, y)
    bill = tw.bill(forest, X, y)
    singles = [tw.bill(tree, X, y, PRICES).per_case["tests"] for tree in forest.trees_]
    for case in range(len(y)):
        asked = set().union(*(single[case] for single in singles))
        assert bill.test_cost[case] == pytest.approx(PRICES.total(sorted(asked)))
    answers = forest.predict(X)
    assert bill.total_error_cost == sum(ERRORS[a].get(p, 0) for a, p in zip(y, answers, strict=True))
    assert tw.cost_scorer(forest, X, y) == -bill.mean_cost
    by_row = cross_validate(forest, X, y, scoring=tw.cost_scorer, cv=2, error_score="raise")
    assert (by_row["test_score"] < 0).all()
    with pytest.raises(ValueError, match="is not fitted yet"):
        tw.bill(tw.CostForestClassifier(costs=PRICES), X, y)


def test_forests_are_compared_with_trees():
    X, y = mixed_table()
    ranking = tw.compare(
        {"forest": tw.CostForestClassifier(3), "tree": tw.CostTreeClassifier()}, X, y, PRICES
    )
    leaves = {contender.name: contender.n_leaves for contender in ranking}
    assert leaves["forest"] > leaves["tree"] > 1


INSIDE = [
    tw.CostTreeClassifier(growth=tw.Growth(max_depth=2)),
    tw.CostForestClassifier(3, random_state=0),
    make_pipeline("passthrough", tw.CostTreeClassifier(growth=tw.Growth(max_depth=2))),
    tw.CheapestAnswer(tw.CostTreeClassifier(growth=tw.Growth(max_depth=2))),
]


@pytest.mark.parametrize("calibration", [None, "sigmoid"])
@pytest.mark.parametrize("inside", INSIDE)
def test_the_cheapest_answer_is_billed_for_the_tests_of_its_classifier(inside, calibration):
    X, y = mixed_table()
    rule = tw.CheapestAnswer(inside, PRICES, calibration=calibration, cv=3).fit(X, y)
    bill, asked = tw.bill(rule, X, y), tw.bill(clone(inside).fit(X, y), X, y, PRICES)
    np.testing.assert_array_equal(bill.test_cost, asked.test_cost)
    answers = rule.predict(X)
    assert bill.total_error_cost == sum(ERRORS[a].get(p, 0) for a, p in zip(y, answers, strict=True))
    assert bill.total_error_cost != asked.total_error_cost
    assert bill.per_case.index.tolist() == X.index.tolist()
    assert tw.cost_scorer(rule, X, y) == -bill.mean_cost


def test_the_cheapest_answer_has_the_prices_of_its_classifier_unless_it_names_its_own():
    X, y = mixed_table()
    tree = tw.CostTreeClassifier("eg2", costs=PRICES.replace(errors=None))
    rule = tw.CheapestAnswer(tree, tw.Costs(errors=ERRORS)).fit(X, y)
    assert tw.bill(rule, X, y).mean_cost == tw.bill(rule, X, y, PRICES).mean_cost
    alone = tw.CheapestAnswer(tree).fit(X, y)
    assert tw.bill(alone, X, y).mean_test_cost == tw.bill(rule, X, y).mean_test_cost > 0
    dearer = tw.CheapestAnswer(tree, PRICES.replace(tests={"age": 100})).fit(X, y)
    assert tw.bill(dearer, X, y).mean_test_cost == 100


def test_the_cheapest_answer_of_another_classifier_is_billed_for_all_columns():
    X, y = mixed_table()
    X = X[["age", "noise"]].fillna(50.0)
    rule = tw.CheapestAnswer(LogisticRegression(), PRICES.only(X.columns))
    with pytest.raises(ValueError, match="This CheapestAnswer is not fitted yet"):
        tw.bill(rule, X, y)
    bill = tw.bill(rule.fit(X, y), X, y)
    assert set(bill.test_cost) == {PRICES.total(["age", "noise"])}
    answers = rule.predict(X)
    assert bill.total_error_cost == sum(ERRORS[a].get(p, 0) for a, p in zip(y, answers, strict=True))


@pytest.mark.parametrize("name", ["b-pet", "b-lot", "csb2", "lp-csb"])
@pytest.mark.parametrize("payment", ["sequential", "upfront"])
def test_what_may_be_asked_does_not_depend_on_what_these_cases_lack(name, payment):
    X, y = mixed_table()
    model = made(name, PRICES).fit(X, y)
    costs = PRICES.replace(charge_missing=False, payment=payment)
    nothing = X.iloc[:2].assign(age=np.nan, kind=None, noise=np.nan)
    bill = tw.bill(model, nothing, y[:2], costs)
    assert bill.upfront_cost == tw.bill(model, X, y).upfront_cost > 0
    assert bill.test_cost.tolist() == [0.0, 0.0]


def frames():
    X, y = mixed_table()
    X = X.assign(kind=X["kind"].map({"a": 0.0, "b": 1.0, "c": 2.0}))
    return [X, X.to_numpy(), X.to_numpy().tolist(), pl.from_pandas(X)], y


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("name", ["csb2", "costing", "metacost", "lp-csb"])
def test_models_of_others_are_not_charged_for_values_that_are_missing(name, number):
    tables, y = frames()
    X, lacks = tables[number], np.isnan(tables[1])
    costs = tw.Costs({"age": 1, "kind": 4, "noise": 2}, errors=ERRORS, charge_missing=False)
    if number in (1, 2):
        costs = costs.replace(tests={"x0": 1, "x1": 4, "x2": 2})
    model = made(name, costs, estimator=DecisionTreeClassifier(max_depth=2), n_estimators=2).fit(X, y)
    np.testing.assert_array_equal(tw.bill(model, X, y).test_cost, ~lacks @ [1.0, 4.0, 2.0])
    everything = tw.bill(model, X, y, costs.replace(charge_missing=True))
    assert set(everything.test_cost) == {7.0}
