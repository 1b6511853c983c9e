"""``thriftwood algorithms``: the published learners by name."""

from rich.table import Table
from rich.text import Text

import thriftwood as tw
from thriftwood.cli.printing import console


def algorithms() -> None:
    """List the published learners that tw.algorithm(name) makes.

    Example: thriftwood algorithms
    """
    listed = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 1, 0))
    for entry in tw.algorithms():
        words = Text(entry.sentence)
        words.append(f"\n{entry.formula}\n{entry.reference}", style="dim")
        listed.add_row(Text(entry.name, style="bold"), words)
    console().print(listed)
