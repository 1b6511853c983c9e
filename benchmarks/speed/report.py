"""The outcomes as text: a table for the screen, a page in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from benchmarks.speed.cases import MIB, OURS, Case, Limit, choose
from benchmarks.speed.record import Outcome, judge, ratio, score

_CLOCKS = {"cpu": "median of CPU seconds", "wall": "least of wall-clock seconds", "none": "not timed"}
_HEADINGS = ("work", "ours", "beside it (ours / theirs)", "figure", "limit", "verdict")


def screen(outcomes: Sequence[Outcome]) -> Table:
    """A table for the terminal: our line with the verdict, then a line for each of the others."""
    table = Table("case", "time", "figure", "limit", "verdict", box=None, pad_edge=False)
    table.columns[0].no_wrap = True
    for outcome in outcomes:
        [case] = choose([outcome.case])
        verdict, reason = judge(outcome, case)
        style = {"pass": "green", "FAIL": "bold red"}.get(verdict, "yellow")
        words = f"{verdict} ({reason})" if reason else verdict
        found = score(outcome, case)
        shown = "" if found is None else figure(found, case.limit)
        table.add_row(case.name, _entry(outcome, OURS), shown, limit_words(case), words, style=style)
        for name in outcome.entries:
            if name != OURS:
                mark = "*" if name in case.judged else ""
                table.add_row(f"  {name}{mark}", _entry(outcome, name), _beside(outcome, name))
        table.add_section()
    table.caption = "figures: ours / theirs; * the limit is against the fastest of these"
    return table


def _row(outcome: Outcome) -> tuple[str, ...]:
    [case] = choose([outcome.case])
    found = score(outcome, case)
    verdict, reason = judge(outcome, case)
    others = [
        f"{name} {_entry(outcome, name)}" + (f" ({beside})" if (beside := _beside(outcome, name)) else "")
        for name in outcome.entries
        if name != OURS
    ]
    return (
        case.title,
        _entry(outcome, OURS),
        "; ".join(others),
        "-" if found is None else figure(found, case.limit),
        limit_words(case),
        f"{verdict} ({reason})" if reason else verdict,
    )


def limit_words(case: Case) -> str:
    """The limit of a case in words."""
    return f"at {'least' if case.limit.unit == 'speedup' else 'most'} {figure(case.limit.value, case.limit)}"


def _entry(outcome: Outcome, name: str) -> str:
    entry = outcome.entries.get(name)
    if entry is None:
        return "left out"
    if entry.status != "ok":
        return entry.status
    if entry.bytes is not None:
        took = f", {duration(entry.seconds[0])}" if entry.seconds else ""
        return f"{entry.bytes / MIB:.0f} MiB{took}"
    seconds = outcome.typical(name)
    return "-" if seconds is None else duration(seconds)


def _beside(outcome: Outcome, name: str) -> str:
    found = ratio(outcome, name)
    return "" if found is None else f"{found:.3f}"


def duration(seconds: float) -> str:
    """Seconds in the unit that reads best.

    Examples
    --------
    >>> duration(4.581), duration(0.0018), duration(2.3e-6)
    ('4.58 s', '1.80 ms', '2.30 us')
    """
    value, unit = in_unit(seconds)
    return f"{value:.2f} {unit}"


def in_unit(seconds: float) -> tuple[float, str]:
    """A number of at least 1 and its unit, seconds, milliseconds or (where smaller still) microseconds."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return seconds / size, unit
    return seconds / 1e-6, "us"


def figure(value: float, limit: Limit) -> str:
    """A score in the unit of its limit.

    Examples
    --------
    >>> figure(0.1234, Limit(0.15)), figure(1.7, Limit(1.6, "speedup")), figure(2**21, Limit(0, "bytes"))
    ('0.123', '1.70x', '2 MiB')
    """
    match limit.unit:
        case "ratio":
            return f"{value:.3f}"
        case "seconds":
            return duration(value)
        case "speedup":
            return f"{value:.2f}x"
        case "bytes":
            return f"{value / MIB:.0f} MiB"


def markdown(outcomes: Sequence[Outcome]) -> str:
    """The page that is written beside the raw figures."""
    lines = [
        "# Speed beside other libraries",
        "",
        "Written by `python -m benchmarks.speed`; `../../README.md` says how it measures.",
        "Ratios carry over to another machine, times do not.",
        "",
        line(_HEADINGS),
        line(["---"] * len(_HEADINGS)),
        *(line(_row(outcome)) for outcome in outcomes),
        "",
        "Accuracy on rows held out, to see that everybody grew a comparable tree:",
        "",
        *_accuracies(outcomes),
        "",
        "Conditions:",
        "",
        *_conditions(outcomes),
        *_troubles(outcomes),
    ]
    return "\n".join(lines) + "\n"


def line(cells: Sequence[str]) -> str:
    """A row of a table in Markdown."""
    return "| " + " | ".join(cells) + " |"


def _accuracies(outcomes: Sequence[Outcome]) -> list[str]:
    lines = []
    for outcome in outcomes:
        found = [(name, entry.accuracy) for name, entry in outcome.entries.items()]
        words = [f"{name} {value:.4f}" for name, value in found if value is not None]
        if words:
            lines.append(f"- {outcome.case}: {', '.join(words)}")
    return lines or ["- nothing was fitted"]


def _conditions(outcomes: Sequence[Outcome]) -> list[str]:
    seen: dict[str, list[str]] = {}
    for outcome in outcomes:
        clock = _CLOCKS[outcome.clock]
        where = f"{outcome.measured[:10]}, {outcome.machine}, threads {outcome.threads}, {clock}"
        seen.setdefault(where + (", quick sizes" if outcome.quick else ""), []).append(outcome.case)
    entries = [pair for outcome in outcomes for pair in outcome.entries.items()]
    versions = {name: entry.version for name, entry in entries if entry.version and "," not in name}
    return [
        *(f"- {where}: {', '.join(cases)}" for where, cases in seen.items()),
        "- " + ", ".join(f"{name} {version}" for name, version in versions.items()),
    ]


def _troubles(outcomes: Sequence[Outcome]) -> list[str]:
    found = [
        f"- {outcome.case}, {name}: {entry.status}: {' '.join(entry.detail.split())}"
        for outcome in outcomes
        for name, entry in outcome.entries.items()
        if entry.status != "ok"
    ]
    return ["", "Not measured:", "", *found] if found else []
