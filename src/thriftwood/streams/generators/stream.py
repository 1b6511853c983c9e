"""`Stream`: cases without end, drawn from a seed, whose concept may change as they go by."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.parameters import Real, Rule, Whole, check

FloatArray = NDArray[np.float64]
Labels = NDArray[np.int64]
Cases = tuple[FloatArray, Labels]
Label = Callable[[FloatArray, int], Labels]
"""The class of every row by one concept."""

BLOCK = 1000
"""Rows drawn at once. What is drawn does not depend on how many are taken at a time."""


class Stream(ABC):
    """Cases without end.

    Parameters
    ----------
    random_state : int
        The seed; the same seed gives the same cases, however many are taken at a time.
    noise : float
        The share of cases that are disturbed; each stream says how.
    drift_every : int, optional
        The concept changes after so many rows, again and again, through all concepts in turn. None: never.
    drift_width : int
        Around each change, so many rows are mixed: at first few, in the middle half of them follow the next
        concept. 0: the change is sudden.

    Attributes
    ----------
    n_rows : int
        How many cases were taken so far.
    """

    feature_names: tuple[str, ...]
    n_concepts: ClassVar[int] = 1
    rules: ClassVar[dict[str, Rule]] = {
        "noise": Real(0.0, 1.0),
        "drift_every": Whole(1, none=True),
        "drift_width": Whole(0),
        "random_state": Whole(0),
    }

    def __init__(
        self, random_state: int, noise: float, drift_every: int | None = None, drift_width: int = 0
    ) -> None:
        self.random_state = random_state
        self.noise = noise
        self.drift_every = drift_every
        self.drift_width = drift_width
        check(self, self.rules)
        self.n_rows = 0
        self._random = np.random.default_rng(random_state)
        self._drawn = 0
        self._left: Cases = np.empty((0, len(self.feature_names))), np.empty(0, dtype=np.int64)

    @property
    def n_features(self) -> int:
        """The number of columns."""
        return len(self.feature_names)

    def take(self, n_rows: int) -> Cases:
        """Return the next cases: an array of numbers and the numbers of their classes."""
        if not Whole(0).accepts(n_rows):
            raise ValueError(f"A number of rows is a whole number of at least 0. Got {n_rows!r}.")
        parts, have = [self._left], len(self._left[1])
        while have < n_rows:
            parts.append(self._block(self._drawn))
            self._drawn += BLOCK
            have += BLOCK
        X, y = (np.concatenate(column) for column in zip(*parts, strict=True))
        self._left = X[n_rows:], y[n_rows:]
        self.n_rows += n_rows
        return np.ascontiguousarray(X[:n_rows]), y[:n_rows]

    def batches(self, n_rows: int, size: int = BLOCK) -> Iterator[Cases]:
        """Give the next `n_rows` cases, `size` at a time."""
        if not Whole(1).accepts(size):
            raise ValueError(f"A batch has at least 1 row. Got {size!r}.")
        for begin in range(0, n_rows, size):
            yield self.take(min(size, n_rows - begin))

    def frame(self, n_rows: int) -> Any:
        """Return the next cases as a pandas frame, their class in the column ``class``."""
        import pandas as pd  # optional, and slow to load

        X, y = self.take(n_rows)
        return pd.DataFrame(X, columns=list(self.feature_names)).assign(**{"class": y})

    def concept_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return which concept each row follows, drawn where two are mixed."""
        if self.drift_every is None:
            return np.zeros(len(rows), dtype=np.int64)
        phase = rows // self.drift_every
        if self.drift_width:
            # The usual sigmoid, 1 / (1 + exp(-4 (t - t0) / width)), about the nearest change.
            change = (rows + self.drift_every // 2) // self.drift_every
            apart = 4.0 * (rows - change * self.drift_every) / self.drift_width
            after = self._random.random(len(rows)) < 1.0 / (1.0 + np.exp(np.clip(-apart, -700, 700)))
            phase = np.where(change > 0, change - 1 + after, 0)
        return np.asarray(phase % self.n_concepts)

    def by_concept(self, X: FloatArray, first: int, label: Label) -> Labels:
        """Return the class of every row by the concept that it follows."""
        concept = self.concept_of(np.arange(first, first + len(X)))
        y = np.empty(len(X), dtype=np.int64)
        for one in np.unique(concept).tolist():
            rows = concept == one
            y[rows] = label(X[rows], one)
        return y

    def flipped(self, y: Labels, n_classes: int) -> Labels:
        """Return the classes, a share `noise` of them replaced by another."""
        moved = self._random.random(len(y)) < self.noise
        step = self._random.integers(1, n_classes, len(y))
        return np.where(moved, (y + step) % n_classes, y)

    @abstractmethod
    def _block(self, first: int) -> Cases:
        """Draw the block of rows that begins at row `first`."""
