import io

import numpy as np
import pytest
from flowtype.small_corpus import text, wave

import thriftwood as tw
from thriftwood import flowtype
from thriftwood.flowtype.chunk import NEEDS


@pytest.fixture(scope="module")
def learnt(small_corpus, prices):
    table = flowtype.feature_table(small_corpus)
    return tw.algorithm("eg2", costs=prices).fit(table.X, table.y).tree_


@pytest.fixture
def streams():
    random = np.random.default_rng(99)
    return {"TXT": text(random, 30_000), "WAV": wave(random, 30_000), "ENC": random.bytes(30_000)}


def test_streams_that_were_not_learnt_are_told_apart(learnt, streams):
    sorter = flowtype.StreamClassifier(learnt)
    for kind, content in streams.items():
        assert sorter.answer(content) == kind
        assert flowtype.classify(content, sorter).answer == kind


def test_what_is_computed_is_what_the_tree_asks(learnt, streams, prices):
    for content in streams.values():
        found = flowtype.classify(content, flowtype.StreamClassifier(learnt))
        names = [name for name, _ in found.bought]
        assert set(found.values) == set(names)
        assert set(found.steps) == {step for name in names for step in NEEDS[name]}
        assert found.cost == pytest.approx(prices.total(names))
        assert found.seconds > 0
        assert 0 < len(names) < 10


def test_both_ways_and_the_table_give_one_answer(learnt, streams):
    sorter = flowtype.StreamClassifier(learnt)
    for content in streams.values():
        row = flowtype.named_columns(flowtype.features([content[4096:]]))
        assert sorter.answer(content) == sorter.explain(content).answer == learnt.predict(row)[0]


def test_the_bill_is_that_of_the_table(learnt, streams):
    contents = list(streams.values())
    billed = tw.bill(learnt, flowtype.named_columns(flowtype.features([one[4096:] for one in contents])))
    sorter = flowtype.StreamClassifier(learnt)
    assert [sorter.explain(one).cost for one in contents] == pytest.approx(list(billed.test_cost))


class Trickle(io.RawIOBase):
    """A pipe: gives a few bytes at a time."""

    def __init__(self, content):
        self.content = content

    def readable(self):
        return True

    def read(self, size=-1):
        part, self.content = self.content[: min(size, 777)], self.content[min(size, 777) :]
        return part


def test_a_stream_is_read_as_far_as_needed(learnt, streams):
    stream = Trickle(streams["TXT"])
    assert flowtype.StreamClassifier(learnt).answer(stream) == "TXT"
    assert len(stream.content) == 30_000 - 20_480


def test_a_short_stream_is_answered_without_what_it_is_too_short_for(small_corpus, streams):
    table = flowtype.feature_table(small_corpus)
    free = dict.fromkeys(flowtype.FEATURES, 100.0) | {"entropy@16k": 0.0}
    tree = tw.algorithm("eg2", costs=tw.Costs(free)).fit(table.X, table.y).tree_
    assert "entropy@16k" in tree.features_used
    sorter = flowtype.StreamClassifier(tree)
    for content in streams.values():
        found = sorter.explain(content[:9000])
        assert "entropy@16k" not in found.values
        assert sorter.answer(content[:9000]) == found.answer
        assert (found.first_byte, found.n_bytes, found.sizes_lacking) == (4096, 4904, (8192, 16384))
        assert sum(found.probabilities.values()) == pytest.approx(1)


def test_too_few_bytes_and_trees_of_other_tables_are_refused(learnt):
    with pytest.raises(ValueError, match="has 5 bytes; at least 2048"):
        flowtype.StreamClassifier(learnt).answer(b"short")
    golf = tw.load_dataset("golf-nominal")
    other = tw.algorithm("c45").fit(golf.X, golf.y).tree_
    with pytest.raises(ValueError, match="the column 'Outlook'"):
        flowtype.StreamClassifier(other)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("bagging", {"bags": 3, "random_state": 0}),
        ("shortcut-forest", {"trees": 5, "random_state": 0}),
        ("cocost", {"alphas": (0.1, 1), "rounds": 2, "random_state": 0}),
    ],
)
def test_several_trees_have_computed_what_they_ask_and_nothing_twice(
    small_corpus, prices, streams, name, settings
):
    table = flowtype.feature_table(small_corpus)
    # A few labels are wrong, so that trees differ.
    y = np.where(np.random.default_rng(0).random(len(table)) < 0.2, "TXT", table.y)
    model = tw.algorithm(name, costs=prices, **settings).fit(table.X, y)
    sorter = flowtype.StreamClassifier(model.panel_)
    rows = flowtype.named_columns(flowtype.features([content[4096:] for content in streams.values()]))
    bill, answers = tw.bill(model, rows), model.predict(rows)
    for place, content in enumerate(streams.values()):
        found = sorter.explain(content)
        assert found.answer == sorter.answer(content) == answers[place]
        assert found.cost == pytest.approx(bill.test_cost[place])
        asked = [name for name, _ in found.bought]
        assert sorted(found.values) == sorted(asked)
        assert set(found.steps) == {step for name in asked for step in NEEDS[name]}
        short = content[:9000]  # too short for most features
        assert sorter.answer(short) == sorter.explain(short).answer


def test_a_booster_computes_what_it_asks_until_it_is_sure(small_corpus, prices, streams):
    table = flowtype.feature_table(small_corpus)
    model = tw.algorithm("gradient-boosting", costs=prices, rounds=20, stop=0.8).fit(table.X, table.y)
    sorter = flowtype.StreamClassifier(model.booster_)
    for kind, content in streams.items():
        row = flowtype.named_columns(flowtype.features([content[4096:]]))
        found = sorter.explain(content)
        assert sorter.answer(content) == found.answer == model.predict(row)[0] == kind
        assert found.cost == pytest.approx(tw.bill(model, row).test_cost[0])
        assert set(found.values) == {name for name, _ in found.bought}
    assert sorter.answer(streams["TXT"][:7000]) in model.classes_  # too short for the larger sizes


def test_a_stream_is_told_by_a_classifier_its_file_or_a_model(learnt, streams, tmp_path):
    classifier = flowtype.StreamClassifier(learnt)
    classifier.save(tmp_path / "types.json")
    for model in (classifier, tmp_path / "types.json", str(tmp_path / "types.json")):
        assert flowtype.classify(streams["TXT"], model).answer == "TXT"
    with pytest.warns(UserWarning, match="A model alone does not know how sure it is") as told:
        assert flowtype.classify(streams["TXT"], learnt).answer == "TXT"
    assert told[0].filename == __file__


@pytest.mark.parametrize("content", ["text", None, 5])
def test_what_is_no_stream_is_said(learnt, content):
    sorter = flowtype.StreamClassifier(learnt)
    for tell in (sorter.answer, sorter.explain):
        with pytest.raises(TypeError, match=r"A stream is bytes, .* Got (str|NoneType|int)\."):
            tell(content)
        with pytest.raises(TypeError, match=r"A stream is bytes, .* Got str\."):
            tell(io.StringIO("x" * 9000))


@pytest.mark.parametrize("model", ["types.json", None, b"{}"])
def test_what_is_no_model_is_said(model):
    with pytest.raises(TypeError, match=r"made of a model, .* Got (str|NoneType|bytes)\."):
        flowtype.StreamClassifier(model)
