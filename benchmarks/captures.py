"""How fast captures are sorted, and in how much memory: `python -m benchmarks.captures --megabytes 1000`.

A capture of text, sound and noise on many connections at a time is made as it is read and goes through a
pipe, so that nothing of it lies on the disk. It is sorted by a tree that asks what it needs, and by one
that is given all 88 statistics of every stream. Seconds are of CPU, memory is the largest of the process
that sorts.
"""

from __future__ import annotations

import argparse
import resource
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO

import numpy as np

from thriftwood import algorithm, flowtype
from thriftwood.flowtype.captures import read_streams
from thriftwood.flowtype.chunk import CHUNK_BYTES, SIZES
from thriftwood.flowtype.classifying import chunk_of

PIECE, PIECES = 1400, 200
"""Bytes of a packet, and packets of a stream: 280 KB."""
AT_A_TIME = 500
WORDS = ("the", "of", "and", "to", "in", "is", "was", "that", "for", "with", "as", "his", "on", "be")


def contents(rng: np.random.Generator, size: int) -> dict[str, bytes]:
    """Draw a text, a sound and noise."""
    wave = 8000 * np.sin(np.arange(size // 2) * rng.uniform(0.01, 0.2)) + 300 * rng.normal(size=size // 2)
    return {
        "TXT": " ".join(rng.choice(WORDS, size)).encode()[:size],
        "WAV": wave.astype("<i2").tobytes(),
        "ENC": rng.bytes(size),
    }


def packets(megabytes: float, seed: int = 0) -> Iterator[bytes]:
    """Make the records of a pcap file, connections mixed."""
    rng = np.random.default_rng(seed)
    bodies = [one for _ in range(4) for one in contents(rng, PIECE * PIECES).values()]
    yield struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 1)
    left = int(megabytes * 1e6)
    base = 0
    while left > 0:
        for at in range(PIECES):
            for number in range(AT_A_TIME):
                port = 1024 + (base + number) % 60000
                piece = bodies[(base + number) % len(bodies)][at * PIECE : (at + 1) * PIECE]
                left -= PIECE
                flags = 0x11 if at == PIECES - 1 else 0x10
                tcp = struct.pack(">HHIIBBHHH", port, 80, 1 + at * PIECE, 0, 5 << 4, flags, 512, 0, 0) + piece
                ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(tcp), 1, 0, 64, 6, 0) + bytes(8)
                packet = bytes(12) + b"\x08\x00" + ip + tcp
                yield struct.pack("<IIII", 1, 2, len(packet), len(packet)) + packet
            if left <= 0:
                return
        base += AT_A_TIME


def classifier() -> flowtype.StreamClassifier:
    """Learn to tell the three kinds apart, by measured prices."""
    rng = np.random.default_rng(9)
    cases = [pair for _ in range(20) for pair in contents(rng, CHUNK_BYTES).items()]
    X = flowtype.named_columns(flowtype.features([content for _, content in cases]))
    learner = algorithm("lasc", costs=flowtype.price_list(rounds=10))
    return flowtype.StreamClassifier(learner.fit(X, [kind for kind, _ in cases]).tree_)


def sort(file: BinaryIO, sorter: flowtype.StreamClassifier | None) -> tuple[int, int]:
    """Sort a capture; return its streams and bytes."""
    n_streams = n_bytes = 0
    if sorter is None:
        for stream in read_streams(file):
            n_streams, n_bytes = n_streams + 1, n_bytes + stream.n_bytes
            if len(stream.content) >= SIZES[0]:
                flowtype.features([chunk_of(bytes(stream.content))])
        return n_streams, n_bytes
    for one in flowtype.classify_capture(file, sorter):
        n_streams, n_bytes = n_streams + 1, n_bytes + one.stream.n_bytes
    return n_streams, n_bytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, default=200.0)
    parser.add_argument("--part", choices=("make", "planned", "everything"), help="for the processes of this")
    wanted = parser.parse_args()
    if wanted.part == "make":
        with suppress(BrokenPipeError):
            for packet in packets(wanted.megabytes):
                sys.stdout.buffer.write(packet)
        return
    if wanted.part is not None:
        sorter = None if wanted.part == "everything" else classifier()
        begin = time.process_time()
        n_streams, n_bytes = sort(sys.stdin.buffer, sorter)
        seconds = time.process_time() - begin
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{wanted.part}: {n_streams:,} streams, {n_bytes / 1e6:,.0f} MB in {seconds:.1f} s of CPU: "
              f"{n_bytes / 1e6 / seconds:,.0f} MB/s; {memory:,.0f} MiB")  # fmt: skip
        return
    for part in ("planned", "everything"):
        own = [sys.executable, "-m", "benchmarks.captures", "--megabytes", str(wanted.megabytes), "--part"]
        made = subprocess.Popen([*own, "make"], stdout=subprocess.PIPE)
        subprocess.run([*own, part], stdin=made.stdout, check=True)
        made.wait()


if __name__ == "__main__":
    main()
