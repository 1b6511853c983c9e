"""What became of the packets of a capture: a stream that nobody sees is not to be taken for none."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from thriftwood.costs.names import counted
from thriftwood.flowtype.captures.files import RawPacket
from thriftwood.flowtype.captures.packets import LINKS_READ, Piece, is_read, tunnel_of


@dataclass
class PacketCounts:
    """Packets of a capture, counted as they go by.

    Attributes
    ----------
    n_packets : int
        All of them.
    n_cut : int
        Those of which the capture kept the first bytes alone.
    n_passed_over : int
        Those that carry no piece of a TCP or UDP stream.
    unread : Counter of int
        Those of each link type that is not read, by the numbers of tcpdump.
    tunnels : Counter of str
        Those of each kind of tunnel, which are not read either.

    Examples
    --------
    >>> packets = PacketCounts()
    >>> packets.add(RawPacket(link=1, content=b"abc", length=60), None)
    >>> packets.n_cut, packets.n_passed_over, packets.is_unread
    (1, 1, False)
    """

    n_packets: int = 0
    n_cut: int = 0
    n_passed_over: int = 0
    unread: Counter[int] = field(default_factory=Counter)
    tunnels: Counter[str] = field(default_factory=Counter)

    def add(self, packet: RawPacket, piece: Piece | None) -> None:
        """Count a packet and the piece that it carries."""
        self.n_packets += 1
        self.n_cut += packet.length > len(packet.content)
        if piece is not None:
            return
        if not is_read(packet.link):
            self.unread[packet.link] += 1
        elif tunnel := tunnel_of(packet.link, packet.content):
            self.tunnels[tunnel] += 1
        else:
            self.n_passed_over += 1

    @property
    def is_unread(self) -> bool:
        """Whether there are packets that are not read, and none has a piece of a stream."""
        n_unread = self.unread.total() + self.tunnels.total()
        return 0 < n_unread == self.n_packets - self.n_passed_over

    @property
    def unread_words(self) -> list[str]:
        """The sentences about link types and tunnels that are not read."""
        found = []
        if self.unread:
            numbers = ", ".join(map(str, sorted(self.unread)))
            is_not = "type {} is" if len(self.unread) == 1 else "types {} are"
            found.append(
                f"Link {is_not.format(numbers)} not read ({LINKS_READ} are): "
                f"{counted(self.unread.total(), 'packet')} passed over. `tcpdump -i any` records one that is."
            )
        if self.tunnels:
            found.append(
                f"{counted(self.tunnels.total(), 'packet')} in tunnels ({', '.join(sorted(self.tunnels))}) "
                "passed over: what they carry is not read. Record where the tunnel ends."
            )
        return found

    @property
    def notes(self) -> list[str]:
        """What is to be known beside the streams; that nothing was read is an error, and none of these."""
        found = [] if self.is_unread else self.unread_words
        if self.n_cut:
            were = "packet was" if self.n_cut == 1 else "packets were"
            found.append(
                f"{self.n_cut:,} {were} cut by the capture, which leaves gaps in the streams "
                "(tcpdump -s 0 keeps packets whole)."
            )
        if self.n_passed_over:
            found.append(
                f"{counted(self.n_passed_over, 'packet')} without a piece of a TCP or UDP stream passed over "
                "(ARP, ICMP, later fragments, headers that are cut off)."
            )
        return found
