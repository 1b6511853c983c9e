"""How sure types are, and streams of none of them."""

import json

import numpy as np
import pytest
from flowtype.small_corpus import text, wave
from hypothesis import given
from hypothesis import strategies as some

import thriftwood as tw
from thriftwood import flowtype
from thriftwood.base.rising import rising, stepped
from thriftwood.flowtype.curves import curves_of, together
from thriftwood.flowtype.measuring import SourcesError
from thriftwood.flowtype.sureness import calibrated, spread
from thriftwood.models.files.kinds import TreeFileError
from thriftwood.models.files.loading import from_json
from thriftwood.models.files.trees import digest

PRICES = tw.Costs(dict.fromkeys(flowtype.FEATURES, 1.0))


def learn(seen):
    return tw.algorithm("c45", costs=PRICES).fit(seen.X, seen.y).model_


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    makers = {"TXT": text, "WAV": wave, "ENC": lambda rng, size: rng.bytes(size)}
    cases = [(kind, make(rng, 16384), n % 4) for kind, make in makers.items() for n in range(40)]
    values = flowtype.features([content for _, content, _ in cases])
    source = np.array([f"place {place}" for *_, place in cases])
    return flowtype.FeatureTable(values, np.array([kind for kind, *_ in cases]), source, source)


@pytest.fixture(scope="module")
def classifier(table):
    return flowtype.StreamClassifier(learn(table), flowtype.measure_sureness(learn, table))


@given(some.lists(some.tuples(some.floats(0, 1), some.booleans()), max_size=40))
def test_steps_rise_and_never_say_never(cases):
    steps = rising([share for share, _ in cases], [right for _, right in cases])
    heights = [right for _, right in steps]
    assert heights == sorted(set(heights))
    assert all(0 < stepped(steps, share) < 1 for share, _ in cases)


def test_what_was_learnt_is_told_and_nothing_is_certain(classifier):
    rng = np.random.default_rng(8)
    found = classifier.explain(text(rng, 40_000))
    assert (found.answer, found.nearest, found.unlike) == ("TXT", "TXT", False)
    assert 0.8 < found.share < 1.0
    assert sum(found.probabilities.values()) == pytest.approx(1.0)
    assert classifier.answer(wave(rng, 40_000)) == "WAV"
    # The guards' twelve statistics are paid besides what the tree asked.
    assert found.cost == len({*flowtype.sureness.LONG, *(name for name, _ in found.bought)})


def test_streams_of_no_type_are_unknown(classifier):
    for strange in (bytes(40_000), bytes(range(256)) * 160, b"\x00\xff" * 20_000, bytes(range(9)) * 5000):
        found = classifier.explain(strange)
        assert (found.answer, found.unlike) == (flowtype.UNKNOWN, True)
        assert found.nearest in ("TXT", "WAV", "ENC")
    assert classifier.explain(bytes(3000)).answer == flowtype.UNKNOWN  # by the statistics of 2 KB


@pytest.fixture(scope="module")
def confused(table):
    """A classifier that has learnt two names for the same noise."""
    kinds = np.where((table.y == "ENC") & (np.arange(len(table)) % 2 == 0), "ZIP", table.y)
    cases = flowtype.FeatureTable(table.values, kinds, table.source, table.file)
    return flowtype.StreamClassifier(learn(cases), flowtype.measure_sureness(learn, cases))


@pytest.mark.parametrize("size", [2500, 3000, 7000, 9000, 15_000, 40_000])
def test_no_type_is_likelier_than_the_answer(confused, size):
    rng = np.random.default_rng(size)
    for content in (rng.bytes(size), text(rng, size)):
        found = confused.explain(content)
        assert found.share == max(found.probabilities.values())
        assert sum(found.probabilities.values()) == pytest.approx(1.0)
        assert found.answer in (found.nearest, flowtype.UNKNOWN)


def test_types_that_are_hard_to_tell_apart_are_less_sure(confused):
    """Types that are always right made these surer: .97 was said of what is a guess."""
    easy, hard = ("TXT", "WAV"), ("ENC", "ZIP")
    share = {kind: confused.sureness.share(kind, 0.97) for kind in (*easy, *hard)}
    assert min(share[kind] for kind in easy) > 0.9  # four sources say no more
    assert max(share[kind] for kind in hard) < 0.7


def test_what_an_answer_lacks_goes_to_the_types_it_was_mistaken_for(confused):
    rng = np.random.default_rng(11)
    for _ in range(20):
        found = confused.explain(rng.bytes(40_000))
        assert found.nearest in ("ENC", "ZIP")
        assert found.probabilities["TXT"] + found.probabilities["WAV"] < 0.1


def test_chunks_of_few_sources_make_an_answer_less_sure_than_those_of_many():
    """Of 211 chunks of captures .954 was said and .885 was right."""
    said, shares = np.array(["TXT"] * 120), np.full(120, 0.97)
    right = np.arange(120) >= 12  # all that is wrong is one source's
    few, many = (np.arange(120) // 12).astype(str), (np.arange(120) % 60).astype(str)
    assert together(right - right.mean(), few) == pytest.approx(12.0)
    assert together(right - right.mean(), np.arange(120).astype(str)) == 1.0
    told = [curves_of(["TXT"], said, shares, right, source)["TXT"].share(0.97) for source in (few, many)]
    assert 0.5 < told[0] < told[1] - 0.02
    assert told[1] == pytest.approx(right.mean(), abs=0.02)


def test_nothing_is_certain_and_a_type_of_few_answers_is_like_all():
    said = np.array(["TXT"] * 50 + ["WAV"])
    shares, right = np.full(51, 0.97), np.ones(51, dtype=bool)
    source = np.arange(51).astype(str)
    curves = curves_of(["TXT", "WAV", "ZIP"], said, shares, right, source)
    assert 0.94 < curves["TXT"].share(1.0) < 1.0
    assert curves["WAV"].share(0.97) == pytest.approx(curves["ZIP"].share(0.97), abs=0.05)
    wrong = curves_of(["TXT"], said, np.linspace(0.5, 1.0, 51), np.arange(51) < 25, source)
    assert 0.0 <= wrong["TXT"].slope < 0.01  # surer never means less sure


def test_files_of_earlier_versions_are_as_sure_as_they_were(confused):
    content = json.loads(confused.to_json())
    del content["sureness"]["curves"], content["sureness"]["mistaken"], content["sha256"]
    content["sureness"]["steps"] = [[0.0, 0.625]]
    earlier = flowtype.StreamClassifier.from_json(json.dumps({**content, "sha256": digest(content)}))
    found = earlier.explain(np.random.default_rng(0).bytes(40_000))
    assert found.share == 0.625
    assert flowtype.StreamClassifier.from_json(earlier.to_json()).sureness == earlier.sureness


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("curves", {"TXT": [0, 1]}),
        ("curves", {"TXT": [0, 1], "WAV": [0, 1], "ENC": [0, -1]}),
        ("curves", {"TXT": [0, 1], "WAV": [0, 1], "ENC": [0]}),
        ("mistaken", {"TXT": {}, "WAV": {}, "ENC": {"GIF": 1}}),
        ("mistaken", {"TXT": {}, "WAV": {}, "ENC": {"TXT": -1}}),
    ],
)
def test_curves_and_mistakes_of_other_types_are_refused(classifier, entry, value):
    content = json.loads(classifier.to_json())
    content["sureness"][entry] = value
    del content["sha256"]
    with pytest.raises(TreeFileError, match="not a flowtype file"):
        flowtype.StreamClassifier.from_json(json.dumps({**content, "sha256": digest(content)}))


@pytest.mark.parametrize("mistaken", [None, {}, {"0": 9, "1": 2}])
@given(
    weights=some.lists(some.integers(0, 20), min_size=2, max_size=5).filter(any),
    share=some.floats(0.01, 0.99),
)
def test_calibrated_shares_are_shares_and_the_answer_stays_the_likeliest(mistaken, weights, share):
    shares = {place: weight / sum(weights) for place, weight in enumerate(weights)}
    answer = max(shares, key=shares.__getitem__)
    by_counts = mistaken is not None
    found = spread(shares, answer, share, mistaken) if by_counts else calibrated(shares, answer, share)
    assert sum(found.values()) == pytest.approx(1.0)
    assert min(found.values()) >= 0.0
    assert max(found.values()) <= found[answer] + 1e-12
    if not by_counts:
        assert found[answer] == pytest.approx(max(share, 1.0 / len(shares)))
    assert found[answer] >= share - 1e-12


def test_an_answer_that_is_cheap_but_not_likely_keeps_its_share():
    assert calibrated({"a": 0.3, "b": 0.7}, "a", 0.2) == pytest.approx({"a": 0.2, "b": 0.8})
    assert spread({"a": 0.3, "b": 0.7}, "a", 0.2, {}) == pytest.approx({"a": 0.2, "b": 0.8})


def test_alarms_are_as_rare_as_was_asked(table):
    for rate in (0.05, 0.2):
        figures = flowtype.measure_sureness(learn, table, rate=rate).figures
        assert figures["alarms"] <= rate
        assert figures["noticed"] > 0.9  # the three types have nothing in common


def test_files(classifier, tmp_path):
    path = tmp_path / "types.json"
    classifier.save(path)
    again = flowtype.StreamClassifier.load(path)
    assert again.sureness == classifier.sureness
    assert again.model == classifier.model
    assert tw.load(path) == classifier.model  # other commands take the model in it
    content = np.random.default_rng(3).bytes(40_000)
    assert flowtype.classify(content, path).probabilities == classifier.explain(content).probabilities
    plain = tmp_path / "plain.json"
    flowtype.StreamClassifier(classifier.model).save(plain)
    assert flowtype.StreamClassifier.load(plain).sureness is None
    content = json.loads(path.read_text())
    content["sureness"]["least"] = 0.9
    with pytest.raises(TreeFileError, match="does not fit its sha256"):
        flowtype.StreamClassifier.from_json(json.dumps(content))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"version": True}, "its version is True"),
        ({"version": 2}, "its version is 2"),
        ({"note": ""}, "unknown entry 'note'"),
    ],
)
def test_other_headers_are_refused(classifier, changes, words):
    content = {**json.loads(classifier.to_json()), **changes}
    text = json.dumps({**content, "sha256": digest(content)})
    with pytest.raises(TreeFileError, match=f"not a flowtype file: .*{words}"):
        from_json(text)


def test_types_of_two_sources_each_are_measured_or_told(table):
    source = np.array([f"{kind} {n % 2}" for n, kind in enumerate(table.y)])
    cases = flowtype.FeatureTable(table.values, table.y, source, source)
    measured, told = [], []
    for seed in range(8):
        try:
            measured.append(flowtype.measure_sureness(learn, cases, seed=seed).figures["noticed"])
        except SourcesError as error:
            told.append(str(error))
    assert measured
    assert all(0 <= noticed <= 1 for noticed in measured)
    assert told
    assert all(
        text.startswith(tuple(f"All files of the type {kind!r} are" for kind in ("TXT", "WAV", "ENC")))
        for text in told
    )


def test_too_few_sources_are_said(table):
    with pytest.raises(SourcesError, match="there are 1 sources"):
        flowtype.measure_sureness(learn, table.take(table.source == "place 0"))
