"""Which kinds of model files there are, and what is said of a file that is not what it should be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

TREE, PANEL, BOOSTER = "thriftwood-tree", "thriftwood-panel", "thriftwood-booster"
CASCADE, BAYES = "thriftwood-cascade", "thriftwood-bayes"
FLOWTYPE = "thriftwood-flowtype"
"""A file that has a model of another kind in it, and how sure its answers are."""
CLARIFY = "thriftwood-clarify"
"""A file that is read by `thriftwood.clarify` alone: what tells why a program failed."""
KINDS = {
    TREE: "tree",
    PANEL: "panel",
    BOOSTER: "booster",
    CASCADE: "cascade",
    BAYES: "tree with naive Bayes",
}
"""What a file calls its format -> what people call it."""


class TreeFileError(ValueError):
    """What was read is not a model file, or not one this version of the library reads.

    Parameters
    ----------
    reason : str
        What is wrong with it.
    kind : str
        What was wanted: a "tree", a "panel", a "booster", a "cascade", a "tree with naive Bayes", or any
        "model".

    Examples
    --------
    >>> print(TreeFileError("its rule is lost", "panel"))
    This is not a panel file: its rule is lost.
    """

    def __init__(self, reason: str, kind: str = "tree") -> None:
        super().__init__(reason.removesuffix("."), kind)

    @property
    def reason(self) -> str:
        """What is wrong with it, as part of a sentence."""
        return str(self.args[0])

    def __str__(self) -> str:
        return f"This is not a {self.args[1]} file: {self.reason}."


def refuse(reason: str) -> NoReturn:
    """Raise; around it, `read_as` may say what was wanted instead of a tree."""
    raise TreeFileError(reason)


@contextmanager
def read_as(kind: str) -> Iterator[None]:
    """Call what is refused inside a file of this kind: models of several trees are read like trees.

    Examples
    --------
    >>> with read_as("booster"):
    ...     refuse("it is empty")
    Traceback (most recent call last):
    thriftwood.models.files.kinds.TreeFileError: This is not a booster file: it is empty.
    """
    try:
        yield
    except TreeFileError as error:
        raise TreeFileError(error.reason, kind) from None
