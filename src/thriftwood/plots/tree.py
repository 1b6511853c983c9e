"""The picture of a tree."""

from __future__ import annotations

from typing import Any, NamedTuple

from thriftwood.base.advice import advised
from thriftwood.base.number_texts import amount_text
from thriftwood.base.remedies import InPython, Pass
from thriftwood.costs.names import counted
from thriftwood.models import Tree
from thriftwood.models.conversion import cascade_of, tree_of
from thriftwood.models.tree.conditions import category_text
from thriftwood.models.tree.palette import class_colour, node_colours
from thriftwood.models.tree.text import answer_text, weight_text
from thriftwood.plots.axes import new_axes, shortened, size_in_points, text_width
from thriftwood.plots.cards import draw_cards
from thriftwood.plots.layout import Layout, drawn_nodes, layout

MOST_ENDS = 400
"""More leaves cannot be read in one picture."""
LONGEST = 26
"""Letters of a name; longer ones are cut in the middle."""
MARGIN = 8.0
_INK, _FAINT, _LINE, _BOX = "#1f2933", "#5b6672", "#b4bec9", "#f5f7f9"


class Sizes(NamedTuple):
    """Lengths that follow from the size of letters, in points."""

    name: float
    note: float
    box: float
    row: float
    pad: float
    curve: float
    line: float

    @classmethod
    def of(cls, fontsize: float) -> Sizes:
        """Give the lengths for a size of letters."""
        return cls(
            fontsize,
            0.82 * fontsize,
            3.1 * fontsize,
            3.9 * fontsize,
            0.6 * fontsize,
            2.6 * fontsize,
            fontsize,
        )


class Words(NamedTuple):
    """What is written at a node: in its box, below that, and on the line that leads to it."""

    name: str
    note: str
    branch: str


def plot_tree(
    model: Any,
    ax: Any = None,
    *,
    max_depth: int | None = None,
    counts: bool = True,
    prices: bool = True,
    fontsize: float = 9.0,
) -> Any:
    """Draw a tree from left to right: tests with their prices, answers with their colours and bills.

    The wider a line, the more training cases went that way; the strip at the foot of a box shows the shares
    of the classes there. Of a model that answers by score cards, the points of the values are drawn test by
    test (`thriftwood.plots.cards`). Needs matplotlib (the extra ``plots``).

    Parameters
    ----------
    model : Tree or Cascade, or fitted estimator, pipeline or search that ends in one
        What to draw.
    ax : matplotlib Axes, optional
        Where to draw; letters are made smaller until the tree fits. None: a figure of the size it needs.
    max_depth : int, optional
        Leave out what lies deeper.
    counts : bool
        Whether to write how many training cases came to each node.
    prices : bool
        Whether to write, where costs are known, what a test costs on its path, and the bill at leaves.
    fontsize : float
        The size of letters, in points.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
    >>> ax = tw.plot_tree(model)
    >>> [text.get_text() for text in ax.texts][:3]
    ['= Sunny', '= High', '= Normal']
    """
    cascade = cascade_of(model)
    if cascade is not None:
        if max_depth is not None:
            raise ValueError("max_depth is for trees, and this model answers by score cards. Leave it out.")
        return draw_cards(cascade, ax, fontsize)
    tree = tree_of(model, "A tree is drawn of", "drawing it")
    nodes = drawn_nodes(tree, max_depth)
    _check_size(tree, nodes)
    words = {node: _words(tree, node, max_depth, counts, prices) for node in nodes}
    if ax is None:
        ax = new_axes(1, 1)
        place = _placed(tree, nodes, words, Sizes.of(fontsize))
        width, height = _extent(place, Sizes.of(fontsize))
        ax.figure.set_size_inches(width / 72, height / 72)
        ax.figure.set_layout_engine("none")
        ax.set_position((0, 0, 1, 1))
        scale = 1.0
    else:
        ax.set_axis_off()
        ax.figure.draw_without_rendering()  # axes have their size once the figure is laid out
        width, height = size_in_points(ax)
        needed = _extent(_placed(tree, nodes, words, Sizes.of(fontsize)), Sizes.of(fontsize))
        scale = min(1.0, width / needed[0], height / needed[1])
        place = _placed(tree, nodes, words, Sizes.of(fontsize * scale))
    drawn = _extent(place, Sizes.of(fontsize * scale))
    left, top = (MARGIN + (width - drawn[0]) / 2, MARGIN + (height - drawn[1]) / 2)  # in the middle
    ax.set(xlim=(-left, width - left), ylim=(height - top, -top))
    ax.set_axis_off()
    _Drawing(ax, tree, place, words, Sizes.of(fontsize * scale)).draw(nodes)
    return ax


def _check_size(tree: Tree, nodes: list[int]) -> None:
    drawn = set(nodes)
    ends = sum(1 for node in nodes if not any(child in drawn for child in tree.flat.children(node)))
    depth = max(tree.flat.depth[node] for node in nodes)
    if max(ends, depth) > MOST_ENDS:
        raise advised(
            ValueError,
            f"The tree has {ends:,} ends and depth {depth:,}; a picture shows at most {MOST_ENDS}. ",
            Pass("max_depth", 3),
            ", for example, to draw its upper part",
            InPython(", or look at tree.text()"),
            ".",
        )


def _words(tree: Tree, node: int, max_depth: int | None, counts: bool, prices: bool) -> Words:
    flat, paid = tree.flat, tree.payments if prices else None
    leaf = flat.feature[node] < 0
    notes = []
    if not leaf and paid is not None:
        notes.append(f"price {amount_text(paid.price(node))}" if node in paid.orders else "paid before")
    if counts:
        notes.append(counted(weight_text(flat.weight[node]), "case"))
    if leaf and paid is not None:
        notes.append(f"bill {amount_text(paid.bill[node])}")
    if not leaf and max_depth is not None and flat.depth[node] >= max_depth:
        notes.append(f"{sum(1 for _ in tree.preorder(node)) - 1:,} nodes below")
    name = answer_text(tree, node) if leaf else category_text(tree.feature_names[flat.feature[node]])
    condition = tree.condition(node)
    branch = "" if condition is None else condition.phrase
    return Words(shortened(name, LONGEST), " · ".join(notes), shortened(branch, LONGEST))


def _placed(tree: Tree, nodes: list[int], words: dict[int, Words], sizes: Sizes) -> Layout:
    boxes = {
        node: max(text_width(said.name, sizes.name, True), text_width(said.note, sizes.note)) + 2 * sizes.pad
        for node, said in words.items()
    }
    labels = {node: text_width(said.branch, sizes.note) + sizes.pad for node, said in words.items()}
    return layout(tree, nodes, boxes, labels, sizes.curve)


def _extent(place: Layout, sizes: Sizes) -> tuple[float, float]:
    return place.width + 2 * MARGIN, place.n_rows * sizes.row - (sizes.row - sizes.box) + 2 * MARGIN


class _Drawing:
    """One tree on its axes; lengths are data units, which are points."""

    def __init__(self, ax: Any, tree: Tree, place: Layout, words: dict[int, Words], sizes: Sizes) -> None:
        self.ax, self.tree, self.place, self.words, self.sizes = ax, tree, place, words, sizes
        self.colours = node_colours(tree)

    def draw(self, nodes: list[int]) -> None:
        for node in nodes:
            if node:
                self._draw_line(node)
        for node in nodes:
            self._draw_box(node)

    def _middle(self, node: int) -> float:
        return self.place.row[node] * self.sizes.row + self.sizes.box / 2

    def _width(self, node: int) -> float:
        said, sizes = self.words[node], self.sizes
        widest = max(text_width(said.name, sizes.name, True), text_width(said.note, sizes.note))
        return widest + 2 * sizes.pad

    def _share(self, node: int) -> float:
        total = self.tree.flat.weight[0]
        return self.tree.flat.weight[node] / total if total > 0 else 0.0

    def _draw_line(self, node: int) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        parent, depth = self.tree.flat.parent[node], self.tree.flat.depth[node]
        start, end = self._middle(parent), self._middle(node)
        bend, left = self.place.bend[depth], self.place.left[depth]
        turned = bend + self.sizes.curve
        half = bend + self.sizes.curve / 2
        points = [
            (self.place.left[depth - 1] + self._width(parent), start),
            *((bend, start), (half, start), (half, end), (turned, end)),
            (left, end),
        ]
        codes = [Path.MOVETO, Path.LINETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO]
        thick = self.sizes.line * (0.08 + 0.6 * self._share(node))
        self.ax.add_patch(
            PathPatch(Path(points, codes), fill=False, edgecolor=_LINE, linewidth=thick, capstyle="butt")
        )
        self._write(turned, end - thick / 2 - 0.15 * self.sizes.note, self.words[node].branch, _INK, False)

    def _draw_box(self, node: int) -> None:
        from matplotlib.patches import Rectangle

        sizes, said = self.sizes, self.words[node]
        leaf = self.tree.flat.feature[node] < 0
        x, y = self.place.left[self.tree.flat.depth[node]], self._middle(node) - sizes.box / 2
        width, colour = self._width(node), self.colours[node]
        edge = colour if leaf else _FAINT
        self.ax.add_patch(
            Rectangle((x, y), width, sizes.box, facecolor=_BOX, edgecolor=edge, linewidth=0.12 * sizes.line)
        )
        if leaf:
            self.ax.add_patch(Rectangle((x, y), width, sizes.box, facecolor=colour, alpha=0.16, linewidth=0))
        self._draw_shares(node, x, y + sizes.box - 0.35 * sizes.name, width)
        self._write(x + sizes.pad, y + 1.3 * sizes.name, said.name, _INK, True)
        self._write(x + sizes.pad, y + 2.4 * sizes.name, said.note, _FAINT, False)

    def _draw_shares(self, node: int, x: float, y: float, width: float) -> None:
        """Draw the shares of the classes as a strip; the answer's colour alone where there are no classes."""
        from matplotlib.patches import Rectangle

        height = 0.35 * self.sizes.name
        counts = list(self.tree.counts(node).values())
        total = sum(counts)
        if not total > 0:
            counts, total = [1.0], 1.0
        for number, count in enumerate(counts):
            part = width * count / total
            colour = self.colours[node] if self.tree.regression else class_colour(number)
            if part > 0:
                self.ax.add_patch(Rectangle((x, y), part, height, facecolor=colour, linewidth=0))
            x += part

    def _write(self, x: float, y: float, words: str, colour: str, bold: bool) -> None:
        size = self.sizes.name if bold else self.sizes.note
        style = {"fontsize": size, "color": colour, "fontweight": "bold" if bold else "normal"}
        self.ax.text(x, y, words, ha="left", va="baseline", parse_math=False, **style)
