"""The record of a stream: means that add up, in bounded memory, and back from JSON."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood.streams.history import MOST_POINTS, StreamHistory


@given(st.lists(st.integers(1, 9), min_size=1, max_size=50), st.integers(0, 5))
def test_means_are_those_of_all_cases(sizes, seed):
    random = np.random.default_rng(seed)
    history, right, tests, errors = StreamHistory(), [], [], []
    for size in sizes:
        right.append(random.random(size) < 0.5)
        tests.append(random.random(size))
        errors.append(random.random(size))
        history.add(right[-1], tests[-1], errors[-1])
    assert history.n_rows == sum(sizes)
    assert history.accuracy == pytest.approx(np.concatenate(right).mean())
    assert history.mean_test_cost == pytest.approx(np.concatenate(tests).mean())
    assert history.mean_cost == pytest.approx(np.concatenate(tests).mean() + np.concatenate(errors).mean())


def test_a_long_history_takes_as_little_room():
    history = StreamHistory()
    one = np.array([True]), np.array([2.0]), np.array([3.0])
    for _ in range(5 * MOST_POINTS):
        history.add(*one)
    columns = history.columns()
    assert MOST_POINTS / 4 < len(columns["rows"]) <= MOST_POINTS
    assert columns["rows"][-1] == history.n_rows == 5 * MOST_POINTS
    assert set(columns["cost"]) == {5.0}


def test_it_comes_back_from_json():
    history = StreamHistory()
    history.add(np.array([True, False]), np.array([1.0, 2.0]), np.array([0.0, 4.0]))
    history.drifts.append(2)
    back = StreamHistory.from_json(json.loads(json.dumps(history.to_json())))
    assert repr(back) == repr(history)
    assert back.to_json() == history.to_json()


def test_before_the_first_answer():
    history = StreamHistory()
    assert np.isnan(history.accuracy)
    assert "no case" in repr(history)
    assert len(history.columns()["rows"]) == 0


def test_it_is_drawn_and_tabulated():
    with pytest.raises(ValueError, match="no case was answered yet"):
        StreamHistory().plot()
    model = tw.StreamingTree(tw.CostTreeClassifier(growth=tw.Growth(max_depth=4)))
    history = tw.evaluate_stream(model, tw.make_stream("sea", drift_every=3000), 6000)
    history.drifts = [3000]
    axes = history.plot()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["tests", "mistakes", "accuracy"]
    assert list(history.frame.columns) == ["rows", "accuracy", "test_cost", "error_cost", "cost"]
