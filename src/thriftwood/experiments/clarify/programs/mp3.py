"""MPEG audio files (layer III): valid, or damaged in one way.

A file is an ID3v2 tag and *frames*. What the frames sound like does not matter, only that decoders find
nothing wrong with them: every spectrum is drawn at random and coded with the two simplest code tables.
Frames use the bit reservoir, so the data of a frame may begin inside the frames before it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from random import Random

FAULTS = {
    "truncated": "The file ends in the middle of a frame: it was not copied or fetched to its end.",
    "payload noise": "The sound data of some frames is damaged, though the frames themselves are in place.",
    "header noise": "The headers of some frames are damaged, so the player loses its place.",
    "spliced": "A piece of another recording, in another format, stands in the middle.",
    "missing chunks": "Pieces are missing inside the file.",
    "wav renamed": "This is a WAV file that was named .mp3; it must be converted, not renamed.",
    "bad tag size": "The tag at the beginning says it is longer than it is, so the player skips sound.",
    "zero run": "A stretch of the file holds only zeros, as after a failed transfer.",
}

_BIT_RATES = (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_SAMPLE_RATES = (44100, 48000, 32000)
_SCALE_BITS = (
    *((0, 0), (0, 1), (0, 2), (0, 3), (3, 0), (1, 1), (1, 2), (1, 3)),
    *((2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3), (4, 2), (4, 3)),
)
"""Bits of a scale factor in the lower and upper bands, by ``scalefac_compress``."""

_PAIRS = {(0, 0): "1", (0, 1): "001", (1, 0): "01", (1, 1): "000"}
"""Code table 1."""

_RESERVOIR = 511


def mp3_bytes(random: Random, fault: str | None, size: int = 1) -> bytes:
    """Return a file of some dozen frames; with a size, so many times as many.

    Examples
    --------
    >>> from random import Random
    >>> good = mp3_bytes(Random(1), None)
    >>> good[:3], len(mp3_bytes(Random(1), "truncated")) < len(good)
    (b'ID3', True)
    """
    tag, frames = _tag(random), _frames(random, size)
    if fault is None:
        return tag + b"".join(frames)
    return _DAMAGE[fault](tag, frames, random)


class _Bits:
    """Writes numbers of so many bits."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.length = 0

    def put(self, value: int, bits: int) -> None:
        self.add(format(value, f"0{bits}b") if bits else "")

    def add(self, code: str) -> None:
        self.text.append(code)
        self.length += len(code)

    def bytes(self) -> bytes:
        whole = "".join(self.text)
        whole += "0" * (-len(whole) % 8)
        return int(whole, 2).to_bytes(len(whole) // 8, "big") if whole else b""


def _frames(random: Random, size: int) -> list[bytes]:
    """Return whole frames of one format, with data that runs on from frame to frame."""
    rate = random.randrange(3, 10)
    sampling = random.randrange(3)
    mode = random.choice([0, 1, 3])  # stereo, joint stereo, mono
    channels = 1 if mode == 3 else 2
    length = 144_000 * _BIT_RATES[rate] // _SAMPLE_RATES[sampling]
    side = 17 if channels == 1 else 32
    slot = length - 4 - side
    header = struct.pack(">HBB", 0xFFFB, (rate + 1) << 4 | sampling << 2, mode << 6 | 0x04)
    number = size * random.randint(25, 90)
    infos, data, end = [], bytearray(), 0
    for place in range(number):
        begin = place * slot
        if begin - end > _RESERVOIR:
            end = begin - _RESERVOIR
        room = (place + 1) * slot - end
        content, info = _frame(random, channels, begin - end, min(room, slot + 200))
        data += bytes(end - len(data)) + content
        end = len(data)
        infos.append(info)
    data += bytes(number * slot - len(data))
    return [header + info + bytes(data[at * slot : (at + 1) * slot]) for at, info in enumerate(infos)]


def _frame(random: Random, channels: int, back: int, room: int) -> tuple[bytes, bytes]:
    """Return the data of a frame, and what its side information says about it."""
    info, data = _Bits(), _Bits()
    info.put(back, 9)
    info.put(0, 5 if channels == 1 else 3)
    info.put(0, 4 * channels)
    share = 8 * room // (2 * channels)  # bits of one granule of one channel
    for _ in range(2 * channels):
        _granule(random, info, data, min(share - 8, 4000))
    return data.bytes(), info.bytes()


def _granule(random: Random, info: _Bits, data: _Bits, most: int) -> None:
    short = random.random() < 0.2
    scale = random.randrange(16)
    low, high = _SCALE_BITS[scale]
    factors = [low] * 18 + [high] * 18 if short else [low] * 11 + [high] * 10
    if sum(factors) > most:
        scale, factors = 0, []
    start = data.length
    for bits in factors:
        data.put(random.getrandbits(bits) if bits else 0, bits)
    spare = max(0, most - (data.length - start))
    pairs = random.randint(0, min(spare // 8, 200))
    for _ in range(pairs):
        pair = (int(random.random() < 0.4), int(random.random() < 0.4))
        data.add(_PAIRS[pair])
        data.put(random.getrandbits(sum(pair)) if sum(pair) else 0, sum(pair))
    spare = max(0, most - (data.length - start))
    for _ in range(random.randint(0, min(spare // 8, (576 - 2 * pairs) // 4, 60))):
        four = random.getrandbits(4)
        data.put(15 - four, 4)
        signs = four.bit_count()
        data.put(random.getrandbits(signs) if signs else 0, signs)
    info.put(data.length - start, 12)
    info.put(pairs, 9)
    info.put(random.randint(140, 175), 8)
    info.put(scale, 4)
    info.put(int(short), 1)
    if short:
        info.put(2, 2)
        info.put(0, 1)
        info.put(1 << 5 | 1, 10)
        info.put(random.getrandbits(9), 9)
    else:
        info.put(1 << 10 | 1 << 5 | 1, 15)
        info.put(7, 4)
        info.put(7, 3)
    info.put(0, 1)
    info.put(random.getrandbits(1), 1)
    info.put(1, 1)


def _tag(random: Random) -> bytes:
    """Return an ID3v2 tag."""
    title = "".join(random.choice("abcdefghij klmnop") for _ in range(random.randint(5, 40))).encode()
    text = b"TIT2" + struct.pack(">IH", len(title) + 1, 0) + b"\0" + title
    body = text + bytes(random.randint(0, 200))
    return b"ID3\3\0\0" + _seven_bits(len(body)) + body


def _seven_bits(size: int) -> bytes:
    return bytes(size >> shift & 0x7F for shift in (21, 14, 7, 0))


def _truncated(tag: bytes, frames: list[bytes], random: Random) -> bytes:
    whole = tag + b"".join(frames)
    return whole[: int(len(whole) * random.uniform(0.1, 0.9))]


def _payload_noise(tag: bytes, frames: list[bytes], random: Random) -> bytes:
    def spoilt(frame: bytes) -> bytes:
        start = random.randrange(40, len(frame) - 30)
        length = random.randint(10, len(frame) - start)
        return frame[:start] + random.randbytes(length) + frame[start + length :]

    return tag + b"".join(_some(frames, spoilt, random))


def _header_noise(tag: bytes, frames: list[bytes], random: Random) -> bytes:
    def spoilt(frame: bytes) -> bytes:
        return random.randbytes(random.randint(2, 4)).ljust(4, b"\0") + frame[4:]

    return tag + b"".join(_some(frames, spoilt, random))


def _spliced(tag: bytes, frames: list[bytes], random: Random) -> bytes:
    piece = _frames(random, 1)
    while piece[0][:4] == frames[0][:4]:  # the header says the format
        piece = _frames(random, 1)
    place = random.randrange(1, len(frames))
    return tag + b"".join([*frames[:place], *piece[: random.randint(3, 20)], *frames[place:]])


def _missing_chunks(tag: bytes, frames: list[bytes], random: Random) -> bytes:
    whole = b"".join(frames)
    for _ in range(random.randint(1, 6)):
        start = random.randrange(len(whole) // 10, len(whole) * 8 // 10)
        whole = whole[:start] + whole[start + random.randint(50, len(whole) // 10) :]
    return tag + whole


def _wav(tag: bytes, frames: list[bytes], random: Random) -> bytes:
    rate = random.choice(_SAMPLE_RATES)
    length = sum(map(len, frames))
    level = random.choice([200, 3000, 20000])
    samples = struct.pack(f"<{length // 2}h", *(_loudness(random, level) for _ in range(length // 2)))
    head = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 2, rate, rate * 4, 4, 16)
    body = b"WAVE" + head + b"data" + struct.pack("<I", len(samples)) + samples
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _loudness(random: Random, level: int) -> int:
    """Draw a sample; one in many millions of loud ones would not fit into 16 bits."""
    return max(-32768, min(int(random.gauss(0, level / 3)), 32767))


def _bad_tag_size(tag: bytes, frames: list[bytes], random: Random) -> bytes:
    extra = int(sum(map(len, frames)) * random.uniform(0.05, 0.9))
    return tag[:6] + _seven_bits(len(tag) - 10 + extra) + tag[10:] + b"".join(frames)


def _zero_run(tag: bytes, frames: list[bytes], random: Random) -> bytes:
    whole = b"".join(frames)
    start = random.randrange(len(whole) // 10, len(whole) * 7 // 10)
    length = random.randint(len(frames[0]) // 2, len(whole) // 4)
    return tag + (whole[:start] + bytes(length) + whole[start + length :])[: len(whole)]


def _some(frames: list[bytes], change: Callable[[bytes], bytes], random: Random) -> list[bytes]:
    """Change between a twentieth and a third of the frames, at least one."""
    number = max(1, int(len(frames) * random.uniform(0.05, 0.33)))
    chosen = set(random.sample(range(1, len(frames)), number))
    return [change(frame) if place in chosen else frame for place, frame in enumerate(frames)]


_DAMAGE: dict[str, Callable[[bytes, list[bytes], Random], bytes]] = {
    "truncated": _truncated,
    "payload noise": _payload_noise,
    "header noise": _header_noise,
    "spliced": _spliced,
    "missing chunks": _missing_chunks,
    "wav renamed": _wav,
    "bad tag size": _bad_tag_size,
    "zero run": _zero_run,
}
