"""`load`: a saved model back from a file: a tree, several that answer together, or score cards."""

from __future__ import annotations

from os import PathLike
from typing import Any

from thriftwood.models.booster import Booster
from thriftwood.models.cascade import Cascade
from thriftwood.models.files import trees as files
from thriftwood.models.files.kinds import BOOSTER, CASCADE, KINDS, PANEL, TREE, TreeFileError, read_as
from thriftwood.models.model import Model
from thriftwood.models.panel import Panel
from thriftwood.models.tree.tree import Tree

READ_AS: dict[str, type[Model]] = {TREE: Tree, PANEL: Panel, BOOSTER: Booster, CASCADE: Cascade}
"""What a file calls its format -> who reads it."""


def load(path: str | PathLike[str]) -> Any:
    """Return the `Tree`, `Panel`, `Booster` or `Cascade` that ``save`` wrote.

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
    """Return the `Tree`, `Panel`, `Booster` or `Cascade` that this text is; it need not be trusted.

    Examples
    --------
    >>> from_json("{}")
    Traceback (most recent call last):
    thriftwood.models.files.kinds.TreeFileError: This is not a model file: it is no object whose format is
    'thriftwood-tree', 'thriftwood-panel', 'thriftwood-booster' or 'thriftwood-cascade'.
    """
    with read_as("model"):
        content = files.json_of(text)
    written = content.get("format") if isinstance(content, dict) else None
    if not isinstance(written, str) or written not in READ_AS:
        *formats, last = map(repr, KINDS)
        raise TreeFileError(f"it is no object whose format is {', '.join(formats)} or {last}", "model")
    return READ_AS[written].from_content(content)
