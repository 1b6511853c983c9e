"""Ctrl-C while something is learnt: members that are done are kept, and a fit that has none leaves no trace.

The core hears Ctrl-C within a tenth of a second and raises KeyboardInterrupt, or returns what is done of a
forest or a booster. Here is what becomes of it in Python.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence, Sized
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import wraps
from typing import Any, TypeVar

from thriftwood import _core

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
        if "fit" in vars(cls):
            cls.fit = _whole(vars(cls)["fit"])  # type: ignore[attr-defined]
        super().__init_subclass__(**kwargs)


def _whole(fit: Callable[..., T]) -> Callable[..., T]:
    @wraps(fit)
    def whole(self: Any, *args: Any, **kwargs: Any) -> T:
        before = dict(vars(self))
        try:
            return fit(self, *args, **kwargs)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
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
    """Do as `keeping` does, for members that the core made."""
    if ends_all():
        raise KeyboardInterrupt
    warn_kept(done, total, members)


def warn_kept(done: int, total: int, members: str = "trees") -> None:
    """Say that Ctrl-C ended a fit, and how much of it is there."""
    said = f"Ctrl-C was pressed; kept are the {done} of {total} {members} that were done."
    warnings.warn(said, stacklevel=_outside())


def _outside() -> int:
    """Return the level of the first caller that is not the library: the line that called fit."""
    level, frame = 2, sys._getframe(2)  # noqa: SLF001  # nothing public gives it
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    return level


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in ("thriftwood", "contextlib")


def side_by_side(tasks: Sequence[Callable[[], T]], n_threads: int) -> Generator[T]:
    """Do tasks of the core on several threads and give their results in order; Ctrl-C ends all of them."""
    if n_threads == 1 or len(tasks) == 1:
        for task in tasks:
            yield task()
        return
    with ThreadPoolExecutor(n_threads, initializer=_core.help_main) as pool:
        futures = [pool.submit(copy_context().run, task) for task in tasks]
        try:
            for future in futures:
                yield future.result()
        except BaseException:
            for future in futures:
                future.cancel()
            _core.end_helpers(True)
            pool.shutdown()
            _core.end_helpers(False)
            raise
