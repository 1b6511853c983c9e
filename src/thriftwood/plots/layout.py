"""Where the nodes of a tree are drawn: from left to right, a column for each depth, a row for each end.

Every end of the drawn part has a row to itself, and a node stands in the middle of the rows below it. So two
nodes of a column are at least a row apart, and with columns as wide as their widest node nothing overlaps,
whatever the names. Lengths are in points.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thriftwood.models.tree.tree import Tree


@dataclass(frozen=True, slots=True)
class Layout:
    """Places of nodes.

    Attributes
    ----------
    row : dict of int to float
        Node -> its row, counted from the top.
    left : list of float
        Depth -> where the boxes of that depth begin.
    bend : list of float
        Depth -> where the lines to that depth leave the column before it.
    width : float
        Of everything.
    n_rows : int
        How many rows there are.
    """

    row: dict[int, float]
    left: list[float]
    bend: list[float]
    width: float
    n_rows: int


def drawn_nodes(tree: Tree, max_depth: int | None) -> list[int]:
    """Number the nodes down to a depth, each before its branches."""
    flat, found, open_nodes = tree.flat, [], [0]
    while open_nodes:
        node = open_nodes.pop()
        found.append(node)
        if max_depth is None or flat.depth[node] < max_depth:
            open_nodes.extend(reversed(flat.children(node)))
    return found


def rows_of(tree: Tree, nodes: list[int]) -> tuple[dict[int, float], int]:
    """Give every drawn node its row, and count the rows.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> tree = tw.algorithm("c45").fit(golf.X, golf.y).tree_
    >>> rows_of(tree, drawn_nodes(tree, None))
    ({7: 4.0, 6: 3.0, 3: 3.5, 2: 2.0, 5: 1.0, 4: 0.0, 1: 0.5, 0: 2.0}, 5)
    """
    flat, drawn = tree.flat, set(nodes)
    ends = [node for node in nodes if not any(child in drawn for child in flat.children(node))]
    row = {end: float(place) for place, end in enumerate(ends)}
    placed: dict[int, float] = {}
    for node in reversed(nodes):  # children before their parent
        children = flat.children(node)
        placed[node] = row[node] if node in row else (placed[children[0]] + placed[children[-1]]) / 2
    return placed, len(ends)


def layout(
    tree: Tree,
    nodes: list[int],
    boxes: Mapping[int, float],
    labels: Mapping[int, float],
    curve: float,
) -> Layout:
    """Place nodes.

    Parameters
    ----------
    tree : Tree
        The tree.
    nodes : list of int
        The drawn nodes, each before its branches.
    boxes : mapping of int to float
        Node -> the width of its box.
    labels : mapping of int to float
        Node -> the width of the words on the line that leads to it.
    curve : float
        The width in which lines bend.
    """
    depth = tree.flat.depth
    n_columns = 1 + max(depth[node] for node in nodes)
    widest_box, widest_label = [0.0] * n_columns, [0.0] * n_columns
    for node in nodes:
        widest_box[depth[node]] = max(widest_box[depth[node]], boxes[node])
        widest_label[depth[node]] = max(widest_label[depth[node]], labels[node])
    left, bend, x = [], [], 0.0
    for column in range(n_columns):
        bend.append(x)
        x += widest_label[column] + curve if column else 0.0
        left.append(x)
        x += widest_box[column]
    row, n_rows = rows_of(tree, nodes)
    return Layout(row, left, bend, x, n_rows)
