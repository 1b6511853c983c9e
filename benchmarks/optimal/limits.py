"""Whether a time budget and a memory limit are kept, and what is said after a short search is true."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import numpy as np

import thriftwood as tw
from benchmarks.optimal.verdict import Verdict

BUDGETS = (0.5, 2.0)
MEGABYTES = (5, 10)

_MEMORY = """
import sys
import numpy as np, thriftwood as tw


def peak():  # of this process alone: getrusage begins with what the process was forked from
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 / 1e6 for line in file if line.startswith("VmHWM"))


rng = np.random.default_rng(0)
X, y = rng.integers(0, 2, (500, 60)), rng.integers(0, 2, 500)
tw.OptimalTreeClassifier(max_depth=2).fit(X[:100], y[:100])
before = peak()
tw.OptimalTreeClassifier(max_depth=6, memory_limit=float(sys.argv[1]), time_budget=8).fit(X, y)
print(peak() - before)
"""


def hard_table(rows: int = 2000, columns: int = 30) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers that say nothing about the class: nothing can be ruled out early."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(rows, columns)), rng.integers(0, 3, rows)


def kept_budgets() -> Iterator[Verdict]:
    """Search a table that takes hours for some seconds."""
    X, y = hard_table()
    for budget in BUDGETS:
        model = tw.OptimalTreeClassifier(max_depth=5, time_budget=budget)
        begun = time.perf_counter()
        model.fit(X, y)
        taken = time.perf_counter() - begun
        yield Verdict(
            f"time_budget={budget:g}", taken, budget, 1.1, model.ended_ == "time", f"gap {model.gap_:.3g}"
        )


def kept_memory() -> Iterator[Verdict]:
    """Search a table of many subsets in little memory; ours and theirs are megabytes here."""
    for limit in MEGABYTES:
        run = subprocess.run(
            [sys.executable, "-c", _MEMORY, str(limit)], capture_output=True, text=True, check=True
        )
        yield Verdict(f"memory_limit={limit}, MB", float(run.stdout), limit, 1.2)


def true_gaps() -> Iterator[Verdict]:
    """Compare what short searches say with what the whole search finds; ours and theirs are costs here."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 12)).round(1)
    y = ((X[:, 0] > 0) ^ (X[:, 3] > 0.5)).astype(int) + (rng.random(400) < 0.2)
    costs = tw.Costs({f"x{i}": 0.02 * (i + 1) for i in range(12)}, errors_default=5)
    whole = tw.OptimalTreeClassifier(costs, max_depth=4).fit(X, y)
    slack = 1e-9 * whole.cost_
    for budget in (0.02, 0.1, 0.5):
        part = tw.OptimalTreeClassifier(costs, max_depth=4, time_budget=budget).fit(X, y)
        bounds = part.lower_bound_ - slack <= whole.cost_ <= part.cost_ + slack
        true = bounds and part.gap_ >= (part.cost_ - whole.cost_) / part.cost_ - 1e-9
        words = f"at least {part.lower_bound_:.6g}, best {whole.cost_:.6g}, found {part.cost_:.6g}"
        yield Verdict(
            f"gap after {budget:g} s ({part.ended_})", part.cost_, whole.cost_, equal=true, words=words
        )
