"""`load`: a saved tree back from its file."""

from __future__ import annotations

from os import PathLike

from thriftwood.tree.structure import Tree


def load(path: str | PathLike[str]) -> Tree:
    """Return the tree that `Tree.save` wrote.

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
    return Tree.load(path)
