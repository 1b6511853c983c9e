"""`Afabench`: the settings of the experiment, its trials and its tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any, ClassVar
from zlib import crc32

import numpy as np

from thriftwood.experiments.afabench.data import NAMES, Contest, contest
from thriftwood.experiments.afabench.learners import JUDGED, LARGE_SETTINGS, SETTINGS, compete, parted
from thriftwood.experiments.comparison import Comparison
from thriftwood.experiments.experiment import Experiment, Options, Record, Report, Trial, numbered

LEARNERS = tuple(SETTINGS)
LARGE_NOTE = (
    f"bank-marketing: settings are chosen by {JUDGED} cases, evenly from the 20 %, and only what a missed "
    f"'yes' costs is chosen; boosting has cost_weight={LARGE_SETTINGS['boosting']['cost_weight']}."
)


@dataclass(frozen=True)
class Afabench(Experiment):
    """Hard budgets in numbers of tests: our learners beside each other.

    Parameters
    ----------
    trials : int
        Repetitions of each data set.
    data_sets : tuple of str
        Some of the three.
    seed : int
        Decides tables, parts and learners, together with the data set and the number of the trial.

    Examples
    --------
    >>> Afabench(trials=1, data_sets=("cube",)).settings()
    {'seed': 0}
    """

    name: ClassVar[str] = "afabench"
    sentence: ClassVar[str] = (
        "Right answers within a hard budget of tests: trees, trees with gates, answers by naive Bayes and "
        "boosting on the tables of a benchmark of neural networks."
    )
    reference: ClassVar[str] = "AFABench 2025, arXiv 2508.14734 (tables, protocol and budgets)"

    trials: int = 5
    data_sets: tuple[str, ...] = NAMES
    seed: int = 0

    def settings(self) -> dict[str, Any]:
        """Return what decides a trial."""
        return {"seed": self.seed}

    def planned(self, options: Options) -> Sequence[Trial]:
        """List the trials, data set by data set."""
        self._check_least(trials=1, seed=0)
        self._check_data_sets(self.data_sets, NAMES)
        contests = [contest(name, options.data_dir) for name in self.data_sets]
        return numbered(contests, self.trials, self._perform)

    def report(self, records: Sequence[Record]) -> Report:
        """Average the scores of each data set, budget and learner."""
        tables = tuple(self._table(name, records) for name in self.data_sets)
        return Report(tables, tuple(self._notes(records)))

    def _perform(self, of: Contest, number: int) -> Record:
        rng = np.random.default_rng([self.seed, crc32(of.name.encode()), number])
        cases = of.draw(rng)
        parts = parted(len(cases.y), rng)
        seed = int(rng.integers(2**31 - 1))
        found = {
            learner: {
                str(budget): compete(learner, cases, parts, budget, of.measure, seed)._asdict()
                for budget in of.budgets
            }
            for learner in LEARNERS
        }
        return {"data_set": of.name, "measure": of.measure, "found": found}

    def _table(self, name: str, records: Sequence[Record]) -> Comparison:
        own = [record for record in records if record["data_set"] == name]
        budgets = tuple(own[0]["found"][LEARNERS[0]])
        scores = {
            budget: {learner: [one["found"][learner][budget]["score"] for one in own] for learner in LEARNERS}
            for budget in budgets
        }
        return Comparison(
            title=f"{name}, hard budgets",
            measure=own[0]["measure"],
            row_title="tests",
            rows=budgets,
            columns=LEARNERS,
            published={},
            ours=_each(scores, fmean),
            standard_errors=_each(scores, _standard_error),
        )

    def _notes(self, records: Sequence[Record]) -> list[str]:
        left = [
            max(0.0, float(budget) - score["mean_tests"])
            for record in records
            for scores in record["found"].values()
            for budget, score in scores.items()
        ]
        return [
            f"{self.trials} repetitions, seed {self.seed}: 60 % of the cases to learn from, 20 % to choose "
            "settings by, 20 % to answer. c45 and gated learn within the budget, of bayes one of them does; "
            "boosting is asked within it.",
            f"A case leaves {min(left):.2f} to {max(left):.2f} tests of its budget on average.",
            *([LARGE_NOTE] if "bank-marketing" in self.data_sets else []),
        ]


def _each(scores: Mapping[str, Mapping[str, list[float]]], sum_up: Callable[[list[float]], Any]) -> Any:
    return {row: {column: sum_up(got) for column, got in own.items()} for row, own in scores.items()}


def _standard_error(values: Sequence[float]) -> float | None:
    return stdev(values) / len(values) ** 0.5 if len(values) > 1 else None
