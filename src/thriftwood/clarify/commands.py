"""What is to be run: command lines and labels, from a file or by hand.

A file of runs is a table with a tab between label and command line::

    # label <TAB> command line, quoted as in a shell
    missing brace	python -m pycparser broken/0001.c

or JSON, a line per run: ``{"label": "missing brace", "command": ["python", "-m", "pycparser", "a.c"]}``.
There ``stdin`` (a file) and ``cwd`` (a folder) can be added. A program runs in the folder of the file, and
paths are relative to it.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

ENTRIES = ("label", "command", "stdin", "cwd")
TAKES_VALUE = "WX"  # options of Python that are followed by a value


@dataclass(frozen=True, slots=True)
class Command:
    """One run of a program.

    Attributes
    ----------
    words : tuple of str
        The program and its arguments; no shell looks at them.
    label : str or None
        What the run is to be called, if that is known beforehand.
    stdin : Path or None
        A file to read standard input from; None: nothing to read.
    cwd : Path or None
        Where to run it; None: here.
    origin : tuple of Path and int, or None
        The file and line that it was read from.

    Examples
    --------
    >>> Command(("python", "-c", "pass"), "fine").label
    'fine'
    """

    words: tuple[str, ...]
    label: str | None = None
    stdin: Path | None = None
    cwd: Path | None = None
    origin: tuple[Path, int] | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return shlex.join(self.words)


def read_commands(path: str | PathLike[str]) -> list[Command]:
    """Read a file of runs: ``.jsonl``, or lines of label, tab, command line.

    Raises
    ------
    ValueError
        Naming the line that is no run.
    """
    path = Path(path)
    as_json = path.suffix.lower() in (".jsonl", ".ndjson", ".json")
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip() or (line.startswith("#") and not as_json):
            continue
        try:
            read = _from_json(line, path.parent) if as_json else _from_text(line, path.parent)
            found.append(replace(read, origin=(path, number)))
        except ValueError as problem:
            raise ValueError(f"{path}, line {number}: {problem}") from None
    if not found:
        raise ValueError(f"{path} has no runs. Write one per line: label, tab, command line.")
    return found


def _from_text(line: str, folder: Path) -> Command:
    label, tab, text = line.partition("\t")
    if not tab:
        raise ValueError("there is no tab between the label and the command line.")
    try:
        words = shlex.split(text)
    except ValueError as problem:
        raise ValueError(f"the command line cannot be read ({problem}).") from None
    return _checked(label.strip() or None, words, None, folder)


def _from_json(line: str, folder: Path) -> Command:
    content = json.loads(line)
    if not isinstance(content, dict) or not set(content) <= set(ENTRIES) or "command" not in content:
        raise ValueError(f"a run is a JSON object with command, and label, stdin or cwd; got {line[:80]!r}.")
    given = content["command"]
    words = shlex.split(given) if isinstance(given, str) else given
    stdin, cwd = content.get("stdin"), content.get("cwd")
    for name, value in (("label", content.get("label")), ("stdin", stdin), ("cwd", cwd)):
        if value is not None and not isinstance(value, str):
            raise ValueError(f"{name} must be text, got {value!r}.")
    place = folder if cwd is None else folder / cwd
    return _checked(content.get("label"), words, None if stdin is None else folder / stdin, place)


def _checked(label: str | None, words: Any, stdin: Path | None, cwd: Path) -> Command:
    if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
        raise ValueError("the command is empty, or is no list of words.")
    return Command(tuple(words), label, stdin, cwd.resolve())


def after_options(words: Sequence[str]) -> list[str]:
    """Return what follows Python and its options: a script, or -m and a module, and arguments.

    Examples
    --------
    >>> after_options(["python", "-W", "error", "-X", "utf8", "-m", "orders", "new.json"])
    ['-m', 'orders', 'new.json']
    """
    rest = list(words[1:])
    while rest and rest[0].startswith("-") and rest[0] not in ("-m", "-c"):
        option = rest.pop(0)
        if len(option) == 2 and option[1] in TAKES_VALUE:  # as in -W error; -Werror has it
            del rest[:1]
    return rest


# Labels that show only after the run


@dataclass(frozen=True, slots=True)
class Ran:
    """The outcome of a run.

    Attributes
    ----------
    exit : int
        Its exit code; -n if signal n ended it.
    timed_out : bool
        Whether it was killed because its time was over.
    seconds : float
        How long it took.
    stdout, stderr : str
        What it wrote: the last 64 KB of each.
    """

    exit: int
    timed_out: bool
    seconds: float
    stdout: str
    stderr: str


class Labelling(Protocol):
    """Gives a run its label; None if there is none."""

    def __call__(self, ran: Ran) -> str | None:
        """Look at a run."""


def by_exit(ran: Ran) -> str:
    """Label a run by how it ended: ``exit 0``, ``signal 11``, ``timeout``.

    Examples
    --------
    >>> by_exit(Ran(exit=-11, timed_out=False, seconds=0.1, stdout="", stderr=""))
    'signal 11'
    """
    return ending_words(ran.exit, timed_out=ran.timed_out)


def ending_words(code: int, *, timed_out: bool) -> str:
    """Say how a run ended in two words; a negative code is a signal's."""
    if timed_out:
        return "timeout"
    return f"exit {code}" if code >= 0 else f"signal {-code}"


@dataclass(frozen=True)
class ByOutput:
    """Labels a run by the first pattern that is found in its output, standard error first.

    Parameters
    ----------
    patterns : sequence of (label, regular expression)
        In the order in which they are tried.
    otherwise : str or None
        The label of runs in which none is found.

    Examples
    --------
    >>> label = ByOutput([("brace", r"expected '}'"), ("other", r"[Ee]rror")])
    >>> label(Ran(exit=1, timed_out=False, seconds=0.1, stdout="", stderr="a.c:3: error: expected '}'"))
    'brace'
    """

    patterns: Sequence[tuple[str, str]]
    otherwise: str | None = None

    def __post_init__(self) -> None:
        for label, pattern in self.patterns:
            try:
                re.compile(pattern)
            except re.error as problem:
                raise ValueError(
                    f"The pattern of {label!r}, {pattern!r}, is no regular expression: {problem}."
                ) from None

    def __call__(self, ran: Ran) -> str | None:
        """Look at a run."""
        text = f"{ran.stderr}\n{ran.stdout}"
        for label, pattern in self.patterns:
            if re.search(pattern, text, re.MULTILINE):
                return label
        return self.otherwise
