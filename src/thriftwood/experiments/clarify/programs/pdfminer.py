"""pdfminer, which gives an empty text, or asks whether this is really a PDF."""

from __future__ import annotations

from pathlib import Path
from random import Random

from thriftwood.experiments.clarify.programs.building import SUPPORT
from thriftwood.experiments.clarify.programs.pdf import FAULTS, pdf_bytes
from thriftwood.experiments.clarify.programs.program import PythonProgram


class Pdfminer(PythonProgram):
    """pdfminer on files whose text cannot be had."""

    name = "pdfminer"
    package = "pdfminer.six"
    module = "pdfminer"
    suffix = ".pdf"
    large = 12
    classes = FAULTS

    def command(self, installed: Path, given: Path) -> list[str]:
        """Print the text."""
        return [str(installed), str(SUPPORT / "extract_pdf.py"), str(given)]

    def written(self, random: Random, fault: str | None, size: int = 1) -> bytes:
        """Write a file."""
        return pdf_bytes(random, fault, size)
