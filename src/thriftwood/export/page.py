"""Trees, panels of them and score cards as a page to consult: one question at a time, without Python."""

from __future__ import annotations

from html import escape
from string import Template
from typing import Any

from thriftwood import __version__
from thriftwood.base.page_parts import content_hash, script_json, writable
from thriftwood.export.javascript import asset, model_content
from thriftwood.export.panel_plan import panel_of
from thriftwood.export.plan import exported_of


def export_html(model: Any, title: str = "Which test next?") -> str:
    """Write a tree, a panel or score cards as a pocket consultation: one HTML file that asks and answers.

    It asks one question at a time, keeps the running bill, says why it asks, goes back, and prints a card of
    the case. It loads nothing, sends nothing and keeps nothing.

    Parameters
    ----------
    model : fitted estimator, search, Tree, Panel that votes, or Cascade
        What to write.
    title : str
        What stands at the top.

    Returns
    -------
    str
        The page.

    Examples
    --------
    >>> from thriftwood.learning import CostTreeClassifier
    >>> page = export_html(CostTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"]), title="Two cases")
    >>> "<title>Two cases</title>" in page
    True
    """
    content, walking = model_content(model)
    costs = (panel_of(model) or exported_of(model)).costs
    content["currency"] = "" if costs is None else costs.currency
    content["many"] = "cases" if costs is None else costs.cases_name
    return writable(consulting_page(escape(title), script_json(content), walking))


def consulting_page(title: str, model: str, walking: tuple[str, ...]) -> str:
    """Return the page around a model: title and model as HTML has them, and the scripts that walk it."""
    scripts = (
        asset(part)
        for part in ("buying.js", *walking, "deciding.js", "asking.js", "typing.js", "consulting.js")
    )
    start = 'const MODEL = JSON.parse(document.getElementById("model").textContent);'
    script = '(() => {\n"use strict";\n' + "\n".join([start, *scripts]) + "\n})();"
    style = asset("consulting.css")
    return Template(asset("consulting.html")).substitute(
        title=title,
        version=escape(__version__),
        style=style,
        style_hash=content_hash(style),
        script=script,
        script_hash=content_hash(script),
        model=model,
    )
