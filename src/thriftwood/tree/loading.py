"""`load`: a saved tree, or several that answer together, back from a file."""

from __future__ import annotations

from os import PathLike
from typing import Any

from thriftwood.tree import files
from thriftwood.tree.structure import Tree

PANEL, BOOSTER = "thriftwood-panel", "thriftwood-booster"


def load(path: str | PathLike[str]) -> Any:
    """Return the `Tree` that ``save`` wrote, or the `Panel` or `Booster` where it was that of an ensemble.

    Everything in the file is checked, and nothing in it is executed.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from thriftwood.tree import CostTreeClassifier
    >>> tree = CostTreeClassifier().fit([[1], [2]], ["no", "yes"]).tree_
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "tree.json")
    ...     tree.save(path)
    ...     load(path) == tree
    True
    """
    content = files.json_of(files.bytes_of(path))
    written = content.get("format") if isinstance(content, dict) else None
    if written in (PANEL, BOOSTER):
        from thriftwood import Booster, Panel  # a higher room: asked for when it is called

        return (Panel if written == PANEL else Booster).from_content(content)
    return Tree(*files.parts_of(content))
