"""Progress of a long calculation: a bar, a function of the caller's, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int], object]


@contextmanager
def reported(progress: bool | Progress, what: str) -> Iterator[Progress | None]:
    """Give the function to call with (done, total), or None where no progress is wanted.

    Parameters
    ----------
    progress : bool or callable
        True: a bar on the terminal (standard error); False: nothing; a callable is given as it is.
    what : str
        What is under way, for the bar.

    Examples
    --------
    >>> calls = []
    >>> with reported(lambda done, total: calls.append((done, total)), "trees") as tell:
    ...     tell(1, 2)
    >>> calls
    [(1, 2)]
    """
    if callable(progress):
        yield progress
    elif progress is True:
        with bar(what) as tell:
            yield tell
    elif progress is False:
        yield None
    else:
        raise TypeError(
            f"progress must be True, False or a function of (done, total). Got {progress!r} of type "
            f"{type(progress).__name__}."
        )


@contextmanager
def bar(what: str) -> Iterator[Callable[..., None]]:
    """Show a bar on the terminal (standard error); give the function to call with (done, total, what now)."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True)) as shown:
        task = shown.add_task(what, total=None)

        def tell(done: int, total: int, now: str | None = None) -> None:
            shown.update(task, completed=done, total=total, description=now)

        yield tell
