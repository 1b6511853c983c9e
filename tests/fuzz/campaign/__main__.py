"""The command: `make fuzz MINUTES=10`; `--case "trees:17"` tries one case again."""

import argparse
import faulthandler
import os
import sys
import tempfile
from importlib import import_module
from pathlib import Path

from fuzz.campaign.watching import Campaign

MIB = 2**20


def main(given=None):
    """Try cases, print the counts and what went wrong; 1 if anything did."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.campaign", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (10)")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes (one per core)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed of every kind (0)")
    parser.add_argument("--case", metavar="KIND:SEED", help="try this case alone, in this process")
    parser.add_argument("--kinds", default="fuzz.campaign.kinds", help=argparse.SUPPRESS)
    options = parser.parse_args(given)
    if options.case:
        return _again(options.kinds, options.case)
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # for many small files
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=memory) as folder:
        campaign = Campaign(Path(folder), 60 * options.minutes, options.kinds, options.workers, options.seed)
        try:
            campaign.run(_tell if sys.stderr.isatty() else lambda campaign: None)
        except KeyboardInterrupt:
            _say("Stopped.")
        return _report(campaign)


def _again(module, case):
    name, _, seed = case.rpartition(":")
    kinds = {kind.name: kind for kind in import_module(module).KINDS}
    if name not in kinds or not seed.isdigit():
        _say(f"A case is KIND:SEED, and kinds are {', '.join(kinds)}. Got {case!r}.")
        return 2
    kinds[name].prepare()
    _say("taken" if kinds[name].run(int(seed)) else "refused, in words")
    return 0


def _report(campaign):
    _say(f"{'':28}{'cases':>12}{'taken':>12}{'a second':>12}")
    for group, total in campaign.groups().items():
        _say(f"{group:28}{total:>12,}")
        for (own, name), (begun, taken, seconds) in campaign.counts().items():
            if own == group:
                _say(f"  {name:26}{begun:>12,}{taken:>12,}{begun / max(seconds, 1e-9):>12,.0f}")
    _say(f"The largest process had {campaign.peak / MIB:,.0f} MiB.")
    failures = campaign.failures
    for one in failures:
        times = f", {one.times:,} times" if one.times > 1 else ""
        _say(f"FAILED {one.kind}:{one.seed}{times}: {one.what} ({one.place})")
        _say(f'  again: make fuzz CASE="{one.kind}:{one.seed}"')
    _say(f"{len(failures)} failures." if failures else "No failure.")
    return 1 if failures else 0


def _tell(campaign):
    counts = ", ".join(f"{total:,} {group}" for group, total in campaign.groups().items())
    sys.stderr.write(f"\r{counts}, {len(campaign.failures)} failures ")
    sys.stderr.flush()


def _say(line):
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    faulthandler.enable()
    sys.exit(main())
