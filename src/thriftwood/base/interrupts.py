"""Ctrl-C while something is learnt: members that are done are kept, and a fit that has none leaves no trace.

The core hears Ctrl-C within a tenth of a second and raises KeyboardInterrupt, or returns what is done of a
forest or a booster. Here is what becomes of it in Python.
"""

from __future__ import annotations

import signal
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence, Sized
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import wraps
from itertools import takewhile
from typing import Any, TypeVar

from thriftwood import _core
from thriftwood.base.callers import callers_level

T = TypeVar("T")

_ENDS_ALL: ContextVar[bool] = ContextVar("ends_all", default=False)


class WholeFit:
    """A fit that raises, for Ctrl-C or any other reason, leaves the estimator as it was before.

    Examples
    --------
    >>> class Learner(WholeFit):
    ...     def fit(self, X, y):
    ...         self.classes_ = sorted(set(y))
    ...         self.first_ = X[0]
    ...         return self
    >>> learner = Learner().fit([1, 2], "ab")
    >>> learner.fit([], "cd")
    Traceback (most recent call last):
    ...
    IndexError: list index out of range
    >>> learner.classes_
    ['a', 'b']
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        for name in ("fit", "fit_scan"):
            if name in vars(cls):
                setattr(cls, name, _whole(vars(cls)[name]))
        super().__init_subclass__(**kwargs)


def _whole(fit: Callable[..., T]) -> Callable[..., T]:
    @wraps(fit)
    def whole(self: Any, *args: Any, **kwargs: Any) -> T:
        before = dict(vars(self))
        try:
            return fit(self, *args, **kwargs)
        except BaseException:
            self.__dict__ = before  # in one step: another Ctrl-C finds it done or not done
            raise

    return whole


def ends_all() -> bool:
    """Tell whether Ctrl-C is to end more than the fit at hand, which then keeps nothing and raises it."""
    return _ENDS_ALL.get()


@contextmanager
def ending_all() -> Iterator[None]:
    """Fit something of which nothing is worth keeping if Ctrl-C is pressed, such as one of many models."""
    token = _ENDS_ALL.set(True)
    try:
        yield
    finally:
        _ENDS_ALL.reset(token)


@contextmanager
def keeping(done: Sized, total: int, members: str = "trees") -> Iterator[None]:
    """Fill a list with members until Ctrl-C is pressed: then those that are done are kept, with a warning.

    It is raised if none is, and where `ends_all` says so.

    Examples
    --------
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     with keeping(trees := [], 10):
    ...         trees.append("a tree")
    ...         raise KeyboardInterrupt
    >>> trees
    ['a tree']
    """
    outermost = not ends_all()
    try:
        with ending_all():
            yield
    except KeyboardInterrupt:
        if not (outermost and len(done)):
            raise
        warn_kept(len(done), total, members)


def kept_or_raise(done: int, total: int, members: str = "trees") -> None:
    """Do as `keeping` does, for members that the core made until Ctrl-C was pressed."""
    if not done or ends_all():
        raise KeyboardInterrupt
    warn_kept(done, total, members)


def warn_kept(done: int, total: int, members: str = "trees") -> None:
    """Say that Ctrl-C ended a fit, and how much of it is there."""
    said = f"Ctrl-C was pressed; kept are the {done} of {total} {members} that were done."
    warnings.warn(said, stacklevel=callers_level())


def side_by_side(tasks: Sequence[Callable[[], T]], n_threads: int, done: list[T]) -> None:
    """Do tasks of the core on several threads and fill a list with their results, in the order of the tasks.

    Ctrl-C ends all of them and is raised; the list then has the results of the first tasks, as many as are
    done without a gap. So it is with what a task raises. No thread is left when this returns or raises.

    Examples
    --------
    >>> side_by_side([lambda: 1, lambda: 2], 2, found := [])
    >>> found
    [1, 2]
    """
    if n_threads == 1 or len(tasks) == 1:
        for task in tasks:
            done.append(task())
        return
    futures: list[Future[T]] = []
    with holding_back() as pressed:
        try:
            _finish(tasks, n_threads, futures, pressed)
        finally:
            done.extend(future.result() for future in takewhile(_succeeded, futures))
    failures = [future.exception() for future in futures if not future.cancelled()]
    for failure in failures:
        if failure is not None and not isinstance(failure, KeyboardInterrupt):
            raise failure
    if pressed or len(done) < len(tasks):
        raise KeyboardInterrupt


def _finish(
    tasks: Sequence[Callable[[], T]], n_threads: int, futures: list[Future[T]], pressed: list[int]
) -> None:
    """Do tasks until one fails or Ctrl-C is pressed; those that are not done then are ended or cancelled."""
    helpers = _core.Helpers()
    pool = ThreadPoolExecutor(n_threads, initializer=helpers.join)
    try:
        for task in tasks:
            futures.append(pool.submit(copy_context().run, task))
        done: set[Future[T]] = set()
        left = set(futures)
        while left and not pressed and not any(future.exception() for future in done):
            # Not for longer: a signal that another thread of the process gets does not wake this one up.
            done, left = wait(left, timeout=0.1, return_when=FIRST_EXCEPTION)
    finally:
        helpers.end()
        pool.shutdown(cancel_futures=True)


def _succeeded(future: Future[T]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


@contextmanager
def holding_back() -> Iterator[list[int]]:
    """Note Ctrl-C in a list while something is done that must not be broken off between any two steps.

    Who calls this looks at the list. It stays empty where Ctrl-C means something else than KeyboardInterrupt
    and on threads that Python gives no signals.
    """
    pressed: list[int] = []
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield pressed
        return
    try:
        signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
        yield pressed
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
