"""From the figures of programs to tables beside figure 1 of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from thriftwood.experiments.clarify.overhead import ratios
from thriftwood.experiments.clarify.published import BASELINE, COUNTERPART, SPEED_UP
from thriftwood.experiments.comparison import Comparison
from thriftwood.experiments.experiment import Record

BASELINE_COLUMN = "baseline %"
GREEDY, OURS = "csgain", "searched"


def comparisons(records: Sequence[Record]) -> tuple[Comparison, ...]:
    """Return the tables: costs, speed-ups, accuracies, what monitoring costs, causes left out, fresh runs."""
    return (
        *(_costs(records), _speed_ups(records), _accuracies(records), _evidence(records)),
        *_overheads(records),
        *(_unknown(records), _fresh(records)),
    )


def notes(records: Sequence[Record], left_out: Mapping[str, str]) -> list[str]:
    """Say how the figures were measured, and what is missing."""
    runs = ", ".join(
        f"{one['program']} {one['classes']} x {one['runs'] // one['classes']}" for one in records
    )
    said = [
        f"Classes and runs of each: {runs}. Accuracies are those of five folds.",
        "The baseline is C4.5's tree, which does not look at prices; its cost is in percent of watching all "
        "functions. A speed-up is what it costs by what the cheapest tree costs that is less accurate by one "
        f"point at most: '{GREEDY}' as published, '{OURS}' by our search. Costs are mean numbers of watched "
        "calls. FC: counts of calls; CTP: those and patterns of call trees. The paper's column has both.",
        "Published programs that do the same kind of work stand beside ours: "
        + ", ".join(f"{theirs} beside {ours}" for ours, theirs in COUNTERPART.items() if ours != theirs)
        + ".",
    ]
    changed = sum(one["fresh"]["wrong"] + one["fresh"]["changed"] for one in records)
    values = sum(one["fresh"]["values"] for one in records)
    fresh = sum(one["fresh"]["runs"] for one in records)
    said.append(
        f"Watched by plan, {fresh} fresh runs counted {values} values: {changed} of these values and of the "
        "diagnoses differ from what full recording gives."
    )
    if not any(ratios(one["overhead"], "instructions") for one in records):
        said.append("Instructions were not counted: valgrind is not installed.")
    said += [f"Left out: {reason}" for reason in left_out.values()]
    return said


def speed_up(figures: Mapping[str, Any] | None, way: str) -> float | None:
    """Cost ratio, cost-blind tree to another; None if that one costs nothing.

    Examples
    --------
    >>> speed_up({"blind": {"cost": 50.0}, "chosen": {"cost": 5.0}, "greedy": None}, "chosen")
    10.0
    >>> speed_up({"blind": {"cost": 50.0}, "chosen": {"cost": 5.0}, "greedy": None}, "greedy") is None
    True
    """
    cost = _figure(figures, way, "cost")
    return None if figures is None or not cost else float(figures["blind"]["cost"] / cost)


def _figure(figures: Mapping[str, Any] | None, way: str, what: str) -> float | None:
    """Return a figure of one of the trees, if there is such a tree."""
    return None if figures is None or figures[way] is None else float(figures[way][what])


def _percent(figures: Mapping[str, Any] | None, way: str) -> float | None:
    share = _figure(figures, way, "share")
    return None if share is None else 100 * share


def _costs(records: Sequence[Record]) -> Comparison:
    """Return figure 1's first column, with the costs of the other trees."""
    columns = (BASELINE_COLUMN, f"{GREEDY} %", f"{OURS} %", "FC baseline %", f"FC {OURS} %")
    ours = {
        one["program"]: {
            columns[0]: _percent(one["ctp"], "blind"),
            columns[1]: _percent(one["ctp"], "greedy"),
            columns[2]: _percent(one["ctp"], "chosen"),
            columns[3]: _percent(one["fc"], "blind"),
            columns[4]: _percent(one["fc"], "chosen"),
        }
        for one in records
    }
    published = {name: {BASELINE_COLUMN: BASELINE[COUNTERPART[name]]} for name in ours if name in COUNTERPART}
    return _table("Figure 1, cost", "percent of watching everything", ours, columns, published, digits=2)


def _speed_ups(records: Sequence[Record]) -> Comparison:
    columns = (f"{GREEDY} FC", f"{OURS} FC", f"{GREEDY} FC+CTP", f"{OURS} FC+CTP")
    ours = {
        one["program"]: {
            columns[0]: speed_up(one["fc"], "greedy"),
            columns[1]: speed_up(one["fc"], "chosen"),
            columns[2]: speed_up(one["ctp"], "greedy"),
            columns[3]: speed_up(one["ctp"], "chosen"),
        }
        for one in records
    }
    published = {name: {columns[2]: SPEED_UP[COUNTERPART[name]]} for name in ours if name in COUNTERPART}
    return _table("Figure 1, speed-up", "times cheaper", ours, columns, published, digits=1, logarithmic=True)


def _accuracies(records: Sequence[Record]) -> Comparison:
    # The tree that is watched is another than the searched one: to it, following an activation costs more.
    columns = (
        *("best guess", "FC blind", f"FC {OURS}", "CTP blind", f"CTP {GREEDY}", f"CTP {OURS}"),
        *("plan", "plan, fresh"),
    )
    ours: dict[str, dict[str, float | None]] = {}
    for one in records:
        ours[one["program"]] = {
            columns[0]: one["best_guess"],
            columns[1]: _figure(one["fc"], "blind", "accuracy"),
            columns[2]: _figure(one["fc"], "chosen", "accuracy"),
            columns[3]: _figure(one["ctp"], "blind", "accuracy"),
            columns[4]: _figure(one["ctp"], "greedy", "accuracy"),
            columns[5]: _figure(one["ctp"], "chosen", "accuracy"),
            columns[6]: _figure(one["plan"], "chosen", "confirmed"),
            columns[7]: one["fresh"]["right"] / one["fresh"]["runs"],
        }
    return _table("Accuracy", "share of runs told right", ours, columns, {})


def _evidence(records: Sequence[Record]) -> Comparison:
    columns = ("best guess", "calls and call trees", "signs alone", "together")
    ours = {
        one["program"]: dict(
            zip(
                columns,
                (
                    one["best_guess"],
                    _figure(one["ctp"], "blind", "confirmed"),
                    one["signs"],
                    _figure(one["plan"], "blind", "confirmed"),
                ),
                strict=True,
            )
        )
        for one in records
    }
    measure = "share of runs told right by C4.5's tree, three other deals of folds"
    return _table("Free evidence", measure, ours, columns, {}, drawn=False)


def _overheads(records: Sequence[Record]) -> list[Comparison]:
    tables = []
    for unit, measure in (("instructions", "instructions"), ("seconds", "time of the processor")):
        ours = {one["program"]: found for one in records if (found := ratios(one["overhead"], unit))}
        if not ours:
            continue
        columns = tuple(next(iter(ours.values())))
        tables.append(
            _table(f"Monitoring, {unit}", f"{measure} by those of the plain program", ours, columns, {})
        )
    return tables


def _unknown(records: Sequence[Record]) -> Comparison:
    columns = ("false alarms", "noticed", "misled", "watched %")
    ours: dict[str, dict[str, float | None]] = {}
    for one in records:
        known = one["unknown"] or {}
        figures = [known.get(name) for name in ("alarms", "noticed", "misled")]
        figures.append(100 * one["plan"]["watched_share"])
        ours[one["program"]] = dict(zip(columns, figures, strict=True))
    return _table("Classes left out whole", "share of runs", ours, columns, {}, drawn=False)


def _fresh(records: Sequence[Record]) -> Comparison:
    columns = ("runs", "values", "wrong values", "changed diagnoses", "patterns", "functions", "of functions")
    ours: dict[str, dict[str, float | None]] = {}
    for one in records:
        fresh, plan = one["fresh"], one["plan"]
        figures = (
            *(fresh["runs"], fresh["values"], fresh["wrong"], fresh["changed"]),
            *(len(plan["patterns"]), plan["watched"], one["functions"]),
        )
        ours[one["program"]] = dict(zip(columns, map(float, figures), strict=True))
    return _table(
        "Watched by plan", "fresh runs against full recording", ours, columns, {}, digits=0, drawn=False
    )


def _table(
    title: str,
    measure: str,
    ours: Mapping[str, Mapping[str, float | None]],
    columns: tuple[str, ...],
    published: Mapping[str, Mapping[str, float | None]],
    **layout: Any,
) -> Comparison:
    return Comparison(title, measure, "program", tuple(ours), columns, published, ours, **layout)
