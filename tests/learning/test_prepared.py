import numpy as np
import pytest

import thriftwood as tw
from thriftwood.learning import PreparedLearner

ERRORS = tw.Costs(errors_default=1).replace(errors={"Yes": {"No": 1}, "No": {"Yes": 5}}, errors_default=None)


@pytest.fixture(scope="module")
def golf():
    return tw.load_dataset("golf")


@pytest.mark.parametrize(
    "model",
    [
        tw.algorithm("c45"),
        tw.CostTreeClassifier(smoothing="laplace"),
        tw.CostTreeClassifier(priors=[0.5, 0.5], costs=ERRORS, loss_in_growth="altered_priors"),
        tw.algorithm("c45cs", costs=ERRORS),
    ],
    ids=["c45", "laplace", "priors", "c45cs"],
)
def test_trees_are_those_of_single_fits(golf, model):
    prepared = PreparedLearner(model, golf.X, golf.y)
    y, weights = np.asarray(golf.y), np.arange(14) % 3 + 0.5
    swapped = np.where(np.arange(14) < 3, 1 - prepared.labels, prepared.labels).astype(np.int32)
    named = prepared.classes[swapped]
    assert prepared.grow() == model.fit(golf.X, y).tree_
    assert prepared.grow(weights=weights) == model.fit(golf.X, y, weights).tree_
    assert prepared.grow(labels=swapped, weights=weights) == model.fit(golf.X, named, weights).tree_
    fitted = prepared.fitted(swapped)
    assert fitted.tree_ == model.fit(golf.X, named).tree_
    assert fitted.predict(golf.X).tolist() == model.predict(golf.X).tolist()
    rows = [[0, 1, 2, 3, 4, 5, 6], [3, 3, 5, 7, 9, 13]]
    assert prepared.grow_many(rows) == tw.fit_many(model, golf.X, y, rows)


def test_all_trees_know_all_classes(golf):
    prepared = PreparedLearner(tw.algorithm("c45"), golf.X, golf.y)
    only = prepared.fitted(np.zeros(14, dtype=np.int32))
    assert only.classes_.tolist() == ["No", "Yes"]
    assert only.predict_proba(golf.X[:1]).tolist() == [[1.0, 0.0]]
