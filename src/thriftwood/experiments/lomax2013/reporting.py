"""From the records of the trials to tables and notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, stdev

from thriftwood.experiments.comparison import Comparison, with_average
from thriftwood.experiments.experiment import Record
from thriftwood.experiments.learners import OPTIMAL
from thriftwood.experiments.lomax2013.trial import CONSTANT

TITLE = "Lomax 2013"
MEAN = "mean"
MEASURE = "mean cost of a case, % of standard cost"

Records = Mapping[str, Sequence[Record]]
"""The records of each setting, a data set and a level of error costs."""


def costs_of(own: Sequence[Record], learner: str, learnt: bool = False) -> list[float]:
    """Return what a case costs in each division, of the part judged or of the part learnt from."""
    return [record["cost"][learner][1 if learnt else 0] for record in own]


def by_setting(records: Records, learners: Sequence[str], learnt: bool = False) -> Comparison:
    """Return mean normalised costs by setting, and their mean."""
    figures: dict[str, dict[str, float | None]] = {}
    errors: dict[str, dict[str, float | None]] = {}
    for setting, own in records.items():
        found = {learner: costs_of(own, learner, learnt) for learner in learners}
        figures[setting] = {learner: fmean(costs) for learner, costs in found.items()}
        errors[setting] = {learner: _standard_error(costs) for learner, costs in found.items()}
    return Comparison(
        TITLE + (", the cases learnt from" if learnt else ""),
        MEASURE,
        "setting",
        (*records, MEAN),
        tuple(learners),
        {},
        with_average(figures, learners, MEAN),
        errors,
        digits=2,
        drawn=False,
        shown=not learnt,
    )


def timings(records: Records) -> list[Comparison]:
    """Return a table of seconds for each depth."""
    made = []
    for depth in next(iter(records.values()))[0]["depths"] if records else ():
        found = {setting: own[0]["depths"][depth] for setting, own in records.items()}
        ours = {setting: {"seconds": each["ours"][0]} for setting, each in found.items()}
        theirs = {
            setting: {"seconds": each["streed"][0]} for setting, each in found.items() if "streed" in each
        }
        table = Comparison(
            f"{TITLE}, optimal trees of depth {depth}",
            "seconds of CPU on the first division",
            "setting",
            (*records, MEAN),
            ("seconds",),
            with_average(theirs, ["seconds"], MEAN) if theirs else {},
            with_average(ours, ["seconds"], MEAN),
            titles=("here", "STreeD"),
            drawn=False,
        )
        made.append(table)
    return made


def notes(records: Records, timed: Records, learners: Sequence[str], splits: int) -> list[str]:
    """Say who costs least, what optimal trees cost in training and later, and whether STreeD agrees."""
    means = {learner: _mean(records, learner) for learner in learners}
    order = ", ".join(f"{name} {cost:.2f}" for name, cost in sorted(means.items(), key=lambda pair: pair[1]))
    divisions = "1 division" if splits == 1 else f"{splits} divisions"
    settings = "1 setting" if len(records) == 1 else f"{len(records)} settings"
    sentences = [f"Means over {settings} and {divisions} each, lowest first: {order}."]
    searched = [learner for learner in learners if learner.startswith(OPTIMAL)]
    if len(searched) > 1:
        pairs = "; ".join(
            f"depth {name.removeprefix(OPTIMAL)} {_mean(records, name, True):.2f} and {means[name]:.2f}"
            for name in searched
        )
        sentences.append(f"Optimal trees, on the cases they were searched on and on others: {pairs}.")
    if CONSTANT in learners:
        sentences += [_beaten(records, name) for name in searched]
    return [*sentences, *_words_on_streed(timed)]


def _beaten(records: Records, learner: str) -> str:
    dearer = [
        setting
        for setting, own in records.items()
        if fmean(costs_of(own, learner)) > fmean(costs_of(own, CONSTANT)) + 1e-9
    ]
    verdict = f"in {len(dearer)} settings: {', '.join(dearer)}" if dearer else "in no setting"
    return f"{learner} costs more than one answer for all {verdict}."


def _words_on_streed(timed: Records) -> list[str]:
    """Say whether both programs found trees of the same cost."""
    pairs = [
        (setting, depth, both["ours"], both["streed"])
        for setting, own in timed.items()
        for depth, both in own[0]["depths"].items()
        if "streed" in both
    ]
    if not timed:
        return []
    if not pairs:
        return ["STreeD is not installed, so there is nothing beside our seconds (pip install pystreed)."]

    def listed(cheaper: bool) -> list[str]:
        return [
            f"{setting} at depth {depth} ({ours[1]:.9g} here, {theirs[1]:.9g} there)"
            for setting, depth, ours, theirs in pairs
            if abs(ours[1] - theirs[1]) > 1e-9 * max(1.0, abs(theirs[1])) and (ours[1] < theirs[1]) == cheaper
        ]

    ratios = [theirs[0] / max(ours[0], 1e-6) for _, _, ours, theirs in pairs if theirs[0] > 0.01]
    same = (
        f"{len(pairs) - len(listed(True)) - len(listed(False))} of {len(pairs)} trees cost what STreeD's do."
    )
    for cheaper, word in ((True, "Cheaper"), (False, "DEARER")):
        if listed(cheaper):
            same += f" {word}: {'; '.join(listed(cheaper))}."
    if not ratios:
        return [same]
    slower = f"{min(ratios):.1f} to {max(ratios):.0f} times as long"
    return [same, f"Where STreeD takes more than 0.01 s, it takes {slower}."]


def _mean(records: Records, learner: str, learnt: bool = False) -> float:
    return fmean(fmean(costs_of(own, learner, learnt)) for own in records.values())


def _standard_error(values: Sequence[float]) -> float | None:
    return stdev(values) / len(values) ** 0.5 if len(values) > 1 else None


def grouped(records: Iterable[Record]) -> dict[str, list[Record]]:
    """Return the records of each setting, in the order of their first."""
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(f"{record['data_set']} {record['level']}", []).append(record)
    return found
