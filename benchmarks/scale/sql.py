"""The plain form of a tree in SQL beside a CASE written by hand, and the whole query, in DuckDB.

Run `python -m benchmarks.scale.sql --rows 500000`.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

COLUMNS = 30


def by_hand(tree: Any, node: int = 0) -> str:
    """Write the tree over the columns as they are, as one would without missing values."""
    core = tree.core
    if core.kind[node] == 0:
        return repr(tree.classes[core.label[node]].item())
    low, high = (by_hand(tree, int(core.first_child[node]) + branch) for branch in (0, 1))
    return f"CASE WHEN x{core.feature[node]} <= {float(core.threshold[node])!r} THEN {low} ELSE {high} END"


def seconds_of(database: Any, query: str) -> float:
    began = time.process_time()
    database.execute(f"SELECT count(*), count(answer), min(answer) FROM ({query})").fetchall()
    return time.process_time() - began


def main(arguments: list[str] | None = None) -> None:
    """Time the queries in turn, and print medians and ratios."""
    import duckdb
    import pyarrow as pa

    import thriftwood as tw

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args(arguments)
    rng = np.random.default_rng(0)
    X = rng.standard_normal((given.rows, COLUMNS), dtype=np.float32)
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.standard_normal(given.rows, dtype=np.float32) > 0
    model = tw.CostTreeClassifier(growth=tw.Growth(max_depth=8, bins=255, missing="branch")).fit(
        X, y.astype(int)
    )
    tree = model.tree_
    cases = pa.table({f"x{j}": X[:, j] for j in range(COLUMNS)})
    with duckdb.connect() as database:
        database.execute("SET threads = 1")
        database.register("given", cases)
        database.execute("CREATE TABLE cases AS SELECT row_number() OVER () AS id, * FROM given")
        hand = f"SELECT id, {by_hand(tree)} AS answer FROM cases"
        plain = tw.export_sql(tree, key="id", plain=True)
        same = database.execute(
            f"SELECT count(*) FROM ({hand}) AS h JOIN ({plain}) AS p ON h.id = p.case_id "
            "WHERE h.answer = p.answer"
        ).fetchall()[0][0]
        if same != given.rows:
            raise SystemExit(f"{given.rows - same} answers differ")
        times: dict[str, list[float]] = {"a CASE by hand": [], "plain=True": []}
        for _ in range(given.rounds):
            times["a CASE by hand"].append(seconds_of(database, hand))
            times["plain=True"].append(seconds_of(database, plain))
        database.execute("DELETE FROM cases WHERE id > 2000")
        whole = seconds_of(database, tw.export_sql(tree, key="id"))
    least = float(np.median(times["a CASE by hand"]))
    print(f"{given.rows:,} rows, a tree of {tree.n_nodes} nodes, one thread; answers are the same")
    for name, found in times.items():
        middle = float(np.median(found))
        print(
            f"{name:16} {middle * 1e6 / given.rows:8.3f} us a row {middle / least:6.2f} of the CASE by hand"
        )
    print(f"{'the whole query':16} {whole * 1e6 / min(2000, given.rows):8.3f} us a row")


if __name__ == "__main__":
    main()
