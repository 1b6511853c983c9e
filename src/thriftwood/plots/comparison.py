"""A published table and ours: bars are ours, black marks are published."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from thriftwood.base.saving import replacing
from thriftwood.experiments import Comparison

_SHADES = ("#1b6f4a", "#7fbf9a", "#d9a441", "#b5651d", "#6b7fa8", "#a84a5f", "#555555", "#2f9bc1")
_TALLEST = 3.0
"""What exceeds so many times the median ends at the top, broken, with its figure in words."""
_CUT = 0.1
"""But no larger part of the figures than this is cut."""


def draw_comparison(comparison: Comparison, ax: Any) -> None:
    """Draw every figure of ours as a bar with its standard error, and the published one as a mark.

    Parameters
    ----------
    comparison : Comparison
        The table.
    ax : matplotlib axes
        Where to draw.
    """
    top = _top(comparison)
    width = 0.8 / len(comparison.columns)
    for place, column in enumerate(comparison.columns):
        shift = (place - (len(comparison.columns) - 1) / 2) * width
        entries = [comparison.entry(row, column) for row in comparison.rows]
        ours = [(x + shift, entry.ours) for x, entry in enumerate(entries) if entry.ours is not None]
        known = [
            (x + shift, entry.published) for x, entry in enumerate(entries) if entry.published is not None
        ]
        errors = [entry.standard_error or 0.0 for entry in entries if entry.ours is not None]
        xs, heights = [x for x, _ in ours], [min(value, top) for _, value in ours]
        style = {"elinewidth": 0.8, "ecolor": "#333333"}
        shade = _SHADES[place % len(_SHADES)]
        ax.bar(xs, heights, 0.92 * width, yerr=errors, color=shade, label=column, error_kw=style)
        if comparison.has_published:
            xs, heights = [x for x, _ in known], [min(value, 0.985 * top) for _, value in known]
            label = None if place else comparison.titles[1]
            lefts, rights = [x - width / 2 for x in xs], [x + width / 2 for x in xs]
            ax.hlines(heights, lefts, rights, color="black", linewidth=1.6, label=label)
        _break([x for x, value in ours if value > top], width, top, ax)
        _say_what_is_cut(ax, [*ours, *known], top)
    if comparison.logarithmic:
        ax.set_yscale("log")
        ax.set_ylim(1, top)
    else:
        ax.set_ylim(0, top)
    ax.set_xlim(-0.5, len(comparison.rows) - 0.5)
    ax.set_xticks(range(len(comparison.rows)), comparison.rows, rotation=20, ha="right")
    ax.set_ylabel(comparison.measure)
    ax.set_title(comparison.title, pad=24)
    ax.spines[["top", "right"]].set_visible(False)
    # Beside the bars: below them are the names of the rows, however long, and above them what was cut.
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))


def save_comparison(comparison: Comparison, path: Path) -> None:
    """Save the picture of a comparison; the name's ending says the format."""
    from matplotlib.figure import Figure  # no window, no global state

    figure = Figure(figsize=(11, 5), layout="constrained")
    draw_comparison(comparison, figure.subplots())
    with replacing(path) as new:
        figure.savefig(new, dpi=150)


def _top(comparison: Comparison) -> float:
    """Return where the axis ends."""
    pairs = ((entry.ours, entry.published) for entry in comparison.entries())
    known = sorted(value for pair in pairs for value in pair if value is not None and value > 0.0)
    if not known:
        return 10.0 if comparison.logarithmic else 1.0
    if comparison.logarithmic:
        return max(10.0, 2.0 * known[-1])
    nearly_all = known[math.floor((1.0 - _CUT) * (len(known) - 1))]
    return min(1.08 * known[-1], max(_TALLEST * known[len(known) // 2], 1.08 * nearly_all))


def _break(xs: Sequence[float], width: float, top: float, ax: Any) -> None:
    """Draw a gap through bars that go on above the top."""
    for x in xs:
        ax.plot([x - width / 2, x + width / 2], [0.93 * top, 0.96 * top], color="white", linewidth=3)


def _say_what_is_cut(ax: Any, points: Sequence[tuple[float, float]], top: float) -> None:
    for x, value in points:
        if value > top:
            place = {"ha": "center", "va": "bottom", "rotation": 90, "annotation_clip": False}
            ax.annotate(f"{value:.2f}", (x, top), fontsize=7, **place)
