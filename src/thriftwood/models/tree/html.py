"""A tree in a notebook: nested lines that fold, without scripts.

Every inner node is a ``<details>`` element, which browsers fold and unfold by mouse and keyboard. Whatever
comes from a user is escaped.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from thriftwood.base.number_texts import amount_text
from thriftwood.costs.names import counted
from thriftwood.models.tree.conditions import category_text
from thriftwood.models.tree.palette import class_colour, node_colours
from thriftwood.models.tree.text import answer_text, counts_text, weight_text

if TYPE_CHECKING:
    from thriftwood.models.tree.tree import Tree

OPEN_DEPTH = 3
"""Nodes above this depth are unfolded at first."""
NODES_SHOWN = 1000
LEVELS_SHOWN = 60
"""Deeper nodes are left out, for browsers nest no deeper than some hundreds."""

STYLE = (
    "<style>.thriftwood-tree{font:13px/1.6 system-ui,sans-serif;overflow-x:auto}"
    ".thriftwood-tree details,.thriftwood-tree .leaf{margin-left:1.3em;white-space:nowrap}"
    ".thriftwood-tree>details,.thriftwood-tree>.leaf{margin-left:0}"
    ".thriftwood-tree summary{cursor:pointer}"
    ".thriftwood-tree .note{opacity:.7;margin-left:.8em;font-size:.92em}"
    ".thriftwood-tree svg{vertical-align:middle;margin:0 .4em}</style>"
)


def tree_html(tree: Tree) -> str:
    """Write a tree as HTML.

    Examples
    --------
    >>> import thriftwood as tw
    >>> tree = tw.CostTreeClassifier().fit([[1], [2]], ["<b>", "no"]).tree_
    >>> "<b>x0" in tree_html(tree), "&lt;b&gt;" in tree_html(tree)
    (True, True)
    """
    colours = node_colours(tree)
    parts = [STYLE, '<div class="thriftwood-tree">']
    left_out = 0
    open_nodes = [0]
    written = 0
    while open_nodes:  # no recursion: a tree may be deeper than Python's stack
        node = open_nodes.pop()
        if node < 0:
            parts.append("</details>")
            continue
        if written >= NODES_SHOWN or tree.flat.depth[node] > LEVELS_SHOWN:
            left_out += sum(1 for _ in tree.preorder(node))
            continue
        written += 1
        line = _line(tree, node, colours[node])
        children = tree.flat.children(node)
        if not children:
            parts.append(f'<div class="leaf">{line}</div>')
            continue
        unfolded = " open" if tree.flat.depth[node] < OPEN_DEPTH else ""
        parts.append(f"<details{unfolded}><summary>{line}</summary>")
        open_nodes.append(-1)
        open_nodes.extend(reversed(children))
    if left_out:
        parts.append(f"<p>{counted(left_out, 'more node')} not shown here.</p>")
    if tree.note:
        parts.append(f"<p>{escape(tree.note)}</p>")
    parts.append("</div>")
    return "".join(parts)


def _line(tree: Tree, node: int, colour: str) -> str:
    flat, paid = tree.flat, tree.payments
    condition = tree.condition(node)
    lead = f"{escape(str(condition))}: " if condition is not None else ""
    leaf = flat.feature[node] < 0
    name = answer_text(tree, node) if leaf else f"{category_text(tree.feature_names[flat.feature[node]])}?"
    notes = []
    if paid is not None and not leaf:
        notes.append(_price(tree, node))
    cases = counted(weight_text(flat.weight[node]), "case")
    counts = counts_text(tree, node)
    notes.append(f"{cases} ({counts})" if counts else cases)
    if paid is not None and leaf:
        notes.append(f"bill {amount_text(paid.bill[node])}")
    note = f'<span class="note">{escape(" · ".join(notes))}</span>'
    return f"{lead}<b>{escape(name)}</b>{_strip(tree, node, colour)}{note}"


def _price(tree: Tree, node: int) -> str:
    """Write what is paid at a node; what is free stays so when it is asked again."""
    paid, costs = tree.payments, tree.costs
    assert paid is not None  # asked for only of a tree with prices
    price = paid.price(node)
    if price > 0:
        return f"price {amount_text(price)}"
    name = tree.feature_names[tree.flat.feature[node]]
    return "free" if costs is not None and not costs.effective_price(name) else "paid before"


def _strip(tree: Tree, node: int, colour: str) -> str:
    """Draw the shares of the classes, or the colour of a number."""
    counts = list(tree.counts(node).values())
    total = sum(counts)
    if not total > 0:
        counts, total = [1.0], 1.0
    parts, x = [], 0.0
    for number, count in enumerate(counts):
        width = 48 * count / total
        fill = colour if tree.regression else class_colour(number)
        if width > 0:
            parts.append(f'<rect x="{x:.2f}" width="{width:.2f}" height="8" fill="{fill}"/>')
        x += width
    return f'<svg width="48" height="8" aria-hidden="true">{"".join(parts)}</svg>'
