"""river's interface: its evaluation runs our learners, and the answers are those of the model."""

import numpy as np
import pytest

import thriftwood as tw

pytest.importorskip("river.evaluate", reason="river is not installed")
from river import evaluate, metrics

from thriftwood.river import RiverClassifier


def cases(n, seed=0):
    stream = tw.make_stream("sea", random_state=seed)
    X, y = stream.take(n)
    return [
        (dict(zip(stream.feature_names, row, strict=True)), label)
        for row, label in zip(X.tolist(), y.tolist(), strict=True)
    ]


@pytest.mark.parametrize(
    "learner", [tw.StreamingTree(tw.algorithm("c45")), tw.algorithm("efdt"), tw.algorithm("iti")]
)
def test_rivers_evaluation_runs(learner):
    metric = evaluate.progressive_val_score(
        iter(cases(600)), RiverClassifier(learner, batch=50), metrics.Accuracy()
    )
    assert metric.get() > 0.6


def test_the_answers_are_those_of_the_model():
    data = cases(400)
    model = RiverClassifier(tw.algorithm("iti"), batch=100)
    for x, y in data:
        model.learn_one(x, y)
    X = tw.make_stream("sea", random_state=0).frame(400).drop(columns="class")
    assert [model.predict_one(x) for x, _ in data] == model.model.tree_.predict(X).tolist()
    shares = [model.predict_proba_one(x)[1] for x, _ in data[:20]]
    np.testing.assert_allclose(shares, model.model.tree_.predict_proba(X[:20])[:, 1])
    assert model.model.tree_.feature_names == ("x0", "x1", "x2")


def test_before_anything_was_learnt_and_where_a_feature_is_missing():
    model = RiverClassifier(tw.StreamingTree(tw.algorithm("c45")), batch=4)
    assert model.predict_one({"a": 1}) is None
    assert model.predict_proba_one({"a": 1}) == {}
    for k in range(4):
        model.learn_one({"a": k, "b": "xy"[k % 2]}, "no" if k < 2 else "yes")
    assert model.predict_one({"a": 3}) in ("no", "yes")
    model.learn_one({"a": 1, "c": 7}, "no")
