"""The picture of a frontier: what accuracy costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from thriftwood.costs.names import counted
from thriftwood.evaluation.tradeoff import Frontier
from thriftwood.plots.axes import check_drawn, new_axes

TITLES = {
    "accuracy": "accuracy (share of right answers)",
    "balanced_accuracy": "balanced accuracy (mean over classes)",
    "error_cost": "mean cost of an answer (units of the error costs)",
    "log_loss": "log loss (nats)",
    "sequential": "mean test cost of a case (units of the prices)",
    "upfront": "price of all tests of the tree (units of the prices)",
}
_SIZE = 8  # of letters, in points
_Box = tuple[float, float, float, float]  # left, bottom, right, top
_LINE, _DOMINATED, _CHOSEN = "#1f6f8b", "#9a9a9a", "#c8511b"


def plot_frontier(frontier: Frontier, ax: Any = None, *, within: float | None = None) -> Any:
    """Draw all points of a frontier, the Pareto line, and the point that ``cheapest`` chooses.

    Needs matplotlib. ``frontier.plot()`` is the same.

    Parameters
    ----------
    frontier : Frontier
        What `tw.frontier` found.
    ax : matplotlib Axes, optional
        Where to draw; None: a figure of its own.
    within : float, optional
        As for ``frontier.cheapest``: how much worse than the best score the chosen point may be.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import thriftwood as tw
    >>> data = tw.load_dataset("golf-nominal")
    >>> found = tw.frontier(tw.algorithm("eg2", costs=data.costs), data.X, data.y, cv=3, random_state=0)
    >>> tw.plot_frontier(found).get_title()
    'w: what accuracy costs, 3 folds'
    """
    check_drawn(frontier, Frontier, "A frontier", "tw.frontier(model, X, y)")
    chosen = frontier.cheapest_number(within)
    if ax is None:
        ax = new_axes(7.5, 5)
    cost, score = frontier.costs, frontier.scores
    score_error = np.nan_to_num(np.asarray(frontier.columns[f"{frontier.accuracy}_se"]))
    cost_error = np.nan_to_num(frontier.cost_errors)
    kept = frontier.pareto_numbers
    others = [number for number in range(len(frontier)) if number not in kept]
    marks = {"linestyle": "none", "marker": "o", "markersize": 5, "elinewidth": 0.8, "capsize": 2}
    for numbers, colour, label in ((others, _DOMINATED, "dominated"), (kept, _LINE, "Pareto points")):
        if numbers:
            errors = {"xerr": cost_error[numbers], "yerr": score_error[numbers]}
            ax.errorbar(cost[numbers], score[numbers], **errors, color=colour, label=label, **marks)
    # Between two points the cheaper one is the best that can be had for the money.
    ax.step(cost[kept], score[kept], where="post", color=_LINE, linewidth=1.2)
    ax.plot(
        *(cost[chosen], score[chosen]),
        marker="o",
        markersize=13,
        markerfacecolor="none",
        markeredgewidth=2,
        color=_CHOSEN,
        linestyle="none",
        label=f"chosen: {frontier.param}={_short(frontier, chosen)}",
    )
    _label(frontier, kept + [chosen] * (chosen not in kept), ax)
    ax.set_xlabel(TITLES[frontier.cost])
    ax.set_ylabel(TITLES[frontier.accuracy])
    ax.set_title(f"{frontier.param}: what accuracy costs, {counted(frontier.n_folds, 'fold')}")
    ax.grid(visible=True, alpha=0.25)
    ax.legend(fontsize=8, loc="best")
    return ax


def _label(frontier: Frontier, wanted: Sequence[int], ax: Any) -> None:
    """Write the values beside their points, where no label written before is in the way."""
    cost, score = frontier.costs, frontier.scores
    ax.autoscale_view()
    places = ax.transData.transform(np.column_stack([cost, score])) * 72 / ax.figure.dpi  # in points
    taken: list[_Box] = [(x - 4, y - 4, x + 4, y + 4) for x, y in places.tolist()]
    for number in wanted:
        # Several values may give the same trees, and so lie on one point.
        alike = np.flatnonzero((cost == cost[number]) & (score == score[number])).tolist()
        text = ", ".join(_short(frontier, other) for other in alike)
        x, y = places[number].tolist()
        offset = _free_offset(x, y, 4.6 * len(text), taken)
        ax.annotate(text, (cost[number], score[number]), offset, textcoords="offset points", fontsize=_SIZE)
        taken.append(_box(x, y, 4.6 * len(text), offset))


def _free_offset(x: float, y: float, width: float, taken: list[_Box]) -> tuple[float, float]:
    """Return the first place beside a point that is free: below, above, to the left, then further away."""
    places = [
        (across, away * side - (_SIZE if side < 0 else 0))
        for away in (5, 16, 27)
        for across in (6, -6 - width)
        for side in (-1, 1)
    ]
    return next((place for place in places if not _hits(_box(x, y, width, place), taken)), places[0])


def _box(x: float, y: float, width: float, offset: tuple[float, float]) -> _Box:
    left, bottom = x + offset[0], y + offset[1]
    return left, bottom, left + width, bottom + _SIZE


def _hits(box: _Box, taken: list[_Box]) -> bool:
    return any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in taken)


def _short(frontier: Frontier, number: int) -> str:
    value = frontier.values[number]
    return f"{value:g}" if isinstance(value, float) else str(value)
