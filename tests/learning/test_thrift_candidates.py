"""Which trees compete, and when the best tree of three tests is one of them."""

import numpy as np
import pandas as pd
import pytest

import thriftwood as tw
from thriftwood.learning.thrift_candidates import BINS, candidates, dearest_mistake, n_questions


def problem_of(X, y, costs):
    model = tw.ThriftClassifier(costs)
    return model, model.prepare(X, y, None).problem


def table(n_rows=200, n_columns=6, classes=("no", "yes")):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 2, (n_rows, n_columns)), columns=[f"x{i}" for i in range(n_columns)])
    return X, np.array(classes)[(X["x0"] ^ X["x1"]) if len(classes) == 2 else X["x0"]]


def names_of(X, y, costs, by_row=None):
    model, problem = problem_of(X, y, costs)
    return [candidate.name for candidate in candidates(model._searcher(), problem, by_row)]


def costs_of(X, **errors):
    return tw.Costs(dict.fromkeys(X.columns, 1.0), **errors)


def test_the_best_tree_of_three_tests_is_the_usual_one_where_questions_are_few():
    X, y = table()
    costs = costs_of(X, errors_default=10)
    assert names_of(X, y, costs)[:3] == ["constant", "three tests", "much doubt"]
    assert names_of(X[:50], y[:50], costs)[1] == "much doubt"  # 6 questions, 5 times ten cases
    numbers = X + np.random.default_rng(1).normal(size=X.shape)
    assert names_of(numbers, y, costs)[1] == "much doubt"  # 15 questions a column


def test_mistakes_must_be_many_enough_to_learn_from():
    """To say "yes" to all costs 100 cases 1 each: as much as one mistake of 100, or fifty of 2."""
    X, y = table()
    for dear, name in ((100, "much doubt"), (2, "three tests")):
        costs = costs_of(X, errors={"yes": {"no": dear}, "no": {"yes": 1}})
        assert names_of(X, y, costs)[1] == name


def test_losses_by_row_need_doubt():
    X, y = table()
    assert names_of(X, y, costs_of(X), np.ones((200, 2)))[1] == "much doubt"


def test_cases_are_dealt_three_times_where_the_tree_of_three_tests_competes():
    X, y = table()
    model = tw.ThriftClassifier(costs_of(X, errors_default=10), leaves="class").fit(X, y)
    assert model.chosen_ == "three tests"
    assert model.choice_.endswith("estimated by 5 folds, dealt 3 times.")
    optimal = tw.OptimalTreeClassifier(model.costs, max_depth=3, nominal="value").fit(X, y)
    assert tw.bill(model, X, y).mean_cost == tw.bill(optimal, X, y).mean_cost


@pytest.mark.parametrize(("rare", "dearest"), [(2, 10.0), (3, 1000.0)])
def test_a_class_of_one_or_two_cases_has_no_dearest_mistake(rare, dearest):
    X, y = table()
    y = np.where(np.arange(200) < rare, "rare", y)
    errors = {one: {other: 10 for other in ("no", "yes", "rare") if other != one} for one in ("no", "yes")}
    costs = costs_of(X, errors={**errors, "rare": {"no": 1000, "yes": 1000}})
    assert dearest_mistake(problem_of(X, y, costs)[1], None) == dearest


def test_questions_are_cuts_of_numbers_and_categories():
    X = pd.DataFrame({"n": np.arange(40.0), "few": [0, 1, 2, 3] * 10, "c": list("abcde") * 8})
    y = np.array(["no", "yes"] * 20)
    assert n_questions(problem_of(X, y, costs_of(X, errors_default=1))[1], BINS) == 15 + 3 + 5


def test_what_every_answer_costs_changes_nothing():
    X, y = table(400)
    y = np.where(np.random.default_rng(2).random(400) < 0.1, "no", y)
    chosen = []
    for base in (-50.0, 0.0, 1000.0):
        errors = {"no": {"no": base, "yes": base + 30}, "yes": {"yes": base, "no": base + 200}}
        model = tw.ThriftClassifier(costs_of(X, errors=errors), leaves="class").fit(X, y)
        chosen.append(
            (names_of(X, y, costs_of(X, errors=errors)), model.tree_.core.n_leaves, model.tree_.features_used)
        )
    assert chosen[0] == chosen[1] == chosen[2]
    assert chosen[0][1] > 1


def test_what_every_answer_costs_changes_no_score_card():
    # Each class with its own: what a right answer costs, or brings in, is no reason to buy more tests.
    X, _ = table(400)
    y = np.where(X.sum(axis=1) + np.random.default_rng(1).normal(size=400) > 3, "yes", "no")
    cards = []
    for no, yes in ((0.0, 0.0), (-50.0, -20.0), (300.0, 16.0)):
        errors = {"no": {"no": no, "yes": no + 60}, "yes": {"yes": yes, "no": yes + 80}}
        model = tw.ThriftClassifier(costs_of(X, errors=errors), leaves="score").fit(X, y)
        cards.append((model.cascade_.stages, model.cascade_.loss.tolist()))
    assert cards[0] == cards[1] == cards[2]
    assert cards[0][0][0].tests


def test_columns_that_name_the_cases_do_not_count_as_questions():
    X, y = table(900)
    costs = costs_of(X, errors_default=10)
    named = X.assign(name=[f"case {i}" for i in range(900)])
    with pytest.warns(UserWarning, match="name"):
        assert names_of(named, y, costs_of(named, errors_default=10)) == names_of(X, y, costs)
