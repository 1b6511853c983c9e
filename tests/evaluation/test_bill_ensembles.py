"""Bills of ensembles: every test that any model asks, each once."""

import math

import numpy as np
import pytest
from ensembles.learners import TWO_CLASSES, made, mixed_table
from sklearn.linear_model import LogisticRegression

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
    assert "all tests of the ensemble, upfront" in str(bill)


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
    with pytest.raises(TypeError, match="bill of an ensemble, which has no tree"):
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
