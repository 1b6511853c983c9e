"""Progress of an evolution: a bar, a function of the caller's, or nothing."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from thriftwood.base.progress import bar

ProgressCallback = Callable[[int, int, float, float], object]


@contextmanager
def progress_callback(
    progress: bool | ProgressCallback, time_budget: float | None = None
) -> Iterator[ProgressCallback | None]:
    """Give the function to call with (generation, generations, best, mean), or None if no progress is wanted.

    Parameters
    ----------
    progress : bool or callable
        True: a bar on the terminal (standard error); False: nothing; a callable is given as it is.
    time_budget : float, optional
        The seconds after which it ends, for the bar.

    Examples
    --------
    >>> with progress_callback(False) as tell:
    ...     print(tell)
    None
    """
    if callable(progress):
        yield progress
    elif progress is True:
        with bar("evolution") as tell:
            yield bar_callback(tell, time_budget)
    elif progress is False:
        yield None
    else:
        raise TypeError(
            "progress must be True, False or a function of (generation, generations, best, mean). Got "
            f"{progress!r} of type {type(progress).__name__}."
        )


def bar_callback(
    tell: Callable[[int, int, str], object], time_budget: float | None = None
) -> ProgressCallback:
    """Return a callback for generations that updates a bar of (done, total, words).

    With a time budget the bar is one of seconds: trials are often so many then that time is over first.

    Examples
    --------
    >>> bar_callback(print)(3, 20, 12.5, 80.25)
    3 20 cost of a case: best 12.5, mean 80.25
    >>> bar_callback(print, 60.0)(3, 20, 12.5, 80.25)
    0 60 generation 3, cost of a case: best 12.5, mean 80.25; seconds
    """
    begun = time.monotonic()

    def of_generation(generation: int, generations: int, best: float, mean: float) -> None:
        words = f"cost of a case: best {best:.6g}, mean {mean:.6g}"
        if time_budget is None:
            tell(generation, generations, words)
        else:
            total = math.ceil(time_budget)
            done = min(total, int(time.monotonic() - begun))
            tell(done, total, f"generation {generation:,}, {words}; seconds")

    return of_generation
