"""The outcome of a case, how it is judged, and how it is kept as JSON."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from benchmarks.speed.cases import CASES, OURS, Case, choose

Status = Literal["ok", "not installed", "failed"]
Verdict = Literal["pass", "FAIL", "not judged"]


@dataclass(frozen=True)
class Request:
    """What the command asks of a worker; `outcome` is the file to write."""

    case: str
    rounds: int
    threads: int
    peers: list[str]
    quick: bool
    outcome: str


@dataclass
class Entry:
    """What one contestant did in one case.

    `seconds` has one figure a round (per fit, per call); `accuracy` is on rows held out, None where nothing
    was fitted; `bytes` is for memory cases; `detail` says what went wrong.
    """

    status: Status
    version: str = ""
    detail: str = ""
    seconds: list[float] = field(default_factory=list)
    accuracy: float | None = None
    bytes: int | None = None


@dataclass
class Outcome:
    """One case, measured: the entries by contestant, and under which conditions."""

    case: str
    quick: bool
    threads: int
    clock: str
    rows: int
    columns: int
    entries: dict[str, Entry]
    measured: str = ""
    machine: str = ""
    load: float = 0.0

    def typical(self, name: str) -> float | None:
        """Seconds of a contestant: the median of CPU seconds, the least of wall-clock seconds.

        Other processes on the machine can only lengthen wall-clock time, so its least figure is the truest.
        """
        entry = self.entries.get(name)
        if entry is None or not entry.seconds:
            return None
        return min(entry.seconds) if self.clock == "wall" else statistics.median(entry.seconds)


def with_threads(threads: int) -> str:
    """The name under which we enter a scaling case with that many threads.

    Examples
    --------
    >>> with_threads(1), with_threads(2)
    ('thriftwood', 'thriftwood, 2 threads')
    """
    return OURS if threads == 1 else f"{OURS}, {threads} threads"


def ratio(outcome: Outcome, peer: str) -> float | None:
    """Our time over the peer's, None where either is missing."""
    ours, theirs = outcome.typical(OURS), outcome.typical(peer)
    return None if ours is None or theirs is None else ours / theirs


def score(outcome: Outcome, case: Case) -> float | None:
    """The figure that the case's limit speaks of, None where it could not be measured."""
    match case.limit.unit:
        case "ratio":
            ratios = [found for peer in case.judged if (found := ratio(outcome, peer)) is not None]
            return max(ratios, default=None)
        case "seconds":
            return outcome.typical(OURS)
        case "speedup":
            return ratio(outcome, with_threads(2))
        case "bytes":
            return outcome.entries[OURS].bytes


def judge(outcome: Outcome, case: Case) -> tuple[Verdict, str]:
    """The verdict, and where there is none the reason."""
    found = score(outcome, case)
    if found is None:
        return "not judged", "; ".join(_gaps(outcome, [OURS, *case.judged])) or "no figure"
    if outcome.quick:
        return "not judged", "quick sizes"
    if outcome.threads != 1:
        return "not judged", "the limit is for one thread"
    if gaps := _gaps(outcome, case.judged):
        return "not judged", "; ".join(gaps)
    return ("pass" if case.limit.met_by(found) else "FAIL"), ""


def _gaps(outcome: Outcome, names: Iterable[str]) -> list[str]:
    found = {name: outcome.entries.get(name) for name in names}
    states = {name: entry.status if entry else "left out" for name, entry in found.items()}
    return [f"{name} {state}" for name, state in states.items() if state != "ok"]


def from_json(content: dict[str, Any]) -> Outcome:
    """An outcome from `asdict` of one."""
    entries = {name: Entry(**entry) for name, entry in content["entries"].items()}
    return Outcome(**{**content, "entries": entries})


def load(path: Path) -> list[Outcome]:
    """The outcomes of a results file; none when there is no file."""
    if not path.exists():
        return []
    return [from_json(content) for content in json.loads(path.read_text())["outcomes"]]


def save(path: Path, outcomes: list[Outcome]) -> None:
    """Write a results file: the outcomes with the verdict of each."""
    verdicts = {outcome.case: _verdict(outcome) for outcome in outcomes}
    content = {"verdicts": verdicts, "outcomes": [asdict(outcome) for outcome in outcomes]}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n")


def _verdict(outcome: Outcome) -> dict[str, Any]:
    [case] = choose([outcome.case])
    verdict, reason = judge(outcome, case)
    return {
        "score": score(outcome, case),
        "limit": asdict(case.limit),
        "verdict": verdict,
        "reason": reason,
    }


def merge(old: list[Outcome], new: list[Outcome]) -> list[Outcome]:
    """New outcomes in place of old ones of the same case, in the order of the table."""
    latest = {outcome.case: outcome for outcome in [*old, *new]}
    return [latest[case.name] for case in CASES if case.name in latest]
