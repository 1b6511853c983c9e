"""Sources that other libraries read: Arrow datasets, frames, polars' and DuckDB's queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import narwhals as nw

from thriftwood.datasets.scans.source import Source, rows_in_batch


def open_object(data: Any) -> Source | None:
    """Open what another library has; None: nobody here knows it."""
    library = type(data).__module__.partition(".")[0]
    if library == "pyarrow" and hasattr(data, "to_batches") and hasattr(data, "count_rows"):
        return ArrowDataset(data)
    if library == "polars" and hasattr(data, "collect_batches"):
        return LazyQuery(data)
    if library in ("duckdb", "_duckdb") and hasattr(data, "fetchall"):
        return DuckDbQuery(data)
    try:
        frame = nw.from_native(data, eager_only=True)
    except TypeError:
        return None
    return Frame(frame)


class Frame(Source):
    """A frame that is in memory already."""

    name = "The frame"

    def __init__(self, frame: nw.DataFrame[Any]) -> None:
        self._frame = frame
        self.names, self.n_rows = tuple(frame.columns), len(frame)

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        """Give slices of it."""
        step = rows_in_batch(len(columns))
        chosen = self._frame.select(*columns)
        for first in range(0, self.n_rows, step):
            yield chosen[first : first + step].to_native()


class ArrowDataset(Source):
    """A dataset of pyarrow: files in folders, of any format that it reads."""

    name = "The dataset"

    def __init__(self, dataset: Any) -> None:
        self._dataset = dataset
        self.names, self.n_rows = tuple(dataset.schema.names), dataset.count_rows()

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        """Read it in its order."""
        import pyarrow as pa

        wanted = list(columns)
        for batch in self._dataset.to_batches(columns=wanted, batch_size=rows_in_batch(len(wanted))):
            if batch.num_rows:
                yield pa.Table.from_batches([batch]).select(wanted)


class LazyQuery(Source):
    """A LazyFrame of polars, which is run anew for every pass."""

    name = "The LazyFrame"

    def __init__(self, query: Any) -> None:
        import polars as pl

        self._query = query
        self.names = tuple(query.collect_schema().names())
        self.n_rows = int(query.select(pl.len()).collect().item())

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        """Run the query."""
        wanted = list(columns)
        yield from self._query.select(wanted).collect_batches(
            chunk_size=rows_in_batch(len(wanted)), maintain_order=True
        )


class DuckDbQuery(Source):
    """A relation of DuckDB, which is run anew for every pass."""

    name = "The relation"

    def __init__(self, relation: Any) -> None:
        self._relation = relation
        self.names = tuple(relation.columns)
        self.n_rows = int(relation.aggregate("count(*)").fetchall()[0][0])

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        """Run the query."""
        import pyarrow as pa

        chosen = self._relation.project(", ".join('"' + name.replace('"', '""') + '"' for name in columns))
        for batch in chosen.to_arrow_reader(rows_in_batch(len(columns))):
            if batch.num_rows:
                yield pa.Table.from_batches([batch])
