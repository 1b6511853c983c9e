"""How long a fit takes on 1, 10, 100 and 1,000 workers, worked out from tasks that are measured here.

Run `python -m benchmarks.scale.workers --rows 1000000000`. The tasks of a cluster (look, code, count)
are run on a partition of some rows and timed; what a cluster adds is given: what a task costs its scheduler,
and how fast its network is. Nothing is run on a cluster, so these are figures on paper.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.scale.tables import COLUMNS

CLASSES, CODES = 2, 256
GATHERED = 1 << 20
"""Cases of a node that is gathered and not counted."""


@dataclass(frozen=True)
class Tasks:
    """Processor seconds of tasks: for each row, and of a count with one node and with many."""

    look: float
    code: float
    count_first: float
    count_later: float
    """Of a later level: every row is led to its node, and the smaller branches are counted."""
    choose: float
    """Of one node, in the process that calls fit."""


@dataclass(frozen=True)
class Cluster:
    """What a cluster adds."""

    task: float
    """Seconds that a task costs the scheduler."""
    bandwidth: float
    """Bytes a second, of each worker and of the process that calls fit."""
    fold: int


def measured(rows: int, rounds: int = 3) -> Tasks:
    """Run the tasks on one partition, and take the median of several times."""
    import pandas as pd
    from dask import config

    import thriftwood as tw
    from thriftwood.dask import counting
    from thriftwood.dask import fitting as dask_fitting
    from thriftwood.learning.scans.counted import Limits

    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.standard_normal((rows, COLUMNS), dtype=np.float32)).add_prefix("x")
    signal = X["x0"] + X["x1"] * X["x2"] + 0.5 * X["x3"] + rng.standard_normal(rows)
    y = (signal > 0).astype(np.int8)
    times: dict[str, list[float]] = {}

    def timed(name: str, task: Any) -> Any:
        def run(*arguments: Any) -> Any:
            began = time.process_time()
            made = task(*arguments)
            times.setdefault(name, []).append(time.process_time() - began)
            return made

        return run

    import dask.dataframe as dd

    table = dd.from_pandas(X, npartitions=1)
    target = dd.from_pandas(y.rename("y"), npartitions=1)
    model = tw.CostTreeClassifier(growth=tw.Growth(max_depth=4, bins=255, missing="branch"))
    names = ("look", "code", "count")
    plain = {name: getattr(counting, name) for name in names}
    limits = Limits.of
    try:
        for name in names:
            setattr(counting, name, timed(name, plain[name]))
        Limits.of = classmethod(lambda cls, *_: Limits(1, 1, 10**9))  # type: ignore[method-assign]
        with config.set(scheduler="sync"):
            began = time.process_time()
            for _ in range(rounds):
                dask_fitting.fit_dask(model, table, target)
            whole = time.process_time() - began
    finally:
        for name in names:
            setattr(counting, name, plain[name])
        Limits.of = limits  # type: ignore[method-assign]
    counts = np.array(times["count"]).reshape(rounds, -1)
    spent = sum(map(sum, times.values()))
    nodes = rounds * model.tree_.n_nodes
    return Tasks(
        *(float(np.median(times[name])) / rows for name in names[:2]),
        float(np.median(counts[:, 0])) / rows,
        float(np.median(counts[:, 1:])) / rows,
        max(0.0, whole - spent) / nodes,
    )


def simulated(tasks: Tasks, cluster: Cluster, rows: int, depth: int, workers: int) -> dict[str, float]:
    """Work out the seconds of a fit, by what takes them."""
    own = rows / workers
    levels = [level for level in range(depth) if rows / 2**level > GATHERED]
    folds = max(0, math.ceil(math.log(workers, cluster.fold))) if workers > 1 else 0
    tasks_of_a_round = sum(math.ceil(workers / cluster.fold**k) for k in range(folds + 1))
    counting = network = scheduling = choosing = sent = 0.0
    for level in levels:
        goals = max(1, 2**level // 2)
        reply = goals * CODES * COLUMNS * CLASSES * 4
        counting += own * (tasks.count_first if level == 0 else tasks.count_later)
        network += folds * cluster.fold * reply / cluster.bandwidth if workers > 1 else 0.0
        scheduling += tasks_of_a_round * cluster.task
        choosing += 2**level * tasks.choose
        sent += reply
    reading = own * (tasks.look + tasks.code)
    scheduling += 3 * workers * cluster.task
    return {
        "reading": reading,
        "counting": counting,
        "network": network,
        "scheduler": scheduling,
        "choosing": choosing,
        "together": reading + counting + network + scheduling + choosing,
        "rounds": float(len(levels)),
        "MB to fit": sent / 1e6,
    }


def main(arguments: list[str] | None = None) -> None:
    """Measure tasks and print what they come to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000_000)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--measured-rows", type=int, default=200_000)
    parser.add_argument("--task", type=float, default=0.001, help="seconds that a task costs the scheduler")
    parser.add_argument("--gigabits", type=float, default=10.0)
    given = parser.parse_args(arguments)
    tasks = measured(given.measured_rows)
    cluster = Cluster(given.task, given.gigabits * 1e9 / 8, 8)
    cells = 1e9 / COLUMNS
    print(
        f"A cell takes: look {tasks.look * cells:.2f} ns, code "
        f"{tasks.code * cells:.2f}, count the root {tasks.count_first * cells:.2f}, a later level "
        f"{tasks.count_later * cells:.2f}; to choose a node's test {tasks.choose * 1e3:.2f} ms."
    )
    print(
        f"{given.rows:,} rows of {COLUMNS} columns, depth {given.depth}; {given.task * 1e3:g} ms a task, "
        f"{given.gigabits:g} gigabits. Codes: {given.rows * (COLUMNS + 2) / 1e9:,.1f} GB in all."
    )
    header = ["reading", "counting", "network", "scheduler", "choosing", "together"]
    print("workers  codes each " + " ".join(f"{name:>10}" for name in header) + "   rounds  MB to fit")
    for workers in (1, 10, 100, 1000):
        found = simulated(tasks, cluster, given.rows, given.depth, workers)
        each = given.rows * (COLUMNS + 2) / workers / 1e9
        figures = " ".join(f"{found[name]:8.1f} s" for name in header)
        print(f"{workers:7} {each:8.2f} GB {figures} {found['rounds']:8.0f} {found['MB to fit']:10.0f}")


if __name__ == "__main__":
    main()
