"""`Tree`, the finished tree as Python users hold it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.models.files import trees as files
from thriftwood.models.lazy_row import LazyRow
from thriftwood.models.ledger import FloatArray
from thriftwood.models.model import Model, Part
from thriftwood.models.tree.branches import branch_conditions
from thriftwood.models.tree.conditions import Condition, list_text
from thriftwood.models.tree.confidence import smoothed_share
from thriftwood.models.tree.html import tree_html
from thriftwood.models.tree.idle import uppermost_idle, without_idle_tests
from thriftwood.models.tree.nodes import Flat, Node
from thriftwood.models.tree.payments import Payments, payments
from thriftwood.models.tree.rules import Rule, tree_rules
from thriftwood.models.tree.text import Style, tree_text
from thriftwood.table import Column, Encoded, Encoder, Kind
from thriftwood.table.native import refuse_missing
from thriftwood.table.unseen import warn_of_unseen

__all__ = ["Node", "Tree"]


class Tree(Model):
    """A finished tree: fixed, small, easy to save, and readable.

    Parameters
    ----------
    core : thriftwood._core.Tree
        The flat arrays.
    encoder : Encoder
        How the tables it was grown on are read: names, kinds, categories.
    classes : array of shape (n_classes,) or None
        What the core's class numbers mean; None for a regression tree.
    costs : Costs or None
        The prices to print and to charge in a consultation.
    further : sequence of str, optional
        The names of the answers that are no class, if the core's loss has any; None: as `costs` names them.

    Examples
    --------
    >>> import thriftwood as tw
    >>> tree = tw.CostTreeClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "yes", "yes"]).tree_
    >>> tree
    <Tree: 3 nodes, 2 leaves, depth 1, classes no, yes>
    >>> tree.predict([[1.5], [9.0]])
    array(['no', 'yes'], dtype='<U3')
    >>> [str(node.condition) for node in tree if node.is_leaf]
    ['x0 <= 2.5', 'x0 > 2.5']
    """

    kind: ClassVar[str] = "tree"
    has_file: ClassVar[bool] = True
    note: str = ""
    """What its learner has to say about it, the last line of the text."""

    def __init__(
        self,
        core: _core.Tree,
        encoder: Encoder,
        classes: ArrayLike | None = None,
        costs: Costs | None = None,
        further: Sequence[str] | None = None,
    ) -> None:
        if len(core.feature_values) != encoder.n_features:
            raise ValueError(
                f"The tree was grown on {len(core.feature_values)} features, but the encoder has learnt "
                f"{encoder.n_features}. Pass the encoder that made the tree's table."
            )
        self.core = core
        self.encoder = encoder
        self.classes = _checked_classes(classes, core)
        self.costs = costs
        self.further = _checked_further(further, core, self.classes, costs)

    @cached_property
    def _answers(self) -> list[Any] | None:
        # Made when a case is first answered: thousands of trees may be grown and never asked.
        return None if self.answers is None else self.answers.tolist()

    # What it is

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return self.core.n_nodes

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return self.core.n_leaves

    @property
    def depth(self) -> int:
        """Tests on the longest path."""
        return self.core.depth

    @property
    def n_features(self) -> int:
        """Number of features of the tables it takes."""
        return self.encoder.n_features

    @property
    def regression(self) -> bool:
        """Whether it answers with numbers rather than classes."""
        return self.core.regression

    @cached_property
    def tests(self) -> NDArray[np.int32]:
        """The numbers of the features that are tested, in the order a reader meets them from the top."""
        return _core.tests_of(self.core)

    @cached_property
    def features_asked(self) -> tuple[str, ...]:
        """The features that a case may be asked for: those that are tested, then their surrogates."""
        surrogates = (self.feature_names[f] for f in self.core.surrogates["feature"].tolist())
        return tuple(dict.fromkeys((*self.features_used, *surrogates)))

    @cached_property
    def flat(self) -> Flat:
        """The core's node arrays as lists, with parents and depths."""
        core = self.core
        first, count = core.first_child.tolist(), core.n_children.tolist()
        parent, depth = [-1] * core.n_nodes, [0] * core.n_nodes
        for node in range(core.n_nodes):
            for child in range(first[node], first[node] + count[node]):
                parent[child], depth[child] = node, depth[node] + 1
        return Flat(
            core.kind.tolist(),
            core.feature.tolist(),
            first,
            count,
            core.missing_route.tolist(),
            core.unseen_route.tolist(),
            core.label.tolist(),
            core.weight.tolist(),
            parent,
            depth,
        )

    @cached_property
    def payments(self) -> Payments | None:
        """What is paid at every node; None without prices."""
        return None if self.costs is None else payments(self, self.costs)

    def preorder(self, start: int = 0) -> Iterator[int]:
        """Number the nodes of a subtree: each node before its branches, the branches in order."""
        flat, open_nodes = self.flat, [start]
        while open_nodes:  # no recursion: a tree may be deeper than Python's stack
            node = open_nodes.pop()
            yield node
            open_nodes.extend(reversed(flat.children(node)))

    def path(self, node: int) -> list[int]:
        """Number the nodes from the root to a node, both included."""
        nodes = [node]
        while nodes[-1] > 0:
            nodes.append(self.flat.parent[nodes[-1]])
        return nodes[::-1]

    # Its nodes

    def __getitem__(self, number: int) -> Node:
        if not 0 <= number < self.n_nodes:
            raise IndexError(f"There is no node {number}. Nodes: 0 to {self.n_nodes - 1}.")
        flat, paid = self.flat, self.payments
        parent, feature = flat.parent[number], flat.feature[number]
        return Node(
            number=number,
            depth=flat.depth[number],
            parent=None if parent < 0 else parent,
            condition=self.condition(number),
            test=None if feature < 0 else self.feature_names[feature],
            children=tuple(flat.children(number)),
            weight=flat.weight[number],
            counts=self.counts(number),
            answer=self.answer(number),
            confidence=self.confidence(number),
            price=paid.price(number) if paid else 0.0,
            bill=paid.bill[number] if paid else 0.0,
        )

    def __iter__(self) -> Iterator[Node]:
        return (self[number] for number in range(self.n_nodes))

    @cached_property
    def _conditions(self) -> dict[int, tuple[Condition, ...]]:
        return {}

    def conditions(self, number: int) -> tuple[Condition, ...]:
        """Say what leads to each child of a node."""
        if number not in self._conditions:
            self._conditions[number] = branch_conditions(self, number)
        return self._conditions[number]

    def condition(self, number: int) -> Condition | None:
        """Say what leads to a node from its parent; None for the root."""
        parent = self.flat.parent[number]
        return None if parent < 0 else self.conditions(parent)[number - self.flat.first_child[parent]]

    def answer(self, number: int) -> Any:
        """Give the class or the number that is answered if a case ends at a node."""
        if self._answers is None:
            return float(self.core.values[number, 0])
        return self._answers[self.flat.label[number]]

    def counts(self, number: int) -> dict[Any, float]:
        """Give the training weight of each class at a node; nothing for a regression tree."""
        if self._answers is None:
            return {}
        classes = self._answers[: self.core.width]
        return dict(zip(classes, self.core.values[number].tolist(), strict=True))

    def shares(self, number: int) -> list[float]:
        """Give the share of each class at a node, smoothed as the tree says; none for a regression tree."""
        if self._answers is None:
            return []
        weights = self.core.values[number].tolist()
        if len(self._smoothing):
            weights = [weight + added for weight, added in zip(weights, self._smoothing, strict=True)]
        total = 0.0
        for weight in weights:  # in the core's order, for the core's rounding
            total += weight
        if total <= 0.0 and self.flat.label[number] >= len(weights):  # nor is its answer a class
            return [1.0 / len(weights)] * len(weights)
        if total <= 0.0:  # no training case came here: all is of the class it answers
            return [float(label == self.flat.label[number]) for label in range(len(weights))]
        return [weight / total for weight in weights]

    @cached_property
    def _smoothing(self) -> list[float]:
        added: list[float] = self.core.smoothing.tolist()
        return added

    @property
    def smooths(self) -> bool:
        """Whether the tree smooths the shares of its classes."""
        return bool(self._smoothing)

    def confidence(self, number: int) -> float | None:
        """Give the share of the class that a node answers, smoothed for people; None if it answers no class.

        A leaf of one case is not sure of its answer: see `thriftwood.models.tree.confidence`.
        """
        label = self.flat.label[number]
        return None if self.regression or label >= self.core.width else smoothed_share(self, number, label)

    # What it answers

    def answers_of(self, table: _core.Table, n_threads: int | None = None) -> NDArray[Any]:
        """Answer every row of an encoded table: with the number of a class, or with a number."""
        threads = self.threads(n_threads)
        return (self.core.predict_numbers if self.regression else self.core.predict_labels)(table, threads)

    def shares_of(self, table: _core.Table, n_threads: int | None = None) -> FloatArray:
        """Give the share of each class where each row of an encoded table ends."""
        return self.core.predict_proba(table, self.threads(n_threads))

    def ledger_of(self, table: _core.Table, costs: Costs, n_threads: int | None = None) -> _core.Ledger:
        """Return what every row of an encoded table buys at these prices."""
        return _core.ledger(self.core, self.prices_of(costs), table, self.threads(n_threads))

    def apply(self, X: Any, *, n_threads: int | None = None) -> NDArray[np.int32]:
        """Give the number of the node where each row ends."""
        return self.core.apply(self.table(X), self.threads(n_threads))

    def decide(self, row: Any) -> Any:
        """Answer one row: its values in the order of `feature_names`, or a mapping from names to values.

        Numbers take a short way, without encoding, as a float array or as a list.
        """
        if isinstance(row, Mapping):
            if self.setup.refuses_missing:
                refuse_missing(self.encoder.rows.encoded(row), self.encoder)
            decision = self.core.decide(self.encoder.rows.numbers(row))
            return decision if self._answers is None else self._answers[int(decision)]
        try:
            decision = self.core.decide(row if self._all_numeric else self._encoded_row(row))
        except ValueError:
            if not self._all_numeric:
                raise
            decision = self.core.decide(self._encoded_row(row))  # None or NA among the numbers
        return decision if self._answers is None else self._answers[int(decision)]

    def cheapest_answer(self, shares: Sequence[float]) -> Any:
        """Give the answer that costs least for a case with these shares, in the order of `classes`."""
        if self._answers is None:
            raise ValueError("A regression tree answers with numbers: there are no classes to choose from.")
        return self._answers[self.core.cheapest_answer(shares)]

    def _encoded_row(self, row: Any) -> list[float]:
        values = list(row)
        if len(values) != self.n_features:
            raise ValueError(f"The row has {len(values)} values, the tree takes {self.n_features} features.")
        return [float(column.encode(v)) for column, v in zip(self.columns, values, strict=True)]

    @cached_property
    def _all_numeric(self) -> bool:
        return all(column.kind is Kind.NUMERIC for column in self.columns)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """What the encoder learnt about each feature."""
        return self.encoder.columns

    def encode(self, X: Any) -> Encoded:
        """Encode a table; a warning if a column that may be asked for has no category of training in it."""
        encoded = super().encode(X)
        if encoded.unseen:
            warn_of_unseen(encoded.unseen, {self.feature_index[name] for name in self.features_asked})
        return encoded

    # How it reads

    def text(
        self,
        max_depth: int | None = None,
        counts: bool = True,
        prices: bool = True,
        color: bool = False,
    ) -> str:
        """Print the tree: a line per node with names, values, counts, answers and prices.

        Parameters
        ----------
        max_depth : int, optional
            Leave out what lies deeper.
        counts : bool
            Whether to print the training weight of the classes at each node.
        prices : bool
            Whether to print, where costs are known, what each test costs on its path, and the bill at leaves.
        color : bool
            Whether to use the colours of a terminal.
        """
        text = tree_text(self, Style(max_depth, counts, prices, color))
        return f"{text}\n{self.note}" if self.note else text

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return tree_html(self)

    def rules(self) -> list[Rule]:
        """Give a rule for each leaf, in the order of the leaves' numbers."""
        return tree_rules(self)

    # Less to ask

    @cached_property
    def idle(self) -> frozenset[int]:
        """The uppermost tests that cannot change the answer: all leaves below give the same one."""
        return uppermost_idle(self)

    def without_idle_tests(self) -> Self:
        """Return a tree in which tests that cannot change the answer are replaced by a leaf.

        Error costs often make all leaves of a test answer alike: the test tells something, and yet is not
        worth its price. For a case without missing values the answer stays the same, for no higher bill.
        What the leaves below knew more exactly is gone: `predict_proba` gives the shares of the replaced
        node, which can also count for a case that a missing value sends down several branches.

        Examples
        --------
        >>> import thriftwood as tw
        >>> costs = tw.Costs({"x0": 3}, errors={"sick": {"well": 50}, "well": {"sick": 1}})
        >>> model = tw.CostTreeClassifier(costs=costs, growth=tw.Growth(max_depth=1))
        >>> tree = model.fit([[1], [1], [2], [2]], ["well", "sick", "sick", "sick"]).tree_
        >>> tree.consult().next_test, tree.without_idle_tests().consult().result
        ('x0', 'sick')
        """
        other = type(self)(without_idle_tests(self), self.encoder, self.classes, self.costs, self.further)
        other.setup = self.setup
        return other

    def with_costs(self, costs: Costs | None) -> Self:
        """Return a tree with other costs."""
        if costs is self.costs or costs == self.costs:
            return self
        other = type(self)(self.core, self.encoder, self.classes, costs, self.further)
        other.setup, other.note = self.setup, self.note
        return other

    # As a model

    @property
    def parts(self) -> tuple[Part, ...]:
        """Itself."""
        return (Part("tree", self),)

    @property
    def single_tree(self) -> Tree:
        """Itself."""
        return self

    @property
    def description(self) -> str:
        """What it is, as part of a sentence."""
        return "a tree"

    def answer_from(self, row: LazyRow, places: NDArray[np.int32]) -> Any:
        """Answer for one row whose values are computed when the walk asks for them."""
        ends = row.endings(self.core, places)
        if len(ends) == 1:
            return self.answer(ends[0][0])
        parts = np.array([[share * one for one in self.shares(node)] for node, share in ends])
        return self.cheapest_answer(parts.sum(axis=0).tolist())

    def to_json(self) -> str:
        """Write the tree as JSON text (`thriftwood.models.files.trees` describes it)."""
        return files.to_text(self)

    @classmethod
    def from_content(cls, content: Any) -> Self:
        """Read a tree from the JSON object that its file is."""
        found = files.parts_of(content)
        tree = cls(found.core, found.encoder, found.classes, found.costs, found.further)
        tree.note = found.note
        return tree

    # Being a value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return (
            self.core == other.core
            and _same_classes(self.classes, other.classes)
            and self.further == other.further
            and self.costs == other.costs
            and self.encoder.feature_names == other.encoder.feature_names
            and self.encoder.columns == other.encoder.columns
        )

    def __hash__(self) -> int:
        return hash(self.core)

    def __reduce__(self) -> tuple[Any, ...]:
        named = (self.further,) if self.further else ()
        whole = type(self), (self.core, self.encoder, self.classes, self.costs, *named)
        return (*whole, {"note": self.note}) if self.note else whole

    def __repr__(self) -> str:
        what = "regression" if self.classes is None else f"classes {list_text(tuple(self.classes.tolist()))}"
        what += f", also answers {list_text(self.further)}" if self.further else ""
        nodes, leaves = counted(self.n_nodes, "node"), counted(self.n_leaves, "leaf", "leaves")
        return f"<Tree: {nodes}, {leaves}, depth {self.depth}, {what}>"


def _checked_classes(classes: ArrayLike | None, core: _core.Tree) -> NDArray[Any] | None:
    if core.regression:
        if classes is not None:
            raise ValueError("A regression tree has no classes. Leave them out.")
        return None
    if classes is None:
        raise ValueError(f"The tree tells {core.width} classes apart. Pass their {core.width} names.")
    if isinstance(classes, np.ndarray) and not classes.flags.writeable and classes.shape == (core.width,):
        return classes  # another tree's: thousands of trees may share them
    names = np.array(classes)
    if names.shape != (core.width,):
        raise ValueError(f"The tree tells {core.width} classes apart, but {names.size} were given.")
    names.flags.writeable = False
    return names


def _checked_further(
    further: Sequence[str] | None, core: _core.Tree, classes: NDArray[Any] | None, costs: Costs | None
) -> tuple[str, ...]:
    """Return the names of the answers that are no class."""
    count = 0 if classes is None else core.n_answers - core.width
    if further is None and classes is not None and costs is not None and count:
        further = costs.further_answers(classes)
    further = further or ()
    if len(further) != count:
        raise ValueError(
            f"The tree has {counted(count, 'answer')} besides its classes, but {len(further)} were named."
        )
    return tuple(further)


def _same_classes(one: NDArray[Any] | None, other: NDArray[Any] | None) -> bool:
    if one is None or other is None:
        return one is other
    # The width of a text type is that of the longest text it once held, and means nothing.
    same_type = one.dtype == other.dtype or one.dtype.kind == other.dtype.kind == "U"
    return same_type and one.tolist() == other.tolist()
