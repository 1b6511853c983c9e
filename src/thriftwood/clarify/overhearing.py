"""What a watched program writes to standard error: passed on as it comes, its end remembered.

Where standard error is a terminal, the program writes to one too, so that it shows what it shows to a person.
Processes that outlive the program go on writing: a relay, which ends when they do, passes that on.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fcntl import ioctl
from threading import Thread

from thriftwood.clarify.running import MOST_OUTPUT

_PART = 65536
STDERR = 2
_RELAY = """
import os
if os.fork():
    os._exit(0)
try:
    while part := os.read(0, 65536):
        while part:
            part = part[os.write(1, part):]
except OSError:
    pass
"""


class Overheard:
    """Standard error of a program that is running."""

    def __init__(self) -> None:
        self._reader, self.writer = _terminal() if os.isatty(STDERR) else os.pipe()
        self._asleep, self._alarm = os.pipe()  # a byte ends the wait for more
        self._tail = b""
        self._is_open = False
        self._thread = Thread(target=self._pass_on, daemon=True)

    def begin(self) -> None:
        """Pass on; the program has its end of the line by now."""
        os.close(self.writer)
        self._thread.start()

    def end(self) -> bytes:
        """Pass on what there is yet; return the last 64 KB of all. What comes later is passed on only."""
        os.write(self._alarm, b"!")
        self._thread.join()
        try:
            if self._is_open:  # without a reader those who write would be ended by it
                subprocess.run(
                    [sys.executable, "-I", "-S", "-c", _RELAY],
                    stdin=self._reader,
                    stdout=STDERR,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                    check=True,
                )
        finally:
            self._close()
        return self._tail

    def drop(self) -> None:
        """Hear nothing: the program could not be started."""
        os.close(self.writer)
        self._close()

    def _close(self) -> None:
        for number in (self._reader, self._asleep, self._alarm):
            os.close(number)

    def _pass_on(self) -> None:
        while self._asleep not in (ready := select.select([self._reader, self._asleep], [], [])[0]):
            if ready and not self._pass_part(_PART):
                return
        rest = _PART  # no more than this was on its way when the program ended
        while rest and select.select([self._reader], [], [], 0)[0]:
            n_passed = self._pass_part(rest)
            if not n_passed:
                return
            rest -= n_passed
        self._is_open = True

    def _pass_part(self, most: int) -> int:
        """Pass on what there is; return how many bytes, 0 if nobody can write any more."""
        part = b""
        with suppress(OSError):  # a terminal that nobody writes to any more
            part = os.read(self._reader, most)
        self._tail = (self._tail + part)[-MOST_OUTPUT:]
        with suppress(OSError):  # nobody reads it here; the program must not be stopped by that
            _write(part)
        return len(part)


@contextmanager
def overheard(wanted: bool) -> Iterator[Overheard | None]:
    """Give what to write standard error to, if somebody wants to know what is written."""
    if not wanted:
        yield None
        return
    heard = Overheard()
    try:
        yield heard
    except BaseException:
        heard.drop()
        raise


def _write(part: bytes) -> None:
    while part:
        part = part[os.write(STDERR, part) :]


def _terminal() -> tuple[int, int]:
    """Make a terminal of the size of ours that changes nothing on its way."""
    reader, writer = os.openpty()
    tty.setraw(writer)
    with suppress(OSError):
        ioctl(writer, termios.TIOCSWINSZ, ioctl(STDERR, termios.TIOCGWINSZ, bytes(8)))
    return reader, writer
