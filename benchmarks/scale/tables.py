"""The table that scale is measured on, and how much memory a process holds."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np

COLUMNS, CHUNK = 30, 500_000


def write_table(path: Path, rows: int) -> None:
    """Write a Parquet file of 30 columns of float32 and a class, drawn chunk by chunk."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    schema = pa.schema([*((f"x{j}", pa.float32()) for j in range(COLUMNS)), ("y", pa.int8())])
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
        for first in range(0, rows, CHUNK):
            n = min(CHUNK, rows - first)
            x = rng.standard_normal((COLUMNS, n), dtype=np.float32)
            signal = x[0] + x[1] * x[2] + 0.5 * x[3] + rng.standard_normal(n, dtype=np.float32)
            writer.write_table(pa.table([*x, (signal > 0).astype(np.int8)], schema=schema))


class Memory:
    """The most anonymous memory that the process has held, in MiB."""

    def __init__(self) -> None:
        self.most = 0.0
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while True:
            status = Path("/proc/self/status").read_text()
            self.most = max(self.most, int(status.split("RssAnon:")[1].split()[0]) / 1024)
            time.sleep(0.02)
