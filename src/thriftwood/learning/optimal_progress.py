"""Progress of a search: a bar, a function of the caller's, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from thriftwood.base.progress import bar

SearchProgress = Callable[[float, float], object]


@contextmanager
def telling(progress: bool | SearchProgress, weight: float) -> Iterator[SearchProgress | None]:
    """Give the function that the core calls with (cost, lower bound) of all cases, or None.

    Parameters
    ----------
    progress : bool or callable
        True: a bar on the terminal (standard error); False: nothing; a callable is given costs of a case.
    weight : float
        Of all cases together.

    Examples
    --------
    >>> with telling(print, 10.0) as tell:
    ...     tell(25.0, 20.0)
    2.5 2.0
    """
    if callable(progress):
        given = progress
        yield lambda cost, lower: given(cost / weight, lower / weight)
    elif progress is True:
        with bar("search") as tell:
            yield lambda cost, lower: tell(*shown(cost / weight, lower / weight))
    elif progress is False:
        yield None
    else:
        raise TypeError(
            "progress must be True, False or a function of (cost, lower bound). Got "
            f"{progress!r} of type {type(progress).__name__}."
        )


def shown(cost: float, lower: float) -> tuple[int, int, str]:
    """Return how much of the cost is proven, in percent, and words.

    Examples
    --------
    >>> shown(2.5, 2.0)
    (80, 100, 'cost of a case: 2.5, at least 2')
    """
    proven = 100 if cost <= lower else max(0, int(100 * lower / cost)) if cost > 0 else 0
    return proven, 100, f"cost of a case: {cost:.6g}, at least {lower:.6g}"
