"""`Davis2006`: the settings of the experiment, its trials and its table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from thriftwood.datasets import load_dataset
from thriftwood.experiments.comparison import Comparison, Figures, with_average
from thriftwood.experiments.davis2006.published import AVERAGES, CRITERIA, RATIOS
from thriftwood.experiments.davis2006.summing import Summary, notes_on_choices, notes_on_data, summary
from thriftwood.experiments.davis2006.trial import Readings, perform, prepared
from thriftwood.experiments.experiment import Experiment, Options, Record, Report, Trial, numbered

DECADES = (0.0, *(10.0**power for power in range(-6, 7)))
"""The paper says "several values of gamma ranging from 10^-6 to 10^6"."""

_CHOICES = {"order": ("depth", "breadth", "best"), "cost_reuse": ("list", "effective")}

AVERAGE = "average"
"""The last row of the table."""


def grid(per_decade: int) -> tuple[float, ...]:
    """Return 0 and so many values per decade from 1e-6 to 1e6.

    Examples
    --------
    >>> len(grid(1)), len(grid(2)), grid(1) == DECADES
    (14, 26, True)
    """
    if per_decade < 1:
        raise ValueError(f"A grid of gammas has at least 1 value per decade. Got {per_decade}.")
    steps = range(-6 * per_decade, 6 * per_decade + 1)
    return (0.0, *(10.0 ** (step / per_decade) for step in steps))


@dataclass(frozen=True)
class Davis2006(Experiment):
    """Table 1 of Davis et al. 2006: cost ratios of five criteria on eight data sets.

    Parameters
    ----------
    trials : int
        Draws of prices for each data set; the paper has 50.
    data_sets : tuple of str
        Some of the eight.
    seed : int
        Decides all prices and folds, together with the data set and the number of the trial.
    gammas : tuple of float
        The values tried; EG2's w is one of them.
    folds : int
        Of cross-validation.
    stratified : bool
        Whether folds have every class in its share.
    order : {"depth", "breadth", "best"}
        Which node the criteria that look at prices split next; who buys first matters when all is paid
        upfront.
    cost_reuse : {"list", "effective"}
        What a test costs EG2 and IDX: their formulas have the price as it stands ("list"). CSGain and
        Mitchell have only the price of tests that are not in the tree yet.
    allow_negative : bool
        Whether CSGain and Mitchell go on where no test is worth its price.
    group_values : bool
        Whether all trees, the baseline's too, group categories.

    Examples
    --------
    >>> Davis2006(trials=2, data_sets=("zoo",)).settings()["order"]
    'depth'
    """

    name: ClassVar[str] = "davis2006"
    sentence: ClassVar[str] = (
        "Cost ratio, to C4.5's trees, of trees grown by five criteria that look at prices (Table 1)."
    )
    reference: ClassVar[str] = (
        "Davis, Ha, Rossbach, Ramadan & Witchel 2006, Cost-sensitive decision tree learning for forensic "
        "classification, ECML"
    )

    trials: int = 50
    data_sets: tuple[str, ...] = tuple(RATIOS)
    seed: int = 0
    gammas: tuple[float, ...] = DECADES
    folds: int = 10
    stratified: bool = True
    order: str = "depth"
    cost_reuse: str = "list"
    allow_negative: bool = False
    group_values: bool = False

    def settings(self) -> dict[str, Any]:
        """Return the readings; more trials, or other data sets, leave a trial's result as it is."""
        return self._readings()._asdict()

    def planned(self, options: Options) -> Sequence[Trial]:
        """List the trials, data set by data set."""
        self._check()
        readings = self._readings()
        tables = []
        for name in self.data_sets:
            data = load_dataset(name, data_dir=options.data_dir)
            tables.append(prepared(data, CRITERIA, readings))
        run = partial(perform, readings=readings, n_threads=options.n_jobs)
        return numbered(tables, self.trials, run)

    def report(self, records: Sequence[Record]) -> Report:
        """Average the ratios of each data set and criterion."""
        summaries = {name: self._summaries(records, name) for name in self.data_sets}
        ours = {
            name: {criterion: one.mean for criterion, one in row.items()} for name, row in summaries.items()
        }
        errors = {
            name: {criterion: one.standard_error for criterion, one in row.items()}
            for name, row in summaries.items()
        }
        comparison = Comparison(
            title="Davis et al. 2006, Table 1",
            measure="cost ratio",
            row_title="data set",
            rows=(*self.data_sets, AVERAGE),
            columns=CRITERIA,
            published=self._published(),
            ours=with_average(ours, CRITERIA, AVERAGE),
            standard_errors=errors,
        )
        notes = [self._words(), *notes_on_choices(summaries, self.trials), *notes_on_data(records)]
        return Report((comparison,), tuple(notes))

    def _published(self) -> Figures:
        rows = {name: RATIOS[name] for name in self.data_sets}
        if set(self.data_sets) == set(RATIOS):
            return {**rows, AVERAGE: AVERAGES}  # as printed, rounded
        return with_average(rows, CRITERIA, AVERAGE)

    def _summaries(self, records: Sequence[Record], name: str) -> dict[str, Summary]:
        own = [record for record in records if record["data_set"] == name]
        return {criterion: summary(own, criterion, self.gammas) for criterion in CRITERIA}

    def _readings(self) -> Readings:
        return Readings(**{name: getattr(self, name) for name in Readings._fields})

    def _words(self) -> str:
        """Say in a sentence how the experiment was read."""
        folds = f"{self.folds} {'stratified ' if self.stratified else ''}folds"
        gammas = f"{len(self.gammas)} gammas from {min(self.gammas):g} to {max(self.gammas):g}"
        growth = f"{self.order}-first growth" + (", categories grouped" if self.group_values else "")
        stop = "goes on" if self.allow_negative else "stops"
        price = "list price" if self.cost_reuse == "list" else "price still to be paid"
        return (
            f"{self.trials} trials, seed {self.seed}; {gammas}; {folds}, the same for the baseline and all "
            f"gammas; {growth}; growth {stop} where no test is worth its price; eg2 and idx by the {price}."
        )

    def _check(self) -> None:
        self._check_least(trials=1, folds=2, seed=0)
        for name, choices in _CHOICES.items():
            self._check_choice(name, choices)
        self._check_data_sets(self.data_sets, RATIOS)
        if not self.gammas or not all(0.0 <= gamma < math.inf for gamma in self.gammas):
            raise ValueError(f"{self.name} needs gammas that are 0 or more. Got {self.gammas}.")
