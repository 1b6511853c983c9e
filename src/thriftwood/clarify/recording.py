"""`record`: run a program many times, keep what each run did and what it is called."""

from __future__ import annotations

import shlex
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from os import PathLike, cpu_count
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

from thriftwood.clarify.bodies import remember_bodies
from thriftwood.clarify.commands import ByOutput, Command, Labelling, Ran, by_exit
from thriftwood.clarify.elf import read_elf
from thriftwood.clarify.evidence import kept
from thriftwood.clarify.launching import found_program, kind_of, launch
from thriftwood.clarify.native import libraries_of
from thriftwood.clarify.profile import Profile, ProfileError, merged
from thriftwood.clarify.python_programs import interpreter_of, problems
from thriftwood.clarify.reading import read_profile
from thriftwood.clarify.running import Live, check_reachable, run_apart
from thriftwood.clarify.store import Appender, LabelledBy, Mode, Recording, Run
from thriftwood.costs.names import counted


class RecordingWarning(UserWarning):
    """A run left no profile, or an empty one."""


def record(
    folder: str | PathLike[str],
    commands: Sequence[Command],
    *,
    mode: Mode = "ctp",
    labelling: Labelling | None = None,
    timeout: float | None = 60.0,
    user: str | None = None,
    n_jobs: int = 1,
    tell: Callable[[int, int], object] | None = None,
) -> Recording:
    """Run command lines under the recorder and add them to the recording in a folder.

    Each runs in a session of its own with nothing to read on standard input, unless it says otherwise. Runs
    are added in the order given, whichever ends first.

    Parameters
    ----------
    folder : str or path
        The recording; it is made if it is not there.
    commands : sequence of Command
        What to run; see `read_commands`.
    mode : {"fc", "ctp"}
        Record calls alone, or call trees too.
    labelling : callable, optional
        Gives a label to runs that came without: `by_exit`, `ByOutput`, or a function of what a run showed.
    timeout : float or None
        Seconds after which a run is killed; what it did by then is kept.
    user : str, optional
        Run the program as this user, which only root can. The folder must be open to the user.
    n_jobs : int
        Runs at a time; -1: one per core.
    tell : callable, optional
        Called with the number of runs done and of all.

    Returns
    -------
    Recording
        All runs of the folder.

    Raises
    ------
    FileNotFoundError, ValueError
        If a program is not there, or is none that can be recorded: nothing is run then. If a command line
        cannot be started after all, or what it reads is not there: what was recorded before it is kept.
    ProfileError
        If the first run leaves no profile: nothing more is run then. A later one is kept without a profile,
        with a warning.
    """
    if mode not in ("fc", "ctp"):
        raise ValueError(f"mode must be 'fc' or 'ctp'. Got {mode!r}.")
    if not commands:
        raise ValueError("There is nothing to run. Give at least one command line.")
    _check_programs(commands)
    is_new = not Path(folder).exists()
    appender = Appender(folder)
    if user is not None:
        check_reachable(appender.folder, user)
    live = Live()
    perform = partial(_perform, folder=appender.folder, mode=mode, timeout=timeout, user=user, live=live)
    met: dict[str, str] = {}
    idle: list[Run] = []
    try:
        # Where the first fails, the others would too.
        _keep(appender, perform(commands[0]), labelling, met, idle, first=True)
    except BaseException:
        if is_new:
            rmtree(folder)
        raise
    with ThreadPoolExecutor(n_jobs if n_jobs > 0 else cpu_count() or 1) as pool:
        try:
            if tell is not None:
                tell(1, len(commands))
            for done, finished in enumerate(pool.map(perform, commands[1:]), start=2):
                _keep(appender, finished, labelling, met, idle)
                if tell is not None:
                    tell(done, len(commands))
        except BaseException:  # Ctrl-C: what is kept is kept, what is under way ends
            pool.shutdown(wait=False, cancel_futures=True)
            live.kill()
            raise
        finally:
            _remember(appender.folder, commands[0], met)
    if idle:
        _warn_of_idle(idle, len(commands))
    return Recording.read(folder)


def _remember(folder: Path, command: Command, met: Mapping[str, str]) -> None:
    """Keep fingerprints of the functions of all builds that were met."""
    program = found_program(command.words[0], command.cwd)
    python = interpreter_of([str(program)])
    if python is None:
        binaries = (read_elf(program), *libraries_of(program))
        met = {str(one.path): one.build for one in binaries if met.get(one.path.name) == one.build}
    remember_bodies(folder, met, python)


def _check_programs(commands: Sequence[Command]) -> None:
    """Refuse programs that cannot be started, before the first one is."""
    seen = set()
    for command in commands:
        if (command.words[0], command.cwd) in seen:
            continue
        seen.add((command.words[0], command.cwd))
        with _telling_line(command):
            kind_of(command.words, command.cwd)


@contextmanager
def _telling_line(command: Command) -> Iterator[None]:
    """Name the line of a command in what it raises, if it has one."""
    where = "" if command.origin is None else "{}, line {}: ".format(*command.origin)
    try:
        yield
    except OSError as problem:
        named = problem.filename or command
        raise type(problem)(problem.errno, problem.strerror, f"{where}{named}") from None
    except ValueError as problem:
        raise ValueError(f"{where}{problem}") from None


class Finished(NamedTuple):
    """A run that is over."""

    run: Run
    ran: Ran
    profile: Profile | None


def _perform(
    command: Command, *, folder: Path, mode: Mode, timeout: float | None, user: str | None, live: Live
) -> Finished:
    """Run one command line; read what its processes left behind."""
    with tempfile.TemporaryDirectory(dir=folder, prefix="running-") as place:
        if user is not None:
            Path(place).chmod(0o777)
        with _telling_line(command):
            started = launch(command.words, Path(place), mode, cwd=command.cwd)
            ran = run_apart(command, started, timeout=timeout, user=user, live=live)
        profile, problem = None, None
        try:
            profile = merged(read_profile(path) for path in sorted(Path(place).glob("*.profile")))
        except ProfileError as error:
            problem = " ".join([*problems(place), str(error)])
    run = Run(
        label=command.label,
        command=command.words,
        exit=ran.exit,
        timed_out=ran.timed_out,
        seconds=round(ran.seconds, 4),
        mode=mode,
        kind=started.kind,
        stdout=kept(ran.stdout),
        stderr=kept(ran.stderr),
        problem=problem,
    )
    return Finished(run, ran, profile)


def _keep(
    appender: Appender,
    finished: Finished,
    labelling: Labelling | None,
    met: dict[str, str],
    idle: list[Run],
    *,
    first: bool = False,
) -> None:
    """Put a run into the recording."""
    run, ran, profile = finished
    if profile is None and first:
        raise ProfileError(
            f"{shlex.join(run.command)} left no profile, and the other runs would not either. {run.problem} "
            f"It ended with {by_exit(ran)}" + (f" and said: {_last_line(ran.stderr)}" if ran.stderr else ".")
        )
    if profile is None:
        warnings.warn(
            f"No profile of {shlex.join(run.command)}: {run.problem}", RecordingWarning, stacklevel=3
        )
    if profile is not None:
        met.update(profile.build)
        if not profile.calls:
            idle.append(run)
    if run.label is None and labelling is not None:
        label = labelling(ran)
        run = replace(run, label=label, labelled_by=None if label is None else _labelled_by(labelling))
    appender.add(run if profile is None else replace(run, profile=appender.add_profile(profile)))


def _warn_of_idle(idle: Sequence[Run], n_runs: int) -> None:
    """Say that runs called nothing: Python found no such script, for example."""
    one = idle[0]
    ended = by_exit(one.ran) + (f" and said: {_last_line(one.stderr)}" if one.stderr.strip() else "")
    warnings.warn(
        f"{len(idle):,} of {counted(n_runs, 'run')} called no function, which tells nothing. "
        f"{shlex.join(one.command)} ended with {ended}",
        RecordingWarning,
        stacklevel=3,  # the line that called record
    )


def _labelled_by(labelling: Labelling) -> LabelledBy:
    """Tell what labels are given by; `train` must not find them there again."""
    if labelling is by_exit:
        return "ending"
    return "output" if isinstance(labelling, ByOutput) else "function"


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2][:200]
