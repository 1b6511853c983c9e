"""Boosters as JSON files, by the means of tree files: written exactly, read with suspicion.

A file, version 1, is one JSON object::

    {"format": "thriftwood-booster", "version": 1, "sha256": "...",
     "classes": {"dtype": "str", "values": ["ENC", "TXT"]},
     "encoder": {...},                                  Encoder.to_json()
     "costs": {...},                                    Costs.to_dict(), or null
     "stop": 0.9,                                       the share that is enough, or null
     "start": [-0.69, -0.69],                           a score for each class
     "stages": [{"regression": true, "width": 2, ...}]} as "tree" in tree files (`models.files.trees`)

Reading a file checks everything, runs nothing, and raises `TreeFileError` for whatever is not such a file.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.models.files import trees as files
from thriftwood.models.files.kinds import BOOSTER, TreeFileError, read_as, refuse
from thriftwood.table import Encoder

if TYPE_CHECKING:
    from thriftwood.models.booster import Booster

FORMAT, VERSION = BOOSTER, 1
ENTRIES = ("format", "version", "sha256", "classes", "encoder", "costs", "stop", "start", "stages")


class Parts(NamedTuple):
    """What a booster is made of."""

    core: _core.Booster
    encoder: Encoder
    classes: NDArray[Any]
    costs: Costs | None
    stop: float | None


def to_text(booster: Booster) -> str:
    """Write a booster."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "classes": files.classes_content(booster.classes),
        "encoder": booster.encoder.to_json(),
        "costs": None if booster.costs is None else booster.costs.to_dict(),
        "stop": None if booster.stop is None else float(booster.stop),
        "start": list(booster.core.start),
        "stages": [files.core_content(stage) for stage in booster.core.stages],
    }
    files.read_classes(content["classes"], len(booster.classes))  # what cannot be read back is not written
    return json.dumps({**content, "sha256": files.digest(content)}, allow_nan=False)


@read_as("booster")
def parts_of(content: Any) -> Parts:
    """Read the object that a file is."""
    entries = files.entries_of(
        content, "the file", ENTRIES, partial(files.check_header, written=FORMAT, version=VERSION)
    )
    files.check_digest(entries)
    encoder = files.read_encoder(entries["encoder"])
    start, stages, stop = entries["start"], entries["stages"], entries["stop"]
    if not isinstance(start, list) or any(type(score) is not float for score in start):
        refuse("start must be a list of floats")
    if not isinstance(stages, list):
        refuse("stages must be a list")
    if stop is not None and not (type(stop) is float and 0.0 <= stop <= 1.0):
        refuse("stop must be a float from 0 to 1, or null")
    trees = [_stage(stage, number, encoder) for number, stage in enumerate(stages, 1)]
    try:
        core = _core.Booster(start, trees)
    except ValueError as problem:
        refuse(str(problem))
    classes = files.read_classes(entries["classes"], len(start))
    if np.unique(classes).tolist() != classes.tolist():
        refuse("classes.values must be in order")
    costs = files.read_costs(entries["costs"], encoder)
    try:
        if costs is not None:
            costs.error_matrix(classes)
    except ValueError as problem:
        refuse(f"its costs are wrong: {problem}")
    return Parts(core, encoder, classes, costs, stop)


def _stage(content: object, number: int, encoder: Encoder) -> _core.Tree:
    try:
        stage = files.read_core(content)
        files.check_features(stage, encoder)
    except TreeFileError as error:
        refuse(f"stage {number} of it is wrong: {error.reason}")
    return stage
