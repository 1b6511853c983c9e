"""SEA, LED and waveform: streams whose concepts are a table of a few numbers."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from thriftwood.streams.generators.stream import BLOCK, Cases, FloatArray, Labels, Stream


class Sea(Stream):
    """Three numbers from 0 to 10; class 1 where the first two add up to more than a bound.

    The third tells nothing. The bounds of the four concepts are 8, 9, 7 and 9.5 (Street & Kim 2001).

    Parameters
    ----------
    noise : float
        The share of cases with the other class.
    random_state, drift_every, drift_width
        As of every `Stream`.

    Examples
    --------
    >>> X, y = Sea(noise=0.0).take(500)
    >>> bool(((X[:, 0] + X[:, 1] > 8) == (y == 1)).all())
    True
    """

    feature_names = ("x0", "x1", "x2")
    n_concepts: ClassVar[int] = 4
    bounds = (8.0, 9.0, 7.0, 9.5)

    def __init__(
        self,
        *,
        noise: float = 0.1,
        random_state: int = 0,
        drift_every: int | None = None,
        drift_width: int = 0,
    ) -> None:
        super().__init__(random_state, noise, drift_every, drift_width)

    def label(self, X: FloatArray, concept: int) -> Labels:
        """Return 1 where the first two numbers add up to more than the bound."""
        return np.asarray(X[:, 0] + X[:, 1] > self.bounds[concept], dtype=np.int64)

    def _block(self, first: int) -> Cases:
        X = self._random.uniform(0, 10, (BLOCK, 3))
        return X, self.flipped(self.by_concept(X, first, self.label), 2)


SEGMENTS = np.array(
    [
        [1, 1, 1, 0, 1, 1, 1],
        [0, 0, 1, 0, 0, 1, 0],
        [1, 0, 1, 1, 1, 0, 1],
        [1, 0, 1, 1, 0, 1, 1],
        [0, 1, 1, 1, 0, 1, 0],
        [1, 1, 0, 1, 0, 1, 1],
        [1, 1, 0, 1, 1, 1, 1],
        [1, 0, 1, 0, 0, 1, 0],
        [1, 1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 0, 1, 1],
    ]
)
"""Which segments of a seven-segment display are lit for each digit."""


class Led(Stream):
    """A digit on a display of seven segments, some of them wrong, beside 17 that mean nothing.

    After Breiman et al. (1984). With drift, each concept has swapped its first segments with meaningless
    ones: concept k those of k segments.

    Parameters
    ----------
    noise : float
        The share of segments that show the contrary.
    random_state, drift_every, drift_width
        As of every `Stream`.

    Examples
    --------
    >>> X, y = Led(noise=0.0).take(100)
    >>> bool((X[:, :7] == SEGMENTS[y]).all())
    True
    """

    feature_names = tuple(f"s{j}" for j in range(24))
    n_concepts: ClassVar[int] = 8

    def __init__(
        self,
        *,
        noise: float = 0.1,
        random_state: int = 0,
        drift_every: int | None = None,
        drift_width: int = 0,
    ) -> None:
        super().__init__(random_state, noise, drift_every, drift_width)

    def _block(self, first: int) -> Cases:
        random = self._random
        y = random.integers(0, 10, BLOCK)
        shown = SEGMENTS[y] ^ (random.random((BLOCK, 7)) < self.noise)
        X = np.hstack([shown, random.integers(0, 2, (BLOCK, 17))]).astype(float)
        swapped = self.concept_of(np.arange(first, first + BLOCK))
        for k in range(7):  # segment k changes places with column 7 + k where the concept says so
            rows = swapped > k
            X[rows, k], X[rows, 7 + k] = X[rows, 7 + k], X[rows, k].copy()
        return X, y


_PLACES = np.arange(1, 22)
_WAVES = np.array([np.maximum(6 - np.abs(_PLACES - top), 0) for top in (7, 15, 11)], dtype=float)
_PAIRS = ((0, 1), (0, 2), (1, 2))


class Waveform(Stream):
    """Mixtures of two of three triangular waves, at 21 places, with normal noise (Breiman et al. 1984).

    Parameters
    ----------
    noise : float
        The share of cases with another class, beside the noise that the numbers have.
    irrelevant : bool
        Whether 19 columns of pure noise follow.
    random_state, drift_every, drift_width
        As of every `Stream`; a change moves the meaning of the classes on by one.

    Examples
    --------
    >>> X, y = Waveform().take(3000)
    >>> X.shape, sorted(set(y.tolist()))
    ((3000, 21), [0, 1, 2])
    """

    feature_names = tuple(f"w{j}" for j in range(21))
    n_concepts: ClassVar[int] = 3

    def __init__(
        self,
        *,
        noise: float = 0.0,
        irrelevant: bool = False,
        random_state: int = 0,
        drift_every: int | None = None,
        drift_width: int = 0,
    ) -> None:
        if irrelevant:
            self.feature_names = tuple(f"w{j}" for j in range(40))
        self.irrelevant = irrelevant
        super().__init__(random_state, noise, drift_every, drift_width)

    def _block(self, first: int) -> Cases:
        random = self._random
        kind = random.integers(0, 3, BLOCK)
        share = random.random((BLOCK, 1))
        one, other = (_WAVES[[pair[k] for pair in _PAIRS]][kind] for k in (0, 1))
        X = np.zeros((BLOCK, self.n_features))
        X[:, :21] = share * one + (1 - share) * other
        X += random.standard_normal(X.shape)
        y = (kind + self.concept_of(np.arange(first, first + BLOCK))) % 3
        return X, self.flipped(y, 3)
