"""What compiler options cost `thriftwood clarify`, in accuracy and in speed: `python -m benchmarks.builds`.

The native programs of `thriftwood reproduce clarify` are compiled by gcc and by clang: optimised with room
for sleds alone, optimised with the functions that would be inlined kept, and not optimised. Every build is
recorded on the same inputs, and C4.5's tree is judged on calls and call trees by three deals of five folds.
Instructions are those of the build as it is compiled, not watched, on one large valid input, by those of
plain `-O2` of the same compiler (valgrind; without it the column is empty).
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from thriftwood.clarify import Command, record
from thriftwood.clarify.judging import evaluator_of
from thriftwood.clarify.native import FLAGS, KEEP_FLAGS
from thriftwood.clarify.pricing import prices_of, without_twins
from thriftwood.clarify.store import Recording
from thriftwood.clarify.training import cases_of
from thriftwood.experiments.clarify.overhead import count_instructions
from thriftwood.experiments.clarify.programs import PROGRAMS
from thriftwood.experiments.clarify.programs.building import Build
from thriftwood.experiments.clarify.programs.program import NativeProgram
from thriftwood.experiments.clarify.programs.sources import unpacked
from thriftwood.experiments.clarify.subject import Case, SubjectProgram

COMPILERS = ("gcc", "clang")
PLAIN = "plain"
OPTIONS: dict[str, tuple[str, ...]] = {
    PLAIN: ("-O2",),
    "inlined": ("-O2", *FLAGS),
    "kept": ("-O2", *FLAGS, *KEEP_FLAGS),
    "-O0": ("-O0", *FLAGS),
}
"""The columns of the table, and what each is compiled with."""
OTHERS = ("-g0", "-w", "-fcommon")
OF_PROGRAM = {"mpg321": ("-fgnu89-inline",)}
"""Functions that are defined inline in one file and nowhere else are lost without it."""
RUNS, DEALS, FOLDS = 40, 3, 5
LARGE_SEED = 77


@dataclass(frozen=True)
class OptimisedBuild(Build):
    """A build by another compiler, with options of its own."""

    compiler: str = "gcc"

    @property
    def folder(self) -> Path:
        """Where what is compiled goes."""
        return self.home / f"{self.compiler}{''.join(self.flags)}".replace("=", "")

    def link(self, program: str, sources: Sequence[Path], options: Sequence[str] = (), *, at: Path) -> None:
        """Compile C files and link them."""
        self.folder.mkdir(parents=True, exist_ok=True)
        libraries = [option for option in options if option.startswith("-l")]
        others = [*OTHERS, *self.flags, *(option for option in options if not option.startswith("-l"))]
        files = [str(source) for source in sources]
        self.run(self.compiler, *others, "-o", str(self.folder / program), *files, *libraries, at=at)


@dataclass(frozen=True)
class Row:
    """The figures of a program and a compiler, by build."""

    program: str
    compiler: str
    accuracy: dict[str, float]
    instructions: dict[str, float]

    @property
    def cells(self) -> list[str]:
        """The row of the table."""
        watched = [name for name in OPTIONS if name != PLAIN]
        told = [f"{self.accuracy[name]:.3f}" for name in watched]
        cost = [f"{self.instructions[name]:.3f}" if self.instructions else "-" for name in watched]
        return [f"{self.program}, {self.compiler}", *told, *cost]


def measure(program: NativeProgram, compiler: str, folder: Path, runs: int = RUNS) -> Row:
    """Compile, record and judge the builds of a program."""
    sources = {archive.name: unpacked(archive, folder) for archive in program.archives}
    made: dict[str, Path] = {}
    for name, options in OPTIONS.items():
        flags = (*options, *OF_PROGRAM.get(program.name, ()))
        build = OptimisedBuild((folder / program.name).absolute(), flags, compiler)
        program.compile(build, sources)
        made[name] = build.folder / program.name
    subject = SubjectProgram(program, folder)
    accuracy = {
        name: judged(recorded(subject, installed, runs)) for name, installed in made.items() if name != PLAIN
    }
    large = Case(None, LARGE_SEED, program.large)
    counted = {name: instructions(subject, large, installed) for name, installed in made.items()}
    plain = counted[PLAIN]
    ratios = {name: n / plain for name, n in counted.items() if n is not None and plain}
    return Row(program.name, compiler, accuracy, ratios)


def recorded(subject: SubjectProgram, installed: Path, runs: int) -> Recording:
    """Record a build on the inputs that all builds are recorded on."""
    commands = [subject.command(case, installed) for case in subject.cases(runs)]
    with_labels = [Command(one.words, one.label) for one in commands]
    folder = installed.with_name("recording")
    shutil.rmtree(folder, ignore_errors=True)  # of an earlier run, which may have been cut short
    return record(folder, with_labels)


def judged(recording: Recording) -> float:
    """Return the accuracy of C4.5's tree on calls and call trees, the mean over deals of folds."""
    cases = cases_of(recording, "ctp")
    prices = prices_of(cases.table, 1.0)
    table = cases.table.take(without_twins(cases.table, prices))
    every = np.arange(len(table.patterns))
    deals = (evaluator_of(table, cases.labels, prices_of(table, 1.0), cv=FOLDS, seed=n) for n in range(DEALS))
    return float(np.mean([deal.blind(every).accuracy for deal in deals]))


def instructions(subject: SubjectProgram, case: Case, installed: Path) -> float | None:
    """Count the instructions of a build that is not watched."""
    with tempfile.TemporaryDirectory() as place:
        return count_instructions(subject.command(case, installed).words, Path(place))


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Write the rows as a table."""
    watched = [name for name in OPTIONS if name != PLAIN]
    yield " | ".join(["program, compiler", *watched, *(f"instructions {name}" for name in watched)])
    yield from (" | ".join(row.cells) for row in rows)


def main(given: list[str] | None = None, programs: Sequence[NativeProgram] | None = None) -> int:
    """Measure and print; return 2 if there is nothing to compile with."""
    native = programs or [one for one in PROGRAMS.values() if isinstance(one, NativeProgram)]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.builds", description=__doc__)
    parser.add_argument("--program", action="append", choices=[one.name for one in native])
    parser.add_argument("--compiler", action="append", choices=COMPILERS)
    parser.add_argument("--runs", type=int, default=RUNS, help="of each class of errors; at least 5")
    parser.add_argument("--data", type=Path, help="folder for sources, inputs and recordings")
    options = parser.parse_args(given)
    if options.runs < FOLDS:
        parser.error(f"--runs must be at least {FOLDS}: there are so many folds.")
    chosen = [one for one in native if options.program is None or one.name in options.program]
    compilers = [one for one in options.compiler or COMPILERS if shutil.which(one)]
    if not compilers:
        print(f"None of {', '.join(options.compiler or COMPILERS)} is on the path.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="builds-") as place:
        folder = (options.data or Path(place)).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        rows = [measure(one, name, folder, options.runs) for one in chosen for name in compilers]
    for line in table(rows):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
