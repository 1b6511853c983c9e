"""Streams that are drawn: the same by seed, by the published rules, with drift where it was asked for."""

import numpy as np
import pytest

from thriftwood.streams.generators import STREAMS, Agrawal, Hyperplane, Led, Rbf, Sea, Waveform, make_stream
from thriftwood.streams.generators.simple import SEGMENTS


@pytest.mark.parametrize("name", STREAMS)
def test_the_cases_do_not_depend_on_how_many_are_taken_at_a_time(name):
    at_once = make_stream(name, random_state=3).take(2500)
    parts = list(make_stream(name, random_state=3).batches(2500, 700))
    for k in (0, 1):
        np.testing.assert_array_equal(at_once[k], np.concatenate([part[k] for part in parts]))
    assert not np.array_equal(at_once[0], make_stream(name, random_state=4).take(2500)[0])
    assert np.isfinite(at_once[0]).all()


@pytest.mark.parametrize("name", STREAMS)
def test_rows_are_counted(name):
    stream = make_stream(name)
    X, y = stream.take(10)
    stream.take(0)
    assert X.shape == (10, stream.n_features)
    assert len(y) == stream.n_rows == 10


# One applicant, worked out by hand: salary, commission, age, elevel, car, zipcode, hvalue, hyears, loan.
APPLICANT = np.array([[60_000.0, 20_000.0, 30.0, 3.0, 5.0, 4.0, 500_000.0, 25.0, 250_000.0]])


@pytest.mark.parametrize(
    ("function", "group_a"),
    [
        (1, True),  # younger than 40
        (2, True),  # 50,000 to 100,000
        (3, False),  # level 3 is none of 0, 1
        (4, True),  # not level 0, 1: 50,000 to 100,000
        (5, True),  # 50,000 to 100,000: loan of 100,000 to 300,000
        (6, True),  # 80,000 in all
        (7, False),  # 53,333 - 50,000 - 20,000 < 0
        (8, True),  # 53,333 - 15,000 - 20,000 > 0
        (9, False),  # 53,333 - 15,000 - 50,000 - 10,000 < 0
        (10, True),  # equity of 250,000
    ],
)
def test_functions_of_agrawal(function, group_a):
    assert (Agrawal(function).label(APPLICANT, 0)[0] == 0) is np.bool_(group_a)


def test_noise_of_agrawal_moves_numbers_within_their_range():
    X, _ = Agrawal(noise=0.5, random_state=1).take(5000)
    clean, _ = Agrawal(noise=0.0, random_state=1).take(5000)
    assert (X[:, 0] >= 20_000).all()
    assert (X[:, 0] <= 150_000).all()
    assert np.abs(X[:, 0] - clean[:, 0]).max() <= 0.5 * 130_000
    assert (X[clean[:, 1] == 0, 1] == 0).all()


def test_noise_is_the_share_of_cases_with_another_class():
    X, y = Sea(noise=0.1, random_state=0).take(20_000)
    wrong = (X[:, 0] + X[:, 1] > 8) != (y == 1)
    assert wrong.mean() == pytest.approx(0.1, abs=0.01)


def test_a_sudden_change_happens_at_its_row():
    X, y = Sea(noise=0.0, drift_every=1500, random_state=0).take(3000)
    total = X[:, 0] + X[:, 1]
    np.testing.assert_array_equal(y[:1500], total[:1500] > 8)
    np.testing.assert_array_equal(y[1500:], total[1500:] > 9)


def test_a_gradual_change_mixes_the_concepts():
    X, y = Sea(noise=0.0, drift_every=10_000, drift_width=4000, random_state=0).take(20_000)
    total = X[:, 0] + X[:, 1]
    told = (total > 8) & (total <= 9)  # class 1 by the first concept, 0 by the second
    old = y == 1
    assert old[:5000][told[:5000]].mean() > 0.95
    assert 0.3 < old[9500:10_500][told[9500:10_500]].mean() < 0.7
    assert old[14_000:15_000][told[14_000:15_000]].mean() < 0.05


def test_segments_of_led_that_changed_places():
    X, y = Led(noise=0.0, drift_every=1000).take(2000)
    np.testing.assert_array_equal(X[1000:, 7], SEGMENTS[y[1000:], 0])
    np.testing.assert_array_equal(X[1000:, 1:7], SEGMENTS[y[1000:], 1:])


def test_a_plane_that_stays_and_one_that_turns():
    stays = Hyperplane(n_features=5, noise=0.0, random_state=2)
    turns = Hyperplane(n_features=5, n_moving=5, speed=0.01, turning=0.0, noise=0.0, random_state=2)
    before = stays._weights.copy()
    stays.take(5000)
    turns.take(5000)
    np.testing.assert_array_equal(stays._weights, before)
    np.testing.assert_allclose(turns._weights, before + 50.0)


def test_centres_move_with_their_speed_and_stay_inside():
    stream = Rbf(n_features=3, n_centres=4, speed=0.0001, random_state=0)
    before = stream._centres.copy()
    stream.take(1000)
    moved = np.linalg.norm(stream._centres - before, axis=1)
    assert (moved <= 0.1 + 1e-12).all()
    assert moved.max() == pytest.approx(0.1)
    stream.take(100_000)
    assert (stream._centres >= 0).all()
    assert (stream._centres <= 1).all()


def test_waves_have_the_published_means():
    X, y = Waveform(random_state=0).take(30_000)
    # Class 0 is half the wave that peaks at place 7 and half the one that peaks at 15.
    assert X[y == 0, 6].mean() == pytest.approx(3.0, abs=0.1)
    assert X[y == 0, 14].mean() == pytest.approx(3.0, abs=0.1)
    assert Waveform(irrelevant=True).take(5)[0].shape == (5, 40)


def test_a_frame_has_names_and_the_class():
    frame = make_stream("agrawal").frame(3)
    assert list(frame.columns[:2]) == ["salary", "commission"]
    assert frame.columns[-1] == "class"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: make_stream("seaa"), "Did you mean 'sea'"),
        (lambda: make_stream("sea", drift_ever=3), "Did you mean 'drift_every'"),
        (lambda: make_stream("sea", noise=2.0), "'noise' parameter of Sea must be"),
        (lambda: make_stream("agrawal", function=11), "'function' parameter of Agrawal"),
        (lambda: make_stream("rbf", n_features=0), "at least 1 number"),
        (lambda: make_stream("hyperplane", n_features=0), "at least 1 number"),
        (lambda: make_stream("sea").take(-1), "at least 0"),
        (lambda: list(make_stream("sea").batches(10, 0)), "at least 1 row"),
    ],
)
def test_wrong_settings_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
