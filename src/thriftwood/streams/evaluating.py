"""`evaluate_stream`: every case is answered first and learnt from later."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.parameters import Whole
from thriftwood.costs import Costs
from thriftwood.models.conversion import as_model, own_costs
from thriftwood.models.labels import one_per_case
from thriftwood.streams.charging import FREE, Classes, answered
from thriftwood.streams.generators import Stream
from thriftwood.streams.history import StreamHistory
from thriftwood.table.reading import read
from thriftwood.table.rows import take_rows


def evaluate_stream(
    model: Any,
    stream: Any,
    n_rows: int | None = None,
    *,
    batch: int = 1000,
    delay: int = 0,
    costs: Costs | None = None,
    classes: Any = None,
) -> StreamHistory:
    """Let a model answer a stream and learn from it, and keep the running bill.

    Parameters
    ----------
    model : estimator with ``partial_fit``
        Who answers and learns, such as a `StreamingTree`; also one of scikit-learn. It goes on from what it
        has learnt so far, and is left as it is at the end.
    stream : Stream, pair (X, y), or iterable of pairs (X, y)
        The cases: of `make_stream`, a table in the order of its rows, or batches.
    n_rows : int, optional
        How many cases; a `Stream` needs it, since it has no end.
    batch : int
        So many cases are answered, then learnt from. 1: strictly test, then train, case by case. More:
        interleaved chunks. Batches of an iterable are taken as they come.
    delay : int
        The class of a case becomes known only after so many further cases were answered.
    costs : Costs, optional
        What to charge; None: the model's own, or else nothing for tests and 1 for a mistake.
    classes : array-like, optional
        All classes, for models that want to be told at their first ``partial_fit``. None: those of the first
        batch.

    Returns
    -------
    StreamHistory
        The prequential accuracy and bill. Cases that come before the model can answer are learnt from and not
        counted.

    Examples
    --------
    >>> import thriftwood as tw
    >>> model = tw.StreamingTree(tw.CostTreeClassifier(growth=tw.Growth(max_depth=5)))
    >>> history = evaluate_stream(model, tw.make_stream("sea", random_state=0), 10_000)
    >>> history.n_rows, history.accuracy > 0.86
    (9000, True)

    Classes that become known 3,000 cases later:

    >>> model = tw.StreamingTree(tw.CostTreeClassifier(growth=tw.Growth(max_depth=5)))
    >>> evaluate_stream(model, tw.make_stream("sea", random_state=0), 10_000, delay=3_000).n_rows
    6000
    """
    if not hasattr(model, "partial_fit"):
        raise TypeError(
            f"evaluate_stream wants a model with partial_fit, and {type(model).__name__} has none. Wrap it: "
            "tw.StreamingTree(model)."
        )
    for name, value, rule in (("batch", batch, Whole(1)), ("delay", delay, Whole(0))):
        if not rule.accepts(value):
            raise ValueError(f"{name} must be {rule.wanted()}. Got {value!r}.")
    charged = costs or own_costs(getattr(model, "learner", model)) or FREE
    history, seen, waiting = StreamHistory(), Classes(() if classes is None else classes), _Waiting(delay)
    for X, y in batches_of(stream, n_rows, batch):
        begun = time.process_time()
        labels = one_per_case(y, read(X).shape[0])
        seen.known = seen.with_new(labels)
        if waiting.learnt or _can_answer(model):
            history.add(*answered(as_model(model), X, labels, charged, seen.known))
        for due in waiting.after(X, labels):
            model.partial_fit(*due, **_told(model, classes, seen.known, first=not waiting.learnt))
            waiting.learnt = True
        history.seconds += time.process_time() - begun
    return history


def batches_of(stream: Any, n_rows: int | None, batch: int) -> Iterator[tuple[Any, Any]]:
    """Give the cases of a stream, a table or an iterable, a batch at a time, up to `n_rows`."""
    if n_rows is not None and not Whole(1).accepts(n_rows):
        raise ValueError(f"n_rows must be {Whole(1, none=True).wanted()}. Got {n_rows!r}.")
    if isinstance(stream, Stream):
        if n_rows is None:
            raise ValueError("A drawn stream has no end. Say how many cases: n_rows=100_000.")
        yield from stream.batches(n_rows, batch)
        return
    if isinstance(stream, tuple) and len(stream) == 2:
        X, y = stream
        length = read(X).shape[0]
        labels = one_per_case(y, length)
        end = length if n_rows is None else min(n_rows, length)
        for begin in range(0, end, batch):
            rows = np.arange(begin, min(begin + batch, end))
            yield take_rows(X, rows), labels[rows]
        return
    if not isinstance(stream, Iterable):
        raise TypeError(
            f"A stream is one of tw.make_stream, a pair (X, y) or an iterable of such pairs. Got "
            f"{type(stream).__name__}."
        )
    done = 0
    for X, y in stream:
        labels = np.asarray(y)
        if n_rows is not None and done + len(labels) > n_rows:
            X, labels = take_rows(X, np.arange(n_rows - done)), labels[: n_rows - done]
        if len(labels):
            yield X, labels
        done += len(labels)
        if done == n_rows:
            return


class _Waiting:
    """Cases whose class is not known yet."""

    def __init__(self, delay: int) -> None:
        self.delay = delay
        self.learnt = False
        self._held: deque[tuple[Any, NDArray[Any]]] = deque()
        self._size = 0

    def after(self, X: Any, y: NDArray[Any]) -> Iterator[tuple[Any, NDArray[Any]]]:
        """Take a batch that was answered; give those that may be learnt from now."""
        if not self.delay:
            yield X, y
            return
        self._held.append((X, y))
        self._size += len(y)
        while self._held and self._size > self.delay:
            X, y = self._held.popleft()
            ready = min(len(y), self._size - self.delay)
            if ready < len(y):
                self._held.appendleft((take_rows(X, np.arange(ready, len(y))), y[ready:]))
            self._size -= ready
            yield take_rows(X, np.arange(ready)), y[:ready]


def _can_answer(model: Any) -> bool:
    """Tell whether a model has learnt before."""
    fitted = getattr(model, "__sklearn_is_fitted__", None)
    return bool(fitted()) if fitted is not None else hasattr(model, "classes_")


def _told(model: Any, classes: Any, seen: NDArray[Any], *, first: bool) -> dict[str, Any]:
    """Return the classes to announce at the first call of `partial_fit`, where there are any to announce."""
    if not first or (classes is None and hasattr(model, "learner")):
        return {}
    return {"classes": seen if classes is None else np.asarray(classes)}
