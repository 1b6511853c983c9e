"""The picture of a decision curve: net benefit over the threshold."""

from __future__ import annotations

from typing import Any

import numpy as np

from thriftwood.evaluation.decision_curves import DecisionCurve
from thriftwood.evaluation.statement import amount, words_of
from thriftwood.models.tree.conditions import category_text
from thriftwood.plots.axes import check_drawn, new_axes, shortened

COLOURS = ("#1f6f8b", "#c8511b", "#009e73", "#8e5ba6", "#b58900", "#555555")
ALL, NONE = "#8a8a8a", "#222222"
LONGEST = 24
DEEPEST = 0.25
"""How much of what can be gained is shown below 0; acting on everybody goes down without end."""


def plot_decision_curve(curve: DecisionCurve, ax: Any = None) -> Any:
    """Draw the net benefit of models, their tests paid, beside acting on everybody and on nobody.

    Dotted lines of the same colours are what the models would be worth if their tests cost nothing, shades
    the 95 % intervals, and the upright line is the threshold of the price list. Needs matplotlib.
    ``curve.plot()`` is the same.

    Parameters
    ----------
    curve : DecisionCurve
        What `tw.decision_curve` found.
    ax : matplotlib Axes, optional
        Where to draw; None: a figure of its own.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> costs = golf.costs.replace(errors={"Yes": {"No": 60}, "No": {"Yes": 20}})
    >>> model = tw.algorithm("c45", costs=costs).fit(golf.X, golf.y)
    >>> tw.plot_decision_curve(tw.decision_curve(model, golf.X, golf.y)).get_ylabel()
    'net benefit (1: a case of Yes that is found, worth 60)'
    """
    check_drawn(curve, DecisionCurve, "A decision curve", "tw.decision_curve(model, X, y)")
    if ax is None:
        ax = new_axes(7.5, 5)
    thresholds, what = curve.thresholds, shortened(category_text(curve.positive), LONGEST)
    peak = curve.prevalence
    for place, name in enumerate(curve.names):
        colour, found = COLOURS[place % len(COLOURS)], [curve.at(name, t) for t in thresholds.tolist()]
        paid = np.array([one.net_benefit for one in found])
        low, high = (np.array([getattr(one, end) for one in found]) for end in ("low", "high"))
        ax.fill_between(thresholds, low, high, color=colour, alpha=0.14, linewidth=0)
        free = curve.net_benefit(name, tests_paid=False)
        label = shortened(name, LONGEST)
        if np.array_equal(free, paid):
            ax.plot(thresholds, paid, color=colour, linewidth=1.8, label=_plain(label))
        else:
            ax.plot(thresholds, paid, color=colour, linewidth=1.8, label=_plain(f"{label}, tests paid"))
            ax.plot(thresholds, free, color=colour, linewidth=1.2, linestyle=":", label="its tests free")
        peak = max(peak, float(paid.max()))
    every = _plain(f"everybody called {what}")
    ax.plot(thresholds, curve.net_benefit("all"), color=ALL, linewidth=1.4, linestyle="--", label=every)
    ax.axhline(0.0, color=NONE, linewidth=1.2, label=_plain(f"nobody called {what}"))
    if curve.own_threshold is not None:
        own = f"the price list's threshold, {curve.own_threshold:.3g}"
        ax.axvline(curve.own_threshold, color="#b0902a", linewidth=1.0, linestyle="-.", label=own)
    ax.set_ylim(-DEEPEST * peak, 1.12 * peak)
    ax.set_xlim(0.0, 1.0)
    ax.set_xlabel(f"threshold: how likely {what} must be before one acts", parse_math=False)
    unit = f"a case of {what} that is found, worth {amount(curve.value)}"
    ax.set_ylabel(f"net benefit (1: {unit})", parse_math=False)
    cases = words_of(curve.costs).counted(curve.n_cases)
    title = f"What acting by the model is worth, {cases}"
    ax.set_title(title, fontsize="medium", loc="left", parse_math=False)
    ax.grid(visible=True, alpha=0.25)
    ax.legend(fontsize=8, loc="best")
    return ax


def _plain(text: str) -> str:
    """Keep a dollar sign a dollar sign in a legend, which reads formulas."""
    return text.replace("$", r"\$")
