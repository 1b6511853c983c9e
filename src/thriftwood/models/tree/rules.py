"""A tree as rules: one for each leaf, its conditions merged until each feature is named once.

For a case whose walk meets no missing value, no category without a branch and no surrogate, exactly one rule
matches, and it gives the tree's answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from thriftwood.base.number_texts import amount_text
from thriftwood.models.tree.conditions import (
    Above,
    AtMost,
    Between,
    Condition,
    IsKnown,
    IsMissing,
    IsOneOf,
    OnScale,
    category_text,
)
from thriftwood.models.tree.text import weight_text

if TYPE_CHECKING:
    from thriftwood.models.tree.tree import Tree


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes
    ----------
    conditions : tuple of Condition
        All must hold; each feature at most once, in the order the tree asks.
    answer : object
        The class or the number.
    node : int
        The leaf it comes from.
    weight : float
        The training weight of the leaf.
    confidence : float or None
        The share of the answer's class in it, smoothed as if two cases of the whole training table were there
        too, unless the tree smooths its shares itself; None for a regression tree, and for an
        answer that is no class.
    price : float or None
        What a case that follows it pays for its tests; None without prices.

    Examples
    --------
    >>> rule = Rule((IsOneOf("Outlook", ("Sunny",)), AtMost("Humidity", 75.0)), "Yes", 4, 2.0, 0.82, 6.0)
    >>> print(rule)
    if Outlook = Sunny and Humidity <= 75 then Yes  (weight 2, confidence 82%, price 6)
    >>> rule.matches({"Outlook": "Sunny", "Humidity": 70})
    True
    """

    conditions: tuple[Condition, ...]
    answer: Any
    node: int
    weight: float
    confidence: float | None
    price: float | None

    def matches(self, row: Mapping[str, Any]) -> bool:
        """Tell whether a row, given as name -> value, meets all conditions."""
        return all(condition.matches(row) for condition in self.conditions)

    @property
    def _named(self) -> bool:
        """Whether it answers with a name; a tree that answers with numbers has no confidence."""
        return self.confidence is not None or isinstance(self.answer, str)

    @property
    def condition_text(self) -> str:
        """The conditions in words; ``always`` for the rule of a tree that asks nothing."""
        return " and ".join(map(str, self.conditions)) or "always"

    def __str__(self) -> str:
        lead = f"if {self.condition_text} then" if self.conditions else "always"
        answer = category_text(self.answer) if self._named else f"{self.answer:.6g}"
        notes = [f"weight {weight_text(self.weight)}"]
        if self.confidence is not None:
            notes.append(f"confidence {100 * self.confidence:.3g}%")
        if self.price is not None:
            notes.append(f"price {amount_text(self.price)}")
        return f"{lead} {answer}  ({', '.join(notes)})"


def tree_rules(tree: Tree) -> list[Rule]:
    """List the rules of a tree by the number of their leaves."""
    paid, conditions = tree.payments, _conditions(tree)
    return [
        Rule(
            conditions[leaf],
            tree.answer(leaf),
            leaf,
            tree.flat.weight[leaf],
            tree.confidence(leaf),
            None if paid is None else paid.bill[leaf],
        )
        for leaf in range(tree.n_nodes)
        if tree.flat.feature[leaf] < 0
    ]


def _conditions(tree: Tree) -> dict[int, tuple[Condition, ...]]:
    """Merge on the way down, so that a deep tree costs its nodes times the features on a path."""
    found: dict[int, tuple[Condition, ...]] = {}
    open_nodes: list[tuple[int, tuple[Condition, ...]]] = [(0, ())]
    while open_nodes:
        node, above = open_nodes.pop()
        if tree.flat.feature[node] < 0:
            found[node] = above
        children = tree.flat.children(node)
        branches = tree.conditions(node)
        open_nodes.extend((c, merged((*above, b))) for c, b in zip(children, branches, strict=True))
    return found


def merged(conditions: Iterable[Condition]) -> tuple[Condition, ...]:
    """Make one condition of all on the same feature.

    Examples
    --------
    >>> print(*merged([Above("age", 40.0), AtMost("bp", 120.0), AtMost("age", 60.0), Above("age", 50.0)]))
    50 < age <= 60 bp <= 120
    """
    by_feature: dict[str, Condition] = {}
    for condition in conditions:
        known = by_feature.get(condition.feature)
        by_feature[condition.feature] = condition if known is None else both(known, condition)
    return tuple(by_feature.values())


def both(one: Condition, other: Condition) -> Condition:
    """Give the condition that holds where both hold (they are about the same feature).

    Examples
    --------
    >>> print(both(IsOneOf("c", ("a", "b")), IsOneOf("c", ("b", "d"))))
    c = b
    """
    if isinstance(one, IsOneOf) and isinstance(other, IsOneOf):
        kept = set(other.categories)
        return IsOneOf(one.feature, tuple(c for c in one.categories if c in kept))
    if isinstance(one, OnScale) and isinstance(other, OnScale):
        return OnScale(one.feature, one.scale, max(one.first, other.first), min(one.last, other.last))
    if one == other:
        return one
    if isinstance(one, IsKnown) and not isinstance(other, IsMissing):
        return other
    if isinstance(other, IsKnown) and not isinstance(one, IsMissing):
        return one
    ends = _ends(one), _ends(other)
    if ends[0] is None or ends[1] is None:
        # Missing and not missing at once: no case is both, and the empty list of values says so.
        return IsOneOf(one.feature, ())
    return _interval(one.feature, max(ends[0][0], ends[1][0]), min(ends[0][1], ends[1][1]))


_INFINITY = float("inf")


def _ends(condition: Condition) -> tuple[float, float] | None:
    match condition:
        case AtMost(cut=cut):
            return -_INFINITY, cut
        case Above(cut=cut):
            return cut, _INFINITY
        case Between(low=low, high=high):
            return low, high
    return None


def _interval(feature: str, low: float, high: float) -> Condition:
    if low == -_INFINITY:
        return AtMost(feature, high)
    return Above(feature, low) if high == _INFINITY else Between(feature, low, high)
