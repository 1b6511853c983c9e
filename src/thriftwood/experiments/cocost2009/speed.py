"""What telling the type of a chunk takes of the processor, by a model and with all features computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import process_time
from typing import Any

from thriftwood.experiments.cocost2009.contest import Fold
from thriftwood.experiments.cocost2009.ours import OURS, TIMED, made
from thriftwood.experiments.cocost2009.trees import LASC
from thriftwood.flowtype import StreamClassifier, features
from thriftwood.flowtype.corpus import HEADER_BYTES
from thriftwood.learners import algorithm

ALL = "all features"
CHUNKS, ROUNDS = 240, 3
"""How many chunks are answered, and how often; the quickest time counts."""


def timings(fold: Fold, chunks: Sequence[bytes]) -> dict[str, float]:
    """Return the microseconds of processor time per chunk, of the computation of all features and each model.

    Those of a model are of everything: computing what it asks for, walking its trees, and Python.
    """
    some = list(chunks[:: max(1, len(chunks) // CHUNKS)])[:CHUNKS]
    models: dict[str, Any] = {
        LASC: algorithm(LASC, costs=fold.learn.costs, alpha=1.0),
        OURS: made(fold, *TIMED),
    }
    found = {ALL: _least(lambda: features(some, n_jobs=1), len(some))}
    streams = [bytes(HEADER_BYTES) + chunk for chunk in some]
    for name, model in models.items():
        model.fit(fold.learn.X, fold.learn.y)
        sorter = StreamClassifier(model.tree_ if name == LASC else model.booster_)
        found[name] = _least(partial(_answered, sorter, streams), len(some))
    return found


def _answered(sorter: StreamClassifier, streams: Sequence[bytes]) -> list[Any]:
    return [sorter.answer(stream) for stream in streams]


def _least(work: Callable[[], Any], n_chunks: int) -> float:
    """Time some work several times; return the shortest time per chunk in microseconds."""
    times = []
    for _ in range(ROUNDS):
        begin = process_time()
        work()
        times.append(process_time() - begin)
    return 1e6 * min(times) / n_chunks
