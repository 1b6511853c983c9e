"""The tables of the paper with ours beside them, and what to know about their means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from thriftwood.experiments.comparison import Comparison, Figures, with_average
from thriftwood.experiments.experiment import Record
from thriftwood.experiments.ting1998 import published
from thriftwood.experiments.ting1998.published import LINES, MEASURES, Line
from thriftwood.experiments.ting1998.summing import Ratio, counted, ratio

Records = Mapping[str, Sequence[Record]]
"""The records of each data set."""

MEAN = "mean"
TITLE = "Ting 1998"


class Group(NamedTuple):
    """The data sets that share a mean."""

    words: str
    lines: Mapping[str, Line]
    means: Mapping[str, float]
    """As printed in Table 1."""
    means_by_cost: Mapping[str, float]
    """As printed in Table 2."""
    complete: bool
    """Whether all of the paper's data sets are here."""


TWO = Group(
    "two classes",
    published.TWO_CLASSES,
    published.TWO_CLASS_MEANS,
    published.TWO_CLASS_MEANS_BY_COST,
    complete=False,
)
MANY = Group(
    "more classes",
    published.MANY_CLASSES,
    published.MANY_CLASS_MEANS,
    published.MANY_CLASS_MEANS_BY_COST,
    complete=True,
)


def comparisons(records: Records) -> tuple[Comparison, ...]:
    """Return Table 1 (ratios of both groups, then averages), Table 2, and the ratios to altered priors."""
    found = [_ratios(group, records) for group in (TWO, MANY) if _own(group, records)]
    found += [_averages(records), _table_2(records)]
    if _own(TWO, records):
        found.append(_priors(records))
    return tuple(found)


def notes(records: Records) -> list[str]:
    """Say what the means are of."""
    sentences = ["Standard errors in the CSV files are as if folds were independent of each other."]
    if set(_own(TWO, records)) == set(TWO.lines):
        means = ", ".join(f"{name} {value:.2f}" for name, value in TWO.means.items())
        sentences.append(
            f"The paper's twelfth set of two classes, {published.CODING.data_set}, is not public. Means of "
            f"Table 1 are over the sets here, published ones too; with it the paper has {means}. Means "
            "published for Table 2 and for altered priors are of all twelve."
        )
    return sentences


def _ratios(group: Group, records: Records) -> Comparison:
    """Table 1, C4.5CS by C4.5."""
    names = _own(group, records)
    lines = {name: dict(zip(MEASURES, group.lines[name].ratios, strict=True)) for name in names}
    printed = with_average(lines, MEASURES, MEAN)
    if group.complete and set(names) == set(group.lines):
        printed = {**lines, MEAN: dict(group.means)}  # as printed, rounded
    found = _all_ratios(records, names, "c45cs", "c45", MEASURES)
    return Comparison(
        f"{TITLE}, Table 1, {group.words}",
        "c45cs by c45",
        "data set",
        (*names, MEAN),
        MEASURES,
        printed,
        with_average(_values(found), MEASURES, MEAN),
        _errors(found),
    )


def _averages(records: Records) -> Comparison:
    """Table 1, what the ratios are of."""
    rows = {f"{name}, {learner}": (name, learner) for name in records for learner in ("c45cs", "c45")}
    ours = {
        row: {measure: fmean(counted(records[name], learner, measure)) for measure in MEASURES}
        for row, (name, learner) in rows.items()
    }
    return Comparison(
        f"{TITLE}, Table 1",
        "average per fold",
        "data set, learner",
        tuple(rows),
        MEASURES,
        {row: LINES[name].of(learner) for row, (name, learner) in rows.items()},
        ours,
        digits=1,
        drawn=False,
    )


def _table_2(records: Records) -> Comparison:
    """Table 2; the paper prints nothing but the means."""
    found = _all_ratios(records, tuple(records), "c45cs by cost", "c45 by cost", MEASURES)
    ours, printed = dict(_values(found)), {}
    means = []
    for group in (TWO, MANY):
        if names := _own(group, records):
            row = f"{MEAN}, {group.words}"
            means.append(row)
            ours[row] = with_average({name: ours[name] for name in names}, MEASURES, MEAN)[MEAN]
            printed[row] = group.means_by_cost if set(names) == set(group.lines) else {}
    return Comparison(
        f"{TITLE}, Table 2",
        "c45cs by c45, both by minimum expected cost",
        "data set",
        (*records, *means),
        MEASURES,
        printed,
        ours,
        _errors(found),
    )


def _priors(records: Records) -> Comparison:
    """Section 4; the paper prints nothing but the means."""
    names = _own(TWO, records)
    columns = tuple(published.TO_PRIORS)
    found = _all_ratios(records, names, "c45cs", "c45-priors", columns)
    printed = {MEAN: published.TO_PRIORS} if set(names) == set(TWO.lines) else {}
    return Comparison(
        f"{TITLE}, section 4",
        "c45cs by c45 with altered priors",
        "data set",
        (*names, MEAN),
        columns,
        printed,
        with_average(_values(found), columns, MEAN),
        _errors(found),
    )


def _own(group: Group, records: Records) -> tuple[str, ...]:
    return tuple(name for name in records if name in group.lines)


Ratios = Mapping[str, Mapping[str, Ratio]]
"""Data set to measure to ratio."""


def _all_ratios(
    records: Records, names: Sequence[str], own: str, other: str, measures: Sequence[str]
) -> Ratios:
    return {
        name: {
            measure: ratio(counted(records[name], own, measure), counted(records[name], other, measure))
            for measure in measures
        }
        for name in names
    }


def _values(ratios: Ratios) -> Figures:
    return {name: {measure: one.value for measure, one in row.items()} for name, row in ratios.items()}


def _errors(ratios: Ratios) -> Figures:
    return {
        name: {measure: one.standard_error for measure, one in row.items()} for name, row in ratios.items()
    }
