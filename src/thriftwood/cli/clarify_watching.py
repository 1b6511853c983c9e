"""The pages of ``thriftwood clarify watch`` and ``diagnose``."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console

from thriftwood.clarify.diagnosing import Diagnosis, Step, diagnose
from thriftwood.clarify.endings import read_ending
from thriftwood.clarify.model import Model
from thriftwood.clarify.profile import ProfileError
from thriftwood.clarify.watching import RUN, Counts, read_signs, read_watched, watch
from thriftwood.cli.printing import console, heading, note, print_json, print_lines
from thriftwood.costs.names import counted


def watch_and_print(
    path: Path, command: list[str], folder: Path, when: str, why: bool, timeout: float | None
) -> int:
    """Run a program under watch, say on standard error what happened, return the shell's exit code of it."""
    model = Model.load(path)
    ran = watch(model, command, folder, timeout=timeout)
    if when == "always" or (when == "failure" and ran.failed):
        try:
            counts = read_watched(ran.folder, model)
        except ProfileError as problem:  # the program's own result must not be lost over this
            note(f"Nothing can be said about this run. {problem}")
        else:
            _print_diagnosis(console(stderr=True), _diagnosed(model, counts), why)
    return ran.exit if ran.exit >= 0 else 128 - ran.exit


def diagnose_and_print(out: Console, path: Path, place: Path, why: bool, as_json: bool) -> None:
    """Say what happened in a watched run."""
    model = Model.load(path)
    if not place.exists():
        makes = f"`thriftwood clarify watch {path} -- COMMAND` makes one"
        raise FileNotFoundError(2, f"There is no watched run. {makes}.", str(place))
    counts = read_watched(place, model)
    found = _diagnosed(model, counts)
    if as_json:
        print_json(_content(found, counts))
        return
    run = _run_of(counts.folder)
    if run and why:
        print_lines(out, f"Run: {shlex.join(run['command'])} ({run['began']})")
    _print_diagnosis(out, found, why)


def _diagnosed(model: Model, counts: Counts) -> Diagnosis:
    if counts.folder is None:
        return diagnose(model, counts.values)
    return diagnose(model, counts.values, read_ending(counts.folder / RUN), read_signs(counts.folder, model))


def _print_diagnosis(out: Console, found: Diagnosis, why: bool) -> None:
    """Print what a user should know, the message alone; behind it, for whoever asks, why."""
    print_lines(out, found.said)
    if not why:
        return
    out.print()
    ended = found.ended
    if ended is not None and (ended.timed_out or ended.signal is not None):
        print_lines(out, str(ended))
    if found.unknown or found.doubt is not None:
        print_lines(out, f"What was seen is most like: {found.label}.")
    else:
        print_lines(out, f"Its kind: {found.label}.")
    if not found.unknown:
        print_lines(out, _confidence_words(found))
    if found.nothing_seen:
        print_lines(out, _nothing_seen_words(found))
    heading(out, "What was seen")
    print_lines(out, "\n".join(map(step_words, found.steps)) or "Nothing was asked.")
    if found.odd:
        heading(out, "Unlike recorded runs of this kind")
        print_lines(out, "\n".join(found.odd))


def step_words(step: Step) -> str:
    """Say what a test of the tree saw."""
    if step.count is None:
        return f"Not known: {step.words}"
    if not step.watched:
        return step.words if step.count else f"Not so: {step.words}"
    sign, _, bound = step.condition.removeprefix(step.pattern).strip().rpartition(" ")
    compared = {"<=": "at most", ">": "more than"}.get(sign, sign)
    return f"{step.words}: {step.count:,}, {compared} {bound}"


def _confidence_words(found: Diagnosis) -> str:
    alike = f"{found.n_of_label:,} of {counted(found.n_alike, 'recorded run')} like this one"
    words = f"Confidence {found.confidence:.0%}: {alike} had this cause"
    if found.confirmed is not None:
        words += f"; this model is right in {found.confirmed:.0%} of runs it had not seen"
    if found.trust is not None and found.trust < 1.0:
        words += (
            f". Causes that nobody recorded may look like this one, too, for which it is trusted to "
            f"{found.trust:.0%} only"
        )
    return f"{words}."


def _nothing_seen_words(found: Diagnosis) -> str:
    what = "asked on the way" if any(found.counts.values()) else "watched"
    return (
        f"Nothing that is {what} happened in this run: this rests on what was not seen. A cause that was "
        "never recorded looks like this too."
    )


def _run_of(folder: Path | None) -> dict[str, Any] | None:
    """Read what is written about a watched run."""
    path = None if folder is None else folder / RUN
    if path is None or not path.exists():
        return None
    content = json.loads(path.read_text(encoding="utf-8"))
    return content if isinstance(content, dict) else None


def _content(found: Diagnosis, counts: Counts) -> dict[str, Any]:
    return {
        "label": found.label,
        "message": found.message,
        "confidence": found.confidence,
        "n_alike": found.n_alike,
        "n_of_label": found.n_of_label,
        "n_runs": found.n_runs,
        "confirmed": found.confirmed,
        "trust": found.trust,
        "shares": found.shares,
        "steps": [asdict(step) for step in found.steps],
        "counts": found.counts,
        "nothing_seen": found.nothing_seen,
        "doubt": found.doubt,
        "unknown": found.unknown,
        "odd": found.odd,
        "exit": None if found.ended is None else found.ended.exit,
        "signal": None if found.ended is None else found.ended.signal,
        "timed_out": None if found.ended is None else found.ended.timed_out,
        "ended": counts.ended,
        "n_processes": counts.n_processes,
        "run": None if counts.folder is None else str(counts.folder),
    }
