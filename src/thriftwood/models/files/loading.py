"""`load`: a saved model back from a file: a tree, several that answer together, or score cards."""

from __future__ import annotations

from functools import partial
from os import PathLike
from typing import Any

from thriftwood.models.bayes_answers import BayesAnswersModel
from thriftwood.models.booster import Booster
from thriftwood.models.cascade import Cascade
from thriftwood.models.files import trees as files
from thriftwood.models.files.kinds import (
    BAYES,
    BOOSTER,
    CASCADE,
    CLARIFY,
    FLOWTYPE,
    KINDS,
    PANEL,
    TREE,
    TreeFileError,
    read_as,
)
from thriftwood.models.model import Model
from thriftwood.models.panel import Panel
from thriftwood.models.tree.tree import Tree

READ_AS: dict[str, type[Model]] = {
    TREE: Tree,
    PANEL: Panel,
    BOOSTER: Booster,
    CASCADE: Cascade,
    BAYES: BayesAnswersModel,
}
"""What a file calls its format -> who reads it."""
FLOWTYPE_ENTRIES = ("format", "version", "model", "sureness", "sha256")


def load(path: str | PathLike[str]) -> Any:
    """Return the `Tree`, `Panel`, `Booster`, `Cascade` or tree with naive Bayes that ``save`` wrote.

    Everything in the file is checked, and nothing in it is executed.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from thriftwood.learning import CostTreeClassifier
    >>> tree = CostTreeClassifier().fit([[1], [2]], ["no", "yes"]).tree_
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "tree.json")
    ...     tree.save(path)
    ...     load(path) == tree
    True
    """
    return from_json(files.bytes_of(path))


def from_json(text: str | bytes) -> Any:
    """Return the model that this text is, one of those that have files; it need not be trusted.

    Examples
    --------
    >>> from_json("{}")
    Traceback (most recent call last):
    thriftwood.models.files.kinds.TreeFileError: This is not a model file: it is no object whose format is
    'thriftwood-tree', 'thriftwood-panel', 'thriftwood-booster', 'thriftwood-cascade' or 'thriftwood-bayes'.
    """
    with read_as("model"):
        content = files.json_of(text)
    return model_of_content(content)


def model_of_content(content: Any) -> Any:
    """Return the model that this JSON object is, or has in it."""
    written = content.get("format") if isinstance(content, dict) else None
    if written == FLOWTYPE:
        content = _wrapped(content)
        written = content.get("format") if isinstance(content, dict) else None
    if written == CLARIFY:
        raise TreeFileError("it explains why a program failed. `thriftwood clarify plan` shows it", "model")
    if not isinstance(written, str) or written not in READ_AS:
        *formats, last = map(repr, KINDS)
        raise TreeFileError(f"it is no object whose format is {', '.join(formats)} or {last}", "model")
    return READ_AS[written].from_content(content)


@read_as("flowtype")
def _wrapped(content: Any) -> Any:
    """Return the model in a file that is whole."""
    header = partial(files.check_header, written=FLOWTYPE, version=1)
    entries = files.entries_of(content, "the file", FLOWTYPE_ENTRIES, header)
    files.check_digest(entries)
    return entries["model"]
