"""`Streams`: the settings of the experiment, its trials and its tables."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from thriftwood.costs import Costs
from thriftwood.experiments.comparison import Comparison
from thriftwood.experiments.experiment import Experiment, Options, Record, Report, Trial
from thriftwood.experiments.streams.contestants import (
    LONGEST,
    MOA,
    OURS,
    RIVER,
    installed,
    run_moa,
    run_river,
)
from thriftwood.streams import Agrawal, Hyperplane, Rbf, Sea, Stream, evaluate_stream

PRICED = "sea, prices"
COSTS = Costs({"x0": 1.0, "x1": 2.0, "x2": 4.0}, errors=[[0, 40], [40, 0]])

STREAMS: dict[str, Callable[[int, int], Stream]] = {
    "sea": lambda seed, n: Sea(random_state=seed),
    "rbf": lambda seed, n: Rbf(random_state=seed),
    "agrawal": lambda seed, n: Agrawal(random_state=seed),
    "hyperplane": lambda seed, n: Hyperplane(random_state=seed),
    "sea, drift": lambda seed, n: Sea(random_state=seed, drift_every=max(1, n // 4)),
    "agrawal, drift": lambda seed, n: Agrawal(1, random_state=seed, drift_every=max(1, n // 4)),
    "hyperplane, drift": lambda seed, n: Hyperplane(n_moving=10, speed=0.001, random_state=seed),
    PRICED: lambda seed, n: Sea(random_state=seed),
}
MEASURES = {
    "accuracy": ("Prequential accuracy", "share of right answers", 4),
    "cost": ("Prequential bill", "what tests and mistakes cost a case", 3),
    "speed": ("Speed", "thousand rows per second of processor time, answering and learning", 1),
}


@dataclass(frozen=True)
class Streams(Experiment):
    """Streams: accuracy, bill and speed of learners that learn as cases arrive.

    Parameters
    ----------
    rows : int
        The length of each stream.
    streams, learners : tuple of str
        Which; those of other libraries take part where they are installed.
    seed : int
        Draws the streams.

    Examples
    --------
    >>> Streams(rows=1000, learners=("hoeffding",)).settings()
    {'rows': 1000, 'seed': 0}
    """

    name: ClassVar[str] = "streams"
    sentence: ClassVar[str] = (
        "Prequential accuracy, bill and speed on drawn streams, with and without drift and prices: refitted "
        "trees, Hoeffding trees and ITI beside trees of river and MOA."
    )
    reference: ClassVar[str] = "thriftwood, docs/experiments/streams.md"

    rows: int = 200_000
    streams: tuple[str, ...] = tuple(STREAMS)
    learners: tuple[str, ...] = (*OURS, *RIVER, *MOA)
    seed: int = 0

    def settings(self) -> dict[str, Any]:
        """Return what decides a trial."""
        return {"rows": self.rows, "seed": self.seed}

    def planned(self, options: Options) -> Sequence[Trial]:
        """List the trials, stream by stream."""
        self._check_least(rows=100, seed=0)
        for given, known in ((self.streams, STREAMS), (self.learners, (*OURS, *RIVER, *MOA))):
            wrong = [name for name in given if name not in known]
            if wrong or not given:
                came = wrong[0] if wrong else "none"
                raise ValueError(f"{self.name} has no {came!r}. Choices: {', '.join(map(repr, known))}.")
        return [
            Trial(f"{stream}/{learner}", f"{learner} on {stream}", partial(self._perform, stream, learner))
            for stream in self.streams
            for learner in self._present
            if not (stream == PRICED and learner in MOA)
        ]

    def report(self, records: Sequence[Record]) -> Report:
        """Put the figures into tables."""
        tables = tuple(self._table(records, measure) for measure in MEASURES)
        notes = [
            f"Each stream has {self.rows:,} rows, given to our learners 1,000 at a time: answered, then "
            "learnt from. Others learn row by row.",
            "River's trees are charged for the tests on the path of each case, and answer what costs least. "
            "MOA's know no prices.",
        ]
        shorter = [name for name in self.learners if self._rows(name) < self.rows]
        if shorter:
            held = ", ".join(f"{name} the first {self._rows(name):,}" for name in shorter)
            notes.append(f"Learners that hold every case get fewer rows: {held}.")
        absent = [name for name in self.learners if not installed(name)]
        if absent:
            notes.append(f"Not installed, so they do not compete: {', '.join(absent)}.")
        return Report(tables, tuple(notes))

    @property
    def _present(self) -> tuple[str, ...]:
        return tuple(name for name in self.learners if installed(name))

    def _rows(self, learner: str) -> int:
        return min(self.rows, LONGEST.get(learner, self.rows))

    def _perform(self, stream: str, learner: str) -> Record:
        source = STREAMS[stream](self.seed, self.rows)
        costs = COSTS if stream == PRICED else None
        if learner in OURS:
            history = evaluate_stream(OURS[learner](costs), source, self._rows(learner))
            found = {"accuracy": history.accuracy, "cost": history.mean_cost}
            return {"stream": stream, "learner": learner, "seconds": history.seconds, **found}
        X, y = source.take(self.rows)
        begun = time.process_time()
        sums = (
            run_moa(learner, X, y)
            if learner in MOA
            else run_river(learner, X, y, source.feature_names, costs)
        )
        seconds = time.process_time() - begun
        cost = sums["test_cost"] + sums["error_cost"]
        return {
            "stream": stream,
            "learner": learner,
            "seconds": seconds,
            "accuracy": sums["accuracy"],
            "cost": cost,
        }

    def _table(self, records: Sequence[Record], measure: str) -> Comparison:
        title, unit, digits = MEASURES[measure]
        figures: dict[str, dict[str, float | None]] = {stream: {} for stream in self.streams}
        for record in records:
            rows = self._rows(record["learner"])
            value = rows / record["seconds"] / 1000 if measure == "speed" else record[measure]
            figures[record["stream"]][record["learner"]] = float(value)
        columns = self._present
        return Comparison(
            title, unit, "stream", self.streams, columns, {}, figures, digits=digits, drawn=False
        )
