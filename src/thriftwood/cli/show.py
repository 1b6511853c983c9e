"""``thriftwood show``: a saved model, to be read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thriftwood.cli.options import Json, Member, ModelFile

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
    member: Member = None,
    rules: Annotated[bool, typer.Option("--rules", help="One rule per leaf instead of the drawing.")] = False,
    depth: Annotated[int | None, typer.Option(min=0, help="Leave out what lies deeper.")] = None,
    svg: Svg = None,
    png: Png = None,
    browser: Annotated[bool, typer.Option("--browser", help="Open it in the browser, to fold.")] = False,
    as_json: Json = False,
) -> None:
    """Print, draw or open in the browser a saved model.

    Of several trees that answer together it prints how they do, who they are, and the tests they ask for with
    their prices; --member shows one of them as a tree.

    Example: thriftwood show tree.json --svg tree.svg
    """
    pictures = [path for path in (svg, png) if path is not None]
    if depth is not None and (rules or as_json or browser):
        raise typer.BadParameter("--depth is for drawings; leave it out with --rules, --json and --browser.")
    if sum((rules or as_json, bool(pictures), browser)) > 1:
        raise typer.BadParameter("Printing, pictures and the browser are three ways to show it; choose one.")
    from thriftwood.cli.drawing import check_drawing
    from thriftwood.cli.models import model_of  # loads scikit-learn: not for `thriftwood --help`
    from thriftwood.cli.show_page import ShowOptions, show_model

    check_drawing(svg, ".svg")
    check_drawing(png, ".png")
    show_model(model_of(model), ShowOptions(member, rules, depth, pictures, browser, as_json, model.name))
