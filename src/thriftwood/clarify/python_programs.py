"""How a Python program is started so that it is recorded or watched.

The command line stays as it is; the environment makes Python load `thriftwood.clarify._hook` before the
program's first line. Scripts, ``-m`` modules, ``-c`` texts, programs from standard input and installed
commands (whose first line names a Python) work alike. Children made by ``fork`` write files of their own, and
so do Python programs that the program starts, unless it gives them another environment.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from thriftwood.clarify.commands import TAKES_VALUE

Mode = Literal["fc", "ctp", "watch", "off"]

STARTUP = Path(__file__).parent / "startup"
DEAF = {"E": "ignores its environment (-E)", "I": "is isolated (-I)", "S": "does not import site (-S)"}
# Where Python may not write compiled files, what every recorded program loads would be compiled every time.
ASK = """
import compileall, json, sys
from importlib.machinery import EXTENSION_SUFFIXES
for path in sys.argv[1:]:
    compileall.compile_file(path, quiet=2)
print(json.dumps([sys.implementation.name, list(sys.version_info[:2]), EXTENSION_SUFFIXES,
                  bool(getattr(sys, "_is_gil_enabled", lambda: True)())]))
"""
ASK_HOOK = """
import sys
from importlib.util import find_spec
hook = find_spec("thriftwood") and find_spec("thriftwood.clarify._hook")
sys.stdout.write(hook.origin if hook else "")
"""


class LaunchError(ValueError):
    """A command line that cannot be recorded."""


def interpreter_of(command: Sequence[str]) -> str | None:
    """Return the Python that runs a command line, or None where it is no Python program.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments.

    Examples
    --------
    >>> import sys
    >>> interpreter_of([sys.executable, "-m", "json.tool"]) == sys.executable
    True
    >>> interpreter_of(["/bin/true"]) is None
    True
    """
    program = shutil.which(command[0]) if command else None
    if program is None:
        raise LaunchError(f"There is no program {command[0]!r}." if command else "The command line is empty.")
    if Path(program).name.lower().startswith("python"):
        return program
    with open(program, "rb") as file:
        first = file.readline(4096)
    if not first.startswith(b"#!"):
        return None
    words = os.fsdecode(first[2:].strip()).split()
    if words and Path(words[0]).name == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    if words and Path(words[0]).name.lower().startswith("python"):
        return shutil.which(words[0])
    return None


def environment(
    command: Sequence[str],
    folder: str | os.PathLike[str],
    mode: Mode,
    plan: str | os.PathLike[str] | None = None,
    base: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Return the environment in which a Python command line is recorded or watched.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments, as they will be run.
    folder : path
        Where the process will put its ``.profile`` file, and a ``.problem`` file if it could not be recorded.
    mode : {"fc", "ctp", "watch", "off"}
        Counts of calls, call trees, the lines of a plan, or nothing.
    plan : path, optional
        The plan to watch by; for mode ``watch`` only.
    base : mapping of str to str, optional
        The environment to add to; this process's by default.

    Raises
    ------
    LaunchError
        If this is no Python program, or one that cannot be recorded.

    Examples
    --------
    >>> import sys
    >>> made = environment([sys.executable, "-c", "pass"], "profiles", "fc", base={"LANG": "C"})
    >>> sorted(made)[:3]
    ['LANG', 'PYTHONPATH', 'THRIFTWOOD_CLARIFY_DIR']
    """
    if (mode == "watch") != (plan is not None):
        raise LaunchError("A plan is for mode 'watch', which needs one.")
    python = interpreter_of(command)
    if python is None:
        raise LaunchError(f"{command[0]!r} is neither a Python nor a script that names one.")
    _check_listens(python, command)
    made = dict(os.environ if base is None else base)
    made["PYTHONPATH"] = os.pathsep.join(filter(None, [str(STARTUP), made.get("PYTHONPATH", "")]))
    made["THRIFTWOOD_CLARIFY_DIR"] = str(Path(folder).absolute())
    made["THRIFTWOOD_CLARIFY_MODE"] = mode
    made["THRIFTWOOD_CLARIFY_HOOK"] = hook_for(python)
    made.pop("THRIFTWOOD_CLARIFY_PLAN", None)
    if plan is not None:
        made["THRIFTWOOD_CLARIFY_PLAN"] = str(Path(plan).absolute())
    return made


@cache
def hook_for(python: str) -> str:
    """Return the file of the hook for a Python: ours where it fits, otherwise that of its own thriftwood.

    Raises
    ------
    LaunchError
        If there is none.
    """
    try:
        files = [str(STARTUP / "sitecustomize.py"), str(STARTUP.parent / "ticking.py")]
        answer = subprocess.run([python, "-c", ASK, *files], capture_output=True, text=True, check=True)
        name, version, suffixes, has_lock = json.loads(answer.stdout)
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        raise LaunchError(f"{python} does not answer as a Python would: {error}") from None
    if name != "cpython" or version < [3, 11] or not has_lock:
        kind = "free-threaded " if not has_lock else ""
        raise LaunchError(
            f"{python} is {kind}{name} {version[0]}.{version[1]}. Only programs of "
            "CPython 3.11 and later with the global lock can be recorded."
        )
    own = find_spec("thriftwood.clarify._hook")
    if own is not None and own.origin is not None and _fits(own.origin, suffixes, version):
        return own.origin
    asked = subprocess.run([python, "-c", ASK_HOOK], capture_output=True, text=True, check=False)
    if asked.returncode == 0 and asked.stdout:
        return asked.stdout
    raise LaunchError(
        f"thriftwood is not installed for {python} ({version[0]}.{version[1]}), and the hook of this Python "
        f"({EXTENSION_SUFFIXES[0]}) does not fit it. Do: {python} -m pip install thriftwood"
    )


def problems(folder: str | os.PathLike[str]) -> list[str]:
    """Return why processes could not be recorded: what they left in the folder of profiles.

    Examples
    --------
    >>> problems(Path(__file__).parent)
    []
    """
    return [path.read_text(encoding="utf-8").strip() for path in sorted(Path(folder).glob("*.problem"))]


def _fits(hook: str, suffixes: Sequence[str], version: list[int]) -> bool:
    if hook.endswith(".abi3.so"):
        return version >= [3, 12]
    return any(hook.endswith(suffix) for suffix in suffixes if suffix != ".so")


def _check_listens(python: str, command: Sequence[str]) -> None:
    """Refuse options under which Python would not load the hook."""
    options = command[1:]
    if shutil.which(command[0]) != python:
        with open(shutil.which(command[0]) or command[0], "rb") as file:
            options = os.fsdecode(file.readline(4096)).split()[1:]
    skip = False
    for option in options:
        if skip:
            skip = False
            continue
        if not option.startswith("-") or option.startswith("--") or option in ("-", "-c", "-m"):
            return
        for place, letter in enumerate(option[1:], start=1):
            if letter in "cm":
                return
            if letter in TAKES_VALUE:
                skip = place == len(option) - 1
                break
            if letter in DEAF:
                raise LaunchError(
                    f"{' '.join(command[:3])} ... cannot be recorded: this Python {DEAF[letter]}. "
                    f"Leave the option -{letter} out while recording."
                )
