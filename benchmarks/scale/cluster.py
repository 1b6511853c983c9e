"""A tree on a cluster of two workers: what growth takes beside one process, and what it takes to learn.

Run `python -m benchmarks.scale.cluster --rows 4000000 --peers`. A Parquet file of 30 columns is held by two
workers of one thread each, as Dask DataFrame of 16 partitions; one tree of depth 8. Growth is counting,
gathering and choosing, and begins when all is coded; its processor seconds are those of the workers and of
this process, beside those of `fit_scan` in one process of one thread from the same codes. LightGBM.dask and
XGBoost.dask learn one tree of depth 8 from the same collection.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.scale.peers import BINS, DEPTH
from benchmarks.scale.tables import COLUMNS, write_table

PEERS = ("lightgbm", "xgboost")
NAMES = [f"x{j}" for j in range(COLUMNS)]


def cpu_seconds() -> float:
    """Return the processor seconds of this process; workers are asked to run it, too."""
    spent = os.times()
    return spent.user + spent.system


class Meter:
    """Processor seconds of workers and this process, and seconds on the clock, by phase."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.cpu: dict[str, float] = {}
        self.wall: dict[str, float] = {}

    def _spent(self) -> float:
        return cpu_seconds() + float(sum(self._client.run(cpu_seconds).values()))

    def timed(self, phase: str, work: Callable[[], Any]) -> Any:
        """Do some work and add what it took."""
        cpu, wall = self._spent(), time.monotonic()
        made = work()
        self.wall[phase] = self.wall.get(phase, 0.0) + time.monotonic() - wall
        self.cpu[phase] = self.cpu.get(phase, 0.0) + self._spent() - cpu
        return made


def model_of() -> Any:
    """Return the estimator."""
    import thriftwood as tw

    growth = tw.Growth(max_depth=DEPTH, bins=BINS, missing="branch")
    return tw.CostTreeClassifier(growth=growth, n_jobs=1)


def one_process(path: Path, memory: str, folder: Path) -> tuple[float, Any]:
    """Grow the tree from codes in a cache: processor seconds without writing them, and the model."""
    import thriftwood as tw

    model, scan = model_of(), tw.scan(path, target="y")
    model.fit_scan(scan, memory=memory, cache=folder)  # writes the codes
    began = cpu_seconds()
    model.fit_scan(scan, memory=memory, cache=folder)
    return cpu_seconds() - began, model


def on_workers(table: Any, memory: str, meter: Meter) -> Any:
    """Learn from the collection; growth is timed apart."""
    from distributed import futures_of, wait

    from thriftwood.dask import fitting

    model = model_of()
    grow = fitting.DaskTable.grow

    def timed(self: Any, *arguments: Any) -> Any:
        wait(futures_of(self.counter.codes.parts))  # coding goes on while `fit_dask` prepares growth
        return meter.timed("growth", lambda: grow(self, *arguments))

    fitting.DaskTable.grow = timed  # type: ignore[method-assign]
    try:
        return meter.timed("fit", lambda: fitting.fit_dask(model, table[NAMES], table["y"], memory=memory))
    finally:
        fitting.DaskTable.grow = grow  # type: ignore[method-assign]


def learn_peer(name: str, table: Any, client: Any) -> None:
    """Learn one tree with another library."""
    X, y = table[NAMES], table["y"]
    if name == "lightgbm":
        import lightgbm as lgb

        lgb.DaskLGBMClassifier(
            n_estimators=1,
            max_depth=DEPTH,
            num_leaves=2**DEPTH,
            max_bin=BINS,
            verbose=-1,
            min_child_samples=1,
        ).fit(X, y)
        return
    from xgboost import dask as dxgb

    settings = {"objective": "binary:logistic", "max_depth": DEPTH, "max_bin": BINS, "tree_method": "hist"}
    data = dxgb.DaskQuantileDMatrix(client, X, y, max_bin=BINS)
    dxgb.train(client, settings | {"nthread": 1}, data, num_boost_round=1)


def main(arguments: list[str] | None = None) -> None:
    """Learn in one process, on two workers, and with other libraries."""
    import dask.dataframe as dd
    import distributed

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=4_000_000)
    parser.add_argument("--memory", default="500MB")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--peers", action="store_true", help="also LightGBM.dask and XGBoost.dask")
    given = parser.parse_args(arguments)
    local = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
    peers = [name for name in PEERS if given.peers and find_spec(name)]
    with (
        tempfile.TemporaryDirectory() as temporary,
        distributed.LocalCluster(**local) as cluster,
        distributed.Client(cluster) as client,
    ):
        folder = given.folder or Path(temporary)
        path = folder / f"{given.rows}.parquet"
        if not path.exists():
            write_table(path, given.rows)
        print(
            f"{given.rows:,} rows of {COLUMNS} columns, depth {DEPTH}, two workers of one thread", flush=True
        )
        table = dd.read_parquet(path, split_row_groups=True).repartition(npartitions=16).persist()
        distributed.wait(table)
        best: dict[str, float] = {}

        def least(what: str, seconds: float) -> None:
            best[what] = min(best.get(what, seconds), seconds)

        for _ in range(given.rounds):
            alone, wanted = one_process(path, given.memory, Path(temporary, "codes"))
            meter = Meter(client)
            found = on_workers(table, given.memory, meter)
            if found.tree_ != wanted.tree_:
                raise SystemExit("THE TREES DIFFER")
            least("one process, growth, CPU", alone)
            least("two workers, growth, CPU", meter.cpu["growth"])
            least("two workers, growth, wall", meter.wall["growth"])
            least("two workers, fit, CPU", meter.cpu["fit"])
            least("two workers, fit, wall", meter.wall["fit"])
            for name in peers:
                other = Meter(client)
                other.timed("fit", lambda name=name: learn_peer(name, table, client))
                least(f"{name}.dask, fit, CPU", other.cpu["fit"])
                least(f"{name}.dask, fit, wall", other.wall["fit"])
    for what, seconds in best.items():
        print(f"{what:28} {seconds:8.2f} s")
    ratio = best["two workers, growth, CPU"] / best["one process, growth, CPU"]
    print(f"growth on two workers takes {ratio:.2f} of one process's processor seconds; the same tree")
    for name in peers:
        times = best[f"{name}.dask, fit, wall"] / best["two workers, fit, wall"]
        print(f"{name}.dask takes {times:.1f} times as long on the clock")


if __name__ == "__main__":
    main()
