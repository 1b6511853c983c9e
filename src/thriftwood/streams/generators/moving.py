"""Hyperplane and RBF: streams whose concept moves a little with every case."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from thriftwood.base.parameters import Real, Rule, Whole, check
from thriftwood.streams.generators.stream import BLOCK, Cases, Stream


class Hyperplane(Stream):
    """Numbers from 0 to 1 on either side of a plane through the middle, which may turn (Hulten et al. 2001).

    Parameters
    ----------
    n_features : int
        How many numbers a case has.
    n_moving : int
        How many weights of the plane change.
    speed : float
        By how much such a weight changes with every case; 0: never.
    turning : float
        How likely a weight is to change its direction, at every case.
    noise : float
        The share of cases with the other class.
    random_state : int
        The seed.

    Examples
    --------
    >>> X, y = Hyperplane(n_features=4, noise=0.0).take(1000)
    >>> X.shape, bool(0.4 < y.mean() < 0.6)
    ((1000, 4), True)
    """

    own_rules: ClassVar[dict[str, Rule]] = {
        "n_moving": Whole(0),
        "speed": Real(0.0, 1.0),
        "turning": Real(0.0, 1.0),
    }

    def __init__(
        self,
        n_features: int = 10,
        *,
        n_moving: int = 2,
        speed: float = 0.0,
        turning: float = 0.1,
        noise: float = 0.05,
        random_state: int = 0,
    ) -> None:
        if not Whole(1).accepts(n_features):
            raise ValueError(f"A case of Hyperplane has at least 1 number. Got n_features={n_features!r}.")
        self.feature_names = tuple(f"x{j}" for j in range(n_features))
        self.n_moving, self.speed, self.turning = n_moving, speed, turning
        check(self, self.own_rules)
        super().__init__(random_state, noise)
        self._weights = self._random.random(n_features)
        self._direction = np.ones(n_features)

    def _block(self, first: int) -> Cases:
        random, d = self._random, self.n_features
        X = random.random((BLOCK, d))
        weights = np.broadcast_to(self._weights, (BLOCK, d))
        if self.speed > 0:
            turns = np.where(random.random((BLOCK, d)) < self.turning, -1.0, 1.0)
            directions = self._direction * np.cumprod(turns, axis=0)
            moving = np.arange(d) < self.n_moving
            weights = self._weights + np.cumsum(self.speed * directions * moving, axis=0)
            self._weights, self._direction = weights[-1], directions[-1]
        y = (np.einsum("ij,ij->i", X, weights) >= weights.sum(axis=1) / 2).astype(np.int64)
        return X, self.flipped(y, 2)


class Rbf(Stream):
    """Cases around random centres, each with a class, a width and a weight; the centres may move.

    Parameters
    ----------
    n_features, n_centres, n_classes : int
        The size of the problem.
    speed : float
        How far every centre moves with each case; 0: it stays. It turns round at 0 and at 1.
    noise : float
        The share of cases with another class.
    random_state : int
        The seed, of the centres too.

    Examples
    --------
    >>> X, y = Rbf(n_classes=3).take(1000)
    >>> X.shape, len(set(y.tolist()))
    ((1000, 10), 3)
    """

    own_rules: ClassVar[dict[str, Rule]] = {
        "n_centres": Whole(1),
        "n_classes": Whole(2),
        "speed": Real(0.0, 1.0),
    }

    def __init__(
        self,
        n_features: int = 10,
        *,
        n_centres: int = 50,
        n_classes: int = 2,
        speed: float = 0.0,
        noise: float = 0.0,
        random_state: int = 0,
    ) -> None:
        if not Whole(1).accepts(n_features):
            raise ValueError(f"A case of Rbf has at least 1 number. Got n_features={n_features!r}.")
        self.feature_names = tuple(f"x{j}" for j in range(n_features))
        self.n_centres, self.n_classes, self.speed = n_centres, n_classes, speed
        check(self, self.own_rules)
        super().__init__(random_state, noise)
        random = self._random
        self._centres = random.random((n_centres, n_features))
        self._class = np.arange(n_centres) % n_classes
        self._width = random.random(n_centres)
        self._share = random.random(n_centres)
        self._share /= self._share.sum()
        self._direction = _unit(random.standard_normal((n_centres, n_features)))

    def _block(self, first: int) -> Cases:
        random = self._random
        which = random.choice(self.n_centres, BLOCK, p=self._share)
        away = _unit(random.standard_normal((BLOCK, self.n_features)))
        distance = random.standard_normal(BLOCK) * self._width[which]
        centres = self._centres[which]
        if self.speed > 0:
            centres = centres + self._direction[which] * (self.speed * np.arange(BLOCK)[:, None])
            moved = self._centres + self._direction * (self.speed * BLOCK)
            outside = (moved < 0) | (moved > 1)
            self._centres = np.clip(moved, 0, 1)
            self._direction = np.where(outside, -self._direction, self._direction)
        X = centres + away * distance[:, None]
        return X, self.flipped(self._class[which], self.n_classes)


def _unit(directions: np.ndarray) -> np.ndarray:
    return np.asarray(directions / np.linalg.norm(directions, axis=1, keepdims=True))
