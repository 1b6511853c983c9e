"""`make_report`, and `Report`, the finished page."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from thriftwood.base.saving import save_text
from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.evaluation import Bill, Contender, Frontier, Verdict
from thriftwood.evaluation.billing import bill as bill_of
from thriftwood.evaluation.learnt_columns import asked_columns
from thriftwood.evaluation.statement import Words, as_html, words_of
from thriftwood.evaluation.today import IN_TURN, against_today, verdict_of_bill
from thriftwood.models.cascade import Cascade
from thriftwood.models.conversion import as_model, cascade_of, deciding, own_costs, tree_of
from thriftwood.models.tree.palette import CLASSES
from thriftwood.models.tree.tree import Tree
from thriftwood.report.assembly import filled, whole_page
from thriftwood.report.cards import cards, stages
from thriftwood.report.cases import DEAREST, SPREAD, case_data
from thriftwood.report.expectation import BASIS, expected_section
from thriftwood.report.live import Live, live_parts
from thriftwood.report.markup import tag
from thriftwood.report.naming import name_text
from thriftwood.report.nodes import node_data
from thriftwood.report.opening import Opening
from thriftwood.report.outline import outline
from thriftwood.report.points import frontier_data
from thriftwood.report.sections import bill_section, mistakes_section
from thriftwood.report.settings import settings_section
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

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
    >>> page = tw.make_report(model, golf.X, golf.y, training=True, title="Golf")
    >>> page.title, page.n_cases, page.n_nodes
    ('Golf', 14, 8)
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
    verdict: Verdict | None = None,
    live: bool | tuple[Any, Any] = False,
    error_costs: Any = None,
) -> Report:
    """Make a page about a model and some cases, which opens in any browser without a network.

    It begins with a sentence: which test to order for whom, what a case costs, and how much less than today
    that is. Then it shows the figures of cases that were not learnt from, the tree (to zoom, fold and point
    at), the path of any case chosen from a list with its running bill, the bill by test, the mistakes in
    cases and in money, the frontier with the chosen point, and the data and settings. It is light or dark,
    can be printed, and needs no mouse. Of a model that answers by score cards it shows these, and what the
    cases cost that end at each stage.

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
        Whether these are the cases that the model learnt from; the page then says so where they are summed,
        and does not begin with their figures.
    verdict : Verdict, optional
        What a case costs that the model has not learnt from, as `tw.verdict` returns it: what the page begins
        with. None: by `expected` or, of cases that were not learnt from, by these, against the `today` of
        their costs.
    live : bool or tuple of X and y
        Whether the page has a section where prices are changed and a tree is learnt anew, in the browser, as
        the studio does it: from the cases of the page, or from those given. It takes some 600 kB, and the
        cases.
    error_costs : array-like of shape (n_rows, n_classes) or (n_rows, n_classes, n_classes), optional
        What mistakes cost where that differs by row, as for `bill`.

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
    if verdict is not None and not isinstance(verdict, Verdict):
        raise TypeError(f"verdict must be what tw.verdict returns, or None. Got {type(verdict).__name__}.")
    if path is not None:
        html_path(path)  # before the work
    cascade = cascade_of(model)
    if cascade is None:
        tree_of(model, "A report is made of", "asking for a report")
    X_given, charged = X, own_costs(model) if costs is None else costs
    X = asked_columns(X, as_model(model, "asking for a report"), charged)
    bill = bill_of(model, X, y, costs, error_costs=error_costs)
    who = deciding(model)
    model, X = who.with_table(X)
    # With the prices that are charged, which need not be those it was learnt with.
    asked = (bill.tree if cascade is None else cascade).with_costs(bill.costs)
    words = words_of(bill.costs)
    shown = _of_tree(bill, asked, X, words) if isinstance(asked, Tree) else _of_cards(bill, asked, words)
    found, doubt = (verdict, "") if verdict is not None else _verdict(bill, X_given, expected, training)
    points = None if frontier is None else frontier_data(frontier, model)
    learns = Live()
    if live is not False:
        cases = (
            (X, y) if live is True else (who.with_table(asked_columns(live[0], asked, charged))[1], live[1])
        )
        said = None if found is None else found.cost
        learns = live_parts(asked, *cases, bill.costs, words, said)
    title = title if title is not None else shown.title
    html = whole_page(
        {"colours": list(CLASSES), "one": words.one, "many": words.many, **shown.data, "frontier": points},
        shown.scripts,
        title=escape(name_text(title)),
        subtitle=escape(_subtitle(bill, asked, words)),
        opening=Opening(bill, found, expected, training, shown.noun, doubt, words).html(),
        basis=tag("p", BASIS.format(noun=shown.noun, many=words.many), class_="note") if training else "",
        no_expected="hidden" if expected is None else "",
        expected="" if expected is None else expected_section(expected, bill, training, words),
        no_frontier="hidden" if frontier is None else "",
        live=learns.section,
        live_link=learns.link,
        live_scripts=learns.scripts,
        live_style=learns.style,
        live_script_policy=learns.script_policy,
        live_style_policy=learns.style_policy,
        live_worker_policy=learns.worker_policy,
        frontier_table="" if frontier is None else as_html([frontier.part()]),
        anchor=shown.anchor,
        shown=shown.name,
        a_one=escape(words.a_one),
        many=escape(words.many),
        model=shown.section,
        bill=bill_section(bill, words),
        mistakes=mistakes_section(bill, words),
        settings=settings_section(bill, model, asked, words),
    )
    n_nodes = asked.n_nodes if isinstance(asked, Tree) else 0
    report = Report(title, html, bill.n_cases, n_nodes, 0 if cascade is None else len(cascade.stages))
    if path is not None:
        report.save(path)
    return report


def _verdict(bill: Bill, X: Any, expected: Contender | None, training: bool) -> tuple[Verdict | None, str]:
    """Return what a case costs that was not learnt from, and why today is left out, if it is."""
    if expected is not None:
        basis = "By cross-validation."
        return Verdict(expected.mean_cost, expected.interval, None, None, bill.costs, basis), ""
    if training or bill.mean_cost is None:
        return None, ""
    today, doubt = None, ""
    if bill.costs.today is not None:
        try:
            today = against_today(bill, X)
        except (ValueError, OSError) as error:
            doubt = f"Today's practice is left out. {error}"
    return verdict_of_bill(bill, today, panel=IN_TURN), doubt


class Shown(NamedTuple):
    """The section about the model, and what goes with it."""

    noun: str
    anchor: str
    name: str
    title: str
    section: str
    data: dict[str, Any]
    scripts: tuple[str, ...]


def _of_tree(bill: Bill, tree: Tree, X: Any, words: Words) -> Shown:
    encoded = tree.encoder.encode(X)
    nodes = node_data(bill, tree, core_table(encoded, tree.encoder), words)
    cases = case_data(bill, tree, encoded, {node["id"] for node in nodes}, words)
    section = filled(
        "tree.html",
        note=tag("p", tree.note, class_="note") if tree.note else "",
        outline=outline(tree, words),
        one=escape(words.one),
        a_one=escape(words.a_one),
        many=escape(words.many),
        cases_note=escape(_cases_note(bill.n_cases, len(cases), words)),
    )
    title = f"A tree of {_size(tree)} and its bill"
    data = {"nodes": nodes, "cases": cases}
    return Shown("the tree", "tree", "Tree", title, section, data, SCRIPTS)


def _of_cards(bill: Bill, cascade: Cascade, words: Words) -> Shown:
    section = filled(
        "cards.html",
        note=tag("p", cascade.note, class_="note") if cascade.note else "",
        stages=stages(bill, cascade, words),
        cards=cards(cascade),
        many=escape(words.many),
    )
    title = f"Score cards of {cascade.size} and their bill"
    return Shown("the cards", "cards", "Score cards", title, section, {"nodes": None}, WITHOUT_TREE)


def _subtitle(bill: Bill, asked: Tree | Cascade, words: Words) -> str:
    what = "numbers" if asked.classes is None else counted(len(asked.classes), "class", "classes")
    paid = sum(bill.full_price[test] > 0 for test in bill.tests.tolist())
    free = len(bill.tests) - paid
    tests = [counted(paid, "test")] + [f"{counted(free, 'column')} free of charge"] * bool(free)
    return " · ".join([words.counted(bill.n_cases), what, _size(asked), *tests])


def _size(asked: Tree | Cascade) -> str:
    return counted(asked.n_leaves, "leaf", "leaves") if isinstance(asked, Tree) else asked.size


def _cases_note(n_cases: int, listed: int, words: Words) -> str:
    if listed == n_cases:
        return f"All {words.many} are listed."
    return (
        f"{listed:,} of {words.counted(n_cases)} are listed: the {DEAREST} dearest and {SPREAD} evenly "
        f"spaced ones. All counts and sums on this page are of all {words.many}."
    )
