"""How long trees take that are learnt anew at other prices: `python -m benchmarks.what_if`.

A table of 500 x 15 numbers, the usual search of `tw.what_if`; every price, and what a mistake costs, is
turned through its range until enough trees were learnt. All of it is one thread, and seconds of CPU count: on
a core of its own they are those of the clock.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import cycle
from typing import Any, NamedTuple

import numpy as np

import thriftwood as tw

ROWS, COLUMNS = 500, 15
FITS, SECONDS = 1000, 20.0


class Measured(NamedTuple):
    """What was done, and how long it took."""

    learner: str
    fits: int
    questions: int
    flips: int
    seconds: float
    cpu_seconds: float

    @property
    def line(self) -> str:
        """The figures in words."""
        each = 1000 * self.cpu_seconds / self.fits
        return (
            f"{self.learner}: {self.fits} fits for {self.questions} ranges with {self.flips} flips in "
            f"{self.seconds:.1f} s ({self.cpu_seconds:.1f} s of CPU, {each:.1f} ms a fit)"
        )


def table(rows: int = ROWS, columns: int = COLUMNS, seed: int = 0) -> tuple[Any, Any, tw.Costs]:
    """Draw a table whose tests tell alone, together, or nothing; and its price list."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns))
    score = X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * X[:, 3] + 0.3 * rng.normal(size=rows)
    y = np.where(score > 0, "sick", "well")
    prices = {f"x{place}": float(price) for place, price in enumerate(rng.integers(1, 10, columns))}
    return X, y, tw.Costs(prices, errors={"sick": {"well": 400}, "well": {"sick": 120}})


def questions(costs: tw.Costs) -> Iterator[dict[str, Any]]:
    """Ask about one price after another, and about both mistakes, again and again."""
    own: list[dict[str, Any]] = [{"price": {name: (0, 60)}} for name in costs.tests]
    own += [{"error": {pair: (10, 2000)}} for pair in (("sick", "well"), ("well", "sick"))]
    yield from cycle(own)


def measure(fits: int, learner: Any = None, rows: int = ROWS, columns: int = COLUMNS) -> Measured:
    """Learn so many trees, and say how long it took."""
    X, y, costs = table(rows, columns)
    done, asked, flips = 0, 0, 0
    begun, begun_cpu = time.perf_counter(), time.process_time()
    for question in questions(costs):
        found = tw.what_if(X, y, costs, **question, learner=learner)
        done, asked, flips = done + found.n_fits, asked + 1, flips + len(found.flips)
        if done >= fits:
            break
    taken = time.perf_counter() - begun, time.process_time() - begun_cpu
    return Measured(found.trees.words, done, asked, flips, *taken)


def main(given: list[str] | None = None) -> int:
    """Measure, print, and return 1 if the usual search takes too long."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.what_if", description=__doc__)
    parser.add_argument("--fits", type=int, default=FITS, help="how many trees to learn at least")
    options = parser.parse_args(given)
    if options.fits < 1:
        parser.error("--fits must be 1 or more")
    usual = measure(options.fits)
    print(usual.line)
    print(measure(options.fits, "min-total-cost").line)
    allowed = SECONDS * options.fits / FITS
    taken = usual.cpu_seconds * options.fits / usual.fits
    said = f"{options.fits} fits of {ROWS} x {COLUMNS}: {taken:.1f} s of one core"
    print(f"{said}, at most {allowed:.1f} are allowed.")
    return int(taken > allowed)


if __name__ == "__main__":
    sys.exit(main())
