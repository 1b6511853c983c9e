"""Published artificial problems: Breiman's waveforms, the monk's problems and the faulty LED display.

Each function returns ``(X, y)`` as arrays, depends on nothing but its arguments, and draws every number from
one ``numpy.random.default_rng(seed)``.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Which of the seven segments are lit for the digits 0 to 9: top, upper left, upper right, middle, lower left,
# lower right, bottom.
_DIGITS = """
1110111
0010010
1011101
1011011
0111010
1101011
1101111
1010010
1111111
1111011
"""
_SEGMENTS = np.array([[int(bit) for bit in row] for row in _DIGITS.split()])

# The two base waves that each waveform class mixes.
_WAVE_PAIRS = np.array([[0, 1], [0, 2], [1, 2]])

MONKS_VALUES = (3, 3, 2, 3, 4, 2)
"""Number of values of each of the six attributes of the monk's problems; values count from 1."""


def make_waveform(n: int = 5000, seed: int = 0, noise: bool = False) -> tuple[Floats, Ints]:
    """Make Breiman's waveform data (Breiman, Friedman, Olshen and Stone 1984, section 2.6.2).

    Each class mixes two of three triangular waves of height 6 with a uniform random weight, and adds a
    standard normal deviate to each of the 21 attributes. The best possible accuracy is about 0.86.

    Parameters
    ----------
    n : int
        Number of rows.
    seed : int
        Seed of the random numbers.
    noise : bool
        Whether to add 19 attributes that are pure noise, 40 in all.

    Returns
    -------
    X : ndarray of shape (n, 21) or (n, 40)
    y : ndarray of shape (n,)
        Classes 0, 1 and 2, equally likely.

    Examples
    --------
    >>> X, y = make_waveform(100, seed=1)
    >>> X.shape, sorted(set(y.tolist()))
    ((100, 21), [0, 1, 2])
    """
    _require_rows(n)
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, size=n)
    weight = rng.random((n, 1))
    first, second = base_waves()[_WAVE_PAIRS[y]].transpose(1, 0, 2)
    X = weight * first + (1 - weight) * second + rng.standard_normal((n, 21))
    if noise:
        X = np.hstack([X, rng.standard_normal((n, 19))])
    return X, y


def base_waves() -> Floats:
    """Return the three triangles of the waveform data: peaks of 6 at the attributes 11, 15 and 7."""
    place = np.arange(1, 22)
    peaks = np.array([[11], [15], [7]])
    waves: Floats = np.maximum(6.0 - np.abs(place - peaks), 0.0)
    return waves


def make_monks(problem: int, n: int | None = None, seed: int = 0, noise: float = 0.0) -> tuple[Ints, Ints]:
    """Make one of the three monk's problems (Thrun and others 1991).

    Parameters
    ----------
    problem : {1, 2, 3}
        1: attributes one and two are equal, or the fifth is 1. 2: exactly two of the six attributes are 1.
        3: the fifth is 3 and the fourth is 1, or the fifth is not 4 and the second is not 3.
    n : int or None
        How many of the 432 combinations to draw without replacement; None gives all of them, in order.
    seed : int
        Seed of the random numbers.
    noise : float
        Probability that a label is turned over (the published third problem trains with 0.05).

    Returns
    -------
    X : ndarray of shape (n, 6)
        Values from 1.
    y : ndarray of shape (n,)
        0 or 1.

    Examples
    --------
    >>> X, y = make_monks(1)
    >>> X.shape, int(y.sum())
    ((432, 6), 216)
    """
    if problem not in (1, 2, 3):
        raise ValueError(f"There are three monk's problems: 1, 2 and 3. Got {problem!r} instead.")
    _require_share("noise", noise)
    rng = np.random.default_rng(seed)
    X = np.indices(MONKS_VALUES).reshape(6, -1).T.astype(np.int64) + 1
    if n is not None:
        if not 1 <= n <= len(X):
            raise ValueError(
                f"n must be between 1 and {len(X)}, the number of combinations. Got {n!r} instead."
            )
        X = X[rng.permutation(len(X))[:n]]
    a1, a2, _, a4, a5, _ = X.T
    if problem == 1:
        truth = (a1 == a2) | (a5 == 1)
    elif problem == 2:
        truth = (X == 1).sum(axis=1) == 2
    else:
        truth = ((a5 == 3) & (a4 == 1)) | ((a5 != 4) & (a2 != 3))
    return X, (truth ^ (rng.random(len(X)) < noise)).astype(np.int64)


def make_led(n: int = 1000, seed: int = 0, noise: float = 0.1, irrelevant: int = 0) -> tuple[Ints, Ints]:
    """Make the faulty LED display (Breiman, Friedman, Olshen and Stone 1984, section 2.6.1).

    A digit is shown by seven segments, and each segment is turned over with probability ``noise``. With
    noise 0.1 the best possible accuracy is about 0.74.

    Parameters
    ----------
    n : int
        Number of rows.
    seed : int
        Seed of the random numbers.
    noise : float
        Probability that a segment shows the opposite of what it should.
    irrelevant : int
        Number of fair coin flips to add as further attributes; 17 gives the 24-attribute version.

    Returns
    -------
    X : ndarray of shape (n, 7 + irrelevant)
        0 or 1.
    y : ndarray of shape (n,)
        The digit, 0 to 9, equally likely.

    Examples
    --------
    >>> X, y = make_led(50, noise=0.0, irrelevant=17)
    >>> X.shape, X[y == 8][0, :7].tolist()
    ((50, 24), [1, 1, 1, 1, 1, 1, 1])
    """
    _require_rows(n)
    _require_share("noise", noise)
    if irrelevant < 0:
        raise ValueError(f"irrelevant must be 0 or more. Got {irrelevant!r} instead.")
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 10, size=n)
    X = _SEGMENTS[y] ^ (rng.random((n, 7)) < noise)
    return np.hstack([X, rng.integers(0, 2, size=(n, irrelevant))]), y


def _require_rows(n: int) -> None:
    if n < 1:
        raise ValueError(f"n, the number of rows, must be at least 1. Got {n!r} instead.")


def _require_share(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise ValueError(f"{name} is a probability, between 0 and 1. Got {value!r} instead.")
