"""Trees of rpart as data: how they are made from its answers, kept in files and read again.

A file has one table: for every mode the tree that is grown with cp = 0, node by node, and the table of its
complexity parameters with the risks of cross-validation. Branches have no left and right here: branch 0 of
a test of numbers is the one below the cut, branch 0 of a test of categories the one with the least code.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "golden" / "rpart"


@dataclass(frozen=True)
class Test:
    """A test of a node, or a surrogate of one."""

    feature: int
    cut: float | None = None
    """Of numbers."""
    sets: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    """Of categories: the codes of each branch, those that no case has left out."""
    turned: bool = False
    """A surrogate: numbers above the cut, or the first set, belong to branch 0 of the node's own test."""
    value: float = 0.0
    """What the test improves; a surrogate: the share on which it agrees."""
    adjusted: float = 0.0
    """A surrogate: what it agrees on beyond the larger branch."""


@dataclass(frozen=True)
class Node:
    """A node of a tree, with its branches if it is no leaf."""

    cases: int
    risk: float
    answer: int
    test: Test | None = None
    surrogates: tuple[Test, ...] = ()
    branches: tuple[Node, Node] | None = None
    rows: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp), repr=False, compare=False)
    """Of our own trees: the cases that come through it."""


@dataclass(frozen=True)
class Size:
    """A row of the table of complexity parameters; risks are shares of the root's."""

    cp: float
    splits: int
    risk: float
    validated: float
    error: float


@dataclass(frozen=True)
class Golden:
    """What rpart makes of a table in a mode."""

    tree: Node
    sizes: tuple[Size, ...]

    @property
    def one_se(self) -> Size:
        """The smallest tree whose validated risk is at most a standard error above the least."""
        best = min(self.sizes, key=lambda size: size.validated)
        return next(size for size in self.sizes if size.validated <= best.validated + best.error)


def from_rpart(answer: dict[str, Any]) -> Golden:
    """Return what rpart.R wrote about a mode."""
    by_number = {node["node"]: node for node in answer["tree"]}
    sizes = tuple(Size(row[0], int(row[1]), *row[2:]) for row in answer["cp"])
    return Golden(_node(by_number, 1), sizes)


def _node(by_number: dict[int, dict[str, Any]], number: int) -> Node:
    given = by_number[number]
    own = given["n"], given["risk"], given["answer"]
    if "split" not in given:
        return Node(*own)
    test, left_is_first = _test(given["split"])
    surrogates = tuple(
        _turned(found, left_first != left_is_first) for found, left_first in map(_test, given["surrogates"])
    )
    left, right = _node(by_number, 2 * number), _node(by_number, 2 * number + 1)
    return Node(*own, test, surrogates, (left, right) if left_is_first else (right, left))


def _test(given: dict[str, Any]) -> tuple[Test, bool]:
    """Return a test, and whether rpart's left is its branch 0."""
    values = {"value": given["improve"], "adjusted": given["adjusted"]}
    if "cut" in given:
        return Test(given["feature"], cut=given["cut"], **values), given["below"] == "left"
    left, right = tuple(map(int, given["left"])), tuple(map(int, given["right"]))
    left_is_first = left[:1] < right[:1] if left and right else bool(left)
    sets = (left, right) if left_is_first else (right, left)
    return Test(given["feature"], sets=sets, **values), left_is_first


def _turned(test: Test, turned: bool) -> Test:
    return Test(test.feature, test.cut, test.sets, turned, test.value, test.adjusted)


# In files nodes are lists, depth first, and so are tests: names would be two thirds of it.


def _short(number: float) -> float:
    return float(f"{number:.8g}")


def _packed_test(test: Test) -> list[Any]:
    where = test.cut if test.cut is not None else test.sets
    return [test.feature, where, int(test.turned), _short(test.value), _short(test.adjusted)]


def _packed_node(node: Node) -> list[list[Any]]:
    own: list[Any] = [node.cases, _short(node.risk), node.answer]
    if node.test is None or node.branches is None:
        return [own]
    own += [_packed_test(node.test), [_packed_test(test) for test in node.surrogates]]
    return [own, *_packed_node(node.branches[0]), *_packed_node(node.branches[1])]


def _unpacked_test(packed: list[Any]) -> Test:
    feature, where, turned, value, adjusted = packed
    if isinstance(where, list):
        sets = tuple(where[0]), tuple(where[1])
        return Test(feature, None, sets, bool(turned), value, adjusted)
    return Test(feature, where, None, bool(turned), value, adjusted)


def _unpacked_node(rest: Iterable[list[Any]]) -> Node:
    rest = iter(rest)
    own = next(rest)
    if len(own) == 3:
        return Node(*own)
    *own, test, surrogates = own
    branches = _unpacked_node(rest), _unpacked_node(rest)
    return Node(*own, _unpacked_test(test), tuple(map(_unpacked_test, surrogates)), branches)


def write(name: str, versions: str, goldens: dict[str, Golden], folder: Path = FOLDER) -> None:
    """Keep what rpart makes of a table."""
    lines = [f'"made by": {json.dumps(versions)}']
    for mode, golden in goldens.items():
        nodes = ",\n  ".join(json.dumps(node, separators=(",", ":")) for node in _packed_node(golden.tree))
        sizes = json.dumps([[_short(x) for x in vars(size).values()] for size in golden.sizes])
        lines.append(f'{json.dumps(mode)}: {{"sizes": {sizes}, "nodes": [\n  {nodes}]}}')
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


def read(name: str, folder: Path = FOLDER) -> dict[str, Golden]:
    """Return what rpart made of a table, by mode."""
    content = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    content.pop("made by")
    return {
        mode: Golden(
            _unpacked_node(found["nodes"]),
            tuple(Size(row[0], int(row[1]), *row[2:]) for row in found["sizes"]),
        )
        for mode, found in content.items()
    }
