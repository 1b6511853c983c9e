"""The streams of a capture: pieces put in their order, the beginning of each, in bounded memory.

A stream is one direction of a connection. Of each only the first bytes are kept, as many as its type is told
from, and of pieces that come too early no more than `MOST_EARLY`; a gap that does not close is passed over. A
stream is given when its connection ends, the capture ends, or more than `most_open` are open: then those that
have been silent longest. A long one is not given before its end, so that all its bytes are counted.

A connection ends where the number of its last byte says, not when the packet that says so comes: that one may
overtake others. For those `PATIENCE` packets are waited. What is sent again after the end is known by its
numbers and begins no new stream.
"""

from __future__ import annotations

import heapq
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike
from typing import BinaryIO

from thriftwood.flowtype.captures.counts import PacketCounts
from thriftwood.flowtype.captures.files import CaptureError, opened, read_packets
from thriftwood.flowtype.captures.packets import FIN, RST, SYN, TCP, Endpoint, Piece, piece_of
from thriftwood.flowtype.corpus import MIN_BYTES

MOST_EARLY = 65_536
"""Bytes of pieces that came before their turn, in a stream, with `OVERHEAD`."""
MOST_OPEN = 2048
"""Streams that are put together at a time: 20 KB each are 42 MB."""
MOST_EARLY_ALL = 16 * 1024 * 1024
"""Bytes of pieces that came before their turn, in all streams, with `OVERHEAD`."""
OVERHEAD = 64
"""Bytes that an early piece counts for besides its own: 16 MB of one byte each would be 16 million pieces."""
PATIENCE = 1000
"""Packets of the capture that may come between the end of a connection and what the end has overtaken."""
MOST_ENDED = 2048
"""Connections that are remembered after their end."""
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
    _first: int | None = None
    _next: int | None = None
    _last: int | None = None  # where the connection ends, once that is said
    _early: dict[int, tuple[bytes, int]] = field(default_factory=dict, repr=False)  # and what each has lost
    _turns: list[int] = field(default_factory=list, repr=False)  # a heap of where early pieces begin
    _n_early: int = 0

    @property
    def endpoints(self) -> str:
        """From where to where."""
        return f"{self.source} > {self.target}"

    @property
    def is_ending(self) -> bool:
        """Whether it is known where the connection ends."""
        return self._last is not None

    @property
    def is_over(self) -> bool:
        """Whether all bytes up to the end of the connection are there."""
        return self._last is not None and self._next is not None and self._next >= self._last

    @property
    def numbers(self) -> tuple[int, int]:
        """The number of the first byte, by TCP, and how many follow up to the end of the connection."""
        first = self._first or 0
        return first, max(0, (self._last or 0) - first)

    @property
    def n_early(self) -> int:
        """What waits for its turn, in bytes, with `OVERHEAD` for each piece."""
        return self._n_early

    def add(self, piece: Piece) -> None:
        """Take a piece: at once if its turn has come, later otherwise."""
        if piece.protocol != TCP:
            if piece.content or piece.lost:
                self._append(piece.content, piece.lost)
            return
        number = piece.number + (1 if piece.flags & SYN else 0)
        if self._next is None:
            self._first = self._next = number % _ROUND
        begin = self._next + _distance(number, self._next)  # which goes on counting where numbers begin anew
        if piece.flags & (FIN | RST) and self._last is None:
            self._last = begin + len(piece.content) + piece.lost
        if not piece.content and not piece.lost:
            return
        if begin > self._next:
            self._keep(begin, piece.content, piece.lost)
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

    def _keep(self, begin: int, content: bytes, lost: int) -> None:
        """Keep a piece for its turn; of two that begin here the longer content, and the farther end."""
        known, known_lost = self._early.get(begin, (b"", 0))
        if begin not in self._early:
            heapq.heappush(self._turns, begin)
            self._n_early += OVERHEAD
        longer = max(known, content, key=len)
        end = max(len(known) + known_lost, len(content) + lost)
        self._early[begin] = longer, end - len(longer)
        self._n_early += len(longer) - len(known)

    def _take_early(self) -> None:
        """Take the pieces whose turn has come."""
        while self._turns and self._next is not None and self._turns[0] <= self._next:
            begin = heapq.heappop(self._turns)
            content, lost = self._early.pop(begin)
            self._n_early -= len(content) + OVERHEAD
            self._take(content, self._next - begin, lost)

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


def read_streams(
    file: BinaryIO | str | PathLike[str],
    *,
    wanted: int = MIN_BYTES,
    most_open: int = MOST_OPEN,
    packets: PacketCounts | None = None,
) -> Iterator[Stream]:
    """Put the streams of a capture together, and give each when it is over.

    Parameters
    ----------
    file : binary file or path
        pcap or pcapng; a pipe is read as it comes.
    wanted : int
        How many of its first bytes are kept of each stream.
    most_open : int
        So many streams are put together at a time; of more, those that were silent longest are given.
    packets : PacketCounts, optional
        Counts the packets of this capture: how many were cut, and how many passed over.

    Raises
    ------
    CaptureError
        If it is no capture, is damaged, or has nothing but link types and tunnels that are not read; all
        streams before that have been given.
    """
    counts = PacketCounts() if packets is None else packets
    table = _Table(wanted, most_open)
    problems = []
    with opened(file) as stream:
        try:
            for packet in read_packets(stream):
                piece = piece_of(packet.link, packet.content)
                counts.add(packet, piece)
                if piece is not None:
                    yield from table.add(piece)
        except CaptureError as error:
            problems.append(str(error))
        yield from table.rest()
        if counts.is_unread:
            problems.extend(counts.unread_words)
        if problems:
            raise CaptureError(" ".join(problems))


Key = tuple[int, Endpoint, Endpoint]


class _Table:
    """The streams that are open, the longest silent first."""

    def __init__(self, wanted: int, most_open: int) -> None:
        self.wanted, self.most_open = wanted, most_open
        self.open: OrderedDict[Key, Stream] = OrderedDict()
        self.ending: dict[Key, int] = {}  # open, and their end is known: since which piece
        self.ended: OrderedDict[Key, tuple[int, int]] = OrderedDict()  # and their numbers
        self.n_early = 0
        self.n_pieces = 0

    def add(self, piece: Piece) -> Iterator[Stream]:
        self.n_pieces += 1
        key = (piece.protocol, piece.source, piece.target)
        stream = self.open.get(key)
        if stream is not None and piece.flags & SYN and not _begins(piece, stream.numbers[0]):
            yield self._given(key)  # the same ends, another connection
            stream = None
        if stream is None:
            if self._is_late(key, piece) or not (piece.content or piece.flags & SYN):
                return
            protocol = _PROTOCOLS.get(piece.protocol, "UDP")
            stream = Stream(protocol, piece.source, piece.target, wanted=self.wanted)
            self.open[key] = stream
        before = stream.n_early
        stream.add(piece)
        self.n_early += stream.n_early - before
        self.open.move_to_end(key)
        if stream.is_over:
            yield self._given(key)
        elif stream.is_ending:
            self.ending.setdefault(key, self.n_pieces)
        yield from self._too_many()

    def rest(self) -> Iterator[Stream]:
        while self.open:
            yield self._given(next(iter(self.open)))

    def _too_many(self) -> Iterator[Stream]:
        while self.ending and self.n_pieces - next(iter(self.ending.values())) > PATIENCE:
            yield self._given(next(iter(self.ending)))
        while len(self.open) > self.most_open or self.n_early > MOST_EARLY_ALL:
            yield self._given(next(iter(self.open)))

    def _is_late(self, key: Key, piece: Piece) -> bool:
        """Tell whether a piece belongs to a connection that has ended; another one makes that forgotten."""
        if key not in self.ended:
            return False
        first, length = self.ended[key]
        ahead = (piece.number - first) % _ROUND
        within = ahead + len(piece.content) + piece.lost <= length
        if _begins(piece, first) if piece.flags & SYN else within or not piece.content:
            return True
        del self.ended[key]
        return False

    def _given(self, key: Key) -> Stream:
        stream = self.open.pop(key)
        self.ending.pop(key, None)
        self.n_early -= stream.n_early
        stream.pass_over_gaps()
        if stream.is_ending:
            self.ended[key] = stream.numbers
            if len(self.ended) > MOST_ENDED:
                self.ended.popitem(last=False)
        return stream


def _begins(piece: Piece, first: int) -> bool:
    """Tell whether the first packet of a connection belongs to the stream of this first byte."""
    return (piece.number + 1) % _ROUND == first


def _distance(one: int, other: int) -> int:
    """Return how far a number is ahead of another, on a circle: negative if it is behind."""
    return (one - other + _ROUND // 2) % _ROUND - _ROUND // 2
