"""`Program`: a real program, faulty inputs for it, and what its user should have been told."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import ClassVar

from thriftwood.experiments.clarify.programs.building import Build, compiler
from thriftwood.experiments.clarify.programs.sources import Archive, unpacked


class Program(ABC):
    """A program under test.

    An input is drawn from a seed: valid, or the same with exactly one fault of a class. The program reads it
    as a file, so a command line is the program and that file.
    """

    name: ClassVar[str]
    native: ClassVar[bool]
    suffix: ClassVar[str]
    """Of its input files."""
    large: ClassVar[int]
    """The size of inputs on which time and instructions are taken, so that starting the program is little."""
    classes: ClassVar[Mapping[str, str]]
    """Every class of fault, with the message that would have been clear."""

    @abstractmethod
    def unavailable(self) -> str | None:
        """Say why it cannot run here, and what to do about it; None if it can."""

    @abstractmethod
    def version(self) -> str:
        """Tell apart builds whose figures may differ."""

    @abstractmethod
    def install(self, folder: Path, flags: Sequence[str] = ()) -> Path:
        """Make it ready in a folder, and return where it is; a program that is ready is left as it is.

        Parameters
        ----------
        folder : path
            For sources and what is made of them.
        flags : sequence of str
            Of the compiler, for a native program.
        """

    @abstractmethod
    def command(self, installed: Path, given: Path) -> list[str]:
        """Return the command line that runs it on an input file; what it writes goes beside the input."""

    @abstractmethod
    def written(self, random: Random, fault: str | None, size: int = 1) -> bytes:
        """Return an input, valid or with one fault.

        What is valid in it depends on the generator's state and the size alone, not on the fault. A size is a
        multiple of what is usual.
        """

    def input(self, seed: int, fault: str | None, size: int = 1) -> bytes:
        """Return the input of a seed, valid or with one fault of a class, of a multiple of the usual size."""
        if fault is not None and fault not in self.classes:
            raise ValueError(f"{self.name} has the faults {', '.join(self.classes)}. Got {fault!r}.")
        return self.written(Random(f"{self.name}/{seed}"), fault, size)


class PythonProgram(Program):
    """A program that pip installs, run by this interpreter."""

    native = False
    package: ClassVar[str]
    module: ClassVar[str]

    def unavailable(self) -> str | None:
        """Say whether the package is missing."""
        if find_spec(self.module) is None:
            return f"{self.name} needs the package {self.package} (pip install {self.package})."
        return None

    def version(self) -> str:
        """Return the versions of the package and of Python."""
        try:
            release = version(self.package)
        except PackageNotFoundError:
            release = "unknown"
        return f"{self.package} {release}, Python {sys.version_info.major}.{sys.version_info.minor}"

    def install(self, folder: Path, flags: Sequence[str] = ()) -> Path:
        """Return the interpreter; there is nothing to make."""
        return Path(sys.executable)


class NativeProgram(Program):
    """A program that is compiled from its published sources."""

    native = True
    archives: ClassVar[tuple[Archive, ...]]

    def unavailable(self) -> str | None:
        """Say whether there is no compiler, or no Linux on x86-64."""
        if not sys.platform.startswith("linux"):
            return f"{self.name} is built and recorded on Linux only."
        if compiler() is None:
            return f"{self.name} is compiled with gcc, which is not on the path."
        return None

    def version(self) -> str:
        """Return the names of the archives."""
        return " ".join(archive.file for archive in self.archives)

    def install(self, folder: Path, flags: Sequence[str] = ()) -> Path:
        """Fetch, unpack and compile, each once."""
        build = Build(folder / self.name, tuple(flags))
        program = build.folder / self.name
        if not program.exists():
            self.compile(build, {one.name: unpacked(one, folder) for one in self.archives})
        return program

    @abstractmethod
    def compile(self, build: Build, sources: Mapping[str, Path]) -> None:
        """Compile the unpacked sources to ``build.folder / name``."""

    def command(self, installed: Path, given: Path) -> list[str]:
        """Return the program and the file."""
        return [str(installed), str(given)]
