"""The type of a stream, by a tree or several; only the features that they ask for are computed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from thriftwood.flowtype.chunk import CHUNK_BYTES, FEATURES, SIZES, Bytes, Chunk
from thriftwood.flowtype.corpus import HEADER_BYTES
from thriftwood.models.model import Model

BYTES_READ = HEADER_BYTES + CHUNK_BYTES


@dataclass(frozen=True)
class Classification:
    """The type that a model answers for a stream, and what it took."""

    answer: Any
    """The type."""
    probabilities: dict[Any, float]
    """The share of every type where the tree ended, or among the trees that were asked."""
    cost: float
    """What the features asked for cost by the price list, in its unit, microseconds by custom."""
    bought: tuple[tuple[str, float], ...]
    """The features in the order asked, each with what it added to the cost."""
    values: dict[str, float]
    """The features computed."""
    steps: tuple[str, ...]
    """The steps done for them."""
    seconds: float
    """What the steps and features took this time, by the clock."""
    why: str
    """The way through the tree, in words; of several trees that of each one asked."""
    first_byte: int
    """Where in the stream the bytes looked at begin: behind the first 4 KB, if it is long enough."""
    n_bytes: int
    """How many bytes were looked at: 16384, unless the stream is too short."""

    @property
    def sizes_lacking(self) -> tuple[int, ...]:
        """The sizes whose features could not be had, in bytes: the stream is too short for them."""
        return tuple(size for size in SIZES if size > self.n_bytes)


class StreamClassifier:
    """Classifies streams by a tree, a panel or a booster; computes what is asked for and nothing else.

    A step, such as a spectrum, is done once, whichever trees ask for what comes of it; a tree that is not
    consulted has nothing computed.

    Parameters
    ----------
    model : Tree, Panel or Booster
        What was learnt on columns that are named as in `FEATURES`; any of them in any order.

    Examples
    --------
    >>> from thriftwood import algorithm, flowtype
    >>> noise, text = np.random.default_rng(0).bytes(20480), b"so much depends upon " * 1000
    >>> X = flowtype.named_columns(flowtype.features([noise, text] * 5))
    >>> prices = flowtype.price_list(rounds=2)
    >>> model = algorithm("eg2", costs=prices).fit(X, ["ENC", "TXT"] * 5)
    >>> sorter = flowtype.StreamClassifier(model.tree_)
    >>> sorter.answer(noise), len(sorter.explain(text).bought)
    ('ENC', 1)
    """

    def __init__(self, model: Model) -> None:
        unknown = [name for name in model.feature_names if name not in FEATURES]
        if unknown or model.classes is None:
            what = f"the column {unknown[0]!r}" if unknown else "numbers for answers"
            raise ValueError(
                f"The model has {what}; one that tells types by the features of flowtype was wanted. "
                "`thriftwood flowtype train` makes one."
            )
        self.model = model

    @cached_property
    def _numbers(self) -> NDArray[np.int32]:
        return np.array([FEATURES.index(name) for name in self.model.feature_names], dtype=np.int32)

    def answer(self, content: Bytes | BinaryIO) -> Any:
        """Return the type, in the shortest time: the walk and the features are native."""
        return self.model.answer_from(Chunk(chunk_of(content)), self._numbers)

    def explain(self, content: Bytes | BinaryIO) -> Classification:
        """Return the type, what was computed, what it costs and why it was asked."""
        first_byte, looked_at = _looked_at(content)
        chunk = Chunk(looked_at)
        lacking = [name for name in self.model.feature_names if not chunk.has(name)]
        case = self.model.consult(unavailable=lacking)
        seconds = 0.0
        while (name := case.next_test) is not None:
            begin = perf_counter()
            value = chunk.feature(name)
            seconds += perf_counter() - begin
            case.answer(value)
        return Classification(
            answer=case.result,
            probabilities=case.probabilities,
            cost=case.bill,
            bought=tuple(case.bought),
            values=chunk.computed,
            steps=chunk.steps,
            seconds=seconds,
            why=case.why,
            first_byte=first_byte,
            n_bytes=chunk.size,
        )


def classify(content: Bytes | BinaryIO, model: Model) -> Classification:
    """Classify a stream: `StreamClassifier(model).explain(content)`."""
    return StreamClassifier(model).explain(content)


def chunk_of(content: Bytes | BinaryIO) -> bytes:
    """Read the bytes to classify: 16 KB after the first 4 KB, where a header would be.

    A shorter stream gives what is behind its first 4 KB, or its last 2 KB if that is less.

    Examples
    --------
    >>> len(chunk_of(bytes(100_000))), len(chunk_of(bytes(10_000))), len(chunk_of(bytes(3000)))
    (16384, 5904, 2048)
    """
    return _looked_at(content)[1]


def _looked_at(content: Bytes | BinaryIO) -> tuple[int, bytes]:
    """Return where the bytes to classify begin, and the bytes."""
    if isinstance(content, bytes | bytearray | memoryview):
        read = bytes(content[:BYTES_READ])
    else:
        read = _read(content)
    if len(read) < SIZES[0]:
        raise ValueError(
            f"The stream has {len(read)} bytes; at least {SIZES[0]} are needed to tell its type."
        )
    first = min(HEADER_BYTES, len(read) - SIZES[0])
    return first, read[first:]


def _read(stream: BinaryIO) -> bytes:
    """Read until there is enough or no more: a pipe gives less than it is asked for."""
    parts: list[bytes] = []
    missing = BYTES_READ
    while missing and (part := stream.read(missing)):
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)
