"""The savings score, and scorers that are handed costs by row."""

import pickle

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import thriftwood as tw
from thriftwood.costs import CostError

WORKED = np.array([[0, 4], [3, 0], [3, 0], [0, 2]], dtype=float)


def test_the_worked_example():
    assert tw.savings_score([0, 1, 1, 0], [0, 1, 0, 0], WORKED) == 0.5


def test_right_answers_save_all_a_constant_nothing_and_wrong_ones_less():
    y = np.array([0, 1, 1, 0])
    assert tw.savings_score(y, y, WORKED) == 1.0
    assert tw.savings_score(y, [0, 0, 0, 0], WORKED) == 0.0
    assert tw.savings_score(y, 1 - y, WORKED) == -1.0


def test_where_a_constant_costs_nothing_there_is_nothing_to_save():
    assert tw.savings_score([0, 0], [0, 1], [[0, 1], [0, 1]]) == 0.0


def test_weights_count_cases_as_often():
    y, answers, weights = [0, 1, 1, 0], [0, 1, 0, 1], [1, 2, 3, 1]
    repeated = np.repeat(np.arange(4), weights)
    expected = tw.savings_score(np.take(y, repeated), np.take(answers, repeated), WORKED[repeated])
    assert tw.savings_score(y, answers, WORKED, sample_weight=weights) == pytest.approx(expected)


def test_matrices_count_by_the_true_class():
    y = np.array([0, 1, 1, 0])
    matrices = np.full((4, 2, 2), 99.0)
    matrices[np.arange(4), y] = WORKED
    assert tw.savings_score(y, [0, 1, 0, 0], matrices) == 0.5


def test_classes_that_do_not_occur_must_be_named():
    with pytest.raises(ValueError, match=r"for 3 classes, of which y and the answers have \['a', 'b'\]"):
        tw.savings_score(["a", "b"], ["a", "a"], np.ones((2, 3)))
    costs = [[0, 1, 2], [5, 0, 1]]
    assert tw.savings_score(["a", "b"], ["a", "c"], costs, classes=["a", "b", "c"]) == 0.0


@pytest.mark.parametrize(
    ("answers", "costs", "words"),
    [
        ([0, 1], WORKED, "4 true classes and 2 answers"),
        ([0, 1, 1, 0], WORKED[:3], "there are 4 cases. Got shape"),
        ([0, 1, 1, 0], -WORKED, "must not be negative"),
        ([0, 1, 2, 0], WORKED, "there are 3 classes"),
    ],
)
def test_what_does_not_fit_is_refused(answers, costs, words):
    with pytest.raises(ValueError, match=words):
        tw.savings_score([0, 1, 1, 0], answers, costs)


@pytest.fixture
def churn():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = np.where(X[:, 0] + rng.normal(size=300) > 1, "gone", "stays")
    matrices = np.zeros((300, 2, 2))
    matrices[:, 0, 1] = rng.integers(1, 100, 300)  # gone, called stays
    matrices[:, 1, 0] = 5
    return X, y, matrices


def test_scorers_are_handed_the_costs_of_the_rows_they_score(churn):
    X, y, costs = churn
    model = tw.CheapestAnswer(LogisticRegression())
    with config_context(enable_metadata_routing=True):
        scoring = {"saved": tw.savings_scorer, "paid": tw.cost_scorer}
        found = cross_validate(
            model,
            X,
            y,
            params={"error_costs": costs},
            scoring=scoring,
            cv=3,
            return_indices=True,
            return_estimator=True,
        )
    for fold, fitted in enumerate(found["estimator"]):
        rows = found["indices"]["test"][fold]
        answers = fitted.predict(X[rows], error_costs=costs[rows])
        assert found["test_saved"][fold] == tw.savings_score(y[rows], answers, costs[rows])
        truth = (y[rows] == "stays").astype(int)
        paid = costs[rows][np.arange(len(rows)), truth, (answers == "stays").astype(int)]
        assert found["test_paid"][fold] == pytest.approx(-paid.mean())


def test_a_grid_search_chooses_by_savings(churn):
    X, y, costs = churn
    grid = {"growth__max_depth": [1, 2, 3]}
    with config_context(enable_metadata_routing=True):
        search = GridSearchCV(tw.CostTreeClassifier(), grid, scoring=tw.savings_scorer, cv=3)
        search.fit(X, y, error_costs=costs)
    assert search.best_score_ == max(search.cv_results_["mean_test_score"])
    assert len(search.best_estimator_.tree_.core.loss)


def test_a_pipeline_answers_by_the_costs_of_each_case(churn):
    X, y, costs = churn
    pipe = make_pipeline(StandardScaler(), tw.CheapestAnswer(LogisticRegression())).fit(X, y)
    answers = pipe.predict(X, error_costs=costs)
    assert tw.savings_scorer(pipe, X, y, error_costs=costs) == tw.savings_score(y, answers, costs)
    assert (answers != pipe.predict(X)).any()


def test_costs_of_answers_are_for_judging_alone(churn):
    X, y, costs = churn
    answers = costs[np.arange(len(y)), (y == "stays").astype(int)]
    model = tw.CheapestAnswer(LogisticRegression()).fit(X, y)
    expected = tw.savings_score(y, model.predict(X), answers)
    assert tw.savings_scorer(model, X, y, error_costs=answers) == expected


def test_tests_are_billed_beside_costs_by_row(churn):
    X, y, costs = churn
    prices = tw.Costs(default_price=2)
    model = tw.CostTreeClassifier(growth=tw.Growth(max_depth=1), costs=prices).fit(X, y, error_costs=costs)
    paid = tw.cost_scorer(model, X, y, error_costs=costs) - tw.cost_scorer(
        model, X, y, error_costs=costs, costs=tw.Costs()
    )
    assert paid == pytest.approx(-2)


def test_without_costs_the_scorer_says_how_to_hand_them_over(churn):
    X, y, costs = churn
    model = tw.CostTreeClassifier().fit(X, y)
    with pytest.raises(ValueError, match="enable_metadata_routing=True") as told:
        tw.savings_scorer(model, X, y)
    assert "partial" not in str(told.value)  # folds would get the costs of other rows
    assert tw.savings_scorer(model, X, y, error_costs=costs) == 1.0


def test_earnings_become_costs_by_a_constant_that_savings_count(churn):
    _, y, costs = churn
    with pytest.raises(CostError, match=r"cheapest one stays the same\. Mean costs and savings do not"):
        tw.savings_score(y, y, -costs)
    wrong = np.where(y == "gone", "stays", "gone")
    assert tw.savings_score(y, wrong, costs + 10) > tw.savings_score(y, wrong, costs)


def test_scorers_can_be_pickled():
    assert pickle.loads(pickle.dumps(tw.savings_scorer)) is tw.savings_scorer
    assert pickle.loads(pickle.dumps(tw.cost_scorer)) is tw.cost_scorer


def test_tests_are_billed_beside_costs_by_row_wherever_the_tree_stands(churn):
    X, y, costs = churn
    tree = tw.CostTreeClassifier(growth=tw.Growth(max_depth=1), costs=tw.Costs(default_price=2))
    alone = tw.cost_scorer(clone(tree).fit(X, y), X, y, error_costs=costs)
    inside = make_pipeline("passthrough", clone(tree)).fit(X, y)
    found = GridSearchCV(make_pipeline("passthrough", clone(tree)), {}, cv=2).fit(X, y)
    assert tw.cost_scorer(inside, X, y, error_costs=costs) == alone
    assert tw.cost_scorer(found, X, y, error_costs=costs) == alone
    free = tw.cost_scorer(inside, X, y, error_costs=costs, costs=tw.Costs())
    assert alone == pytest.approx(free - 2)


def test_a_search_answers_by_the_costs_of_each_case(churn):
    X, y, costs = churn
    pipe = make_pipeline(StandardScaler(), tw.CheapestAnswer(LogisticRegression()))
    search = GridSearchCV(pipe, {"cheapestanswer__calibration": [None]}, cv=2).fit(X, y)
    answers = search.best_estimator_.predict(X, error_costs=costs)
    assert (answers != search.predict(X)).any()
    expected = tw.savings_score(y, answers, costs)
    assert tw.savings_scorer(search, X, y, error_costs=costs) == expected
    around = make_pipeline("passthrough", search)
    assert tw.savings_scorer(around, X, y, error_costs=costs) == expected
