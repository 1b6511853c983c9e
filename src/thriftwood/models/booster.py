"""`Booster`: stages of small trees whose steps add up to the scores of the classes, asked one after another.

A *stage* is a tree of two-way tests with a step for every class at its leaves. The *share* of a class is
exp(score) over the sum of all, and the *leader* is the class with the largest. Before a case is asked a test
that it has not had, the answer so far is looked at: once the leader's share reaches `stop`, nothing
more is asked (`core/boosting/booster.hpp` has the same rule).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.costs.answers import cheapest
from thriftwood.models.files import boosters as booster_files
from thriftwood.models.files import trees as files
from thriftwood.models.files.kinds import read_as
from thriftwood.models.tree.tree import Tree
from thriftwood.table import Encoder
from thriftwood.table.columns import Column
from thriftwood.table.native import table_to_ask

if TYPE_CHECKING:
    from thriftwood import Consultation

FloatArray = NDArray[np.float64]


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


class Booster:
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

    @property
    def columns(self) -> tuple[Column, ...]:
        """What the encoder learnt about each feature."""
        return self.encoder.columns

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the columns; x0, x1, ... if the table had none."""
        named = self.encoder.feature_names
        return tuple(f"x{j}" for j in range(self.encoder.n_features)) if named is None else tuple(named)

    @cached_property
    def feature_index(self) -> dict[str, int]:
        """The place of each feature, by name."""
        return {name: feature for feature, name in enumerate(self.feature_names)}

    @cached_property
    def features_used(self) -> tuple[str, ...]:
        """The features that may be asked for, in the order of the columns."""
        return tuple(self.feature_names[test] for test in self.core.tests().tolist())

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
        """What answers cost, ``[actual, predicted]``; None: every mistake the same."""
        costs = self.costs
        if costs is None or (costs.errors is None and costs.errors_default is None):
            return None
        return costs.error_matrix(self.classes)

    # What it answers

    def predict(self, X: Any, *, n_threads: int = 1) -> NDArray[Any]:
        """Give the answers of least expected cost."""
        shares = self.predict_proba(X, n_threads=n_threads)
        return np.asarray(self.classes.take(cheapest(shares, self.loss)))

    def predict_proba(self, X: Any, *, n_threads: int = 1) -> FloatArray:
        """Give the share of each class, by the stages that each row was asked."""
        return shares_of_scores(self._scored(X, n_threads)[0])

    def n_consulted(self, X: Any, *, n_threads: int = 1) -> NDArray[np.int32]:
        """Count the stages that each row was asked."""
        return self._scored(X, n_threads)[1]

    def answer_of(self, scores: FloatArray) -> int:
        """Give the number of the class that is answered for one row of scores."""
        if self.loss is None:
            return int(scores.argmax())
        return int(cheapest(shares_of_scores(scores[None, :]), self.loss)[0])

    def ledger(self, X: Any, costs: Costs, *, n_threads: int = 1) -> _core.Ledger:
        """Return what each row buys at these prices, in order: each test and each shared resource once."""
        charged = _core.Prices(costs.compile(self.feature_names))
        return self.core.ledger(
            charged, self._table(X), stop=self.threshold, prices=self.prices, n_threads=n_threads
        )

    def consult(
        self, known: Any = None, *, unavailable: Iterable[str] = (), budget: float | None = None
    ) -> Consultation:
        """Start a consultation: one test at a time, until the answer is sure.

        Parameters
        ----------
        known : mapping from names to values, optional
            What is known already, free of charge.
        unavailable : list of names, optional
            Tests that cannot be had; they are not asked for.
        budget : float, optional
            The most that the case may cost. What would exceed it is not bought, and the case ends there.
        """
        from thriftwood import Consultation  # a higher room: asked for when it is called

        return Consultation.of(self, known, unavailable=unavailable, budget=budget)

    @property
    def threshold(self) -> float:
        """The share at which nothing more is asked; infinity: all stages are asked."""
        return math.inf if self.stop is None else float(self.stop)

    @cached_property
    def prices(self) -> _core.Prices | None:
        """The price list, for what is delayed or paid upfront."""
        return None if self.costs is None else _core.Prices(self.costs.compile(self.feature_names))

    # Files

    def save(self, path: str | PathLike[str]) -> None:
        """Write the booster to a JSON file; `load` gives an equal one."""
        booster_files.write(self, path)

    def to_json(self) -> str:
        """Write the booster as JSON text (`thriftwood.models.files.boosters` describes it)."""
        return booster_files.to_text(self)

    @classmethod
    def from_content(cls, content: Any) -> Self:
        """Make a booster of the object that a file is; it need not be trusted."""
        return cls(*booster_files.parts_of(content))

    @classmethod
    @read_as("booster")
    def from_json(cls, text: str | bytes) -> Self:
        """Read a booster from the text that `to_json` wrote; the text need not be trusted."""
        return cls.from_content(files.json_of(text))

    @classmethod
    @read_as("booster")
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a booster from a file that `save` wrote; the file need not be trusted."""
        return cls.from_content(files.json_of(files.bytes_of(path)))

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

    def _table(self, X: Any) -> _core.Table:
        return table_to_ask(self.encoder, X, refuses_missing=False)

    def _scored(self, X: Any, n_threads: int) -> tuple[FloatArray, NDArray[np.int32]]:
        table = self._table(X)
        return self.core.scores(table, stop=self.threshold, prices=self.prices, n_threads=n_threads)


def shares_of_scores(scores: FloatArray) -> FloatArray:
    """Turn scores into shares that add up to 1.

    Examples
    --------
    >>> shares_of_scores(np.log([[1.0, 3.0]]))
    array([[0.25, 0.75]])
    """
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))
