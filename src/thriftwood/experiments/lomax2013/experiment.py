"""`Lomax2013`: the settings of the experiment and its trials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from thriftwood.experiments.experiment import Experiment, Options, Record, Report, Trial, numbered
from thriftwood.experiments.learners import learner_of
from thriftwood.experiments.lomax2013.reporting import by_setting, grouped, notes, timings
from thriftwood.experiments.lomax2013.tables import LEVELS, load_tables
from thriftwood.experiments.lomax2013.timing import compared
from thriftwood.experiments.lomax2013.trial import CONSTANT, DEFAULT_LEARNERS, perform

DATA_SETS = ("iris", "heart", "diabetes", "tictactoe", "car", "annealing", "soybean", "nursery")


@dataclass(frozen=True)
class Lomax2013(Experiment):
    """Lomax 2013: normalised costs of optimal trees and of other learners, on eight tables and three levels.

    Parameters
    ----------
    splits : int
        Divisions of each table, the first of those that come with it.
    data_sets : tuple of str
        Tables; any that the folder has.
    levels : tuple of str
        What mistakes cost: some of low, middle and high.
    learners : tuple of str
        The columns: "constant", "optimal 3" (and other depths), "eg2, cut back", or any name of
        `tw.algorithm` that takes costs.
    seed : int
        Of learners that draw.
    time : bool
        Whether to time optimal trees of depth 3 and 4 on the first division, beside STreeD.

    Examples
    --------
    >>> Lomax2013(splits=2, learners=("constant", "optimal 3")).settings()
    {'learners': ['constant', 'optimal 3'], 'seed': 0}
    """

    name: ClassVar[str] = "lomax2013"
    sentence: ClassVar[str] = (
        "What a case costs, tests and mistakes, with optimal trees of depth 2 to 5 and with other learners: "
        "eight tables of 0/1 columns, three levels of error costs, a hundred fixed divisions."
    )
    reference: ClassVar[str] = (
        "Lomax 2013, Cost-sensitive decision tree learning using a multi-armed bandit framework, University "
        "of Salford (tables, costs); van der Linden, de Weerdt & Demirovic 2023, NeurIPS (divisions, STreeD)"
    )

    splits: int = 100
    data_sets: tuple[str, ...] = DATA_SETS
    levels: tuple[str, ...] = LEVELS
    learners: tuple[str, ...] = DEFAULT_LEARNERS
    seed: int = 0
    time: bool = False

    def settings(self) -> dict[str, Any]:
        """Return what decides a trial; more divisions or other tables leave it as it is."""
        return {"learners": list(self.learners), "seed": self.seed}

    def planned(self, options: Options) -> Sequence[Trial]:
        """List the trials, table by table; timings come last."""
        self._check()
        tables = load_tables(self.data_sets, self.levels, options.data_dir)
        for table in tables:
            if self.splits > len(table.test_rows):
                there = f"{len(table.test_rows)} divisions of {table.data_set}"
                raise ValueError(f"{self.name} has {there}. Got splits of {self.splits}.")
        run = partial(perform, learners=self.learners, seed=self.seed, n_jobs=options.n_jobs or -1)
        trials = numbered(tables, self.splits, run)
        if self.time:
            trials += [
                Trial(f"time/{table.name}/{table.digest}", f"{table.name}, time", partial(compared, table, 0))
                for table in tables
            ]
        return trials

    def report(self, records: Sequence[Record]) -> Report:
        """Average the normalised costs."""
        judged = grouped(record for record in records if "cost" in record)
        timed = grouped(record for record in records if "depths" in record)
        tables = by_setting(judged, self.learners), by_setting(judged, self.learners, learnt=True)
        return Report((*tables, *timings(timed)), tuple(notes(judged, timed, self.learners, self.splits)))

    def _check(self) -> None:
        self._check_least(splits=1, seed=0)
        self._check_data_sets(self.levels, LEVELS, "level")
        for what, given in (("data set", self.data_sets), ("learner", self.learners)):
            if not given:
                raise ValueError(f"{self.name} needs a {what}. Got none.")
            if len(set(given)) < len(given):
                raise ValueError(f"{self.name} was given a {what} twice: {', '.join(given)}.")
        for learner in self.learners:
            if learner != CONSTANT:
                learner_of(learner, None, self.seed, 1)  # names what is wrong with it
