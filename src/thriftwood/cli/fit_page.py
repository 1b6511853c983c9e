"""The page of ``thriftwood fit``."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.text import Text
from sklearn.base import clone

from thriftwood.baselines.base import PanelLearner
from thriftwood.cli.advice import ListWords, in_shell
from thriftwood.cli.costs_page import cost_doubts
from thriftwood.cli.curve_page import curve_content, curve_of, print_curve
from thriftwood.cli.inputs import Cases
from thriftwood.cli.machine import bill_content, model_content, ranking_content
from thriftwood.cli.model_page import headline, print_model
from thriftwood.cli.options import STANDARD
from thriftwood.cli.printing import INTERRUPTED, console, heading, note, print_json, print_lines
from thriftwood.cli.progress import progress
from thriftwood.cli.reporting import frontier_of
from thriftwood.cli.verdict import print_no_prices, print_verdict
from thriftwood.cli.writing import write_model
from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.evaluation import Bill, Ranking, Verdict, bill, compare, verdict
from thriftwood.evaluation.comparisons import Learner
from thriftwood.evaluation.folds import held_out
from thriftwood.evaluation.statement import as_text, words_of
from thriftwood.evaluation.today import verdict_of_bill
from thriftwood.evolution import Evolution
from thriftwood.evolution.base import EvolvedTree
from thriftwood.evolution.progress import bar_callback
from thriftwood.learning import OptimalTreeClassifier, fit_many
from thriftwood.learning.class_tree import ClassTree
from thriftwood.learning.classifier import CostTreeClassifier
from thriftwood.learning.optimal_progress import shown
from thriftwood.models import Cascade, Tree
from thriftwood.models.model import Model
from thriftwood.report import make_report

FEW_CELLS, MANY_FOLDS = 10_000, 10
FOLDED_CELLS, FEW_FOLDS = 60_000, 5
HELD_OUT = 0.3
"""What says what new cases cost: 10 folds of small tables, 5 of others, a share held out of large ones. By
size and not by the clock, so that every machine prints the same."""

QUICK_DEPTH = 3
"""Trees of at most so many tests on a path are searched for in seconds."""

ENOUGH_CASES = 100
"""Of fewer, leaves of one case are no surprise."""


class FitOptions(NamedTuple):
    """What a user asked for besides the model."""

    holdout: float | None
    cv: int | None
    seed: int
    without_idle: bool
    output: Path | None
    report: Path | None
    as_json: bool
    title: str | None = None
    learning_curve: bool = False
    curve_plot: Path | None = None
    live: bool = False


class Estimate(NamedTuple):
    """The figures of a model, and the cases that they are of."""

    basis: str
    figures: Bill | Ranking
    model: Model
    cases: Cases


def check_learner(name: str, learner: Learner, wanted: FitOptions) -> None:
    """Refuse what cannot be had of a learner of several trees, before anything is read."""
    if wanted.without_idle and not learner.learns.parts_answer:
        raise ValueError(f"The stages of {name} add up, so --without-idle-tests has nothing to leave out.")
    if wanted.report is not None and learner.learns is not Tree:
        other = "a score" if isinstance(learner, PanelLearner) else "several"
        raise ValueError(
            f"A report is about a single tree, and {name} learns {other}. Leave --report out, or choose a "
            "learner of one tree; `thriftwood algorithms` lists them."
        )


def fit_and_print(cases: Cases, name: str, learner: Learner, wanted: FitOptions) -> None:
    """Fit, estimate, save, print; after Ctrl-C what there is, and the exit code of an interruption."""
    if learner.costs is not None:
        classes, counts = np.unique(cases.y, return_counts=True)
        for doubt in cost_doubts(learner.costs, classes.tolist(), counts):
            note(doubt)
    _learn(cases, learner)
    _note_small_leaves(learner, len(cases))
    interrupted = _interrupted(learner)
    model, output = _finished(learner, wanted), wanted.output
    if interrupted and (wanted.cv is not None or wanted.holdout is not None):
        note("The bill is of the cases it learnt from: after Ctrl-C no tree is grown to estimate it better.")
        wanted = wanted._replace(cv=None, holdout=None)
    if output is not None and output != STANDARD:
        write_model(model, output)
    estimate = _estimate(cases, name, learner, model, wanted)
    said = _verdict(cases, name, learner, estimate, wanted, quick=interrupted)
    curve = None
    if wanted.learning_curve and not interrupted:
        curve = curve_of(cases, learner, wanted.seed, wanted.cv, wanted.curve_plot)
    if wanted.report is not None:
        _write_report(wanted.report, cases, name, learner, estimate, said, wanted, quick=interrupted)
    if wanted.as_json:
        more = {"verdict": said.content, "learning_curve": None if curve is None else curve_content(curve)}
        print_json(_content(learner, model, estimate, wanted) | more)
    else:
        out = console(stderr=output == STANDARD)
        print_verdict(out, said)
        if model.costs is None:
            print_no_prices(out)
        _print_page(out, cases, name, learner, model, estimate)
        if curve is not None:
            print_curve(out, curve, wanted.curve_plot)
        if output == STANDARD:
            write_model(model, output)
        _print_files(console(stderr=output == STANDARD), wanted)
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _learn(cases: Cases, learner: Learner) -> None:
    with progress("learning") as tell:
        if isinstance(learner, EvolvedTree):
            budget = None if learner.evolution is None else learner.evolution.time_budget
            learner.set_params(progress=bar_callback(tell, budget))
        if isinstance(learner, OptimalTreeClassifier):
            learner.set_params(progress=lambda cost, lower: tell(*shown(cost, lower)))
        learner.fit(cases.X, cases.y)
    if isinstance(learner, EvolvedTree | OptimalTreeClassifier):
        learner.set_params(progress=False)  # the bar is gone


def _note_small_leaves(learner: Learner, n_cases: int) -> None:
    """Point out rules that rest on a single case each, where there are enough cases for better ones."""
    if not isinstance(learner, CostTreeClassifier) or n_cases < ENOUGH_CASES:
        return
    flat = learner.tree_.flat
    leaves = [weight for weight, feature in zip(flat.weight, flat.feature, strict=True) if feature < 0]
    single = sum(weight < 2 for weight in leaves)
    if single:
        note(
            f"{single:,} of {counted(len(leaves), 'leaf', 'leaves')} rest on a single case, or less, and may "
            "be chance. --set min_branch_weight=5, for example, wants more cases in every branch."
        )


def _interrupted(learner: Learner) -> bool:
    # Learners that keep the best tree so far: by samples, by evolution and by search.
    reached = getattr(learner, "look_ahead_", None)
    return "interrupt" in (getattr(reached, "stopped", None), getattr(learner, "ended_", None))


def _finished(learner: Learner, wanted: FitOptions) -> Model:
    """Return what a fitted learner answers with, idle tests left out if so wanted."""
    return _spared(learner.model_, wanted)


def _spared(model: Model, wanted: FitOptions) -> Model:
    return model.without_idle_tests() if wanted.without_idle else model


def _estimate(cases: Cases, name: str, learner: Learner, model: Model, wanted: FitOptions) -> Estimate:
    costs = learner.costs or Costs()
    if wanted.cv is not None:
        with progress(f"{wanted.cv} folds") as tell:
            ranking = compare(
                {name: learner},
                cases.X_today,
                cases.y,
                costs,
                cv=wanted.cv,
                random_state=wanted.seed,
                progress=tell,
            )
        return Estimate("cross-validation", ranking, model, cases)
    if wanted.holdout is None:
        return Estimate("training", bill(model, cases.X, cases.y, costs), model, cases)
    marked = held_out(cases.labels, wanted.holdout, wanted.seed)
    with progress("learning from the others"):
        other = _spared(_learnt_from(cases, ~marked, learner), wanted)
    unseen = cases.take(marked)
    return Estimate("holdout", bill(other, unseen.X, unseen.y, costs), other, unseen)


def _verdict(
    cases: Cases, name: str, learner: Learner, estimate: Estimate, wanted: FitOptions, *, quick: bool
) -> Verdict:
    """Say what a case costs, of cases that were not learnt from wherever that takes no more than a while."""
    figures, costs = estimate.figures, learner.costs or Costs()
    if isinstance(figures, Ranking):
        _note_today(figures)
        return replace(figures.verdict, basis=_by_folds(figures))
    unseen = estimate.cases
    if estimate.basis == "holdout":
        others = cases.take(~held_out(cases.labels, wanted.holdout or 0.0, wanted.seed))
        basis = f"Of {counted(len(unseen), costs.case_name, costs.cases_name)} held out."
        learnt_from = others.X_today, others.y
        try:
            return verdict(
                estimate.model, unseen.X_today, unseen.y, costs, basis=basis, learnt_from=learnt_from
            )
        except (ValueError, OSError) as error:
            note(f"Today's practice is left out: {in_shell(error)}")
            return verdict_of_bill(figures, basis=basis)
    share = None if quick or _slow(learner) else _share(cases)
    if share is not None and _searches_long(learner):
        share = HELD_OUT  # one more search, and not one a fold
    if wanted.without_idle and share is not None:
        share = HELD_OUT  # folds would judge trees with their idle tests
    try:
        if isinstance(share, int):
            with progress(f"{share} folds"):
                ranking = compare(
                    {name: learner}, cases.X_today, cases.y, costs, cv=share, random_state=wanted.seed
                )
            _note_today(ranking)
            return replace(ranking.verdict, basis=_by_folds(ranking))
        if share is not None:
            asked = wanted._replace(holdout=share)
            other = _estimate(cases, name, learner, estimate.model, asked)
            return _verdict(cases, name, learner, other, asked, quick=quick)
    except ValueError as error:
        note(f"What new cases cost could not be found out: {in_shell(error)}")
    return verdict_of_bill(figures, basis=_learnt_from_them(costs))


def _note_today(ranking: Ranking) -> None:
    """Say why today's practice is no row, where it was to be one."""
    refused = ranking.refused_in(ListWords)
    if "today" in refused:
        note(f"Today's practice is left out: {refused['today']}")


def _learnt_from_them(costs: Costs) -> str:
    return f"Of the {costs.cases_name} it learnt from: new ones cost more."


def _by_folds(ranking: Ranking) -> str:
    return f"By {ranking.n_folds}-fold cross-validation."


def _slow(learner: Learner) -> bool:
    """Tell whether learning again takes long by nature: evolution and sampled look-ahead."""
    return isinstance(learner, EvolvedTree) or getattr(learner, "look_ahead_", 0) != 0


def _searches_long(learner: Learner) -> bool:
    """Tell whether a search may take minutes: of deep trees, or as long as it is given."""
    if not isinstance(learner, OptimalTreeClassifier):
        return False
    return learner.max_depth > QUICK_DEPTH or learner.time_budget is not None


def _share(cases: Cases) -> int | float | None:
    """Return how many folds, or which share held out, say what new cases cost; None: too few cases."""
    largest = int(np.bincount(cases.labels).max())
    cells = len(cases) * len(cases.columns)
    if cells > FOLDED_CELLS:
        return HELD_OUT
    folds = min(MANY_FOLDS if cells <= FEW_CELLS else FEW_FOLDS, largest)
    return folds if folds >= 2 else None


def _learnt_from(cases: Cases, rows: NDArray[np.bool_], learner: Learner) -> Model:
    """Learn anew from some of the cases; a single tree still knows the classes and categories of all."""
    if isinstance(learner, ClassTree) and learner.always_a_tree:
        (tree,) = fit_many(learner, cases.X, cases.y, [rows])
        return tree
    some = cases.take(rows)
    lacking = sorted(set(cases.y.tolist()) - set(some.y.tolist()))
    if lacking:
        raise ValueError(
            f"All cases of the class {lacking[0]!r} are held out, so nothing can be learnt about it. Give "
            "more of them, or a smaller --holdout."
        )
    learnt: Model = clone(learner).fit(some.X, some.y).model_
    return learnt


def _write_report(
    path: Path,
    cases: Cases,
    name: str,
    learner: Learner,
    estimate: Estimate,
    said: Verdict,
    wanted: FitOptions,
    *,
    quick: bool,
) -> None:
    """Write the page about what the bill is of; after Ctrl-C without what takes longer."""
    found = None if quick else frontier_of(learner, cases, wanted.seed)
    shown: Any = estimate.model
    if isinstance(learner, ClassTree):
        shown = copy.copy(learner)  # the page names its settings
        setattr(shown, "cascade_" if isinstance(estimate.model, Cascade) else "tree_", estimate.model)
    unseen = len(estimate.cases)
    cards = isinstance(estimate.model, Cascade)
    costs = learner.costs or Costs()
    what = "score cards" if cards else "a tree"
    learnt = counted(len(cases) - unseen, costs.case_name, costs.cases_name)
    held_back = (
        f"{learnt} of {cases.source}, {'their' if cards else 'its'} bill on {counted(unseen, 'other')}"
    )
    everybody = f"{counted(len(cases), costs.case_name, costs.cases_name)} of {cases.source}"
    of = held_back if estimate.basis == "holdout" else everybody
    make_report(
        shown,
        estimate.cases.X,
        estimate.cases.y,
        path,
        frontier=found,
        title=f"{name}: {what} learnt from {of}" if wanted.title is None else wanted.title,
        costs=costs,
        expected=estimate.figures[0] if isinstance(estimate.figures, Ranking) else None,
        training=estimate.basis != "holdout",
        verdict=None if said.basis == _learnt_from_them(costs) else said,
        live=(cases.X, cases.y) if wanted.live else False,
    )


def _print_page(
    out: Console, cases: Cases, name: str, learner: Learner, model: Model, estimate: Estimate
) -> None:
    what = headline(model).removeprefix("Tree: ")
    people = words_of(learner.costs or Costs()).counted(len(cases))
    title = f"{name} on {people} of {cases.source}: {what}"
    out.print(Text(title, style="bold"), soft_wrap=True)
    if isinstance(learner, EvolvedTree):
        print_lines(out, _how_it_ended(learner))
    print_model(out, model)
    figures = estimate.figures
    if isinstance(figures, Ranking):
        heading(out, "What to expect, by cross-validation")
        print_lines(out, as_text([figures.part()]))
    else:
        heading(out, _title(estimate, len(cases), figures.n_cases))
        print_lines(out, str(figures))


def _how_it_ended(learner: EvolvedTree[Any]) -> str:
    """Say how many trees an evolution tried, and why no more."""
    evolution = learner.evolution or Evolution()
    tried = f"Evolved: {counted(learner.n_trials_, 'tree')} tried"
    if learner.ended_ == "patience":
        without = counted(evolution.patience or 0, "generation")
        return f"{tried}, none better in the last {without} (--set patience)."
    if learner.ended_ == "time":
        return f"{tried}, then the {evolution.time_budget:g} seconds were over (--set time_budget)."
    if learner.ended_ == "interrupt":
        return f"{tried}, until Ctrl-C."
    return f"{tried}, as many as were asked for (--set trials)."


def _title(estimate: Estimate, n_cases: int, billed: int) -> str:
    costs = estimate.figures.costs
    one, many = costs.case_name, costs.cases_name
    if estimate.basis == "training":
        return f"Its bill on the {many} it learnt from; others cost more (--holdout 0.3 and --cv 10 say what)"
    cases, other = counted(billed, one, many), f"a {estimate.model.kind} learnt from the other"
    return f"The bill of {cases} held out, of {other} {n_cases - billed:,}"


def _print_files(out: Console, wanted: FitOptions) -> None:
    if wanted.output is not None and wanted.output != STANDARD:
        print_lines(out, f"Saved: {wanted.output}. `thriftwood show {wanted.output}` prints it again.")
    if wanted.report is not None:
        print_lines(out, f"Report: {wanted.report}. Open it in a browser.")


def _content(learner: Learner, model: Model, estimate: Estimate, wanted: FitOptions) -> dict[str, Any]:
    figures = estimate.figures
    evolved = learner if isinstance(learner, EvolvedTree) else None
    return {
        "model": model_content(model),
        "trials": None if evolved is None else evolved.n_trials_,
        "ended": getattr(learner, "ended_", None),
        "lower_bound": getattr(learner, "lower_bound_", None),
        "basis": estimate.basis,
        "billed_model": model_content(estimate.model) if isinstance(figures, Bill) else None,
        "bill": bill_content(figures) if isinstance(figures, Bill) else None,
        "cross_validation": None if isinstance(figures, Bill) else ranking_content(figures),
        "saved": None if wanted.output is None else str(wanted.output),
        "report": None if wanted.report is None else str(wanted.report),
    }
