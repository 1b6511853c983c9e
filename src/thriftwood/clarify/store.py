"""A folder of recorded runs: an index with a line per run, and a compressed profile for each.

    runs.jsonl                 one JSON object per line, in the order recorded
    profiles/000000.json.gz    the profile of a run, its processes added up

A run is in the index once its profile is on disk, and a line is written in one piece, so that a recording
that was interrupted is a shorter recording. A last line without an end is left out.
"""

from __future__ import annotations

import fcntl
import gzip
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import IO, Any, Literal, get_args

from thriftwood.clarify.commands import Ran
from thriftwood.clarify.profile import Profile, ProfileError

INDEX, PROFILES = "runs.jsonl", "profiles"
Mode = Literal["fc", "ctp"]
LabelledBy = Literal["ending", "output", "function"]
MOST_UNPACKED, MOST_RATIO = 2**24, 64
"""Profiles are packed to between a tenth and a fiftieth of their size; what unpacks to more is no profile."""


@dataclass(frozen=True, slots=True)
class Run:
    """One recorded run.

    Attributes
    ----------
    label : str or None
        What it is called.
    command : tuple of str
        What was run.
    exit : int
        Its exit code; -n if signal n ended it.
    timed_out : bool
        Whether it was killed because its time was over.
    seconds : float
        How long it took.
    mode : {"fc", "ctp"}
        Whether calls alone were recorded or call trees too.
    kind : {"python", "native"}
        What recorded it.
    stdout, stderr : str
        The end of what it wrote.
    profile : str or None
        The file of its profile in the folder; None if there is none.
    problem : str or None
        Why there is none.
    labelled_by : {"ending", "output", "function"} or None
        What the label was given by after the run; None: it was known beforehand.
    """

    label: str | None
    command: tuple[str, ...]
    exit: int
    timed_out: bool
    seconds: float
    mode: Mode
    kind: str
    stdout: str
    stderr: str
    profile: str | None = None
    problem: str | None = None
    labelled_by: LabelledBy | None = None

    @property
    def ran(self) -> Ran:
        """Its outcome."""
        return Ran(self.exit, self.timed_out, self.seconds, self.stdout, self.stderr)


@dataclass(frozen=True)
class Recording:
    """A folder of recorded runs. Made by `record`; read with ``Recording.read(folder)``.

    Attributes
    ----------
    folder : Path
        Where it is.
    runs : tuple of Run
        In the order recorded.
    """

    folder: Path
    runs: tuple[Run, ...]

    @classmethod
    def read(cls, folder: str | PathLike[str]) -> Recording:
        """Read the index of a folder.

        Raises
        ------
        ValueError
            If it is no recording.
        """
        folder = Path(folder)
        index = folder / INDEX
        if not index.is_file():
            raise ValueError(
                f"{folder} is no recording: it has no {INDEX}. `thriftwood clarify record` makes one."
            )
        lines = index.read_text(encoding="utf-8").split("\n")[:-1]  # behind the last end of line: a torn line
        return cls(folder, tuple(_run(line, number, index) for number, line in enumerate(lines) if line))

    def __len__(self) -> int:
        return len(self.runs)

    def profile(self, run: Run) -> Profile:
        """Read the profile of a run.

        Raises
        ------
        ProfileError
            If it has none, or the file is no profile.
        """
        if run.profile is None:
            raise ProfileError(f"This run has no profile: {run.problem}")
        path = self.folder / run.profile
        try:
            return Profile.from_json(json.loads(_unpacked(path)))
        except RecursionError:
            raise ProfileError(f"{path} cannot be read as a profile: it is nested too deeply") from None
        except (OSError, EOFError, ValueError, zlib.error) as problem:
            raise ProfileError(f"{path} cannot be read as a profile: {problem}") from None

    def profiles(self, runs: tuple[Run, ...] | None = None) -> Iterator[Profile]:
        """Read the profiles of some runs one after the other; all are many."""
        return (self.profile(run) for run in (self.usable if runs is None else runs))

    @property
    def usable(self) -> tuple[Run, ...]:
        """The runs that have a label and a profile: those that can be learnt from."""
        return tuple(run for run in self.runs if run.label is not None and run.profile is not None)


class Appender:
    """Adds runs to a recording, which is made if it is not there."""

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.folder = Path(folder)
        (self.folder / PROFILES).mkdir(parents=True, exist_ok=True)
        self._next = sum(1 for _ in (self.folder / PROFILES).iterdir())

    def add_profile(self, profile: Profile) -> str:
        """Write a profile; return its name in the folder. Two recorders can do this at once."""
        content = json.dumps(profile.to_json(), separators=(",", ":")).encode("utf-8", "surrogatepass")
        while True:
            name = f"{PROFILES}/{self._next:06}.json.gz"
            self._next += 1
            try:
                with (self.folder / name).open("xb") as file:
                    file.write(gzip.compress(content, 6, mtime=0))
                    file.flush()
                    os.fsync(file.fileno())
            except FileExistsError:
                continue
            return name

    def add(self, run: Run) -> None:
        """Write the line of a run, whole."""
        line = json.dumps(asdict(run), ensure_ascii=True) + "\n"
        index = self.folder / INDEX
        index.touch()
        with index.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.truncate(_end_of_lines(file))  # what a recorder began that was killed is lost
            file.seek(0, os.SEEK_END)
            file.write(line.encode("ascii"))
            file.flush()
            os.fsync(file.fileno())


def _unpacked(path: Path) -> str:
    """Return the text of a compressed profile, unless it is out of all proportion to the file."""
    most = MOST_UNPACKED + MOST_RATIO * path.stat().st_size
    with gzip.open(path, "rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise ValueError(f"it unpacks to more than {most:,} bytes, {MOST_RATIO} times its size and more")
    return content.decode("utf-8")


def _end_of_lines(file: IO[bytes]) -> int:
    """Return where the last whole line ends."""
    end = file.seek(0, os.SEEK_END)
    while end:
        start = max(0, end - 4096)
        file.seek(start)
        newline = file.read(end - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0


def _run(line: str, number: int, index: Path) -> Run:
    try:
        content: dict[str, Any] = json.loads(line)
        run = Run(**content | {"command": tuple(content["command"])})
        if run.profile is not None and not _is_inside(run.profile):
            raise ValueError(f"the profile {run.profile!r} is outside the folder")
        if not (run.label is None or isinstance(run.label, str)) or run.mode not in ("fc", "ctp"):
            raise ValueError("label or mode is not what it should be")
        if run.labelled_by is not None and run.labelled_by not in get_args(LabelledBy):
            raise ValueError("labelled_by is not what it should be")
        return run
    except RecursionError:
        raise ValueError(f"{index}, line {number + 1}, is no run: it is nested too deeply.") from None
    except (TypeError, KeyError, ValueError, AttributeError) as problem:
        raise ValueError(f"{index}, line {number + 1}, is no run: {problem}.") from None


def _is_inside(name: object) -> bool:
    return isinstance(name, str) and name.startswith(f"{PROFILES}/") and ".." not in Path(name).parts
