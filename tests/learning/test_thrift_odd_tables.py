"""Odd tables and prices: thrift and its baselines answer, or say in a sentence why they cannot."""

import numpy as np
import pandas as pd
import pytest

import thriftwood as tw

LEARNERS = {
    "auto": lambda costs: tw.ThriftClassifier(costs),
    "class": lambda costs: tw.ThriftClassifier(costs, leaves="class"),
    "score": lambda costs: tw.ThriftClassifier(costs, leaves="score"),
    "fixed-panel": lambda costs: tw.FixedPanelClassifier(costs),
    "everything": lambda costs: tw.EverythingClassifier(costs),
    "nobody": lambda costs: tw.NobodyClassifier(costs),
}
ERRORS = {"sick": {"well": 50.0}, "well": {"sick": 20.0}}


@pytest.fixture(params=LEARNERS)
def learner(request):
    return LEARNERS[request.param]


def table(n=60):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc"))
    return X, np.where(X["a"] + 0.3 * rng.normal(size=n) > 0, "sick", "well")


def prices(price=1.0, errors=ERRORS):
    return tw.Costs(dict.fromkeys("abc", price), errors=errors)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("a", np.nan),
        ("b", np.nan),
        ("b", None),
        ("b", 1.0),
        ("b", [True, False] * 30),
        ("b", ["x", 1, 2.5, None, True] * 12),
        ("b", pd.array([None, True, False] * 20, dtype="boolean")),
        ("b", pd.array([None, 1, 2] * 20, dtype="Int64")),
        ("b", pd.Categorical(["x", "y"] * 30, categories=["z", "y", "x"])),
    ],
    ids=str,
)
def test_columns_of_every_kind_are_read(learner, column, values):
    X, y = table()
    X[column] = values
    model = learner(prices()).fit(X, y)
    assert set(model.predict(X)) <= {"sick", "well"}
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1.0)
    assert np.isfinite(tw.bill(model, X, y).mean_cost)


@pytest.mark.parametrize(
    ("values", "error", "said"),
    [
        (pd.date_range("2020", periods=60), TypeError, "column 'b' holds dates or durations"),
        (pd.to_timedelta(np.arange(60), unit="s"), TypeError, "column 'b' holds dates or durations"),
        ([[1]] * 60, TypeError, "column 'b' holds values that cannot be categories"),
        ([np.inf] + [0.0] * 59, ValueError, "column 'b' has inf in row 0. Replace it by a finite number"),
    ],
)
def test_columns_that_cannot_be_asked_are_named(learner, values, error, said):
    X, y = table()
    X["b"] = values
    with pytest.raises(error, match=said):
        learner(prices()).fit(X, y)


def test_names_that_come_twice_are_refused(learner):
    X, y = table()
    X.columns = ["a", "b", "b"]
    with pytest.raises(ValueError, match=r"Column names must differ, and these come more than once: 'b'"):
        learner(prices()).fit(X, y)


def test_prices_of_columns_that_are_not_there_are_refused_by_all(learner):
    X, y = table()
    costs = tw.Costs({"a": 1.0, "z": 1.0}, default_price=1, errors=ERRORS)
    with pytest.raises(tw.CostError, match="tests has a price for 'z', but the table has no such column"):
        learner(costs).fit(X, y)


@pytest.mark.parametrize("leaves", ["auto", "class", "score"])
def test_the_constant_is_the_answer_where_all_tests_are_too_dear(leaves):
    X, y = table()
    model = tw.ThriftClassifier(prices(1e6), leaves=leaves).fit(X, y)
    assert len(set(model.predict(X))) == 1
    assert tw.bill(model, X, y).mean_test_cost == 0
    assert "no test" in model.choice_.lower()
    assert "no test" in model.model_.text().lower()


def test_score_cards_that_buy_nothing_say_so_and_are_a_leaf_unless_they_were_asked_for(monkeypatch):
    """Scores that seem cheaper in folds, and find nothing to buy when they learn from all cases."""
    X, y = table()
    monkeypatch.setattr("thriftwood.learning.thrift.chosen", lambda found, *_, **__: len(found.names) - 1)
    model = tw.ThriftClassifier(prices(1e6)).fit(X, y)
    assert model.chosen_ == "constant"
    assert model.tree_.n_leaves == 1
    cards = tw.ThriftClassifier(prices(1e6), leaves="score").fit(X, y)
    assert cards.chosen_ == "scores"
    assert cards.choice_.startswith("Score cards were asked for, and no test pays")
    assert cards.cascade_.note.startswith("Score cards were asked for, and no test pays")
    assert "±" in cards.choice_
    assert "±" not in cards.cascade_.note


def test_all_free_tests_are_used(learner):
    X, y = table()
    costs = prices(0.0)
    model = learner(costs).fit(X, y)
    asks = not isinstance(model, tw.NobodyClassifier)
    assert (tw.bill(model, X, y).mean_cost < 0.7 * tw.bill(model, X, y).untested_cost) == asks


@pytest.mark.parametrize("by_row", [None, np.ones((60, 1))])
def test_one_class_needs_no_test_whatever_its_cases_may_cost(by_row):
    X, _ = table()
    model = tw.ThriftClassifier(prices(errors=None)).fit(X, np.full(60, "well"), error_costs=by_row)
    assert model.choice_ == "Nothing is tested: all cases are of one class."
    assert [one.name for one in model.candidates_] == ["constant"]


@pytest.mark.parametrize("n", [1, 2, 10])
def test_a_handful_of_cases_gets_an_answer(learner, n):
    X, y = table(n)
    model = learner(prices(errors=None).replace(errors_default=30)).fit(X, y)
    assert set(model.predict(X)) <= set(y)


def test_a_class_of_its_own_for_every_case_teaches_nothing(learner):
    X, _ = table(24)
    y = np.arange(24)
    model = learner(prices(errors=None).replace(errors_default=30)).fit(X, y)
    if not isinstance(model, tw.EverythingClassifier):
        assert len(set(model.predict(X))) == 1
        assert tw.bill(model, X, y).mean_test_cost == 0


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (np.zeros(60), "sample_weight is zero for every case, so no case counts"),
        (np.full(60, np.nan), "sample_weight must be finite and not negative. Got nan in row 0"),
        (-np.ones(60), "sample_weight must be finite and not negative. Got -1.0 in row 0"),
        (np.ones(3), r"sample_weight must have one number per case, shape \(60,\). Got shape \(3,\)"),
        (np.full(60, 1e300), "sample_weight adds up to 6e.301, and squares of it to what no float64 holds"),
    ],
)
def test_weights_that_are_none_are_refused(learner, weights, said):
    with pytest.raises(ValueError, match=said):
        learner(prices()).fit(*table(), sample_weight=weights)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (np.ones((59, 2)), r"there are 60 cases. Got shape \(59, 2\)"),
        (np.ones((60, 3)), r"Got shape \(60, 3\), but there are 2 classes: 'sick', 'well'"),
        (np.ones(60), r"Got shape \(60,\)"),
        (np.ones((60, 2, 3)), r"Got shape \(60, 2, 3\), but there are 2 classes"),
        (np.full((60, 2), np.nan), "error_costs must be numbers from 0 to 1e.100. Got nan in row 0"),
        (np.full((60, 2), np.inf), "error_costs must be numbers from 0 to 1e.100. Got inf in row 0"),
        (np.full((60, 2), 1e300), "error_costs must be numbers from 0 to 1e.100. Got 1e.300 in row 0"),
        (np.full((60, 2), -3.0), "error_costs must not be negative. Got -3 in row 0, answer 'sick'"),
        (np.full((60, 2), "x"), "This ndarray is no array of numbers"),
    ],
)
def test_costs_by_row_that_are_none_are_refused(learner, rows, said):
    free = prices(errors=None)
    with pytest.raises(tw.CostError, match=said):
        learner(free).fit(*table(), error_costs=rows)


def test_nobody_has_no_advice_about_columns_that_name_the_cases(recwarn):
    X, y = table()
    X["b"] = [f"case {i}" for i in range(60)]
    tw.NobodyClassifier(prices()).fit(X, y)
    assert not recwarn.list


@pytest.mark.parametrize("leaves", ["class", "auto"])
@pytest.mark.parametrize("refer", [100, 300.5, 1e9])
def test_an_answer_that_nobody_would_give_changes_nothing(leaves, refer):
    X, y = table(300)
    plain = tw.ThriftClassifier(prices(), leaves=leaves).fit(X, y)
    offered = tw.ThriftClassifier(prices().replace(answers={"refer": refer}), leaves=leaves).fit(X, y)
    assert offered.choice_ == plain.choice_
    assert tw.bill(offered, X, y).interval == tw.bill(plain, X, y).interval


def test_what_refers_everybody_costs_what_that_costs():
    X, y = table()
    costs = prices(1000.0).replace(answers={"refer": 8})
    model = tw.ThriftClassifier(costs).fit(X, y)
    assert set(model.predict(X)) == {"refer"}
    assert tw.bill(model, X, y).interval == (8.0, 8.0)
