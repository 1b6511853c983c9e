"""The command: `python -m benchmarks.agreement --help`."""

from __future__ import annotations

import argparse
import sys

import numpy as np
from rich.console import Console
from rich.table import Table as Lines

import thriftwood as tw
from benchmarks.agreement import goldens, j48, ours, rpart, tables
from benchmarks.agreement.comparison import Verdict, compared, same_sizes

_WORDS = {"same": "same", "tie": "ties", "count": "rpart's count", "unknown": "DIFFERS"}


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """Parse and check the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.agreement",
        description="Grow the trees of another program and ours on the same tables, side by side.",
        epilog="Ends with 1 when a tree differs by more than ties and what is known of the other program.",
    )
    parser.add_argument("program", choices=["rpart", "j48"], help="the program to compare with")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this table (repeatable)")
    parser.add_argument(
        "--stored", action="store_true", help="rpart: compare with the goldens that are kept; R is not needed"
    )
    parser.add_argument("--explain", action="store_true", help="rpart: list every difference")
    options = parser.parse_args(given)
    if unknown := [name for name in options.only if name not in tables.RPART]:
        parser.error(f"there is no table {unknown[0]!r}; tables: {', '.join(tables.RPART)}")
    return options


def main(given: list[str] | None = None) -> int:
    """Compare, and print the table."""
    options = arguments(given)
    try:
        return _beside_rpart(options) if options.program == "rpart" else _beside_j48(options)
    except rpart.NotInstalled as error:
        print(error, file=sys.stderr)
        return 2


def _beside_rpart(options: argparse.Namespace) -> int:
    versions = None if options.stored else rpart.versions()
    console = Console()
    lines = Lines("table", "mode", "tree", "surrogates", "cp table", "1-SE", "ours")
    worst = 0
    for name in options.only or tables.RPART:
        table = tables.load(name)
        if versions is not None:
            goldens.write(name, versions, rpart.run(table))
        for mode, theirs in goldens.read(name).items():
            verdict = compared(table, theirs.tree, ours.tree_of(table, mode))
            leaves = ours.cart(table, mode, by_one_se=True).tree_.core.n_leaves
            same = "same" if same_sizes(theirs.sizes, ours.sizes_of(table, mode)) else "other"
            words = _WORDS[verdict.tree], _WORDS[verdict.surrogates], same
            lines.add_row(name, mode, *words, str(theirs.one_se.splits + 1), str(leaves))
            worst |= "unknown" in (verdict.tree, verdict.surrogates)
            if options.explain:
                _explain(console, f"{name} {mode}", verdict)
    console.print(lines)
    return int(worst)


def _beside_j48(options: argparse.Namespace) -> int:
    lines = Lines("table", "cases", "same answer", "leaves: J48", "ours")
    cases = same = 0
    for name in options.only or tables.RPART:
        table = tables.load(name)
        theirs = j48.run(table)
        own = tw.algorithm("c45").fit(table.X, table.y)
        numbers = np.searchsorted(own.classes_, own.predict(table.X))
        agreed = int((numbers == theirs.answers).sum())
        cases, same = cases + len(numbers), same + agreed
        lines.add_row(name, str(len(numbers)), str(agreed), str(theirs.leaves), str(own.tree_.n_leaves))
    lines.add_row("all", str(cases), str(same), "", "")
    Console().print(lines)
    return 0


def _explain(console: Console, name: str, verdict: Verdict) -> None:
    for found in verdict.found:
        console.print(
            f"{name} {found.path or 'root'} {found.what} ({_WORDS[found.why]}): {found.words}", markup=False
        )


if __name__ == "__main__":
    sys.exit(main())
