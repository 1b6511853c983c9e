"""From the records of the trials to tables and notes.

Every table counts the same: figures are means over its trials first, and then over tables; standard errors
are those over tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import fmean, stdev

from thriftwood.experiments.comparison import Comparison
from thriftwood.experiments.experiment import Record
from thriftwood.experiments.thrift.trial import NOBODY, THRIFT

TITLE = "Lowest bill"
MEASURE = "mean cost of a case, % of testing nobody"
ALL = "all"
COLUMNS = ("cost", "rank", "dearer than nobody", "thrift saves", "standard error", "won", "lost")
DEARER = 101.0
"""From here on a learner costs more than testing nobody: by more than 1 %."""


def by_kind(records: Sequence[Record], learners: Sequence[str]) -> Comparison:
    """Return mean costs by shape of prices, by level of mistakes, and of all."""
    kinds: dict[str, list[Record]] = {}
    for key in ("shape", "level"):
        for record in records:
            kinds.setdefault(record[key], []).append(record)
    kinds[ALL] = list(records)
    figures = {
        kind: {learner: _over_tables(own, _cost_of(learner)) for learner in learners}
        for kind, own in kinds.items()
    }
    return Comparison(
        TITLE, MEASURE, "prices, mistakes", tuple(kinds), tuple(learners), {}, figures, digits=1, drawn=False
    )


def by_table(records: Sequence[Record], learners: Sequence[str]) -> Comparison:
    """Return mean costs by table."""
    own = _tables(records)
    figures = {
        table: {learner: fmean(record["cost"][learner] for record in each) for learner in learners}
        for table, each in own.items()
    }
    title = f"{TITLE}, by table"
    return Comparison(
        title, MEASURE, "table", tuple(own), tuple(learners), {}, figures, digits=1, drawn=False
    )


def summary(records: Sequence[Record], learners: Sequence[str]) -> Comparison:
    """Return for each learner its mean cost and rank, and how thrift compares with it."""
    figures = {}
    for learner in learners:
        found: dict[str, float | None] = {
            "cost": _over_tables(records, _cost_of(learner)),
            "rank": _over_tables(records, partial(_rank, learner)),
            "dearer than nobody": 100.0 * fmean(record["cost"][learner] > DEARER for record in records),
        }
        if learner != THRIFT and THRIFT in learners:
            found |= _against(records, learner)
        figures[learner] = found
    return Comparison(
        f"{TITLE}, learners",
        "cost and rank, % of trials above 101 % of testing nobody, what thrift saves, tables won and lost",
        "learner",
        tuple(sorted(learners, key=lambda learner: figures[learner]["cost"] or 0.0)),
        COLUMNS,
        {},
        figures,
        digits=2,
        drawn=False,
    )


def notes(records: Sequence[Record], learners: Sequence[str]) -> list[str]:
    """Say who costs least, and how sure that is."""
    tables = len(_tables(records))
    table = summary(records, learners)
    found = table.ours
    order = ", ".join(f"{name} {found[name]['cost']:.1f}" for name in table.rows)
    said = [f"Means over {tables} tables and {len(records)} trials, lowest first: {order}."]
    if THRIFT not in learners:
        return said
    for name in learners:
        saved, error = found[name].get("thrift saves"), found[name].get("standard error")
        if saved is not None and error is not None and name != NOBODY:
            sure = "clearly" if saved > 2 * error else "not clearly" if saved > -2 * error else "NOT"
            doubt = f"(standard error {error:.1f} over tables)"
            said.append(f"thrift is {sure} cheaper than {name}: by {saved:.1f} {doubt}.")
    share = found[THRIFT]["dearer than nobody"]
    said.append(f"thrift costs more than 101 % of testing nobody in {share:.1f} % of the trials.")
    return said


def _against(records: Sequence[Record], learner: str) -> dict[str, float | None]:
    """Compare thrift with a learner: what it saves, and on how many tables it clearly does or does not."""
    saved, won, lost = [], 0, 0
    for own in _tables(records).values():
        each = [record["cost"][learner] - record["cost"][THRIFT] for record in own]
        error = stdev(each) / len(each) ** 0.5 if len(each) > 1 else float("inf")
        saved.append(fmean(each))
        won += saved[-1] > 2 * error
        lost += saved[-1] < -2 * error
    error_over_tables = stdev(saved) / len(saved) ** 0.5 if len(saved) > 1 else None
    return {"thrift saves": fmean(saved), "standard error": error_over_tables, "won": won, "lost": lost}


def _cost_of(learner: str) -> Callable[[Record], float]:
    return lambda record: record["cost"][learner]


def _rank(learner: str, record: Record) -> float:
    """Return the place of a learner, 1 for the cheapest; those that cost the same share theirs."""
    costs: Mapping[str, float] = record["cost"]
    own = costs[learner]
    below = sum(cost < own - 1e-9 for cost in costs.values())
    same = sum(abs(cost - own) <= 1e-9 for cost in costs.values())
    return below + (same + 1) / 2


def _over_tables(records: Sequence[Record], figure: Callable[[Record], float]) -> float:
    return fmean(fmean(map(figure, own)) for own in _tables(records).values())


def _tables(records: Sequence[Record]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(record["table"], []).append(record)
    return found
