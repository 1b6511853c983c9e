"""The picture of an evolution: how the costs fell."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from thriftwood.plots.axes import new_axes

_BEST, _EACH, _MEAN = "#c8511b", "#1f6f8b", "#9a9a9a"


def plot_history(model: Any, ax: Any = None) -> Any:
    """Draw the best and the mean cost of every generation, and the best so far.

    Needs matplotlib. ``model.plot_history()`` is the same.

    Parameters
    ----------
    model : IcetClassifier or EccoClassifier
        A fitted one.
    ax : matplotlib Axes, optional
        Where to draw; None: a figure of its own.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = tw.EccoClassifier(golf.costs, depth=3, random_state=0).fit(golf.X, golf.y)
    >>> tw.plot_history(model).get_title()
    'EccoClassifier: 1,000 trees in 20 generations'
    """
    check_is_fitted(model)
    if not hasattr(model, "history_"):
        raise TypeError(
            f"plot_history draws an evolution, and {type(model).__name__} has none. It takes a fitted "
            "IcetClassifier or EccoClassifier."
        )
    history = model.history_
    if ax is None:
        ax = new_axes(7.5, 4.5)
    from matplotlib.ticker import MaxNLocator  # `new_axes` says how to get matplotlib

    generation = np.asarray(history["generation"])
    ax.plot(generation, np.asarray(history["mean_cost"]), color=_MEAN, label="mean of the generation")
    ax.plot(generation, np.asarray(history["best_cost"]), color=_EACH, label="best of the generation")
    ax.step(generation, np.asarray(history["best_so_far"]), where="post", color=_BEST, label="best so far")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel("generation")
    ax.set_ylabel("mean cost of a case (units of the costs)")
    ax.set_title(f"{type(model).__name__}: {model.n_trials_:,} trees in {len(generation)} generations")
    ax.grid(visible=True, alpha=0.25)
    ax.legend(fontsize=8, loc="best")
    return ax
