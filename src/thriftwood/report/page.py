"""`make_report`, and `Report`, the finished page."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from os import PathLike
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

from thriftwood import __version__
from thriftwood.base.saving import save_text
from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.evaluation import Bill, Contender, Frontier
from thriftwood.evaluation.billing import bill as bill_of
from thriftwood.evaluation.statement import as_html
from thriftwood.models.cascade import Cascade
from thriftwood.models.conversion import cascade_of, deciding, tree_of
from thriftwood.models.tree.palette import CLASSES
from thriftwood.models.tree.tree import Tree
from thriftwood.report.cards import cards, stages
from thriftwood.report.cases import DEAREST, SPREAD, case_data
from thriftwood.report.expectation import BASIS, expected_section
from thriftwood.report.markup import tag
from thriftwood.report.naming import cut, name_text
from thriftwood.report.nodes import node_data
from thriftwood.report.points import frontier_data
from thriftwood.report.sections import bill_section, confusion_section, settings_section, tiles
from thriftwood.table.native import core_table

SCRIPTS = (
    "dom.js",
    "tip.js",
    "frontier.js",
    "tree_layout.js",
    "tree_view.js",
    "tree.js",
    "cases.js",
    "page.js",
)
WITHOUT_TREE = ("dom.js", "tip.js", "frontier.js", "page.js")
TEXT_LEVELS, TEXT_LINES = 6, 400
"""How much of the tree a reader without scripts sees."""


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """A page about a model and some cases. Made by `make_report` or ``model.report``.

    A notebook shows the page itself.

    Attributes
    ----------
    title : str
        What stands at its top.
    html : str
        The whole page: one file, without anything to load.
    n_cases, n_nodes, n_stages : int
        The size of what it shows: a tree has nodes, score cards have stages.
    """

    title: str
    html: str = field(repr=False)
    n_cases: int
    n_nodes: int
    n_stages: int = 0

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the page to a file, in UTF-8, and return the file's path."""
        written = html_path(path)
        save_text(written, self.html)
        return written

    def _repr_html_(self) -> str:
        # A frame of its own: neither the page nor the notebook can change the other.
        frame = f'<iframe sandbox="allow-scripts" srcdoc="{escape(self.html)}" title="{escape(self.title)}" '
        return frame + 'width="100%" height="720" style="border:1px solid #ccc"></iframe>'

    def __repr__(self) -> str:
        size = counted(self.n_stages, "stage") if self.n_stages else counted(self.n_nodes, "node")
        return f"<Report {self.title!r}: {counted(self.n_cases, 'case')}, {size}>"


def html_path(path: str | PathLike[str]) -> Path:
    """Return the path of a report, or refuse a name that no browser would open.

    Examples
    --------
    >>> html_path("page.pdf")
    Traceback (most recent call last):
    ValueError: A report is a .html file. Got 'page.pdf'. Name it 'page.html'; a browser prints it as PDF.
    """
    found = Path(path)
    if found.suffix.lower() not in (".html", ".htm"):
        other = f"Name it {found.with_suffix('.html').name!r}" if found.name else "Give it a name"
        raise ValueError(
            f"A report is a .html file. Got {found.name!r}. {other}; a browser prints it as PDF."
        )
    return found


def make_report(
    model: Any,
    X: Any,
    y: Any = None,
    path: str | PathLike[str] | None = None,
    *,
    frontier: Frontier | None = None,
    title: str | None = None,
    costs: Costs | None = None,
    expected: Contender | None = None,
    training: bool = False,
) -> Report:
    """Make a page about a model and some cases, which opens in any browser without a network.

    It shows the frontier with the chosen point, the tree (to zoom, fold and point at), the path of any case
    chosen from a list with its running bill, the bill by test and by class, the confusion matrix in cases and
    in money, and the data and settings. It is light or dark, can be printed, and needs no mouse. Of a model
    that answers by score cards it shows these, and what the cases cost that end at each stage.

    Parameters
    ----------
    model : fitted estimator, pipeline or search that ends in one, Tree or Cascade
        The model that decides.
    X : array, frame, sparse matrix or list of rows
        The cases; better such as the model has not seen.
    y : array-like of shape (n_rows,), optional
        The true classes. Without them there is no confusion matrix, and test costs only.
    path : str or path, optional
        Also write the page to this file.
    frontier : Frontier, optional
        What `tw.frontier` found; None: the page has no such section. The chosen point is the model's own, if
        one has all its settings, otherwise that of ``frontier.cheapest()``.
    title : str, optional
        What stands at the top.
    costs : Costs, optional
        What to charge; None: the model's own costs.
    expected : Contender, optional
        What such a learner cost by cross-validation, ``tw.compare({"mine": model}, X, y)[0]``: the page has a
        section that sets it, with its spread, against the figures of these cases.
    training : bool
        Whether these are the cases that the model learnt from; the page then says so where they are summed.

    Returns
    -------
    Report
        ``.html`` is the page, ``.save(path)`` writes it.

    Notes
    -----
    The page stays small for large tables: all counts and sums are of all cases, but the list to choose from
    has at most 200, the 50 dearest and 150 evenly spaced ones. A tree of more than 3,000 nodes is cut at the
    depth to which so many are drawn. The same input gives the same page, byte for byte.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
    >>> page = make_report(model, golf.X, golf.y, title="When do we play?")
    >>> page
    <Report 'When do we play?': 14 cases, 8 nodes>
    >>> page.html.startswith("<!DOCTYPE html>")
    True
    """
    if frontier is not None and not isinstance(frontier, Frontier):
        raise TypeError(f"frontier must be what tw.frontier returns, or None. Got {type(frontier).__name__}.")
    if expected is not None and not isinstance(expected, Contender):
        raise TypeError(
            f"expected must be one of the contenders that tw.compare returns, such as ranking[0]. "
            f"Got {type(expected).__name__}."
        )
    if path is not None:
        html_path(path)  # before the work
    cascade = cascade_of(model)
    if cascade is None:
        tree_of(model, "A report is made of", "asking for a report")
    bill = bill_of(model, X, y, costs)
    model, X = deciding(model).with_table(X)
    # With the prices that are charged, which need not be those it was learnt with.
    asked = (bill.tree if cascade is None else cascade).with_costs(bill.costs)
    shown = _of_tree(bill, asked, X) if isinstance(asked, Tree) else _of_cards(bill, asked)
    points = None if frontier is None else frontier_data(frontier, model)
    title = title if title is not None else shown.title
    html = _page(
        {"colours": list(CLASSES), **shown.data, "frontier": points},
        shown.scripts,
        title=escape(name_text(title)),
        subtitle=escape(_subtitle(asked, bill.n_cases)),
        tiles=tiles(bill),
        basis=tag("p", BASIS.format(noun=shown.noun), class_="note") if training else "",
        no_expected="hidden" if expected is None else "",
        expected="" if expected is None else expected_section(expected, bill, training),
        no_frontier="hidden" if frontier is None else "",
        frontier_table="" if frontier is None else as_html([frontier.part()]),
        anchor=shown.anchor,
        shown=shown.name,
        model=shown.section,
        bill=bill_section(bill),
        confusion=confusion_section(bill),
        settings=settings_section(bill, model, asked),
    )
    n_nodes = asked.n_nodes if isinstance(asked, Tree) else 0
    report = Report(title, html, bill.n_cases, n_nodes, 0 if cascade is None else len(cascade.stages))
    if path is not None:
        report.save(path)
    return report


class Shown(NamedTuple):
    """The section about the model, and what goes with it."""

    noun: str
    anchor: str
    name: str
    title: str
    section: str
    data: dict[str, Any]
    scripts: tuple[str, ...]


def _of_tree(bill: Bill, tree: Tree, X: Any) -> Shown:
    encoded = tree.encoder.encode(X)
    nodes = node_data(bill, tree, core_table(encoded, tree.encoder))
    cases = case_data(bill, tree, encoded, {node["id"] for node in nodes})
    section = Template(_asset("tree.html")).substitute(
        tree_note=tag("p", tree.note, class_="note") if tree.note else "",
        tree_text=tag("pre", _tree_text(tree)),
        cases_note=escape(_cases_note(bill.n_cases, len(cases))),
    )
    title = f"A tree of {_size(tree)} and its bill"
    data = {"nodes": nodes, "cases": cases}
    return Shown("the tree", "tree", "Tree and cases", title, section, data, SCRIPTS)


def _of_cards(bill: Bill, cascade: Cascade) -> Shown:
    section = Template(_asset("cards.html")).substitute(
        note=tag("p", cascade.note, class_="note") if cascade.note else "",
        stages=stages(bill, cascade),
        cards=cards(cascade),
    )
    title = f"Score cards of {cascade.size} and their bill"
    return Shown("the cards", "cards", "Score cards", title, section, {"nodes": None}, WITHOUT_TREE)


def _page(data: dict[str, Any], scripts: tuple[str, ...], **parts: str) -> str:
    """Fill the template: the parts are HTML, the data are for the script."""
    script = '(() => {\n"use strict";\n' + "\n".join(map(_asset, scripts)) + "\n})();"
    style = _asset("page.css")
    page = Template(_asset("page.html")).substitute(
        parts,
        script=script,
        style=style,
        script_hash=_hash(script),
        style_hash=_hash(style),
        data=_json(data),
        version=escape(__version__),
    )
    # A lone surrogate in a name can be written in no file; it becomes a question mark.
    return page.encode("utf-8", "replace").decode("utf-8")


def _asset(name: str) -> str:
    return (files("thriftwood.report") / "assets" / name).read_text(encoding="utf-8").strip()


def _hash(text: str) -> str:
    """Return the hash by which the page's content policy allows a script or a style sheet."""
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _json(data: Any) -> str:
    """Write data for a script element: without a letter that could end the element or open a tag."""
    text = json.dumps(_finite(data), separators=(",", ":"), allow_nan=False)  # ASCII only
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _finite(data: Any) -> Any:
    """Replace numbers that JSON does not have by null."""
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def _tree_text(tree: Tree) -> str:
    lines = tree.text(max_depth=TEXT_LEVELS).splitlines()
    left_out = [f"... {counted(len(lines) - TEXT_LINES, 'more line')}"] if len(lines) > TEXT_LINES else []
    return "\n".join([cut(line) for line in lines[:TEXT_LINES]] + left_out)


def _subtitle(asked: Tree | Cascade, n_cases: int) -> str:
    what = "numbers" if asked.classes is None else counted(len(asked.classes), "class", "classes")
    tests = counted(len(asked.features_used), "test")
    return f"{counted(n_cases, 'case')} · {what} · {_size(asked)} · {tests}"


def _size(asked: Tree | Cascade) -> str:
    return counted(asked.n_leaves, "leaf", "leaves") if isinstance(asked, Tree) else asked.size


def _cases_note(n_cases: int, listed: int) -> str:
    if listed == n_cases:
        return "All cases are listed."
    return (
        f"{listed:,} of {n_cases:,} cases are listed: the {DEAREST} dearest and {SPREAD} evenly spaced ones. "
        "All counts and sums on this page are of all cases."
    )
