"""Cascades as JSON files, by the means of tree files: written exactly, read with suspicion.

A file, version 1, is one JSON object::

    {"format": "thriftwood-cascade", "version": 1, "sha256": "...",
     "classes": {"dtype": "str", "values": ["no", "yes"]},
     "answers": ["refer"],                               those that are no class; left out if none are
     "encoder": {...},                                   Encoder.to_json()
     "costs": {...},                                     Costs.to_dict(), or null
     "note": "Chosen of 7: ...",                         left out where its learner says nothing
     "loss": [[0.0, 10.0], [50.0, 0.0]],                 a row for each true class
     "stages": [{"tests": [3, 0],                        numbers of features, in the order paid
                 "stop": 12.5,                           null: every case stops, as in the last stage
                 "card": {"base": [-50],                 a score for two classes, else one for each
                          "entries": [
        {"feature": 3, "at": [10.0, 20.0], "points": [[0], [50]], "missing": [7]},   a number
        {"feature": 0, "points": [[5], [-5]], "missing": [0]}]}}]}                   categories

Reading a file checks everything, runs nothing, and raises `TreeFileError` for whatever is not such a file.
"""

from __future__ import annotations

import json
import math
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs
from thriftwood.models.files import trees as files
from thriftwood.models.files.kinds import CASCADE, read_as, refuse
from thriftwood.models.ledger import FloatArray
from thriftwood.models.score_card import CategoryPoints, NumberPoints, Points, ScoreCard
from thriftwood.table import Encoder

if TYPE_CHECKING:
    from thriftwood.models.cascade import Cascade, Stage

FORMAT, VERSION = CASCADE, 1
ENTRIES = ("format", "version", "sha256", "classes", "encoder", "costs", "loss", "stages")
OPTIONAL_ENTRIES = ("answers", "note")
STAGE_ENTRIES = ("tests", "stop", "card")
CARD_ENTRIES = ("base", "entries")
COUNTED_ENTRIES = ("feature", "points", "missing")


class Parts(NamedTuple):
    """What a cascade is made of."""

    stages: list[tuple[Points, ScoreCard, float]]
    """The tests, the card and the limit of each."""
    loss: FloatArray
    encoder: Encoder
    classes: NDArray[Any]
    costs: Costs | None
    note: str
    further: tuple[str, ...]


# Writing


def to_text(cascade: Cascade) -> str:
    """Write a cascade."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "classes": files.classes_content(cascade.classes),
        **({"answers": list(cascade.further)} if cascade.further else {}),
        "encoder": cascade.encoder.to_json(),
        "costs": None if cascade.costs is None else cascade.costs.to_dict(),
        **({"note": cascade.note} if cascade.note else {}),
        "loss": cascade.loss.tolist(),
        "stages": [_stage_content(stage) for stage in cascade.stages],
    }
    # What cannot be read back is not written.
    classes = files.read_classes(content["classes"], len(cascade.classes))
    files.read_further(content.get("answers"), classes, cascade.loss.shape[1])
    files.read_note(cascade.note)
    return json.dumps({**content, "sha256": files.digest(content)}, allow_nan=False)


def _stage_content(stage: Stage) -> dict[str, Any]:
    entries = [_entry_content(entry) for entry in stage.card.entries]
    return {
        "tests": list(stage.tests),
        "stop": None if stage.stop == math.inf else float(stage.stop),
        "card": {"base": list(stage.card.base), "entries": entries},
    }


def _entry_content(entry: NumberPoints | CategoryPoints) -> dict[str, Any]:
    at = {"at": [float(value) for value in entry.at]} if isinstance(entry, NumberPoints) else {}
    points = {"points": [list(row) for row in entry.points], "missing": list(entry.missing)}
    return {"feature": entry.feature, **at, **points}


# Reading


@read_as("cascade")
def parts_of(content: Any) -> Parts:
    """Read the object that a file is."""
    header = partial(files.check_header, written=FORMAT, version=VERSION)
    entries = files.entries_of(content, "the file", ENTRIES, header, OPTIONAL_ENTRIES)
    files.check_digest(entries)
    encoder = files.read_encoder(entries["encoder"])
    loss = _loss(entries["loss"])
    classes = files.read_classes(entries["classes"], len(loss))
    stages = [_stage(one, f"stages[{n}]") for n, one in enumerate(_list(entries["stages"], "stages"))]
    costs = files.read_costs(entries["costs"], encoder)
    try:
        if costs is not None:
            costs.error_matrix(classes)
    except ValueError as problem:
        refuse(f"its costs are wrong: {problem}")
    n_answers = loss.shape[1] if loss.ndim == 2 else 0
    further = files.read_further(entries.get("answers"), classes, max(n_answers, len(classes)))
    note = files.read_note(entries.get("note", ""))
    return Parts(stages, loss, encoder, classes, costs, note, further)


def _loss(content: object) -> FloatArray:
    rows = [_list(row, f"loss[{number}]") for number, row in enumerate(_list(content, "loss"))]
    if any(type(cost) is not float for row in rows for cost in row) or len({*map(len, rows)}) > 1:
        refuse("loss must be a list of rows of floats, all of one length")
    return np.array(rows, dtype=np.float64)


def _stage(content: object, where: str) -> tuple[Points, ScoreCard, float]:
    entries = files.entries_of(content, where, STAGE_ENTRIES)
    stop = entries["stop"]
    if stop is not None and type(stop) is not float:
        refuse(f"{where}.stop must be a float, or null where every case stops")
    card = files.entries_of(entries["card"], f"{where}.card", CARD_ENTRIES)
    counted = _list(card["entries"], f"{where}.card.entries")
    return (
        _whole(entries["tests"], f"{where}.tests"),
        ScoreCard(
            _whole(card["base"], f"{where}.card.base"),
            tuple(_entry(one, f"{where}.card.entries[{number}]") for number, one in enumerate(counted)),
        ),
        math.inf if stop is None else stop,
    )


def _entry(content: object, where: str) -> NumberPoints | CategoryPoints:
    entries = files.entries_of(content, where, COUNTED_ENTRIES, optional=("at",))
    if type(entries["feature"]) is not int:
        refuse(f"{where}.feature must be the number of a feature")
    rows = _list(entries["points"], f"{where}.points")
    points = tuple(_whole(row, f"{where}.points[{number}]") for number, row in enumerate(rows))
    missing = _whole(entries["missing"], f"{where}.missing")
    if "at" not in entries:
        return CategoryPoints(entries["feature"], points, missing)
    at = _list(entries["at"], f"{where}.at")
    if any(type(value) is not float for value in at):
        refuse(f"{where}.at must be a list of floats")
    return NumberPoints(entries["feature"], tuple(at), points, missing)


def _whole(content: object, where: str) -> Points:
    if not isinstance(content, list) or any(type(one) is not int for one in content):
        refuse(f"{where} must be a list of whole numbers")
    return tuple(content)


def _list(content: object, where: str) -> list[Any]:
    if not isinstance(content, list):
        refuse(f"{where} must be a list")
    return content
