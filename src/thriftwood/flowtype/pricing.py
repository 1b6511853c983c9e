"""What every feature costs: measured on this machine, in microseconds of its processor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from thriftwood import _core
from thriftwood.costs import Costs, Test
from thriftwood.flowtype.chunk import CHUNK_BYTES, FEATURES, NEEDS, STEPS, Bytes

DIGITS = 3  # a nanosecond
SAMPLE_CHUNKS, ROUNDS = 32, 60


def price_list(chunks: Sequence[Bytes] | None = None, *, rounds: int = ROUNDS) -> Costs:
    """Time every step and every feature; return the prices in microseconds.

    Steps are shared resources and paid once; the price of a feature is what it takes once its steps are done.
    All are timed in turn, over all chunks, `rounds` times, and the shortest time counts.

    Parameters
    ----------
    chunks : sequence of bytes, optional
        What to time them on, each at least 16 KB. Without them, noise and text of our own making: times
        hardly depend on the bytes.
    rounds : int
        How often everything is timed.

    Examples
    --------
    >>> prices = price_list(rounds=2)
    >>> prices.tests["variance@8k"].needs
    ('sum@8k', 'squares@8k')
    >>> prices.effective_price("entropy@2k") > prices.effective_price("entropy@2k", paid=["kurtosis@2k"])
    True
    """
    if rounds < 1:
        raise ValueError(f"rounds must be 1 or more. Got {rounds}.")
    timed = sample_chunks() if chunks is None else [bytes(chunk) for chunk in chunks]
    steps, features = _core.time_flow_features(timed, rounds)
    own = dict(zip(FEATURES, _microseconds(features), strict=True))
    return Costs(
        tests={name: Test(own[name], needs=NEEDS[name]) for name in FEATURES},
        shared=dict(zip(STEPS, _microseconds(steps), strict=True)),
    )


def sample_chunks() -> list[bytes]:
    """Return chunks to time on: half noise, half text."""
    random = np.random.default_rng(0)
    noise = [random.bytes(CHUNK_BYTES) for _ in range(SAMPLE_CHUNKS // 2)]
    letters = random.integers(97, 123, size=(SAMPLE_CHUNKS // 2, CHUNK_BYTES), dtype=np.uint8)
    return noise + [row.tobytes() for row in letters]


def _microseconds(seconds: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[float]:
    return [float(one) for one in np.round(seconds * 1e6, DIGITS)]
