"""`Ting1998`: the settings of the experiment, its trials and its tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from thriftwood.experiments.experiment import Experiment, Options, Record, Report, Trial, numbered
from thriftwood.experiments.ting1998.published import LINES
from thriftwood.experiments.ting1998.reporting import comparisons, notes
from thriftwood.experiments.ting1998.tables import FOLDS, loaded
from thriftwood.experiments.ting1998.trial import Readings, perform


@dataclass(frozen=True)
class Ting1998(Experiment):
    """Tables 1 and 2 of Ting 1998: C4.5 and C4.5CS on 21 of its 22 data sets.

    Parameters
    ----------
    trials : int
        Ten-fold cross-validations of each data set; the paper has 10.
    data_sets : tuple of str
        Some of the 21.
    seed : int
        Decides all folds and matrices, together with the data set and the number of the trial.
    stratified : bool
        Whether folds have every class in its share.
    statlog : {"printed", "book"}
        Which mistake costs 5 in the two data sets of the Statlog project: calling the first class the second,
        as the paper prints it, or the second the first, as the project has it.

    Examples
    --------
    >>> Ting1998(trials=2, data_sets=("glass",)).settings()
    {'seed': 0, 'stratified': True, 'statlog': 'printed'}
    """

    name: ClassVar[str] = "ting1998"
    sentence: ClassVar[str] = (
        "What mistakes cost, size and mistakes of trees grown on cases that weigh what mistakes about them "
        "cost, by those of C4.5's trees (Tables 1 and 2)."
    )
    reference: ClassVar[str] = "Ting 1998, Inducing cost-sensitive trees via instance weighting, PKDD"

    trials: int = 10
    data_sets: tuple[str, ...] = tuple(LINES)
    seed: int = 0
    stratified: bool = True
    statlog: str = "printed"

    def settings(self) -> dict[str, Any]:
        """Return the readings; more trials, or other data sets, leave a trial's result as it is."""
        return self._readings()._asdict()

    def planned(self, options: Options) -> Sequence[Trial]:
        """List the trials, data set by data set."""
        self._check_least(trials=1, seed=0)
        self._check_choice("statlog", ("printed", "book"))
        self._check_data_sets(self.data_sets, LINES)
        readings = self._readings()
        tables = [loaded(name, options.data_dir) for name in self.data_sets]
        run = partial(perform, readings=readings, n_threads=options.n_jobs)
        return numbered(tables, self.trials, run)

    def report(self, records: Sequence[Record]) -> Report:
        """Divide the averages over all folds of C4.5CS by those of the others."""
        own = {name: [record for record in records if record["data_set"] == name] for name in self.data_sets}
        return Report(comparisons(own), (self._words(), *notes(own)))

    def _readings(self) -> Readings:
        return Readings(**{name: getattr(self, name) for name in Readings._fields})

    def _words(self) -> str:
        """Say in a sentence how the experiment was read."""
        folds = f"{FOLDS} {'stratified ' if self.stratified else ''}folds"
        times = f"{self.trials} cross-validation{'s' if self.trials > 1 else ''}"
        source = "paper" if self.statlog == "printed" else "book"
        return (
            f"{times} of {folds}, seed {self.seed}; a matrix for each fold, drawn again until a mistake "
            f"costs 1; Statlog's fives as in the {source}."
        )
