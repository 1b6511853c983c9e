"""A bar on stderr while something takes its time: results can still be piped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Protocol

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from thriftwood.cli.printing import console

DELAY = 1.0  # seconds; what is over sooner shows no bar


class ProgressCallback(Protocol):
    """Reports how far a calculation is, and what is under way now."""

    def __call__(self, done: int, total: int, title: str | None = None) -> None:
        """Say that `done` of `total` are over; `title` replaces the words beside the bar."""


@contextmanager
def progress(what: str) -> Iterator[ProgressCallback]:
    """Give a function to call with (done, total); nothing is shown where there is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    shown = console(stderr=True)
    bar = Progress(*columns, console=shown, transient=True, disable=not shown.is_terminal)
    task = bar.add_task(what, total=None)
    late = Timer(DELAY, bar.start)
    late.daemon = True
    late.start()

    def tell(done: int, total: int, title: str | None = None) -> None:
        bar.update(task, completed=done, total=total, description=title)

    try:
        yield tell
    finally:
        late.cancel()
        late.join()  # it may be starting the bar at this moment
        bar.stop()
