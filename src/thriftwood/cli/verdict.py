"""The first line of what shows a model: what a case costs, against testing nobody and against today."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from thriftwood.evaluation import Verdict


def print_verdict(out: Console, said: Verdict, name: str = "") -> None:
    """Print a verdict, in red where something else would be cheaper, and an empty line."""
    lead = f"{name}: " if name else ""
    out.print(Text(f"{lead}{said}", style="bold red" if said.dearer_than else "bold"), soft_wrap=True)
    out.print()
