"""A subclass that overrides `predict` is billed for the answers it gives and the tests its model asks."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import thriftwood as tw
from thriftwood.learning import CostTreeRegressor
from thriftwood.models.own_answers import answers_itself

COSTS = tw.Costs({"x0": 3}, errors={"a": {"b": 10}, "b": {"a": 7}})
X, Y = [[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"]


class AlwaysB(tw.CostTreeClassifier):
    """Asks its tree's tests and answers b."""

    def predict(self, X):
        return np.full(len(X), "b")


class Renamed(tw.CostTreeClassifier):
    """A tree by another name."""


class OtherModel(AlwaysB):
    """A subclass that says which model it is."""

    @property
    def model_(self):
        return super().model_.with_costs(COSTS)


def test_the_bill_has_the_answers_of_predict_and_the_tests_of_the_tree():
    bill = tw.bill(AlwaysB(costs=COSTS).fit(X, Y), X, Y)
    assert (bill.accuracy, bill.total_error_cost, bill.total_test_cost) == (0.5, 20.0, 12.0)
    assert tw.bill(Renamed(costs=COSTS).fit(X, Y), X, Y).accuracy == 1.0


def test_in_a_pipeline_it_sees_what_the_steps_before_give():
    pipeline = make_pipeline(FunctionTransformer(np.negative), AlwaysB(costs=COSTS)).fit(np.array(X), Y)
    assert tw.bill(pipeline, np.array(X), Y).total_cost == 32.0


def test_the_scorer_of_a_search_goes_by_the_same_answers():
    assert tw.cost_scorer(AlwaysB(costs=COSTS).fit(X, Y), X, Y) == pytest.approx(-8.0)


def test_answers_that_are_numbers():
    class Ten(CostTreeRegressor):
        def predict(self, X):
            return np.full(len(X), 10.0)

    bill = tw.bill(Ten(costs=tw.Costs({"x0": 3})).fit(X, [1, 2, 3, 4]), X)
    assert bill.total_test_cost == 12.0


def test_who_overrides_the_model_too_is_asked_by_it():
    assert answers_itself(AlwaysB())
    assert not answers_itself(OtherModel())
    assert not answers_itself(tw.CostTreeClassifier())


def test_compare_goes_by_its_own_answers_too():
    rows = np.linspace(0, 1, 60).reshape(-1, 1)
    answers = np.where(rows[:, 0] > 0.5, "b", "a")
    ranking = tw.compare({"mine": AlwaysB(costs=COSTS)}, rows, answers, costs=COSTS, cv=3)
    assert "50" in str(ranking)


def test_labels_that_nobody_knows_are_those_of_predict():
    class Odd(tw.CostTreeClassifier):
        def predict(self, X):
            return np.full(len(X), "zzz")

    with pytest.raises(ValueError, match=r"In the answers of Odd\.predict: .*'zzz'"):
        tw.bill(Odd(costs=COSTS).fit(X, Y), X, Y)
