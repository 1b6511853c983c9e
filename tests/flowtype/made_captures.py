"""Captures made byte by byte: Ethernet, IPv4 and IPv6, TCP and UDP; pcap and pcapng in either byte order."""

from __future__ import annotations

import struct

FIN, SYN, ACK = 1, 2, 16


def ipv4(protocol, body, source=b"\x0a\x00\x00\x01", target=b"\x0a\x00\x00\x02", fragment=0):
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(body), 1, fragment, 64, protocol, 0)
    return head + source + target + body


def ipv6(protocol, body, source=b"\xfd" + bytes(14) + b"\x01", target=b"\xfd" + bytes(14) + b"\x02"):
    options = bytes([protocol, 0]) + bytes(6)  # a header that is passed over
    return struct.pack(">IHBB", 6 << 28, 8 + len(body), 0, 64) + source + target + options + body


def tcp(content, number, *, flags=ACK, ports=(80, 5000)):
    return struct.pack(">HHIIBBHHH", *ports, number % 2**32, 0, 5 << 4, flags, 512, 0, 0) + content


def udp(content, *, ports=(53, 6000)):
    return struct.pack(">HHHH", *ports, 8 + len(content), 0) + content


def ethernet(network, kind=0x0800):
    return bytes(12) + struct.pack(">H", kind) + network


def pcap(packets, *, order="<", link=1, magic=0xA1B2C3D4):
    parts = [struct.pack(f"{order}IHHiIII", magic, 2, 4, 0, 0, 262144, link)]
    for packet in packets:
        parts += [struct.pack(f"{order}IIII", 1, 2, len(packet), len(packet)), packet]
    return b"".join(parts)


def pcapng(packets, *, order="<", link=1):
    parts = [_block(order, 0x0A0D0D0A, struct.pack(f"{order}IHHq", 0x1A2B3C4D, 1, 0, -1))]
    parts.append(_block(order, 1, struct.pack(f"{order}HHI", link, 0, 0)))
    parts.append(_block(order, 5, bytes(12)))  # statistics, which nobody asked for
    for packet in packets:
        head = struct.pack(f"{order}IIIII", 0, 0, 0, len(packet), len(packet))
        parts.append(_block(order, 6, head + packet))
    return b"".join(parts)


def _block(order, kind, body):
    body += bytes(-len(body) % 4)
    size = struct.pack(f"{order}I", 12 + len(body))
    return struct.pack(f"{order}I", kind) + size + body + size


def connection(content, *, start=4_294_900_000, size=1400, ports=(80, 5000), wrap=ipv4, end=FIN):
    """The packets of a TCP stream with its first and last; numbers pass through 0 on the way."""
    packets = [tcp(b"", start, flags=SYN, ports=ports)]
    for at in range(0, len(content), size):
        packets.append(tcp(content[at : at + size], start + 1 + at, ports=ports))
    packets.append(tcp(b"", start + 1 + len(content), flags=end | ACK, ports=ports))
    kind = 0x0800 if wrap is ipv4 else 0x86DD
    return [ethernet(wrap(6, packet), kind) for packet in packets]
