"""The partitions of Dask collections, and how coded ones are divided among threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from thriftwood.dask.tasks import is_collection
from thriftwood.datasets.scans import Roles
from thriftwood.learning.scans.survey import Batch

TARGET, WEIGHT = "y", "sample_weight"
"""What messages call the collections that hold what is to be predicted, and what cases count."""


class Partitions(NamedTuple):
    """A table and its target on a cluster."""

    parts: list[tuple[Any, Any, Any]]
    """Delayed: features, target, and weights or None."""
    weighted: bool

    @property
    def roles(self) -> Roles:
        """What is predicted and counted; the features are a frame or an array of their own."""
        return Roles((), TARGET, WEIGHT if self.weighted else None)


def partitions_of(X: Any, y: Any, sample_weight: Any = None) -> Partitions:
    """Take a Dask DataFrame or Array apart."""
    given = {"X": X, TARGET: y, **({} if sample_weight is None else {WEIGHT: sample_weight})}
    pieces = delayed_parts(given)
    weights = pieces.get(WEIGHT, [None] * len(pieces["X"]))
    triples = list(zip(pieces["X"], pieces[TARGET], weights, strict=True))
    return Partitions(triples, sample_weight is not None)


def divided(
    sizes: Sequence[int], places: Sequence[str | None], threads: Mapping[str, int]
) -> list[list[int]]:
    """Divide coded partitions among threads, and give the numbers of those of each.

    A partition stays where it is, unless a thread would get a tenth more than its share: moving codes costs
    more than counting them.

    Parameters
    ----------
    sizes : sequence of int
        Their cases.
    places : sequence of str or None
        Where they are; None: not known.
    threads : mapping
        How many threads each place has.

    Examples
    --------
    >>> divided([5, 5, 5, 5], ["b", "a", "b", "a"], {"a": 1, "b": 1})
    [[1, 3], [0, 2]]
    >>> divided([5, 5, 5, 5], ["a", "a", "a", "a"], {"a": 1, "b": 1})
    [[0, 1], [2, 3]]
    """
    homes = [place for place, n in threads.items() for _ in range(n)]
    groups: list[list[int]] = [[] for _ in homes]
    loads = [0] * len(homes)
    share = 1.1 * sum(sizes) / len(homes)

    def put(part: int, among: list[int], most: float) -> bool:
        least = min(among, key=loads.__getitem__, default=None)
        if least is None or loads[least] + sizes[part] > most:
            return False
        groups[least].append(part)
        loads[least] += sizes[part]
        return True

    at = {place: [i for i, home in enumerate(homes) if home == place] for place in threads}
    for part in [i for i, place in enumerate(places) if not put(i, at.get(place or "", []), share)]:
        put(part, list(range(len(homes))), np.inf)
    return [sorted(group) for group in groups if group]


def delayed_parts(given: dict[str, Any]) -> dict[str, list[Any]]:
    """Take collections apart that belong together, by their names; an error if their partitions differ."""
    for name, one in given.items():
        if not is_collection(one) or not hasattr(one, "to_delayed"):
            raise TypeError(
                f"{name} must be a Dask DataFrame, Series or Array. Got {type(one).__name__}. For a table "
                "in memory use the estimator of the same name without Dask."
            )
    pieces = {name: _delayed(one) for name, one in given.items()}
    if _differ(pieces):
        # Dask joins partitions of a file by how many of its columns are read: fewer for y than for X.
        pieces = {name: _delayed(one, optimize=False) for name, one in given.items()}
    if _differ(pieces):
        counts = {name: len(parts) for name, parts in pieces.items()}
        raise ValueError(
            f"{' and '.join(counts)} must have the same partitions. They have {counts}. Take them from one "
            "collection, or call repartition(npartitions=...) on one of them, where rows stay in order."
        )
    return pieces


def _differ(pieces: dict[str, list[Any]]) -> bool:
    return len({len(parts) for parts in pieces.values()}) > 1


def _delayed(collection: Any, optimize: bool = True) -> list[Any]:
    if getattr(collection, "ndim", 1) == 2 and hasattr(collection, "rechunk"):
        collection = collection.rechunk({1: -1})  # whole rows
    return list(np.ravel(np.array(collection.to_delayed(optimize_graph=optimize), dtype=object)))


def batch_of(roles: Roles, part: tuple[Any, Any, Any], first_row: int) -> Batch | None:
    """Make a batch of a partition; None: it has no rows."""
    X, y, weights = part
    others = {TARGET: y, **({} if weights is None else {WEIGHT: weights})}
    for name, one in others.items():
        if len(one) != len(X):
            raise ValueError(f"A partition of X has {len(X)} rows, and that of {name} has {len(one)}.")
    if not len(X):
        return None
    frame = pd.DataFrame({name: _column(name, one) for name, one in others.items()})
    return Batch(roles, frame, first_row, X if hasattr(X, "columns") else np.asarray(X))


def _column(name: str, values: Any) -> Any:
    if getattr(values, "ndim", 1) == 2:
        if values.shape[1] != 1:
            raise ValueError(f"{name} must have one column, and has {values.shape[1]}.")
        values = values.iloc[:, 0] if hasattr(values, "iloc") else values[:, 0]
    return values.reset_index(drop=True) if hasattr(values, "reset_index") else np.asarray(values)
