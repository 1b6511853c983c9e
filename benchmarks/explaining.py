"""Programs that explain their own failures, beside the library: `python -m benchmarks.explaining`.

docutils' command with the two lines of `thriftwood.clarify.explain`, and mpg321 with an exported C file
compiled in, learnt from the runs of `thriftwood reproduce clarify`. Every fresh run says something; it is
compared with what `diagnose` says of the same input recorded in full. Instructions are those of a large valid
input by those of the same program without the lines or the file (valgrind).

docutils ends with success whatever is wrong, and so does mpg321: here docutils' command ends with 3 (with 0
where instructions are counted), and the file is compiled with `-Dexplain_ALWAYS`. Where Python may not write
compiled files (PYTHONDONTWRITEBYTECODE) it compiles our modules in every run, which counts.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from thriftwood.clarify import Ending, Model, diagnose, signs_of, train
from thriftwood.clarify.exporting import export_c
from thriftwood.clarify.native import FLAGS
from thriftwood.clarify.store import Recording
from thriftwood.experiments.clarify.overhead import count_instructions
from thriftwood.experiments.clarify.programs import PROGRAMS
from thriftwood.experiments.clarify.programs.building import Build
from thriftwood.experiments.clarify.programs.program import NativeProgram
from thriftwood.experiments.clarify.programs.sources import unpacked
from thriftwood.experiments.clarify.subject import Case, SubjectProgram

TOOL = """\
{lines}import sys
from docutils.__main__ import main
main()
sys.exit({code})
"""
LINES = "from thriftwood.clarify import explain\nexplain({model!r})\n"
ENDED = 3
RUNS, FRESH, LARGE_SEED = 60, 6, 77
CommandOf = Callable[[Case], list[str]]


@dataclass(frozen=True)
class Told:
    """What a program said of itself."""

    program: str
    runs: int
    same: int
    right: int
    ratio: float | None = None

    @property
    def line(self) -> str:
        """The figures in words."""
        cost = (
            "instructions were not counted"
            if self.ratio is None
            else f"{self.ratio:.4f} times the instructions"
        )
        return (
            f"{self.program}: {self.same} of {self.runs} fresh runs say what the library says, "
            f"which has the right cause in {self.right}; {cost}"
        )


@dataclass(frozen=True)
class ExplainedBuild(Build):
    """A build with one more file."""

    added: str = ""

    @property
    def folder(self) -> Path:
        """Where what is compiled goes."""
        return self.home / ("explained" if self.added else "unexplained")

    def link(self, program: str, sources: Sequence[Path], options: Sequence[str] = (), *, at: Path) -> None:
        """Compile C files with the exported one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / "explain.c"
        file.write_text(self.added, encoding="ascii")
        super().link(program, [*sources, *([file] if self.added else [])], options, at=at)


def docutils(subject: SubjectProgram, runs: int, fresh: int) -> Told:
    """Put the two lines into docutils' command."""
    folder = subject.home / "explaining"
    folder.mkdir(parents=True, exist_ok=True)
    recording = _ended(subject.recording("recorded", subject.cases(runs)))
    # Not by how long they took: a busy machine would tell another cause than a quiet one.
    texts = dict(subject.program.classes)
    model = train(recording, messages=texts, without=["duration"]).model
    model.save(folder / "model.json")
    lines = LINES.format(model=str(folder / "model.json"))
    tool, plain, well = (folder / f"{name}.py" for name in ("tool", "plain", "well"))
    for path, text, code in ((tool, lines, ENDED), (plain, "", 0), (well, lines, 0)):
        path.write_text(TOOL.format(lines=text, code=code))

    def command(tool: Path, case: Case) -> list[str]:
        return [sys.executable, str(tool), *subject.command(case).words[3:]]

    large = Case(None, LARGE_SEED, subject.program.large)
    cases = subject.cases(fresh, fresh=True)
    full = _ended(subject.recording("fresh", cases))
    found = _compare(subject, model, cases, full, lambda case: command(tool, case))
    return replace(found, ratio=_slowdown(command(plain, large), command(well, large), native=False))


def mpg321(subject: SubjectProgram, runs: int, fresh: int) -> Told:
    """Compile the exported file into mpg321."""
    program = subject.program
    assert isinstance(program, NativeProgram)
    recording = subject.recording("recorded", subject.cases(runs))
    texts = dict(program.classes)
    model = train(recording, messages=texts, without=["message", "exception"]).model
    builds = [
        Build(subject.home / "plain"),
        ExplainedBuild(subject.home, (*FLAGS, "-Dexplain_ALWAYS"), export_c(model)),
    ]
    sources = {archive.name: unpacked(archive, subject.folder) for archive in program.archives}
    for build in builds:
        program.compile(build, sources)
    plain, explained = (build.folder / program.name for build in builds)
    large = Case(None, LARGE_SEED, program.large)

    def command(installed: Path, case: Case) -> list[str]:
        return list(subject.command(case, installed).words)

    cases = subject.cases(fresh, fresh=True)
    full = subject.recording("fresh", cases)
    found = _compare(subject, model, cases, full, lambda case: command(explained, case))
    return replace(found, ratio=_slowdown(command(plain, large), command(explained, large), native=True))


def _compare(
    subject: SubjectProgram, model: Model, cases: Sequence[Case], recording: Recording, command: CommandOf
) -> Told:
    """Run fresh inputs, and count what they say of themselves."""
    same = right = 0
    for case, run in zip(cases, recording.runs, strict=True):
        shown = signs_of(run.ran, run.command)
        found = diagnose(model, recording.profile(run), Ending(run.exit), shown)
        done = subprocess.run(command(case), capture_output=True, text=True, errors="replace", check=False)
        same += ends_with(done.stderr, found.said)
        right += found.label == case.label
    return Told(subject.program.name, len(cases), same, right)


def ends_with(written: str, said: str) -> bool:
    """Tell whether the last lines that a program wrote are these, whole."""
    return f"\n{written}".endswith(f"\n{said}\n")


def _ended(recording: Recording) -> Recording:
    """Return the runs as they end under a command that ends with 3."""
    return replace(recording, runs=tuple(replace(run, exit=ENDED) for run in recording.runs))


def _slowdown(plain: list[str], explained: list[str], native: bool) -> float | None:
    with tempfile.TemporaryDirectory() as place:
        counts = [count_instructions(words, Path(place), native=native) for words in (plain, explained)]
    return None if counts[0] is None or counts[1] is None else counts[1] / counts[0]


WAYS = {"docutils": docutils, "mpg321": mpg321}


def main(given: list[str] | None = None) -> int:
    """Measure and print; return 1 if a program says something else than the library, 2 if it cannot run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.explaining", description=__doc__)
    parser.add_argument("--program", action="append", choices=list(WAYS))
    parser.add_argument("--runs", type=int, default=RUNS, help="of each class of errors, to learn from")
    parser.add_argument("--fresh", type=int, default=FRESH, help="of each class of errors, to compare")
    parser.add_argument(
        "--data", type=Path, help="folder of sources, inputs and recordings, as of reproduce clarify"
    )
    options = parser.parse_args(given)
    if options.runs < 5 or options.fresh < 1:
        parser.error("--runs must be at least 5 and --fresh at least 1.")
    code = 0
    with tempfile.TemporaryDirectory(prefix="explaining-") as place:
        for name in options.program or WAYS:
            missing = PROGRAMS[name].unavailable()
            if missing is not None:
                print(missing, file=sys.stderr)
                return 2
            subject = SubjectProgram(PROGRAMS[name], (options.data or Path(place)).absolute())
            told = WAYS[name](subject, options.runs, options.fresh)
            print(told.line)
            code = max(code, int(told.same < told.runs))
    return code


if __name__ == "__main__":
    sys.exit(main())
