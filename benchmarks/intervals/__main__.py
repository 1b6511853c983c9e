"""``python -m benchmarks.intervals``: prints the table, and ends with 1 if ours has the truth too rarely.

Where so few dear mistakes are to be expected that most samples have none, it is too wide and marked so. Then
the exact coverage by the share of dear mistakes, ours beside the textbook intervals of shares.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.intervals.coverage import PRICES, coverages
from benchmarks.intervals.rates import by_share

LIMITS = 0.92, 0.98


def main() -> int:
    """Measure, print and judge."""
    asked = argparse.ArgumentParser(prog="python -m benchmarks.intervals", description=__doc__)
    asked.add_argument("--simulations", type=int, default=1000)
    asked.add_argument("--cases", type=int, nargs="*", default=[100, 300, 1000])
    asked.add_argument("--prices", choices=list(PRICES), nargs="*", default=list(PRICES))
    given = asked.parse_args()
    missed = False
    sys.stdout.write(f"{'prices':<8} {'of':<11} {'cases':>5}  {'method':<10} {'coverage':>8}  width\n")
    for name in given.prices:
        for n in given.cases:
            for row in coverages(name, n, given.simulations):
                ours = row.method == "ours"
                missed |= ours and row.coverage < LIMITS[0]
                outside = ours and not LIMITS[0] <= row.coverage <= LIMITS[1]
                mark = "  outside 92 to 98 %" if outside else ""
                sys.stdout.write(
                    f"{row.prices:<8} {row.what:<11} {row.n:>5}  {row.method:<10} "
                    f"{100 * row.coverage:>6.1f} %  {row.width:.2f}{mark}\n"
                )
            sys.stdout.flush()
    sys.stdout.write(
        f"\n{'cases':>5}  {'method':<10} {'mean':>6}  {'least':>6}  {'most':>6}  within limits\n"
    )
    for n in given.cases:
        for one in by_share(n, LIMITS):
            missed |= one.method == "ours" and one.least < LIMITS[0]
            figures = "  ".join(f"{100 * figure:>4.1f} %" for figure in (one.mean, one.least, one.largest))
            sys.stdout.write(f"{n:>5}  {one.method:<10} {figures}  {100 * one.within:.0f} % of shares\n")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
