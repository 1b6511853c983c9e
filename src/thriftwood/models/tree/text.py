"""A tree as text that a person can read: one line per node, prices and counts in columns beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from thriftwood.models.tree.branches import surrogate_conditions
from thriftwood.models.tree.conditions import category_text, list_text, rounded_text

if TYPE_CHECKING:
    from thriftwood.models.tree.tree import Tree

LEVELS_DRAWN = 24  # of a deeper node, only the last levels of the drawing; the rest as a number
WIDEST_DRAWING = 72  # a longer line pushes its own columns to the right, not everybody's
CLASSES_SHOWN = 4
ANSWER, TEST, FAINT, PLAIN = "\x1b[1;32m", "\x1b[1m", "\x1b[2m", "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Style:
    """What to print."""

    max_depth: int | None
    counts: bool
    prices: bool
    color: bool

    def paint(self, text: str, code: str) -> str:
        """Give a text a colour, if colours are wanted."""
        return f"{code}{text}{PLAIN}" if self.color and text else text


class Line(NamedTuple):
    """One printed line: the drawing, its painted form (as wide on the screen), and the columns beside it."""

    drawing: str
    painted: str
    price: str = ""
    cases: str = ""
    classes: str = ""
    bill: str = ""


def tree_text(tree: Tree, style: Style) -> str:
    """Print a tree."""
    lines: list[Line] = []
    open_nodes: list[tuple[int, str]] = [(0, "")]  # a node, and the drawing left of its children's lines
    while open_nodes:
        node, margin = open_nodes.pop()
        lines.append(_node_line(tree, style, node, margin))
        children = tree.flat.children(node)
        inner = "" if node == 0 else _inner_margin(tree, node, margin)
        if not children:
            continue
        if style.max_depth is not None and tree.flat.depth[node] >= style.max_depth:
            lines.append(_note(style, f"{inner}└─ ", f"... {_below(tree, node):,} more nodes"))
            continue
        lines.extend(_note(style, f"{inner}│  ", words) for words in remarks(tree, node, style.prices))
        open_nodes.extend((child, inner) for child in reversed(children))
    heading = _heading(tree, lines)
    return "\n".join(_aligned([heading, *lines] if any(heading) else lines))


def _inner_margin(tree: Tree, node: int, margin: str) -> str:
    parent = tree.flat.parent[node]
    last = node == tree.flat.children(parent)[-1]
    # Deep margins are dropped from the left, so that the text of a deep tree grows with its nodes alone.
    return (margin + ("   " if last else "│  "))[-3 * LEVELS_DRAWN :]


def _node_line(tree: Tree, style: Style, node: int, margin: str) -> Line:
    flat = tree.flat
    branch, words = "", ""
    if node:
        hidden = flat.depth[node] - 1 - LEVELS_DRAWN
        last = node == flat.children(flat.parent[node])[-1]
        branch = (f"(+{hidden:,}) " if hidden > 0 else "") + margin + ("└─ " if last else "├─ ")
        words = f"{tree.condition(node)}{also_missing(tree, node)}: "
    if flat.feature[node] >= 0:
        target, code = f"{category_text(tree.feature_names[flat.feature[node]])}?", TEST
    else:
        target, code = answer_text(tree, node), ANSWER
    drawing = branch + words + target
    painted = style.paint(branch, FAINT) + words + style.paint(target, code)
    return Line(drawing, painted, *_columns(tree, style, node))


def answer_text(tree: Tree, node: int) -> str:
    """Print what a node answers; a regression tree's numbers are cut to six digits."""
    answer = tree.answer(node)
    return f"{answer:.6g}" if tree.regression else category_text(answer)


def also_missing(tree: Tree, node: int) -> str:
    """Say that missing values go this way too, where nothing else decides about them."""
    flat = tree.flat
    parent = flat.parent[node]
    chosen = flat.missing_route[parent] == node - flat.first_child[parent]
    shown = chosen and not tree.core.n_surrogates[parent] and "missing" not in str(tree.condition(node))
    return " or missing" if shown else ""


def _columns(tree: Tree, style: Style, node: int) -> tuple[str, str, str, str]:
    price = bill = cases = classes = ""
    paid = tree.payments
    leaf = tree.flat.feature[node] < 0
    if style.prices and paid is not None:
        if node in paid.orders:
            price = rounded_text(paid.price(node))
        elif not leaf:
            price = "paid"
        bill = rounded_text(paid.bill[node]) if leaf else ""
    if style.counts:
        cases = weight_text(tree.flat.weight[node])
        classes = counts_text(tree, node)
    return price, cases, classes, bill


def weight_text(weight: float) -> str:
    """Print a weight: whole numbers as they are, others to four digits.

    Examples
    --------
    >>> [weight_text(w) for w in (14.0, 3.3846153846, 1234567.0)]
    ['14', '3.385', '1234567']
    """
    return str(int(weight)) if weight == int(weight) else f"{weight:.4g}"


def counts_text(tree: Tree, node: int) -> str:
    """Print the training weight of the classes at a node, most common first."""
    counts = [(weight, category) for category, weight in tree.counts(node).items() if weight > 0]
    counts.sort(key=lambda pair: -pair[0])
    words = [
        f"{category_text(category)}: {weight_text(weight)}" for weight, category in counts[:CLASSES_SHOWN]
    ]
    if len(counts) > CLASSES_SHOWN:
        words.append(f"... ({len(counts) - CLASSES_SHOWN} more)")
    return ", ".join(words)


def remarks(tree: Tree, node: int, prices: bool = True) -> list[str]:
    """Say what a reader should know about a test besides its branches; nothing of a leaf."""
    said = []
    if prices and tree.payments is not None:
        others = [name for name, _ in tree.payments.orders.get(node, ())[1:]]
        if others:
            said.append(f"(the answer is delayed: ordered with it are {list_text(tuple(others))})")
    if tree.core.n_surrogates[node]:
        said.append(_surrogates(tree, node))
    if node in tree.idle:
        said.append(f"(idle: every leaf below answers {answer_text(tree, _some_leaf(tree, node))})")
    return said


def _some_leaf(tree: Tree, node: int) -> int:
    while tree.flat.feature[node] >= 0:
        node = tree.flat.first_child[node]
    return node


def _surrogates(tree: Tree, node: int) -> str:
    first, count = int(tree.core.first_surrogate[node]), int(tree.core.n_surrogates[node])
    lead = surrogate_conditions(tree, first)[0]
    more = f", then {count - 1} more" if count > 1 else ""
    return f"(if missing: first branch when {lead}{more})"


def _below(tree: Tree, node: int) -> int:
    return sum(1 for _ in tree.preorder(node)) - 1


def _note(style: Style, margin: str, words: str) -> Line:
    return Line(margin + words, style.paint(margin + words, FAINT))


def _heading(tree: Tree, lines: list[Line]) -> Line:
    titles = ("price", "cases", "" if tree.regression else "classes", "bill")
    used = (any(column) for column in _by_column(lines))
    return Line("", "", *(title if shown else "" for title, shown in zip(titles, used, strict=True)))


def _by_column(lines: list[Line]) -> list[list[str]]:
    return [[line[place] for line in lines] for place in range(2, 6)]


def _aligned(lines: list[Line]) -> list[str]:
    # Lines without columns, such as remarks, may be as long as they like.
    drawing = min(max((len(line.drawing) for line in lines if any(line[2:])), default=0), WIDEST_DRAWING)
    widths = [max(map(len, column)) for column in _by_column(lines)]
    return [_row(line, drawing, widths) for line in lines]


def _row(line: Line, drawing: int, widths: list[int]) -> str:
    cells = []
    for text, width, left in zip(line[2:], widths, (False, False, True, False), strict=True):
        if width:
            cells.append(text.ljust(width) if left else text.rjust(width))
    padded = line.painted + " " * (drawing - len(line.drawing))
    return "   ".join([padded, *cells]).rstrip()
