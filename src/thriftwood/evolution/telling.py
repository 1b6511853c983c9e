"""Telling how an evolution goes: a bar, a function of the caller's, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from thriftwood.tree.progress import bar

Tell = Callable[[int, int, float, float], object]


@contextmanager
def told(progress: bool | Tell) -> Iterator[Tell | None]:
    """Give the function to call with (generation, generations, best, mean), or None if nobody wants to know.

    Parameters
    ----------
    progress : bool or callable
        True: a bar on the terminal (standard error); False: nothing; a callable is given as it is.

    Examples
    --------
    >>> with told(False) as tell:
    ...     print(tell)
    None
    """
    if callable(progress):
        yield progress
    elif progress is True:
        with bar("evolution") as tell:
            yield beside_a_bar(tell)
    elif progress is False:
        yield None
    else:
        raise TypeError(
            "progress must be True, False or a function of (generation, generations, best, mean). Got "
            f"{progress!r} of type {type(progress).__name__}."
        )


def beside_a_bar(tell: Callable[[int, int, str], object]) -> Tell:
    """Return what tells a bar of (done, total, words) how a generation did.

    Examples
    --------
    >>> beside_a_bar(print)(3, 20, 12.5, 80.25)
    3 20 cost of a case: best 12.5, mean 80.25
    """
    return lambda generation, generations, best, mean: tell(
        generation, generations, f"cost of a case: best {best:.6g}, mean {mean:.6g}"
    )
