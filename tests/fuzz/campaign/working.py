"""A worker: tries cases of all kinds in turn, and keeps what it is at where it can be read after a crash."""

import faulthandler
import importlib
import json
import resource
import sys
import time
import traceback
import warnings
from pathlib import Path

import numpy as np

GIB = 2**30
SLICE = 0.2  # seconds of one kind, then it is the next one's turn


class Progress:
    """What a worker has done, in a file of a few numbers that other processes can look at.

    Parameters
    ----------
    path : Path
        The file; made if it is not there.
    n_kinds : int
        The number of kinds.
    """

    def __init__(self, path, n_kinds):
        if not path.exists():
            path.write_bytes(bytes(8 * (2 + 3 * n_kinds)))
        numbers = np.memmap(path, dtype=np.int64, mode="r+")
        self.current = numbers[:2]
        """The number of the kind under way, counted from 1, and the seed of the case; 0 between cases."""
        self.begun, self.taken, self.microseconds = numbers[2:].reshape(3, n_kinds)
        """Per kind: cases begun, those that the library took, and the time of this process for them."""


def work(module, folder, worker, n_workers, first_seed, seconds, memory):
    """Try cases until the time is over; failures go to a file, one a line."""
    kinds = importlib.import_module(module).KINDS
    progress = Progress(folder / f"progress-{worker}", len(kinds))
    failures = (folder / f"failures-{worker}").open("a", encoding="utf-8")
    for kind in kinds:  # whatever they make once is made before memory is limited
        kind.prepare()
    limit_memory(memory)
    warnings.simplefilter("ignore")
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        spent = progress.microseconds / [kind.share for kind in kinds]
        number = int(np.argmin(spent))
        start = time.process_time()
        while time.process_time() - start < SLICE and time.monotonic() < until:
            seed = first_seed + worker + int(progress.begun[number]) * n_workers
            progress.begun[number] += 1
            progress.current[:] = number + 1, seed
            try:
                progress.taken[number] += kinds[number].run(seed)
            except Exception as error:  # whatever gets here is a finding
                failures.write(
                    json.dumps({"kind": kinds[number].name, "seed": seed, **described(error)}) + "\n"
                )
                failures.flush()
            progress.current[0] = 0
        progress.microseconds[number] += max(1, int(1e6 * (time.process_time() - start)))


def described(error):
    """What an error says, and where it was raised."""
    where = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in where if "thriftwood" in frame.filename or "fuzz" in frame.filename] or where
    place = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}"
    return {"what": f"{type(error).__name__}: {str(error)[:300]}", "place": place}


def limit_memory(size):
    """Let this process have so many bytes beside what it has now."""
    now = next(
        line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmSize")
    )
    most = int(now.split()[1]) * 1024 + size
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    faulthandler.enable()
    module, folder, *numbers = sys.argv[1:]
    worker, n_workers, first_seed, seconds, memory = (float(number) for number in numbers)
    work(module, Path(folder), int(worker), int(n_workers), int(first_seed), seconds, int(memory))
