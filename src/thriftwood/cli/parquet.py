"""Tables written as Parquet, some rows at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from thriftwood.cli.writing import Columns, Write


@contextmanager
def parquet_writer(path: Path) -> Iterator[Write]:
    """Give a function to call with columns; None and NaN are null.

    The first rows decide the types: a column of texts, of booleans, of whole numbers or of floats stays so.
    """
    with ExitStack() as stack:
        writer: Any = None

        def write(columns: Columns) -> None:
            nonlocal writer
            if writer is None:
                schema = pa.schema([(name, _type(values)) for name, values in columns.items()])
                writer = stack.enter_context(pq.ParquetWriter(path, schema))
            arrays = [
                pa.array(
                    _texts(values) if field.type == pa.string() else values, field.type, from_pandas=True
                )
                for values, field in zip(columns.values(), writer.schema, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=writer.schema))

        yield write


def _texts(values: Sequence[Any]) -> list[str | None]:
    return [None if value is None else str(value) for value in values]


def _type(values: Sequence[Any]) -> Any:
    """Find the type of a column; one without any value may hold texts."""
    kinds = {type(value) for value in values if value is not None}
    for kind, found in ((bool, pa.bool_()), (int, pa.int64()), (float, pa.float64())):
        if kinds == {kind}:
            return found
    return pa.float64() if kinds == {int, float} else pa.string()
