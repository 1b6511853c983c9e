"""The picture of a learning curve: the bill of unseen cases by the number of cases learnt from."""

from __future__ import annotations

from typing import Any

import numpy as np

from thriftwood.evaluation.learning_curves import LearningCurve
from thriftwood.plots.axes import check_drawn, new_axes

SEEN, EXPECTED = "#1f6f8b", "#c8511b"


def plot_learning_curve(curve: LearningCurve, ax: Any = None) -> Any:
    """Draw what an unseen case costs by the number of cases learnt from, up to twice as many as there are.

    Points have their 95 % intervals; the line is the law fitted to them, broken beyond the cases there are,
    with its 95 % interval as a shade. Needs matplotlib. ``curve.plot()`` is the same.

    Parameters
    ----------
    curve : LearningCurve
        What `tw.learning_curve` found.
    ax : matplotlib Axes, optional
        Where to draw; None: a figure of its own.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import thriftwood as tw
    >>> data = tw.load_dataset("wisconsin-diagnostic")
    >>> curve = tw.learning_curve(tw.algorithm("eg2"), data.X, data.y, data.costs, cv=5)
    >>> tw.plot_learning_curve(curve).get_xlabel()
    'cases learnt from'
    """
    check_drawn(curve, LearningCurve, "A learning curve", "tw.learning_curve(model, X, y)")
    if ax is None:
        ax = new_axes(7.5, 4.6)
    columns = curve.columns
    reach = np.vstack([columns["cost"] - columns["low"], columns["high"] - columns["cost"]])
    grid = np.geomspace(float(curve.sizes[0]), 2.0 * curve.n_cases, 120)
    middle, low, high = np.array([curve.laws.at(n) for n in grid.tolist()]).T
    ax.fill_between(grid, low, high, color=EXPECTED, alpha=0.13, linewidth=0, label="its 95 % interval")
    known = grid <= curve.n_cases
    ax.plot(grid[known], middle[known], color=EXPECTED, linewidth=1.5, label="fitted law")
    ax.plot(
        grid[~known],
        middle[~known],
        color=EXPECTED,
        linewidth=1.5,
        linestyle="--",
        label="up to twice as many",
    )
    style = {"color": SEEN, "linestyle": "none", "marker": "o", "markersize": 5, "capsize": 3}
    named = f"unseen {curve.costs.cases_name}, 95 % interval"
    ax.errorbar(columns["n"], columns["cost"], yerr=reach, label=named.replace("$", r"\$"), **style)
    ax.set_xscale("log")
    ticks = [*curve.sizes.tolist(), 2 * curve.n_cases]
    ax.set_xticks(ticks, [f"{n:,}" for n in ticks])
    ax.minorticks_off()
    ax.set_ylim(bottom=min(0.0, float(columns["low"].min())), top=1.12 * float(columns["high"].max()))
    unit = f" ({curve.costs.currency})" if curve.costs.currency else ""
    ax.set_xlabel(f"{curve.costs.cases_name} learnt from", parse_math=False)
    ax.set_ylabel(f"cost of an unseen {curve.costs.case_name}{unit}", parse_math=False)
    ax.set_title(_folded(curve.sentence), fontsize="medium", loc="left", parse_math=False)
    ax.grid(visible=True, alpha=0.25)
    ax.legend(fontsize=8, loc="best")
    return ax


def _folded(sentence: str) -> str:
    """Break a long sentence once, at its middle."""
    if len(sentence) <= 80:
        return sentence
    at = sentence.find(" ", len(sentence) // 2)
    return f"{sentence[:at]}\n{sentence[at + 1 :]}"
