"""From the bytes of a packet to a piece of a TCP or UDP stream.

What is none (ARP, ICMP, the later fragments of a datagram), is cut off before its ports, or contradicts
itself gives nothing: a capture may hold anything, and a packet is no reason to stop.
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import NamedTuple

TCP, UDP = 6, 17
FIN, SYN, RST = 1, 2, 4
IPV4, IPV6 = 0x0800, 0x86DD
_TAGS = (0x8100, 0x88A8, 0x9100)  # virtual networks, which may be nested
_NULL, _ETHERNET, _RAW, _LOOP, _SLL, _IPV4, _IPV6, _SLL2 = 0, 1, (12, 14, 101), 108, 113, 228, 229, 276
_READ = frozenset((_NULL, _ETHERNET, *_RAW, _LOOP, _SLL, _IPV4, _IPV6, _SLL2))
LINKS_READ = 'Ethernet, raw IP, loopback and Linux\'s "any" interface'
_PASSED_OVER = (0, 43, 60, 135)  # extensions of IPv6 that say how long they are
_FRAGMENT, _AUTHENTICATION = 44, 51
_TUNNELS = {0x8847: "MPLS", 0x8848: "MPLS", 0x8864: "PPPoE"}
_IP_TUNNELS = {4: "IP in IP", 41: "IPv6 in IP", 47: "GRE", 50: "IPsec"}


class Endpoint(NamedTuple):
    """Where a stream begins or ends: an address and a port."""

    address: bytes
    port: int

    def __str__(self) -> str:
        text = str(ip_address(self.address))
        return f"[{text}]:{self.port}" if len(self.address) == 16 else f"{text}:{self.port}"


class Piece(NamedTuple):
    """Some bytes of a stream."""

    protocol: int
    source: Endpoint
    target: Endpoint
    content: bytes
    lost: int
    """Bytes that the packet had and the capture has not."""
    number: int = 0
    """Of its first byte, by TCP."""
    flags: int = 0


def is_read(link: int) -> bool:
    """Tell whether packets that begin with a header of this kind are read."""
    return link in _READ


def piece_of(link: int, content: bytes) -> Piece | None:
    """Return the piece of a stream that a packet carries, None if it carries none."""
    at, kind = _network(link, content)
    if kind == IPV4:
        return _ipv4(content, at)
    return _ipv6(content, at) if kind == IPV6 else None


def tunnel_of(link: int, content: bytes) -> str | None:
    """Return the tunnel that a packet travels in, whose inner packet is not read; None if it is in none.

    Examples
    --------
    >>> tunnel_of(1, bytes(12) + bytes.fromhex("8847") + bytes(40))
    'MPLS'
    """
    at, kind = _network(link, content)
    place = {IPV4: at + 9, IPV6: at + 6}.get(kind)
    if place is None:
        return _TUNNELS.get(kind)
    return _IP_TUNNELS.get(content[place]) if place < len(content) else None


def _network(link: int, content: bytes) -> tuple[int, int]:
    """Return where the network's header begins, and of which kind it is; kind 0: none."""
    if link == _ETHERNET:
        at = 12
        while (kind := _short(content, at)) in _TAGS:
            at += 4
        return at + 2, kind
    if link in (_SLL, _SLL2):
        return (16, _short(content, 14)) if link == _SLL else (20, _short(content, 0))
    at = 4 if link in (_NULL, _LOOP) else 0
    if link not in _READ or len(content) <= at:
        return 0, 0
    return at, {4: IPV4, 6: IPV6}.get(content[at] >> 4, 0)  # the packet itself tells best


def _ipv4(content: bytes, at: int) -> Piece | None:
    if len(content) < at + 20 or content[at] >> 4 != 4:
        return None
    size, total = 4 * (content[at] & 15), _short(content, at + 2)
    if size < 20 or _short(content, at + 6) & 0x1FFF:  # no header, or a later fragment
        return None
    total = total or len(content) - at  # 0 where the network card cuts large packets up
    if total < size:
        return None
    ends = content[at + 12 : at + 16], content[at + 16 : at + 20]
    return _transport(content, at + size, at + total, content[at + 9], *ends)


def _ipv6(content: bytes, at: int) -> Piece | None:
    if len(content) < at + 40 or content[at] >> 4 != 6:
        return None
    total, following = _short(content, at + 4), content[at + 6]
    ends = content[at + 8 : at + 24], content[at + 24 : at + 40]
    end = at + 40 + total if total else len(content)
    place = at + 40
    while following in (*_PASSED_OVER, _FRAGMENT, _AUTHENTICATION):
        if len(content) < place + 8:
            return None
        if following == _FRAGMENT and _short(content, place + 2) & 0xFFF8:
            return None
        long = content[place + 1]
        skipped = {_FRAGMENT: 8, _AUTHENTICATION: 4 * (long + 2)}.get(following, 8 * (long + 1))
        following, place = content[place], place + skipped
    return _transport(content, place, end, following, *ends)


def _transport(
    content: bytes, at: int, end: int, protocol: int, source: bytes, target: bytes
) -> Piece | None:
    least = {TCP: 20, UDP: 8}.get(protocol)
    if least is None or min(len(content), end) < at + least:
        return None
    ends = Endpoint(source, _short(content, at)), Endpoint(target, _short(content, at + 2))
    if protocol == UDP:
        return Piece(UDP, *ends, content[at + 8 : end], max(0, end - max(len(content), at + 8)))
    begin = at + 4 * (content[at + 12] >> 4)
    if begin < at + 20 or begin > end:
        return None
    number = int.from_bytes(content[at + 4 : at + 8], "big")
    lost = max(0, end - max(len(content), begin))
    return Piece(TCP, *ends, content[begin:end], lost, number, content[at + 13])


def _short(content: bytes, at: int) -> int:
    return int.from_bytes(content[at : at + 2], "big")
