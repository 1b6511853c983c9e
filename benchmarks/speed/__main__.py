"""The command: `python -m benchmarks.speed --help`."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from benchmarks.speed import front_page, record, report
from benchmarks.speed.cases import CASES, OURS, PEERS, Case, choose
from benchmarks.speed.record import Entry, Outcome, Request

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parent.parent
_RESULTS = _HERE / "results"
_THREAD_SETTINGS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_THREAD_LIMIT")


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """Parse and check the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.speed",
        description="Time thriftwood beside other tree libraries, interleaved, and write the table.",
        epilog="Ends with 1 when a limit is missed or our own part of a case failed, otherwise with 0.",
    )
    add = parser.add_argument
    add("--list", action="store_true", help="name the cases with their limits and stop")
    add("--again", action="store_true", help="measure nothing: write the tables from latest.json again")
    add("--only", action="append", default=[], metavar="NAME", help="run this case (repeatable)")
    add("--peers", default=",".join(PEERS), help="who takes part, separated by commas (all)")
    add("--rounds", type=int, help="interleaved rounds (5; with --quick 2)")
    add("--threads", type=int, default=1, help="threads for everybody (1; limits are for 1)")
    add("--quick", action="store_true", help="small tables, to see that everything runs")
    add("--results", type=Path, help="folder for latest.json and table.md (results/ or results/quick/)")
    options = parser.parse_args(given)
    options.peers = [name for name in options.peers.split(",") if name]
    if unknown := [name for name in options.peers if name not in PEERS]:
        parser.error(f"there is no peer {unknown[0]!r}; peers: {', '.join(PEERS)}")
    options.rounds = options.rounds if options.rounds is not None else (2 if options.quick else 5)
    if options.rounds < 1 or options.threads < 1:
        parser.error("--rounds and --threads take a number of at least 1")
    options.results = options.results or (_RESULTS / "quick" if options.quick else _RESULTS)
    try:
        options.cases = choose(options.only)
    except ValueError as error:
        parser.error(str(error))
    return options


def run_case(case: Case, options: argparse.Namespace) -> Outcome:
    """Measure a case in a process of its own; a process that dies gives an outcome that says so."""
    environment = os.environ | dict.fromkeys(_THREAD_SETTINGS, str(options.threads))
    with tempfile.TemporaryDirectory() as folder:
        order, target = Path(folder) / "request.json", Path(folder) / "outcome.json"
        request = Request(
            case.name, options.rounds, options.threads, options.peers, options.quick, str(target)
        )
        order.write_text(json.dumps(asdict(request)))
        ended = subprocess.run(
            [sys.executable, "-m", "benchmarks.speed.worker", str(order)],
            cwd=_ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if ended.returncode == 0:
            outcome = record.from_json(json.loads(target.read_text()))
        else:
            last_words = (ended.stderr.strip().splitlines() or ["no message"])[-1]
            entry = Entry("failed", detail=f"the process ended with {ended.returncode}: {last_words}")
            outcome = Outcome(case.name, options.quick, options.threads, "none", 0, 0, {OURS: entry})
    outcome.measured = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    outcome.machine = f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    outcome.load = os.getloadavg()[0]
    return outcome


def _processor() -> str:
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def main(given: list[str] | None = None) -> int:
    """Run the chosen cases, print the table, write the results; 0 when nothing was missed."""
    options = arguments(given)
    console = Console(highlight=False)
    if options.list:
        for case in CASES:
            against = f" of the fastest of {', '.join(case.judged)}" if case.judged else ""
            line = f"{case.name:22}{case.title}: {report.limit_words(case)}{against}"
            _say(console, line)
        return 0
    results: Path = options.results
    if options.again:
        merged = record.load(results / "latest.json")
        _say(console, f"Written: {', '.join(map(str, _write(results, merged)))}")
        return 0
    outcomes: list[Outcome] = []
    for case in options.cases:
        _say(console, f"{case.name} ...")
        outcomes.append(run_case(case, options))
    _show(console, outcomes)
    # A part of the table replaces that part; a whole run replaces everything.
    kept = record.load(results / "latest.json") if options.only else []
    merged = record.merge(kept, outcomes)
    record.save(results / "latest.json", merged)
    _say(console, f"Written: {', '.join(map(str, [results / 'latest.json', *_write(results, merged)]))}")
    return 0 if all(_fine(outcome) for outcome in outcomes) else 1


def _write(results: Path, outcomes: list[Outcome]) -> list[Path]:
    """Write the tables; that of the front page only from the results that the project keeps."""
    written = [results / "table.md"]
    written[0].write_text(report.markdown(outcomes))
    if results == _RESULTS and all(outcome.threads == 1 for outcome in outcomes):
        front_page.rewrite(_ROOT / "README.md", outcomes)
        written.append(_ROOT / "README.md")
    return written


def _fine(outcome: Outcome) -> bool:
    [case] = choose([outcome.case])
    ours = outcome.entries[OURS].status == "ok"
    return ours and record.judge(outcome, case)[0] != "FAIL"


def _say(console: Console, line: str) -> None:
    console.print(line, markup=False, soft_wrap=True)


def _show(console: Console, outcomes: list[Outcome]) -> None:
    console.print(report.screen(outcomes))
    for outcome in outcomes:
        for name, entry in outcome.entries.items():
            if entry.status != "ok":
                _say(console, f"{outcome.case}: {name} {entry.status}: {entry.detail}")


if __name__ == "__main__":
    sys.exit(main())
