"""The tables of the speed benchmarks: dense numbers, mixed columns, program counts, a small hospital table.

Each concept (which columns matter, and how) is drawn from a fixed seed of its own, so that it is the same for
every ``n`` and ``seed``: rows made with one seed can train a model and rows made with another can test it.
The order of the draws is part of the definition; changing it changes the data.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Table = tuple[npt.NDArray[np.float32], npt.NDArray[np.int32]]

MIXED_VALUES = (5, 6, 8, 10, 12, 15, 20, 30, 40, 50)
"""Number of values of the ten nominal columns of :func:`make_mixed`."""

_FLIPPED = 0.05  # share of labels turned over in every table
_SMALL_VALUES = (2, 4, 2, 3, 2, 3, 4)


def make_dense(n: int, seed: int = 0) -> Table:
    """Make n rows of 30 shuffled numeric columns: 10 that decide, 8 noisy mixtures of them, 12 of noise.

    Of the noise, four columns have heavy tails and two have few distinct values.

    Examples
    --------
    >>> X, y = make_dense(200)
    >>> X.shape, X.dtype.name, sorted(set(y.tolist()))
    ((200, 30), 'float32', [0, 1])
    """
    concept = np.random.default_rng(12345)
    mixing = concept.normal(size=(10, 8))
    order = concept.permutation(30)

    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n, 10))
    mixtures = z @ mixing + 0.3 * rng.normal(size=(n, 8))
    idle = rng.normal(size=(n, 12))
    idle[:, :4] = np.exp(idle[:, :4])
    idle[:, 4:6] = np.round(idle[:, 4:6] * 4)

    y = _flip(_dense_score(z) > 0.9, rng)
    X = np.concatenate([z, mixtures, idle], axis=1)[:, order]
    return np.ascontiguousarray(X, dtype=np.float32), y


def make_mixed(n: int, seed: int = 0) -> Table:
    """Make n rows of 10 nominal columns (as codes, rarer and rarer) and then 10 numeric ones.

    :data:`MIXED_VALUES` has the number of values of the nominal columns. The classes are balanced.

    Examples
    --------
    >>> X, y = make_mixed(300)
    >>> X.shape, bool((X[:, 9] < 50).all())
    ((300, 20), True)
    """
    concept = np.random.default_rng(777)
    effects = [concept.normal(size=values) for values in MIXED_VALUES]

    rng = np.random.default_rng(seed)
    codes = np.empty((n, 10), dtype=np.int32)
    for j, values in enumerate(MIXED_VALUES):
        share = 1.0 / np.arange(1, values + 1) ** 0.6
        codes[:, j] = rng.choice(values, size=n, p=share / share.sum())
    z = rng.normal(size=(n, 10))

    score = sum(effects[j][codes[:, j]] for j in (0, 2, 4, 6, 8))
    score = score + 1.2 * effects[9][codes[:, 9]] * (z[:, 0] > 0)
    score = score + z[:, 1] + 0.7 * z[:, 2] * z[:, 3] + np.sin(2 * z[:, 4])
    y = _flip(score > np.median(score), rng)
    return np.concatenate([codes, z], axis=1).astype(np.float32), y


def make_counts(n: int = 2000, n_events: int = 20000, seed: int = 0) -> Table:
    """Make n program runs described by how often each of many events happened.

    Forty of the events tell the classes apart. Rates are log-normal over events and sizes are log-normal over
    runs, so that many counts are zero.

    Examples
    --------
    >>> X, y = make_counts(20, n_events=100)
    >>> X.shape, bool((X >= 0).all())
    ((20, 100), True)
    """
    telling = 40
    if n_events < telling:
        raise ValueError(f"n_events must be at least {telling}. Got {n_events!r} instead.")
    concept = np.random.default_rng(99)
    rate = np.exp(concept.normal(0.0, 2.0, size=n_events))
    events = concept.choice(n_events, telling, replace=False)
    boost = 1 + 0.5 * concept.random(telling)

    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, size=n).astype(np.int32)
    size = np.exp(rng.normal(0, 0.5, size=(n, 1)))
    most = 1e6  # keeps the counts exact in float32
    X = rng.poisson(np.minimum(size * rate, most)).astype(np.float32)
    factor = np.where(y[:, None] == 1, boost, 1.0)
    X[:, events] = rng.poisson(np.minimum(size * (rate[events] + 1) * factor, most))
    return X, _flip(y == 1, rng)


def make_small(n: int = 300, seed: int = 0) -> Table:
    """Make n rows in the shape of the heart disease data: 6 measurements and 7 columns of small codes.

    Examples
    --------
    >>> X, y = make_small()
    >>> X.shape
    (300, 13)
    """
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n, 6))
    # in the ranges of age, blood pressure and cholesterol
    for j, (mean, deviation) in enumerate([(54, 9), (131, 17), (246, 51)]):
        z[:, j] = np.round(mean + deviation * z[:, j])
    codes = np.stack([rng.integers(0, values, n) for values in _SMALL_VALUES], axis=1)
    score = (z[:, 0] - 54) / 9 + 0.8 * (codes[:, 1] == 3) + z[:, 3] * (codes[:, 0] - 0.5) * 2
    score = score + (codes[:, 6] > 1) - 0.5
    y = _flip(score > 0.2, rng)
    return np.concatenate([z, codes], axis=1).astype(np.float32), y


def _dense_score(z: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return what decides the class of :func:`make_dense`: a corner, a wave, a product, a band, a square."""
    corner = 1.5 * (z[:, 0] > 0.3) * (z[:, 1] > -0.2)
    score = corner + 1.2 * np.sin(2 * z[:, 2]) + z[:, 3] + 0.8 * z[:, 4] * z[:, 5]
    score = score + 0.7 * (np.abs(z[:, 6]) < 0.6) - 0.5 * z[:, 7] + 0.4 * z[:, 8] ** 2 + 0.3 * z[:, 9]
    return np.asarray(score, dtype=np.float64)


def _flip(y: npt.NDArray[np.bool_], rng: np.random.Generator) -> npt.NDArray[np.int32]:
    """Turn over a random share of the labels."""
    return (y ^ (rng.random(len(y)) < _FLIPPED)).astype(np.int32)
