"""What a watched program writes to standard error: passed on as it comes, its end remembered.

Where standard error is a terminal, the program writes to one too, so that it shows what it shows to a person.
"""

from __future__ import annotations

import os
import select
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fcntl import ioctl
from threading import Thread

from thriftwood.clarify.running import MOST_OUTPUT

_PART = 65536
STDERR = 2


class Overheard:
    """Standard error of a program that is running."""

    def __init__(self) -> None:
        self._reader, self.writer = _terminal() if os.isatty(STDERR) else os.pipe()
        self._asleep, self._alarm = os.pipe()  # a byte ends the wait for more
        self._tail = b""
        self._thread = Thread(target=self._pass_on, daemon=True)

    def begin(self) -> None:
        """Pass on; the program has its end of the line by now."""
        os.close(self.writer)
        self._thread.start()

    def end(self) -> bytes:
        """Pass on what there is yet; return the last 64 KB of all. What is written later is lost."""
        os.write(self._alarm, b"!")
        self._thread.join()
        for number in (self._reader, self._asleep, self._alarm):
            os.close(number)
        return self._tail

    def _pass_on(self) -> None:
        over = False
        while True:
            ready, _, _ = select.select([self._reader] if over else [self._reader, self._asleep], [], [],
                                        0 if over else None)  # fmt: skip
            over = over or self._asleep in ready
            if self._reader not in ready:
                if over:
                    return
                continue
            part = b""
            with suppress(OSError):  # a terminal that nobody writes to any more
                part = os.read(self._reader, _PART)
            if not part:
                return
            self._tail = (self._tail + part)[-MOST_OUTPUT:]
            with suppress(OSError):  # nobody reads it here; the program must not be stopped by that
                _write(part)


@contextmanager
def overheard(wanted: bool) -> Iterator[Overheard | None]:
    """Give what to write standard error to, if somebody wants to know what is written."""
    if not wanted:
        yield None
        return
    heard = Overheard()
    try:
        yield heard
    except BaseException:  # the program could not be started
        os.close(heard.writer)
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
