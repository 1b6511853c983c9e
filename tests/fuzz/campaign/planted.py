"""Cases that fail in every way there is, to see that the watching sees it."""

import os
import signal
import time

from fuzz.campaign.kind import Kind


def sound(seed):
    return seed % 2 == 0


def wrong(seed):
    if seed % 50 == 7:
        raise IndexError("list index out of range")
    return True


def crash(seed):
    if seed == 3:
        os.kill(os.getpid(), signal.SIGSEGV)
    return True


def hang(seed):
    while seed == 4:
        pass
    return True


def greedy(seed):
    if seed == 5:
        bytearray(2**33)
    time.sleep(0.001)
    return True


class Planted(Kind):
    """Not tried before its turn."""

    def prepare(self):
        pass


KINDS = tuple(Planted("planted", run.__name__, run, 1) for run in (sound, wrong, crash, hang, greedy))
