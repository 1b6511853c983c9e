"""How a panel of trees comes to an answer: by a vote, or by a tree that asks the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

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

    @property
    def how_it_answers(self) -> str:
        """Which parts are asked, when asking ends, and what is answered."""
        counts = "The shares that the trees give to the classes count" if self.shares else "The trees vote"
        if not self.short_cut:
            return f"{counts}, each by its weight. All are asked."
        level = ", or only a later one can draw level" if self.tie_ends else ""
        return f"{counts}, each by its weight. No more are asked once no class can catch the leader{level}."

    @property
    def facts(self) -> dict[str, Any]:
        """Describe the rule in plain values."""
        flags = {"shares": self.shares, "short_cut": self.short_cut, "tie_ends": self.tie_ends}
        return {"kind": "vote", **flags}

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

    @property
    def goes_by_shares(self) -> bool:
        """Whether it asks a member for the share of a class, and not for answers alone."""
        return any(of >= 0 for of in self.share_of)

    @property
    def how_it_answers(self) -> str:
        """Which parts are asked, when asking ends, and what is answered."""
        told = "the shares of the classes in" if self.goes_by_shares else "the answers of"
        return f"A further tree decides by {told} these, and asks them only where it needs to know."

    @property
    def facts(self) -> dict[str, Any]:
        """Describe the rule in plain values."""
        return {"kind": "chair", "shares": self.goes_by_shares}

    def price_of(self, member: int) -> float | None:
        """Return what it pays to ask a member; None where it has no column of it, or no prices."""
        columns = [column for column, whom in enumerate(self.member) if whom == member]
        if self.tree.costs is None or not columns:
            return None
        return self.tree.costs.total([self.tree.feature_names[columns[0]]])


VotingRule: TypeAlias = Vote | StackedTree
