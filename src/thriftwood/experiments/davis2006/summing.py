"""From the records of the trials to the figures of the table and the notes below it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from thriftwood.experiments.davis2006.choosing import Score, choose, cost_ratio
from thriftwood.experiments.davis2006.published import CRITERIA, SIZES
from thriftwood.experiments.experiment import Record


class Summary(NamedTuple):
    """The trials of one data set and criterion."""

    mean: float | None
    """The mean cost ratio; None if every baseline was free."""
    standard_error: float | None
    """The standard error of the mean; None with fewer than two ratios."""
    skipped: int
    """Trials left out because the baseline's tree costs nothing."""
    inaccurate: int
    """Trials in which no gamma came within 1 % of the baseline's accuracy."""
    leaves: int
    """Trials that chose a tree that costs nothing: a single leaf, or free tests only."""


def summary(records: Sequence[Record], criterion: str, gammas: Sequence[float]) -> Summary:
    """Sum up the trials of one data set."""
    ratios: list[float] = []
    inaccurate = leaves = 0
    for record in records:
        baseline = Score(*record["baseline"])
        judged = [Score(*one) for one in record["criteria"][criterion]]
        choice = choose(baseline, judged, gammas, record["cases"])
        ratio = cost_ratio(baseline, judged[choice.place])
        if ratio is not None:
            ratios.append(ratio)
            inaccurate += not choice.eligible
            leaves += ratio == 0.0
    error = stdev(ratios) / math.sqrt(len(ratios)) if len(ratios) > 1 else None
    mean = fmean(ratios) if ratios else None
    return Summary(mean, error, len(records) - len(ratios), inaccurate, leaves)


def notes_on_data(records: Sequence[Record]) -> list[str]:
    """Say which tables have another size than the paper prints."""
    sizes = {record["data_set"]: record["cases"] for record in records}
    other = [
        f"{name} {cases} ({SIZES[name].instances})"
        for name, cases in sizes.items()
        if cases != SIZES[name].instances
    ]
    return [f"Cases here (in the paper's table): {', '.join(other)}."] if other else []


def notes_on_choices(summaries: Mapping[str, Mapping[str, Summary]], trials: int) -> list[str]:
    """Say how often the rules for special cases were used."""
    notes = []
    for field, words in _SPECIAL.items():
        counts = [
            f"{name} {'/'.join(str(getattr(row[criterion], field)) for criterion in CRITERIA)}"
            for name, row in summaries.items()
            if any(getattr(row[criterion], field) for criterion in CRITERIA)
        ]
        if counts:
            notes.append(f"{words}, of {trials}, by criterion: {', '.join(counts)}.")
    return notes


_SPECIAL = {
    "skipped": "Trials left out because the baseline's tree costs nothing",
    "inaccurate": "Trials in which no gamma came within 1 % of the baseline, and the most accurate counts",
    "leaves": "Trials in which a tree that costs nothing was accurate enough",
}
