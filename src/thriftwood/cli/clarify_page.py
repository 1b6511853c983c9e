"""The pages of ``thriftwood clarify record`` and ``inspect``."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

from rich.console import Console

from thriftwood.clarify.commands import ByOutput, Command, Labelling, by_exit, read_commands
from thriftwood.clarify.recording import record
from thriftwood.clarify.store import INDEX, Recording, Run
from thriftwood.cli.printing import INTERRUPTED, fail, note, print_json, print_lines, table
from thriftwood.cli.progress import progress
from thriftwood.costs.names import counted, nearest

UNLABELLED = "(no label)"


class RecordOptions(NamedTuple):
    """What a user asked to be recorded."""

    folder: Path
    command: Sequence[str]
    runs: Path | None
    only: Sequence[str]
    label: str | None
    label_by_exit: bool
    label_if: Sequence[str]
    otherwise: str | None
    mode: Literal["fc", "ctp"]
    timeout: float
    user: str | None
    jobs: int


def record_and_print(out: Console, wanted: RecordOptions, as_json: bool) -> None:
    """Record; say what the folder has now."""
    if wanted.runs is None:
        commands = [Command(tuple(wanted.command), wanted.label)]
    else:
        commands = _chosen(read_commands(wanted.runs), wanted)
    before = _n_runs(wanted.folder)
    recording = None
    try:
        with progress("runs") as tell, suppress(KeyboardInterrupt):
            recording = record(
                wanted.folder,
                commands,
                mode=wanted.mode,
                labelling=_labelling(wanted),
                timeout=wanted.timeout or None,
                user=wanted.user,
                n_jobs=wanted.jobs or -1,
                tell=tell,
            )
    except (OSError, ValueError):  # which names the line
        n_kept = _n_runs(wanted.folder) - before
        if n_kept:
            note(_interrupted(wanted, commands, n_kept))
        raise
    if recording is None:
        raise fail(_interrupted(wanted, commands, _n_runs(wanted.folder) - before), INTERRUPTED)
    _print_recording(out, recording, as_json)


def _n_runs(folder: Path) -> int:
    return len(Recording.read(folder)) if (folder / INDEX).exists() else 0


def _chosen(commands: list[Command], wanted: RecordOptions) -> list[Command]:
    """Return the runs of the labels that were asked for."""
    for label in wanted.only:
        if not any(command.label == label for command in commands):
            labels = sorted({command.label for command in commands if command.label is not None})
            raise ValueError(f"No run of {wanted.runs} has the label {label!r}. {nearest(label, labels)}")
    return [command for command in commands if not wanted.only or command.label in wanted.only]


def _interrupted(wanted: RecordOptions, commands: Sequence[Command], n_kept: int) -> str:
    """Say what a recording that was interrupted has, and how it is finished."""
    kept = f"Stopped. {n_kept:,} of {counted(len(commands), 'run')} are kept in {wanted.folder}"
    left = commands[n_kept:]
    if not n_kept or not left or left[0].origin is None:
        return f"{kept}; the same command records them."
    file, line = left[0].origin
    rest = file.with_name(f"rest{file.suffix}")  # in the same folder: paths are relative to it
    return (
        f"{kept}, the first of {file}. The others begin at line {line}: tail -n +{line} "
        f"{shlex.quote(str(file))} > {shlex.quote(str(rest))}, then record {wanted.folder} --runs {rest}."
    )


def inspect_and_print(out: Console, folder: Path, as_json: bool) -> None:
    """Say what a folder has."""
    _print_recording(out, Recording.read(folder), as_json)


def inspect_run_and_print(out: Console, folder: Path, number: int, top: int, as_json: bool) -> None:
    """Show one run: how it ended and what was called most."""
    recording = Recording.read(folder)
    if number >= len(recording):
        raise ValueError(f"{folder} has {counted(len(recording), 'run')}, numbered from 0. Got {number}.")
    run = recording.runs[number]
    profile = recording.profile(run)
    most = sorted(profile.calls.items(), key=lambda pair: (-pair[1], pair[0]))
    if as_json:
        print_json(
            {
                "command": run.command,
                "label": run.label,
                "exit": run.exit,
                "timed_out": run.timed_out,
                "seconds": run.seconds,
                "ended": profile.ended,
                "threads": profile.threads,
                "calls": dict(most),
                "n_call_trees": len(profile.d2),
            }
        )
        return
    print_lines(out, shlex.join(run.command))
    print_lines(
        out,
        f"{run.label or UNLABELLED}; {_ending(run)} after {run.seconds:.2f} seconds; "
        f"{profile.n_calls:,} calls of {counted(len(profile.calls), 'function')}, "
        f"{counted(len(profile.d2), 'different call tree')}"
        + ("; killed with functions still open" if profile.ended == "open" else ""),
    )
    if run.stderr.strip():
        print_lines(out, f"It said: {run.stderr.strip().splitlines()[-1]}")
    out.print()
    out.print(table("", ["function", "calls"], [[name, f"{count:,}"] for name, count in most[:top]]))
    if len(most) > top:
        print_lines(out, f"({len(most) - top} more; --top shows them)")


def _print_recording(out: Console, recording: Recording, as_json: bool) -> None:
    labels = sorted({run.label or UNLABELLED for run in recording.runs})
    of_label = {
        label: [run for run in recording.runs if (run.label or UNLABELLED) == label] for label in labels
    }
    problems = [run for run in recording.runs if run.problem is not None]
    if as_json:
        print_json(
            {
                "index": str(recording.folder / INDEX),
                "n_runs": len(recording),
                "labels": {label: _label_content(runs) for label, runs in of_label.items()},
                "problems": [{"command": run.command, "problem": run.problem} for run in problems],
            }
        )
        return
    rows = [
        [
            label,
            f"{len(runs):,}",
            ", ".join(_endings(runs)),
            f"{sum(r.seconds for r in runs) / len(runs):.2f}",
        ]
        for label, runs in of_label.items()
    ]
    out.print(table("", ["label", "runs", "ended with", "seconds"], rows))
    modes = sorted({run.mode for run in recording.runs})
    what = {"fc": "calls", "ctp": "call trees"}
    recorded = " and ".join(what[mode] for mode in modes)
    print_lines(out, f"{counted(len(recording), 'run')} with {recorded}. Index: {recording.folder / INDEX}.")
    for run in problems[:5]:
        note(f"No profile of {shlex.join(run.command)}: {run.problem}")


def _label_content(runs: Sequence[Run]) -> dict[str, Any]:
    return {"runs": len(runs), "ended": _endings(runs), "seconds": sum(r.seconds for r in runs) / len(runs)}


def _endings(runs: Sequence[Run]) -> list[str]:
    """How runs ended, the commonest first."""
    return [text for text, _ in Counter(_ending(run) for run in runs).most_common()]


def _ending(run: Run) -> str:
    return by_exit(run.ran)


def _labelling(wanted: RecordOptions) -> Labelling | None:
    if wanted.label_by_exit:
        return by_exit
    if not wanted.label_if:
        return None
    pairs = []
    for text in wanted.label_if:
        label, sign, pattern = text.partition("=")
        if not sign or not label or not pattern:
            raise ValueError(
                f"--label-if is LABEL=PATTERN, for example brace=\"expected '}}'\". Got {text!r}."
            )
        pairs.append((label, pattern))
    return ByOutput(pairs, wanted.otherwise)
