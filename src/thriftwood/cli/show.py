"""``thriftwood show``: a saved tree, to be read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

import thriftwood as tw
from thriftwood.cli.printing import console, one_sentence, print_tree

ModelFile = Annotated[Path, typer.Argument(help="A tree that tree.save() wrote.", dir_okay=False)]


def show(
    model: ModelFile,
    rules: Annotated[bool, typer.Option("--rules", help="One rule per leaf instead of the drawing.")] = False,
    depth: Annotated[int | None, typer.Option(min=0, help="Leave out what lies deeper.")] = None,
) -> None:
    """Print a saved tree with its prices, or its rules.

    Example: thriftwood show tree.json --rules
    """
    if rules and depth is not None:
        raise typer.BadParameter("--depth is about the drawing; leave it out with --rules.")
    with one_sentence():
        tree = tw.load(model)
        out = console()
        if rules:
            for rule in tree.rules():
                out.print(Text(str(rule)), soft_wrap=True)
            return
        out.print(Text(repr(tree)[1:-1]), style="dim", soft_wrap=True)
        print_tree(out, tree, depth)
