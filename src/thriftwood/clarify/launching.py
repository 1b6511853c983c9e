"""How a command line is started so that it is recorded or watched.

What the program is told stands in its environment: THRIFTWOOD_CLARIFY_DIR, the folder in which each of its
processes writes a file; THRIFTWOOD_CLARIFY_MODE, ``fc``, ``ctp`` or ``watch``; and THRIFTWOOD_CLARIFY_PLAN,
the plan to watch by.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from thriftwood.clarify import native, python_programs

ProgramKind = Literal["python", "native"]
PREFIX = "THRIFTWOOD_CLARIFY_"


@dataclass(frozen=True, slots=True)
class Launch:
    """What to start, and with which environment."""

    words: tuple[str, ...]
    environment: Mapping[str, str]
    kind: ProgramKind


def launch(
    words: Sequence[str],
    folder: Path,
    mode: Literal["fc", "ctp", "watch"],
    *,
    plan: Path | None = None,
    cwd: Path | None = None,
) -> Launch:
    """Tell how to start a command line under the recorder that suits the program.

    Parameters
    ----------
    words : sequence of str
        The program and its arguments.
    folder : Path
        Where its processes write their files; it must exist.
    mode : {"fc", "ctp", "watch"}
        What to write: calls, call trees, or the counts of a plan.
    plan : Path, optional
        The plan, for ``watch``.
    cwd : Path, optional
        Where it will be run.
    """
    kind = kind_of(words, cwd)
    base = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    program = found_program(words[0], cwd)
    if kind == "python":
        found = [str(program), *words[1:]]
        return Launch(tuple(words), python_programs.environment(found, folder, mode, plan, base), kind)
    started, more = native.launched(words, program)
    told = {f"{PREFIX}DIR": str(folder.absolute()), f"{PREFIX}MODE": mode}
    if plan is not None:
        told[f"{PREFIX}PLAN"] = str(plan.absolute())
    return Launch(tuple(started), base | told | more, kind)


def kind_of(words: Sequence[str], cwd: Path | None = None) -> ProgramKind:
    """Tell whether a command line starts a Python program or a native one.

    Raises
    ------
    ValueError
        If it is neither: a shell script starts programs, it is none to record.
    OSError
        If the program is not there, or not executable.

    Examples
    --------
    >>> import sys
    >>> kind_of([sys.executable, "-c", "pass"])
    'python'
    """
    found = found_program(words[0], cwd)
    if python_programs.interpreter_of([str(found)]) is not None:
        return "python"
    with found.open("rb") as file:
        head = file.readline(256)
    if head.startswith(b"#!"):
        shell = head[2:].decode("utf-8", "replace").strip()
        raise ValueError(
            f"{found} is a script of {shell}, where a Python or native program was wanted. Name the program "
            "that the script starts."
        )
    return "native"


def found_program(word: str, cwd: Path | None = None) -> Path:
    """Find the file of a program as starting it would."""
    if "/" in word:
        path = ((cwd or Path()) / word).absolute()
        if not path.is_file():
            raise FileNotFoundError(2, "There is no such program", str(path))
        if not os.access(path, os.X_OK):
            raise PermissionError(
                13, "The file is not executable. Name the program, not its source, or chmod +x it", str(path)
            )
        return path
    found = shutil.which(word)
    if found is None:
        raise FileNotFoundError(2, "There is no such program on the path", word)
    return Path(found)
