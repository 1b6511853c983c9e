"""Captures of traffic, changed at random: read, or refused with a sentence and a place.

``python -m fuzz.campaign.captures 100000`` (in ``tests``) tries so many.
"""

import functools
import random
import sys
from io import BytesIO

from flowtype.made_captures import connection, ethernet, ipv4, ipv6, pcap, pcapng, udp
from fuzz.campaign.kind import check_words

from thriftwood.flowtype.captures import CaptureError, read_streams


@functools.cache
def _sound():
    content = bytes(range(256)) * 20
    packets = [
        *connection(content, size=700),
        *connection(content, size=900, wrap=ipv6, ports=(8, 9)),
        *(ethernet(ipv4(17, udp(content[:n]))) for n in (10, 800, 0)),
    ]
    random.Random(0).shuffle(packets)
    return tuple(write(packets, order=order) for write in (pcap, pcapng) for order in "<>")


def hostile(seed):
    """Return a sound capture with some bytes changed, taken out, doubled, or cut off."""
    rng = random.Random(seed)
    data = bytearray(rng.choice(_sound()))
    for _ in range(rng.choice((0, 1, 1, 2, 5, 40))):
        if not data:
            break
        at = rng.randrange(len(data)) if rng.random() < 0.6 else rng.randrange(min(120, len(data)))
        what = rng.randrange(5)
        if what == 0:
            data[at] = rng.randrange(256)
        elif what == 1:
            data[at : at + 4] = rng.choice(
                (b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\0\0\0\1")
            )
        elif what == 2:
            del data[at : at + rng.choice((1, 4, 17))]
        elif what == 3:
            data[at:at] = data[at : at + rng.choice((4, 60, 2000))]
        else:
            del data[max(30, at) :]
    return bytes(data)


def read_hostile(seed):
    """Read a hostile capture; tell whether it was read to its end."""
    data = hostile(seed)
    kept = 0
    try:
        for stream in read_streams(BytesIO(data), most_open=8):
            kept += len(stream.content)
            assert stream.n_bytes >= len(stream.content) <= stream.wanted
            assert str(stream.endpoints)
    except CaptureError as refusal:
        check_words(refusal)
        return False
    assert kept <= len(data)
    return True


if __name__ == "__main__":
    wanted = int(sys.argv[1])
    taken = sum(read_hostile(seed) for seed in range(wanted))
    told = f"{taken:,} read to their end, {wanted - taken:,} refused in words"
    sys.stdout.write(f"{wanted:,} hostile captures: {told}\n")
