"""The bytes of a stream that its type is told from."""

from __future__ import annotations

from typing import BinaryIO

from thriftwood.flowtype.chunk import CHUNK_BYTES, SIZES, Bytes
from thriftwood.flowtype.corpus import HEADER_BYTES

BYTES_READ = HEADER_BYTES + CHUNK_BYTES


def chunk_of(content: Bytes | BinaryIO) -> bytes:
    """Read the bytes to classify: 16 KB after the first 4 KB, where a header would be.

    A shorter stream gives what is behind its first 4 KB, or its last 2 KB if that is less.

    Examples
    --------
    >>> len(chunk_of(bytes(100_000))), len(chunk_of(bytes(10_000))), len(chunk_of(bytes(3000)))
    (16384, 5904, 2048)
    """
    return looked_at(content)[1]


def looked_at(content: Bytes | BinaryIO) -> tuple[int, bytes]:
    """Return where the bytes to classify begin, and the bytes."""
    if isinstance(content, bytes | bytearray | memoryview):
        read = bytes(content[:BYTES_READ])
    elif hasattr(content, "read"):
        read = _read(content)
    else:
        raise _no_bytes(content)
    if len(read) < SIZES[0]:
        raise ValueError(
            f"The stream has {len(read)} bytes; at least {SIZES[0]} are needed to tell its type."
        )
    first = min(HEADER_BYTES, len(read) - SIZES[0])
    return first, read[first:]


def _read(stream: BinaryIO) -> bytes:
    """Read until there is enough or no more: a pipe gives less than it is asked for."""
    parts: list[bytes] = []
    missing = BYTES_READ
    while missing and (part := stream.read(missing)):
        if not isinstance(part, bytes):
            raise _no_bytes(part)
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def _no_bytes(got: object) -> TypeError:
    return TypeError(
        f"A stream is bytes, or a file that gives them: open(path, 'rb') opens one. Got {type(got).__name__}."
    )
