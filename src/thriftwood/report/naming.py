"""Names as the page shows them."""

from __future__ import annotations

from typing import Any

from thriftwood.evaluation import Bill
from thriftwood.models.tree.conditions import category_text
from thriftwood.plots.axes import shortened

LONGEST = 200
"""Letters of a name; a table may have whole texts for names, and every node repeats them."""


def name_text(name: Any) -> str:
    """Print a name in one line, cut in the middle if it is very long.

    Examples
    --------
    >>> name_text(3.0), len(name_text("x" * 1000))
    ('3', 200)
    """
    return cut(category_text(name))


def cut(text: str) -> str:
    """Cut words that are very long."""
    return shortened(text, LONGEST)


def answers_word(bill: Bill) -> str:
    """Return what is paid besides tests: an answer that is no class has its price, but is no mistake."""
    return "answers" if bill.further else "mistakes"
