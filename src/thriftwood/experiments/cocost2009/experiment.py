"""`Cocost2009`: the settings of the experiment and its trials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

from thriftwood.experiments.cocost2009.claims import notes
from thriftwood.experiments.cocost2009.contest import Contest, Fold
from thriftwood.experiments.cocost2009.ensembles import cocost, forests
from thriftwood.experiments.cocost2009.lightgbm import boosters, has_lightgbm
from thriftwood.experiments.cocost2009.ours import boosted
from thriftwood.experiments.cocost2009.reporting import comparisons, tradeoffs
from thriftwood.experiments.cocost2009.speed import timings
from thriftwood.experiments.cocost2009.streams import Streams, loaded
from thriftwood.experiments.cocost2009.summing import Means
from thriftwood.experiments.cocost2009.trees import machines, trees
from thriftwood.experiments.experiment import Experiment, Options, Record, Report, Trial

SPEED = "speed"


def contests() -> dict[str, Contest]:
    """Return the learners that compete, by the names of the trials; LightGBM if it is installed."""
    found: dict[str, Contest] = {
        "trees": trees,
        "machines": machines,
        "cocost": cocost,
        "forests": forests,
        "boosted": boosted,
    }
    return found | ({"lightgbm": boosters} if has_lightgbm() else {})


@dataclass(frozen=True)
class Cocost2009(Experiment):
    """Tables I to III and figure 5 of CoCoST on a corpus of byte streams, and what is better now.

    Parameters
    ----------
    trials : int
        Splits by source: two thirds of the sources to learn from, one to judge by. The paper has one split.
    seed : int
        Decides the splits, and every learner that draws.
    few : bool
        Whether every learner has a few of its settings only, and ensembles a few trees: a first look.
    costs : path, optional
        The price list; None: ``costs.toml`` in the folder of the corpus.

    Examples
    --------
    >>> Cocost2009(trials=2).settings()["few"]
    False
    """

    name: ClassVar[str] = "cocost2009"
    sentence: ClassVar[str] = (
        "What telling the types of byte streams costs with CoCoST, its trees and forests, an SVM, LightGBM "
        "and our boosted trees, on a corpus split by source (Tables I to III, figure 5)."
    )
    reference: ClassVar[str] = (
        "Li, Topkara, Coskun & Memon 2009, CoCoST: a computational cost efficient classifier, ICDM"
    )

    trials: int = 5
    seed: int = 0
    few: bool = False
    costs: Path | None = None

    def settings(self) -> dict[str, Any]:
        """Return what decides a trial; the prices and cases are in its key."""
        boosting = version("lightgbm") if has_lightgbm() else None
        return {"seed": self.seed, "few": self.few, "lightgbm": boosting}

    def planned(self, options: Options) -> Sequence[Trial]:
        """List the trials, split by split: one for each group of learners, one for times."""
        self._check_least(trials=1, seed=0)
        streams = loaded(options.data_dir, self.costs, options.n_jobs)
        planned = []
        for number in range(self.trials):
            for name, contest in contests().items():
                run = partial(self._compete, streams, number, name, contest, options.n_jobs or -1)
                planned.append(Trial(f"{streams.digest}/{number}/{name}", f"{name} {number + 1}", run))
            clocked = partial(self._clock, streams, number, options.n_jobs or -1)
            planned.append(Trial(f"{streams.digest}/{number}/{SPEED}", f"{SPEED} {number + 1}", clocked))
        return planned

    def report(self, records: Sequence[Record]) -> Report:
        """Average over the splits."""
        means = Means.of(record for record in records if record["contest"] != SPEED)
        times = [record["microseconds"] for record in records if record["contest"] == SPEED]
        whole = float(records[0]["all_features"])
        tables = comparisons(means, times, whole)
        words = f"{self.trials} split{'s' if self.trials > 1 else ''} by source, seed {self.seed}."
        return Report(tables, (words, *notes(means, times, whole)), tradeoffs(means))

    def _compete(self, streams: Streams, number: int, name: str, contest: Contest, n_jobs: int) -> Record:
        fold = self._fold(streams, number, n_jobs)
        points = [asdict(point) for point in contest(fold)]
        return {"contest": name, "split": number, "all_features": streams.all_features, "points": points}

    def _clock(self, streams: Streams, number: int, n_jobs: int) -> Record:
        fold = self._fold(streams, number, n_jobs)
        chunks = streams.chunks(streams.held_out(number, self.seed))
        found = timings(fold, chunks)
        return {
            "contest": SPEED,
            "split": number,
            "all_features": streams.all_features,
            "microseconds": found,
        }

    def _fold(self, streams: Streams, number: int, n_jobs: int) -> Fold:
        learn, judge = streams.split(number, self.seed)
        return Fold(learn, judge, number, self.seed, n_jobs, self.few)
