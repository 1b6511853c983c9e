"""Pictures for papers and notebooks, on matplotlib axes (the extra ``plots``).

Every function draws one thing on one pair of axes, those it is given or new ones, and returns them. The
numbers come from trees, bills, frontiers and evolutions; nothing is computed here but places and sizes.
"""

from thriftwood.plots.bill import plot_bill
from thriftwood.plots.comparison import draw_comparison, save_comparison
from thriftwood.plots.decision_curve import plot_decision_curve
from thriftwood.plots.frontier import plot_frontier
from thriftwood.plots.frontiers import plot_frontiers
from thriftwood.plots.history import plot_history
from thriftwood.plots.learning_curve import plot_learning_curve
from thriftwood.plots.stream import plot_stream
from thriftwood.plots.tradeoffs import draw_tradeoffs, save_tradeoffs
from thriftwood.plots.tree import plot_tree
from thriftwood.plots.what_if import plot_what_if

__all__ = [
    "draw_comparison",
    "draw_tradeoffs",
    "plot_bill",
    "plot_decision_curve",
    "plot_frontier",
    "plot_frontiers",
    "plot_history",
    "plot_learning_curve",
    "plot_stream",
    "plot_tree",
    "plot_what_if",
    "save_comparison",
    "save_tradeoffs",
]
