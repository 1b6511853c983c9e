"""How a native program is started so that it is recorded or watched.

It is compiled with gcc or clang and `FLAGS`, which leave room at the beginning of every function: 8 bytes
that do nothing until the library of `preload_library` fills some of them, in the running process and nowhere
else. Where that flag is not at hand, `FALLBACK_FLAGS` call a hook at the beginning and end of every function;
then all functions pay, whatever is watched.
"""

from __future__ import annotations

import os
import platform
import stat
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import thriftwood.clarify
from thriftwood.clarify.elf import ElfFile, read_elf

FLAGS = ("-fpatchable-function-entry=8",)
"""For gcc and g++ at compiling. Linking C++ needs `link_flags`, too."""
KEEP_FLAGS = ("-fno-inline", "-fno-optimize-sibling-calls")
"""So that every function that is called begins, and shows who called it, also where a compiler optimises."""
FALLBACK_FLAGS = ("-finstrument-functions",)
LIBRARY = "libthriftwood_clarify.so"


def link_flags() -> tuple[str, ...]:
    """Return what g++ needs at linking a C++ program that was compiled with `FLAGS`.

    C programs do not need it. With some versions of gcc, C++ programs cannot be linked without.

    Examples
    --------
    >>> len(link_flags())
    1
    """
    scripts = (Path(folder) / "sleds.ld" for folder in thriftwood.clarify.__path__)
    script = next(script for script in scripts if script.is_file())
    return (f"-Wl,-T,{script}",)


class NativeProgramError(ValueError):
    """A program cannot be recorded or watched; the message says why and what to do."""


def preload_library() -> Path:
    """Return the library that is loaded into native programs.

    Raises
    ------
    NativeProgramError
        On systems for which there is none.
    """
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise NativeProgramError(
            f"Native programs are recorded on Linux on x86-64, and this is {sys.platform} on "
            f"{platform.machine()}. Python programs can be recorded here."
        )
    for folder in thriftwood.clarify.__path__:
        library = Path(folder) / LIBRARY
        if library.is_file():
            return library
    raise NativeProgramError(f"{LIBRARY} is missing from this installation. Install thriftwood again.")


def launched(words: Sequence[str], program: Path) -> tuple[list[str], dict[str, str]]:
    """Return how to start a command line: its words, and what its environment needs besides.

    Parameters
    ----------
    words : sequence of str
        The program and its arguments.
    program : Path
        The file of the program.

    Raises
    ------
    NativeProgramError
        If the program cannot be recorded: it is static, changes its user, or was not compiled for it.
    """
    library = str(preload_library())
    if set(library) & set(" :"):
        raise NativeProgramError(
            f"The loader cannot preload {library}: its path has a space or a colon. Install thriftwood in "
            "another folder."
        )
    check_program(program)
    others = os.environ.get("LD_PRELOAD")
    return list(words), {"LD_PRELOAD": f"{library}:{others}" if others else library}


def check_program(path: Path) -> ElfFile:
    """Make sure that a program can be recorded.

    Raises
    ------
    NativeProgramError
        If it cannot; the message says what to do.
    """
    program = read_elf(path)
    if not program.dynamic:
        raise NativeProgramError(
            f"{path} is linked statically, so nothing can be preloaded. Link it without -static."
        )
    if path.stat().st_mode & (stat.S_ISUID | stat.S_ISGID):
        raise NativeProgramError(
            f"{path} changes its user or group when it starts, so the loader preloads nothing. "
            "Record a copy of it without that permission."
        )
    if not any(part.sleds or part.hooks for part in (program, *libraries_of(path))):
        raise NativeProgramError(
            f"Neither {path} nor a library of it was compiled for recording. Compile it with "
            f"the options that `thriftwood clarify flags` prints, {' '.join(FLAGS)} among them (where that "
            f"is unknown, {' '.join(FALLBACK_FLAGS)})."
        )
    return program


def libraries_of(path: Path) -> list[ElfFile]:
    """The libraries that the loader would load with a program; it is asked, as ldd does."""
    asked = {**os.environ, "LD_TRACE_LOADED_OBJECTS": "1"}
    asked.pop("LD_PRELOAD", None)
    listed = subprocess.run([path.resolve()], env=asked, capture_output=True, text=True, check=False).stdout
    libraries = []
    for line in listed.splitlines():
        _, arrow, rest = line.partition(" => ")
        place = rest.rpartition(" (")[0]
        if arrow and place.startswith("/"):
            libraries.append(read_elf(place))
    return libraries
