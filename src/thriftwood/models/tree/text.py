"""A tree as text that a person can read: one line per node, prices and counts in columns beside it."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from thriftwood.base.number_texts import rounded_text
from thriftwood.costs.names import in_list
from thriftwood.models.tree.branches import surrogate_conditions
from thriftwood.models.tree.conditions import category_text, list_text

if TYPE_CHECKING:
    from thriftwood.models.tree.tree import Tree

LEVELS_DRAWN = 24  # of a deeper node, only the last levels of the drawing; the rest as a number
WIDEST_DRAWING = 72  # a longer line is folded, so that the columns beside all of them stay in line
LEAST_WORDS = 40  # beside the margin of a deep node, however wide that is
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


class Columns(NamedTuple):
    """What stands beside a node."""

    price: str = ""
    cases: str = ""
    classes: str = ""
    bill: str = ""


class Line(NamedTuple):
    """One line: its drawing in three parts, and the columns beside it."""

    branch: str
    """The lines of the drawing."""
    words: str = ""
    """The condition."""
    target: str = ""
    """The test or the answer."""
    code: str = ""
    """The colour of the target."""
    columns: Columns = Columns()
    below: str = ""
    """What stands left of words that do not fit."""

    @property
    def width(self) -> int:
        """How wide the drawing is on the screen."""
        return len(self.branch) + len(self.words) + len(self.target)

    def painted(self, style: Style) -> str:
        """Return the drawing, in colours if they are wanted."""
        return style.paint(self.branch, FAINT) + self.words + style.paint(self.target, self.code)


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
            lines.append(Line(f"{inner}└─ ... {_below(tree, node):,} more nodes"))
            continue
        lines.extend(Line(f"{inner}│  {words}") for words in remarks(tree, node, style.prices))
        open_nodes.extend((child, inner) for child in reversed(children))
    heading = _heading(tree, lines)
    return "\n".join(_aligned([heading, *lines] if any(heading.columns) else lines, style))


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
    inner = "" if node == 0 else _inner_margin(tree, node, margin)
    below = inner + ("│    " if flat.feature[node] >= 0 else "     ")
    return Line(branch, words, target, code, _columns(tree, style, node), below)


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


def _columns(tree: Tree, style: Style, node: int) -> Columns:
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
    return Columns(price, cases, classes, bill)


def weight_text(weight: float) -> str:
    """Print a weight: whole numbers as they are, others to four digits and at least one decimal.

    Parts of cases that add up to whole ones do so but for the last digits of a float.

    Examples
    --------
    >>> [weight_text(w) for w in (14.0, 3.3846153846, 1234567.0, 794512.25, 6.999999999999999)]
    ['14', '3.385', '1234567', '794512.2', '7']
    """
    whole = round(weight)
    if abs(weight - whole) <= 1e-9 * max(weight, 1.0) and (whole or not weight):
        return str(whole)
    return f"{weight:.4g}" if weight < 1000 else f"{weight:.1f}"


def counts_text(tree: Tree, node: int) -> str:
    """Print the training weight of the classes at a node, most common first."""
    counts = [(weight, category) for category, weight in tree.counts(node).items() if weight > 0]
    counts.sort(key=lambda pair: -pair[0])
    words = [
        f"{in_list(category_text(category))}: {weight_text(weight)}"
        for weight, category in counts[:CLASSES_SHOWN]
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


def _heading(tree: Tree, lines: list[Line]) -> Line:
    titles = ("price", "cases", "" if tree.regression else "classes", "bill")
    used = (any(column) for column in _by_column(lines))
    return Line("", columns=Columns(*(t if shown else "" for t, shown in zip(titles, used, strict=True))))


def _by_column(lines: list[Line]) -> list[tuple[str, ...]]:
    return list(zip(*(line.columns for line in lines), strict=True))


def _aligned(lines: list[Line], style: Style) -> list[str]:
    # Lines without columns, such as remarks, may be as long as they like.
    beside = [line for line in lines if any(line.columns)]
    room = max((len(line.branch) for line in beside), default=0) + LEAST_WORDS
    drawing = min(max((line.width for line in beside), default=0), max(room, WIDEST_DRAWING))
    folded = [part for line in lines for part in _folded(line, drawing)]
    widths = [max(map(len, column)) for column in _by_column(folded)]
    return [_row(line, drawing, widths, style) for line in folded]


def _folded(line: Line, width: int) -> list[Line]:
    """Break a drawing that is wider than the others may be; the columns stand beside its last line."""
    if line.width <= width or not any(line.columns):
        return [line]
    first, below = " " * len(line.branch), " " * len(line.below)
    pieces = wrap(line.words, width, initial_indent=first, subsequent_indent=below, break_on_hyphens=False)
    lines = [Line(line.branch, pieces[0].removeprefix(first) if pieces else "")]
    lines += [Line(line.below, piece.removeprefix(below)) for piece in pieces[1:]]
    if lines[-1].width + 1 + len(line.target) > width and line.words:
        lines.append(Line(line.below))
    elif line.words:
        lines[-1] = lines[-1]._replace(words=f"{lines[-1].words} ")
    lines[-1] = lines[-1]._replace(target=line.target, code=line.code)
    if lines[-1].width > width:  # a name that fits nowhere
        lines.append(Line(line.below))
    lines[-1] = lines[-1]._replace(columns=line.columns)
    return lines


def _row(line: Line, drawing: int, widths: list[int], style: Style) -> str:
    cells = []
    for text, width, left in zip(line.columns, widths, (False, False, True, False), strict=True):
        if width:
            cells.append(text.ljust(width) if left else text.rjust(width))
    padded = line.painted(style) + " " * (drawing - line.width)
    return "   ".join([padded, *cells]).rstrip()
