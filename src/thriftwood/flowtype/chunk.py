"""A chunk of bytes that computes what it is asked for, and a table of chunks that computes everything."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core

Bytes: TypeAlias = bytes | bytearray | memoryview

FEATURES: tuple[str, ...] = tuple(_core.flow_feature_names())
"""The 88 features: 22 statistics of the first 2 KB, then of 4, 8 and 16 KB."""
STEPS: tuple[str, ...] = tuple(_core.flow_step_names())
"""The steps that features need, those of 2 KB first."""
NEEDS: dict[str, tuple[str, ...]] = dict(zip(FEATURES, map(tuple, _core.flow_feature_steps()), strict=True))
"""The steps that each feature needs."""
SIZES: tuple[int, ...] = tuple(_core.flow_sizes())
"""The sizes in bytes at which statistics are taken, ascending."""
CHUNK_BYTES = SIZES[-1]

_NUMBERS = {name: number for number, name in enumerate(FEATURES)}
_BYTES_NEEDED = {name: SIZES[number * len(SIZES) // len(FEATURES)] for name, number in _NUMBERS.items()}


class Chunk:
    """The beginning of some bytes, up to 16 KB, whose statistics are computed when they are asked for.

    Every step and every feature is computed once; asking again costs nothing.

    Parameters
    ----------
    content : bytes
        At least 2048 of them; features of more bytes than there are cannot be had.

    Examples
    --------
    >>> chunk = Chunk(b"to be, or not to be, " * 150)
    >>> round(chunk.feature("entropy@2k"), 3)
    2.761
    >>> chunk.steps
    ('histogram@2k',)
    >>> round(chunk.feature("skewness@2k"), 3), chunk.steps  # of the same histogram
    (-0.454, ('histogram@2k',))
    >>> chunk.has("entropy@4k")
    False
    """

    def __init__(self, content: Bytes) -> None:
        self._native = _core.FlowChunk(_as_bytes(content))
        if self._native.size < SIZES[0]:
            raise ValueError(
                f"A chunk of {self._native.size} bytes came, where at least {SIZES[0]} were wanted: every "
                "statistic is of that many or more. Read more of the stream."
            )

    @property
    def size(self) -> int:
        """The number of bytes looked at, at most 16384."""
        return self._native.size

    def has(self, name: str) -> bool:
        """Tell whether there are bytes enough for a feature."""
        _number(name)
        return _BYTES_NEEDED[name] <= self.size

    def feature(self, name: str) -> float:
        """Return a feature by its name, such as ``"band2.log_power@16k"``; `FEATURES` lists them."""
        return self._native.feature(_number(name))

    def endings(self, tree: _core.Tree, numbers: NDArray[np.int32]) -> list[tuple[int, float]]:
        """Walk a tree, computing what it asks; return where it ends, as (node, share of the case).

        `numbers` has for each column of the tree's table the place of its feature in `FEATURES`. What there
        are not bytes enough for is missing.
        """
        return self._native.endings(tree, numbers)

    def decide(self, panel: _core.Panel, numbers: NDArray[np.int32]) -> int:
        """Return the number of the class that a panel answers, computing what it asks; see `endings`."""
        return self._native.decide(panel, numbers)

    def scores(
        self, booster: _core.Booster, numbers: NDArray[np.int32], stop: float, prices: _core.Prices | None
    ) -> NDArray[np.float64]:
        """Return the scores of the classes by a booster, computing what it asks; see `endings`."""
        return self._native.scores(booster, numbers, stop=stop, prices=prices)

    @property
    def computed(self) -> dict[str, float]:
        """The features computed so far."""
        return {FEATURES[number]: self._native.feature(number) for number in self._native.features_known}

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps done so far, smallest size first."""
        return tuple(self._native.steps_done)

    def __repr__(self) -> str:
        return f"<Chunk: {self.size} bytes, {len(self._native.features_known)} features computed>"


def features(chunks: Iterable[Bytes], *, n_jobs: int = 1) -> NDArray[np.float64]:
    """Compute all features of many chunks.

    Parameters
    ----------
    chunks : iterable of bytes
        The first 16 KB of each count.
    n_jobs : int
        Number of threads; 0: one per core. The table does not depend on it.

    Returns
    -------
    array, a row per chunk and a column per name of `FEATURES`
        NaN where a chunk has fewer bytes than a feature is of.

    Examples
    --------
    >>> table = features([bytes(2048), bytes(range(256)) * 64])
    >>> table.shape, float(table[1, FEATURES.index("entropy@16k")])
    ((2, 88), 8.0)
    """
    if n_jobs < 0:
        raise ValueError(f"n_jobs must be 0 (one thread per core) or more. Got {n_jobs}.")
    return _core.flow_features([_as_bytes(chunk) for chunk in chunks], n_threads=n_jobs)


def _as_bytes(content: Bytes) -> bytes:
    if not isinstance(content, bytes | bytearray | memoryview):
        raise TypeError(f"A chunk is made of bytes. Got {type(content).__name__}.")
    return bytes(content)


def _number(name: str) -> int:
    if name in _NUMBERS:
        return _NUMBERS[name]
    near = get_close_matches(str(name), FEATURES, n=3)
    hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else f" They begin with {FEATURES[0]!r}."
    raise ValueError(f"There is no feature {name!r}.{hint}")
