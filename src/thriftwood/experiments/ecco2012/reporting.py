"""From the records of the trials to tables and notes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from thriftwood.experiments.comparison import Comparison
from thriftwood.experiments.ecco2012.published import HIGH_RATIOS, LOW_RATIOS
from thriftwood.experiments.ecco2012.trial import ICET, ICET_BY_COST, UNTESTED, way_of
from thriftwood.experiments.experiment import Record

TITLE = "Omielan & Vadera 2012"
FROM = 100.0
"""What counts as a high ratio when the notes say who is cheaper."""
RIVALS = (ICET, ICET_BY_COST, UNTESTED)
ROUNDING = 1e-9
"""Means that differ by less are equal."""


class Setting(NamedTuple):
    """Trials that are averaged."""

    data_set: str
    priced: bool

    @property
    def words(self) -> str:
        """As a row's title."""
        return self.data_set if self.priced else f"{self.data_set}, tests free"


Records = Mapping[Setting, Sequence[Record]]


class Means:
    """Mean costs of a case, by setting, way and ratio."""

    def __init__(self, records: Records, ratios: Sequence[float]) -> None:
        self.records = records
        self.ratios = tuple(ratios)

    def ways(self, setting: Setting) -> list[str]:
        """Return the ways of a setting; deep trees may be missing where strings would be too long."""
        return list(self.records[setting][0]["cost"])

    def costs(self, setting: Setting, way: str, ratio: float) -> list[float]:
        """Return what a case costs in each trial."""
        place = self.ratios.index(ratio)
        return [record["cost"][way][place] for record in self.records[setting]]

    def cost(self, setting: Setting, way: str, ratio: float) -> float:
        """Return what a case costs on average."""
        return fmean(self.costs(setting, way, ratio))

    def among(self, ratios: Iterable[float]) -> list[float]:
        """Return those of the ratios that were tried."""
        return [ratio for ratio in ratios if ratio in self.ratios]


def comparisons(means: Means, depths: Sequence[int]) -> tuple[Comparison, ...]:
    """Return mean costs of both figures, ECCO's by ICET's, and all mean costs."""
    first, last = way_of(min(depths), True), max(depths)
    found = []
    for figure, ratios in (("figure 4", means.among(HIGH_RATIOS)), ("figure 5", means.among(LOW_RATIOS))):
        if not ratios:
            continue
        shown = {UNTESTED, ICET, ICET_BY_COST, first}
        if figure == "figure 5":
            shown |= {way_of(depth, pruned) for depth in (min(depths), last) for pruned in (True, False)}
        found.append(_costs(means, f"{TITLE}, {figure}", ratios, shown))
        found.append(_quotients(means, f"{TITLE}, {figure}", ratios, first))
    everything = _costs(means, f"{TITLE}, all depths", means.ratios, None)
    return (*found, everything)


def notes(means: Means, depths: Sequence[int]) -> list[str]:
    """Say where ECCO costs no more than ICET, and than a single answer for all."""
    sentences = [
        "The paper's figures are pictures. Its text says that ECCO costs less than ICET as the ratio grows, "
        "on all four data sets, whether or not tests cost anything."
    ]
    high = [ratio for ratio in means.ratios if ratio >= FROM]
    if high:
        sentences += [_words_on_rival(means, way_of(min(depths), True), rival, high) for rival in RIVALS]
    return [*sentences, _words_on_pruning(means, depths), *_words_on_depths(means, depths)]


def _words_on_rival(means: Means, way: str, rival: str, ratios: Sequence[float]) -> str:
    """Say where a way of ECCO's costs more than a rival."""
    dearer: dict[str, list[str]] = {}
    for setting in means.records:
        for ratio in ratios:
            ours, theirs = means.cost(setting, way, ratio), means.cost(setting, rival, ratio)
            if ours > theirs * (1.0 + ROUNDING):
                dearer.setdefault(setting.words, []).append(f"{_apart(ours, theirs)} at {ratio:,g}")
    number, of = sum(map(len, dearer.values())), len(means.records) * len(ratios)
    start = f"From a ratio of {FROM:,g} on, {way} costs no more than {rival} in "
    if not dearer:
        return f"{start}all {of} averages."
    # The first and the last ratio tell enough; all are in the files.
    ends = (f"{words} ({', '.join(dict.fromkeys((found[0], found[-1])))})" for words, found in dearer.items())
    return f"{start}{of - number} of {of} averages; not for {'; '.join(ends)}."


def _apart(ours: float, theirs: float) -> str:
    """Print two figures with as many digits as it takes to tell them apart, 4 at least."""
    digits = next(n for n in range(4, 18) if f"{ours:.{n}g}" != f"{theirs:.{n}g}")
    return f"{ours:.{digits}g} against {theirs:.{digits}g}"


def _words_on_depths(means: Means, depths: Sequence[int]) -> list[str]:
    """Say which depths are missing where."""
    missing: dict[str, list[str]] = {}
    for setting in means.records:
        ways = means.ways(setting)
        missing[setting.data_set] = [f"D{depth}" for depth in depths if way_of(depth, True) not in ways]
    return [
        f"Left out on {data_set}: {', '.join(absent)}, whose strings would have too many bits."
        for data_set, absent in missing.items()
        if absent
    ]


def _words_on_pruning(means: Means, depths: Sequence[int]) -> str:
    """Say how much pruning changes, over all settings, ratios and depths."""
    quotients = [
        means.cost(setting, way_of(depth, True), ratio) / unpruned
        for setting in means.records
        for depth in depths
        if way_of(depth, True) in means.ways(setting)
        for ratio in means.ratios
        if (unpruned := means.cost(setting, way_of(depth, False), ratio)) > 0.0
    ]
    return (
        f"Pruned trees of ECCO cost {fmean(quotients):.3f} times what the same trees cost unpruned, from "
        f"{min(quotients):.3f} to {max(quotients):.3f}."
    )


def _costs(means: Means, title: str, ratios: Sequence[float], ways: set[str] | None) -> Comparison:
    """Mean costs; `ways` None: all, for a file."""
    rows: dict[str, dict[str, float | None]] = {}
    errors: dict[str, dict[str, float | None]] = {}
    for setting in means.records:
        if ways is not None and not setting.priced and any(other.priced for other in means.records):
            continue
        for way in means.ways(setting):
            if ways is None or way in ways:
                row = f"{setting.words}, {way}"
                rows[row] = {_named(ratio): means.cost(setting, way, ratio) for ratio in ratios}
                errors[row] = {
                    _named(ratio): _standard_error(means.costs(setting, way, ratio)) for ratio in ratios
                }
    return Comparison(
        title,
        "mean cost of a case, by the ratio of what mistakes cost",
        "data set, learner",
        tuple(rows),
        tuple(map(_named, ratios)),
        {},
        rows,
        errors,
        digits=2,
        drawn=False,
        shown=ways is not None,
    )


def _quotients(means: Means, title: str, ratios: Sequence[float], way: str) -> Comparison:
    rows: dict[str, dict[str, float | None]] = {}
    for setting in means.records:
        rows[setting.words] = {}
        for ratio in ratios:
            rival = means.cost(setting, ICET, ratio)
            rows[setting.words][_named(ratio)] = means.cost(setting, way, ratio) / rival if rival else None
    return Comparison(
        title,
        f"mean cost of ECCO's {way} by ICET's",
        "data set",
        tuple(rows),
        tuple(map(_named, ratios)),
        {},
        rows,
    )


def _named(ratio: float) -> str:
    return f"{ratio:,g}"


def _standard_error(values: Sequence[float]) -> float | None:
    return stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None
