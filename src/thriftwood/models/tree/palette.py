"""The colours of answers, in pictures and pages: told apart by colour-blind readers too (Okabe and Ito).

Colour is never the only sign: the answer always stands beside it in words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thriftwood.models.tree.tree import Tree

CLASSES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#6b7280")
LOW, HIGH = (222, 235, 247), (8, 81, 156)
"""The two ends of the scale of a regression tree's answers, red, green and blue."""


def class_colour(number: int) -> str:
    """Give the colour of a class by its number; the ninth has the colour of the first.

    Examples
    --------
    >>> class_colour(0), class_colour(8)
    ('#0072b2', '#0072b2')
    """
    return CLASSES[number % len(CLASSES)]


def number_colour(share: float) -> str:
    """Give the colour of a number that lies at a share of the way from the smallest to the largest answer.

    Examples
    --------
    >>> number_colour(0), number_colour(1)
    ('#deebf7', '#08519c')
    """
    mixed = (round(low + share * (high - low)) for low, high in zip(LOW, HIGH, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def node_colours(tree: Tree) -> list[str]:
    """Give the colour of every node's answer."""
    if not tree.regression:
        return [class_colour(label) for label in tree.flat.label]
    answers = tree.core.values[:, 0]
    low, width = float(answers.min()), float(answers.max() - answers.min())
    return [number_colour((answer - low) / width if width else 0.5) for answer in answers.tolist()]
