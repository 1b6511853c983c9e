"""The cache of codes: a byte for every cell of a table, in one file that is mapped into memory.

A folder has two files. ``codes`` has blocks of some rows: column after column, then labels or numbers, then
weights, each from a multiple of 8 bytes on. ``about.json`` says what they stand for, and has a checksum of
every block and of itself. A folder gets its name when it is complete; what is not is thrown away. Codes that
are not to be kept are a file without a name, which goes with its process, whatever ends that.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.advice import Advice, Part
from thriftwood.base.remedies import InPython

VERSION = 4
"""Of the format; another one is not read but written anew."""
ENDING = ".codes"
_WRITING = ".writing"
_BLOCK_BYTES, _MOST_ROWS = 1 << 24, 1 << 18
_ANOTHER = " another folder for the codes of the table"
_KEPT: tuple[Part, ...] = ("cache= names", _ANOTHER)
_TEMPORARY: tuple[Part, ...] = (
    "the environment variable TMPDIR",
    InPython(", or of tables in files cache=,"),
    " names",
    _ANOTHER,
)


class Layout(NamedTuple):
    """What a row is made of: the types of its parts, in their order."""

    codes: tuple[str, ...]
    """Of each column, "u1" or "u2"."""
    target: str
    """"u2" for classes, "f8" for numbers."""
    weighted: bool

    @property
    def types(self) -> list[np.dtype[Any]]:
        """Of all parts."""
        return [np.dtype(kind) for kind in (*self.codes, self.target, *(["f8"] if self.weighted else []))]

    @property
    def row_bytes(self) -> int:
        """The bytes of a row."""
        return sum(kind.itemsize for kind in self.types)

    @property
    def block_rows(self) -> int:
        """The rows of a block."""
        return max(1024, min(_MOST_ROWS, _BLOCK_BYTES // self.row_bytes))

    def block_bytes(self, rows: int) -> int:
        """The bytes of a block of so many rows.

        >>> Layout(("u1", "u1", "u2"), "u2", False).block_bytes(10)
        80
        """
        return sum(_padded(rows * kind.itemsize) for kind in self.types)

    def file_bytes(self, rows: int) -> int:
        """The bytes of all blocks."""
        whole, rest = divmod(rows, self.block_rows)
        return whole * self.block_bytes(self.block_rows) + self.block_bytes(rest)


def _padded(size: int) -> int:
    return -(-size // 8) * 8


class Block(NamedTuple):
    """Where a block lies in the file."""

    begin: int
    rows: int
    checksum: int


class CodeWriter:
    """Writes rows as they come, in blocks, into a folder; None: into a temporary file without a name."""

    def __init__(self, folder: Path | None, layout: Layout) -> None:
        self.path = Path(tempfile.gettempdir()) if folder is None else folder / "codes"
        self._way_out = _TEMPORARY if folder is None else _KEPT
        with _place_named(self.path, self._way_out):
            self.file: IO[bytes] = (
                tempfile.TemporaryFile(prefix="thriftwood-", suffix=ENDING)  # noqa: SIM115  # see `close`
                if folder is None
                else self.path.open("w+b")
            )
        self._layout = layout
        self._parts = [np.zeros(layout.block_rows, kind) for kind in layout.types]
        self._filled = self._begin = 0
        self.blocks: list[Block] = []

    def room(self) -> tuple[list[NDArray[Any]], int]:
        """Give the parts of the block at hand from the first free row on, and how many rows there are."""
        return [part[self._filled :] for part in self._parts], self._layout.block_rows - self._filled

    def filled(self, rows: int) -> None:
        """Say that so many more rows were written into what `room` gave."""
        self._filled += rows
        if self._filled == self._layout.block_rows:
            self._write()

    def finish(self) -> None:
        """Write what is left, and make sure that it is on the disk."""
        if self._filled:
            self._write()
        with _place_named(self.path, self._way_out):
            self.file.flush()
            os.fsync(self.file.fileno())

    def close(self) -> None:
        """Close the file, whatever is in it."""
        with suppress(OSError):  # what could not be written before cannot be written now
            self.file.close()

    def _write(self) -> None:
        checksum = 0
        for part in self._parts:
            content = part[: self._filled].tobytes()
            content += b"\0" * (_padded(len(content)) - len(content))
            checksum = zlib.crc32(content, checksum)
            with _place_named(self.path, self._way_out):
                self.file.write(content)
        self.blocks.append(Block(self._begin, self._filled, checksum))
        self._begin += self._layout.block_bytes(self._filled)
        self._filled = 0


@contextmanager
def _place_named(path: Path, way_out: tuple[Part, ...] = _KEPT) -> Iterator[None]:
    """Say what could not be written, and what to do."""
    try:
        yield
    except OSError as error:
        raise _refused(error.errno, f"{error.strerror}; ", path, way_out) from error


def _refused(number: int | None, said: str, path: Path, way_out: tuple[Part, ...]) -> OSError:
    advice = Advice((said, *way_out))
    error = OSError(number, str(advice), str(path))
    vars(error)["advice"] = advice
    return error


class CodeCache:
    """Finished codes, mapped into memory.

    Parameters
    ----------
    file : binary file
        Which has the codes; it may be closed when this is made.
    path : path
        What messages call it.
    about : dict
        What ``about.json`` says.
    """

    def __init__(self, file: IO[bytes], path: Path, about: dict[str, Any]) -> None:
        self.about, self._path = about, path
        self.layout = Layout(tuple(about["codes"]), about["target"], about["weighted"])
        self.blocks = [Block(*block) for block in about["blocks"]]
        size = sum(self.layout.block_bytes(block.rows) for block in self.blocks)
        found = os.fstat(file.fileno()).st_size
        if found != size:
            raise DamagedError(f"{path} has {found:,} bytes, and should have {size:,}.")
        self._bytes = np.memmap(file, np.uint8, "r") if size else np.empty(0, np.uint8)

    @property
    def n_cases(self) -> int:
        """The number of rows."""
        return sum(block.rows for block in self.blocks)

    def check(self) -> None:
        """Raise unless every block is as it was written."""
        for block in self.blocks:
            end = block.begin + self.layout.block_bytes(block.rows)
            if zlib.crc32(self._bytes[block.begin : end].tobytes()) != block.checksum:
                raise DamagedError(f"{self._path} is not as it was written: byte {block.begin:,} on.")

    def parts(self) -> Iterator[tuple[int, list[NDArray[Any]]]]:
        """Give of every block the number of its rows, and its parts where they lie."""
        for block in self.blocks:
            begin, found = block.begin, []
            for kind in self.layout.types:
                size = block.rows * kind.itemsize
                found.append(self._bytes[begin : begin + size].view(kind).view(np.ndarray))
                begin += _padded(size)
            yield block.rows, found


class DamagedError(ValueError):
    """A cache is not as it was written."""


def load_cache(folder: Path) -> CodeCache:
    """Open a cache and check it; a `DamagedError` says what is wrong with it."""
    try:
        content = json.loads((folder / "about.json").read_text("utf-8"))
        about, checksum, version = content["about"], content["checksum"], content["version"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedError(f"{folder / 'about.json'} cannot be read: {error}.") from None
    if version != VERSION:
        raise DamagedError(f"{folder} was written in format {version}, and this is {VERSION}.")
    if zlib.crc32(_text(about).encode()) != checksum:
        raise DamagedError(f"{folder / 'about.json'} is not as it was written.")
    path = folder / "codes"
    try:
        with path.open("rb") as file:
            cache = CodeCache(file, path, about)
    except OSError as error:
        raise DamagedError(f"{path} cannot be read: {error}.") from None
    cache.check()
    return cache


def save_about(folder: Path, about: dict[str, Any]) -> None:
    """Write what a cache stands for."""
    content = {"version": VERSION, "checksum": zlib.crc32(_text(about).encode()), "about": about}
    with _place_named(folder / "about.json"):
        (folder / "about.json").write_text(json.dumps(content), "utf-8")


def _text(about: dict[str, Any]) -> str:
    return json.dumps(about, sort_keys=True)


class Place(NamedTuple):
    """Where a cache is to lie."""

    folder: Path
    identity: str
    """Of the table: caches of earlier states of it are thrown away."""
    key: str
    """Of all that decides about the codes."""

    @property
    def final(self) -> Path:
        """The folder of the finished cache."""
        return self.folder / f"{self.identity}-{self.key}{ENDING}"


@contextmanager
def writing(place: Place | None, needed: int) -> Iterator[Path | None]:
    """Give a folder to write a cache into; it is thrown away unless the block ends well.

    It then has its final name and replaces what was written of the same table before. Without a place there
    is no folder: the codes go into a temporary file. Several fits may write at once: the last one's stays,
    and what an earlier one has opened it can read on.
    """
    if place is None:
        _check_room(Path(tempfile.gettempdir()), needed, _TEMPORARY)
        yield None
        return
    with _place_named(place.folder):
        place.folder.mkdir(parents=True, exist_ok=True)
        _sweep(place.folder)
        folder = _own_name(place.folder)
        folder.mkdir()
    try:
        _check_room(place.folder, needed, _KEPT)
        yield folder
        _put(folder, place)
        for old in place.folder.glob(f"{place.identity}-*{ENDING}"):
            if old != place.final:
                shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _check_room(folder: Path, needed: int, way_out: tuple[Part, ...]) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed:
        said = f"The codes of the table take {needed:,} bytes, and there are {free:,} left; "
        raise _refused(errno.ENOSPC, said, folder, way_out)


def _own_name(folder: Path) -> Path:
    """Return a name that nobody else has, from which `_sweep` sees whose it is."""
    return folder / f"{_WRITING}-{os.getpid()}-{secrets.token_hex(4)}"


def _put(written: Path, place: Place) -> None:
    """Give a finished cache its name; what has it is moved away first: to remove a folder takes a while."""
    while True:
        aside = _own_name(place.folder)
        try:
            with suppress(FileNotFoundError):
                place.final.rename(aside)
        finally:  # Ctrl-C leaves nothing behind
            shutil.rmtree(aside, ignore_errors=True)
        try:
            written.rename(place.final)
            return
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise  # else another fit has just put its own there


def _sweep(folder: Path) -> None:
    """Throw away what killed processes left."""
    for left in folder.glob(f"{_WRITING}-*"):
        process = left.name.split("-")[1]
        if not (process.isdigit() and _is_alive(int(process))):
            shutil.rmtree(left, ignore_errors=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
