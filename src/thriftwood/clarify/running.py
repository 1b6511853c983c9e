"""Running a program under a recorder: in a session of its own, within a time, its output kept."""

from __future__ import annotations

import os
import pwd
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
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
        Run it as this user and in the user's first group alone, which only root can; recorded programs get
        damaged input.
    live : Live, optional
        The registry of sessions, by which another thread can end it.
    """
    account = None if user is None else account_of(user)
    timed_out = Event()
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, _input(command) as given:
        process = subprocess.Popen(
            launch.words,
            stdin=given,
            stdout=out,
            stderr=err,
            cwd=command.cwd,
            env=_environment(launch.environment, account),
            start_new_session=True,
            user=None if account is None else account.pw_uid,
            group=None if account is None else account.pw_gid,
            extra_groups=None if account is None else [],
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


def account_of(user: str) -> pwd.struct_passwd:
    """Look up a user.

    Raises
    ------
    ValueError
        If there is none of this name.
    """
    try:
        return pwd.getpwnam(user)
    except KeyError:
        raise ValueError(f"There is no user {user!r} on this system to run programs as.") from None


def check_reachable(folder: Path, user: str) -> None:
    """Make sure that a user may go to a folder, where the programs of the user are to write.

    Raises
    ------
    ValueError
        Naming what is closed.
    """
    account = account_of(user)
    for place in reversed([folder.resolve(), *folder.resolve().parents]):
        status = place.stat()
        if account.pw_uid == status.st_uid:
            needed = stat.S_IXUSR
        else:
            needed = stat.S_IXGRP if account.pw_gid == status.st_gid else stat.S_IXOTH
        if account.pw_uid != 0 and not status.st_mode & needed:
            raise ValueError(
                f"The user {user!r} may not enter {place}, so nothing could be written in {folder}. Record "
                "in a folder that is open to this user."
            )


def _environment(given: Mapping[str, str], account: pwd.struct_passwd | None) -> Mapping[str, str]:
    """What a program finds: as another user that user's home and name."""
    if account is None:
        return given
    own = {"HOME": account.pw_dir, "USER": account.pw_name, "LOGNAME": account.pw_name}
    return {**given, **own}


@contextmanager
def _input(command: Command) -> Iterator[IO[bytes]]:
    with Path(command.stdin or os.devnull).open("rb") as file:
        yield file


def _tail(file: IO[bytes]) -> str:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - MOST_OUTPUT))
    return file.read().decode("utf-8", "replace")
