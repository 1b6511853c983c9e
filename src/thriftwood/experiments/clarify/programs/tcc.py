"""tcc, a C compiler that says little about a syntax error."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

from thriftwood.experiments.clarify.programs.building import Build
from thriftwood.experiments.clarify.programs.c_text import FAULTS, c_text
from thriftwood.experiments.clarify.programs.program import NativeProgram
from thriftwood.experiments.clarify.programs.sources import Archive

_FILES = ("tcc", "libtcc", "tccpp", "tccgen", "tccelf", "tccasm", "tccrun", "x86_64-gen", "x86_64-link")


class Tcc(NativeProgram):
    """tcc on C files with one slip of the pen."""

    name = "tcc"
    suffix = ".c"
    large = 300
    classes = FAULTS
    archives = (
        Archive(
            "tcc",
            "t/tcc",
            "tcc_0.9.27+git20200814.62c30a4a.orig.tar.bz2",
            "d63c113bcdd657f51c8ee197a0b0a24203603313e19a52b5f678d40ab7f5df35",
        ),
    )

    def compile(self, build: Build, sources: Mapping[str, Path]) -> None:
        """Compile tcc's files one by one into one program, for x86-64."""
        home = sources["tcc"]
        build.folder.mkdir(parents=True, exist_ok=True)
        build.run("sh", str(home / "configure"), at=build.folder)
        files = [home / f"{name}.c" for name in (*_FILES, "i386-asm")]
        options = ["-DONE_SOURCE=0", "-DTCC_TARGET_X86_64", f"-I{build.folder}", f"-I{home}"]
        build.link(self.name, files, [*options, "-lm", "-ldl", "-lpthread"], at=build.folder)

    def command(self, installed: Path, given: Path) -> list[str]:
        """Compile to an object file beside the source."""
        return [str(installed), "-nostdinc", "-c", str(given), "-o", str(given.with_suffix(".o"))]

    def written(self, random: Random, fault: str | None, size: int = 1) -> bytes:
        """Write a C file."""
        return c_text(random, fault, size).encode()
