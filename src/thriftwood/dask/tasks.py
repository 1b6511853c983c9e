"""The few functions of Dask that are used, which ships no types for them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

try:
    _dask: Any = import_module("dask")
    import_module("dask.dataframe")
except ImportError as error:
    raise ImportError("thriftwood.dask needs Dask: pip install thriftwood[dask].") from error

delayed, compute, persist = _dask.delayed, _dask.compute, _dask.persist
is_collection = _dask.is_dask_collection


def n_threads() -> int:
    """Return how many tasks run at once: on the cluster of the current client, or here."""
    try:
        client = import_module("distributed").get_client()
    except (ImportError, ValueError):
        return int(_dask.config.get("num_workers", None) or _dask.system.CPU_COUNT)
    return max(1, int(sum(client.nthreads().values())))
