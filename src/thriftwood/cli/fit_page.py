"""The page of ``thriftwood fit``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from thriftwood.cli.inputs import Cases
from thriftwood.cli.machine import bill_content, ranking_content, tree_content
from thriftwood.cli.options import STANDARD
from thriftwood.cli.printing import console, heading, print_json, print_lines, print_tree
from thriftwood.cli.progress import progress
from thriftwood.cli.writing import write_tree
from thriftwood.costs import Costs
from thriftwood.evaluation import Bill, Ranking, bill, compare
from thriftwood.evaluation.folds import held_out
from thriftwood.evaluation.statement import as_text
from thriftwood.tree import CostTreeClassifier, Tree, fit_many

NO_PRICES = "No price list (--costs): every test is free here, and every mistake costs 1."


def fit_and_print(
    cases: Cases,
    name: str,
    learner: CostTreeClassifier,
    *,
    holdout: float | None,
    cv: int | None,
    seed: int,
    output: Path | None,
    as_json: bool,
) -> None:
    """Fit, estimate, save, print."""
    with progress("learning"):
        tree = learner.fit(cases.X, cases.y).tree_
    costs = tree.costs or Costs()
    estimate: Bill | Ranking
    if cv is not None:
        with progress(f"{cv} folds") as tell:
            estimate = compare(
                {name: learner}, cases.X, cases.y, costs, cv=cv, random_state=seed, progress=tell
            )
        basis = "cross-validation"
    elif holdout is not None:
        estimate = _held_out_bill(cases, learner, costs, holdout, seed)
        basis = "holdout"
    else:
        estimate = bill(tree, cases.X, cases.y, costs)
        basis = "training"
    if output is not None and output != STANDARD:
        write_tree(tree, output)
    if as_json:
        print_json(_content(tree, basis, estimate, output))
        return
    _print_page(console(stderr=output == STANDARD), cases, name, tree, basis, estimate)
    if output == STANDARD:
        write_tree(tree, output)
    elif output is not None:
        print_lines(console(), f"Saved: {output}. `thriftwood show {output}` prints it again.")


def _held_out_bill(cases: Cases, learner: CostTreeClassifier, costs: Costs, share: float, seed: int) -> Bill:
    marked = held_out(cases.labels, share, seed)
    (tree,) = fit_many(learner, cases.X, cases.y, [~marked])
    unseen = cases.take(marked)
    return bill(tree, unseen.X, unseen.y, costs)


def _print_page(
    out: Console, cases: Cases, name: str, tree: Tree, basis: str, estimate: Bill | Ranking
) -> None:
    title = f"{name} on {len(cases):,} cases of {cases.source}: {repr(tree)[7:-1]}"
    out.print(Text(title, style="bold"), soft_wrap=True)
    print_tree(out, tree)
    if isinstance(estimate, Ranking):
        heading(out, "What to expect, by cross-validation")
        print_lines(out, as_text([estimate.part()]))
    else:
        heading(out, _title(basis, len(cases), estimate.n_cases))
        print_lines(out, str(estimate))
    if tree.costs is None:
        out.print(Text(NO_PRICES, style="dim"), soft_wrap=True)


def _title(basis: str, n_cases: int, billed: int) -> str:
    if basis == "training":
        return "Its bill on the cases it learnt from; others cost more (--holdout 0.3 and --cv 10 say what)"
    return f"The bill of {billed:,} cases held out, of a tree learnt from the other {n_cases - billed:,}"


def _content(tree: Tree, basis: str, estimate: Bill | Ranking, output: Path | None) -> dict[str, Any]:
    return {
        "tree": tree_content(tree),
        "basis": basis,
        "bill": bill_content(estimate) if isinstance(estimate, Bill) else None,
        "cross_validation": None if isinstance(estimate, Bill) else ranking_content(estimate),
        "saved": None if output is None else str(output),
    }
