"""Several frontiers in one picture: who is cheapest at which accuracy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thriftwood.evaluation.tradeoff import Frontier
from thriftwood.models.tree.palette import CLASSES
from thriftwood.plots.axes import new_axes
from thriftwood.plots.frontier import TITLES


def plot_frontiers(frontiers: Mapping[str, Frontier], ax: Any = None, *, log: bool = False) -> Any:
    """Draw the Pareto lines of several frontiers, and their other points faintly.

    Needs matplotlib. What is compared should be judged on the same folds: pass the same `cv` and
    `random_state` to every `tw.frontier`.

    Parameters
    ----------
    frontiers : mapping of name to Frontier
        What `tw.frontier` found, by the names of the legend; all judged by the same measures.
    ax : matplotlib Axes, optional
        Where to draw; None: a figure of its own.
    log : bool
        Whether costs are drawn by their logarithm.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import thriftwood as tw
    >>> data = tw.load_dataset("golf-nominal")
    >>> found = {
    ...     name: tw.frontier(tw.algorithm(name, costs=data.costs), data.X, data.y, cv=3, random_state=0)
    ...     for name in ("eg2", "csgain")
    ... }
    >>> [text.get_text() for text in tw.plot_frontiers(found).get_legend().get_texts()]
    ['eg2', 'csgain']
    """
    _check(frontiers)
    if ax is None:
        ax = new_axes(7.5, 5)
    for number, (name, frontier) in enumerate(frontiers.items()):
        colour = CLASSES[number % len(CLASSES)]
        cost, score, kept = frontier.costs, frontier.scores, frontier.pareto_numbers
        ax.plot(cost, score, linestyle="none", marker="o", markersize=4, color=colour, alpha=0.3)
        ax.plot(cost[kept], score[kept], marker="o", markersize=5, linewidth=1.4, color=colour, label=name)
    first = next(iter(frontiers.values()))
    if log:
        ax.set_xscale("log")
    ax.set_xlabel(TITLES[first.cost])
    ax.set_ylabel(TITLES[first.accuracy])
    ax.set_title("What accuracy costs")
    ax.grid(visible=True, alpha=0.25)
    ax.legend(fontsize=8, loc="best")
    return ax


def _check(frontiers: Mapping[str, Frontier]) -> None:
    if not isinstance(frontiers, Mapping) or not frontiers:
        raise TypeError(
            "plot_frontiers takes a mapping of names to what tw.frontier returns, with at least one entry. "
            f"Got {frontiers!r}."
        )
    for name, frontier in frontiers.items():
        if not isinstance(frontier, Frontier):
            raise TypeError(f"{name!r} is a {type(frontier).__name__}, not what tw.frontier returns.")
    measures = {name: (frontier.accuracy, frontier.cost) for name, frontier in frontiers.items()}
    if len(set(measures.values())) > 1:
        said = "; ".join(f"{name!r} by {score} and {cost} cost" for name, (score, cost) in measures.items())
        raise ValueError(f"These frontiers are judged by different measures: {said}. Use .by(...) on them.")
