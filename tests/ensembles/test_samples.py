"""Bags of probability trees, costing and p-norm boosting."""

import numpy as np
import pandas as pd
import pytest
from ensembles.learners import mixed_table
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import thriftwood as tw
from thriftwood.ensembles.drawing import bootstraps, seeds
from thriftwood.ensembles.error_costs.lp_csb import pair_weights

COSTS = tw.Costs(errors={"ill": {"well": 10}, "well": {"ill": 1}})


def bootstraps_of(seed, n_samples, n_rows):
    """The rows that an ensemble with this random_state draws."""
    rng = np.random.RandomState(seed)
    seeds(1 + n_samples, rng)
    return bootstraps(n_samples, n_rows, n_rows, rng)


def test_a_bag_of_trees_is_the_mean_of_smoothed_leaves_that_are_not_pruned():
    X, y = mixed_table()
    model = tw.CostBagClassifier(costs=COSTS, n_estimators=4, random_state=5).fit(X, y)
    shares = [tree.predict_proba(X) for tree in model.estimators_]
    np.testing.assert_allclose(model.predict_proba(X), np.mean(shares, axis=0))
    np.testing.assert_array_equal(
        model.predict(X) == "ill", 10 * model.predict_proba(X)[:, 0] >= model.predict_proba(X)[:, 1]
    )
    rows = bootstraps_of(5, 4, 120)
    for tree, drawn in zip(model.estimators_, rows, strict=True):
        alone = tw.algorithm("c45", pruning=None, smoothing="laplace").fit(X.iloc[drawn], y[drawn])
        np.testing.assert_allclose(tree.predict_proba(X), alone.predict_proba(X))


def test_a_leaf_of_three_and_one_is_worked_by_hand():
    model = tw.CostBagClassifier(
        tw.CostTreeClassifier(smoothing="laplace"),
        costs=tw.Costs(errors_default=1),
    )
    model.set_params(n_estimators=200, random_state=0).fit([[0.0]] * 4, [0, 0, 0, 1])
    means = {tuple(np.round(tree.predict_proba([[0.0]])[0], 6)) for tree in model.estimators_}
    assert (0.666667, 0.333333) in means  # (3 + 1) / (4 + 2)
    assert means <= {(round((n + 1) / 6, 6), round((5 - n) / 6, 6)) for n in range(5)}


def test_bags_may_be_small():
    X, y = mixed_table()
    model = tw.CostBagClassifier(costs=COSTS, n_estimators=3, max_samples=0.25, random_state=0).fit(X, y)
    assert {tree.core.weight[0] for tree in model.estimators_} == {30.0}
    with pytest.raises(ValueError, match=r"'max_samples' parameter .* a share in the range \(0, 1\]"):
        tw.CostBagClassifier(costs=COSTS, max_samples=1.5).fit(X, y)


def test_costing_draws_dear_cases_always_and_cheap_ones_seldom():
    X, y = mixed_table(600)
    model = tw.CostingClassifier(costs=COSTS, random_state=0).fit(X, y)
    for rows, tree in zip(model.samples_, model.estimators_, strict=True):
        drawn = y[rows]
        assert (drawn == "ill").sum() == (y == "ill").sum()
        assert (drawn == "well").sum() == pytest.approx(0.1 * (y == "well").sum(), abs=20)
        assert tree.core.weight[0] == len(rows)
    votes = tw.CostingClassifier(costs=COSTS, use_probabilities=False, random_state=0).fit(X, y)
    assert set(np.unique((votes.predict_proba(X) * 10).round(9))) <= set(range(11))


def test_costing_takes_more_classes_where_a_mistake_has_one_cost():
    X, y = mixed_table(n_classes=3)
    model = tw.CostingClassifier(
        costs=tw.Costs(errors=[[0, 9, 9], [2, 0, 2], [1, 1, 0]]), random_state=0
    ).fit(X, y)
    assert all((y[rows] == "dying").sum() == (y == "dying").sum() for rows in model.samples_)
    with pytest.raises(ValueError, match=r"about class 'ill' costs depends on the wrong answer.*'metacost'"):
        tw.CostingClassifier(costs=tw.Costs(errors=[[0, 9, 9], [2, 0, 3], [1, 1, 0]])).fit(X, y)


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


@pytest.mark.parametrize(
    "model",
    [tw.CostBagClassifier(), tw.CostBoostClassifier("csb2"), tw.CostingClassifier(), tw.MetaCostClassifier()],
)
def test_members_have_chances_of_their_own(model):
    X, y = np.random.default_rng(0).normal(size=(200, 5)), np.array(["ill", "well"] * 100)
    base = tw.CostTreeClassifier(growth=tw.Growth(max_depth=2, max_features=1))
    model.set_params(estimator=base, costs=COSTS, n_estimators=12, random_state=0).fit(X, y)
    assert len({tree[0].test for tree in model.estimators_}) > 2
    again = clone(model).set_params(n_jobs=2).fit(X, y)
    assert [tree.core for tree in model.estimators_] == [tree.core for tree in again.estimators_]
    own = clone(model).set_params(estimator__random_state=1).fit(X, y)  # whose chance is its own
    assert len({tree[0].test for tree in own.estimators_}) == 1


DRAWING = [tw.CostTreeClassifier(growth=tw.Growth(max_features=1)), tw.algorithm("lsid3", r=1)]


@pytest.mark.parametrize("base", [tw.CostTreeClassifier(), *DRAWING])
@pytest.mark.parametrize("pruning", [None, tw.ReducedError(), tw.CostComplexity(cv=3)])
def test_a_member_is_the_base_with_the_seed_of_the_member(base, pruning):
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    base = clone(base).set_params(pruning=pruning)
    model = tw.CostingClassifier(base, costs=tw.Costs(errors=[[0, 1], [3, 0]]), random_state=5)
    model.set_params(n_estimators=3).fit(X, y)
    own = seeds(4, np.random.RandomState(5))[1:]
    for tree, rows, seed in zip(model.estimators_, model.samples_, own, strict=True):
        alone = clone(base).set_params(random_state=seed).fit(X[rows], y[rows])
        assert str(tree) == str(alone.tree_)  # gains may differ by rounding


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


class Told(ClassifierMixin, BaseEstimator):
    """Says 0.7, 0.1 and 0.7, of which the mean is 0.5 but for rounding."""

    said = iter(())

    def fit(self, X, y):
        self.classes_, self.share_ = np.unique(y), next(Told.said)
        return self

    def predict_proba(self, X):
        return np.tile([self.share_, 1 - self.share_], (len(X), 1))

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def test_rounding_does_not_decide_between_equal_shares():
    X, y = np.zeros((20, 1)), np.array([0, 1] * 10)
    Told.said = iter([0.7, 0.1, 0.7])
    model = tw.CostingClassifier(Told(), costs=tw.Costs(errors_default=1), n_estimators=3).fit(X, y)
    first, second = model.predict_proba(X[:1])[0]
    assert first < second
    assert first == pytest.approx(second)
    assert model.predict(X[:1]).tolist() == [0]
