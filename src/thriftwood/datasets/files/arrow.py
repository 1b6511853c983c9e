"""Parquet and Arrow (Feather) files, read by pyarrow or polars, whichever is installed."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from thriftwood.costs.names import class_name, first_repeat
from thriftwood.datasets.columns import Column
from thriftwood.datasets.files.table import FileColumn, FileTable
from thriftwood.table import Kind
from thriftwood.table.columns import arrange
from thriftwood.table.frames import frame_columns
from thriftwood.table.raw import RawColumn


@dataclass(frozen=True, eq=False)
class FrameColumn(FileColumn):
    """A column of a frame; what cannot be learnt from is refused when it is asked for, not before."""

    name: str
    frame: nw.DataFrame[Any]
    """A frame with this column alone."""
    first_row: int = 0
    """The number of rows before it, for messages: more than 0 in a part of a file."""

    def column(self) -> Column:
        """Give it with the kind of its type; categories become text, and so do booleans, as in text files."""
        raw = self._raw()
        if raw.natural is Kind.NUMERIC and self.frame.schema[self.name] != nw.Boolean:
            return Column.numeric(self.name, raw.numbers())
        found = raw.codes()
        ordered = raw.natural is Kind.ORDERED
        categories = arrange(found.categories, keep_order=found.declared)
        labels = [None if code < 0 else class_name(found.categories[code]) for code in found.codes.tolist()]
        declared = tuple(dict.fromkeys(map(class_name, categories)))
        return Column.nominal(self.name, labels, declared, "ordered" if ordered else "nominal")

    @property
    def is_declared(self) -> bool:
        """Whether the file itself says its categories."""
        return self._raw().natural is not Kind.NUMERIC or self.frame.schema[self.name] == nw.Boolean

    def numbers(self) -> npt.NDArray[np.float64]:
        """Give floats; text is refused."""
        return np.asarray(self._raw().numbers(), dtype=np.float64)

    def texts(self) -> list[str | None]:
        """Give the values as texts."""
        found = self._raw().codes()
        categories = [class_name(category) for category in found.categories]
        return [None if code < 0 else categories[code] for code in found.codes.tolist()]

    def _raw(self) -> RawColumn:
        try:
            raw = frame_columns(self.frame)[0]
        except TypeError as error:  # dates, lists, records
            raise ValueError(str(error)) from None
        raw.first_row = self.first_row
        return raw


def read_arrow(content: bytes, source: str, form: str) -> FileTable:
    """Read a Parquet or an Arrow file; `form` is ``"parquet"`` or ``"arrow"``."""
    reader = _reader(source, form)
    try:
        frame = nw.from_native(reader(content), eager_only=True)
    except Exception as error:  # both libraries have errors of their own, with no common class
        raise arrow_error(source, form, error) from error
    columns = tuple(FrameColumn(name, frame.select(name)) for name in frame.columns)
    if not columns:
        raise ValueError(f"{source} has no columns.")
    return FileTable(source, columns, len(frame))


def _reader(source: str, form: str) -> Callable[[bytes], Any]:
    if find_spec("pyarrow"):
        return _pyarrow_parquet if form == "parquet" else _pyarrow_arrow
    if find_spec("polars"):
        return _polars_parquet if form == "parquet" else _polars_arrow
    raise ValueError(
        f"{source} needs pyarrow or polars to be read, and neither is installed: pip install pyarrow."
    )


def _pyarrow_parquet(content: bytes) -> Any:
    import pyarrow.parquet as pq

    return pq.read_table(io.BytesIO(content))


def _pyarrow_arrow(content: bytes) -> Any:
    import pyarrow as pa
    from pyarrow import feather

    if content.startswith((b"ARROW1", b"FEA1")):
        return feather.read_table(io.BytesIO(content))
    return pa.ipc.open_stream(content).read_all()


def _polars_parquet(content: bytes) -> Any:
    import polars as pl

    return pl.read_parquet(content)


def _polars_arrow(content: bytes) -> Any:
    import polars as pl

    return pl.read_ipc(content) if content.startswith(b"ARROW1") else pl.read_ipc_stream(content)


@contextmanager
def opened_parquet(path: Path) -> Iterator[Any]:
    """Open a Parquet file to be read some rows at a time; whatever is wrong with it then names the file."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ImportError(f"{path} is read by pyarrow: pip install pyarrow.") from None
    try:
        # A page at a time, not the column of a whole row group.
        with pq.ParquetFile(path, buffer_size=1 << 18, pre_buffer=False) as file:
            twice = first_repeat(file.schema_arrow.names)
            if twice is not None:
                raise ValueError(f"{path} has two columns called {twice!r}. Rename one of them.")
            yield file
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, FileNotFoundError | PermissionError):
            raise
        raise arrow_error(str(path), "parquet", error) from error


def arrow_error(source: str, form: str, error: Exception) -> ValueError:
    """Say in one line what a library found wrong with a file."""
    line = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
    return ValueError(f"{source} cannot be read as {form.capitalize()}: {line}.")
