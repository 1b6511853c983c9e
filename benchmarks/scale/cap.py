"""A hard cap on memory, and a table several times as large: fit, bill and predict from the shell.

Run `python -m benchmarks.scale.cap --cap 2GB --times 4`. Each command is a process whose private memory the
kernel limits (RLIMIT_DATA: heap, stacks and anonymous mappings; an allocation beyond it fails). Codes are
mapped from a file, which is not private memory.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.scale.tables import COLUMNS, write_table

ROW_BYTES = COLUMNS * 4 + 1
PRICES = (
    "[tests]\n" + "".join(f"x{j} = 1\n" for j in range(COLUMNS)) + "[errors.0]\n1 = 60\n[errors.1]\n0 = 60\n"
)
TREE = [
    "--algorithm",
    "min-total-cost",
    "--set",
    "bins=auto",
    "--set",
    "missing=branch",
    "--set",
    "max_depth=8",
]


def bytes_of(size: str) -> int:
    """Read a size such as 2GB."""
    from thriftwood.learning.scans.fitting import bytes_of

    return bytes_of(size)


def run(words: list[str], cap: int) -> float:
    """Run a command below the cap; return its processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limits = (cap, cap)
    command = [sys.executable, "-c", "from thriftwood.cli import app; app()", *words]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, limits),
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} failed ({done.returncode}):\n{done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(arguments: list[str] | None = None) -> None:
    """Write the table, and run the three commands."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cap", default="2GB")
    parser.add_argument("--times", type=float, default=4.0)
    parser.add_argument("--memory", default=None, help="what fit is told; half of the cap if not given")
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args(arguments)
    cap = bytes_of(given.cap)
    rows = int(cap * given.times / ROW_BYTES)
    with tempfile.TemporaryDirectory(dir=given.folder) as temporary:
        folder = Path(temporary)
        path = folder / "cases.parquet"
        write_table(path, rows)
        (folder / "costs.toml").write_text(PRICES)
        size = path.stat().st_size
        print(
            f"{rows:,} rows of {COLUMNS} columns, {size / 1e6:,.0f} MB of Parquet; cap {cap / 1e6:,.0f} MB",
            flush=True,
        )
        memory = given.memory or f"{cap // 2_000_000}MB"
        model, costs = str(folder / "tree.json"), str(folder / "costs.toml")
        commands = {
            "fit": [
                "fit",
                str(path),
                "--target",
                "y",
                "--costs",
                costs,
                "--memory",
                memory,
                *TREE,
                "-o",
                model,
            ],
            "bill": ["bill", model, str(path), "--target", "y"],
            "predict": ["predict", model, str(path), "-o", str(folder / "answers.parquet")],
        }
        for name, words in commands.items():
            began = time.monotonic()
            seconds = run(words, cap)
            wall = time.monotonic() - began
            print(f"{name:8} {seconds:8.1f} s CPU {wall:8.1f} s wall, completed below the cap", flush=True)
        print("all three completed")


if __name__ == "__main__":
    main()
