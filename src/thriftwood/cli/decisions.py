"""The decision curve of ``thriftwood bill``: of a saved model, and of others beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from thriftwood.cli.drawing import ENDINGS, check_picture, save_picture
from thriftwood.cli.models import model_of, with_progress
from thriftwood.cli.writing import DELIMITERS, PARQUET, check_place, write_table
from thriftwood.costs import Costs
from thriftwood.datasets.files import TableParts
from thriftwood.evaluation import DecisionCurve
from thriftwood.evaluation.batches import Batches
from thriftwood.evaluation.decision_curves import Judged, check_classes, curve_of, judge, positive_class
from thriftwood.models.labels import class_numbers
from thriftwood.models.model import Model


def check_curve(path: Path | None, beside: Sequence[Path] | None, positive: str | None) -> None:
    """Refuse a file that cannot be written, and options for a curve that nobody wants."""
    if path is None:
        for option, given in (("--beside", beside), ("--positive", positive)):
            if given:
                raise ValueError(f"{option} is about a decision curve: give --decision-curve FILE as well.")
    elif path.suffix.lower() in ENDINGS:
        check_picture(path)
    elif path.suffix.lower() in (*DELIMITERS, *PARQUET):
        check_place(path)
    else:
        raise ValueError(
            f"A decision curve is a picture ({', '.join(ENDINGS)}) or a table "
            f"({', '.join((*DELIMITERS, *PARQUET))}). Got {path.name!r}."
        )


def decision_curve_of(
    model: Path,
    decider: Model,
    parts: TableParts,
    target: str | None,
    costs: Costs,
    beside: Sequence[Path] | None,
    positive: str | None,
) -> DecisionCurve:
    """Judge all cases of a file by a model and by those beside it."""
    if target is None:
        raise ValueError("A decision curve needs the true classes: name their column, --target COLUMN.")
    place = positive_class(decider.classes, costs, positive)
    assert decider.classes is not None  # positive_class
    named = {model.stem: decider}
    for path in beside or ():
        other = model_of(path)
        check_classes(str(path), other.classes, decider.classes)
        named[_free_name(path.stem, named)] = other
    judged, actual = {}, None
    for name, one in named.items():
        found, truth = [], []
        for batch in with_progress(Batches(parts, one, target), None):
            found.append(judge(one, batch.X, costs, place))
            truth.append(class_numbers(batch.y, decider.classes, len(batch)) == place)
        judged[name] = Judged(*(np.concatenate(columns) for columns in zip(*found, strict=True)))
        actual = np.concatenate(truth)
    assert actual is not None  # of the model itself
    return curve_of(judged, actual, decider.classes, place, costs)


def write_curve(curve: DecisionCurve, path: Path) -> None:
    """Draw the curve, or write its table, as the file is called."""
    if path.suffix.lower() in ENDINGS:
        save_picture(curve.plot(), path)
    else:
        write_table(path, curve.columns)


def curve_content(curve: DecisionCurve) -> dict[str, Any]:
    """Describe a decision curve."""
    columns = curve.columns
    return {
        "positive": curve.positive,
        "value": curve.value,
        "own_threshold": curve.own_threshold,
        "useful": {name: curve.useful(name) for name in curve.names},
        "points": [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)],
    }


def _free_name(name: str, taken: dict[str, Model]) -> str:
    """Return a name that no other model has: files of several folders may be called alike."""
    number, free = 2, name
    while free in taken or free in ("all", "none"):
        free, number = f"{name} {number}", number + 1
    return free
