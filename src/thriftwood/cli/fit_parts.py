"""``thriftwood fit`` of a table that memory does not hold: learnt from and judged some rows at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.text import Text
from sklearn.base import clone

from thriftwood.base.advice import advice_of, advised
from thriftwood.cli.advice import in_shell
from thriftwood.cli.costs_page import cost_doubts
from thriftwood.cli.fit_page import HELD_OUT, FitOptions
from thriftwood.cli.inputs import check_classes, check_target_free, check_today
from thriftwood.cli.learners import learner_of
from thriftwood.cli.machine import bill_content, model_content
from thriftwood.cli.model_page import headline, print_model
from thriftwood.cli.models import with_progress
from thriftwood.cli.options import STANDARD
from thriftwood.cli.practice import Practice, answers_of
from thriftwood.cli.printing import console, heading, note, print_json, print_lines
from thriftwood.cli.progress import progress
from thriftwood.cli.verdict import print_no_prices, print_verdict
from thriftwood.cli.writing import write_model
from thriftwood.costs import Costs
from thriftwood.costs.names import counted, quoted
from thriftwood.datasets.files.parts import TableParts, most_bytes, parts_in, surely_fits
from thriftwood.datasets.scans.parts import FileParts
from thriftwood.datasets.scans.scan import Scan, scan_of
from thriftwood.datasets.scans.some_rows import SomeRows, drawn
from thriftwood.evaluation import Bill, TotalBill, Verdict, bill, total_bill
from thriftwood.evaluation.batches import Batch, Batches
from thriftwood.evaluation.comparisons import Learner
from thriftwood.evaluation.folds import check_share
from thriftwood.learning.criteria import facts_of
from thriftwood.learning.estimator import CostTree
from thriftwood.learning.scans.fitting import bytes_of, checked_bins
from thriftwood.models.model import Model
from thriftwood.table.rows import take_rows

GROWN_FROM_COUNTS, UNPRUNED = ("bins=auto", "cut_at=midpoint", "min_gap=0", "missing=branch"), "pruning=none"
"""What published learners need to learn from counts."""


@dataclass(frozen=True)
class LargeTable:
    """A file that memory does not hold."""

    path: Path
    parts: TableParts
    memory: str
    needs: int
    """Bytes that learning from it in memory would take, about."""


def large_table(path: Path, encoding: str | None, memory: str) -> LargeTable | None:
    """Open a table that would take more than this memory; None: it would not, or cannot be read in parts."""
    budget = bytes_of(memory)
    if path == STANDARD or surely_fits(path, budget):
        return None
    with progress(f"reading {path.name}"):
        parts = parts_in(path, encoding=encoding)
    needs = 0 if parts is None else most_bytes(path, parts.n_rows, len(parts.names))
    return None if parts is None or needs <= budget else LargeTable(path, parts, memory, needs)


def countable(name: str, given: Sequence[str], costs: Costs | None, seed: int) -> list[str]:
    """Add the settings that the default learner needs to learn from counts, besides those that are given."""
    learner = learner_of(name, given, costs, seed)
    if not isinstance(learner, CostTree) or _samples(learner):
        return [*given]
    named = {setting.partition("=")[0].strip() for setting in given}
    added = [setting for setting in GROWN_FROM_COUNTS if setting.partition("=")[0] not in named]
    rule = learner.checked_pruning()
    if rule is not None and rule.needs_cases and not named & {"pruning", "subtree_raising"}:
        added.append("subtree_raising=false" if "subtree_raising" in rule.get_params() else UNPRUNED)
    if added:
        note(f"{name} learns with {', '.join(added)}: a table that is read in parts is counted only.")
    return [*added, *given]


def check_large(large: LargeTable, name: str, learner: Learner, wanted: FitOptions) -> CostTree:
    """Refuse what cannot be had of a table that is read in parts."""
    more = (
        f"{large.parts.source} has {counted(large.parts.n_rows, 'row')} and is learnt from in parts. To do "
        f"it in memory takes about {large.needs / 1e9:.2g} GB: --memory {large.needs // 10**9 + 1}GB says "
        "that there is so much."
    )
    asked = {
        "--cv": wanted.cv is not None,
        "--report": wanted.report is not None,
        "--learning-curve": wanted.learning_curve,
    }
    for option, given in asked.items():
        if given:
            raise ValueError(f"{option} learns from parts of a table in memory again and again. {more}")
    if not isinstance(learner, CostTree):
        raise ValueError(f"{name} learns from tables in memory. {more}")
    if not _samples(learner):
        _check_counted(name, learner, more)
    return learner


def _samples(learner: CostTree) -> bool:
    """Tell whether a learner draws a sample of its own from a table that is read in parts."""
    return type(learner).fit_scan is not CostTree.fit_scan


def _check_counted(name: str, learner: CostTree, more: str) -> None:
    """Refuse what does not learn from counts, before the table is read; name all settings at once."""
    if not learner.grows_one_tree or facts_of(learner.checked_criterion()).samples:
        raise ValueError(f"{name} learns from tables in memory. {more}")
    try:
        checked_bins(learner)
    except ValueError as error:
        needed = " ".join(f"--set {setting}" for setting in (*GROWN_FROM_COUNTS, UNPRUNED))
        settings = f" All settings that published learners need for this: {needed}"
        raise advised(ValueError, advice_of(error), settings) from None


def fit_parts_and_print(
    large: LargeTable,
    name: str,
    learner: CostTree,
    wanted: FitOptions,
    target: str | None,
    ignored: Collection[str],
    nominal: Collection[str],
) -> None:
    """Learn, save, judge on cases held out, print."""
    for remark in large.parts.notes:
        note(in_shell(remark))
    share = HELD_OUT if wanted.holdout is None else wanted.holdout
    check_share(share)
    cases = _scan(large, learner.costs, target, ignored, nominal)
    note(
        f"{large.parts.source} has {counted(cases.n_rows, 'row')}, and is learnt from some rows at a time "
        f"(--memory {large.memory})."
    )
    _learn(learner, cases, large.memory, "learning")
    if learner.costs is not None:
        for doubt in cost_doubts(learner.costs, *_classes(learner)):
            note(doubt)
    model = _spared(learner.model_, wanted)
    if wanted.output is not None and wanted.output != STANDARD:
        write_model(model, wanted.output)
    others = Scan(SomeRows(cases.source, share, wanted.seed), cases.target, None, cases.features)
    judged: CostTree = clone(learner)
    _learn(judged, others, large.memory, "learning from the others")
    other = _spared(judged.model_, wanted)
    figures, said = _billed(large, other, cases.target, share, wanted.seed)
    if wanted.as_json:
        print_json(_content(learner, model, other, figures, said, wanted))
        return
    out = console(stderr=wanted.output == STANDARD)
    print_verdict(out, said)
    if model.costs is None:
        print_no_prices(out)
    what = headline(model).removeprefix("Tree: ")
    title = f"{name} on {counted(cases.n_rows, 'case')} of {large.parts.source}: {what}"
    out.print(Text(title, style="bold"), soft_wrap=True)
    print_model(out, model)
    billed = counted(figures.n_cases, "case")
    heading(out, f"The bill of {billed} held out, of a {other.kind} learnt from the other {others.n_rows:,}")
    print_lines(out, str(figures))
    if wanted.output == STANDARD:
        write_model(model, wanted.output)
    elif wanted.output is not None:
        print_lines(out, f"Saved: {wanted.output}. `thriftwood show {wanted.output}` prints it again.")


def _scan(
    large: LargeTable,
    costs: Costs | None,
    target: str | None,
    ignored: Collection[str],
    nominal: Collection[str],
) -> Scan:
    """Say what of the table is learnt from; refuse what a table in memory would be refused for."""
    parts = large.parts
    target = parts.target if target is None else target
    if target is None:
        raise ValueError(
            f"Which column is to be learnt? Say --target COLUMN. {parts.source} has {quoted(parts.names)}."
        )
    parts.check_names([target, *ignored, *nominal])
    check_target_free(costs, target, parts.names)
    today = None if costs is None else costs.today
    check_today(today, parts.names, target)
    answers = [] if today is None or today.answers is None else [today.answers]
    with progress(f"reading {large.path.name}"):
        source = FileParts(large.path, parts, target, nominal)
    assert source.labels is not None  # a target was named
    check_classes(parts.source, target, parts.n_rows, source.labels.unrepeated)
    for remark in source.remarks({target, *ignored, *answers, *nominal}):
        note(remark)
    return scan_of(source, target=target, leave_out=[*ignored, *answers])


def _learn(learner: CostTree, cases: Scan, memory: str, what: str) -> None:
    with progress(what) as tell:
        learner.fit_scan(cases, memory=memory, progress=tell)
    if learner.model_.classes is not None and len(learner.model_.classes) < 2:
        raise ValueError(
            f"All rows of {cases.source.name} have the same {cases.target!r}: there is nothing to tell "
            "apart. Give cases of at least two classes."
        )


def _classes(learner: CostTree) -> tuple[list[Any], Any]:
    """Return the classes, and how many cases each has; of score cards that is not known, so one each."""
    model = learner.model_
    assert model.classes is not None
    tree = model.single_tree
    counts = np.ones(len(model.classes)) if tree is None else tree.core.values[0]
    return model.classes.tolist(), counts


def _spared(model: Model, wanted: FitOptions) -> Model:
    return model.without_idle_tests() if wanted.without_idle else model


def _billed(
    large: LargeTable, model: Model, target: str, share: float, seed: int
) -> tuple[TotalBill, Verdict]:
    """Bill the rows that were held out."""
    costs = model.costs or Costs()
    batches = Batches(large.parts, model, target, answers_of(costs, large.parts.names))
    practice = Practice(costs)

    def bills() -> Iterator[Bill]:
        for batch in with_progress(batches, None):
            held = drawn(batch.first_row, len(batch), share, seed).nonzero()[0]
            if len(held):
                kept = {name: [texts[row] for row in held.tolist()] for name, texts in batch.kept.items()}
                own = Batch(take_rows(batch.X, held), batch.y[held], kept, batch.first_row, [])
                found = bill(model, own.X, own.y, costs)
                practice.add(found, own)
                yield found

    total = total_bill(bills())
    basis = f"Of {counted(total.n_cases, costs.case_name, costs.cases_name)} held out."
    return total, practice.verdict(total, basis)


def _content(
    learner: Any, model: Model, other: Model, figures: TotalBill, said: Verdict, wanted: FitOptions
) -> dict[str, Any]:
    return {
        "model": model_content(model),
        "trials": None,
        "ended": getattr(learner, "ended_", None),
        "lower_bound": None,
        "basis": "holdout",
        "billed_model": model_content(other),
        "bill": bill_content(figures),
        "cross_validation": None,
        "saved": None if wanted.output is None else str(wanted.output),
        "report": None,
        "verdict": said.content,
        "learning_curve": None,
    }
