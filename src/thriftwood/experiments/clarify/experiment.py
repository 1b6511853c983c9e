"""`Clarify`: the settings of the experiment, its trials and its tables."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

from thriftwood.experiments.clarify.programs import PROGRAMS, Program
from thriftwood.experiments.clarify.reporting import comparisons, notes
from thriftwood.experiments.clarify.subject import SubjectProgram, made_from, scratch
from thriftwood.experiments.clarify.trial import Scale, perform
from thriftwood.experiments.experiment import Experiment, Options, Record, Report, Trial

_WORKSHOP = "programs"


@dataclass(frozen=True)
class Clarify(Experiment):
    """Section 4 of Davis et al. 2006: what it costs to tell confusing errors of programs apart.

    Every program is fetched and built, run on inputs with one fault each under the recorder, and learnt from.
    Then new inputs are run twice, recorded in full and watched by the plan.

    Parameters
    ----------
    programs : tuple of str
        Some of the six. One that cannot run here is left out, and the report says why.
    runs : int
        Runs of each class to learn from.
    fresh : int
        Runs of each class to try the plan on.
    measured, repeats : int
        Large inputs that are measured, and how often.
    seed : int
        Decides the inputs.

    Examples
    --------
    >>> Clarify(programs=("tcc",)).settings()["runs"]
    60
    """

    name: ClassVar[str] = "clarify"
    sentence: ClassVar[str] = (
        "What it costs to monitor six programs so that confusing errors can be told apart, with C4.5's trees "
        "and with csgain's (figure 1)."
    )
    reference: ClassVar[str] = (
        "Davis, Ha, Rossbach, Ramadan & Witchel 2006, Cost-sensitive decision tree learning for forensic "
        "classification, ECML, section 4"
    )

    programs: tuple[str, ...] = tuple(PROGRAMS)
    runs: int = 60
    fresh: int = 6
    measured: int = 2
    repeats: int = 5
    seed: int = 0

    def settings(self) -> dict[str, Any]:
        """Return the settings; which programs take part leaves the figures of each as they are."""
        return {
            "runs": self.runs,
            "fresh": self.fresh,
            "measured": self.measured,
            "repeats": self.repeats,
            "seed": self.seed,
            "thriftwood": version("thriftwood"),
        }

    def planned(self, options: Options) -> Sequence[Trial]:
        """List a trial for every program that can run here."""
        self._check_least(runs=5, fresh=1, measured=1, repeats=1, seed=0)
        self._check_data_sets(self.programs, PROGRAMS, "program")
        left_out = self._left_out()
        able = [PROGRAMS[name] for name in self.programs if name not in left_out]
        if not able:
            raise ValueError(f"No program can run here. {' '.join(left_out.values())}")
        return [
            Trial(
                key=f"{program.name}/{made_from(program, self.seed)}",
                title=program.name,
                perform=partial(self._perform, program, self._folder(options), options.n_jobs or 1),
            )
            for program in able
        ]

    def report(self, records: Sequence[Record]) -> Report:
        """Put the figures beside the published ones."""
        return Report(comparisons(records), tuple(notes(records, self._left_out())))

    def _perform(self, program: Program, folder: Path | None, n_jobs: int) -> Record:
        scale = Scale(self.runs, self.fresh, self.measured, self.repeats)
        with scratch() if folder is None else nullcontext(folder) as place:
            return perform(SubjectProgram(program, place, self.seed), scale, n_jobs)

    def _left_out(self) -> dict[str, str]:
        """Return why programs cannot run here."""
        reasons = {name: PROGRAMS[name].unavailable() for name in self.programs}
        return {name: reason for name, reason in reasons.items() if reason is not None}

    @staticmethod
    def _folder(options: Options) -> Path | None:
        """Return where programs and recordings are kept: with the data, with the results, or nowhere."""
        if options.data_dir is not None:
            return options.data_dir.absolute()
        return None if options.folder is None else options.folder.absolute() / _WORKSHOP
