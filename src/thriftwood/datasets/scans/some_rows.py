"""Some rows of a source, drawn by their numbers: the same in every pass, in any order of batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from thriftwood.datasets.scans.source import FileState, Source

_STEP = 1 << 20


def drawn(first_row: int, n_rows: int, share: float, seed: int) -> NDArray[np.bool_]:
    """Tell which of these rows are drawn: about that share, by a hash of the row's number (SplitMix64).

    Examples
    --------
    >>> marked = drawn(0, 1000, 0.3, seed=0)
    >>> int(marked.sum()), bool((marked[500:] == drawn(500, 500, 0.3, seed=0)).all())
    (306, True)
    """
    mixed = np.arange(first_row, first_row + n_rows, dtype=np.uint64)
    mixed = (mixed + np.uint64(seed * 0x632BE59BD9B4E019 % 2**64)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return np.asarray((mixed >> np.uint64(11)) < share * 2.0**53)


class SomeRows(Source):
    """The rows of a source that are not drawn.

    Parameters
    ----------
    source : Source
        Who has all rows.
    share, seed
        Of the rows that are left out, as for `drawn`.
    """

    def __init__(self, source: Source, share: float, seed: int) -> None:
        self.name, self.names = source.name, source.names
        self._source, self._share, self._seed = source, share, seed
        steps = range(0, source.n_rows, _STEP)
        self.n_rows = sum(int(self._kept(first, min(_STEP, source.n_rows - first)).sum()) for first in steps)

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        """Give of every batch the rows that are not drawn."""
        first = 0
        for batch in self._source.batches(columns):
            frame = nw.from_native(batch, eager_only=True)
            kept = np.flatnonzero(self._kept(first, len(frame)))
            first += len(frame)
            if len(kept):
                yield frame[kept].to_native()

    def files(self) -> tuple[FileState, ...] | None:
        """Say which files all rows lie in."""
        return self._source.files()

    def _kept(self, first: int, n: int) -> NDArray[np.bool_]:
        return ~drawn(first, n, self._share, self._seed)
