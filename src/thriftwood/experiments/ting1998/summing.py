"""From the records of the trials to averages and ratios of averages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from thriftwood.experiments.experiment import Record
from thriftwood.experiments.ting1998.published import MEASURES


class Ratio(NamedTuple):
    """The ratio of two averages."""

    value: float | None
    """None where the other average is 0."""
    standard_error: float | None = None
    """As if trees were independent of each other; None with fewer than two."""


def counted(records: Sequence[Record], way: str, measure: str) -> list[float]:
    """Return one measure of each tree of a way, trial by trial."""
    place = MEASURES.index(measure)
    return [float(one[place]) for record in records for one in record["judged"][way]]


def ratio(own: Sequence[float], other: Sequence[float]) -> Ratio:
    """Divide the average of the one by that of the other; both were counted in the same folds.

    Examples
    --------
    >>> ratio([1.0, 3.0], [4.0, 4.0])
    Ratio(value=0.5, standard_error=0.25)
    """
    below = fmean(other)
    if below == 0.0:
        return Ratio(None)
    value = fmean(own) / below
    if len(own) < 2:
        return Ratio(value)
    # To the first order, what a fold adds to the one beyond its share of the other moves the ratio, alone.
    beyond = [a - value * b for a, b in zip(own, other, strict=True)]
    return Ratio(value, stdev(beyond) / math.sqrt(len(own)) / below)
