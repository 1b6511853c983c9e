"""`Node`, one node of a finished tree to look at, and `Flat`, the arrays it is read from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from thriftwood.models.tree.conditions import Condition


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a tree, to look at.

    Attributes
    ----------
    number : int
        Its number; the root is 0, and children have larger numbers than their parent.
    depth : int
        Tests between the root and here.
    parent : int or None
        The parent's number; None for the root.
    condition : Condition or None
        What leads here from the parent; None for the root.
    test : str or None
        The feature asked here; None for a leaf.
    children : tuple of int
        One node per answer.
    weight : float
        The training weight that came here: with no weights given, the number of cases.
    counts : dict
        Class -> training weight; empty for a regression tree.
    answer : object
        The class, or the number, that the tree answers if a case ends here.
    confidence : float or None
        The share of the answer's class here, smoothed as if two cases of the whole training table were there
        too, unless the tree smooths its shares itself; None for a regression tree, and for an
        answer that is no class.
    price : float
        What is paid here, given what was paid on the way; 0 without prices.
    bill : float
        What a case has paid when it arrives here; 0 without prices.
    """

    number: int
    depth: int
    parent: int | None
    condition: Condition | None
    test: str | None
    children: tuple[int, ...]
    weight: float
    counts: dict[Any, float]
    answer: Any
    confidence: float | None
    price: float
    bill: float

    @property
    def is_leaf(self) -> bool:
        """Whether nothing is asked here."""
        return self.test is None


class Flat(NamedTuple):
    """The core's node arrays as lists, which Python reads node by node faster than arrays."""

    kind: list[int]
    feature: list[int]
    first_child: list[int]
    n_children: list[int]
    missing_route: list[int]
    unseen_route: list[int]
    label: list[int]
    weight: list[float]
    parent: list[int]
    depth: list[int]

    def children(self, node: int) -> range:
        """Number the children of a node, in the order of its branches."""
        return range(self.first_child[node], self.first_child[node] + self.n_children[node])
