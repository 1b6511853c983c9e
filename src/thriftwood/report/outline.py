"""The tree as lists of lists: for paper that has no room for the drawing, and for readers without scripts."""

from __future__ import annotations

import numpy as np

from thriftwood.costs.names import counted
from thriftwood.evaluation.statement import Words
from thriftwood.models.tree.text import also_missing, answer_text, weight_text
from thriftwood.models.tree.tree import Tree
from thriftwood.report.markup import Html, joined, tag
from thriftwood.report.naming import cut, name_text
from thriftwood.report.nodes import along_text, price_text

MOST_LINES = 60
"""A larger tree is cut at the depth to which so many nodes fit: a page of paper, and a little."""


def outline(tree: Tree, words: Words) -> Html:
    """Write the tree, each branch below its test."""
    of_depth = np.cumsum(np.bincount(tree.flat.depth))
    deepest = max(int(np.searchsorted(of_depth, MOST_LINES, side="right")) - 1, 1)
    below: dict[int, list[Html]] = {}
    for node in reversed(list(tree.preorder())):  # branches before their test
        if tree.flat.depth[node] > deepest:
            continue
        inner = below.pop(node, [])
        line = joined([_line(tree, node, words), *([tag("ul", *reversed(inner))] if inner else [])])
        if not inner and tree.flat.feature[node] >= 0:
            more = counted(sum(1 for _ in tree.preorder(node)) - 1, "node")
            line = joined([line, tag("small", f", {more} below")])
        below.setdefault(tree.flat.parent[node], []).append(tag("li", line))
    return tag("ul", *below[-1], class_="outline")


def _line(tree: Tree, node: int, words: Words) -> Html:
    flat, paid = tree.flat, tree.payments
    condition = "" if node == 0 else f"{cut(str(tree.condition(node)))}{also_missing(tree, node)}: "
    notes = [counted(weight_text(flat.weight[node]), words.one, words.many)]
    if flat.feature[node] < 0:
        if paid is not None:
            notes.append(f"{words.money(paid.bill[node])} paid")
        return joined([tag("span", condition), tag("b", cut(answer_text(tree, node))), _small(notes)])
    if paid is not None:
        notes.insert(0, price_text(tree, node, words) + along_text(tree, node))
    test = name_text(tree.feature_names[flat.feature[node]])
    return joined([tag("span", condition), tag("span", f"{test}?"), _small(notes)])


def _small(notes: list[str]) -> Html:
    return tag("small", f" {' · '.join(notes)}")
