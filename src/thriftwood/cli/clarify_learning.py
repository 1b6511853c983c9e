"""The pages of ``thriftwood clarify learn`` and ``plan``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, NamedTuple

from rich.console import Console

from thriftwood.base.saving import save_text
from thriftwood.clarify.evidence import EvidenceKind
from thriftwood.clarify.learning import Learned, Point, TreeScores
from thriftwood.clarify.model import Model, read_messages
from thriftwood.clarify.searching import enough
from thriftwood.clarify.store import Recording
from thriftwood.clarify.telling import SUCCESS
from thriftwood.clarify.training import Trained, train
from thriftwood.cli.printing import heading, note, print_json, print_lines, print_tree, table
from thriftwood.cli.progress import progress
from thriftwood.costs.names import counted, quoted
from thriftwood.evaluation.statement import amount

MOST_POINTS = 12
CHOSEN = "chosen"


class LearnOptions(NamedTuple):
    """What a user asked to be learnt."""

    folder: Path
    output: Path | None
    features: Literal["fc", "ctp"] | None
    without: Sequence[EvidenceKind]
    messages: Path | None
    within: float
    false_alarms: float
    cv: int
    span: float | None
    search: Literal["thrifty", "greedy"]
    seed: int
    jobs: int


def learn_and_print(out: Console, wanted: LearnOptions, as_json: bool) -> None:
    """Learn, save, print."""
    recording = Recording.read(wanted.folder)
    left_out = len(recording) - len(recording.usable)
    if left_out:
        note(f"{counted(left_out, 'run')} of {len(recording)} have no label or no profile and are left out.")
    with progress("learning") as tell:
        trained = train(
            recording,
            features=wanted.features,
            without=wanted.without,
            messages=None if wanted.messages is None else read_messages(wanted.messages),
            within=wanted.within,
            false_alarms=wanted.false_alarms,
            cv=wanted.cv,
            seed=wanted.seed,
            span=wanted.span,
            search=wanted.search,
            n_jobs=wanted.jobs or -1,
            tell=lambda what: tell(0, 0, what),
        )
    n_older = len(recording.usable) - trained.learnt.n_runs
    if n_older:
        note(
            f"{counted(n_older, 'run')} of {len(recording)} of older builds are left out: their labels were "
            "recorded again."
        )
    if (doubt := _chance_words(trained)) is not None:
        note(doubt)
    if wanted.output is not None:
        trained.model.save(wanted.output)
    if as_json:
        print_json(_learnt_content(trained, wanted.output))
    else:
        _print_learnt(out, trained, wanted.output)


def plan_and_print(
    out: Console, path: Path, messages: Path | None, output: Path | None, write: Path | None, as_json: bool
) -> None:
    """Show the plan of a model; give it other texts; write the plan file."""
    model = Model.load(path)
    if messages is not None and output is not None:
        model = model.with_messages(read_messages(messages))
        model.save(output)
    if write is not None:
        save_text(write, model.plan.text(), errors="surrogateescape")
    if as_json:
        print_json(_plan_content(model))
        return
    if model.plan.patterns:  # no table, which a narrow place would cut off
        heading(out, "What is counted")
        for number, pattern in enumerate(model.plan.patterns):
            print_lines(out, f"{number}  {pattern.kind}  {pattern}")
    asked = sorted(set(model.plan.functions) - set(model.plan.strangers))
    if asked:
        heading(out, "Functions to watch")
        followed = set(model.plan.spanned)
        print_lines(out, "\n".join(f"{f} (followed)" if f in followed else f for f in asked))
    if model.signs:
        heading(out, "What is looked at, for nothing")
        print_lines(out, "\n".join(sign.words for sign in model.signs))
    out.print()
    print_lines(out, _cost_words(model))
    heading(out, "What is said")
    for label in model.labels:
        print_lines(out, f"{label}: {model.messages.get(label, '(no message; --messages gives one)')}")
    for place in (output, write):
        if place is not None:
            print_lines(out, f"Written: {place}.")


def _cost_words(model: Model) -> str:
    figures = model.figures
    n_strange = len(model.plan.strangers)
    words = f"{counted(len(model.plan.functions) - n_strange, 'function')} to watch"
    if n_strange:
        words += f", and {n_strange:,} that no recorded run called"
    if {"events", "all_calls", "share", "accuracy", "confirmed"} <= set(figures):
        words += (
            f": {amount(figures['events'])} of {amount(figures['all_calls'])} calls in a run, "
            f"{_percent(figures['share'])} of what watching everything would cost. Accuracy "
            f"{figures['accuracy']:.3f} by the folds it was chosen by, {figures['confirmed']:.3f} by others"
        )
    return f"{words}."


# What was learnt


def _print_learnt(out: Console, trained: Trained, output: Path | None) -> None:
    found = trained.learnt
    kinds = {"fc": "calls", "ctp": "call trees", "exact": "exact call trees"}
    print_lines(
        out,
        f"{counted(found.n_runs, 'run')}, {len(trained.model.labels)} labels; "
        f"{counted(found.n_patterns, 'pattern')} of {kinds[found.features]} that differ.",
    )
    heading(out, "What accuracy costs")
    rows = [_scores_row("blind (C4.5)", found.blind, found.blind)]
    rows.append(_scores_row("csgain", found.greedy, found.blind))
    rows.append(_scores_row("chosen", found.chosen, found.blind))
    columns = ["tree", "accuracy", "other folds", "functions", "share of all", "times cheaper"]
    out.print(table("", columns, rows))
    if not found.greedy_is_accurate:
        print_lines(out, f"No tree of csgain is within {found.within:g} of the blind tree's accuracy.")
    _print_trade_off(out, found)
    if found.confused:
        heading(out, "What is confused, in runs not seen")
        rows = [[true, said, f"{n:,}"] for true, said, n in found.confused[:MOST_POINTS]]
        out.print(table("", ["recorded as", "said to be", "runs"], rows, names=2))
    if found.normal is not None:
        heading(out, "Causes that nobody recorded")
        print_lines(out, _unknown_words(found))
    heading(out, "The tree")
    print_lines(out, _unit_words(trained.model, found.span))
    print_tree(out, trained.model.tree)
    silent = [label for label in trained.model.labels if _lacks_message(trained.model, label)]
    if silent:
        note(
            f"No message for {quoted(silent)}. `thriftwood clarify plan --messages FILE -o MODEL` adds them."
        )
    if output is not None:
        print_lines(out, f"Written: {output}.")


def _chance_words(trained: Trained) -> str | None:
    """Point out a model that beats one answer for all runs by less than chance does (a standard error)."""
    found, model = trained.learnt, trained.model
    n_of_label = model.tree.core.values[0].tolist()
    most = max(n_of_label)
    commonest, share = model.labels[n_of_label.index(most)], most / sum(n_of_label)
    if found.chosen.confirmed > share + math.sqrt(share * (1 - share) / found.n_runs):
        return None
    return (
        f"On other folds the chosen tree is right in {found.chosen.confirmed:.3f} of runs, and saying "
        f"{commonest!r} of every run is right in {share:.3f}. What was recorded does not tell the labels "
        "apart: are they right, and one cause each?"
    )


def _lacks_message(model: Model, label: str) -> bool:
    """Whether somebody should write a message: runs that went well are told nothing."""
    return label not in model.messages and set(model.endings.get(label, ())) != {SUCCESS}


def _unknown_words(found: Learned) -> str:
    assert found.normal is not None
    figures = found.normal.figures
    words = (
        f"{figures['alarms']:.1%} of runs of recorded causes are called unknown by mistake (by folds; "
        f"--false-alarms {found.normal.rate:g})."
    )
    if "noticed" in figures:
        words += (
            f" Of labels left out whole, {figures['noticed']:.0%} of runs are called unknown, and "
            f"{figures['misled']:.0%} get another label with a confidence above 80%."
        )
    else:
        words += " With two labels none can be left out, so how many unknown ones are noticed is not known."
    return f"{words} With what is watched for that, watching costs {_percent(found.watched_share)} of all."


def _print_trade_off(out: Console, found: Learned) -> None:
    """Print what accuracy can be had for, and why a row that is cheaper than the chosen one was not."""
    rows = [(p.share, p.accuracy, p.n_functions, _not_chosen(p, found.within)) for p in found.points]
    chosen = (found.chosen.share, found.chosen.accuracy, len(found.chosen.functions))
    # A tree that does not hold on other folds may beat the chosen one, which is no point then.
    rows = sorted([row for row in rows if row[:3] != chosen] + [(*chosen, CHOSEN)], key=lambda row: row[:2])
    if len(rows) < 2:
        return
    told = next(place for place, row in enumerate(rows) if row[3])
    heading(out, "The trade-off")
    shown = rows[min(told, max(0, len(rows) - MOST_POINTS)) :]
    texts = [[_percent(share), f"{accuracy:.3f}", str(n), note] for share, accuracy, n, note in shown]
    out.print(table("", ["share of all", "accuracy", "functions", ""], texts, names=0))
    if any(note not in ("", CHOSEN) for *_, note in rows):
        print_lines(
            out,
            f"A tree that loses more than --within ({found.within:g}) when the runs are dealt into other "
            "folds is not chosen: it was lucky with the first. A larger --within buys it.",
        )


def _not_chosen(point: Point, within: float) -> str:
    if point.lost is None or enough(-point.lost, -within):
        return ""
    return f"loses {point.lost:.3f} on other folds"


def _unit_words(model: Model, span: float) -> str:
    followed = f"; a call that is followed counts {span:g} times" if model.plan.spanned else ""
    return f"Prices are calls that are counted in a run, on average{followed}."


def _scores_row(name: str, one: TreeScores, blind: TreeScores) -> list[str]:
    cheaper = f"{blind.cost / one.cost:,.1f}" if one.cost else ""
    return [
        *(name, f"{one.accuracy:.3f}", f"{one.confirmed:.3f}", str(len(one.functions)), _percent(one.share)),
        cheaper,
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _learnt_content(trained: Trained, output: Path | None) -> dict[str, Any]:
    found: Learned = trained.learnt
    return {
        "features": found.features,
        "n_runs": found.n_runs,
        "n_patterns": found.n_patterns,
        "labels": trained.model.labels,
        "span": found.span,
        "within": found.within,
        "blind": asdict(found.blind),
        "greedy": asdict(found.greedy),
        "chosen": asdict(found.chosen),
        "speed_up": found.speed_up,
        "greedy_speed_up": found.greedy_speed_up,
        "points": [asdict(point) for point in found.points],
        "unknown": None if found.normal is None else dict(found.normal.figures),
        "watched_share": found.watched_share,
        "confused": [{"label": true, "said": said, "runs": n} for true, said, n in found.confused],
        "model": None if output is None else str(output),
    }


def _plan_content(model: Model) -> dict[str, Any]:
    return {
        "patterns": [{"kind": p.kind, "functions": p.functions, "text": str(p)} for p in model.plan.patterns],
        "signs": [{"kind": sign.kind, "text": sign.text} for sign in model.signs],
        "functions": model.plan.functions,
        "followed": model.plan.spanned,
        "figures": model.figures,
        "messages": {label: model.messages.get(label) for label in model.labels},
        "build": model.build,
        "kind": model.kind,
    }
