"""What a case costs while one price changes, and where the tree does."""

from __future__ import annotations

from typing import Any

import numpy as np

from thriftwood.evaluation.statement import amount, words_of
from thriftwood.evaluation.whatif import WhatIf
from thriftwood.evaluation.whatif.result import SHARES
from thriftwood.plots.axes import check_drawn, new_axes, shortened

POINTS = 401
LONGEST = 50  # letters of what is varied, in the title
_COST, _UNTESTED, _SHARE, _NOW = "#1f6f8b", "#6b7280", "#e69f00", "#c8511b"


def plot_what_if(found: WhatIf, ax: Any = None) -> Any:
    """Draw what an unseen case costs along the range, where the tree changes, and how many cases pay.

    Needs matplotlib. ``found.plot()`` is the same.

    Parameters
    ----------
    found : WhatIf
        What `tw.what_if` found.
    ax : matplotlib Axes, optional
        Where to draw; None: a figure of its own.

    Returns
    -------
    matplotlib Axes
        Of the cost; the share of the cases has a scale of its own on the right.

    Examples
    --------
    >>> import thriftwood as tw
    >>> data = tw.load_dataset("golf-nominal")
    >>> costs = data.costs.replace(errors_default=20)
    >>> found = tw.what_if(data.X, data.y, costs, price={"Outlook": (0, 20)}, folds=3)
    >>> tw.plot_what_if(found).get_title()
    'What if the price of Outlook were 0 to 20'
    """
    check_drawn(found, WhatIf, "A picture", "tw.what_if(X, y, costs, price={'FTI': (18, 60)})")
    if ax is None:
        ax = new_axes(7.5, 4.5)
    varied = found.varied
    shares = ax.twinx()
    _draw_shares(found, shares)
    ax.set_zorder(shares.get_zorder() + 1)
    ax.patch.set_visible(False)  # the shares lie behind it
    if found.unseen.parts:
        _draw_costs(found, ax)
    for number, flip in enumerate(found.flips):
        label = "the tree changes" if number == 0 else None
        ax.axvline(flip.at, color="#444444", linewidth=0.8, linestyle=":", label=label)
    if varied.low <= found.now <= varied.high:
        ax.axvline(
            found.now, color=_NOW, linewidth=1.4, label=f"today: {words_of(found.costs).money(found.now)}"
        )
    ax.set_xlim(varied.low, varied.high)
    unit = f" ({found.costs.currency})" if found.costs.currency else ""
    ax.set_xlabel(varied.words + unit)
    ax.set_ylabel(f"cost of an unseen {found.costs.case_name}{unit}")
    name = shortened(varied.words, LONGEST)
    ax.set_title(f"What if {name} were {amount(varied.low)} to {words_of(found.costs).money(varied.high)}")
    handles, labels = ax.get_legend_handles_labels()
    more, names = shares.get_legend_handles_labels()
    ax.legend(handles + more, labels + names, fontsize=8, loc="best")
    return ax


def _draw_costs(found: WhatIf, ax: Any) -> None:
    """Draw the bill, its standard error and what testing nobody costs."""
    curve = found.curve(POINTS)
    value, cost, error = curve["value"], curve["cost"], curve["error"]
    ax.fill_between(value, np.maximum(cost - error, 0.0), cost + error, color=_COST, alpha=0.15, linewidth=0)
    ax.plot(
        value, cost, color=_COST, linewidth=1.8, label=f"a {found.costs.case_name} costs (± a standard error)"
    )
    ax.plot(
        value, curve["untested_cost"], color=_UNTESTED, linewidth=1.2, linestyle="--", label="testing nobody"
    )
    top = float(max((cost + error).max(), curve["untested_cost"].max()))
    if min(cost.min(), curve["untested_cost"].min()) >= 0.0:
        ax.set_ylim(0.0, 1.1 * top)


def _draw_shares(found: WhatIf, ax: Any) -> None:
    """Draw the share of the cases that pay, or make the mistake, as an area behind all else."""
    edges = np.repeat([step.low for step in found] + [found.varied.high], 2)[1:-1]
    shares = np.repeat([100 * step.share for step in found], 2)
    ax.fill_between(
        edges, 0.0, shares, color=_SHARE, alpha=0.18, linewidth=0, label=SHARES[found.varied.kind]
    )
    ax.set_ylim(0, 105 if shares.max() > 30 else max(1.2 * shares.max(), 1.0))
    ax.set_ylabel(f"{SHARES[found.varied.kind]} (% of the {found.costs.cases_name})")
