"""The command: `python -m benchmarks.agreement --help`."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from importlib.metadata import version

import numpy as np
from rich.console import Console
from rich.table import Table as Lines

import thriftwood as tw
from benchmarks.agreement import goldens, j48, ours, rpart, sklearn_tests, tables
from benchmarks.agreement.comparison import Verdict, compared, same_sizes

_WORDS = {"same": "same", "tie": "ties", "count": "rpart's count", "unknown": "DIFFERS"}


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """Parse and check the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.agreement",
        description="Grow the trees of another program and ours on the same tables, side by side.",
        epilog="Ends with 1 when a tree differs by more than ties and what is known of the other program, "
        "or a test for another reason than those that are known.",
    )
    parser.add_argument("program", choices=["rpart", "j48", "sklearn"], help="the program to compare with")
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
    compare = {"rpart": _beside_rpart, "j48": _beside_j48, "sklearn": _by_tests_of_sklearn}
    try:
        return compare[options.program](options)
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


def _by_tests_of_sklearn(options: argparse.Namespace) -> int:
    if options.only:
        print("--only names tables, and the tests of scikit-learn bring their own.", file=sys.stderr)
        return 2
    found = sklearn_tests.run()
    console = Console(highlight=False)
    total = len(found.passed) + len(found.differs)
    console.print(f"{len(found.passed)} of {total} tests of scikit-learn {version('scikit-learn')} pass.")
    lines = Lines("tests", "not for our trees, being about")
    for reason, times in Counter(found.left_out.values()).most_common():
        lines.add_row(str(times), reason)
    console.print(lines)
    lines = Lines("tests", "that differ", "what is otherwise here")
    for test, times in Counter(name.partition("[")[0] for name in found.differs).items():
        lines.add_row(str(times), test, sklearn_tests.EXPLAINED.get(test, "UNKNOWN"))
    console.print(lines)
    for name in found.unexplained:
        console.print(f"{name}: {found.differs[name]}", markup=False)
    return int(bool(found.unexplained))


def _explain(console: Console, name: str, verdict: Verdict) -> None:
    for found in verdict.found:
        console.print(
            f"{name} {found.path or 'root'} {found.what} ({_WORDS[found.why]}): {found.words}", markup=False
        )


if __name__ == "__main__":
    sys.exit(main())
