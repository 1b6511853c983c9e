"""The page of ``thriftwood flowtype classify`` for captures, and corpora made of them."""

from __future__ import annotations

import json
import signal
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import typer
from rich.console import Console

from thriftwood.cli.printing import note, plain, print_lines
from thriftwood.costs.names import counted
from thriftwood.evaluation.statement import amount
from thriftwood.flowtype.captures import CaptureError, PacketCounts, SortedStream, classify_capture
from thriftwood.flowtype.captures.files import PCAP, PCAPNG
from thriftwood.flowtype.chunk import SIZES
from thriftwood.flowtype.classifying import StreamClassifier

WIDTHS = (5, 26, 26, 13, 8, 7, 13)
COLUMNS = ("", "from", "to", "bytes", "type", "share", "microseconds")
_LEFT = 3  # columns that are texts


def is_capture(head: bytes) -> bool:
    """Tell whether some bytes are the beginning of a capture.

    Examples
    --------
    >>> is_capture(bytes.fromhex("d4c3b2a102000400")), is_capture(b"%PDF-1.7")
    (True, False)
    """
    return head[:4] in PCAP or head[:4] == PCAPNG


def is_packed_capture(head: bytes) -> bool:
    r"""Tell whether some bytes are the beginning of a capture that was packed by gzip.

    Examples
    --------
    >>> import gzip
    >>> is_packed_capture(gzip.compress(bytes.fromhex("d4c3b2a102000400"))), is_packed_capture(b"\x1f\x8b")
    (True, False)
    """
    try:
        return is_capture(zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, 4))
    except zlib.error:
        return False


class Resumed:
    """A stream of which the first bytes have been read already."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head, self._stream = head, stream

    def read(self, size: int) -> bytes:
        """Read so many bytes, or fewer."""
        if not self._head:
            return self._stream.read(size)
        given, self._head = self._head[:size], self._head[size:]
        return given


@contextmanager
def reading_on() -> Iterator[None]:
    """Read a pipe to its end although Ctrl-C is pressed, which ends what captures; the second ends this, too.

    The shell sends it to both sides of a pipe. What was captured by then, and is still open, is told.
    """

    def pressed(number: int, frame: Any) -> None:
        signal.signal(signal.SIGINT, before)
        note("Ctrl-C: what was captured is told as soon as the capture ends. Press it again to stop at once.")

    before = signal.signal(signal.SIGINT, pressed)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def classify_capture_and_print(
    out: Console, file: BinaryIO, classifier: StreamClassifier, as_json: bool
) -> None:
    """Tell the type of every stream, a line each as it is over; then what there was."""
    begin = time.perf_counter()
    types: Counter[str] = Counter()
    packets = PacketCounts()
    short, n_bytes = 0, 0
    if not as_json:
        print_lines(out, _line(COLUMNS))
    problem: CaptureError | None = None
    try:
        for one in classify_capture(file, classifier, packets=packets):
            n_bytes += one.stream.n_bytes
            if one.found is None:
                short += 1
            else:
                types[str(one.answer)] += 1
            if as_json:
                typer.echo(json.dumps(plain(_content(one)), allow_nan=False))
            elif one.found is not None:
                print_lines(out, _line(_cells(one)))
    except CaptureError as error:
        problem = error
    if not as_json:
        print_lines(out, _summary(types, short, n_bytes, time.perf_counter() - begin))
    for sentence in packets.notes:
        note(sentence)
    if problem is not None:
        raise problem


def _summary(types: Counter[str], short: int, n_bytes: int, seconds: float) -> str:
    listed = ", ".join(f"{kind} {n:,}" for kind, n in sorted(types.items()))
    words = f"{counted(sum(types.values()), 'stream')}" + (f": {listed}" if listed else "")
    if short:
        words += f"; {counted(short, 'stream')} of fewer than {SIZES[0]:,} bytes not told"
    return f"{words}. {n_bytes / 1e6:,.1f} MB in {seconds:.1f} s."


def _cells(one: SortedStream) -> tuple[str, ...]:
    stream, found = one.stream, one.found
    assert found is not None  # only streams that are long enough are listed
    share = percent(found.share) if found.answer == found.nearest else ""
    return (
        *(stream.protocol, str(stream.source), str(stream.target), f"{stream.n_bytes:,}"),
        *(str(found.answer), share, amount(found.cost)),
    )


def percent(share: float) -> str:
    """Write a share in percent; one that is less than all never as 100 %.

    Examples
    --------
    >>> percent(0.984), percent(0.9969), percent(1.0)
    ('98%', '>99%', '100%')
    """
    return ">99%" if 0.995 <= share < 1.0 else f"{share:.0%}"


def _line(cells: tuple[str, ...]) -> str:
    """Lay a row out: streams are told as they end, so widths are settled beforehand."""
    laid = [
        cell.ljust(width) if place < _LEFT else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(cells, WIDTHS, strict=True))
    ]
    return " ".join(laid).rstrip()


def _content(one: SortedStream) -> dict[str, Any]:
    stream, found = one.stream, one.found
    return {
        "protocol": stream.protocol,
        "from": str(stream.source),
        "to": str(stream.target),
        "bytes": stream.n_bytes,
        "packets": stream.n_packets,
        "gaps": stream.gaps,
        "answer": one.answer,
        "nearest": None if found is None else found.nearest,
        "probabilities": None if found is None else found.probabilities,
        "cost": None if found is None else found.cost,
    }
