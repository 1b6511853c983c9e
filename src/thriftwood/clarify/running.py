"""Running a program under a recorder: in a session of its own, within a time, its output kept."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock, Timer
from typing import IO

from thriftwood.clarify.commands import Command, Ran
from thriftwood.clarify.launching import Launch

MOST_OUTPUT = 64 * 1024
"""Bytes kept of each of a run's outputs, the last ones."""


class Live:
    """The sessions that are running, so that another thread can end them."""

    def __init__(self) -> None:
        self._sessions: set[int] = set()
        self._lock = Lock()
        self._over = False

    @contextmanager
    def holding(self, session: int) -> Iterator[None]:
        """Know of a session while it runs; at the end kill what is left of it."""
        with self._lock:
            self._sessions.add(session)
            if self._over:
                end_session(session)
        try:
            yield
        finally:
            end_session(session)
            with self._lock:
                self._sessions.discard(session)

    def kill(self) -> None:
        """Kill all that runs, and all that begins from now on."""
        with self._lock:
            self._over = True
            for session in self._sessions:
                end_session(session)


def end_session(session: int) -> None:
    """Kill the processes of a session that are in its first group: all that did not leave it on purpose."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(session, signal.SIGKILL)


def run_apart(
    command: Command,
    launch: Launch,
    *,
    timeout: float | None = None,
    user: str | None = None,
    live: Live | None = None,
) -> Ran:
    """Run a program in a session of its own and wait for it.

    What is left of its session when it has ended is killed: a run is over when the program is.

    Parameters
    ----------
    command : Command
        Where it is run, and what it reads.
    launch : Launch
        How it is started.
    timeout : float, optional
        Seconds after which it is killed, with all processes it started.
    user : str, optional
        Run it as this user, which only root can; recorded programs get damaged input.
    live : Live, optional
        Who can end it from another thread.
    """
    timed_out = Event()
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, _input(command) as given:
        process = subprocess.Popen(
            launch.words,
            stdin=given,
            stdout=out,
            stderr=err,
            cwd=command.cwd,
            env=launch.environment,
            start_new_session=True,
            user=user,
            extra_groups=None if user is None else [],
        )

        def over() -> None:
            timed_out.set()
            end_session(process.pid)

        # A timer rather than wait(timeout), which looks only every 50 ms whether the program has ended.
        clock = None if timeout is None else Timer(timeout, over)
        with (live or Live()).holding(process.pid):
            if clock is not None:
                clock.daemon = True
                clock.start()
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            seconds = time.monotonic() - start
            if clock is not None:
                clock.cancel()
                clock.join()
        # Reaped only now: until then its number, which is its session's, is not given to anyone else.
        process.wait()
        return Ran(process.returncode, timed_out.is_set(), seconds, _tail(out), _tail(err))


@contextmanager
def _input(command: Command) -> Iterator[IO[bytes]]:
    with Path(command.stdin or os.devnull).open("rb") as file:
        yield file


def _tail(file: IO[bytes]) -> str:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - MOST_OUTPUT))
    return file.read().decode("utf-8", "replace")
