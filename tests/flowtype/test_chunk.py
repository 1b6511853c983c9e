import numpy as np
import pytest
from flowtype.plain_features import SIZES, bicoherence, plain_features
from hypothesis import given, settings
from hypothesis import strategies as st

from thriftwood import flowtype
from thriftwood.flowtype.chunk import NEEDS, STEPS


def kinds_of_bytes(size=16384):
    random = np.random.default_rng(1)
    steps = np.cumsum(random.integers(-3, 4, size))
    return {
        "noise": random.bytes(size),
        "text": (b"All happy families are alike; every unhappy family is unhappy. " * 300)[:size],
        "sine": (128 + 100 * np.sin(np.arange(size) / 7)).astype(np.uint8).tobytes(),
        "walk": steps.astype(np.uint8).tobytes(),
        "constant": b"a" * size,
        "pulses": bytes(255 if i % 100 == 0 else 0 for i in range(size)),
    }


def assert_as_plain(content):
    values = dict(zip(flowtype.FEATURES, flowtype.features([content])[0], strict=True))
    plain = plain_features(content)
    for name, value in values.items():
        if name in plain:
            # Spectra are of floats of seven digits; what is of the bytes themselves is exact.
            near = {"rel": 3e-4, "abs": 3e-4} if "." in name else {"rel": 1e-9, "abs": 1e-9}
            assert value == pytest.approx(plain[name], **near), name
        else:
            assert np.isnan(value)


@pytest.mark.parametrize("kind", kinds_of_bytes())
def test_features_are_those_of_plain_numpy(kind):
    assert_as_plain(kinds_of_bytes()[kind])


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 256), st.integers(0, 3), st.sampled_from([2048, 4100, 9000]))
def test_features_of_any_bytes_are_those_of_plain_numpy(seed, values, repeated, size):
    random = np.random.default_rng(seed)
    drawn = random.integers(0, values, size).astype(np.uint8)
    assert_as_plain(np.repeat(drawn, repeated + 1)[:size].tobytes())


def test_phases_that_agree_have_a_bicoherence_of_one():
    i = np.arange(128)
    rng = np.random.default_rng(0)
    segments = []
    for phase_1, phase_2 in rng.uniform(0, 2 * np.pi, (128, 2)):
        wave = np.cos(2 * np.pi * 10 * i / 128 + phase_1) + np.cos(2 * np.pi * 17 * i / 128 + phase_2)
        wave += np.cos(2 * np.pi * 27 * i / 128 + phase_1 + phase_2)
        segments.append(128 + 30 * wave)
    coupled = np.concatenate(segments).astype(np.uint8)
    pairs = bicoherence(coupled.astype(float))
    assert pairs.max() > 0.99
    assert flowtype.Chunk(coupled.tobytes()).feature("bicoherence.mean@16k") == pytest.approx(
        pairs.mean(), rel=1e-3
    )


def test_a_chunk_computes_once_what_it_is_asked_and_nothing_else():
    chunk = flowtype.Chunk(kinds_of_bytes()["noise"])
    assert (chunk.steps, chunk.computed) == ((), {})
    first = chunk.feature("band2.log_power@4k")
    assert chunk.steps == ("spectrum@4k",)
    chunk.feature("band4.skewness@4k")
    assert chunk.steps == ("spectrum@4k",)
    assert list(chunk.computed) == ["band2.log_power@4k", "band4.skewness@4k"]
    assert chunk.computed["band2.log_power@4k"] == first


@given(st.lists(st.sampled_from(flowtype.FEATURES), max_size=12))
def test_steps_done_are_those_that_the_features_asked_for_need(asked):
    chunk = flowtype.Chunk(bytes(range(256)) * 64)
    for name in asked:
        chunk.feature(name)
    assert set(chunk.steps) == {step for name in asked for step in NEEDS[name]}
    assert set(chunk.computed) == set(asked)


def test_names_say_statistic_and_size():
    assert len(flowtype.FEATURES) == len(set(flowtype.FEATURES)) == 88
    assert {name.partition("@")[2] for name in flowtype.FEATURES} == set(SIZES)
    assert {step for steps in NEEDS.values() for step in steps} == set(STEPS)


def test_one_thread_and_many_give_the_same_table():
    contents = [np.random.default_rng(seed).bytes(16384) for seed in range(7)]
    np.testing.assert_array_equal(
        flowtype.features(contents), flowtype.features(contents, n_jobs=3), strict=True
    )


def test_any_kind_of_bytes_will_do():
    content = bytes(range(256)) * 8
    expected = flowtype.features([content])
    np.testing.assert_array_equal(flowtype.features([bytearray(content), memoryview(content)])[:1], expected)
    assert flowtype.features([]).shape == (0, 88)


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: flowtype.Chunk(bytes(2047)), "2047 bytes came, where at least 2048"),
        (lambda: flowtype.Chunk(bytes(2048)).feature("entropy@4k"), "2048 bytes; this feature needs 4096"),
        (lambda: flowtype.Chunk(bytes(2048)).feature("entropie@2k"), "Did you mean 'entropy@2k'"),
        (lambda: flowtype.features([bytes(2048)], n_jobs=-1), "n_jobs must be 0"),
        (lambda: flowtype.price_list([bytes(2048)]), "has 2048 bytes. Give at least 16384"),
        (lambda: flowtype.price_list([]), "no chunk to time"),
        (lambda: flowtype.price_list(rounds=0), "rounds must be 1"),
    ],
)
def test_what_is_wrong_is_said(act, words):
    with pytest.raises(ValueError, match=words):
        act()


def test_text_is_not_bytes():
    with pytest.raises(TypeError, match="made of bytes"):
        flowtype.Chunk("text" * 1000)
