"""`Panel`: several finished trees that answer together, asked one after the other.

A tree is asked only when its answer is needed, and what one tree had measured is free for the others. Who is
asked next, and what is answered, is said by a *rule*: a `Vote` of all in their order, or a `StackedTree`,
a tree whose columns are what the members answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.models.files import panels as panel_files
from thriftwood.models.files import trees as files
from thriftwood.models.files.kinds import TreeFileError, read_as
from thriftwood.models.tree.tree import Tree
from thriftwood.models.voting import StackedTree, VotingRule
from thriftwood.table import Encoder, Kind
from thriftwood.table.columns import Column
from thriftwood.table.native import core_table

if TYPE_CHECKING:
    from thriftwood import Consultation

FloatArray = NDArray[np.float64]


class PanelBill(NamedTuple):
    """The purchases of cases that a panel asks, as the core lists them."""

    ledger: _core.Ledger
    apart: FloatArray
    """Per case: what the members consulted would cost if each paid for its own tests."""
    n_consulted: NDArray[np.int32]


class Panel:
    """Several trees of one table that answer together.

    Parameters
    ----------
    members : sequence of Tree
        The trees, all with the same classes and the same columns.
    rule : Vote or StackedTree
        Who is asked next, and what is answered.
    costs : Costs, optional
        What tests cost.

    Examples
    --------
    >>> from thriftwood.models.voting import Vote
    >>> from thriftwood.learning import CostTreeClassifier, fit_many
    >>> X, y = [[1, 0], [2, 0], [3, 1], [4, 1]], ["no", "no", "yes", "yes"]
    >>> trees = fit_many(CostTreeClassifier(), X, y, rows=[[0, 3], [1, 2], [0, 2]])
    >>> panel = Panel(trees, Vote((1.0, 1.0, 1.0), short_cut=True), Costs({"x0": 3}))
    >>> panel
    <Panel: 3 trees that vote until it is decided, classes no, yes>
    >>> panel.predict([[1, 0], [4, 1]]), panel.n_consulted([[1, 0]])
    (array(['no', 'yes'], dtype='<U3'), array([2], dtype=int32))
    >>> panel.consult().answer(1)
    <PanelConsultation: finished, answer no, bill 3>
    """

    def __init__(self, members: Sequence[Tree], rule: VotingRule, costs: Costs | None = None) -> None:
        _check(members)
        if isinstance(rule, StackedTree):
            _check_stacked_tree(rule, members[0].classes)
        self.members = tuple(panel_files.with_costs(tree, costs) for tree in members)
        self.rule = rule
        self.costs = costs
        self.core  # noqa: B018  it checks that everything fits together

    @cached_property
    def core(self) -> _core.Panel:
        """The panel as the core holds it."""
        trees, rule = [tree.core for tree in self.members], self.rule
        if isinstance(rule, StackedTree):
            return _core.Panel.chaired(trees, rule.tree.core, rule.member, rule.share_of)
        return _core.Panel(
            trees, rule.vote_weights, shares=rule.shares, short_cut=rule.short_cut, tie_ends=rule.tie_ends
        )

    @property
    def classes(self) -> NDArray[Any]:
        """The class labels."""
        classes = self.members[0].classes
        assert classes is not None  # _check
        return classes

    @property
    def encoder(self) -> Encoder:
        """How tables are read."""
        return self.members[0].encoder

    @property
    def columns(self) -> tuple[Column, ...]:
        """What the encoder learnt about each feature."""
        return self.encoder.columns

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the columns; x0, x1, ... if the table had none."""
        return self.members[0].feature_names

    @property
    def feature_index(self) -> dict[str, int]:
        """The place of each feature, by name."""
        return self.members[0].feature_index

    @cached_property
    def features_used(self) -> tuple[str, ...]:
        """The features that may be asked for, in the order of the columns; without surrogates."""
        return tuple(self.feature_names[test] for test in self.core.tests().tolist())

    @cached_property
    def members_asked(self) -> tuple[int, ...]:
        """The numbers of the members that a case may come to, in the order a reader meets them."""
        return tuple(self.core.may_be_consulted())

    @cached_property
    def features_asked(self) -> tuple[str, ...]:
        """The features that a case may be asked for: those tested, tree by tree, then their surrogates."""
        trees = [self.members[number] for number in self.members_asked]
        tested = [name for tree in trees for name in tree.features_used]
        return tuple(dict.fromkeys([*tested, *(name for tree in trees for name in tree.features_asked)]))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the members: from the columns of the stacked tree, or their numbers from 1."""
        if isinstance(self.rule, StackedTree):
            found = dict(zip(self.rule.member[::-1], self.rule.tree.feature_names[::-1], strict=True))
            return tuple(found.get(m, f"tree {m + 1}").partition(": ")[0] for m in range(len(self.members)))
        return tuple(f"tree {m + 1}" for m in range(len(self.members)))

    # What it answers

    def predict(self, X: Any, *, n_threads: int = 1) -> NDArray[Any]:
        """Answer every row of a table."""
        return self.classes.take(self.core.answer(self._table(X), n_threads)[0])

    def predict_proba(self, X: Any, *, n_threads: int = 1) -> FloatArray:
        """Give the share of each class: of the votes cast, or at the leaf of the stacked tree."""
        return self.core.answer(self._table(X), n_threads)[1]

    def n_consulted(self, X: Any, *, n_threads: int = 1) -> NDArray[np.int32]:
        """Count the members that are asked about each row."""
        return self.core.answer(self._table(X), n_threads)[2]

    def bill_of(self, table: _core.Table, prices: _core.Prices, n_threads: int = 1) -> PanelBill:
        """Return what the rows of an encoded table buy."""
        return PanelBill(*self.core.ledger(prices, table, n_threads))

    def consult(
        self, known: Any = None, *, unavailable: Iterable[str] = (), budget: float | None = None
    ) -> Consultation:
        """Start a consultation: one test at a time, each once, across the trees.

        Parameters
        ----------
        known : mapping from names to values, optional
            What is known already, free of charge.
        unavailable : list of names, optional
            Tests that cannot be had; they are not asked for.
        budget : float, optional
            The most that the case may cost. A tree whose test would exceed it ends where it stands.
        """
        from thriftwood import Consultation  # a higher room: asked for when it is called

        return Consultation.of(self, known, unavailable=unavailable, budget=budget)

    def without_idle_tests(self) -> Self:
        """Return a panel whose trees ask no test that cannot change their answer; see `Tree`.

        Members keep theirs where their shares count. For a case without missing values the answer stays the
        same, for no higher bill.
        """
        rule, members = self.rule, list(self.members)
        if isinstance(rule, StackedTree):
            rule = StackedTree(rule.tree.without_idle_tests(), rule.member, rule.share_of)
            answers = all(of < 0 for of in rule.share_of)
        else:
            answers = not rule.shares
        if answers:
            members = [tree.without_idle_tests() for tree in members]
        return type(self)(members, rule, self.costs)

    def _table(self, X: Any) -> _core.Table:
        return core_table(self.encoder.encode(X), self.encoder)

    # Files

    def save(self, path: str | PathLike[str]) -> None:
        """Write the panel to a JSON file; `load` gives an equal one."""
        panel_files.write(self, path)

    def to_json(self) -> str:
        """Write the panel as JSON text (`thriftwood.models.files.panels` describes it)."""
        return panel_files.to_text(self)

    @classmethod
    @read_as("panel")
    def from_json(cls, text: str | bytes) -> Self:
        """Read a panel from the text that `to_json` wrote; the text need not be trusted."""
        return cls.from_content(files.json_of(text))

    @classmethod
    @read_as("panel")
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a panel from a file that `save` wrote; the file need not be trusted."""
        return cls.from_content(files.json_of(files.bytes_of(path)))

    @classmethod
    def from_content(cls, content: Any) -> Self:
        """Read a panel from the JSON object that its file is."""
        parts = panel_files.parts_of(content)
        try:
            return cls(*parts)
        except ValueError as problem:  # trees that do not go together
            raise TreeFileError(str(problem), "panel") from None

    # Being a value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Panel):
            return NotImplemented
        return (self.members, self.rule, self.costs) == (other.members, other.rule, other.costs)

    def __hash__(self) -> int:
        return hash(self.members)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.members, self.rule, self.costs)

    def __repr__(self) -> str:
        trees = counted(len(self.members), "tree")
        if isinstance(self.rule, StackedTree):
            how = f"{trees} asked by another"
        else:
            votes = "votes" if len(self.members) == 1 else "vote"
            how = f"{trees} that {votes}{' until it is decided' if self.rule.short_cut else ''}"
        return f"<Panel: {how}, classes {', '.join(map(str, self.classes.tolist()))}>"


def _check(members: Sequence[Tree]) -> None:
    if not members:
        raise ValueError("A panel has at least one tree, and none was given.")
    first = members[0]
    for tree in members:
        if tree.classes is None or first.classes is None:
            raise ValueError("The trees of a panel answer with classes, and one is a regression tree.")
        if tree.classes.tolist() != first.classes.tolist() or tree.feature_names != first.feature_names:
            raise ValueError("The trees of a panel must have the same columns and classes.")
        if tree.encoder is not first.encoder and tree.columns != first.columns:
            raise ValueError("The trees of a panel must read their columns alike, with the same categories.")


def _check_stacked_tree(upper: StackedTree, classes: NDArray[Any] | None) -> None:
    """Raise unless a stacked tree has the classes of the members, and columns for what they answer."""
    wanted = None if classes is None else classes.tolist()
    found = None if upper.tree.classes is None else upper.tree.classes.tolist()
    if found != wanted:
        raise ValueError(f"The chair of a panel must tell the members' classes apart. Got {found}.")
    for column, of in zip(upper.tree.columns, upper.share_of, strict=False):  # the core compares their number
        if of < 0 and column.kind is Kind.NOMINAL and list(column.categories) != wanted:
            raise ValueError(
                f"{column.label} of the chair is what a member answers, so its categories must be the "
                "classes, in their order."
            )
