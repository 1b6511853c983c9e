"""A tree from a table that is read in parts, beside one from the table in memory: seconds, passes, memory.

Run `python -m benchmarks.scale.fit --rows 4000000`. Each job is a process of its own, of one thread.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.scale import peers
from benchmarks.scale.tables import COLUMNS, Memory, write_table


def run(job: str, path: Path) -> dict[str, object]:
    """Learn a tree; `job` is the memory of a scan, "fit", or another library."""
    import pyarrow.parquet as pq

    import thriftwood as tw

    model = tw.CostTreeClassifier(growth=tw.Growth(max_depth=peers.DEPTH, bins=peers.BINS, missing="branch"))
    passes, last = 0, 0

    def tell(done: int, total: int) -> None:
        nonlocal passes, last
        passes += done <= last or not last
        last = done

    if job == "fit":
        table = pq.read_table(path)
        x = np.stack([table[f"x{j}"].to_numpy() for j in range(COLUMNS)], axis=1)
        y = table["y"].to_numpy()
        del table
    memory, before = Memory(), resource.getrusage(resource.RUSAGE_SELF)
    if job in peers.installed():
        peers.learn(job, path, path.parent)
    elif job == "fit":
        model.fit(x, y)
    else:
        model.fit_scan(tw.scan(path, target="y"), memory=job, progress=tell)
    after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    tree = 0
    if job not in peers.installed():
        core = model.tree_.core
        tree = hash((core.threshold.tobytes(), core.feature.tobytes(), core.values.tobytes()))
    return {"job": job, "cpu": seconds, "passes": passes, "anonymous": memory.most, "tree": tree}


def in_a_process(job: str, rows: int, folder: Path) -> dict[str, Any]:
    """Run a job by itself."""
    command = [sys.executable, "-m", "benchmarks.scale.fit", "--rows", str(rows)]
    command += ["--folder", str(folder), "--job", job]
    own = {**os.environ, "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}  # hashes of equal trees are equal
    said = subprocess.run(command, check=True, capture_output=True, text=True, env=own)
    found: dict[str, Any] = json.loads(said.stdout.splitlines()[-1])
    return found


def main(arguments: list[str] | None = None) -> None:
    """Run the jobs in turn, as often as is said, and print the least processor seconds of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=4_000_000)
    parser.add_argument("--memory", nargs="*", default=["200MB", "2GB"])
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--peers", action="store_true", help="also LightGBM and XGBoost, if installed")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--job", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.job:
        print(json.dumps(run(given.job, given.folder / f"{given.rows}.parquet")))
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{given.rows}.parquet"
        if not path.exists():
            write_table(path, given.rows)
        size = path.stat().st_size / 1e6
        print(f"{given.rows:,} rows of {COLUMNS} columns, {size:,.0f} MB of Parquet, depth 8, one thread")
        jobs = [*given.memory, "fit", *(peers.installed() if given.peers else [])]
        found: dict[str, list[dict[str, Any]]] = {job: [] for job in jobs}
        for _ in range(given.rounds):
            for job in jobs:
                found[job].append(in_a_process(job, given.rows, folder))
        best = {job: min(runs, key=lambda one: one["cpu"]) for job, runs in found.items()}
        for job, one in best.items():
            name = (
                job if job in peers.installed() else "fit in memory" if job == "fit" else f"fit_scan({job})"
            )
            passes = f"{one['passes']:3} passes" if one["passes"] else " " * 10
            print(f"{name:18} {one['cpu']:7.2f} s CPU {passes} {one['anonymous']:7.0f} MiB anonymous")
        least = min(best[job]["cpu"] for job in given.memory)
        for job in peers.installed() if given.peers else []:
            print(f"a scan takes {least / best[job]['cpu']:.2f} of the processor seconds of {job}")
        trees = {one["tree"] for job in (*given.memory, "fit") for one in found[job]}
        print("all trees are the same" if len(trees) == 1 else "THE TREES DIFFER")


if __name__ == "__main__":
    main()
