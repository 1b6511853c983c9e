"""A program that is stopped after every single instruction."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence

import pytest

TRACEME, CONT, SINGLESTEP, SETOPTIONS, TRACEEXEC = 0, 7, 9, 0x4200, 0x10


def steps(command: Sequence[str], environment: Mapping[str, str], n_steps: int) -> Iterator[None]:
    """Run until the program sends itself SIGTRAP, and then `n_steps` instructions; yield after each."""
    if sys.platform != "linux":
        pytest.skip("ptrace as Linux has it")
    ptrace = ctypes.CDLL(None, use_errno=True).ptrace
    ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    ptrace.restype = ctypes.c_long
    child = os.fork()
    if child == 0:
        if ptrace(TRACEME, 0, None, None) == 0:
            os.execve(command[0], [*command], environment)
        os._exit(77)
    try:
        if os.WIFEXITED(os.waitpid(child, 0)[1]):
            pytest.skip("processes may not be traced here")
        assert ptrace(SETOPTIONS, child, None, TRACEEXEC) == 0
        status = 1 << 16
        while status >> 16:  # the events of programs that go on as others
            ptrace(CONT, child, None, None)
            _, status = os.waitpid(child, 0)
        assert os.WIFSTOPPED(status)
        assert os.WSTOPSIG(status) == signal.SIGTRAP
        for _ in range(n_steps):
            assert ptrace(SINGLESTEP, child, None, None) == 0
            _, status = os.waitpid(child, 0)
            assert os.WIFSTOPPED(status), "the program ended"
            yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
