"""How a panel of trees comes to an answer: by a vote, or by a tree that asks the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from thriftwood.models.tree.tree import Tree

ROUNDING = 1e-9
"""Relative difference of vote weights that is put down to rounding; as in the core."""
TIE = 1e-12
"""Relative difference below which votes are equal; as in the core."""


@dataclass(frozen=True, slots=True)
class MemberAnswer:
    """The answer of one member of a panel, and how it came about."""

    member: int
    label: int
    shares: list[float]
    why: str
    refused: bool
    """Whether it stopped because a test exceeds the budget."""


@dataclass(frozen=True, slots=True)
class Vote:
    """All members in their order; the class with most votes is answered, of equal ones the first.

    Parameters
    ----------
    vote_weights : tuple of float
        How much each member counts.
    shares : bool
        Whether members give the shares of the classes; otherwise each is for its answer alone.
    short_cut : bool
        Whether the vote ends as soon as the leader cannot be caught any more.
    tie_ends : bool
        Whether it also ends where others can at most draw level, and come after the leader.

    Examples
    --------
    >>> five = Vote((1.0,) * 5, short_cut=True)
    >>> [five.decided([votes, 0.0], votes) for votes in (1, 2, 3)]
    [False, False, True]
    """

    vote_weights: tuple[float, ...]
    shares: bool = False
    short_cut: bool = False
    tie_ends: bool = False

    def cast(self, said: Iterable[MemberAnswer], n_classes: int) -> list[float]:
        """Add up the votes of each class."""
        cast = [0.0] * n_classes
        for one in said:
            weight = self.vote_weights[one.member]
            if self.shares:
                cast = [votes + weight * share for votes, share in zip(cast, one.shares, strict=True)]
            else:
                cast[one.label] += weight
        return cast

    def answer(self, cast: Sequence[float]) -> int:
        """Return the class with most votes; of those equal but for rounding the first, as in the core."""
        most = 0
        for label, votes in enumerate(cast):
            if votes > cast[most] * (1 + TIE):
                most = label
        return most

    def decided(self, cast: Sequence[float], done: int) -> bool:
        """Tell whether nobody can catch the leader, when the first `done` members have voted."""
        left, slack = sum(self.vote_weights[done:]), ROUNDING * sum(self.vote_weights)
        leader = max(range(len(cast)), key=cast.__getitem__)  # the first of equals
        for rival, votes in enumerate(cast):
            ahead = cast[leader] - votes - left
            level = self.tie_ends and leader < rival and ahead >= 0.0
            if rival != leader and ahead <= slack and not level:
                return False
        return True


@dataclass(frozen=True, slots=True)
class StackedTree:
    """A tree above the members, whose tests ask them; a member that no test asks costs nothing.

    Parameters
    ----------
    tree : Tree
        The tree; its columns are what members answer.
    member : tuple of int
        Per column: the member that is asked.
    share_of : tuple of int
        Per column: the number of the class whose share is asked for; -1: the answer.
    """

    tree: Tree
    member: tuple[int, ...]
    share_of: tuple[int, ...]


VotingRule: TypeAlias = Vote | StackedTree
