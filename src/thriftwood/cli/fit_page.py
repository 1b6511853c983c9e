"""The page of ``thriftwood fit``."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any, NamedTuple

import typer
from rich.console import Console
from rich.text import Text

from thriftwood.cli.inputs import Cases
from thriftwood.cli.machine import bill_content, ranking_content, tree_content
from thriftwood.cli.options import STANDARD
from thriftwood.cli.printing import INTERRUPTED, console, heading, note, print_json, print_lines, print_tree
from thriftwood.cli.progress import progress
from thriftwood.cli.reporting import frontier_of
from thriftwood.cli.writing import write_tree
from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.evaluation import Bill, Ranking, bill, compare
from thriftwood.evaluation.folds import held_out
from thriftwood.evaluation.statement import as_text
from thriftwood.evolution.base import EvolvedTree
from thriftwood.evolution.telling import beside_a_bar
from thriftwood.report import make_report
from thriftwood.tree import Tree, fit_many
from thriftwood.tree.class_tree import ClassTree

NO_PRICES = "No price list (--costs): every test is free here, and every mistake costs 1."


class Wanted(NamedTuple):
    """What a user asked for besides the tree."""

    holdout: float | None
    cv: int | None
    seed: int
    without_idle: bool
    output: Path | None
    report: Path | None
    as_json: bool


class Estimate(NamedTuple):
    """Figures, and what they are of."""

    basis: str
    figures: Bill | Ranking
    model: ClassTree
    cases: Cases


def fit_and_print(cases: Cases, name: str, learner: ClassTree, wanted: Wanted) -> None:
    """Fit, estimate, save, print; after Ctrl-C what there is, and the exit code of an interruption."""
    _learn(cases, learner)
    interrupted = _interrupted(learner)
    model = _finished(learner, learner.tree_, wanted)
    tree, output = model.tree_, wanted.output
    if interrupted and (wanted.cv is not None or wanted.holdout is not None):
        note("The bill is of the cases it learnt from: after Ctrl-C no tree is grown to estimate it better.")
        wanted = wanted._replace(cv=None, holdout=None)
    estimate = _estimate(cases, name, model, wanted)
    if output is not None and output != STANDARD:
        write_tree(tree, output)
    if wanted.report is not None:
        _write_report(wanted.report, cases, name, learner, estimate, wanted.seed, quick=interrupted)
    if wanted.as_json:
        print_json(_content(tree, estimate, wanted))
    else:
        _print_page(console(stderr=output == STANDARD), cases, name, tree, estimate)
        if output == STANDARD:
            write_tree(tree, output)
        _print_files(console(stderr=output == STANDARD), wanted)
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _learn(cases: Cases, learner: ClassTree) -> None:
    with progress("learning") as tell:
        if isinstance(learner, EvolvedTree):
            learner.set_params(progress=beside_a_bar(tell))
        learner.fit(cases.X, cases.y)
    if isinstance(learner, EvolvedTree):
        learner.set_params(progress=False)  # the bar is gone


def _interrupted(learner: ClassTree) -> bool:
    # Learners that keep the best tree so far: by samples, and by evolution.
    reached = getattr(learner, "sampling_", None)
    return "interrupt" in (getattr(reached, "stopped", None), getattr(learner, "ended_", None))


def _finished(learner: ClassTree, tree: Tree, wanted: Wanted) -> ClassTree:
    """Return the learner with another tree of its own in it, idle tests left out if so wanted."""
    model = copy.copy(learner)
    model.tree_ = tree.without_idle_tests() if wanted.without_idle else tree
    return model


def _estimate(cases: Cases, name: str, model: ClassTree, wanted: Wanted) -> Estimate:
    costs = model.costs or Costs()
    if wanted.cv is not None:
        with progress(f"{wanted.cv} folds") as tell:
            ranking = compare(
                {name: model}, cases.X, cases.y, costs, cv=wanted.cv, random_state=wanted.seed, progress=tell
            )
        return Estimate("cross-validation", ranking, model, cases)
    if wanted.holdout is None:
        return Estimate("training", bill(model.tree_, cases.X, cases.y, costs), model, cases)
    marked = held_out(cases.labels, wanted.holdout, wanted.seed)
    with progress("learning from the others"):
        (tree,) = fit_many(model, cases.X, cases.y, [~marked])
    other, unseen = _finished(model, tree, wanted), cases.take(marked)
    return Estimate("holdout", bill(other.tree_, unseen.X, unseen.y, costs), other, unseen)


def _write_report(
    path: Path,
    cases: Cases,
    name: str,
    learner: ClassTree,
    estimate: Estimate,
    seed: int,
    *,
    quick: bool,
) -> None:
    """Write the page about what the bill is of; after Ctrl-C without what takes longer."""
    found = None if quick else frontier_of(learner, cases, seed)
    unseen = len(estimate.cases)
    learnt, others = counted(len(cases) - unseen, "case"), counted(unseen, "other")
    of = (
        f"a tree of {learnt} of {cases.source}, its bill on {others}"
        if estimate.basis == "holdout"
        else f"the tree of {cases.source}, its bill on the cases it learnt from"
    )
    make_report(
        estimate.model,
        estimate.cases.X,
        estimate.cases.y,
        path,
        frontier=found,
        title=f"{name}: {of}",
        costs=learner.costs or Costs(),
        expected=estimate.figures[0] if isinstance(estimate.figures, Ranking) else None,
        training=estimate.basis != "holdout",
    )


def _print_page(out: Console, cases: Cases, name: str, tree: Tree, estimate: Estimate) -> None:
    title = f"{name} on {counted(len(cases), 'case')} of {cases.source}: {repr(tree)[7:-1]}"
    out.print(Text(title, style="bold"), soft_wrap=True)
    print_tree(out, tree)
    figures = estimate.figures
    if isinstance(figures, Ranking):
        heading(out, "What to expect, by cross-validation")
        print_lines(out, as_text([figures.part()]))
    else:
        heading(out, _title(estimate.basis, len(cases), figures.n_cases))
        print_lines(out, str(figures))
    if tree.costs is None:
        out.print(Text(NO_PRICES, style="dim"), soft_wrap=True)


def _title(basis: str, n_cases: int, billed: int) -> str:
    if basis == "training":
        return "Its bill on the cases it learnt from; others cost more (--holdout 0.3 and --cv 10 say what)"
    held_out = counted(billed, "case")
    return f"The bill of {held_out} held out, of a tree learnt from the other {n_cases - billed:,}"


def _print_files(out: Console, wanted: Wanted) -> None:
    if wanted.output is not None and wanted.output != STANDARD:
        print_lines(out, f"Saved: {wanted.output}. `thriftwood show {wanted.output}` prints it again.")
    if wanted.report is not None:
        print_lines(out, f"Report: {wanted.report}. Open it in a browser.")


def _content(tree: Tree, estimate: Estimate, wanted: Wanted) -> dict[str, Any]:
    figures = estimate.figures
    return {
        "tree": tree_content(tree),
        "basis": estimate.basis,
        "billed_tree": tree_content(estimate.model.tree_) if isinstance(figures, Bill) else None,
        "bill": bill_content(figures) if isinstance(figures, Bill) else None,
        "cross_validation": None if isinstance(figures, Bill) else ranking_content(figures),
        "saved": None if wanted.output is None else str(wanted.output),
        "report": None if wanted.report is None else str(wanted.report),
    }
