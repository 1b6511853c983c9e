"""`Savings`: the settings of the experiment, its trials and its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from statistics import fmean, stdev
from typing import Any, ClassVar
from zlib import crc32

import numpy as np

from thriftwood.base.parameters import nearest
from thriftwood.experiments.comparison import Comparison, Figures, with_average
from thriftwood.experiments.experiment import Experiment, Options, Record, Report, Trial, numbered
from thriftwood.experiments.savings.data import TABLES, CostTable, cost_table
from thriftwood.experiments.savings.learners import Part, Setup, compete, has_lightgbm

LEARNERS = (
    *("chosen", "forest", "cost forest", "calibrated", "tree", "csdt"),
    *("lightgbm", "lightgbm tuned"),
)
"""The columns of the table."""

REFERENCE = {"creditscoring1": 0.520, "creditscoring2": 0.335, "bank-marketing": 0.494, "churn-tv": 0.229}
"""One run of LightGBM followed by the cheapest answer on one split, for orientation."""

AVERAGE = "average"


@dataclass(frozen=True)
class Savings(Experiment):
    """Savings on four data sets with costs by row: our trees and forests beside LightGBM.

    Parameters
    ----------
    trials : int
        Splits of each data set.
    data_sets : tuple of str
        Some of the four.
    seed : int
        Decides splits and forests, together with the data set and the number of the trial.
    n_trees : int
        Of every forest.

    Examples
    --------
    >>> Savings(trials=2, data_sets=("churn-tv",)).settings()["n_trees"]
    100
    """

    name: ClassVar[str] = "savings"
    sentence: ClassVar[str] = (
        "What answers save where mistakes cost every case something else: trees, forests and LightGBM on "
        "four data sets."
    )
    reference: ClassVar[str] = (
        "Correa Bahnsen, Aouada & Ottersten 2015, Example-dependent cost-sensitive decision trees, Expert "
        "Systems with Applications 42 (data, costs and measure)"
    )

    trials: int = 10
    data_sets: tuple[str, ...] = tuple(TABLES)
    seed: int = 0
    n_trees: int = 100

    def settings(self) -> dict[str, Any]:
        """Return what decides a trial; LightGBM's version is part of it."""
        boosting = version("lightgbm") if has_lightgbm() else None
        return {"seed": self.seed, "n_trees": self.n_trees, "lightgbm": boosting}

    def planned(self, options: Options) -> Sequence[Trial]:
        """List the trials, data set by data set."""
        self._check()
        tables = [cost_table(name, options.data_dir) for name in self.data_sets]
        run = partial(self._perform, n_jobs=options.n_jobs or -1)
        return numbered(tables, self.trials, run)

    def report(self, records: Sequence[Record]) -> Report:
        """Average the savings of each data set and learner."""
        columns = tuple(name for name in LEARNERS if all(name in record["savings"] for record in records))
        ours, errors = {}, {}
        for name in self.data_sets:
            own = [record["savings"] for record in records if record["data_set"] == name]
            ours[name] = {column: fmean(one[column] for one in own) for column in columns}
            errors[name] = {column: _standard_error([one[column] for one in own]) for column in columns}
        comparison = Comparison(
            title="Savings, costs by row",
            measure="savings",
            row_title="data set",
            rows=(*self.data_sets, AVERAGE),
            columns=columns,
            published=self._published(columns),
            ours=with_average(ours, columns, AVERAGE),
            standard_errors=errors,
            titles=("here", "reference"),
        )
        return Report((comparison,), tuple(self._notes(records, columns)))

    def _perform(self, table: CostTable, number: int, n_jobs: int) -> Record:
        drawn = np.random.default_rng([self.seed, crc32(table.name.encode()), number])
        split, forest = (int(seed) for seed in drawn.integers(2**31 - 1, size=2))
        training, fresh = Part(table, np.arange(len(table.y))).parted(1 / 3, split)
        found = compete(training, fresh, Setup(self.n_trees, forest, n_jobs))
        return {
            "data_set": table.name,
            "cases": len(table.y),
            "savings": {name: one.savings for name, one in found.items()},
            "chosen": {name: one.settings for name, one in found.items()},
        }

    def _published(self, columns: Sequence[str]) -> Figures:
        if "lightgbm" not in columns:
            return {}
        return with_average(
            {name: {"lightgbm": REFERENCE[name]} for name in self.data_sets}, ["lightgbm"], AVERAGE
        )

    def _notes(self, records: Sequence[Record], columns: Sequence[str]) -> list[str]:
        notes = [
            f"{self.trials} splits of each data set, two thirds to learn from; seed {self.seed}; forests of "
            f"{self.n_trees} trees. The column 'chosen' is the forest, grown for the classes or for the "
            "cheapest answers, whose answers save most on the training cases its trees were not grown on.",
        ]
        if "lightgbm" not in columns:
            return [*notes, "LightGBM is not installed, so it does not compete (pip install lightgbm)."]
        ahead = sum(one["savings"]["chosen"] >= one["savings"]["lightgbm"] for one in records)
        notes.append(
            "The chosen forest saves at least as much as LightGBM with its defaults in "
            f"{ahead} of {len(records)} splits. The reference is one run of LightGBM on one other split, for "
            "orientation."
        )
        return notes

    def _check(self) -> None:
        for name, least in (("trials", 1), ("seed", 0), ("n_trees", 10)):
            value = getattr(self, name)
            if value < least:
                raise ValueError(f"{self.name} needs {name} of at least {least}. Got {value}.")
        unknown = [name for name in self.data_sets if name not in TABLES]
        if unknown or not self.data_sets:
            came = f"Got {unknown[0]!r}.{nearest(unknown[0], TABLES)}" if unknown else "Got none."
            raise ValueError(f"{self.name} has the data sets {', '.join(TABLES)}. {came}")
        if len(set(self.data_sets)) < len(self.data_sets):
            raise ValueError(f"{self.name} was given a data set twice: {', '.join(self.data_sets)}.")


def _standard_error(values: Sequence[float]) -> float | None:
    return stdev(values) / len(values) ** 0.5 if len(values) > 1 else None
