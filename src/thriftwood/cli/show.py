"""``thriftwood show``: a saved tree, to be read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from thriftwood.cli.options import Json, ModelFile
from thriftwood.cli.printing import console, print_json, print_lines, print_tree

Svg = Annotated[
    Path | None,
    typer.Option("--svg", metavar="FILE", help="Draw it into this .svg file (matplotlib).", dir_okay=False),
]
Png = Annotated[
    Path | None,
    typer.Option("--png", metavar="FILE", help="Draw it into this .png file (matplotlib).", dir_okay=False),
]


def show(
    model: ModelFile,
    rules: Annotated[bool, typer.Option("--rules", help="One rule per leaf instead of the drawing.")] = False,
    depth: Annotated[int | None, typer.Option(min=0, help="Leave out what lies deeper.")] = None,
    svg: Svg = None,
    png: Png = None,
    browser: Annotated[bool, typer.Option("--browser", help="Open it in the browser, to fold.")] = False,
    as_json: Json = False,
) -> None:
    """Print, draw or open in the browser: a saved tree.

    Example: thriftwood show tree.json --svg tree.svg
    """
    pictures = [path for path in (svg, png) if path is not None]
    if depth is not None and (rules or as_json or browser):
        raise typer.BadParameter("--depth is for drawings; leave it out with --rules, --json and --browser.")
    if sum((rules or as_json, bool(pictures), browser)) > 1:
        raise typer.BadParameter("Printing, pictures and the browser are three ways to show it; choose one.")
    from thriftwood.cli.drawing import check_drawing, save_picture
    from thriftwood.cli.inputs import tree_of  # loads scikit-learn: not for `thriftwood --help`
    from thriftwood.cli.machine import rule_content, tree_content

    check_drawing(svg, ".svg")
    check_drawing(png, ".png")
    tree = tree_of(model)
    out = console()
    if as_json:
        content = tree_content(tree)
        print_json(content | {"rules": [rule_content(rule) for rule in tree.rules()]} if rules else content)
    elif rules:
        for rule in tree.rules():
            out.print(Text(str(rule)), soft_wrap=True)
    elif browser:
        from thriftwood.cli.browsing import open_tree

        print_lines(out, f"Opened: {open_tree(tree, model.name)}.")
    elif pictures:
        from thriftwood.plots import plot_tree

        for path in pictures:
            save_picture(plot_tree(tree, max_depth=depth), path)
            print_lines(out, f"Written: {path}.")
    else:
        out.print(Text(repr(tree)[1:-1]), style="dim", soft_wrap=True)
        print_tree(out, tree, depth)
