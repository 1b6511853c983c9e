"""The section that learns in the browser: what if a price changed? It has the studio's engine inside."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from thriftwood.base.page_parts import content_hash, script_json
from thriftwood.costs import Costs
from thriftwood.evaluation.statement import Words
from thriftwood.learning.growth import EXACT_ROWS
from thriftwood.models.cascade import Cascade
from thriftwood.models.tree.tree import Tree
from thriftwood.report.assembly import asset, filled
from thriftwood.studio.content import costs_content, table_content
from thriftwood.studio.learners import THRIFT, offered
from thriftwood.studio.page import WORKER, joined, packed_core, page_scripts
from thriftwood.table import Kind

SCRIPTS = (
    *("dom.js", "numbers.js", "hashing.js", "costs.js", "model_file.js", "table.js", "refusals.js"),
    *("state.js", "prices.js", "figures.js", "outline.js", "payments.js", "drawing.js"),
)
"""The studio's scripts that the section takes."""
_UPFRONT = "min-total-cost"  # our own learner searches branches apart


@dataclass(frozen=True)
class Live:
    """The parts that a page has in addition; all are empty where it does not learn.

    Attributes
    ----------
    section, link, scripts, style : str
        HTML, what leads to it, script elements and rules.
    script_policy, style_policy, worker_policy : str
        What the page's content policy allows besides.
    """

    section: str = ""
    link: str = ""
    scripts: str = ""
    style: str = ""
    script_policy: str = ""
    style_policy: str = ""
    worker_policy: str = ""


def live_parts(asked: Tree | Cascade, X: Any, y: Any, costs: Costs, words: Words, said: float | None) -> Live:
    """Return the section of a model's prices; it learns anew from the cases, by our own learner.

    What it learns is one tree and need not be the model of the page, so it repeats what the page says that
    one costs, `said`, and calls its own figure the tree's.
    """
    if y is None or asked.classes is None:
        raise ValueError("live=True learns classes in the browser: give the classes of the cases, y.")
    nominal = [place for place, column in enumerate(asked.columns) if column.kind is Kind.NOMINAL]
    table = table_content(X, y, "cases", nominal)
    columns = [column["name"] for column in table["columns"]]
    content = costs_content(costs, table["classes"], columns)
    name = _UPFRONT if costs.payment == "upfront" else THRIFT
    learner = next(one for one in offered() if one.name == name)
    n_rows = len(table["labels"])
    many, judging_many = n_rows > EXACT_ROWS, 0.7 * n_rows > EXACT_ROWS  # 30 % are held out
    data = {
        "table": table,
        "costs": content,
        "learner": name,
        "settings": learner.settings_of_many if many else learner.settings,
        "judging": learner.settings_of_many if judging_many else learner.settings,
        "tests": [column for column in columns if column in content.get("tests", {})] or columns,
        "lead": f"With this tree a new {words.one} costs",
        "reported": _reported(asked, words, said),
    }
    script = f"(() => {{\n{page_scripts(SCRIPTS)}\n{asset('live.js')}\n}})();"
    style = asset("live.css")
    cases = words.counted(len(table["labels"]))
    sample = "" if len(table["labels"]) == table["n_rows"] else f" (a sample of {table['n_rows']:,})"
    note = (
        f"Move a price: one tree is learnt anew, here in the browser, from {cases}{sample}, by {name}. "
        f"{_another(asked)} What a new {words.one} costs with it is estimated on cases that had no part in "
        "learning or choosing the tree. Nothing is sent."
    )
    return Live(
        section=filled("live.html", note=escape(note)),
        link='<a href="#live">What if a price changed?</a>',
        scripts="\n".join(
            [
                f'<script type="application/json" id="live-data">{script_json(data)}</script>',
                f'<script type="text/plain" id="live-core">{packed_core()}</script>',
                f'<script type="text/plain" id="live-worker">{joined(WORKER)}</script>',
                f"<script>{script}</script>",
            ]
        ),
        style=f"\n<style>{style}</style>",
        script_policy=f" 'sha256-{content_hash(script)}' 'wasm-unsafe-eval'",
        style_policy=f" 'sha256-{content_hash(style)}'",
        worker_policy=" worker-src blob:;",
    )


def _another(asked: Tree | Cascade) -> str:
    """Say that what is learnt here is not what the page is about."""
    if isinstance(asked, Cascade):
        return "The score cards of this report are not learnt here; they may cost less or more."
    return "It need not be the tree of this report."


def _reported(asked: Tree | Cascade, words: Words, said: float | None) -> str:
    """Repeat what a new case costs by the model of the page; nothing, where the page does not know."""
    if said is None:
        return ""
    model = "score cards of this report cost" if isinstance(asked, Cascade) else "tree of this report costs"
    return f"The {model} {words.money(said)} {words.a_one}."
