"""Clocks, interleaved rounds and peak memory."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from benchmarks.speed.contestant import Job

Clock = Literal["cpu", "wall"]
_CLOCKS: dict[Clock, Callable[[], float]] = {"cpu": time.process_time, "wall": time.perf_counter}

# Shorter samples are repeated until they last this long, so that reading the clock costs nothing.
_SHORTEST_SAMPLE = 0.02


def calls_needed(job: Job, clock: Clock) -> int:
    """How often to call a job in one sample; long jobs are called once here, so they come out warmed up."""
    calls = 1
    while True:
        taken, _ = _timed(job, calls, clock)
        if taken >= _SHORTEST_SAMPLE:
            return calls
        calls *= 2 if taken <= 0 else max(2, min(100, round(_SHORTEST_SAMPLE / taken)))


def interleave(
    jobs: Mapping[str, tuple[Job, int]], rounds: int, clock: Clock
) -> tuple[dict[str, list[float]], dict[str, Any]]:
    """Seconds per call of each job in each round, and what each returned last.

    A round samples every job once, with the number of calls given beside it; the next round starts with
    another job, so that none always comes first.

    Examples
    --------
    >>> seconds, last = interleave({"a": (lambda: 1, 1), "b": (lambda: 2, 9)}, 2, "cpu")
    >>> [len(times) for times in seconds.values()], last["a"], last["b"]
    ([2, 2], 1, 2)
    """
    names = list(jobs)
    seconds: dict[str, list[float]] = {name: [] for name in names}
    last: dict[str, Any] = {}
    for turn in range(rounds):
        start = turn % len(names) if names else 0
        for name in names[start:] + names[:start]:
            job, calls = jobs[name]
            last.pop(name, None)  # the old model is freed outside the clock
            taken, last[name] = _timed(job, calls, clock)
            seconds[name].append(taken / calls)
    return seconds, last


def _timed(job: Job, calls: int, clock: Clock) -> tuple[float, Any]:
    now = _CLOCKS[clock]
    gc.collect()
    gc.disable()
    try:
        start = now()
        for _ in range(calls):
            result = job()
        return now() - start, result
    finally:
        gc.enable()


def memory_added(job: Job) -> int:
    """Bytes by which the job raised this process above what it held before: an upper bound.

    It is exact when the process never held more before the job than it holds at its start, so the caller
    loads its data without detours.
    """
    gc.collect()
    before = _status("VmRSS")
    job()
    return _status("VmHWM") - before


def _status(field: str) -> int:
    # ru_maxrss of a process starts at its parent's peak; these two figures are the process's own.
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise OSError(f"/proc/self/status has no field {field}: peak memory is measured on Linux only.")
