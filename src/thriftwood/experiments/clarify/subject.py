"""Where programs, inputs and recordings are kept and made; what is there is not made again."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from thriftwood.clarify.commands import Command
from thriftwood.clarify.launching import launch
from thriftwood.clarify.model import Model
from thriftwood.clarify.native import FLAGS
from thriftwood.clarify.recording import record
from thriftwood.clarify.running import run_apart
from thriftwood.clarify.store import INDEX, Recording
from thriftwood.clarify.watching import read_watched
from thriftwood.experiments.clarify.programs import Program

_APART = 1_000_000
"""Between the seeds of two classes; and of those, between the first runs and the fresh ones half as much."""


@dataclass(frozen=True)
class Case:
    """An input of a program.

    Attributes
    ----------
    label : str or None
        Its fault; None if it is valid.
    seed : int
        What it is drawn from.
    size : int
        A multiple of the usual size.
    """

    label: str | None
    seed: int
    size: int = 1


@dataclass(frozen=True)
class SubjectProgram:
    """A program in a folder, ready to be recorded.

    Parameters
    ----------
    program : Program
        Which one.
    folder : path
        Of all programs; sources are shared.
    seed : int
        Decides the inputs.
    """

    program: Program
    folder: Path
    seed: int = 0

    @cached_property
    def installed(self) -> Path:
        """The program as it is recorded and watched."""
        return self.program.install(self.folder, FLAGS if self.program.native else ())

    @cached_property
    def plain(self) -> Path:
        """The program as it was before anybody thought of recording it."""
        return self.program.install(self.folder)

    @cached_property
    def digest(self) -> str:
        """Changes with the program, with how its inputs are made, and with the seed."""
        return made_from(self.program, self.seed)

    @property
    def home(self) -> Path:
        """The folder of inputs and recordings that belong together."""
        return self.folder / self.program.name / f"runs-{self.digest}"

    def cases(self, per_class: int, *, fresh: bool = False) -> list[Case]:
        """List so many faulty inputs of every class, class by class in turn, so that any part is balanced."""
        start = _APART // 2 if fresh else 0
        return [
            Case(label, self.seed * 100 * _APART + place * _APART + start + number)
            for number in range(per_class)
            for place, label in enumerate(self.program.classes)
        ]

    def command(self, case: Case, installed: Path | None = None) -> Command:
        """Write an input, if it is not there, and return the command line that reads it."""
        inputs = self.home / "inputs"
        inputs.mkdir(parents=True, exist_ok=True)
        # Names that say nothing, of one length: tcc copies them letter by letter, and counts would tell.
        name = hashlib.sha256(f"{case.label} {case.seed} {case.size}".encode()).hexdigest()[:12]
        path = inputs / f"{name}{self.program.suffix}"
        if not path.exists():
            partial = path.with_suffix(".partial")
            partial.write_bytes(self.program.input(case.seed, case.label, case.size))
            partial.rename(path)
        return Command(tuple(self.program.command(installed or self.installed, path)), case.label)

    def recording(
        self,
        name: str,
        cases: Sequence[Case],
        n_jobs: int = 1,
        tell: Callable[[int, int], object] | None = None,
    ) -> Recording:
        """Record the runs that are not in the recording of this name yet, and return its first so many."""
        folder = self.home / name
        known = len(Recording.read(folder)) if (folder / INDEX).is_file() else 0
        if known < len(cases):
            commands = [self.command(case) for case in cases[known:]]
            record(folder, commands, n_jobs=n_jobs, tell=tell)
        found = Recording.read(folder)
        return Recording(found.folder, found.runs[: len(cases)])

    def watched(self, model: Model, case: Case) -> tuple[int, ...]:
        """Run an input with only what the plan asks for watched; return its counts."""
        command = self.command(case)
        with scratch() as place:
            plan = place / "plan.txt"
            plan.write_text(model.plan.text(), encoding="utf-8", errors="surrogateescape")
            run_apart(command, launch(command.words, place, "watch", plan=plan))
            return read_watched(place, model).values


def made_from(program: Program, seed: int) -> str:
    """Return a short text that is the same for the same program, generators and seed.

    Examples
    --------
    >>> from thriftwood.experiments.clarify.programs import PROGRAMS
    >>> len(made_from(PROGRAMS["tcc"], 0))
    12
    """
    content = hashlib.sha256(f"{program.version()} {seed}".encode())
    folder = Path(__file__).parent / "programs"
    for path in sorted((Path(__file__), *folder.glob("*.py"), *folder.rglob("support/**/*.[chp]*"))):
        content.update(path.name.encode() + path.read_bytes())
    return content.hexdigest()[:12]


@contextmanager
def scratch() -> Iterator[Path]:
    """Give a folder for a moment."""
    with tempfile.TemporaryDirectory(prefix="thriftwood-clarify-") as place:
        yield Path(place)
