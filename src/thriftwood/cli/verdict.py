"""The first line of what shows a model: what a case costs, against testing nobody and against today."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from thriftwood.cli.progress import ProgressCallback
from thriftwood.evaluation import Contender, Verdict
from thriftwood.evaluation.statement import amount

NO_PRICES = "No price list (--costs): every test is free here, and every mistake costs 1."
BEGIN_ONE = "`thriftwood costs init` begins a price list."


def print_verdict(out: Console, said: Verdict, name: str = "") -> None:
    """Print a verdict, in red where something else would be cheaper, and an empty line."""
    lead = f"{name}: " if name else ""
    out.print(Text(f"{lead}{said}", style="bold red" if said.dearer_than else "bold"), soft_wrap=True)
    out.print()


def print_no_prices(out: Console) -> None:
    """Say what the amounts of a verdict are where nobody named a price, and how to name some."""
    out.print(Text(f"{NO_PRICES} {BEGIN_ONE}", style="dim"), soft_wrap=True)
    out.print()


class Running:
    """Shows beside the bar who is cheapest so far."""

    def __init__(self, tell: ProgressCallback) -> None:
        self._tell = tell
        self._best: Contender | None = None

    def tell(self, done: int, total: int) -> None:
        """Say how many learners are done."""
        best = self._best
        said = (
            "learners" if best is None else f"cheapest so far: {best.name}, {amount(best.mean_cost)} a case"
        )
        self._tell(done, total, said)

    def add(self, one: Contender) -> None:
        """Take note of a learner that is finished."""
        if self._best is None or one.mean_cost < self._best.mean_cost:
            self._best = one
