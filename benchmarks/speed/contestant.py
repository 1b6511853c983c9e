"""What the harness asks of anybody who takes part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from benchmarks.speed.sample import Features, Sample

Job = Callable[[], Any]


@dataclass(frozen=True)
class Work:
    """The tree to grow: depth limit (None: until pure), our bins (None: exact), threads."""

    depth: int | None
    bins: int | None
    threads: int


class NotInstalled(Exception):
    """A contestant's package cannot be imported; the message says which and why."""


class Contestant(Protocol):
    """One library, ready to take part.

    Every layout or conversion that the library's own users would keep outside a fit happens in `fitter` and
    `predictor`; what they return is what the clock sees.
    """

    version: str

    def fitter(self, sample: Sample, work: Work) -> Job:
        """A call that grows one tree and returns the model."""

    def predictor(self, model: Any, sample: Sample, X: Features) -> Job:
        """A call that predicts the classes of `X`; `sample` is the table of the fit."""

    def own_one_row(self, model: Any, X: Features) -> Job:
        """The quickest call of the library that takes one row to its leaf, past the estimator."""


def accuracy(predicted: NDArray[Any], truth: NDArray[Any]) -> float:
    """Share of rows answered correctly.

    Examples
    --------
    >>> accuracy(np.array([0, 1, 1]), np.array([0, 1, 0])) == 2 / 3
    True
    """
    return float(np.mean(np.asarray(predicted) == truth))
