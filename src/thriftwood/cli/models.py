"""Models that a user names on the command line, the cases for them, and which of their trees is meant."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

from thriftwood.cli.inputs import parts_of
from thriftwood.cli.options import STANDARD
from thriftwood.cli.progress import progress
from thriftwood.datasets.files import TableParts
from thriftwood.datasets.files.reading import ENDINGS
from thriftwood.evaluation.batches import Batch, Batches
from thriftwood.models import Cascade, Tree
from thriftwood.models.files.kinds import TreeFileError
from thriftwood.models.files.loading import from_json
from thriftwood.models.files.trees import bytes_of
from thriftwood.models.model import Model
from thriftwood.models.panel import Panel
from thriftwood.table.unseen import UnseenWarning

Read = TypeVar("Read")
SEVERAL = "bagging, boosting, shortcut-forest, cocost and gradient-boosting"
"""The names of the learners of several trees whose model has a file."""


def model_of(path: Path) -> Model:
    """Read a saved tree, panel or booster; - is standard input."""
    found: Model = read_model(path, from_json)
    return found


def read_model(path: Path, reader: Callable[[bytes], Read]) -> Read:
    """Read the file of a model by a reader of its content; - is standard input."""
    try:
        return reader(sys.stdin.buffer.read() if path == STANDARD else bytes_of(path))
    except TreeFileError as error:
        if path == STANDARD:
            raise
        if path.suffix.lower() == ".gz" or path.suffix.lower() in ENDINGS:
            raise ValueError(
                f"{path} is a table by its ending, where a model that `thriftwood fit -o` wrote was wanted. "
                "Where both are named, the model comes first."
            ) from None
        raise ValueError(f"{path}: {error}") from None


class ModelAndParts(NamedTuple):
    """A model and the file with the cases that it is to decide."""

    model: Model
    parts: TableParts


def model_and_parts(model: Path, path: Path, encoding: str | None) -> ModelAndParts:
    """Read a model, open a table, and say what is to be known about how it is read."""
    if model == path == STANDARD:
        raise ValueError("The model and the table cannot both come from standard input. Name a file for one.")
    return ModelAndParts(model_of(model), parts_of(path, encoding))


def with_progress(batches: Batches, output: Path | None) -> Iterator[Batch]:
    """Read batches; a bar shows how far they are, unless results come to the same terminal."""
    warnings.simplefilter("ignore", UnseenWarning)  # a note says it of the whole table
    if output == STANDARD:
        yield from batches
        return
    with progress("answering") as tell:
        for batch in batches:
            yield batch
            tell(batch.first_row + len(batch), batches.n_rows)


def tree_number(model: Model, number: int) -> Tree:
    """Return a tree of a panel, or a stage of a booster, by its number from 1."""
    if model.single_tree is not None:
        raise ValueError("--member chooses one of several trees, and this is a single one. Leave it out.")
    parts = model.parts
    if isinstance(model, Cascade):
        raise ValueError(f"--member chooses one of several trees; this is {model.description}. Leave it out.")
    if not parts:
        raise ValueError(f"There is no --member {number}: this is {model.description}. It asks for no test.")
    if not 1 <= number <= len(parts):
        raise ValueError(
            f"There is no --member {number}: this is {model.description}. "
            f"Give a number from 1 to {len(parts)}."
        )
    return parts[number - 1].tree


def exported(model: Model, member: int | None, *, panels: bool = False) -> Tree | Cascade | Panel:
    """Return what to export: the model, or the tree of a panel which was chosen.

    `panels`: whether what is written can be several trees.
    """
    if isinstance(model, Cascade) and member is None:
        return model
    if isinstance(model, Panel) and member is None and panels and model.single_tree is None:
        return model
    if not model.parts_answer and not isinstance(model, Cascade):
        raise ValueError(
            f"A single tree can be exported, and this is {model.description}, which answer only together. In "
            "Python tw.load reads it; a learner of one tree makes one for other languages."
        )
    if member is not None:
        return tree_number(model, member)
    if model.single_tree is not None:
        return model.single_tree
    raise ValueError(
        f"A single tree can be exported, and this is {model.description}. --member N exports one of them, "
        f"whose answers are not those of all: a number from 1 to {len(model.parts)}; --to html and --to "
        "javascript take trees that vote."
    )
