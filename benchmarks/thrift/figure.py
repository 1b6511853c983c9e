"""A measured number, and what it may be at most."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev


@dataclass(frozen=True)
class Figure:
    what: str
    value: float
    error: float | None = None
    """The standard error, of a mean."""
    most: float = math.inf

    @property
    def holds(self) -> bool:
        return self.value <= self.most

    @classmethod
    def mean(cls, what: str, values: Sequence[float], most: float = math.inf) -> Figure:
        error = stdev(values) / len(values) ** 0.5 if len(values) > 1 else None
        return cls(what, fmean(values), error, most)
