"""The published artificial problems."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.datasets import make_led, make_monks, make_waveform
from thriftwood.datasets.synthetic import base_waves

MAKERS = [
    make_waveform,
    lambda n, seed: make_waveform(n, seed, noise=True),
    make_led,
    lambda n, seed: make_monks(3, n=n, seed=seed, noise=0.05),
]


@pytest.mark.parametrize("make", MAKERS)
def test_same_seed_same_data_other_seed_other_data(make):
    X, y = make(200, seed=7)
    again_X, again_y = make(200, seed=7)
    other_X, _ = make(200, seed=8)
    assert np.array_equal(X, again_X)
    assert np.array_equal(y, again_y)
    assert not np.array_equal(X, other_X)


def test_waves_are_triangles_of_height_six():
    waves = base_waves()
    assert waves.shape == (3, 21)
    assert (waves.argmax(axis=1) + 1).tolist() == [11, 15, 7]
    assert waves.max(axis=1).tolist() == [6, 6, 6]
    assert waves.sum(axis=1).tolist() == [36, 36, 36]


def test_waveform_class_means_are_the_middle_of_two_waves():
    X, y = make_waveform(30_000, seed=1)
    waves = base_waves()
    for label, (first, second) in enumerate([(0, 1), (0, 2), (1, 2)]):
        middle = (waves[first] + waves[second]) / 2
        # standard error about 0.02: a deviate of variance 1 + up to 3 over 10,000 rows
        assert np.abs(X[y == label].mean(axis=0) - middle).max() < 0.1


def test_waveform_nearest_mean_comes_close_to_the_best_possible():
    X, y = make_waveform(6000, seed=2)
    means = np.stack([X[:3000][y[:3000] == label].mean(axis=0) for label in range(3)])
    distance = ((X[3000:, None, :] - means) ** 2).sum(axis=2)
    accuracy = (distance.argmin(axis=1) == y[3000:]).mean()
    assert 0.77 < accuracy < 0.88


def test_waveform_classes_are_equally_likely():
    _, y = make_waveform(30_000, seed=3)
    assert np.abs(np.bincount(y) / 30_000 - 1 / 3).max() < 0.015


def test_waveform_noise_comes_after_the_same_21_attributes():
    plain, _ = make_waveform(5000, seed=4)
    noisy, _ = make_waveform(5000, seed=4, noise=True)
    assert noisy.shape == (5000, 40)
    assert np.array_equal(noisy[:, :21], plain)
    assert np.abs(noisy[:, 21:].mean(axis=0)).max() < 0.07
    assert np.abs(noisy[:, 21:].std(axis=0) - 1).max() < 0.05


@pytest.mark.parametrize(("problem", "positives"), [(1, 216), (2, 142), (3, 228)])
def test_monks_have_the_published_counts(problem, positives):
    X, y = make_monks(problem)
    assert X.shape == (432, 6)
    assert len(np.unique(X, axis=0)) == 432
    assert X.min(axis=0).tolist() == [1] * 6
    assert X.max(axis=0).tolist() == [3, 3, 2, 3, 4, 2]
    assert y.sum() == positives


def test_monks_rules_on_chosen_rows():
    X, first = make_monks(1)
    _, second = make_monks(2)
    _, third = make_monks(3)
    row = {tuple(values): number for number, values in enumerate(X.tolist())}
    equal_pair, two_ones, fifth_three = row[2, 2, 1, 1, 4, 2], row[1, 1, 2, 2, 2, 2], row[1, 3, 1, 1, 3, 1]
    assert (first[equal_pair], second[equal_pair], third[equal_pair]) == (1, 1, 0)
    assert (first[two_ones], second[two_ones], third[two_ones]) == (1, 1, 1)
    assert (first[fifth_three], second[fifth_three], third[fifth_three]) == (0, 0, 1)


def test_monks_draw_has_no_row_twice():
    X, _ = make_monks(2, n=124, seed=5)
    assert len(np.unique(X, axis=0)) == 124


@given(noise=st.floats(0, 1), seed=st.integers(0, 1000))
def test_monks_noise_turns_over_about_its_share(noise, seed):
    _, clean = make_monks(3)
    _, noisy = make_monks(3, seed=seed, noise=noise)
    # five standard deviations of a binomial share of 432
    assert abs((clean != noisy).mean() - noise) <= 5 * np.sqrt(0.25 / 432)


def test_led_without_noise_shows_ten_different_digits():
    X, y = make_led(500, noise=0.0)
    shown = {digit: np.unique(X[y == digit], axis=0) for digit in range(10)}
    assert all(len(rows) == 1 for rows in shown.values())
    assert len({rows.tobytes() for rows in shown.values()}) == 10
    lit = {digit: int(rows.sum()) for digit, rows in shown.items()}
    assert lit == {0: 6, 1: 2, 2: 5, 3: 5, 4: 4, 5: 5, 6: 6, 7: 3, 8: 7, 9: 6}


def test_led_noise_turns_over_a_tenth_of_the_segments():
    clean, y = make_led(20_000, seed=6, noise=0.0)
    faulty, same = make_led(20_000, seed=6, noise=0.1)
    assert np.array_equal(y, same)
    assert np.abs((clean != faulty).mean(axis=0) - 0.1).max() < 0.01


def test_led_coins_are_fair_and_follow_the_segments():
    plain, _ = make_led(20_000, seed=6)
    X, _ = make_led(20_000, seed=6, irrelevant=17)
    assert X.shape == (20_000, 24)
    assert np.array_equal(X[:, :7], plain)
    assert np.abs(X[:, 7:].mean(axis=0) - 0.5).max() < 0.02


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: make_monks(4), "three monk's problems"),
        (lambda: make_monks(1, n=433), "between 1 and 432"),
        (lambda: make_monks(1, noise=1.5), "probability"),
        (lambda: make_waveform(0), "at least 1"),
        (lambda: make_led(10, noise=-0.1), "probability"),
        (lambda: make_led(10, irrelevant=-1), "0 or more"),
    ],
)
def test_bad_arguments_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
