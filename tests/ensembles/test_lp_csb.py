"""Boosting by the p-norm of costs, on pairs of a case and an answer."""

import numpy as np
import pandas as pd
import pytest
from ensembles.learners import mixed_table
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import thriftwood as tw
from thriftwood.ensembles.error_costs.lp_csb import pair_weights

COSTS = tw.Costs(errors={"ill": {"well": 10}, "well": {"ill": 1}})


def plain_rounds(X, labels, loss, p, n_rounds):
    """Lp-CSB with a tree of scikit-learn, row by row."""
    n, k = len(X), len(loss)
    shares, models = np.full((n, k), 1 / k), []
    pairs = np.array([[*X[i], *np.eye(k)[a]] for a in range(k) for i in range(n)])
    for number in range(n_rounds):
        weights, suits = np.zeros((n, k)), np.zeros((n, k), dtype=int)
        for i in range(n):
            costs = loss[labels[i]] - loss[labels[i]].min()
            best = int(costs.argmin())
            for a in range(k):
                if a != best:
                    weights[i, a] = 0.5 * costs[a] * shares[i, a] ** (p - 1)
            weights[i, best], suits[i, best] = weights[i].sum(), 1
        flat = np.array([weights[i, a] for a in range(k) for i in range(n)]) * n / weights.sum()
        marks = np.array([suits[i, a] for a in range(k) for i in range(n)])
        models.append(
            DecisionTreeClassifier(max_depth=3, random_state=0).fit(pairs, marks, sample_weight=flat)
        )
        said = models[-1].predict_proba(pairs)[:, 1].reshape(k, n).T
        own = np.array([row / row.sum() if row.sum() > 0 else np.full(k, 1 / k) for row in said])
        shares = shares + (own - shares) / (number + 1)
    return shares


@pytest.mark.parametrize("p", [1, 2, 3])
def test_p_norm_boosting_is_that_of_a_plain_loop(p):
    rng = np.random.RandomState(0)
    X = rng.normal(size=(60, 2))
    labels = np.digitize(X[:, 0] + rng.normal(0, 0.7, 60), [-0.5, 0.5])
    loss = np.array([[0.0, 2.0, 6.0], [1.0, 0.0, 1.0], [4.0, 1.0, 0.0]])
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    model = tw.LpCsbClassifier(tree, costs=tw.Costs(errors=loss), p=p, n_estimators=4).fit(X, labels)
    np.testing.assert_allclose(model.predict_proba(X), plain_rounds(X, labels, loss, p, 4))


def test_p_norm_boosting_ends_when_no_dear_answer_is_left():
    weights = pair_weights(np.array([[0.0, 3.0]]), np.array([[1.0, 0.0]]), 2)
    assert not weights.any()
    model = tw.LpCsbClassifier(tw.CostTreeClassifier(), costs=tw.Costs(errors_default=1), n_estimators=10)
    model.fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    assert len(model.estimators_) == 1  # it makes no mistake
    assert model.predict([[0.0], [2.0]]).tolist() == [0, 1]


def test_p_norm_boosting_says_what_it_does_not_take():
    X, y = mixed_table()
    with pytest.raises(ValueError, match="takes no sparse matrix"):
        tw.LpCsbClassifier(costs=tw.Costs(errors_default=1)).fit(csr_matrix(np.eye(4)), [0, 1, 0, 1])
    with pytest.raises(ValueError, match=r"could not convert column 'kind' to numbers.*CostTreeClassifier"):
        tw.LpCsbClassifier(LogisticRegression(), costs=COSTS).fit(X, y)
    named = pd.DataFrame({"answer": [0.0, 1.0, 2.0], "answer_": [1.0, 1.0, 0.0]})
    model = tw.LpCsbClassifier(costs=tw.Costs(errors_default=1)).fit(named, [0, 1, 1])
    assert model.feature_names_in_.tolist() == ["answer", "answer_"]
    assert model.tests_asked(named, COSTS).tolist() == [[True, False]] * 3


@pytest.mark.parametrize("base", [None, DecisionTreeClassifier(random_state=0)])
def test_pairs_have_their_columns_in_the_order_of_fit(base):
    X, y = mixed_table()
    X = X[["age", "noise"]].assign(kind=(X["kind"] == "a").astype(float)).fillna(50.0)
    model = tw.LpCsbClassifier(base, costs=COSTS).fit(X, y)
    shares = model.predict_proba(X)
    other_way = X[["kind", "noise", "age"]]
    np.testing.assert_array_equal(model.predict_proba(other_way), shares)
    np.testing.assert_array_equal(model.tests_asked(other_way, COSTS), model.tests_asked(X, COSTS))
    with pytest.raises(ValueError, match=r"unseen at fit time:\n- years\n.*now missing:\n- age"):
        model.predict(X.rename(columns={"age": "years"}))
    with pytest.warns(UserWarning, match="X does not have valid feature names, but LpCsb") as told:
        np.testing.assert_array_equal(model.predict_proba(X.to_numpy()), shares)
    assert len(told) == 1
