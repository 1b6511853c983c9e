"""`watch`: run a program with only the planned functions watched, and read the counts it left.

A folder of watched runs has a folder for each, named by when it began, with the plan, a file for each process
and ``run.json``: command, when, exit code, how many seconds it took, and after how many it was killed if it
was. Counts are on disk at any moment, also after a crash. Where the model asks what a run said, the end of
that is in ``stderr.txt``.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from thriftwood.base.saving import save_bytes, save_text
from thriftwood.clarify.builds import check_build, owner
from thriftwood.clarify.commands import Ran
from thriftwood.clarify.evidence import kept, known_lines, signs_of
from thriftwood.clarify.launching import kind_of, launch
from thriftwood.clarify.model import Model
from thriftwood.clarify.overhearing import overheard
from thriftwood.clarify.patterns import Sign
from thriftwood.clarify.profile import ProfileError
from thriftwood.clarify.reading import WatchedCounts, read_counts
from thriftwood.clarify.running import end_session

PLAN, RUN, SAID = "plan.txt", "run.json", "stderr.txt"


@dataclass(frozen=True)
class Counts:
    """What the processes of a watched run counted together.

    Attributes
    ----------
    values : tuple of int
        One per pattern of the plan.
    build : mapping of str to str
        What identifies the builds that ran.
    ended : {"exit", "open"}
        Whether all processes ended by themselves.
    n_processes : int
        How many were watched.
    folder : Path or None
        Where they stand.
    """

    values: tuple[int, ...]
    build: Mapping[str, str]
    ended: str
    n_processes: int
    folder: Path | None = None


@dataclass(frozen=True)
class Watched:
    """A watched run."""

    folder: Path
    """Its own folder."""
    exit: int
    """Its exit code; -n if signal n ended it."""
    timed_out: bool = False
    """Whether it was killed because its time was over."""

    @property
    def failed(self) -> bool:
        """Whether it ended with anything but exit code 0."""
        return self.exit != 0


def watch(
    model: Model,
    words: Sequence[str],
    folder: str | PathLike[str],
    *,
    timeout: float | None = None,
) -> Watched:
    """Run a program and watch it as planned. It reads and writes where this process does.

    Where the model asks what a run said, standard error is passed on by this process. A model that asks for
    nothing that must be watched leaves the program as it is.

    Parameters
    ----------
    model : Model
        Whose plan it is.
    words : sequence of str
        The program and its arguments.
    folder : str or path
        Where watched runs are kept; it is made if it is not there.
    timeout : float, optional
        Seconds after which the program is killed, with all processes it started. It has a session of its own
        then, and is no job of the terminal.

    Raises
    ------
    ValueError
        If the program is of another kind than the one that was learnt from.
    """
    kind = kind_of(words)
    if kind != model.kind:
        raise ValueError(
            f"{words[0]} is a {kind} program; the model was learnt from a {model.kind} one. "
            "Name the program that was recorded."
        )
    place = _new_folder(Path(folder))
    plan = place / PLAN
    save_text(plan, model.plan.text(), errors="surrogateescape")
    facts: dict[str, object] = {
        "command": list(words),
        "began": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "exit": None,
        "timed_out_after": None,
    }
    _write(place / RUN, facts)
    if model.plan.patterns:
        started = launch(words, place, "watch", plan=plan)
        command, environment = started.words, started.environment
    else:  # nothing is counted, but a program that explains itself is to know that it is watched
        command, environment = tuple(words), {**os.environ, "THRIFTWOOD_CLARIFY_DIR": str(place.absolute())}
    apart = timeout is not None
    begin = time.monotonic()
    with overheard(model.reads_message) as heard:
        process = subprocess.Popen(
            command,
            env=environment,
            start_new_session=apart,
            stderr=None if heard is None else heard.writer,
        )
    if heard is not None:
        heard.begin()
    with _left_to(process, apart):
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            end_session(process.pid)
            process.wait()
            facts["timed_out_after"] = timeout
    facts["seconds"] = round(time.monotonic() - begin, 4)
    if heard is not None:
        save_bytes(place / SAID, heard.end())
    _write(place / RUN, facts | {"exit": process.returncode})
    return Watched(place, process.returncode, facts["timed_out_after"] is not None)


def read_watched(path: str | PathLike[str], model: Model) -> Counts:
    """Read what was counted: from a file of one process, the folder of a run, or the last run of a folder.

    Raises
    ------
    ProfileError
        If there is nothing to read, it belongs to another plan or another build, or nothing was watched.
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(2, "There is no such file or folder", str(path))
    files, folder = ([path], None) if path.is_file() else _files(path, model)
    if not files:
        return Counts((), {}, "exit", 0, folder)
    counts = [read_counts(file) for file in files]
    _check_plan(counts, folder, model)
    for one in counts:
        check_build(one.build, model.build)
    build = _joined(one.build for one in counts)
    _check_watched(build, {function for one in counts for function in one.found}, model)
    return Counts(
        values=model.plan.values([sum(line) for line in zip(*(one.values for one in counts), strict=True)]),
        build=build,
        ended="open" if any(one.ended == "open" for one in counts) else "exit",
        n_processes=len(counts),
        folder=folder,
    )


def last_run(folder: Path) -> Path | None:
    """Return the folder of the run that began last, None if there is none."""
    runs = [path.parent for path in folder.glob(f"*/{RUN}")]
    return max(runs, default=None, key=lambda run: run.name)


def read_signs(folder: Path, model: Model) -> frozenset[Sign] | None:
    """Read what a watched run showed for nothing; None where that is not known, or not asked for."""
    path = folder / RUN
    if not model.reads_ending or not path.exists():
        return None
    facts = json.loads(path.read_text(encoding="utf-8"))
    said = folder / SAID
    if not isinstance(facts, dict) or not isinstance(facts.get("exit"), int):
        return None
    if model.reads_message and not said.exists():
        return None
    text = said.read_bytes().decode("utf-8", "replace") if said.exists() else ""
    timed_out, seconds = facts.get("timed_out_after") is not None, facts.get("seconds")
    command = [str(word) for word in facts.get("command") or ()]
    took = float(seconds) if isinstance(seconds, int | float) else 0.0
    known = known_lines(model.signs, () if model.normal is None else model.normal.known.values())
    return signs_of(Ran(facts["exit"], timed_out, took, "", kept(text)), command, known)


def _files(folder: Path, model: Model) -> tuple[list[Path], Path]:
    own = sorted(folder.glob("*.profile"))
    if own or (folder / RUN).exists():
        run: Path | None = folder
    else:
        run = last_run(folder)
    if run is None:
        raise ProfileError(f"{folder} has no watched run. `thriftwood clarify watch` makes one.")
    files = sorted(run.glob("*.profile"))
    if not files and model.plan.patterns:
        raise ProfileError(f"{run} has no counts: the program did not start under the watch.")
    return files, run


def _check_plan(counts: list[WatchedCounts], folder: Path | None, model: Model) -> None:
    text = model.plan.text()
    plan = None if folder is None else folder / PLAN
    other = plan is not None and plan.exists() and _plan_text(plan) != text
    if other or any(len(one.values) != len(model.plan.lines) for one in counts):
        raise ProfileError(
            "These counts belong to another plan. Diagnose with the model that the run was watched by."
        )


def _check_watched(build: Mapping[str, str], found: set[str], model: Model) -> None:
    """Refuse counts that are 0 because nothing was watched."""
    identities = set(build.values())
    if model.kind == "native":
        for function in model.plan.functions:
            binary = owner(function)
            loaded = binary in build or model.build.get(binary) in identities  # by its name, or renamed
            if loaded and function not in found:
                raise ProfileError(
                    f"{function} could not be watched: what ran has no function of this name. Was it "
                    "stripped or renamed, or is it another one? Watch the program as it was recorded."
                )
    always = model.figures.get("loaded", 1.0) == 1.0
    if always and model.build and not identities & set(model.build.values()):
        raise ProfileError(
            f"Nothing of the plan was watched: this run loaded none of {', '.join(sorted(model.build))}, of "
            "which every recorded run loaded something. Is it another program, or did it end before?"
        )


def _plan_text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="surrogateescape")


def _joined(builds: Iterable[Mapping[str, str]]) -> dict[str, str]:
    return {name: identity for build in builds for name, identity in build.items()}


def _new_folder(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    while True:
        seconds, rest = divmod(time.time_ns(), 10**9)  # one look at the clock: names are in order of time
        place = folder / f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime(seconds))}-{rest:09}-{os.getpid()}"
        with suppress(FileExistsError):
            place.mkdir()
            return place


def _write(path: Path, content: dict[str, object]) -> None:
    """Replace a file in one step."""
    save_text(path, json.dumps(content))


@contextmanager
def _left_to(process: subprocess.Popen[bytes], apart: bool) -> Iterator[None]:
    """Leave Ctrl-C to the program, which gets it too (apart: from us), and hand a request to end on to it."""

    def hand_on(number: int, frame: object) -> None:
        process.send_signal(number)

    def interrupt(number: int, frame: object) -> None:
        if process.poll() is None:
            os.killpg(process.pid, number)  # as the terminal would

    interrupted = interrupt if apart else signal.SIG_IGN

    before = {}
    with suppress(ValueError):  # only the main thread of a program can ask for signals
        before[signal.SIGINT] = signal.signal(signal.SIGINT, interrupted)
        before[signal.SIGTERM] = signal.signal(signal.SIGTERM, hand_on)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
