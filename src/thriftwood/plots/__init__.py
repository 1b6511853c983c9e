"""Pictures, with matplotlib (``pip install "thriftwood[plots]"``)."""

from thriftwood.plots.comparison import draw_comparison, save_comparison

__all__ = ["draw_comparison", "save_comparison"]
