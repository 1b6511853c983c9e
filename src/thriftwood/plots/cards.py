"""The picture of score cards: beside each test the points that its values have, a panel for each stage."""

from __future__ import annotations

from typing import Any

import numpy as np

from thriftwood.models.cascade import Cascade
from thriftwood.models.tree.conditions import category_text
from thriftwood.models.tree.palette import class_colour
from thriftwood.plots.axes import new_axes, shortened

LONGEST = 26
"""Letters of a name; longer ones are cut in the middle."""
MOST_TESTS = 60
"""More rows cannot be read in one picture."""
_LEFT = 0.24  # of the width, for the names of the tests


def draw_cards(cascade: Cascade, ax: Any = None, fontsize: float = 9.0) -> Any:
    """Draw the score cards of a cascade; `plot_tree` does so where a model answers by them.

    Each value of a test is a dot at its points, and a line leads from the first to the last value: a hollow
    dot is the first, a cross a missing value. Of more than two classes each has a colour.

    Returns
    -------
    matplotlib Axes
        With a panel for each stage in it (``child_axes``).

    Examples
    --------
    >>> import thriftwood as tw
    >>> table = tw.load_dataset("wisconsin-diagnostic")
    >>> model = tw.ThriftClassifier(table.costs, leaves="score").fit(table.X, table.y)
    >>> tw.plot_tree(model).child_axes[0].get_title()
    'stage 1'
    """
    tests = cascade.order.tolist()
    if len(tests) > MOST_TESTS:
        raise ValueError(f"Cards of {len(tests)} tests cannot be read in a picture. Print them: str(it).")
    n_scores = len(cascade.stages[0].card.base)
    if ax is None:
        height = fontsize / 72 * (6 + len(tests) * max(2.2, 0.9 * n_scores))
        ax = new_axes(2.2 + 2.3 * len(cascade.stages), height)
    ax.set_axis_off()
    width = (1.0 - _LEFT) / len(cascade.stages)
    for number in range(len(cascade.stages)):
        panel = ax.inset_axes((_LEFT + width * number, 0.1, 0.94 * width, 0.82))
        _panel(panel, cascade, number, fontsize)
    if n_scores > 1:
        for k, label in enumerate(cascade.classes.tolist()):
            ax.plot([], [], "o-", color=class_colour(k), label=_plain(category_text(label)), markersize=3)
        ax.legend(fontsize=0.82 * fontsize, loc="lower left", frameon=False)
    return ax


def _panel(panel: Any, cascade: Cascade, number: int, fontsize: float) -> None:
    """Draw the card of one stage."""
    tests, card = cascade.order.tolist(), cascade.stages[number].card
    n_scores = len(card.base)
    for entry in card.entries:
        row = tests.index(entry.feature)
        for score in range(n_scores):
            y = row + (0.6 * (score + 0.5) / n_scores - 0.3 if n_scores > 1 else 0.0)
            points = np.array([one[score] for one in entry.points], dtype=float)
            colour = class_colour(score if n_scores > 1 else 1)
            if not len(points):  # a column without any category
                continue
            panel.plot(points, np.full(len(points), y), "o-", color=colour, markersize=3.5, linewidth=1)
            panel.plot(points[:1], [y], "o", color=colour, markerfacecolor="white", markersize=3.5)
            panel.plot([entry.missing[score]], [y], "x", color=colour, markersize=3.5)
    panel.axvline(0, color="#b4bec9", linewidth=0.8, zorder=0)
    panel.set_title(f"stage {number + 1}", fontsize=fontsize)
    panel.set_xlabel("points", fontsize=0.82 * fontsize)
    panel.set_ylim(max(len(tests), 1) - 0.5, -0.5)
    names = [_plain(shortened(category_text(cascade.feature_names[test]), LONGEST)) for test in tests]
    panel.set_yticks(range(len(tests)), labels=names if number == 0 else [""] * len(tests))
    panel.tick_params(labelsize=0.82 * fontsize)
    panel.spines[["top", "right", "left"]].set_visible(False)


def _plain(text: str) -> str:
    """Write a dollar sign that is no formula."""
    return text.replace("$", r"\$")
