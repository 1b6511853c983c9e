"""`Booster`: stages of small trees whose steps add up to the scores of the classes, asked one after another.

A *stage* is a tree of two-way tests with a step for every class at its leaves. The *share* of a class is
exp(score) over the sum of all, and the *leader* is the class with the largest. Before a case is asked a test
that it has not had, the answer so far is looked at: once the leader's share reaches `stop`, nothing
more is asked (`core/boosting/booster.hpp` has the same rule).
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.costs.answers import cheapest
from thriftwood.models.files import boosters as booster_files
from thriftwood.models.lazy_row import LazyRow
from thriftwood.models.ledger import Charged, FloatArray
from thriftwood.models.model import Model, Part
from thriftwood.models.tree.tree import Tree
from thriftwood.table import Encoder


class Stage(NamedTuple):
    """The arrays of a stage as lists, an entry per node."""

    kind: list[int]
    feature: list[int]
    threshold: list[float]
    first_child: list[int]
    map_offset: list[int]
    missing_route: list[int]
    unseen_route: list[int]
    branch_map: list[int]
    steps: list[list[float]]

    @classmethod
    def of(cls, core: _core.Tree) -> Stage:
        """Read a stage."""
        lists = {name: getattr(core, name).tolist() for name in cls._fields if name != "steps"}
        return cls(**lists, steps=core.values.tolist())


class Booster(Model):
    """A finished booster: what `CostGradientBoostingClassifier` learns.

    Parameters
    ----------
    core : _core.Booster
        The stages.
    encoder : Encoder
        How tables are read.
    classes : array
        The class labels.
    costs : Costs, optional
        What tests and mistakes cost.
    stop : float, optional
        The leader's share that is enough; None: all stages are asked.

    Examples
    --------
    >>> import thriftwood as tw
    >>> X, y = [[1, 0], [2, 0], [3, 1], [4, 1]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> model = tw.CostGradientBoostingClassifier(costs=tw.Costs({"x0": 3, "x1": 1}), stop=0.9).fit(X, y)
    >>> model.booster_.consult().answer(1)
    <BoosterConsultation: finished, answer yes, bill 1, stopped by sure>
    """

    kind: ClassVar[str] = "booster"
    part_noun: ClassVar[str] = "stage"
    parts_answer: ClassVar[bool] = False
    has_file: ClassVar[bool] = True
    classes: NDArray[Any]

    def __init__(
        self,
        core: _core.Booster,
        encoder: Encoder,
        classes: NDArray[Any],
        costs: Costs | None = None,
        stop: float | None = None,
    ) -> None:
        self.core = core
        self.encoder = encoder
        self.classes = classes
        self.costs = costs
        self.stop = stop

    @property
    def n_stages(self) -> int:
        """The number of stages."""
        return self.core.n_stages

    @cached_property
    def tests(self) -> NDArray[np.int32]:
        """The numbers of the features that may be asked for, in the order of the columns."""
        return self.core.tests()

    @cached_property
    def features_asked(self) -> tuple[str, ...]:
        """The features that may be asked for, in the order of the stages."""
        return tuple(dict.fromkeys(name for tree in self.trees for name in tree.features_used))

    @cached_property
    def trees(self) -> list[Tree]:
        """The stages as trees, for their conditions; what their leaves add to the scores is in `stages`."""
        return [Tree(stage, self.encoder, costs=self.costs) for stage in self.core.stages]

    @cached_property
    def stages(self) -> list[Stage]:
        """The stages as lists."""
        return [Stage.of(stage) for stage in self.core.stages]

    @cached_property
    def loss(self) -> FloatArray | None:
        """What classes cost as answers, ``[actual, predicted]``; None: every mistake the same."""
        costs = self.costs
        if costs is None or not costs.names_errors:
            return None
        return np.ascontiguousarray(costs.error_matrix(self.classes)[:, : len(self.classes)])

    # What it answers

    def answers_of(self, table: _core.Table, n_threads: int | None = None) -> NDArray[np.int32]:
        """Give the number of the class of least expected cost for each row of an encoded table."""
        return self._cheapest(self.scores_of(table, n_threads)[0])

    def shares_of(self, table: _core.Table, n_threads: int | None = None) -> FloatArray:
        """Give the share of each class, by the stages that each row of an encoded table was asked."""
        return shares_of_scores(self.scores_of(table, n_threads)[0])

    def n_consulted(self, X: Any, *, n_threads: int | None = None) -> NDArray[np.int32]:
        """Count the stages that each row was asked."""
        return self.scores_of(self.table(X), n_threads)[1]

    def answer_of(self, scores: FloatArray) -> int:
        """Give the number of the class that is answered for one row of scores."""
        return int(scores.argmax()) if self.loss is None else int(self._cheapest(scores[None, :])[0])

    def scores_of(
        self, table: _core.Table, n_threads: int | None = None
    ) -> tuple[FloatArray, NDArray[np.int32]]:
        """Give each row of an encoded table its scores of the classes, and count the stages it was asked."""
        threads = self.threads(n_threads)
        return self.core.scores(table, stop=self.threshold, prices=self.prices, n_threads=threads)

    def ledger_of(self, table: _core.Table, costs: Costs, n_threads: int | None = None) -> _core.Ledger:
        """Return what each row buys at these prices, in order: each test and each shared resource once."""
        return self._walked(table, costs, n_threads)[0]

    def charge(self, table: _core.Table, costs: Costs, n_threads: int | None = None) -> Charged:
        """Answer every row and list what it buys: the tests that were asked until it was sure."""
        ledger, scores, n_consulted = self._walked(table, costs, n_threads)
        return Charged(self._cheapest(scores), ledger, n_consulted=n_consulted)

    def _walked(
        self, table: _core.Table, costs: Costs, n_threads: int | None
    ) -> tuple[_core.Ledger, FloatArray, NDArray[np.int32]]:
        """Ask every row: what it buys, its scores of the classes, and how many stages it was asked."""
        return self.core.ledger(
            self.prices_of(costs),
            table,
            stop=self.threshold,
            prices=self.prices,
            n_threads=self.threads(n_threads),
        )

    def answer_from(self, row: LazyRow, places: NDArray[np.int32]) -> Any:
        """Answer for one row whose values are computed when a stage asks for them."""
        scores = row.scores(self.core, places, self.threshold, self.prices)
        return self.classes.item(self.answer_of(scores))

    def _cheapest(self, scores: FloatArray) -> NDArray[np.int32]:
        return cheapest(shares_of_scores(scores), self.loss)

    @property
    def threshold(self) -> float:
        """The share at which nothing more is asked; infinity: all stages are asked."""
        return math.inf if self.stop is None else float(self.stop)

    # What it is

    @property
    def parts(self) -> tuple[Part, ...]:
        """The stages as trees; what their leaves hold are steps in the scores, not answers."""
        return tuple(Part(f"stage {number}", tree) for number, tree in enumerate(self.trees, 1))

    @property
    def description(self) -> str:
        """What it is, as part of a sentence."""
        return f"a booster of {self.size}"

    @property
    def how_it_answers(self) -> str:
        """Which parts are asked, when asking ends, and what is answered."""
        steps = "The steps of the stages add up to the scores of the classes."
        if self.stop is None or (self.costs is not None and self.costs.payment == "upfront"):
            return f"{steps} All stages are asked."
        return f"{steps} Nothing new is asked once a class has a share of {100 * self.stop:.6g} %."

    @property
    def facts(self) -> dict[str, Any]:
        """When no more is asked."""
        return {"stop": self.stop}

    def with_costs(self, costs: Costs | None) -> Self:
        """Return a booster with other costs."""
        if costs is self.costs or costs == self.costs:
            return self
        other = type(self)(self.core, self.encoder, self.classes, costs, self.stop)
        other.setup = self.setup
        return other

    # Files

    def to_json(self) -> str:
        """Write the booster as JSON text (`thriftwood.models.files.boosters` describes it)."""
        return booster_files.to_text(self)

    @classmethod
    def from_content(cls, content: Any) -> Self:
        """Make a booster of the JSON object that its file is."""
        return cls(*booster_files.parts_of(content))

    # Being a value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Booster):
            return NotImplemented
        mine, others = (
            (one.core, one.columns, one.feature_names, one.classes.tolist(), one.costs, one.stop)
            for one in (self, other)
        )
        return mine == others

    def __hash__(self) -> int:
        return hash(self.core)

    def __repr__(self) -> str:
        stop = "" if self.stop is None else f" until a share of {self.stop:g}"
        return (
            f"<Booster: {self.n_stages} stages{stop}, classes {', '.join(map(str, self.classes.tolist()))}>"
        )


def shares_of_scores(scores: FloatArray) -> FloatArray:
    """Turn scores into shares that add up to 1.

    Examples
    --------
    >>> shares_of_scores(np.log([[1.0, 3.0]]))
    array([[0.25, 0.75]])
    """
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))
