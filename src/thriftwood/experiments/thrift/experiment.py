"""`Thrift`: the settings of the experiment and its trials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from thriftwood.costs import Costs
from thriftwood.experiments.experiment import Experiment, Options, Record, Report, Trial, numbered
from thriftwood.experiments.learners import learner_of
from thriftwood.experiments.thrift.reporting import by_kind, by_table, notes, summary
from thriftwood.experiments.thrift.tables import LOOKED_AT, NOT_LOOKED_AT, load_settings
from thriftwood.experiments.thrift.trial import (
    DEFAULT_LEARNERS,
    NOBODY,
    PENALTIES,
    has_lightgbm,
    perform,
)


@dataclass(frozen=True)
class Thrift(Experiment):
    """Lowest bill: what a case costs with every learner, on many tables with drawn prices.

    Parameters
    ----------
    splits : int
        Divisions of each setting, a table with a shape of prices and a level of mistakes.
    data_sets : tuple of str
        Tables; those that were not looked at while the learner was made.
    learners : tuple of str
        The columns: "thrift, class", "thrift, score", "optimal 3", "eg2, cut back", "lightgbm, penalties", or
        any name of `tw.algorithm` that takes costs.
    seed : int
        Draws prices and divisions.

    Examples
    --------
    >>> Thrift(splits=2, learners=("nobody", "thrift")).settings()
    {'learners': ['nobody', 'thrift'], 'seed': 0}
    """

    name: ClassVar[str] = "thrift"
    sentence: ClassVar[str] = (
        "What a case costs, tests and mistakes, with thrift, with every other learner that knows prices and "
        "mistakes, and with what users would do instead: many tables, drawn and published prices."
    )
    reference: ClassVar[str] = "thriftwood, docs/experiments/thrift.md"

    splits: int = 2
    data_sets: tuple[str, ...] = NOT_LOOKED_AT
    learners: tuple[str, ...] = DEFAULT_LEARNERS
    seed: int = 0

    def settings(self) -> dict[str, Any]:
        """Return what decides a trial; more divisions or other tables leave it as it is."""
        return {"learners": list(self._learners), "seed": self.seed}

    def planned(self, options: Options) -> Sequence[Trial]:
        """List the trials, table by table."""
        self._check_least(splits=1, seed=0)
        self._check_data_sets(self.data_sets, (*LOOKED_AT, *NOT_LOOKED_AT))
        if not self.learners or len(set(self.learners)) < len(self.learners):
            came = ", ".join(self.learners) or "none"
            raise ValueError(f"{self.name} needs learners, each once. Got {came}.")
        for learner in self._learners:
            if learner not in (NOBODY, PENALTIES):
                learner_of(learner, Costs(errors_default=1), self.seed)  # names what is wrong with it
        settings = load_settings(self.data_sets, self.seed, options.data_dir)
        return numbered(settings, self.splits, partial(perform, learners=self._learners, seed=self.seed))

    def report(self, records: Sequence[Record]) -> Report:
        """Average the costs."""
        learners = self._learners
        tables = summary(records, learners), by_kind(records, learners), by_table(records, learners)
        found = notes(records, learners)
        if PENALTIES in self.learners and not has_lightgbm():
            found.append("LightGBM is not installed, so it does not compete (pip install lightgbm).")
        return Report(tables, tuple(found))

    @property
    def _learners(self) -> tuple[str, ...]:
        """The learners that compete: LightGBM if it is installed."""
        return tuple(name for name in self.learners if name != PENALTIES or has_lightgbm())
