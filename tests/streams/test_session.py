"""Lines learnt from as they come: saved, taken up again, and refused where they do not fit."""

import json

import numpy as np
import pytest

import thriftwood as tw
from thriftwood.streams.session import StreamSession


def lines(n, seed=0):
    random = np.random.default_rng(seed)
    yield "n;colour;state"
    for _ in range(n):
        state = random.integers(0, 2)
        colour = ["red", "blue", "?"][random.integers(0, 3)]
        yield f"{state + random.normal():.3f};{colour};{['well', 'ill'][state]}"


def session(**settings):
    costs = tw.Costs({"n": 2, "colour": 1}, errors_default=10)
    return StreamSession(
        tw.StreamingTree(tw.algorithm("c45", costs=costs), window=300), "state", settings=settings
    )


def test_a_session_that_was_cut_off_goes_on(tmp_path):
    whole, path = session(), tmp_path / "state.json"
    assert list(whole.learn(lines(1000), "x.csv", batch=100)) == list(range(100, 1001, 100))
    first = session()
    for n_rows in first.learn(lines(1000), "x.csv", batch=100):
        if n_rows == 400:
            first.save(path)
            break
    second = session()
    second.load(path)
    assert second.n_rows == 400
    assert list(second.learn(lines(1000), "x.csv", batch=100, skip=400))[-1] == 1000
    assert second.model.history_.n_rows == whole.model.history_.n_rows == 900
    assert second.model.history_.columns()["rows"].tolist() == list(range(100, 901, 100))
    assert abs(second.model.history_.mean_cost - whole.model.history_.mean_cost) < 0.5
    X, y = second.model.kept_
    again, labels = whole.model.kept_
    np.testing.assert_array_equal(X.columns[0].numbers(), again.columns[0].numbers())
    assert (y == labels).all()
    assert {X.columns[1].codes().categories[c] for c in X.columns[1].codes().codes if c >= 0} == {
        "red",
        "blue",
    }


def test_numbers_that_are_names_stay_names():
    own = StreamSession(tw.StreamingTree(tw.algorithm("c45")), "y")
    text = ["code,y", *["a1,no", "7,yes"] * 10, *["7,yes", "8,no"] * 10]
    list(own.learn(text, "x.csv", batch=20))
    assert own.model.model_.columns[0].categories == ("7", "8", "a1")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (["n;colour;state", "1;red;ill", "three;red;ill"], "three|number"),
        (["n;colour;state", "1;red;ill", "1;red"], "line 3: 2 cells"),
        (["n;colour;state", "1;red;ill", "1;red;?"], "state"),
        (["n;colour", "1;red"], "no column 'state'"),
    ],
)
def test_lines_that_do_not_fit_are_named_and_the_model_answers_on(text, words):
    own = session()
    with pytest.raises(ValueError, match=words):
        list(own.learn(text, "x.csv", batch=1))
    if own.n_rows:
        assert own.model.decide({"n": 1.0, "colour": "red"}) == "ill"
        assert own.n_rows == own.model.n_rows_ == 1


def test_a_state_of_another_stream_is_refused(tmp_path):
    own, path = session(window=5), tmp_path / "state.json"
    list(own.learn(lines(50), "x.csv", batch=10))
    own.save(path)
    with pytest.raises(ValueError, match="with window 5, and now it is 6"):
        session(window=6).load(path)
    taken = session(window=5)
    taken.load(path)
    with pytest.raises(ValueError, match="the stream so far had"):
        list(taken.learn(["m;colour;state", "1;red;ill"], "x.csv", batch=1))
    for damage in (
        "",
        "{}",
        "[1]",
        path.read_text()[:-9],
        json.dumps({"format": "thriftwood stream", "version": 9}),
    ):
        path.write_text(damage)
        with pytest.raises(ValueError, match="not the state of a stream"):
            session(window=5).load(path)
