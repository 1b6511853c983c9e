"""Scores by cost, bills of pipelines and searches, and the price of not testing at all."""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from evaluation.billed_trees import fitted, golf, mistakes
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.compose import make_column_transformer
from sklearn.exceptions import NotFittedError
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from thriftwood.costs import CostError, Costs
from thriftwood.evaluation import bill, cost_scorer
from thriftwood.learning import CostTreeClassifier, CostTreeRegressor, Growth

seeds = st.integers(0, 2**32 - 1)
NAMES = ["a", "b", "c"]
PRICES = Costs({"a": 1, "b": 5}, errors_default=10)


def measured(seed=0, n=120):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 3)), columns=NAMES, index=range(1000, 1000 + n))
    return X, np.where(X["a"] + X["b"] > 0, "yes", "no")


# The scorer


def test_the_score_is_minus_the_mean_cost():
    model, data = golf(costs=Costs({"Outlook": 4}, errors_default=20))
    assert cost_scorer(model, data.X, data.y) == pytest.approx(-bill(model, data.X, data.y).mean_cost)
    assert cost_scorer(model, data.X, data.y, costs=data.costs) == pytest.approx(-4.892857, abs=1e-6)
    weights = np.arange(14.0)
    weighted = bill(model, data.X, data.y, sample_weight=weights).mean_cost
    assert cost_scorer(model, data.X, data.y, sample_weight=weights) == -weighted


def test_a_search_chooses_the_cheapest_and_not_the_most_accurate():
    X, y = measured()
    # A mistake costs as much as test a: asking for b, which costs 5, is never worth it.
    model = CostTreeClassifier(costs=PRICES.replace(errors_default=2))
    grid = {"growth__max_depth": [1, 4]}
    by_cost = GridSearchCV(model, grid, scoring=cost_scorer, cv=3, error_score="raise").fit(X, y)
    by_accuracy = GridSearchCV(model, grid, cv=3).fit(X, y)
    assert by_cost.best_params_["growth__max_depth"] == 1
    assert by_accuracy.best_params_["growth__max_depth"] == 4
    assert by_cost.best_score_ < 0


def test_cross_validation_of_a_pipeline_with_other_prices():
    X, y = measured()
    steps = make_pipeline(StandardScaler().set_output(transform="pandas"), CostTreeClassifier(costs=PRICES))
    scores = {
        "own": cost_scorer,
        "paid": partial(cost_scorer, costs=Costs(default_price=1, errors_default=0)),
    }
    found = cross_validate(steps, X, y, scoring=scores, cv=3, error_score="raise")
    assert (found["test_own"] < 0).all()
    assert (found["test_paid"] >= -3).all()


def test_numbers_have_no_score_by_cost():
    model = CostTreeRegressor(costs=Costs({"x0": 1})).fit([[1.0], [2.0]], [1.0, 2.0])
    with pytest.raises(ValueError, match="no error costs"):
        cost_scorer(model, [[1.0]], [1.0])


# Pipelines and searches


def test_the_bill_of_a_pipeline_is_that_of_its_last_step():
    X, y = measured()
    steps = make_pipeline(
        SimpleImputer(), StandardScaler(), CostTreeClassifier(costs=PRICES, growth=Growth(max_depth=3))
    ).set_output(transform="pandas")
    steps.fit(X, y)
    whole, last = bill(steps, X, y), bill(steps[-1], steps[:-1].transform(X), y)
    assert whole.mean_cost == last.mean_cost
    assert set(whole.by_test.test) <= set(NAMES)
    assert whole.per_case.index.tolist() == X.index.tolist()
    assert whole.per_case.predicted.tolist() == steps.predict(X).tolist()
    assert bill(make_pipeline("passthrough", steps), X, y).mean_cost == whole.mean_cost  # one in another


def test_the_bill_of_a_search_is_that_of_its_best():
    X, y = measured()
    search = GridSearchCV(CostTreeClassifier(costs=PRICES), {"growth__max_depth": [1, 2]}, cv=3).fit(X, y)
    assert bill(search, X, y).mean_cost == bill(search.best_estimator_, X, y).mean_cost


def test_names_lost_in_a_pipeline_are_explained():
    X, y = measured()
    with pytest.raises(CostError, match=r"came without names.*set_output\(transform='pandas'\)"):
        make_pipeline(StandardScaler(), CostTreeClassifier(costs=PRICES)).fit(X, y)
    columns = make_column_transformer((StandardScaler(), NAMES)).set_output(transform="pandas")
    with pytest.raises(CostError, match="verbose_feature_names_out=False"):
        make_pipeline(columns, CostTreeClassifier(costs=PRICES)).fit(X, y)


def test_pipelines_that_have_no_bill():
    X, y = measured()
    with pytest.raises(NotFittedError):
        bill(make_pipeline(StandardScaler(), CostTreeClassifier(costs=PRICES)), X, y)
    with pytest.raises(NotFittedError, match="Call fit"):
        bill(make_pipeline(CostTreeClassifier(costs=PRICES)), X, y)
    with pytest.raises(NotFittedError, match="Call fit"):
        bill(GridSearchCV(CostTreeClassifier(costs=PRICES), {"growth__max_depth": [1]}), X, y)
    foreign = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    with pytest.raises(ValueError, match="This Pipeline was made without costs"):
        bill(foreign, X, y)
    assert (bill(foreign, X, y, costs=PRICES).test_cost == sum(PRICES.purchase(NAMES))).all()  # all columns


# No tests at all


def test_the_cheapest_answer_without_a_test():
    # Three cases of each class: always c costs 3 * 5 + 3 * 1, always b 3 * 1 + 3 * 1, always a 3 * 1 + 3 * 2.
    result = mistakes(errors=[[0, 1, 5], [1, 0, 1], [2, 1, 0]])
    assert (result.untested_answer, result.untested_cost) == ("b", pytest.approx(6 / 9))
    assert "  no tests, always b  0.67      6" in str(result).splitlines()


@given(seeds)
@settings(max_examples=20)
def test_no_single_answer_is_cheaper(seed):
    model, X, y = fitted(seed, n_rows=40)
    rng = np.random.default_rng(seed)
    matrix = rng.uniform(-1, 5, size=(len(model.classes_),) * 2)
    weights = rng.uniform(0.1, 2, len(y))
    result = bill(model, X, y, Costs(errors=matrix), sample_weight=weights)
    position = np.searchsorted(model.classes_, y)
    means = [np.average(matrix[position, answer], weights=weights) for answer in range(len(matrix))]
    hindsight = replace(result, learnt_answer=None)
    assert hindsight.untested_cost == pytest.approx(min(means), abs=1e-12)
    assert hindsight.untested_answer == model.classes_[int(np.argmin(means))]
    assert result.untested_cost >= hindsight.untested_cost - 1e-12


def test_a_tree_that_asks_nothing_costs_what_its_answer_does():
    model = CostTreeClassifier(costs=Costs(errors_default=10)).fit([[1.0]] * 3, ["no", "no", "yes"])
    result = bill(model, [[1.0]] * 2, ["no", "yes"])
    assert (result.mean_cost, result.untested_cost, result.untested_answer) == (5.0, 5.0, "no")
    assert "Tests, dearest first" not in str(result)
    assert "Tests, dearest first" not in result._repr_html_()


def test_without_the_truth_there_is_no_such_answer():
    model, data = golf()
    result = bill(model, data.X, costs=data.costs)
    assert (result.untested_answer, result.untested_cost) == (None, None)
    assert "always" not in str(result)


# What the text explains


def test_measures_are_defined_below_them():
    text = str(mistakes(errors=[[0, 1, 5], [1, 0, 1], [2, 1, 0]]))
    assert "  dearer kind: mistakes that cost more than the cheapest kind of mistake" in text.splitlines()
    assert "standard cost: all tests of the table" in text
    assert max(map(len, text.splitlines())) <= 100
