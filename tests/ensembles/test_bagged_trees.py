"""Bagging: trees of bootstraps that vote by answers or by shares."""

import numpy as np
import pytest

import thriftwood as tw

IRIS = tw.load_dataset("iris")
PRICES = tw.Costs({name: 1 + place for place, name in enumerate(IRIS.X.columns)})


@pytest.mark.parametrize("votes", ["answers", "shares"])
def test_bagging_votes_by_answers_or_by_shares(votes):
    model = tw.BaggedTreesClassifier(costs=PRICES, votes=votes, n_estimators=7, random_state=0)
    model.fit(IRIS.X, IRIS.y)
    if votes == "shares":
        said = [tree.predict_proba(IRIS.X) for tree in model.estimators_]
    else:
        said = [model.classes_ == tree.predict(IRIS.X)[:, None] for tree in model.estimators_]
    np.testing.assert_allclose(model.predict_proba(IRIS.X), np.mean(said, axis=0))
    assert [tree.core.weight[0] for tree in model.estimators_] == [150.0] * 7
    again = tw.BaggedTreesClassifier(
        costs=PRICES, votes=votes, n_estimators=7, short_cut=True, random_state=0, n_jobs=2
    ).fit(IRIS.X, IRIS.y)
    assert [tree.core for tree in again.estimators_] == [tree.core for tree in model.estimators_]
    np.testing.assert_array_equal(again.predict(IRIS.X), model.predict(IRIS.X))
    assert tw.bill(again, IRIS.X, IRIS.y).mean_test_cost <= tw.bill(model, IRIS.X, IRIS.y).mean_test_cost
