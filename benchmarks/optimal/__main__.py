"""The command: `python -m benchmarks.optimal --help`."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec

from rich.console import Console
from rich.table import Table as Lines

from benchmarks.optimal import limits, numeric, priced
from benchmarks.optimal.verdict import Verdict

PARTS = ("streed", "contree", "limits")


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.optimal",
        description="Search optimal trees with STreeD, ConTree and thriftwood on the same tables.",
        epilog="Ends with 1 when trees differ in cost, we take too long, or a limit is not kept.",
    )
    parser.add_argument("--only", action="append", default=[], choices=PARTS, help="this part (repeatable)")
    parser.add_argument("--splits", type=int, default=3, help="divisions of each of Lomax's tables")
    options = parser.parse_args(given)
    if options.splits < 1:
        parser.error("--splits must be 1 or more")
    return options


def main(given: list[str] | None = None) -> int:
    """Measure, print the tables, and return 1 if something does not hold."""
    options = arguments(given)
    console = Console()
    failed: list[Verdict] = []
    for part, (title, needs, verdicts) in _parts(options).items():
        if options.only and part not in options.only:
            continue
        if needs is not None and find_spec(needs) is None:
            console.print(f"{title}: {needs} is not installed (pip install {needs}).")
            continue
        failed += shown(console, title, verdicts())
    for verdict in failed:
        console.print(f"DOES NOT HOLD: {verdict}", markup=False)
    return int(bool(failed))


def shown(console: Console, title: str, verdicts: Iterator[Verdict]) -> list[Verdict]:
    """Print a table, and return what does not hold."""
    lines = Lines("what", "ours", "theirs", "ratio", "at most", "same", "", title=title)
    failed = []
    for verdict in verdicts:
        most = "" if math.isinf(verdict.most) else f"{verdict.most:g}"
        figures = f"{verdict.ours:.4g}", f"{verdict.theirs:.4g}", f"{verdict.ratio:.3f}"
        lines.add_row(verdict.what, *figures, most, "yes" if verdict.equal else "NO", verdict.words)
        if not verdict.holds:
            failed.append(verdict)
    console.print(lines)
    return failed


def _parts(
    options: argparse.Namespace,
) -> dict[str, tuple[str, str | None, Callable[[], Iterator[Verdict]]]]:
    return {
        "streed": ("STreeD, CPU seconds", "pystreed", partial(priced.beside_streed, options.splits)),
        "contree": ("ConTree, CPU seconds", "pycontree", numeric.beside_contree),
        "limits": ("limits: taken, and allowed", None, _limits),
    }


def _limits() -> Iterator[Verdict]:
    yield from limits.kept_budgets()
    yield from limits.kept_memory()
    yield from limits.true_gaps()


if __name__ == "__main__":
    sys.exit(main())
