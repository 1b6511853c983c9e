"""Answers by naive Bayes over what was paid: worked numbers, scikit-learn's, and what never counts."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import thriftwood as tw
from thriftwood.models.ledger import asked_in

PRICES = tw.Costs({f"x{j}": 1 for j in range(6)})


def drawn(seed, n_rows=200, n_features=6):
    random = np.random.default_rng(seed)
    y = random.integers(0, 3, n_rows)
    X = random.normal(size=(n_rows, n_features))
    X[:, 0] += y
    X[:, 3] -= 2.0 * (y == 1)
    return X, y


def asked_of(model, X, costs=PRICES):
    return asked_in(model.model_.ledger_of(model.model_.table(X), costs), X.shape[1])


def test_shares_are_those_of_gaussian_naive_bayes_on_the_columns_that_were_bought():
    X, y = drawn(0)
    tree = tw.algorithm("c45", costs=PRICES, budget=3, pruning=None)
    model = tw.BayesAnswers(tree, smoothing=1e-9).fit(X, y)
    asked, shares = asked_of(model, X), model.predict_proba(X)
    assert 1 < len(np.unique(asked, axis=0)) < 60
    for bought in np.unique(asked, axis=0):
        rows = (asked == bought).all(axis=1)
        peer = GaussianNB().fit(X[:, bought], y)
        np.testing.assert_allclose(shares[rows], peer.predict_proba(X[rows][:, bought]), atol=1e-6)


def test_categories_count_as_in_categorical_naive_bayes():
    golf = tw.load_dataset("golf-nominal")
    model = tw.BayesAnswers(tw.algorithm("c45")).fit(golf.X, golf.y)  # all tests are free: all of them count
    codes = np.column_stack([np.unique(golf.X[name], return_inverse=True)[1] for name in golf.X])
    peer = CategoricalNB(alpha=1.0).fit(codes, golf.y)
    np.testing.assert_allclose(model.predict_proba(golf.X), peer.predict_proba(codes), atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.floats(-1e300, 1e300), st.sampled_from([None, 1.0, 3.0]))
def test_what_was_not_paid_never_changes_an_answer(seed, other, budget):
    X, y = drawn(seed, 80)
    model = tw.BayesAnswers(tw.algorithm("c45", costs=PRICES, budget=budget)).fit(X, y)
    changed = np.where(asked_of(model, X), X, other)
    assert (model.predict_proba(changed) == model.predict_proba(X)).all()
    within = [tw.bill(model, table, budget=2).predicted for table in (X, changed)]
    assert (within[0] == within[1]).all()


def test_it_buys_what_its_tree_buys_and_answers_better_on_eight_corners():
    random = np.random.default_rng(3)

    def cube(n_rows):
        y = random.integers(0, 8, n_rows)
        X = random.normal(0.5, 0.3, size=(n_rows, 20))
        for j in range(3):
            X[np.arange(n_rows), y + j] = (y >> (2 - j)) % 2 + random.normal(0, 0.1, n_rows)
        return X, y

    (X, y), new = cube(600), cube(2000)
    prices = tw.Costs({f"x{j}": 1 for j in range(20)})
    tree = tw.algorithm("c45", costs=prices, budget=5).fit(X, y)
    model = tw.BayesAnswers(tw.algorithm("c45", costs=prices, budget=5)).fit(X, y)
    mine, trees = tw.bill(model, *new, budget=5), tw.bill(tree, *new, budget=5)
    assert mine.mean_test_cost == trees.mean_test_cost <= 5
    assert mine.accuracy > trees.accuracy + 0.03
    assert mine.accuracy > 0.9


def test_a_test_whose_resource_was_paid_is_free_and_counts():
    X, y = drawn(1)
    blood = {"x0": tw.Test(0, needs=["blood"]), "x3": tw.Test(0, needs=["blood"]), "x5": tw.Test(9)}
    costs = tw.Costs(blood | {"x1": tw.Test(1), "x2": tw.Test(1), "x4": tw.Test(1)}, {"blood": 2.0})
    growth = tw.Growth(max_depth=1)
    model = tw.BayesAnswers(tw.CostTreeClassifier(costs=costs, growth=growth)).fit(X, y)
    assert model.model_.asking_tree.features_used == ("x3",)
    bill = tw.bill(model, X, y)
    assert bill.mean_test_cost == 2.0
    peer = GaussianNB().fit(X[:, [0, 3]], y)
    np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(X[:, [0, 3]]), atol=0.05)
    case = model.consult().answer(0.5)
    assert (case.next_test, case.price, case.bill) == ("x0", 0.0, 2.0)
    assert model.model_.features_asked == ("x3", "x0")


def test_dear_mistakes_choose_the_answer_and_prices_are_the_trees():
    X, y = drawn(2)
    costs = PRICES.replace(errors=[[0, 1, 1], [50, 0, 50], [1, 1, 0]], answers={"refer": 0.4})
    model = tw.BayesAnswers(tw.algorithm("c45"), costs).fit(X, y)
    shares = model.predict_proba(X)
    expected = shares @ np.column_stack([costs.error_matrix([0, 1, 2])])
    answers = model.model_.answers_of(model.model_.table(X))
    assert (expected[np.arange(len(X)), answers] <= expected.min(axis=1) + 1e-9).all()
    assert set(model.predict(X)) == {1, "refer"} or "refer" in set(map(str, model.predict(X)))
    assert model.estimator_.costs is costs


def test_missing_values_and_new_categories_are_left_out():
    X = [[1.0, "a"], [2.0, "a"], [3.0, "b"], [9.0, "b"], [None, "b"], [4.0, None]]
    y = [0, 0, 1, 1, 1, 0]
    model = tw.BayesAnswers(tw.algorithm("c45")).fit(X, y)
    none = model.predict_proba([[None, None], [None, "new"]])
    np.testing.assert_allclose(none, [[0.5, 0.5], [0.5, 0.5]])


def test_pipelines_pickles_weights_and_names():
    X, y = drawn(4)
    model = tw.BayesAnswers(tw.algorithm("c45", costs=PRICES, budget=2))
    piped = make_pipeline(StandardScaler(), model).fit(X, y)
    assert tw.bill(piped, X, y, budget=1).mean_test_cost <= 1
    assert tw.bill(piped, X, y).accuracy == piped.score(X, y)
    again = pickle.loads(pickle.dumps(piped))
    assert (again.predict_proba(X) == piped.predict_proba(X)).all()
    twice = model.fit(np.vstack([X, X[:20]]), np.append(y, y[:20])).predict_proba(X)
    weights = np.r_[np.full(20, 2.0), np.ones(len(X) - 20)]
    np.testing.assert_allclose(model.fit(X, y, sample_weight=weights).predict_proba(X), twice, atol=1e-9)
    named = tw.algorithm("dtnb", costs=tw.Costs(default_price=1, errors_default=10), budget=2, max_depth=3)
    assert named.estimator.growth.budget == 2
    assert tw.bill(named.fit(X, y), X, y).mean_test_cost <= 2


@pytest.mark.parametrize(
    ("model", "error", "message"),
    [
        (tw.BayesAnswers(LogisticRegression()), TypeError, "Got LogisticRegression"),
        (tw.BayesAnswers(tw.algorithm("bagging")), TypeError, "BaggedTreesClassifier has a panel of"),
        (tw.BayesAnswers(tw.CostTreeRegressor()), TypeError, "single tree for classes"),
        (
            tw.BayesAnswers(tw.algorithm("c45"), smoothing=0),
            ValueError,
            "'smoothing' parameter of BayesAnswers",
        ),
        (tw.BayesAnswers(tw.algorithm("c45"), {"x0": 1}), TypeError, "must be a Costs or None"),
    ],
)
def test_what_it_cannot_take(model, error, message):
    X, y = drawn(5, 30)
    with pytest.raises(error, match=message):
        model.fit(X, y)


def test_it_has_a_file_and_plans_no_batches(tmp_path):
    X, y = drawn(6, 60)
    model = tw.BayesAnswers(tw.algorithm("c45", costs=PRICES)).fit(X, y)
    model.save(tmp_path / "model.json")
    assert tw.load(tmp_path / "model.json") == model.model_
    with pytest.raises(ValueError, match="plans the tests of a single tree"):
        model.model_.consult(strategy="single_batch")
