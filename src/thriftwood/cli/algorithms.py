"""``thriftwood algorithms``: the published learners by name."""

from rich.table import Table
from rich.text import Text

import thriftwood as tw
from thriftwood.cli.options import Json
from thriftwood.cli.printing import console, print_json

KEYS = ("name", "sentence", "formula", "reference")


def algorithms(as_json: Json = False) -> None:
    """List the published learners that tw.algorithm(name) makes.

    Example: thriftwood algorithms
    """
    if as_json:
        print_json([{key: getattr(entry, key) for key in KEYS} for entry in tw.algorithms()])
        return
    listed = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 1, 0))
    for entry in tw.algorithms():
        words = Text(entry.sentence)
        words.append(f"\n{entry.formula}\n{entry.reference}", style="dim")
        listed.add_row(Text(entry.name, style="bold"), words)
    console().print(listed)
