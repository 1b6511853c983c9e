"""`Panel`: several finished trees that answer together, asked one after the other.

A tree is asked only when its answer is needed, and what one tree had measured is free for the others. Who is
asked next, and what is answered, is said by a *rule*: a `Vote` of all in their order, or a `StackedTree`,
a tree whose columns are what the members answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.models.files import panels as panel_files
from thriftwood.models.files.kinds import TreeFileError
from thriftwood.models.lazy_row import LazyRow
from thriftwood.models.ledger import Charged, FloatArray
from thriftwood.models.model import Model, Part
from thriftwood.models.tree.tree import Tree
from thriftwood.models.voting import StackedTree, VotingRule
from thriftwood.table import Encoder, Kind


class Panel(Model):
    """Several trees of one table that answer together.

    Parameters
    ----------
    members : sequence of Tree
        The trees, all with the same classes and the same columns.
    rule : Vote or StackedTree
        Which member is asked next, and what is answered.
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

    kind: ClassVar[str] = "panel"
    has_file: ClassVar[bool] = True
    classes: NDArray[Any]
    encoder: Encoder

    def __init__(self, members: Sequence[Tree], rule: VotingRule, costs: Costs | None = None) -> None:
        _check(members)
        if isinstance(rule, StackedTree):
            _check_stacked_tree(rule, members[0].classes)
        self.members = tuple(tree.with_costs(costs) for tree in members)
        first = self.members[0]
        assert first.classes is not None  # _check
        self.classes, self.encoder = first.classes, first.encoder
        self.rule = rule
        self.costs = costs
        self.core  # noqa: B018  it checks that everything fits together

    @cached_property
    def core(self) -> _core.Panel:
        """The panel as the core holds it."""
        trees, rule = [tree.core for tree in self.members], self.rule
        if isinstance(rule, StackedTree):
            return _core.Panel.stacked(trees, rule.tree.core, rule.member, rule.share_of)
        return _core.Panel(
            trees, rule.vote_weights, shares=rule.shares, short_cut=rule.short_cut, tie_ends=rule.tie_ends
        )

    @cached_property
    def tests(self) -> NDArray[np.int32]:
        """The numbers of the features that may be asked for, in the order of the columns."""
        return self.core.tests()

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

    def answers_of(self, table: _core.Table, n_threads: int | None = None) -> NDArray[np.int32]:
        """Give the number of the class that is answered to each row of an encoded table."""
        return self.core.answer(table, self.threads(n_threads))[0]

    def shares_of(self, table: _core.Table, n_threads: int | None = None) -> FloatArray:
        """Give the share of each class: in the votes of the members asked, or where the stacked tree ends."""
        return self.core.answer(table, self.threads(n_threads))[1]

    def n_consulted(self, X: Any, *, n_threads: int | None = None) -> NDArray[np.int32]:
        """Count the members that are asked about each row."""
        return self.core.answer(self.table(X), self.threads(n_threads))[2]

    def ledger_of(self, table: _core.Table, costs: Costs, n_threads: int | None = None) -> _core.Ledger:
        """Return what every row of an encoded table buys, in the order of consultation."""
        return self.core.ledger(self.prices_of(costs), table, self.threads(n_threads))[0]

    def charge(self, table: _core.Table, costs: Costs, n_threads: int | None = None) -> Charged:
        """Answer every row and list what it buys, and what each tree would cost apart."""
        ledger, apart, (answers, _, n_consulted) = self.core.ledger(
            self.prices_of(costs), table, self.threads(n_threads)
        )
        return Charged(answers, ledger, apart, n_consulted)

    def answer_from(self, row: LazyRow, places: NDArray[np.int32]) -> Any:
        """Answer for one row whose values are computed when a member asks for them."""
        return self.classes.item(row.decide(self.core, places))

    # What it is

    @property
    def parts(self) -> tuple[Part, ...]:
        """The members."""
        rule = self.rule
        if isinstance(rule, StackedTree):
            paid = [rule.price_of(place) for place in range(len(self.members))]
            return tuple(
                Part(name, tree, price=price)
                for name, tree, price in zip(self.names, self.members, paid, strict=True)
            )
        return tuple(map(Part, self.names, self.members, rule.vote_weights))

    @property
    def parts_asked(self) -> tuple[int, ...]:
        """The places of the members that a case may come to, in the order a reader meets them."""
        return self.members_asked

    @property
    def stacked_tree(self) -> Tree | None:
        """The tree that asks the members, where there is no vote."""
        return self.rule.tree if isinstance(self.rule, StackedTree) else None

    @property
    def how_it_answers(self) -> str:
        """Which parts are asked, when asking ends, and what is answered."""
        return self.rule.how_it_answers

    @property
    def facts(self) -> dict[str, Any]:
        """How the members decide together."""
        return {"rule": self.rule.facts}

    def with_costs(self, costs: Costs | None) -> Self:
        """Return a panel with other costs."""
        if costs is self.costs or costs == self.costs:
            return self
        other = type(self)(self.members, self.rule, costs)
        other.setup = self.setup
        return other

    def without_idle_tests(self) -> Self:
        """Return a panel whose trees ask no test that cannot change their answer; see `Tree`.

        Members keep theirs where their shares count. For a case without missing values the answer stays the
        same, for no higher bill.
        """
        rule, members = self.rule, list(self.members)
        if isinstance(rule, StackedTree):
            rule = StackedTree(rule.tree.without_idle_tests(), rule.member, rule.share_of)
            answers = not rule.goes_by_shares
        else:
            answers = not rule.shares
        if answers:
            members = [tree.without_idle_tests() for tree in members]
        other = type(self)(members, rule, self.costs)
        other.setup = self.setup
        return other

    # Files

    def to_json(self) -> str:
        """Write the panel as JSON text (`thriftwood.models.files.panels` describes it)."""
        return panel_files.to_text(self)

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
        raise ValueError(f"The stacked tree of a panel must tell the members' classes apart. Got {found}.")
    for column, of in zip(upper.tree.columns, upper.share_of, strict=False):  # the core compares their number
        if of < 0 and column.kind is Kind.NOMINAL and list(column.categories) != wanted:
            raise ValueError(
                f"{column.label} of the stacked tree is what a member answers, so its categories must be the "
                "classes, in their order."
            )
