"""A corpus as a table to learn from, split by source."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thriftwood.flowtype.chunk import FEATURES, features
from thriftwood.flowtype.corpus import Corpus
from thriftwood.table.named import NamedColumns
from thriftwood.table.raw import NumberColumn


@dataclass(frozen=True)
class FeatureTable:
    """All features of all chunks of a corpus.

    Attributes
    ----------
    values : array of shape (n_chunks, 88)
        A column per name of `FEATURES`.
    y : array of str
        The type of each chunk's file.
    source : array of str
        Where the file comes from.
    file : array of str
        The path of the file in the corpus.
    """

    values: NDArray[np.float64]
    y: NDArray[np.str_]
    source: NDArray[np.str_]
    file: NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.y)

    @property
    def X(self) -> NamedColumns:
        """The features as a table with names, as learners take it."""
        return named_columns(self.values)

    def take(self, rows: NDArray[np.bool_]) -> FeatureTable:
        """Return the rows marked True."""
        return FeatureTable(self.values[rows], self.y[rows], self.source[rows], self.file[rows])


def named_columns(values: NDArray[np.float64]) -> NamedColumns:
    """Return rows of features, as `features` computes them, as a table with names.

    Examples
    --------
    >>> named_columns(features([bytes(2048)])).names[:2]
    ('mean@2k', 'variance@2k')
    """
    columns = [
        NumberColumn(column, f"column {name!r}")
        for name, column in zip(FEATURES, np.ascontiguousarray(values.T), strict=True)
    ]
    return NamedColumns(FEATURES, columns, len(values))


def feature_table(corpus: Corpus, *, n_jobs: int = 1) -> FeatureTable:
    """Read the chunks of a corpus and compute all their features.

    Examples
    --------
    >>> from pathlib import Path
    >>> len(feature_table(Corpus(Path("."), ())))
    0
    """
    return FeatureTable(
        features(corpus.chunks(), n_jobs=n_jobs),
        _per_chunk(corpus, [entry.type for entry in corpus.entries]),
        _per_chunk(corpus, [entry.source for entry in corpus.entries]),
        _per_chunk(corpus, [entry.path for entry in corpus.entries]),
    )


def split_by_source(source: NDArray[np.str_], share: float, *, seed: int = 0) -> NDArray[np.bool_]:
    """Mark the rows of a random share of the sources: those to judge by; the others are to learn from.

    No source is on both sides, and each side has at least one.

    Examples
    --------
    >>> source = np.array(["a", "a", "b", "c", "c"])
    >>> held_out = split_by_source(source, 1 / 3)
    >>> len(set(source[held_out])), len(set(source[~held_out]))
    (1, 2)
    """
    if not 0.0 < share < 1.0:
        raise ValueError(f"The share of the sources must be between 0 and 1. Got {share}.")
    names = np.unique(source)
    if len(names) < 2:
        raise ValueError(
            f"There {'is 1 source' if len(names) else 'are no sources'}, where at least two were wanted to "
            "split by source. Put files of another origin into a folder of their own below each type."
        )
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    return np.isin(source, np.random.default_rng(seed).permutation(names)[:count])


def _per_chunk(corpus: Corpus, per_file: list[str]) -> NDArray[np.str_]:
    counts = [len(entry.offsets) for entry in corpus.entries]
    return np.repeat(np.array(per_file, dtype=np.str_), np.array(counts, dtype=np.intp))
