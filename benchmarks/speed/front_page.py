"""The short table of README.md, written from the same figures as the page of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.speed.cases import OURS, SKLEARN, choose
from benchmarks.speed.record import Outcome, ratio
from benchmarks.speed.report import in_unit, line

BEGIN = "<!-- speed: written by python -m benchmarks.speed -->"
END = "<!-- end of speed -->"
SHOWN = (
    *("exact-depth8", "exact-unlimited", "binned-depth8", "counts", "mixed-unlimited", "small-fit"),
    *("small-many", "predict-million", "predict-one", "predict-one-own"),
)
_HEADINGS = ("work", "thriftwood", "scikit-learn's tree", "fastest of the others, one tree")


def rewrite(page: Path, outcomes: Sequence[Outcome]) -> None:
    """Put the table between the two marks of a page.

    Raises
    ------
    ValueError
        If the page does not have both marks, once each, in their order.
    """
    text = page.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end or BEGIN in rest or END in after:
        raise ValueError(
            f"{page.name} has no place for the table: wanted one {BEGIN!r} and below it one {END!r}."
        )
    page.write_text(f"{before}{begin}\n\n{table(outcomes)}\n{end}{after}", encoding="utf-8")


def table(outcomes: Sequence[Outcome]) -> str:
    """The cases that a newcomer asks about, and below them when and with what they were measured."""
    shown = [outcome for outcome in outcomes if outcome.case in SHOWN]
    rows = [line(_HEADINGS), line(["---"] * len(_HEADINGS)), *(line(_row(outcome)) for outcome in shown)]
    return "\n".join([*rows, "", *_conditions(shown)]) + "\n"


def _row(outcome: Outcome) -> tuple[str, ...]:
    [case] = choose([outcome.case])
    others = {name: outcome.typical(name) for name in outcome.entries if name not in (OURS, SKLEARN)}
    timed = {name: seconds for name, seconds in others.items() if seconds is not None}
    fastest = min(timed, key=timed.__getitem__, default=None)
    words = "" if fastest is None else f"{fastest} {_beside(outcome, fastest)}"
    return case.title, _short(outcome.typical(OURS)), _beside(outcome, SKLEARN), words


def _beside(outcome: Outcome, name: str) -> str:
    found = ratio(outcome, name)
    return "" if found is None else f"{_short(outcome.typical(name))} ({found:.2f})"


def _short(seconds: float | None) -> str:
    """Three digits are more than a shared machine can promise.

    Examples
    --------
    >>> _short(4.581), _short(0.12633), _short(7.5e-7), _short(None)
    ('4.58 s', '126 ms', '0.75 us', '')
    """
    if seconds is None:
        return ""
    value, unit = in_unit(seconds)
    return f"{value:.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def _conditions(outcomes: Sequence[Outcome]) -> list[str]:
    where = sorted({f"{outcome.measured[:10]} on {outcome.machine}" for outcome in outcomes})
    versions = {
        f"{name} {entry.version}"
        for outcome in outcomes
        for name, entry in outcome.entries.items()
        if entry.version and name != OURS
    }
    return [f"Measured {place}." for place in where] + [f"{', '.join(sorted(versions))}."]
