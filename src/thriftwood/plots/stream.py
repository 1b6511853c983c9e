"""The picture of a stream: the bill and the accuracy as cases went by."""

from __future__ import annotations

from typing import Any

import numpy as np

from thriftwood.plots.axes import new_axes

_TESTS, _MISTAKES, _RIGHT = "#1f6f8b", "#c8511b", "#3c3c3c"
_POINTS = 100


def plot_stream(history: Any, ax: Any = None) -> Any:
    """Draw what tests and mistakes cost a case as a stream went by, and the share of right answers.

    Needs matplotlib. ``history.plot()`` is the same.

    Parameters
    ----------
    history : StreamHistory, or model with a `history_` of that kind
        What `evaluate_stream` returned, or a `StreamingTree`.
    ax : matplotlib Axes, optional
        Where to draw; None: a figure of its own.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import thriftwood as tw
    >>> model = tw.StreamingTree(tw.CostTreeClassifier(growth=tw.Growth(max_depth=5)))
    >>> history = tw.evaluate_stream(model, tw.make_stream("sea", random_state=0), 20_000)
    >>> tw.plot_stream(history).get_xlabel()
    'cases answered'
    """
    history = getattr(history, "history_", history)
    if not hasattr(history, "columns") or not getattr(history, "n_rows", 0):
        raise ValueError(
            "plot_stream draws what a stream cost, and here no case was answered yet. Give the history of "
            "evaluate_stream, or a StreamingTree that has answered a batch."
        )
    if ax is None:
        ax = new_axes(7.5, 4.5)
    columns = history.columns()
    ends = np.searchsorted(columns["rows"], np.linspace(0, history.n_rows, _POINTS + 1)[1:])
    ends = np.unique(np.minimum(ends, len(columns["rows"]) - 1)) + 1
    rows = np.diff(columns["rows"], prepend=0)
    stretches = [slice(a, b) for a, b in zip([0, *ends[:-1]], ends, strict=True)]

    def means(name: str) -> list[float]:
        return [float(np.average(columns[name][part], weights=rows[part])) for part in stretches]

    x = columns["rows"][ends - 1]
    tests = np.array(means("test_cost"))
    ax.fill_between(x, 0, tests, color=_TESTS, alpha=0.75, label="tests", linewidth=0)
    ax.fill_between(
        x, tests, tests + means("error_cost"), color=_MISTAKES, alpha=0.75, label="mistakes", linewidth=0
    )
    right = ax.twinx()
    right.plot(x, means("accuracy"), color=_RIGHT, linewidth=1.2, label="accuracy")
    right.set_ylim(0, 1)
    right.set_ylabel("share of right answers")
    for row in history.drifts:
        ax.axvline(row, color=_RIGHT, linewidth=0.8, linestyle=":")
    ax.set_ylim(bottom=0)
    ax.set_xlabel("cases answered")
    ax.set_ylabel("cost of a case (units of the costs)")
    drawn = (*ax.get_legend_handles_labels()[0], *right.get_legend_handles_labels()[0])
    ax.legend(drawn, ["tests", "mistakes", "accuracy"], fontsize=8, loc="lower right")
    return ax
