"""`Turney1995`: the settings of the experiment and its trials."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from thriftwood.experiments.experiment import Experiment, Options, Record, Report, Trial, numbered
from thriftwood.experiments.turney1995.published import DATA_SETS, PENALTIES, THYROID
from thriftwood.experiments.turney1995.reporting import comparisons, notes
from thriftwood.experiments.turney1995.trial import Readings, perform, prepared

_CHOICES = {
    "answer": ("most_likely", "cheapest"),
    "missing": ("nearest", "spread"),
    "cost_reuse": ("effective", "list"),
    "thyroid": ("training", "all"),
}


@dataclass(frozen=True)
class Turney1995(Experiment):
    """Section 4.1 of Turney 1995: normalised costs of ICET and four other learners on five data sets.

    Parameters
    ----------
    trials : int
        Divisions of each data set into two thirds and one; the paper has 10.
    data_sets : tuple of str
        Some of the five.
    seed : int
        Decides all divisions and evolutions, together with the data set and the number of the trial.
    penalties : tuple of float
        What a mistake costs.
    trees : int
        That ICET tries.
    answer : {"most_likely", "cheapest"}
        What ICET's leaves answer. Where all mistakes cost the same, that is the same class, but for ties
        and missing values.
    missing : {"nearest", "spread"}
        Missing values are those of the nearest case, as in the paper, or C4.5 spreads their cases.
    cut_penalty : bool
        Whether numeric tests pay for the number of cuts tried. C4.5 does since release 8, which came a year
        after the paper.
    cost_reuse : {"effective", "list"}
        What a test costs EG2, CS-ID3 and IDX, and which bias it has for ICET: nothing once it is bought, and
        less what it shares with tests that are; or always its full price.
    true_costs_first : bool
        Whether ICET begins with the true prices among its strings, as section 4.3 suggests.
    thyroid : {"training", "all"}
        Which cases of the thyroid data are used: those of the file to train with, or of both.

    Examples
    --------
    >>> Turney1995(trials=2, data_sets=("hepatitis",)).settings()["cut_penalty"]
    False
    """

    name: ClassVar[str] = "turney1995"
    sentence: ClassVar[str] = (
        "What classification costs with ICET, EG2, CS-ID3, IDX and C4.5 on five medical data sets with the "
        "prices of their tests, for error costs from 10 to 10,000 (section 4.1)."
    )
    reference: ClassVar[str] = (
        "Turney 1995, Cost-sensitive classification: empirical evaluation of a hybrid genetic decision tree "
        "induction algorithm, JAIR 2"
    )

    trials: int = 10
    data_sets: tuple[str, ...] = DATA_SETS
    seed: int = 0
    penalties: tuple[float, ...] = PENALTIES
    trees: int = 1000
    answer: str = "most_likely"
    missing: str = "nearest"
    cut_penalty: bool = False
    cost_reuse: str = "effective"
    true_costs_first: bool = False
    thyroid: str = "training"

    def settings(self) -> dict[str, Any]:
        """Return the readings; more trials, or other data sets, leave a trial's result as it is."""
        return self._readings()._asdict()

    def planned(self, options: Options) -> Sequence[Trial]:
        """List the trials, data set by data set."""
        self._check()
        readings = self._readings()
        sets = [prepared(name, options.data_dir, readings) for name in self.data_sets]
        run = partial(perform, readings=readings, n_jobs=options.n_jobs)
        return numbered(sets, self.trials, run)

    def report(self, records: Sequence[Record]) -> Report:
        """Average the normalised costs."""
        own = {name: [record for record in records if record["data_set"] == name] for name in self.data_sets}
        sentences = (self._words(), *notes(own, self.penalties))
        return Report(comparisons(own, self.penalties), sentences)

    def _readings(self) -> Readings:
        return Readings(**{name: getattr(self, name) for name in Readings._fields})

    def _words(self) -> str:
        """Say in a sentence how the experiment was read."""
        times = f"{self.trials} division{'s' if self.trials > 1 else ''} into 2/3 and 1/3"
        filled = "filled from the nearest case" if self.missing == "nearest" else "spread as C4.5 does"
        cuts = "with" if self.cut_penalty else "without"
        first = ", the true prices among the first" if self.true_costs_first else ""
        reuse = "still to be paid" if self.cost_reuse == "effective" else "of the list"
        words = (
            f"{times}, seed {self.seed}; ICET tries {self.trees:,} trees{first}, answers the "
            f"{self.answer.replace('_', ' ')} class; missing values {filled}; numeric tests {cuts} release "
            f"8's penalty; prices {reuse}."
        )
        if THYROID in self.data_sets:
            words += f" Thyroid: {'the training cases' if self.thyroid == 'training' else 'all cases'}."
        return words

    def _check(self) -> None:
        self._check_least(trials=1, seed=0, trees=1)
        for name, choices in _CHOICES.items():
            self._check_choice(name, choices)
        self._check_data_sets(self.data_sets, DATA_SETS)
        if not self.penalties or not all(0.0 < penalty < math.inf for penalty in self.penalties):
            raise ValueError(f"{self.name} needs penalties above 0. Got {self.penalties}.")
