"""`load`: a saved tree, or several that answer together, back from a file."""

from __future__ import annotations

from os import PathLike
from typing import Any

import thriftwood
from thriftwood.tree import files
from thriftwood.tree.structure import Tree

PANEL = "thriftwood-panel"


def load(path: str | PathLike[str]) -> Any:
    """Return the `Tree` that ``save`` wrote, or the `Panel` where it was that of an ensemble.

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
    if isinstance(content, dict) and content.get("format") == PANEL:
        return thriftwood.Panel.from_content(content)  # a higher room's, so by way of the front page
    return Tree(*files.parts_of(content))
