"""`Cascade`: tests bought in stages, each with a score card of all that was bought so far.

A case pays for the tests of the first stage, and its card gives the chances of the classes. If the best
answer then is expected to cost little enough it is given; else the case pays for the next stage. The last
stage always answers. Who is sure stops, and who is doubtful buys more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs
from thriftwood.costs.names import counted, in_list
from thriftwood.models.asked import ColumnLedger
from thriftwood.models.cascade_html import cascade_html
from thriftwood.models.cascade_text import cascade_text
from thriftwood.models.files import cascades as cascade_files
from thriftwood.models.files.kinds import TreeFileError
from thriftwood.models.ledger import Charged, FloatArray, Mask
from thriftwood.models.model import Model
from thriftwood.models.score_card import ScoreCard, check_card, column_of
from thriftwood.table import Encoded, Encoder
from thriftwood.table.missing import missing_in


@dataclass(frozen=True, slots=True)
class Stage:
    """Tests that are bought together, and what is made of them.

    Parameters
    ----------
    tests : tuple of int
        The numbers of the features that are bought, in the order in which they are paid.
    card : ScoreCard
        The chances of the classes by everything that was bought in this and the earlier stages.
    stop : float
        The case is answered if the best answer is expected to cost no more than this; infinite in the last
        stage.
    """

    tests: tuple[int, ...]
    card: ScoreCard
    stop: float = np.inf


MOST_LOSS = 1e300
"""Mistakes cost less: sums of what answers are expected to cost stay finite."""


class Ending(NamedTuple):
    """How cases end."""

    answers: NDArray[np.int32]
    shares: FloatArray
    stage: NDArray[np.int32]
    """The number of the stage that answered."""


class Cascade(Model):
    """Tests bought in stages, each with a score card; learnt by `ThriftClassifier`.

    Parameters
    ----------
    stages : list of Stage
        In the order in which a case comes to them.
    loss : array of shape (n_classes, n_answers)
        What it costs to answer (column) where the truth is (row), beyond the best answer: answers and
        stopping go by it. The columns are the classes, and then the answers that are no class.
    encoder : Encoder
        How tables are read.
    classes : array of shape (n_classes,)
        Class labels.
    costs : Costs, optional
        Prices of the tests, for bills and consultations.
    note : str
        A sentence that is shown with it: what was chosen and why.
    further : sequence of str, optional
        The names of the answers that are no class; None: as `costs` names them.

    Examples
    --------
    >>> import thriftwood as tw
    >>> table = tw.load_dataset("wisconsin-diagnostic")
    >>> model = tw.ThriftClassifier(table.costs, leaves="score").fit(table.X, table.y)
    >>> print(model.model_.text().partition(":")[0])
    Points for malignant against benign
    """

    kind: ClassVar[str] = "cascade"
    part_noun: ClassVar[str] = "stage"
    has_file: ClassVar[bool] = True
    parts_answer: ClassVar[bool] = False
    classes: NDArray[Any]

    def __init__(
        self,
        stages: Sequence[Stage],
        loss: FloatArray,
        encoder: Encoder,
        classes: NDArray[Any],
        costs: Costs | None = None,
        note: str = "",
        further: Sequence[str] | None = None,
    ) -> None:
        self.stages = tuple(stages)
        self.loss = np.ascontiguousarray(loss, dtype=np.float64)
        self.encoder = encoder
        self.classes = classes
        self.costs = costs
        self.note = note
        besides = self.loss.ndim == 2 and self.loss.shape[1] > len(classes)
        if further is None:
            further = costs.further_answers(classes) if costs is not None and besides else ()
        self.further = tuple(further)
        _check(self)

    # The tests it may buy

    @cached_property
    def order(self) -> NDArray[np.int32]:
        """The numbers of the features that it may buy, in the order in which they are paid."""
        return np.array([test for stage in self.stages for test in stage.tests], dtype=np.int32)

    @cached_property
    def tests(self) -> NDArray[np.int32]:
        """The numbers of the features that it may buy, in the order of the columns."""
        return np.sort(self.order)

    # What it answers

    def handed(self, encoded: Encoded) -> Encoded:
        """Return an encoded table as it is asked about: columns are added up here, not in the core."""
        return encoded

    def ending(self, table: Encoded) -> Ending:
        """Take every case through the stages."""
        n_rows = table.n_rows
        found = Ending(
            np.zeros(n_rows, dtype=np.int32),
            np.zeros((n_rows, len(self.classes))),
            np.zeros(n_rows, dtype=np.int32),
        )
        left = np.arange(n_rows)
        for number, stage in enumerate(self.stages):
            columns = [column_of(table, feature)[left] for feature in stage.card.features]
            shares = stage.card.shares(columns, len(left))
            expected = self.expected(shares)
            ends = expected.min(axis=1) <= stage.stop
            done = left[ends]
            found.answers[done] = expected[ends].argmin(axis=1)
            found.shares[done] = shares[ends]
            found.stage[done] = number
            left = left[~ends]
        return found

    def expected(self, shares: FloatArray) -> FloatArray:
        """Return what each answer is expected to cost, added up class by class."""
        total = shares[:, :1] * self.loss[0]
        for k in range(1, len(self.loss)):
            total += shares[:, k : k + 1] * self.loss[k]
        return np.asarray(total)

    def answers_of(self, table: Encoded, n_threads: int | None = None) -> NDArray[np.int32]:
        """Give the number of the class that is answered to each row of an encoded table."""
        return self.ending(table).answers

    def shares_of(self, table: Encoded, n_threads: int | None = None) -> FloatArray:
        """Give the chance of each class by the card of the stage that answers."""
        return self.ending(table).shares

    def ledger_of(self, table: Encoded, costs: Costs, n_threads: int | None = None) -> ColumnLedger:
        """Return what every row of an encoded table buys, stage by stage."""
        return self._ledger(table, costs, self.ending(table).stage)

    def charge(self, table: Encoded, costs: Costs, n_threads: int | None = None) -> Charged:
        """Answer every row and list what it buys, and how many stages it came to."""
        ending = self.ending(table)
        ledger = self._ledger(table, costs, ending.stage)
        return Charged(ending.answers, ledger, n_consulted=ending.stage + np.int32(1))

    def delays(self, test: int, costs: Costs) -> bool:
        """Tell whether a test's value comes late, so that the later stages are ordered with it."""
        listed = costs.tests.get(self.feature_names[test])
        return listed is not None and listed.delayed

    def _ledger(self, table: Encoded, costs: Costs, stage: NDArray[np.int32]) -> ColumnLedger:
        """Charge cases that some stages answer, by the rules of the till (`core/accounting/till.hpp`)."""
        last, upfront = len(self.stages) - 1, costs.payment == "upfront"
        lacking = costs.unavailable(lambda: missing_in(table))
        ordered = np.full_like(stage, last) if upfront else stage.copy()
        for number, one in enumerate(self.stages):
            for test in one.tests:
                if self.delays(test, costs):
                    ordered[(stage >= number) & (True if lacking is None else ~lacking[:, test])] = last
        bought = self._bought[ordered]
        return ColumnLedger.of(
            bought if lacking is None else bought & ~lacking,
            self.prices_of(costs),
            self.tests if upfront else self.order,
        )

    @cached_property
    def _bought(self) -> Mask:
        """Tell which tests are bought up to each stage: an array (n_stages, n_features)."""
        bought = np.zeros((len(self.stages), self.n_features), dtype=bool)
        for number, stage in enumerate(self.stages):
            bought[number:, list(stage.tests)] = True
        return bought

    # What it is

    @property
    def size(self) -> str:
        """How many stages it has, in words."""
        return counted(len(self.stages), self.part_noun)

    @property
    def description(self) -> str:
        """What it is, as part of a sentence."""
        return f"a {self.kind} of {self.size}"

    @property
    def how_it_answers(self) -> str:
        """When asking ends, and what is answered, in sentences."""
        return (
            "The tests of a stage are bought together, and its score card gives the chances of the classes. "
            "A case stops where the cheapest answer is expected to cost little enough, and gets that answer."
        )

    @property
    def facts(self) -> dict[str, Any]:
        """The tests and the limit of each stage; no limit in the last."""
        return {
            "stages": [
                {
                    "tests": [self.feature_names[test] for test in stage.tests],
                    "stop": None if stage.stop == np.inf else stage.stop,
                }
                for stage in self.stages
            ]
        }

    def with_costs(self, costs: Costs | None) -> Self:
        """Return the same cascade with other prices; it stops and answers as before."""
        if costs is self.costs or costs == self.costs:
            return self
        other = self.asked_with()
        other.costs = costs
        return other

    # To be read

    def text(self) -> str:
        """Print it as score cards, stage by stage: what is bought, points, who stops with which answer."""
        return cascade_text(self)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return cascade_html(self)

    # Files

    def to_json(self) -> str:
        """Write the cascade as JSON text (`thriftwood.models.files.cascades` describes it)."""
        return cascade_files.to_text(self)

    @classmethod
    def from_content(cls, content: Any) -> Self:
        """Read a cascade from the JSON object that its file is."""
        parts = cascade_files.parts_of(content)
        try:
            return cls([Stage(*one) for one in parts.stages], *parts[1:])
        except ValueError as problem:  # parts that do not go together
            raise TreeFileError(str(problem), "cascade") from None

    # Being a value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cascade):
            return NotImplemented
        return (
            (self.stages, self.costs, self.columns, self.feature_names, self.note)
            == (other.stages, other.costs, other.columns, other.feature_names, other.note)
            and self.classes.tolist() == other.classes.tolist()
            and self.further == other.further
            and np.array_equal(self.loss, other.loss)
        )

    def __hash__(self) -> int:
        return hash(self.stages)

    def __repr__(self) -> str:
        bought = " + ".join(str(len(stage.tests)) for stage in self.stages)
        classes = ", ".join(in_list(str(name)) for name in self.classes.tolist())
        return f"<Cascade: {self.size} of {bought} tests, classes {classes}>"


def _check(cascade: Cascade) -> None:
    """Raise unless the parts of a cascade go together."""
    if not cascade.stages:
        raise ValueError("A cascade has at least one stage, and none was given.")
    n_classes = len(cascade.classes)
    if n_classes < 2:
        raise ValueError("A cascade tells two or more classes apart.")
    loss = cascade.loss
    shape = n_classes, n_classes + len(cascade.further)
    if loss.shape != shape or not (loss >= 0).all() or not loss.max() < MOST_LOSS:
        raise ValueError(f"A cascade knows what each answer costs for each of its {n_classes} classes.")
    bought: set[int] = set()
    for stage in cascade.stages:
        if len(set(stage.tests)) < len(stage.tests) or bought & set(stage.tests):
            raise ValueError("A cascade buys each test once.")
        if not all(0 <= test < cascade.encoder.n_features for test in stage.tests):
            raise ValueError(f"A cascade buys tests of its {cascade.encoder.n_features} columns.")
        bought |= set(stage.tests)
        check_card(stage.card, cascade.columns)
        if stage.card.n_classes != n_classes:
            raise ValueError(f"Each card gives the chances of the {n_classes} classes.")
        if not set(stage.card.features) <= bought:
            raise ValueError("A card counts tests that were bought in its stage or before.")
        if np.isnan(stage.stop) or stage.stop == -np.inf:
            raise ValueError("A stage stops at a number.")
    if cascade.stages[-1].stop != np.inf:
        raise ValueError("The last stage of a cascade answers every case: its stop is infinite.")
