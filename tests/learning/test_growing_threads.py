"""One thread and many give the same tree, byte for byte."""

import csv
import gzip
import math
import os
from pathlib import Path

import numpy as np
import pytest
from learning.growing_tables import C45, C45_GROUPED, CART, ID3, Data, core_settings

from thriftwood._core import Table, grow, grow_many

REGRESSION = {"criterion": "squared_error", "nominal": "binary", "reuse_nominal": True}
WAYS = {
    "c45": C45,
    "grouped": C45_GROUPED | {"max_depth": 2},
    "id3": ID3,
    "gini": CART | {"nominal": "multiway"},
    "surrogates": CART | {"missing": "surrogate", "max_depth": 6},
    "majority": CART | {"missing": "majority", "max_exhaustive": 5},
    "best": CART | {"order": "best", "max_leaves": 40},
    "breadth": C45 | {"order": "breadth"},
    "binned": CART | {"bins": 64},
}


def large_table(seed, *, missing, n=24_000):
    """Enough cells for several threads at the top, and enough rows for subtrees of their own below."""
    rng = np.random.default_rng(seed)
    gone = rng.random((8, n)) < missing
    numbers = [rng.normal(size=n) for _ in range(4)] + [rng.integers(0, 30, n).astype(float)]
    codes = [rng.integers(0, v, n).astype(np.int32) for v in (2, 5, 60)]
    signal = numbers[0] + (numbers[1] > 0.5) + (codes[1] == 2) + 0.7 * rng.normal(size=n)
    columns = [np.where(g, np.nan, c) for c, g in zip(numbers, gone, strict=False)]
    columns += [
        (np.where(g, -1, c).astype(np.int32), v) for c, g, v in zip(codes, gone[5:], (2, 5, 60), strict=True)
    ]
    labels = np.clip(np.floor(signal + 1), 0, 2).astype(np.int32)
    return Table.from_columns(columns), labels, signal, rng.integers(0, 5, n) / 2


def assert_threads_agree(table, rules, **target):
    alone = grow(table, core_settings(threads=1, **rules), **target)
    for threads in (2, 4):
        assert grow(table, core_settings(threads=threads, **rules), **target) == alone
    return alone


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("missing", "weighted"), [(0.0, False), (0.05, True)], ids=["plain", "missing and weights"]
)
def test_classes(way, missing, weighted):
    # Fractions multiply the cases, so a deep tree of them would take its time.
    limits = {"max_depth": 7} if missing and "max_depth" not in WAYS[way] else {}
    table, labels, _, weights = large_table(1, missing=missing)
    tree = assert_threads_agree(
        table, WAYS[way] | limits, labels=labels, n_classes=3, weights=weights if weighted else None
    )
    assert tree.n_nodes > 5


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@pytest.mark.parametrize("missing", [0.0, 0.05])
def test_numbers(criterion, missing):
    table, _, numbers, weights = large_table(2, missing=missing, n=10_000)
    rules = REGRESSION | {"criterion": criterion, "max_depth": 6}
    tree = assert_threads_agree(table, rules, numbers=numbers, weights=weights)
    assert tree.n_nodes > 5


def test_many_trees():
    table, labels, _, _ = large_table(3, missing=0.05, n=3000)
    rng = np.random.default_rng(3)
    lists = [np.flatnonzero(rng.random(3000) < 0.3).astype(np.uint32) for _ in range(12)]
    grown = [
        grow_many(table, core_settings(threads=threads, **C45), lists, labels=labels, n_classes=3)[0]
        for threads in (1, 2, 4)
    ]
    assert all(trees == grown[0] for trees in grown)


# ---- the published tables ----


def published(path):
    """A table as it is: numbers where every cell is one, else categories; the last column is the class."""
    with gzip.open(path, "rt", newline="") if path.suffix == ".gz" else path.open(newline="") as file:
        _, *rows = csv.reader(file)
    columns, values = [], []
    for cells in zip(*rows, strict=True):
        try:
            columns.append([float(cell) if cell else math.nan for cell in cells])
            values.append(0)
        except ValueError:
            names = {name: code for code, name in enumerate(sorted(set(cells) - {""}))}
            columns.append([names[cell] if cell else -1 for cell in cells])
            values.append(len(names))
    target = columns.pop()
    names = {name: code for code, name in enumerate(sorted(set(target)))}
    return Data(columns, values[:-1], [names[cell] for cell in target], len(names))


def folder_files():
    folder = os.environ.get("THRIFTWOOD_DATA")
    if not folder:
        return []
    return sorted(
        path for path in Path(folder).iterdir() if path.suffix == ".csv" or path.name.endswith(".csv.gz")
    )


@pytest.mark.skipif(
    not os.environ.get("THRIFTWOOD_DATA"),
    reason="THRIFTWOOD_DATA is not set: the published data files are not here",
)
@pytest.mark.parametrize("path", folder_files(), ids=lambda path: path.name.split(".")[0])
def test_published_tables(path):
    data = published(path)
    table, target = data.table, data.core_target()
    for rules in [C45, CART | {"max_exhaustive": 6}]:
        tree = assert_threads_agree(table, rules, **target)
        assert tree.n_nodes > 1
