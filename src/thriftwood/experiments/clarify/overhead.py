"""What watching costs a program: instructions, and time of the processor.

Instructions are counted by valgrind where it is installed: they are the same from run to run to a percent or
so, where times on a busy machine are not. Of times the least of several runs counts; the ways of watching
take turns, so that none of them has the quieter minutes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from thriftwood.clarify.launching import launch
from thriftwood.clarify.plan import Plan
from thriftwood.experiments.clarify.subject import Case, SubjectProgram, scratch

PLAIN = "plain"
"""The way that all others are compared with."""
_COUNTED = re.compile(r"I\s+refs:\s+([\d,]+)")


@dataclass(frozen=True)
class Way:
    """A way to run a program.

    Attributes
    ----------
    name : str
        What tables call it.
    mode : {"fc", "ctp", "watch"} or None
        What is recorded; None: nothing, by the plain program.
    plan : Plan or None
        What is watched.
    """

    name: str
    mode: Literal["fc", "ctp", "watch"] | None = None
    plan: Plan | None = None


def valgrind() -> str | None:
    """Return the path of valgrind, if it is installed."""
    return shutil.which("valgrind")


def ways(baseline: Plan, planned: Plan) -> tuple[Way, ...]:
    """List the ways that are compared: nothing, everything, the cost-blind tree's plan, and ours."""
    return (
        Way(PLAIN),
        Way("all calls", "fc"),
        Way("all call trees", "ctp"),
        Way("baseline", "watch", baseline),
        Way("planned", "watch", planned),
    )


def measured(
    subject: SubjectProgram, cases: Sequence[Case], compared: Sequence[Way], repeats: int
) -> dict[str, dict[str, float]]:
    """Return for each way its seconds over all cases, and its instructions on the first if they are known.

    Parameters
    ----------
    subject : SubjectProgram
        The program.
    cases : sequence of Case
        What it is run on.
    compared : sequence of Way
        How it is run.
    repeats : int
        Runs of each case in each way, of which the fastest counts.
    """
    found: dict[str, dict[str, float]] = {way.name: {"seconds": 0.0} for way in compared}
    for place, case in enumerate(cases):
        fastest = {way.name: float("inf") for way in compared}
        for _ in range(repeats):
            for way in compared:
                fastest[way.name] = min(fastest[way.name], _seconds(subject, case, way))
        for way in compared:
            found[way.name]["seconds"] += fastest[way.name]
            # Steady, and fifty times as slow as running: one case is enough.
            if place == 0 and (counted := _instructions(subject, case, way)) is not None:
                found[way.name]["instructions"] = counted
    return found


def ratios(found: dict[str, dict[str, float]], unit: str) -> dict[str, float]:
    """Return the cost ratio of each way to the plain program; nothing if that was not measured.

    Examples
    --------
    >>> ratios({"plain": {"seconds": 2.0}, "planned": {"seconds": 2.1}}, "seconds")
    {'planned': 1.05}
    >>> ratios({"plain": {"seconds": 2.0}, "planned": {"seconds": 2.1}}, "instructions")
    {}
    """
    if not found.get(PLAIN, {}).get(unit):
        return {}
    plain = found[PLAIN][unit]
    return {name: one[unit] / plain for name, one in found.items() if name != PLAIN and unit in one}


@dataclass(frozen=True)
class _Start:
    """A command line that is ready to run."""

    words: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path


@contextmanager
def _started(subject: SubjectProgram, case: Case, way: Way) -> Iterator[_Start]:
    with scratch() as folder:
        if way.mode is None:
            yield _Start(subject.command(case, subject.plain).words, os.environ, folder)
            return
        plan = None
        if way.plan is not None:
            plan = folder / "plan.txt"
            plan.write_text(way.plan.text(), encoding="utf-8", errors="surrogateescape")
        begun = launch(subject.command(case).words, folder, way.mode, plan=plan)
        yield _Start(begun.words, begun.environment, folder)


def _seconds(subject: SubjectProgram, case: Case, way: Way) -> float:
    """Return the processor's time of one run, its children included."""
    with _started(subject, case, way) as start:
        process = subprocess.Popen(
            start.words,
            env=start.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)  # reaped here, not by the object
        return used.ru_utime + used.ru_stime


def _instructions(subject: SubjectProgram, case: Case, way: Way) -> float | None:
    with _started(subject, case, way) as start:
        return count_instructions(start.words, start.folder, start.environment, subject.program.native)


def count_instructions(
    words: Sequence[str],
    folder: Path,
    environment: Mapping[str, str] | None = None,
    native: bool = True,
) -> float | None:
    """Return the instructions of one run, None where they cannot be counted.

    Parameters
    ----------
    words : sequence of str
        The command line.
    folder : path
        For a file of the counter.
    environment : mapping of str to str, optional
        Of the run; this process's by default.
    native : bool
        Whether code may be patched while it runs: it is looked at again then.
    """
    counter = valgrind()
    if counter is None:
        return None
    counting = [counter, "--tool=cachegrind", "--cache-sim=no"]
    if native:
        counting.append("--smc-check=all")
    counting.append(f"--cachegrind-out-file={folder / 'counted'}")
    done = subprocess.run(
        [*counting, *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    counts = _COUNTED.findall(done.stderr.decode(errors="replace"))
    return float(sum(int(count.replace(",", "")) for count in counts)) if counts else None
