"""What ``thriftwood show`` shows of a model, in the way that was asked for."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from thriftwood.cli.browsing import open_tree
from thriftwood.cli.drawing import save_picture
from thriftwood.cli.machine import model_content, rule_content
from thriftwood.cli.model_page import headline, print_model, print_stage
from thriftwood.cli.models import tree_number
from thriftwood.cli.printing import console, print_json, print_lines, print_tree
from thriftwood.models import Cascade, Tree
from thriftwood.models.model import Model


class ShowOptions(NamedTuple):
    """What a user wants to see, and how."""

    member: int | None
    rules: bool
    depth: int | None
    pictures: list[Path]
    browser: bool
    as_json: bool
    name: str

    @property
    def drawn(self) -> bool:
        """Whether it is shown in a way that only a single tree has."""
        return self.rules or self.depth is not None or bool(self.pictures) or self.browser


def show_model(model: Model, wanted: ShowOptions) -> None:
    """Show a tree, one of several, or several."""
    out = console()
    if wanted.member is not None:
        tree = tree_number(model, wanted.member)
        if model.parts_answer:
            _show_tree(out, tree, wanted)
        else:
            _show_stage(out, model, wanted.member, wanted)
    elif model.single_tree is not None:
        _show_tree(out, model.single_tree, wanted)
    elif isinstance(model, Cascade):
        _show_cards(out, model, wanted)
    else:
        _show_several(out, model, wanted)


def _show_tree(out: Console, tree: Tree, wanted: ShowOptions) -> None:
    if wanted.as_json:
        rules = {"rules": [rule_content(rule) for rule in tree.rules()]} if wanted.rules else {}
        print_json(model_content(tree) | rules)
    elif wanted.rules:
        for rule in tree.rules():
            print_lines(out, str(rule))
    elif wanted.browser:
        print_lines(out, f"Opened: {open_tree(tree, wanted.name)}.")
    elif wanted.pictures:
        _draw(out, tree, wanted)
    else:
        out.print(Text(headline(tree)), style="dim", soft_wrap=True)
        print_tree(out, tree, wanted.depth)


def _draw(out: Console, model: Tree | Cascade, wanted: ShowOptions) -> None:
    from thriftwood.plots import plot_tree  # loads matplotlib

    for path in wanted.pictures:
        save_picture(plot_tree(model, max_depth=wanted.depth), path)
        print_lines(out, f"Written: {path}.")


def _show_cards(out: Console, cascade: Cascade, wanted: ShowOptions) -> None:
    if wanted.rules or wanted.depth is not None:
        raise ValueError(
            f"--rules and --depth are for trees; this is {cascade.description}. Leave them out, and its "
            "score cards are printed; `thriftwood fit --set leaves=class` learns a single tree, which has "
            "rules."
        )
    if wanted.as_json:
        print_json(model_content(cascade))
    elif wanted.browser:
        print_lines(out, f"Opened: {open_tree(cascade, wanted.name)}.")
    elif wanted.pictures:
        _draw(out, cascade, wanted)
    else:
        out.print(Text(headline(cascade)), style="dim", soft_wrap=True)
        print_model(out, cascade)


def _show_several(out: Console, model: Model, wanted: ShowOptions) -> None:
    if wanted.drawn:
        one = "--member N shows one of its trees so" if model.parts_answer else "Leave them out"
        raise ValueError(
            f"--rules, --depth, --svg, --png and --browser show a single tree, and this is "
            f"{model.description}. {one}."
        )
    if wanted.as_json:
        print_json(model_content(model))
    else:
        out.print(Text(headline(model)), style="dim", soft_wrap=True)
        print_model(out, model)


def _show_stage(out: Console, model: Model, number: int, wanted: ShowOptions) -> None:
    if wanted.drawn or wanted.as_json:
        raise ValueError(
            "A stage of a booster has no answers, only steps in the scores of the classes: it is printed and "
            "nothing else. Give --member without other options."
        )
    print_stage(out, model, number)
