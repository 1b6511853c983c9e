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

import numpy as np

from benchmarks.scale.tables import COLUMNS, Memory, write_table


def run(job: str, path: Path) -> dict[str, object]:
    """Learn a tree; `job` is the memory of a scan, or "fit"."""
    import pyarrow.parquet as pq

    import thriftwood as tw

    model = tw.CostTreeClassifier(growth=tw.Growth(max_depth=8, bins=255, missing="branch"))
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
    if job == "fit":
        model.fit(x, y)
    else:
        model.fit_scan(tw.scan(path, target="y"), memory=job, progress=tell)
    after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    core = model.tree_.core
    tree = hash((core.threshold.tobytes(), core.feature.tobytes(), core.values.tobytes()))
    return {"job": job, "cpu": seconds, "passes": passes, "anonymous": memory.most, "tree": tree}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=4_000_000)
    parser.add_argument("--memory", nargs="*", default=["200MB", "2GB"])
    parser.add_argument("--folder", type=Path)
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
        trees = set()
        for job in (*given.memory, "fit"):
            command = [sys.executable, "-m", "benchmarks.scale.fit", "--rows", str(given.rows)]
            command += ["--folder", str(folder), "--job", job]
            own = {**os.environ, "PYTHONHASHSEED": "0"}  # so that hashes of equal trees are equal
            said = subprocess.run(command, check=True, capture_output=True, text=True, env=own)
            done = json.loads(said.stdout.splitlines()[-1])
            trees.add(done["tree"])
            name = "fit in memory" if job == "fit" else f"fit_scan({job})"
            memory = f"{done['anonymous']:7.0f} MiB anonymous"
            print(f"{name:18} {done['cpu']:7.2f} s CPU {done['passes']:3} passes {memory}")
        print("all trees are the same" if len(trees) == 1 else "THE TREES DIFFER")


if __name__ == "__main__":
    main()
