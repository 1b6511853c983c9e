"""Logistic regression: the same as scikit-learn's, however it is found."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from thriftwood.baselines import logistic
from thriftwood.baselines.logistic import fit_logistic
from thriftwood.models.score_card import chances


def table(n_classes, n_columns=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(120, n_columns))
    labels = (X[:, 0] * 1.5 + rng.normal(size=120)).argsort().argsort() * n_classes // 120
    return X, labels, rng.integers(0, 4, 120).astype(float)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("most_solved", [600, 1])
def test_shares_are_those_of_scikit_learn(monkeypatch, n_classes, most_solved):
    monkeypatch.setattr(logistic, "MOST_SOLVED", most_solved)
    X, labels, weights = table(n_classes)
    theirs = LogisticRegression(tol=1e-10, max_iter=5000).fit(X, labels, weights).predict_proba(X)
    found = fit_logistic(X, labels, n_classes, weights)
    assert np.allclose(chances(found[0] + X @ found[1:]), theirs, atol=2e-3 if most_solved == 1 else 1e-4)


def test_a_start_changes_the_way_and_not_the_end():
    X, labels, weights = table(3)
    found = fit_logistic(X, labels, 3, weights)
    start = np.random.default_rng(1).normal(size=found.shape)
    again = fit_logistic(X, labels, 3, weights, start=start)
    assert np.allclose(chances(found[0] + X @ found[1:]), chances(again[0] + X @ again[1:]), atol=1e-4)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_classes_that_can_be_told_apart_and_classes_without_cases_have_finite_scores(n_classes):
    X = np.linspace(-1, 1, 20)[:, None]
    for labels in ((X[:, 0] > 0).astype(int), np.zeros(20, dtype=int)):
        found = fit_logistic(X, labels, n_classes, np.ones(20))
        assert np.isfinite(found).all()
        assert (chances(found[0] + X @ found[1:]).argmax(axis=1) == labels).all()


def test_one_class_and_no_column():
    assert fit_logistic(np.zeros((3, 2)), np.zeros(3, dtype=int), 1, np.ones(3)).tolist() == [[0]] * 3
    found = fit_logistic(np.zeros((4, 0)), np.array([0, 0, 0, 1]), 2, np.ones(4))
    assert np.allclose(chances(found), [[0.75, 0.25]])
