"""The few functions of Dask that are used, which ships no types for them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

try:
    _dask: Any = import_module("dask")
    import_module("dask.dataframe")
except ImportError as error:
    raise ImportError("thriftwood.dask needs Dask: pip install thriftwood[dask].") from error

delayed, compute, persist = _dask.delayed, _dask.compute, _dask.persist
is_collection = _dask.is_dask_collection


HERE = "here"
"""The place of a process without a cluster."""


def threads() -> dict[str, int]:
    """Return how many tasks run at once, by worker of the current client, or here."""
    client = _client()
    if client is None:
        return {HERE: int(_dask.config.get("num_workers", None) or _dask.system.CPU_COUNT)}
    return {place: int(n) for place, n in client.nthreads().items()} or {HERE: 1}


def places(persisted: Sequence[Any]) -> list[str | None]:
    """Wait for results, and say which worker has each; None: nobody knows."""
    client = _client()
    found = [] if client is None else import_module("distributed").futures_of(list(persisted))
    if client is None or len(found) != len(persisted):
        return [None] * len(persisted)
    import_module("distributed").wait(found)
    holders = client.who_has(found)
    return [min(holders.get(future.key, ()), default=None) for future in found]


def _client() -> Any:
    """Return the current client of a cluster; None: there is none."""
    try:
        return import_module("distributed").get_client()
    except (ImportError, ValueError):
        return None
