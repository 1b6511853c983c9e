"""The streams of a capture: pieces put in their order, the beginning of each, in bounded memory.

A stream is one direction of a connection. Of each only the first bytes are kept, as many as its type is told
from, and of pieces that come too early no more than `MOST_EARLY`; a gap that does not close is passed over. A
stream is given when it has enough bytes, its connection ends, the capture ends, or more than `most_open` are
open: then those that have been silent longest.
"""

from __future__ import annotations

import heapq
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from thriftwood.flowtype.captures.files import CaptureError, read_packets
from thriftwood.flowtype.captures.packets import FIN, RST, SYN, TCP, Endpoint, Piece, piece_of
from thriftwood.flowtype.corpus import MIN_BYTES

MOST_EARLY = 65_536
"""Bytes of pieces that came before their turn, in a stream, with `OVERHEAD`."""
MOST_OPEN = 2048
"""Streams that are put together at a time: 20 KB each are 42 MB."""
MOST_EARLY_ALL = 16 * 1024 * 1024
"""Bytes of pieces that came before their turn, in all streams, with `OVERHEAD`."""
OVERHEAD = 64
"""Bytes that an early piece counts for besides its own: of one byte each, 16 MB would be 16 million pieces."""
_ROUND = 1 << 32
_PROTOCOLS = {TCP: "TCP"}


@dataclass
class Stream:
    """One direction of a connection.

    Attributes
    ----------
    protocol : {"TCP", "UDP"}
        How it was sent.
    source, target : Endpoint
        From where, and where to.
    n_bytes : int
        All bytes of it that went by, repeated ones not counted.
    n_packets : int
        Pieces that had bytes.
    content : bytearray
        Its first bytes.
    gaps : int
        Times that something is missing: it was not captured.
    """

    protocol: str
    source: Endpoint
    target: Endpoint
    n_bytes: int = 0
    n_packets: int = 0
    content: bytearray = field(default_factory=bytearray, repr=False)
    gaps: int = 0
    wanted: int = MIN_BYTES
    _next: int | None = None
    _early: dict[int, bytes] = field(default_factory=dict, repr=False)
    _turns: list[int] = field(default_factory=list, repr=False)  # a heap of where early pieces begin
    _n_early: int = 0

    @property
    def endpoints(self) -> str:
        """From where to where."""
        return f"{self.source} > {self.target}"

    @property
    def is_long_enough(self) -> bool:
        """Whether all bytes that are wanted are there."""
        return len(self.content) >= self.wanted

    @property
    def n_early(self) -> int:
        """What waits for its turn, in bytes, with `OVERHEAD` for each piece."""
        return self._n_early

    def add(self, piece: Piece) -> None:
        """Take a piece: at once if its turn has come, later otherwise."""
        if piece.protocol != TCP:
            self._append(piece.content, piece.lost)
            return
        number = piece.number + (1 if piece.flags & SYN else 0)
        if self._next is None or piece.flags & SYN:
            self._next = number
        if not piece.content and not piece.lost:
            return
        begin = self._next + _distance(number, self._next)  # which goes on counting where numbers begin anew
        if begin > self._next:
            self._keep(begin, piece.content)
            if self._n_early > MOST_EARLY:
                self.pass_over_gaps()
            return
        self._take(piece.content, self._next - begin, piece.lost)
        self._take_early()

    def pass_over_gaps(self) -> None:
        """Go on where the next piece is that there is: what is missing will not come."""
        while self._turns:
            self.gaps += 1
            self._next = self._turns[0]
            self._take_early()

    def _keep(self, begin: int, content: bytes) -> None:
        known = self._early.get(begin)
        if known is None:
            heapq.heappush(self._turns, begin)
            self._n_early += OVERHEAD
        if known is None or len(content) > len(known):
            self._early[begin] = content
            self._n_early += len(content) - len(known or b"")

    def _take_early(self) -> None:
        """Take the pieces whose turn has come."""
        while self._turns and self._next is not None and self._turns[0] <= self._next:
            begin = heapq.heappop(self._turns)
            content = self._early.pop(begin)
            self._n_early -= len(content) + OVERHEAD
            self._take(content, self._next - begin, 0)

    def _take(self, content: bytes, known: int, lost: int) -> None:
        """Take bytes of which the first are known already."""
        new = content[known:]
        lost = max(0, lost - max(0, known - len(content)))
        self._next = (self._next or 0) + len(new) + lost
        if new or lost:
            self._append(new, lost)

    def _append(self, content: bytes, lost: int) -> None:
        self.n_packets += 1
        self.n_bytes += len(content) + lost
        if len(self.content) < self.wanted:
            self.content += content[: self.wanted - len(self.content)]
        self.gaps += lost > 0


def read_streams(file: BinaryIO, *, wanted: int = MIN_BYTES, most_open: int = MOST_OPEN) -> Iterator[Stream]:
    """Put the streams of a capture together, and give each when it is over.

    Parameters
    ----------
    file : binary file
        pcap or pcapng; a pipe is read as it comes.
    wanted : int
        How many of its first bytes are kept of each stream.
    most_open : int
        So many streams are put together at a time; of more, those that were silent longest are given.

    Raises
    ------
    CaptureError
        If it is no capture, or is damaged; all streams before that have been given.
    """
    table = _Table(wanted, most_open)
    problem = None
    try:
        for packet in read_packets(file):
            piece = piece_of(packet.link, packet.content)
            if piece is not None:
                yield from table.add(piece)
    except CaptureError as error:
        problem = error
    yield from table.rest()
    if problem is not None:
        raise problem


Key = tuple[int, Endpoint, Endpoint]


class _Table:
    """The streams that are open, the longest silent first."""

    def __init__(self, wanted: int, most_open: int) -> None:
        self.wanted, self.most_open = wanted, most_open
        self.open: OrderedDict[Key, Stream] = OrderedDict()
        self.n_early = 0

    def add(self, piece: Piece) -> Iterator[Stream]:
        key = (piece.protocol, piece.source, piece.target)
        stream = self.open.get(key)
        if stream is not None and piece.flags & SYN and stream.n_packets:  # the same ends, another connection
            yield self._given(key)
            stream = None
        if stream is None:
            if not piece.content and not piece.flags & SYN:
                return
            protocol = _PROTOCOLS.get(piece.protocol, "UDP")
            stream = Stream(protocol, piece.source, piece.target, wanted=self.wanted)
            self.open[key] = stream
        before = stream.n_early
        stream.add(piece)
        self.n_early += stream.n_early - before
        self.open.move_to_end(key)
        if piece.flags & (FIN | RST) and not stream.n_early:
            yield self._given(key)
        while len(self.open) > self.most_open or self.n_early > MOST_EARLY_ALL:
            yield self._given(next(iter(self.open)))

    def rest(self) -> Iterator[Stream]:
        while self.open:
            yield self._given(next(iter(self.open)))

    def _given(self, key: Key) -> Stream:
        stream = self.open.pop(key)
        self.n_early -= stream.n_early
        stream.pass_over_gaps()
        return stream


def _distance(one: int, other: int) -> int:
    """Return how far a number is ahead of another, on a circle: negative if it is behind."""
    return (one - other + _ROUND // 2) % _ROUND - _ROUND // 2
