"""A sample of a scan, drawn by class, and what all of its cases count at the nodes of a tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.datasets.scans import Scan
from thriftwood.learning.scans.survey import Batch, Survey, batches
from thriftwood.table import Encoded
from thriftwood.table.native import core_table

FloatArray = NDArray[np.float64]


class DrawnCases(NamedTuple):
    """Some cases of a scan, encoded."""

    encoded: Encoded
    y: NDArray[Any]
    weights: FloatArray | None

    def __len__(self) -> int:
        return len(self.y)


def places_of(counts: Sequence[int], most: int, seed: int) -> list[NDArray[np.int64]]:
    """Draw of each class its share of so many cases, and at least one: their places among its cases.

    Examples
    --------
    >>> [len(places) for places in places_of([900, 99, 1], 100, seed=0)]
    [90, 10, 1]
    >>> [places.tolist() for places in places_of([2, 1], 100, seed=0)]
    [[0, 1], [0]]
    """
    rng = np.random.default_rng(seed)
    total = sum(counts)
    drawn = []
    for n in counts:
        share = n if total <= most else min(n, max(1, round(most * n / total)))
        chosen = rng.choice(n, share, replace=False, shuffle=False) if share < n else np.arange(n)
        drawn.append(np.sort(chosen).astype(np.int64))
    return drawn


def draw(
    scan: Scan, seen: Survey, most: int, seed: int, tell: Callable[[int], None] | None = None
) -> DrawnCases:
    """Read a scan for the second time, and keep about so many of its cases."""
    assert seen.classes is not None
    places = places_of(seen.counts.tolist(), most, seed)
    passed = np.zeros(len(places), dtype=np.int64)
    pieces: list[list[NDArray[Any]]] = [[] for _ in range(seen.encoder.n_features)]
    labels: list[NDArray[np.intp]] = []
    weights: list[FloatArray] = []
    for batch in batches(scan, tell):
        own, counted = class_numbers(batch, seen.classes), batch.weights()
        kept = []
        for c, drawn in enumerate(places):
            rows = np.flatnonzero((own == c) if counted is None else (own == c) & (counted > 0))
            first, last = np.searchsorted(drawn, [passed[c], passed[c] + len(rows)])
            kept.append(rows[drawn[first:last] - passed[c]])
            passed[c] += len(rows)
        chosen = np.sort(np.concatenate(kept))
        if not len(chosen):
            continue
        for column, values in zip(pieces, encoded_columns(seen.encoder.encode(batch.features)), strict=True):
            column.append(values[chosen])
        labels.append(own[chosen])
        if counted is not None:
            weights.append(counted[chosen])
    columns = [np.concatenate(column) for column in pieces]
    missing = seen.first_missing is not None
    encoded = Encoded(len(columns[0]), len(columns), missing, columns=columns)
    y = seen.classes[np.concatenate(labels)]
    return DrawnCases(encoded, y, np.concatenate(weights) if weights else None)


def class_numbers(batch: Batch, classes: NDArray[Any]) -> NDArray[np.intp]:
    """Return the place of each case's class among the classes."""
    numbers = {name: number for number, name in enumerate(classes.tolist())}
    names, codes, _ = batch.labels()
    try:
        return np.array([numbers[name] for name in names], dtype=np.intp)[codes]
    except KeyError as error:
        raise ValueError(f"The table has changed since it was read first: it has a class {error}.") from None


def encoded_columns(encoded: Encoded) -> list[NDArray[Any]]:
    """Return the columns of an encoded batch."""
    if encoded.columns is not None:
        return encoded.columns
    assert encoded.dense is not None  # batches are frames
    return [np.ascontiguousarray(encoded.dense[:, j]) for j in range(encoded.n_features)]


def ended_cases(
    scan: Scan, seen: Survey, tree: _core.Tree, n_threads: int, tell: Callable[[int], None] | None = None
) -> FloatArray:
    """Read a scan once more: what the cases of each class weigh that end at each node of a tree."""
    assert seen.classes is not None
    ended = np.zeros((tree.n_nodes, len(seen.classes)))
    for batch in batches(scan, tell):
        encoded = seen.encoder.encode(batch.features)
        if encoded.unseen:
            raise ValueError(f"The table has changed since it was read first: {encoded.unseen[0]}.")
        nodes = tree.apply(core_table(encoded, seen.encoder), n_threads)
        weights = batch.weights()
        np.add.at(ended, (nodes, class_numbers(batch, seen.classes)), 1.0 if weights is None else weights)
    return ended
