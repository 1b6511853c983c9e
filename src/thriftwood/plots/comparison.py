"""A published table and ours, as bars and marks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from thriftwood.experiments import Comparison

_SHADES = ("#1b6f4a", "#7fbf9a", "#d9a441", "#b5651d", "#6b7fa8", "#a84a5f", "#555555", "#2f9bc1")
_TALLEST = 3.0
"""Bars and marks more than so many times the median end at the top, with their figure in words."""


def draw_comparison(comparison: Comparison, ax: Any) -> None:
    """Draw every figure of ours as a bar, with its standard error, and the published one as a mark.

    Parameters
    ----------
    comparison : Comparison
        The table.
    ax : matplotlib axes
        Where to draw.
    """
    entries = list(comparison.entries())
    known = sorted(value for entry in entries for value in (entry.ours, entry.published) if value is not None)
    top = min(1.08 * known[-1], _TALLEST * known[len(known) // 2]) if known else 1.0
    width = 0.8 / len(comparison.columns)
    marked = False
    for place, column in enumerate(comparison.columns):
        shade = _SHADES[place % len(_SHADES)]
        label: str | None = column
        for number, row in enumerate(comparison.rows):
            entry = comparison.entry(row, column)
            x = number + (place - (len(comparison.columns) - 1) / 2) * width
            if entry.ours is not None:
                ax.bar(
                    x,
                    min(entry.ours, top),
                    0.92 * width,
                    color=shade,
                    yerr=entry.standard_error,
                    label=label,
                    error_kw={"elinewidth": 0.8, "ecolor": "#333333"},
                )
                label = None
            if entry.published is not None:
                legend = None if marked else "published"
                height = min(entry.published, 0.985 * top)
                ax.hlines(height, x - width / 2, x + width / 2, color="black", linewidth=1.6, label=legend)
                marked = True
            _say_what_is_cut(ax, x, entry.published, top)
    ax.set_ylim(0, top)
    ax.set_xlim(-0.5, len(comparison.rows) - 0.5)
    ax.set_xticks(range(len(comparison.rows)), comparison.rows, rotation=20, ha="right")
    ax.set_ylabel(comparison.measure)
    ax.set_title(comparison.title)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(
        frameon=False, ncols=len(comparison.columns) + 1, loc="upper center", bbox_to_anchor=(0.5, -0.2)
    )


def save_comparison(comparison: Comparison, path: Path) -> None:
    """Save the picture of a comparison; the name's ending says the format."""
    from matplotlib.figure import Figure  # no window, no global state

    figure = Figure(figsize=(11, 5), layout="constrained")
    draw_comparison(comparison, figure.subplots())
    figure.savefig(path, dpi=150)


def _say_what_is_cut(ax: Any, x: float, value: float | None, top: float) -> None:
    if value is not None and value > top:
        ax.annotate(f"{value:.2f}", (x, top), ha="center", va="bottom", fontsize=7, annotation_clip=False)
