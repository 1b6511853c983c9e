"""docutils, which turns reStructuredText into HTML and says too little, or nothing, about a slip."""

from __future__ import annotations

from pathlib import Path
from random import Random

from thriftwood.experiments.clarify.programs.program import PythonProgram
from thriftwood.experiments.clarify.programs.rst_text import FAULTS, rst_text


class Docutils(PythonProgram):
    """docutils on documents with one slip of the pen."""

    name = "docutils"
    package = "docutils"
    module = "docutils"
    suffix = ".rst"
    large = 8
    classes = FAULTS

    def command(self, installed: Path, given: Path) -> list[str]:
        """Write HTML beside the document."""
        return [str(installed), "-m", "docutils", str(given), str(given.with_suffix(".html"))]

    def written(self, random: Random, fault: str | None, size: int = 1) -> bytes:
        """Write a document."""
        return rst_text(random, fault, size).encode()
