"""How letters are written in a text file: found out block by block, so that no large file is held whole."""

from __future__ import annotations

import codecs
import gzip
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeAlias, cast

from thriftwood.base.advice import Advice, advised
from thriftwood.base.remedies import Pass

BLOCK = 1 << 20
"""Bytes that are looked at in one go."""

Blocks: TypeAlias = Callable[[], Iterable[bytes]]
"""Gives the content of a file from its beginning, each time it is called."""


class Decoded(NamedTuple):
    """The text of a file, and what a user should know about how it was read."""

    text: str
    notes: tuple[Advice, ...] = ()


class Codec(NamedTuple):
    """The codec that a file is read with, and what a user should know about it."""

    name: str
    notes: tuple[Advice, ...] = ()


def unpacked(content: bytes, path: Path) -> bytes:
    """Unpack the content of a .gz file."""
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise _packed_wrong(path, error) from error


@contextmanager
def opened(path: Path, *, packed: bool) -> Iterator[BinaryIO]:
    """Open a file, to be read unpacked."""
    with path.open("rb") as file:
        if not packed:
            yield file
            return
        try:
            with gzip.open(file) as unpacking:
                yield cast(BinaryIO, unpacking)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise _packed_wrong(path, error) from error


def blocks_of(path: Path, *, packed: bool) -> Iterator[bytes]:
    """Read a file block by block, unpacked."""
    with opened(path, packed=packed) as file:
        yield from iter(lambda: file.read(BLOCK), b"")


def _packed_wrong(path: Path, error: Exception) -> ValueError:
    return ValueError(f"{path} cannot be unpacked: {error}.")


def decoded_text(content: bytes, path: Path, encoding: str | None) -> Decoded:
    r"""Read bytes as text whose lines end with \n; `encoding` None: it is found out."""
    codec = codec_of(lambda: [content], path, encoding)
    text = content.decode(codec.name)
    return Decoded(text.replace("\r\n", "\n").replace("\r", "\n"), codec.notes)


def codec_of(blocks: Blocks, path: Path, encoding: str | None) -> Codec:
    """Find the codec that reads all of a file; a ValueError names the first byte that it cannot read."""
    start = next(iter(blocks()), b"")
    if encoding is None and start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    if encoding is not None:
        return Codec(_as_asked(blocks, path, encoding, start))
    wrong = _first_wrong(blocks(), "utf-8")
    if wrong is None:
        return Codec("utf-8-sig")
    if any(b"\0" in block for block in blocks()):  # no table in any of the encodings that are tried
        raise ValueError(
            f"{path} is not text in UTF-8: byte {wrong.position} is {wrong.byte:#04x}. Save it so."
        )
    # Five bytes are unknown to cp1252; latin-1 knows all.
    usual = "cp1252" if _first_wrong(blocks(), "cp1252") is None else "latin-1"
    note = (
        f"{path} is not in UTF-8 (line {wrong.line} holds the byte {wrong.byte:#04x}), so it was read as "
        f"{usual}. If letters look wrong, ",
        Pass("encoding", "cp1250"),
        ", or whatever it is in.",
    )
    return Codec(usual, (Advice(note),))


def _as_asked(blocks: Blocks, path: Path, encoding: str, start: bytes) -> str:
    try:
        codec = codecs.lookup(encoding).name
        if codec == "utf-8":
            codec = "utf-8-sig"
        elif codec == "utf-16" and not start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            codec = f"utf-16-{sys.byteorder[0]}e"  # of an unmarked file, as bytes.decode has it
        with suppress(UnicodeError):
            b"00".decode(codec)  # a codec that makes no text is none
        wrong = _first_wrong(blocks(), codec)
    except LookupError:
        raise ValueError(
            f"There is no encoding {encoding!r}. Usual ones: utf-8, utf-16, cp1252, latin-1, cp1250, cp1251."
        ) from None
    if wrong is not None:
        raise advised(
            ValueError,
            f"{path} is not text in {encoding}: byte {wrong.position} is {wrong.byte:#04x}. ",
            Pass("encoding", "cp1252"),
            ", or whatever it is in, or save it in UTF-8.",
        )
    return codec


class _Wrong(NamedTuple):
    """A byte that a codec cannot read."""

    position: int
    byte: int
    line: int


def _first_wrong(blocks: Iterable[bytes], codec: str) -> _Wrong | None:
    decoder = codecs.getincrementaldecoder(codec)()
    before, lines = 0, 1
    try:
        for block in blocks:
            decoder.decode(block)
            before += len(block)
            lines += block.count(b"\n")
        block = b""
        decoder.decode(block, final=True)
    except UnicodeDecodeError as error:
        # Its object is what was left of earlier blocks, then this block.
        position = before + len(block) - len(error.object) + error.start
        line = lines + block.count(b"\n", 0, max(0, position - before))
        return _Wrong(position, error.object[error.start], line)
    return None
