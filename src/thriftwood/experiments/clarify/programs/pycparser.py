"""pycparser, a C parser in Python whose one error message is the place where it gave up."""

from __future__ import annotations

from pathlib import Path
from random import Random

from thriftwood.experiments.clarify.programs.building import SUPPORT
from thriftwood.experiments.clarify.programs.c_text import FAULTS, c_text
from thriftwood.experiments.clarify.programs.program import PythonProgram


class Pycparser(PythonProgram):
    """pycparser on C files with one slip of the pen, the same as for tcc."""

    name = "pycparser"
    package = "pycparser"
    module = "pycparser"
    suffix = ".c"
    # tcc takes an unknown word for an old-style declaration or an expression; a parser alone sees as much.
    large = 8
    classes = FAULTS

    def command(self, installed: Path, given: Path) -> list[str]:
        """Parse the file and print how many functions it defines."""
        return [str(installed), str(SUPPORT / "parse_c.py"), str(given)]

    def written(self, random: Random, fault: str | None, size: int = 1) -> bytes:
        """Write a C file."""
        return c_text(random, fault, size).encode()
