"""Trees with answers by naive Bayes as JSON files, by the means of tree files.

A file, version 1, is one JSON object::

    {"format": "thriftwood-bayes", "version": 1, "sha256": "...",
     "tree": {"format": "thriftwood-tree", ...},         who asks for tests, with its costs
     "costs": {...},                                     Costs.to_dict(), or null: what is charged
     "asks_by": {...},                                   by which prices a test is free, or null
     "answers": ["refer"],                               those that are no class; left out if none are
     "loss": [[0.0, 10.0], [50.0, 0.0]],                 a row for each true class, or null
     "smoothing": 1.0,
     "group": [-1, 0, 1],                                by node whose densities count, -1: none; or null
     "classes": [[120.0, 30.0], ...],                    by group what the cases of each class weigh
     "densities": [[...], ...]}                          by group what was learnt (`core/bayes/densities.hpp`)

Reading a file checks everything, runs nothing, and raises `TreeFileError` for whatever is not such a file.
"""

from __future__ import annotations

import json
import math
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.models.files import trees as files
from thriftwood.models.files.kinds import BAYES, read_as, refuse
from thriftwood.models.ledger import FloatArray
from thriftwood.models.tree.tree import Tree

if TYPE_CHECKING:
    from thriftwood.models.bayes_answers import BayesAnswersModel

FORMAT, VERSION = BAYES, 1
ENTRIES = (
    *("format", "version", "sha256", "tree", "costs", "asks_by"),
    *("loss", "smoothing", "group", "classes", "densities"),
)
OPTIONAL_ENTRIES = ("answers",)


class Parts(NamedTuple):
    """What a tree with answers by naive Bayes is made of."""

    tree: Tree
    bayes: _core.NaiveBayes
    group: NDArray[np.int32] | None
    costs: Costs | None
    asks_by: Costs | None
    loss: FloatArray | None
    further: tuple[str, ...]


def to_text(model: BayesAnswersModel) -> str:
    """Write it; an error if it is for the rows of one table."""
    if model.loss is not None and np.ndim(model.loss) != 2:
        raise ValueError(
            "Error costs by row belong to one table and are not saved. Save the model without told()."
        )
    _, _, smoothing, classes, densities = model.leaves.bayes.__getstate__()
    group = model.leaves.group
    content = {
        "format": FORMAT,
        "version": VERSION,
        "tree": files.content_of(model.inside),
        "costs": None if model.costs is None else model.costs.to_dict(),
        "asks_by": None if model.asks_by is None else model.asks_by.to_dict(),
        **({"answers": list(model.further)} if model.further else {}),
        "loss": None if model.loss is None else np.asarray(model.loss, dtype=np.float64).tolist(),
        "smoothing": float(smoothing),
        "group": None if group is None else group.tolist(),
        "classes": np.asarray(classes).tolist(),
        "densities": np.asarray(densities).tolist(),
    }
    return json.dumps({**content, "sha256": files.digest(content)}, allow_nan=False)


@read_as("tree with naive Bayes")
def parts_of(content: Any) -> Parts:
    """Read the object that a file is."""
    entries = files.entries_of(
        content,
        "the file",
        ENTRIES,
        partial(files.check_header, written=FORMAT, version=VERSION),
        OPTIONAL_ENTRIES,
    )
    files.check_digest(entries)
    tree = Tree.from_content(entries["tree"])
    if tree.classes is None:
        refuse("its tree must be one for classes")
    costs, asks_by = (files.read_costs(entries[name], tree.encoder) for name in ("costs", "asks_by"))
    loss = _loss(entries["loss"], len(tree.classes))
    n_answers = len(tree.classes) if loss is None else loss.shape[1]
    further = files.read_further(entries.get("answers"), tree.classes, n_answers)
    bayes = _bayes(entries, tree)
    group = _group(entries["group"], tree.n_nodes, bayes.n_groups)
    return Parts(tree, bayes, group, costs, asks_by, loss, further)


def _bayes(entries: dict[str, Any], tree: Tree) -> _core.NaiveBayes:
    assert tree.classes is not None
    smoothing = entries["smoothing"]
    if type(smoothing) is not float or not (0.0 < smoothing < math.inf):
        refuse("smoothing must be a float above 0")
    by_class, densities = (_matrix(entries[name], name) for name in ("classes", "densities"))
    try:
        found: _core.NaiveBayes = _core.NaiveBayes.__new__(_core.NaiveBayes)
        values = tree.core.feature_values.tolist()
        found.__setstate__((values, len(tree.classes), smoothing, by_class, densities))
    except ValueError as problem:
        refuse(f"its densities are wrong: {problem}")
    return found


def _matrix(content: object, where: str) -> FloatArray:
    rows: list[Any] = content if isinstance(content, list) else [content]
    if any(not isinstance(row, list) or any(type(one) is not float for one in row) for row in rows):
        refuse(f"{where} must be a list of lists of floats")
    if len({*map(len, rows)}) > 1:
        refuse(f"{where} must be a list of lists of floats, all of one length")
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(rows[0]) if rows else 0)


def _group(content: object, n_nodes: int, n_groups: int) -> NDArray[np.int32] | None:
    if content is None:
        if n_groups != 1:
            refuse("where group is null there must be one set of densities")
        return None
    if (
        not isinstance(content, list)
        or len(content) != n_nodes
        or any(type(one) is not int for one in content)
    ):
        refuse("group must be null or an integer for each node of the tree")
    if any(not -1 <= one < n_groups for one in content):
        refuse("group must hold numbers of densities, or -1")
    return np.array(content, dtype=np.int32)


def _loss(content: object, n_classes: int) -> FloatArray | None:
    if content is None:
        return None
    found = _matrix(content, "loss")
    if len(found) != n_classes or found.shape[1] < n_classes or not np.isfinite(found).all():
        refuse("loss must have a row for each class and a finite number for each answer")
    return found
