"""From the records of the trials to tables and notes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, stdev

from thriftwood.experiments.comparison import Comparison, with_average
from thriftwood.experiments.experiment import Record
from thriftwood.experiments.turney1995.published import ICET, LEARNERS

Records = Mapping[str, Sequence[Record]]
"""The records of each data set."""

TITLE = "Turney 1995, section 4.1"
AVERAGE = "average"
MEASURE = "average cost, % of standard cost"


def normalised_cost(record: Record, learner: str, place: int, penalty: float) -> float:
    """Return what a case of a trial costs in percent of the standard cost.

    That is the cost of all tests, and of a mistake about every case outside the commonest class.

    Parameters
    ----------
    record : mapping
        Of the trial.
    learner : str
    place : int
        Of the penalty among all of them; learners that ignore penalties have one tree for all.
    penalty : float
        What a mistake costs.

    Examples
    --------
    >>> record = {"all_tests": 30.0, "uncommon": 0.4, "did": {"eg2": [(10.0, 0.2)]}}
    >>> normalised_cost(record, "eg2", 3, penalty=50.0)
    40.0
    """
    did = record["did"][learner]
    test_cost, error_rate = did[place if learner == ICET else 0]
    standard = record["all_tests"] + record["uncommon"] * penalty
    return float(100.0 * (test_cost + penalty * error_rate) / standard)


def comparisons(records: Records, penalties: Sequence[float]) -> tuple[Comparison, ...]:
    """Return normalised costs by data set and by penalty, and what ICET does about penalties."""
    return _by_data_set(records, penalties), _by_penalty(records, penalties), _of_icet(records, penalties)


def averages(records: Records, penalties: Sequence[float]) -> dict[str, float]:
    """Return the normalised cost of each learner over all data sets, penalties and trials, lowest first."""
    figures = {
        learner: fmean(
            _mean(own, learner, place, penalty)
            for own in records.values()
            for place, penalty in enumerate(penalties)
        )
        for learner in LEARNERS
    }
    return dict(sorted(figures.items(), key=lambda pair: pair[1]))


def notes(records: Records, penalties: Sequence[float]) -> list[str]:
    """Say whether the order is as published."""
    found = averages(records, penalties)
    order = ", ".join(f"{learner} {value:.1f}" for learner, value in found.items())
    verdict = "As published, ICET has" if next(iter(found)) == ICET else "Not as published: ICET has not"
    return [
        "The paper's figures are pictures. Its text says that ICET has the lowest cost of the five, averaged "
        "across the data sets.",
        f"{verdict} the lowest here. Over all data sets and penalties: {order}.",
        *_words_on_twins(records),
    ]


def _words_on_twins(records: Records) -> list[str]:
    """Say why CS-ID3 and IDX often have the same figures."""
    every = [record["did"] for own in records.values() for record in own]
    alike = sum(did["cs-id3"] == did["idx"] for did in every)
    if not alike:
        return []
    return [
        f"cs-id3 and idx did the same in {alike} of {len(every)} divisions: G^2 / c and G / c order tests of "
        "one price alike, and tests that were bought before by G alone."
    ]


def _by_data_set(records: Records, penalties: Sequence[float]) -> Comparison:
    """Average over penalties; errors are those of the trials' averages."""

    def of_trial(record: Record, learner: str) -> float:
        return fmean(normalised_cost(record, learner, *each) for each in enumerate(penalties))

    return _table(
        f"{TITLE}, all penalties",
        "data set",
        {name: (own, of_trial) for name, own in records.items()},
        with_errors=True,
    )


def _by_penalty(records: Records, penalties: Sequence[float]) -> Comparison:
    """Average over data sets, each of which counts the same: all have the same number of trials."""
    everything = [record for own in records.values() for record in own]

    def at(place: int, penalty: float) -> Callable[[Record, str], float]:
        return lambda record, learner: normalised_cost(record, learner, place, penalty)

    rows = {f"{penalty:,.0f}": (everything, at(place, penalty)) for place, penalty in enumerate(penalties)}
    return _table(f"{TITLE}, all data sets", "a mistake costs", rows, with_errors=False)


def _table(
    title: str,
    row_title: str,
    rows: Mapping[str, tuple[Sequence[Record], Callable[[Record, str], float]]],
    with_errors: bool,
) -> Comparison:
    figures: dict[str, dict[str, float | None]] = {}
    errors: dict[str, dict[str, float | None]] = {}
    for row, (own, measure) in rows.items():
        values = {learner: [measure(record, learner) for record in own] for learner in LEARNERS}
        figures[row] = {learner: fmean(found) for learner, found in values.items()}
        if with_errors:
            errors[row] = {learner: _standard_error(found) for learner, found in values.items()}
    return Comparison(
        title,
        MEASURE,
        row_title,
        (*rows, AVERAGE),
        LEARNERS,
        {},
        with_average(figures, LEARNERS, AVERAGE),
        errors,
        digits=1,
    )


def _of_icet(records: Records, penalties: Sequence[float]) -> Comparison:
    """Figure 4: what ICET spends on tests, in percent of what all tests cost, and its mistakes."""
    columns = ("tests", "mistakes")
    rows: dict[str, dict[str, float | None]] = {}
    for place, penalty in enumerate(penalties):
        spent, wrong = [], []
        for own in records.values():
            for record in own:
                test_cost, error_rate = record["did"][ICET][place]
                spent.append(100.0 * test_cost / record["all_tests"])
                wrong.append(100.0 * error_rate)
        rows[f"{penalty:,.0f}"] = {"tests": fmean(spent), "mistakes": fmean(wrong)}
    return Comparison(
        "Turney 1995, section 4.1.2",
        "ICET: spent on tests, % of all tests; mistakes, % of cases",
        "a mistake costs",
        tuple(rows),
        columns,
        {},
        rows,
        digits=1,
    )


def _mean(own: Sequence[Record], learner: str, place: int, penalty: float) -> float:
    return fmean(normalised_cost(record, learner, place, penalty) for record in own)


def _standard_error(values: Sequence[float]) -> float | None:
    return stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None
