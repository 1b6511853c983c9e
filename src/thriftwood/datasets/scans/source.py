"""`Source`: who has the rows of a table, and gives them some at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

CELLS, MOST_ROWS = 2_000_000, 1 << 16
"""A batch has about so many cells, and at most so many rows."""


class FileState(NamedTuple):
    """How a file was when it was looked at."""

    path: str
    size: int
    changed: int

    @classmethod
    def of(cls, path: Path) -> FileState:
        """Look at a file."""
        found = path.stat()
        return cls(str(path.resolve()), found.st_size, found.st_mtime_ns)


class RowPlace(NamedTuple):
    """In which of several files a row is."""

    path: Path
    first_row: int
    """The number of the file's first row among those of all files."""


class Source(ABC):
    """A table that can be read from its beginning again and again, always in the same order.

    Attributes
    ----------
    name : str
        What messages call it.
    names : tuple of str
        Its columns.
    n_rows : int
        The number of its rows.
    """

    name: str
    names: tuple[str, ...]
    n_rows: int

    @abstractmethod
    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        """Read these columns from the beginning: frames of some rows each, with the columns in this order."""

    def files(self) -> tuple[FileState, ...] | None:
        """Say which files it reads and how they are now; None: it cannot tell whether they change."""
        return None

    def place(self, row: int) -> RowPlace | None:
        """Say in which file a row is; None: there are not several, or nobody knows."""
        return None

    @property
    def size(self) -> int | None:
        """The bytes it takes where it lies; None: nobody knows."""
        files = self.files()
        return None if files is None else sum(file.size for file in files)


def rows_in_batch(n_columns: int) -> int:
    """Return how many rows a batch of so many columns has.

    Examples
    --------
    >>> rows_in_batch(10), rows_in_batch(1000)
    (65536, 2000)
    """
    return max(1, min(MOST_ROWS, CELLS // max(1, n_columns)))


def changed_file(before: Sequence[FileState], now: Sequence[FileState]) -> str | None:
    """Name the first file that is not as it was; None: all are.

    Examples
    --------
    >>> changed_file([FileState("a.csv", 10, 1)], [FileState("a.csv", 12, 2)])
    'a.csv'
    """
    if len(before) != len(now):
        return (set(before) ^ set(now)).pop().path
    return next((old.path for old, new in zip(before, now, strict=True) if old != new), None)
