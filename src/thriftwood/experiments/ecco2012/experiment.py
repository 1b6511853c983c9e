"""`Ecco2012`: the settings of the experiment and its trials."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from thriftwood.experiments.cases import loaded
from thriftwood.experiments.ecco2012.published import DEPTHS, HIGH_RATIOS, LOW_RATIOS, SICK
from thriftwood.experiments.ecco2012.reporting import Means, Setting, comparisons, notes
from thriftwood.experiments.ecco2012.trial import Readings, depths_within, perform
from thriftwood.experiments.experiment import Experiment, Options, Record, Report, Trial

_CHOICES = {"dear": ("sick", "well"), "nominal": ("multiway", "value")}
_WITH_AND_WITHOUT_PRICES = (True, False)


@dataclass(frozen=True)
class Ecco2012(Experiment):
    """Figures 4 and 5 of Omielan & Vadera 2012: mean costs of ECCO and ICET on four data sets.

    Parameters
    ----------
    trials : int
        Divisions of each data set into two thirds and one; the paper has 10.
    data_sets : tuple of str
        Some of the four.
    seed : int
        Decides all divisions and evolutions, together with the data set and the number of the trial.
    ratios : tuple of float
        How many times what the other mistake costs the dear one does.
    depths : tuple of int
        Levels of ECCO's trees.
    trees : int
        That each learner tries.
    dear : {"sick", "well"}
        About whom a mistake is dear.
    unit : float
        What the other mistake costs; prices of tests are in dollars.
    nominal : {"multiway", "value"}
        ECCO's questions about a category: one outcome for each, or one against the others.
    cuts : int
        ECCO's questions about a number.
    max_bits : int
        Depths of which ECCO's strings have as many bits are left out, except for the least depth.
    cut_penalty : bool
        Whether ICET's numeric tests pay for the number of cuts tried, as in release 8 of C4.5; its author's
        did not.

    Examples
    --------
    >>> Ecco2012(trials=2, data_sets=("hepatitis",)).settings()["dear"]
    'sick'
    """

    name: ClassVar[str] = "ecco2012"
    sentence: ClassVar[str] = (
        "What classification costs with ECCO and ICET on four medical data sets, where overlooking a disease "
        "costs 1.5 to 10,000 times what a false alarm does (figures 4 and 5)."
    )
    reference: ClassVar[str] = (
        "Omielan & Vadera 2012, ECCO: a new evolutionary classifier with cost optimisation, IIP"
    )

    trials: int = 10
    data_sets: tuple[str, ...] = tuple(SICK)
    seed: int = 0
    ratios: tuple[float, ...] = (*LOW_RATIOS, *HIGH_RATIOS)
    depths: tuple[int, ...] = DEPTHS
    trees: int = 1000
    dear: str = "sick"
    unit: float = 1.0
    nominal: str = "multiway"
    cuts: int = 8
    max_bits: int = 50_000
    cut_penalty: bool = False

    def settings(self) -> dict[str, Any]:
        """Return the readings; more trials, or other data sets, leave a trial's result as it is."""
        return self._readings()._asdict()

    def planned(self, options: Options) -> Sequence[Trial]:
        """List the trials, data set by data set, with prices and without."""
        self._check()
        readings = self._readings()
        planned = []
        for name in self.data_sets:
            cases = loaded(name, options.data_dir)
            depths = depths_within(cases, readings)
            planned += [
                Trial(
                    key=f"{name}/{cases.digest}/{'priced' if priced else 'free'}/{number}",
                    title=f"{name}{'' if priced else ', tests free'} {number + 1}",
                    perform=partial(perform, cases, depths, priced, number, readings, options.n_jobs),
                )
                for priced in _WITH_AND_WITHOUT_PRICES
                for number in range(self.trials)
            ]
        return planned

    def report(self, records: Sequence[Record]) -> Report:
        """Average the costs of a case."""
        own: dict[Setting, list[Record]] = {}
        for record in records:
            own.setdefault(Setting(record["data_set"], record["priced"]), []).append(record)
        means = Means(own, self.ratios)
        return Report(comparisons(means, self.depths), (self._words(), *notes(means, self.depths)))

    def _readings(self) -> Readings:
        return Readings(**{name: getattr(self, name) for name in Readings._fields})

    def _words(self) -> str:
        """Say in a sentence how the experiment was read."""
        times = f"{self.trials} division{'s' if self.trials > 1 else ''} into 2/3 and 1/3"
        mistake = "overlooking a disease" if self.dear == "sick" else "a false alarm"
        categories = "all outcomes of a category" if self.nominal == "multiway" else "one category"
        return (
            f"{times}, seed {self.seed}; both learners try {self.trees:,} trees; {mistake} is the dear "
            f"mistake, the other costs {self.unit:g}; ECCO asks about {self.cuts} cuts of a number, and for "
            f"{categories} at a time, in strings of fewer than {self.max_bits:,} bits; ICET's numeric tests "
            f"{'with' if self.cut_penalty else 'without'} release 8's penalty."
        )

    def _check(self) -> None:
        self._check_least(trials=1, seed=0, trees=1, cuts=1, max_bits=1)
        for name, choices in _CHOICES.items():
            self._check_choice(name, choices)
        self._check_data_sets(self.data_sets, SICK)
        if not self.ratios or not all(0.0 < ratio < math.inf for ratio in self.ratios):
            raise ValueError(f"{self.name} needs ratios above 0. Got {self.ratios}.")
        if not 0.0 < self.unit < math.inf:
            raise ValueError(f"{self.name} needs a unit above 0. Got {self.unit}.")
        if not self.depths or min(self.depths) < 1:
            raise ValueError(f"{self.name} needs depths of at least 1. Got {self.depths}.")
