"""The command: `python -m benchmarks.thrift --help`."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table as Lines

from benchmarks.thrift.demo import demo
from benchmarks.thrift.figure import Figure
from benchmarks.thrift.free import free
from benchmarks.thrift.lender import lender
from benchmarks.thrift.reliability import reliability
from benchmarks.thrift.speed import speed
from benchmarks.thrift.turney import turney

PARTS = ("demo", "turney", "lender", "free", "reliability", "speed")


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.thrift",
        description="What thrift costs on the demo table, Turney's, a lender, with free tests; scores; time.",
        epilog="Ends with 1 when a figure is above what it may be.",
    )
    parser.add_argument("--only", action="append", default=[], choices=PARTS, help="this part (repeatable)")
    parser.add_argument("--splits", type=int, default=20, help="divisions of each table")
    options = parser.parse_args(given)
    if options.splits < 1:
        parser.error("--splits must be 1 or more")
    return options


def main(given: list[str] | None = None) -> int:
    """Measure, print the tables, and return 1 if something does not hold."""
    options = arguments(given)
    console = Console()
    asked = options.only or PARTS
    failed: list[Figure] = []
    if "demo" in asked:
        failed += shown(console, "The demo table, mean bill of a case", demo(options.splits))
    if "turney" in asked:
        failed += shown(console, "Turney's tables, % of the standard cost", turney(options.splits))
    if "lender" in asked:
        failed += shown(console, "A lender, % of testing nobody", lender(options.splits))
    if "free" in asked:
        failed += shown(console, "Free tests and few cases, % of testing nobody", free(options.splits))
    if "reliability" in asked:
        lines = Lines("table", "chance", "cases", "said", "true", title="Scores of cases that are new")
        for one in reliability(options.splits):
            lines.add_row(
                one.table,
                f"{one.low:g} to {one.high:g}",
                str(one.cases),
                f"{one.said:.3f}",
                f"{one.true:.3f}",
            )
        console.print(lines)
    if "speed" in asked:
        failed += shown(console, "CPU time", speed())
    for figure in failed:
        console.print(f"DOES NOT HOLD: {figure}", markup=False)
    return int(bool(failed))


def shown(console: Console, title: str, figures: Iterator[Figure]) -> list[Figure]:
    """Print a table, and return what does not hold."""
    lines = Lines("what", "figure", "+-", "at most", title=title)
    failed = []
    for figure in figures:
        error = "" if figure.error is None else f"{figure.error:.2g}"
        most = "" if math.isinf(figure.most) else f"{figure.most:g}"
        lines.add_row(figure.what, f"{figure.value:.4g}", error, most)
        if not figure.holds:
            failed.append(figure)
    console.print(lines)
    return failed


if __name__ == "__main__":
    sys.exit(main())
