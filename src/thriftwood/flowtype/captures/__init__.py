"""Captures of network traffic: the streams in them, put together and classified as they go by.

files       packets of pcap and pcapng files, from a file or a pipe
counts      what became of packets: cut, passed over, not read
packets     from the bytes of a packet to a piece of a TCP or UDP stream
streams     pieces in their order: the beginning of every stream, in bounded memory
sorting     the type of every stream of a capture; a corpus of streams whose types are known
"""

from thriftwood.flowtype.captures.counts import PacketCounts
from thriftwood.flowtype.captures.files import CaptureError, read_packets
from thriftwood.flowtype.captures.sorting import SortedStream, capture_corpus, classify_capture
from thriftwood.flowtype.captures.streams import Stream, read_streams

__all__ = [
    "CaptureError",
    "PacketCounts",
    "SortedStream",
    "Stream",
    "capture_corpus",
    "classify_capture",
    "read_packets",
    "read_streams",
]
