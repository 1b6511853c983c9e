"""A bar on stderr while something takes its time: results can still be piped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from thriftwood.cli.printing import console

DELAY = 1.0  # seconds; what is over sooner shows no bar


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function to call with (done, total); nothing is shown where there is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    shown = console(stderr=True)
    bar = Progress(*columns, console=shown, transient=True, disable=not shown.is_terminal)
    task = bar.add_task(what, total=None)
    late = Timer(DELAY, bar.start)
    late.daemon = True
    late.start()
    try:
        yield lambda done, total: bar.update(task, completed=done, total=total)
    finally:
        late.cancel()
        late.join()  # it may be starting the bar at this moment
        bar.stop()
