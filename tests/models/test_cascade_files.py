"""Cascades as files: written exactly, read with suspicion."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cascades import GOLDEN, random_cascade, random_frame

import thriftwood as tw
from thriftwood.models.files.kinds import TreeFileError
from thriftwood.models.files.trees import digest

SEED = 37  # three stages, two classes, an ordered column and numbers on the first card


def resigned(content):
    return json.dumps({**content, "sha256": digest(content)})


def changed(*path, to):
    content = json.loads(random_cascade(SEED, besides=()).to_json())
    place = content
    for key in path[:-1]:
        place = place[key]
    if to is None:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return content


def test_a_model_saves_its_cascade(tmp_path):
    table = tw.load_dataset("wisconsin-diagnostic")
    model = tw.ThriftClassifier(table.costs, leaves="score").fit(table.X, table.y)
    model.save(tmp_path / "model.json")
    again = tw.load(tmp_path / "model.json")
    assert isinstance(again, tw.Cascade)
    assert again == model.cascade_ == tw.Cascade.load(tmp_path / "model.json")
    assert again.note == model.cascade_.note
    np.testing.assert_array_equal(again.predict_proba(table.X), model.predict_proba(table.X))
    one, other = tw.bill(again, table.X, table.y), tw.bill(model, table.X, table.y)
    assert (one.total_test_cost, one.total_error_cost) == (other.total_test_cost, other.total_error_cost)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_any_cascade_is_read_as_it_was_written(seed):
    cascade = random_cascade(seed)
    again = tw.Cascade.from_json(cascade.to_json())
    assert again == cascade
    assert hash(again) == hash(cascade)
    assert again.to_json() == cascade.to_json()
    frame = random_frame(np.random.default_rng(seed))
    np.testing.assert_array_equal(again.predict_proba(frame), cascade.predict_proba(frame))
    assert pickle.loads(pickle.dumps(cascade)) == cascade


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (lambda: changed("version", to=2), "reads version 1"),
        (lambda: changed("format", to="thriftwood-tree"), "format must be 'thriftwood-cascade'.*a tree file"),
        (lambda: changed("stages", to=None), "lacks the entry 'stages'"),
        (lambda: changed("more", to=1), "unknown entry 'more'"),
        (lambda: changed("note", to="a\nb"), "note must be a printable text"),
        (lambda: changed("stages", to=[]), "at least one stage"),
        (lambda: changed("stages", to={}), "stages must be a list"),
        (lambda: changed("stages", 0, to=[]), r"stages\[0\] must be an object"),
        (lambda: changed("stages", 0, "stop", to=1), r"stages\[0\].stop must be a float"),
        (lambda: changed("stages", -1, "stop", to=5.0), "its stop is infinite"),
        (lambda: changed("stages", 0, "tests", to=[0.0]), r"stages\[0\].tests must be a list of whole"),
        (lambda: changed("stages", 0, "tests", to=[True]), r"stages\[0\].tests must be a list of whole"),
        (lambda: changed("stages", 0, "tests", to=[99]), "buys tests of its 5 columns"),
        (lambda: changed("stages", 0, "tests", to=[]), "bought in its stage or before"),
        (lambda: changed("stages", 0, "card", "base", to=[1, 2]), "one score for two classes"),
        (lambda: changed("stages", 0, "card", "base", to=[10**40]), "from -1,000,000,000 to"),
        (lambda: changed("stages", 0, "card", "entries", 0, "points", to=[]), "points at two"),
        (lambda: changed("stages", 0, "card", "entries", 0, "points", to=[[0.5]]), "list of whole numbers"),
        (lambda: changed("stages", 0, "card", "entries", 0, "missing", to=[1, 2]), "has 1 points"),
        (lambda: changed("stages", 0, "card", "entries", 0, "feature", to="x0"), "number of a feature"),
        (lambda: changed("stages", 0, "card", "entries", 0, "feature", to=-1), "of the 5 columns"),
        (lambda: changed("loss", to=[[0.0, 1.0], [1.0]]), "all of one length"),
        (lambda: changed("loss", to=[[0.0, 1], [1.0, 0.0]]), "rows of floats"),
        (lambda: changed("loss", to=[[0.0, -1.0], [1.0, 0.0]]), "what each answer costs"),
        (lambda: changed("loss", to=[[0.0, 1e301], [1.0, 0.0]]), "what each answer costs"),
        (lambda: changed("loss", to=[]), "must list 0 classes"),
        (lambda: changed("classes", to={"dtype": "str", "values": ["a"]}), "must list 2 classes"),
        (lambda: changed("costs", to={"tests": {"height": 1}}), "costs are wrong"),
        (lambda: changed("costs", to={"errors": {"a": {"b": 1}}}), "costs are wrong"),
    ],
)
def test_whatever_is_no_cascade_is_refused(content, words):
    with pytest.raises(TreeFileError, match=f"not a cascade file: .*{words}"):
        tw.Cascade.from_json(resigned(content()))


@pytest.mark.parametrize("at", [[-1e308, 1e308], [0.0, 5e-324], [1.0, 1.0], [0.0]])
def test_numbers_that_nothing_can_be_in_proportion_between_are_refused(at):
    content = json.loads(random_cascade(SEED, besides=()).to_json())
    entry = {"feature": 0, "at": at, "points": [[1]] * len(at), "missing": [0]}
    content["stages"][0] = {"tests": [0], "stop": None, "card": {"base": [0], "entries": [entry]}}
    content["stages"] = content["stages"][:1]
    with pytest.raises(TreeFileError, match="column 'x0' has points at"):
        tw.Cascade.from_json(resigned(content))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"a": NaN}', '{"a": 1, "a": 1}', "[" * 200_000])
def test_what_is_no_cascade_is_called_so(text):
    with pytest.raises(TreeFileError, match=r"^This is not a cascade file: "):
        tw.Cascade.from_json(text)


def test_a_changed_digit_is_noticed():
    text = random_cascade(SEED, besides=()).to_json()
    with pytest.raises(TreeFileError, match="not a cascade file: its content does not fit its sha256"):
        tw.Cascade.from_json(text.replace('"base": [', '"base": [1'))


def test_a_note_that_could_not_be_read_back_is_not_written():
    cascade = random_cascade(SEED, besides=())
    cascade.note = "two\nlines"
    with pytest.raises(TreeFileError, match="note must be a printable text"):
        cascade.to_json()


def test_a_cascade_of_version_1_is_read():
    golf, cascade = tw.load_dataset("golf"), tw.load(GOLDEN)
    answers = "NNYNNNYNYNNYYN"
    assert [answer[0] for answer in cascade.predict(golf.X)] == [*answers]
    shares = [0.508333, 0.869892, 0.052154, 0.689974]
    assert cascade.predict_proba(golf.X)[:4, 0] == pytest.approx(shares, abs=5e-7)
    paid = [6, 5, 2, 5, 6, 5, 2, 5, 5, 6, 6, 2, 2, 5]
    assert tw.bill(cascade, golf.X).test_cost.tolist() == paid
    assert cascade.to_json() == GOLDEN.read_text().strip()
