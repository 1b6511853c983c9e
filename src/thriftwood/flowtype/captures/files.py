"""Packets of pcap and pcapng files, one after the other; nothing of them is kept.

Both formats are read as they come from a file or a pipe, in either byte order, with any resolution of time.
What no capture has (more than 256 KB in a packet, 16 MB in a block, 65,536 interfaces) is damage, not a
reason to ask for memory.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO, NamedTuple

MOST_PACKET = 262_144
"""Bytes; what tcpdump takes at most."""
MOST_BLOCK = 16 * 1024 * 1024
MOST_INTERFACES = 65_536
"""Of a section; they are all that is kept of it."""
PCAP = {
    b"\xa1\xb2\xc3\xd4": ">",
    b"\xd4\xc3\xb2\xa1": "<",
    b"\xa1\xb2\x3c\x4d": ">",  # times in nanoseconds
    b"\x4d\x3c\xb2\xa1": "<",
}
SECTION, INTERFACE, OLD_PACKET, SIMPLE_PACKET, PACKET = 0x0A0D0D0A, 1, 2, 3, 6
PCAPNG = struct.pack("<I", SECTION)  # the same from both ends
GZIP = b"\x1f\x8b"
_ORDERS = {b"\x1a\x2b\x3c\x4d": ">", b"\x4d\x3c\x2b\x1a": "<"}


class CaptureError(ValueError):
    """What was read is no capture, or is damaged; the message says where."""


class RawPacket(NamedTuple):
    """The bytes of a packet, as far as they were captured."""

    link: int
    """The kind of its first header, by the numbers of tcpdump."""
    content: bytes
    length: int
    """How long it was on the wire."""


@contextmanager
def opened(file: BinaryIO | str | PathLike[str]) -> Iterator[BinaryIO]:
    """Open the file of a path, and name it in what is said of its capture; what is open stays as it is."""
    if not isinstance(file, str | PathLike):
        yield file
        return
    with Path(file).open("rb") as stream:
        try:
            yield stream
        except CaptureError as error:
            raise CaptureError(f"{fspath(file)}: {error}") from None


def read_packets(file: BinaryIO) -> Iterator[RawPacket]:
    """Read a capture packet by packet.

    Raises
    ------
    CaptureError
        If it is no capture, or ends or breaks in the middle: packets before that have been given.

    Examples
    --------
    >>> from io import BytesIO
    >>> head = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
    >>> [packet] = read_packets(BytesIO(head + struct.pack("<IIII", 0, 0, 3, 60) + b"abc"))
    >>> packet
    RawPacket(link=1, content=b'abc', length=60)
    """
    reader = _Reader(file)
    magic = reader.upto(4)
    if magic in PCAP:
        yield from _pcap(reader, PCAP[magic])
    elif magic == PCAPNG:
        yield from _pcapng(reader)
    else:
        packed = " It is packed by gzip: gunzip it first." if magic.startswith(GZIP) else ""
        raise CaptureError(
            f"This is no capture: it begins with {magic!r}, and pcap and pcapng files begin otherwise."
            f"{packed} tcpdump -w and Wireshark write captures."
        )


class _Reader:
    """Reads whole pieces; knows where it is."""

    def __init__(self, file: BinaryIO) -> None:
        self.file, self.at = file, 0

    def upto(self, size: int) -> bytes:
        """Read so many bytes, fewer only at the end: a pipe gives less than it is asked for."""
        read = self.file.read(size)
        while len(read) < size and (more := self.file.read(size - len(read))):
            read += more
        self.at += len(read)
        return read

    def exactly(self, size: int, what: str) -> bytes:
        begin, read = self.at, self.upto(size)
        if len(read) < size:
            raise CaptureError(
                f"The capture ends in the middle of {what}: at byte {begin:,} {size:,} bytes were wanted and "
                f"{len(read):,} came. It was cut off; what came before is sound."
            )
        return read

    def damaged(self, why: str) -> CaptureError:
        return CaptureError(f"The capture is damaged at byte {self.at:,}: {why}.")


def _pcap(reader: _Reader, order: str) -> Iterator[RawPacket]:
    head = struct.Struct(f"{order}HHiIII")
    *_, link = head.unpack(reader.exactly(head.size, "its header"))
    link &= 0x0FFFFFFF  # the upper bits tell of checksums
    record = struct.Struct(f"{order}IIII")
    while begin := reader.upto(record.size):
        if len(begin) < record.size:
            raise CaptureError(
                f"The capture ends in the middle of a packet's header, at byte {reader.at:,}. It was cut "
                "off; what came before is sound."
            )
        _, _, size, length = record.unpack(begin)
        if size > MOST_PACKET:
            raise reader.damaged(f"a packet of {size:,} bytes, and none has more than {MOST_PACKET:,}")
        yield RawPacket(link, reader.exactly(size, "a packet"), length)


def _pcapng(reader: _Reader) -> Iterator[RawPacket]:
    order, links, kind = _section(reader), list[tuple[int, int]](), SECTION
    while begin := reader.upto(8):
        if len(begin) < 8:
            raise CaptureError(
                f"The capture ends in the middle of a block's header, at byte {reader.at:,}. It was cut off; "
                "what came before is sound."
            )
        if begin[:4] == PCAPNG:
            order, links = _section(reader, begin[4:]), []
            continue
        kind, size = struct.unpack(f"{order}II", begin)
        body = _block(reader, order, size)
        if kind == INTERFACE:
            if len(body) < 8:
                raise reader.damaged("the description of an interface is too short")
            link, _, most = struct.unpack_from(f"{order}HHI", body)
            links.append((link, most))
            if len(links) > MOST_INTERFACES:
                raise reader.damaged(f"more than {MOST_INTERFACES:,} interfaces")
        elif kind in (PACKET, OLD_PACKET, SIMPLE_PACKET):
            yield _packet(reader, order, kind, body, links)


def _section(reader: _Reader, size: bytes = b"") -> str:
    """Read the head of a section; return its byte order."""
    size = size or reader.exactly(4, "its header")
    mark = reader.exactly(4, "the header of a section")
    if mark not in _ORDERS:
        raise reader.damaged(f"a section whose byte order is {mark!r}")
    order = _ORDERS[mark]
    (length,) = struct.unpack(f"{order}I", size)
    if not 28 <= length <= MOST_BLOCK or length % 4:
        raise reader.damaged(f"the head of a section of {length:,} bytes")
    reader.exactly(length - 12, "the header of a section")
    return order


def _block(reader: _Reader, order: str, size: int) -> bytes:
    if not 12 <= size <= MOST_BLOCK or size % 4:
        raise reader.damaged(f"a block of {size:,} bytes")
    body = reader.exactly(size - 8, "a block")
    if struct.unpack_from(f"{order}I", body, size - 12)[0] != size:
        raise reader.damaged("a block whose two lengths differ")
    return body[:-4]


def _packet(reader: _Reader, order: str, kind: int, body: bytes, links: list[tuple[int, int]]) -> RawPacket:
    if kind == SIMPLE_PACKET:
        if len(body) < 4 or not links:
            raise reader.damaged("a packet without a length or an interface")
        (length,) = struct.unpack_from(f"{order}I", body)
        link, most = links[0]
        size = min(length, most or length, len(body) - 4)
        return RawPacket(link, body[4 : 4 + size], length)
    if len(body) < 20:
        raise reader.damaged("the head of a packet is too short")
    form = f"{order}IIIII" if kind == PACKET else f"{order}HHIIII"
    number, *_, size, length = struct.unpack_from(form, body)
    if number >= len(links):
        raise reader.damaged(f"a packet of interface {number}, where {len(links)} are described")
    if size > len(body) - 20:
        raise reader.damaged(f"a packet of {size:,} bytes in a block of {len(body):,}")
    return RawPacket(links[number][0], body[20 : 20 + size], length)
