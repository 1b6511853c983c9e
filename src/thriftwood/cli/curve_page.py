"""The learning curve of ``thriftwood fit``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console

from thriftwood.cli.drawing import save_picture
from thriftwood.cli.inputs import Cases
from thriftwood.cli.printing import heading, print_lines
from thriftwood.cli.progress import progress
from thriftwood.costs import Costs
from thriftwood.evaluation import LearningCurve, learning_curve
from thriftwood.evaluation.comparisons import Learner
from thriftwood.evaluation.learning_curves import checked_shares
from thriftwood.evaluation.statement import as_text

FOLDS = 10


def curve_of(
    cases: Cases, learner: Learner, seed: int, cv: int | None, picture: Path | None
) -> LearningCurve:
    """Learn from fewer cases, and draw what they cost if so wanted."""
    folds = FOLDS if cv is None else cv
    with progress("learning from fewer cases") as tell:
        found = learning_curve(
            learner,
            cases.X,
            cases.y,
            learner.costs or Costs(),
            cv=folds,
            random_state=seed,
            progress=tell,
        )
    if picture is not None:
        save_picture(found.plot(), picture)
    return found


def check_curve(wanted: bool, n_cases: int | None, cv: int | None) -> None:
    """Refuse a curve of too few folds or cases before anything is learnt; None: their number is not known."""
    if wanted:
        checked_shares(None, 10**9 if n_cases is None else n_cases, FOLDS if cv is None else cv)


def print_curve(out: Console, curve: LearningCurve, picture: Path | None) -> None:
    """Print the sentence, and the table it comes from."""
    heading(out, "Would more data help?")
    print_lines(out, f"{curve.sentence}\n{as_text([curve.part()])}")
    if picture is not None:
        print_lines(out, f"Learning curve: {picture}.")


def curve_content(curve: LearningCurve) -> dict[str, Any]:
    """Describe a learning curve."""
    columns = curve.columns
    return {
        "points": [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)],
        "n_folds": curve.n_folds,
        "saved_by_twice_as_many": curve.saved._asdict(),
        "can_tell": curve.can_tell,
        "sentence": curve.sentence,
    }
