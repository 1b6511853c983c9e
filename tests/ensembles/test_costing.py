"""Costing: cases drawn by what a mistake about them costs."""

import numpy as np
import pytest
from ensembles.learners import mixed_table
from sklearn.base import BaseEstimator, ClassifierMixin

import thriftwood as tw

COSTS = tw.Costs(errors={"ill": {"well": 10}, "well": {"ill": 1}})


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
