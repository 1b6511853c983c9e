"""A program that is stopped after every single instruction."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence

import pytest

TRACEME, CONT, SINGLESTEP, SYSCALL, SETOPTIONS, GETEVENTMSG = 0, 7, 9, 24, 0x4200, 0x4201
TRACEFORK, TRACEEXEC = 0x2, 0x10
FORKED = 1  # an event
ANY_CHILD = 0x40000000  # __WALL: those that are only traced, too


def steps(
    command: Sequence[str],
    environment: Mapping[str, str],
    n_steps: int,
    *,
    forked: bool = False,
    begin: Callable[[], bool] | None = None,
    then: signal.Signals | None = None,
) -> Iterator[None]:
    """Run `n_steps` instructions of a program, and yield after each.

    It runs freely until it sends itself SIGTRAP, or after the system call that makes `begin` true. With
    `forked` the steps are those of its first child, while it waits where it forked itself. In the end it is
    killed, or gets the signal `then` and runs freely to its own end.
    """
    if sys.platform != "linux":
        pytest.skip("ptrace as Linux has it")
    ptrace = ctypes.CDLL(None, use_errno=True).ptrace
    ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    ptrace.restype = ctypes.c_long
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads; the child only becomes another
        process = os.fork()
    if process == 0:
        try:
            if ptrace(TRACEME, 0, None, None) == 0:
                os.execve(command[0], [*command], environment)
        finally:
            os._exit(77)
    traced = [process]

    def stopped() -> int:
        """Wait for the last one to stop, and tell why it did."""
        _, status = os.waitpid(traced[-1], ANY_CHILD)
        if not os.WIFSTOPPED(status):
            del traced[-1]
        return status

    def go_on(how: int) -> int:
        """Let the last one run to its next stop, which is told."""
        assert ptrace(how, traced[-1], None, None) == 0
        status = stopped()
        assert os.WIFSTOPPED(status), "the program ended"
        return status

    try:
        if not os.WIFSTOPPED(stopped()):
            pytest.skip("processes may not be traced here")
        assert ptrace(SETOPTIONS, process, None, TRACEEXEC | (TRACEFORK if forked else 0)) == 0
        while forked and len(traced) == 1:
            if go_on(CONT) >> 16 == FORKED:
                number = ctypes.c_ulong()
                assert ptrace(GETEVENTMSG, process, None, ctypes.addressof(number)) == 0
                traced.append(number.value)
                os.waitpid(traced[-1], ANY_CHILD)
        if begin is None:
            while (status := go_on(CONT)) >> 16:  # the events of programs that go on as others
                pass
            assert os.WSTOPSIG(status) == signal.SIGTRAP
        while begin is not None and not begin():
            go_on(SYSCALL)
        for _ in range(n_steps):
            go_on(SINGLESTEP)
            yield
        if then is not None:
            assert ptrace(CONT, process, None, then) == 0
            assert os.waitstatus_to_exitcode(stopped()) == 0
    finally:
        for one in reversed(traced):
            os.kill(one, signal.SIGKILL)
            os.waitpid(one, ANY_CHILD)
