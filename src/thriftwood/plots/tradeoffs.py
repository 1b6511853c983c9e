"""What accuracy costs with several learners: lines for those with many settings, marks for the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from thriftwood.base.saving import replacing
from thriftwood.experiments.tradeoffs import Tradeoffs
from thriftwood.models.tree.palette import CLASSES


def draw_tradeoffs(tradeoffs: Tradeoffs, ax: Any) -> None:
    """Draw every setting as a point, and a line through those that no other of the learner beats.

    Parameters
    ----------
    tradeoffs : Tradeoffs
        The settings.
    ax : matplotlib axes
        Where to draw; costs by their logarithm.
    """
    for number, (name, settings) in enumerate(tradeoffs.learners.items()):
        colour = CLASSES[number % len(CLASSES)]
        marker = "o" if len(settings) > 1 else "*"
        others = [tried for tried in settings if not tried.best]
        best = sorted((tried for tried in settings if tried.best), key=lambda tried: tried.cost)
        ax.plot(
            [tried.cost for tried in others],
            [tried.score for tried in others],
            linestyle="none",
            marker=marker,
            markersize=4,
            alpha=0.3,
            color=colour,
        )
        ax.plot(
            [tried.cost for tried in best],
            [tried.score for tried in best],
            marker=marker,
            markersize=5 if len(settings) > 1 else 11,
            color=colour,
            label=name,
        )
    ax.set_xscale("log")
    ax.set_xlabel(tradeoffs.cost_title)
    ax.set_ylabel(tradeoffs.score_title)
    ax.set_title(tradeoffs.title)
    ax.grid(visible=True, alpha=0.25)
    ax.legend(fontsize=8, loc="lower right")


def save_tradeoffs(tradeoffs: Tradeoffs, path: Path) -> None:
    """Save the picture; the name's ending says the format."""
    from matplotlib.figure import Figure  # no window, no global state

    figure = Figure(figsize=(9, 6), layout="constrained")
    draw_tradeoffs(tradeoffs, figure.subplots())
    with replacing(path) as new:
        figure.savefig(new, dpi=150)
