"""Workers started and watched: of one that ends or hangs the case is noted, and another goes on behind it."""

import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from fuzz.campaign.working import GIB, SLICE, Progress

TESTS = Path(__file__).parents[2]


@dataclass(frozen=True)
class Limits:
    """What a case may take."""

    cpu: float = 20.0
    """Seconds of the processor."""
    wall: float = 300.0
    """Seconds by the clock, of which a busy machine gives little."""
    memory: int = 2 * GIB
    """Bytes beside what the worker has after its imports."""


@dataclass
class Failure:
    """What went wrong, in the same way once or more often."""

    kind: str
    seed: int
    what: str
    place: str = ""
    times: int = 1


@dataclass
class Worker:
    """A process and what is known about it."""

    number: int
    process: subprocess.Popen
    progress: Progress
    at: tuple[int, int] = (0, 0)
    since: float = 0.0
    cpu: float = 0.0
    peak: int = 0


@dataclass
class Campaign:
    """Cases tried for some time.

    Parameters
    ----------
    folder : Path
        For what workers write.
    seconds : float
        The time.
    module : str
        Where the kinds are.
    n_workers : int
        Processes at a time.
    seed : int
        The first seed of every kind.
    """

    folder: Path
    seconds: float
    module: str = "fuzz.campaign.kinds"
    n_workers: int = 2
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    lost: list[Failure] = field(default_factory=list)
    peak: int = 0

    def __post_init__(self):
        self.kinds = importlib.import_module(self.module).KINDS

    def run(self, tell=lambda campaign: None):
        """Try cases until the time is over; `tell` is called every second."""
        self.until = time.monotonic() + self.seconds
        workers = [self._start(number) for number in range(self.n_workers)]
        try:
            while workers:
                time.sleep(min(1.0, self.seconds / 10))
                workers = [other for worker in workers if (other := self._watched(worker)) is not None]
                tell(self)
        finally:
            for worker in workers:
                worker.process.kill()
                worker.process.wait()
        return self

    def _start(self, number):
        left = max(0.0, self.until - time.monotonic())
        numbers = (number, self.n_workers, self.seed, left, self.limits.memory)
        with (self.folder / f"stderr-{number}").open("wb") as stderr:
            process = subprocess.Popen(
                [sys.executable, "-m", "fuzz.campaign.working", self.module, self.folder, *map(str, numbers)],
                env=os.environ | {"PYTHONPATH": module_path(), "TMPDIR": str(self.folder)},
                stderr=stderr,
            )
        progress = Progress(self.folder / f"progress-{number}", len(self.kinds))
        progress.current[0] = 0
        return Worker(number, process, progress, since=time.monotonic())

    def _watched(self, worker):
        """Look after a worker; return it, the one that takes its place, or None if all is done."""
        ended = worker.process.poll()
        kind, seed = map(int, worker.progress.current)
        if ended is None:
            worker.peak = max(worker.peak, _figure(worker.process.pid, "VmHWM"))
            self.peak = max(self.peak, worker.peak)
            if not kind or (kind, seed) != worker.at:
                worker.at, worker.since = (kind, seed), time.monotonic()
                worker.cpu = _cpu(worker.process.pid)
                return worker
            waited, worked = time.monotonic() - worker.since, _cpu(worker.process.pid) - worker.cpu
            if waited <= self.limits.wall and worked <= self.limits.cpu:
                return worker
            worker.process.send_signal(signal.SIGABRT)  # on which it says where it is
            worker.process.wait()
            what = f"no end after {waited:.0f} s, {worked:.0f} s of them working"
        elif ended == 0:
            return None
        else:
            what = f"the process ended with {ended}"
        self._lose(worker, what)
        return self._start(worker.number) if time.monotonic() < self.until else None

    def _lose(self, worker, what):
        kind, seed = map(int, worker.progress.current)
        said = (self.folder / f"stderr-{worker.number}").read_text(errors="replace").strip().splitlines()
        place = next(
            (line.strip() for line in said if "File" in line and "fuzz" not in line), said[-1] if said else ""
        )
        name = self.kinds[kind - 1].name if kind else "none: before the first case"
        self.lost.append(Failure(name, seed, what, place))
        if kind:
            worker.progress.microseconds[kind - 1] += int(1e6 * SLICE)  # its turn was cut short
        else:
            raise RuntimeError(f"A worker ended before its first case: {what}.\n" + "\n".join(said[-12:]))

    # What came of it

    @property
    def failures(self):
        """What went wrong, the same once."""
        found = {}
        for path in sorted(self.folder.glob("failures-*")):
            for line in path.read_text(encoding="utf-8").splitlines():
                one = Failure(**json.loads(line))
                first = found.setdefault((one.kind, one.place, one.what.split(":")[0]), one)
                first.times += first is not one
        return [*self.lost, *found.values()]

    def counts(self):
        """Per kind: cases, those taken, and seconds of the processor."""
        progress = [Progress(path, len(self.kinds)) for path in sorted(self.folder.glob("progress-*"))]
        sums = [sum(getattr(one, name) for one in progress) for name in ("begun", "taken", "microseconds")]
        return {
            (kind.group, kind.name): (int(begun), int(taken), micro / 1e6)
            for kind, begun, taken, micro in zip(self.kinds, *sums, strict=True)
        }

    def groups(self):
        """The number of cases of each group."""
        total = Counter()
        for (group, _), (begun, _, _) in self.counts().items():
            total[group] += begun
        return dict(total)


def module_path():
    """Where Python looks for modules: our tests, then whatever it was told."""
    return os.pathsep.join(filter(None, [str(TESTS), os.environ.get("PYTHONPATH")]))


def _figure(pid, name):
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith(name)).split()[1]) * 1024
    except (OSError, StopIteration):  # it has ended
        return 0


def _cpu(pid):
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
