"""Files that are replaced whole: whoever reads one sees the old file or the new one, never a part.

The new file is written beside the old one, flushed to the disk and then put in its place. A full disk, a kill
or an error on the way leaves the old file as it was. What is not a regular file (``/dev/stdout``, a named
pipe) cannot be replaced and is written to directly.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path


@contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[Path]:
    """Give a path to write to; when the block ends without an error, that file takes the place of `path`.

    A link stays a link: the file that it points to is replaced. The new file has the permissions of the old
    one. The path to write to has the ending of `path`, for writers that go by it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "bill.txt")
    ...     with replacing(path) as new:
    ...         size = new.write_text("27 a patient")
    ...     path.read_text(), len(list(path.parent.iterdir()))
    ('27 a patient', 1)
    """
    target = Path(os.path.realpath(path))
    mode = target.stat().st_mode if target.exists() else None
    if mode is not None and not stat.S_ISREG(mode):
        yield Path(path)
        return
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    new = target.with_name(f".{target.stem[:100]}.{secrets.token_hex(8)}{target.suffix}")
    try:
        os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))  # less the umask, as `open` does
    except OSError as error:
        error.filename = os.fspath(path)  # the file that was asked for: nobody knows the other
        raise
    try:
        yield new
        _flush(new)
        if mode is not None:
            new.chmod(stat.S_IMODE(mode))
        os.replace(new, target)
    except BaseException:
        with suppress(FileNotFoundError):
            new.unlink()
        raise
    with suppress(OSError):  # the new name, too, where folders can be flushed
        _flush(target.parent)


def save_bytes(path: str | PathLike[str], content: bytes) -> None:
    """Write a file whole, or leave the old one as it was."""
    with replacing(path) as new:
        new.write_bytes(content)


def save_text(
    path: str | PathLike[str], text: str, *, encoding: str = "utf-8", errors: str = "strict"
) -> None:
    """Write a text file whole, with the line ends that the text has, or leave the old one as it was."""
    save_bytes(path, text.encode(encoding, errors))


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
