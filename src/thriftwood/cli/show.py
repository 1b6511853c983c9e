"""``thriftwood show``: a saved tree, to be read."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from thriftwood.cli.options import Json, ModelFile
from thriftwood.cli.printing import console, print_json, print_tree


def show(
    model: ModelFile,
    rules: Annotated[bool, typer.Option("--rules", help="One rule per leaf instead of the drawing.")] = False,
    depth: Annotated[int | None, typer.Option(min=0, help="Leave out what lies deeper.")] = None,
    as_json: Json = False,
) -> None:
    """Print a saved tree with its prices, or its rules.

    Example: thriftwood show tree.json --rules
    """
    if depth is not None and (rules or as_json):
        raise typer.BadParameter("--depth is about the drawing; leave it out with --rules and --json.")
    from thriftwood.cli.inputs import tree_of  # loads scikit-learn: not for `thriftwood --help`
    from thriftwood.cli.machine import rule_content, tree_content

    tree = tree_of(model)
    if as_json:
        content = tree_content(tree)
        print_json(content | {"rules": [rule_content(rule) for rule in tree.rules()]} if rules else content)
        return
    out = console()
    if rules:
        for rule in tree.rules():
            out.print(Text(str(rule)), soft_wrap=True)
        return
    out.print(Text(repr(tree)[1:-1]), style="dim", soft_wrap=True)
    print_tree(out, tree, depth)
