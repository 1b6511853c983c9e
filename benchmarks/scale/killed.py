"""Workers killed with SIGKILL while they look, code, join, count and gather: the same tree each time.

Run `python -m benchmarks.scale.killed`. The first task of a phase kills the process that runs it; the cluster
starts another, and what was lost is computed again. `--restart` also kills all workers at once, and
`--adaptive` lets the cluster grow from one worker to three during fits.
"""

from __future__ import annotations

import argparse
import os
import signal
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

PEERS = ("lightgbm", "xgboost")
PHASES = ("look", "code", "joined", "count", "gather")


class Deadly:
    """A task that kills the process it runs in, once: the file says that it has."""

    def __init__(self, task: Any, mark: str) -> None:
        self.task, self.mark = task, mark

    def __call__(self, *arguments: Any) -> Any:
        """Die, or do the task."""
        try:
            os.close(os.open(self.mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return self.task(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)
        return None


def cases(rows: int) -> Any:
    """Draw a table."""
    import pandas as pd

    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.standard_normal((rows, 6))).add_prefix("x")
    X["text"] = np.array(["a", "b", "c"])[rng.integers(0, 3, rows)]
    X["y"] = (X["x0"] + X["x1"] * X["x2"] + rng.standard_normal(rows) > 0).astype(int)
    return X


def saved(model: Any) -> bytes:
    """Return the bytes of the model's file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.json")
        model.save(path)
        return path.read_bytes()


def fit(model: Any, table: Any) -> bytes:
    """Learn from the cluster."""
    from thriftwood.dask import fit_dask

    return saved(fit_dask(model, table[[name for name in table.columns if name != "y"]], table["y"]))


def main(arguments: list[str] | None = None) -> None:
    """Kill a worker in every phase, and compare."""
    import dask
    import dask.dataframe as dd
    import distributed

    import thriftwood as tw
    from thriftwood.dask import counting
    from thriftwood.learning.scans.counted import Limits

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--phases", nargs="*", default=list(PHASES), choices=PHASES)
    parser.add_argument(
        "--peers", action="store_true", help="also kill a worker of LightGBM.dask and of XGBoost.dask"
    )
    parser.add_argument("--restart", action="store_true")
    parser.add_argument("--adaptive", action="store_true")
    given = parser.parse_args(arguments)
    frame = cases(given.rows)
    model = tw.CostTreeClassifier(growth=tw.Growth(bins=50, missing="branch", max_depth=6))
    wanted = saved(model.fit(frame.drop(columns="y"), frame["y"]))
    limits = Limits(given.rows // 8, given.rows, 10**7)  # some nodes are counted, some gathered
    of, Limits.of = Limits.of, classmethod(lambda cls, *_: limits)  # type: ignore[method-assign]
    settings = {"distributed.scheduler.allowed-failures": 50, "distributed.comm.timeouts.connect": "20s"}
    local = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            dask.config.set(settings),
            distributed.LocalCluster(n_workers=2, **local) as cluster,
            distributed.Client(cluster) as client,
            dask.config.set(scheduler="distributed"),  # a client cannot be told to new workers
        ):
            table = dd.from_pandas(frame, npartitions=8)
            for phase in given.phases:
                plain = getattr(counting, phase)
                mark = Path(folder, phase)
                setattr(counting, phase, Deadly(plain, str(mark)))
                began = time.monotonic()
                try:
                    found = fit(model, table)
                finally:
                    setattr(counting, phase, plain)
                _say(f"killed in {phase}", found == wanted and mark.exists(), began)
            for name in PEERS if given.peers else ():
                _peer(name, table, cluster, client)
            if given.restart:
                timer = threading.Timer(0.5, _kill_all, [cluster])
                began = time.monotonic()
                timer.start()
                same = fit(model, table) == wanted
                timer.join()
                _say("all killed at once", same, began)
            if given.adaptive:
                cluster.adapt(minimum=1, maximum=3, interval="200ms")
                began = time.monotonic()
                same = all(fit(model, table) == wanted for _ in range(3))
                _say("an adaptive cluster", same, began)
    finally:
        Limits.of = of  # type: ignore[method-assign]


def _learn_peer(name: str, X: Any, y: Any, client: Any) -> None:
    """Learn so many trees that a worker can be killed meanwhile."""
    if name == "lightgbm":
        import lightgbm as lgb

        lgb.DaskLGBMClassifier(n_estimators=20_000, num_leaves=63, verbose=-1).fit(X, y)
        return
    from xgboost import dask as dxgb

    data = dxgb.DaskDMatrix(client, X, y)
    dxgb.train(client, {"objective": "binary:logistic"}, data, num_boost_round=20_000)


def _peer(name: str, table: Any, cluster: Any, client: Any) -> None:
    """Kill a worker while another library learns, and say what becomes of the fit."""
    import importlib.util

    if importlib.util.find_spec(name) is None:
        print(f"{name} is not installed")
        return
    client.wait_for_workers(2)  # another one may have been killed just before
    X, y = table[[column for column in table.columns if column.startswith("x")]], table["y"]
    ended: list[str] = []

    def learn() -> None:
        try:
            _learn_peer(name, X, y, client)
            ended.append("completed")
        except Exception as error:  # whatever it is, the fit is lost
            ended.append(f"lost: {type(error).__name__}")

    victim = next(iter(cluster.workers.values())).pid
    fitting = threading.Thread(target=learn, daemon=True)
    fitting.start()
    time.sleep(5.0)
    os.kill(victim, signal.SIGKILL)
    fitting.join(60.0)
    print(
        f"{name}.dask, a worker killed after 5 s: {ended[0] if ended else 'still waiting after 60 s'}",
        flush=True,
    )


def _kill_all(cluster: Any) -> None:
    for worker in cluster.workers.values():
        os.kill(worker.pid, signal.SIGKILL)


def _say(what: str, same: bool, began: float) -> None:
    print(
        f"{what:20} {'the same tree' if same else 'ANOTHER TREE'}, {time.monotonic() - began:5.1f} s",
        flush=True,
    )
    if not same:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
