"""Score cards as a plan: what the writers of cascades read, and nothing that belongs to one language.

Tests are numbered in the order in which they are bought, and encoded as those of a tree. Ordered categories
have their points one by one, so that only numbers are counted in proportion.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from thriftwood.costs import Costs
from thriftwood.export.plan import Asked, priced
from thriftwood.models.cascade import Cascade
from thriftwood.models.score_card import CategoryPoints, NumberPoints
from thriftwood.table import Kind


@dataclass(frozen=True, slots=True)
class Counting:
    """What one test adds to the scores.

    Parameters
    ----------
    test : int
        Its number in the plan.
    at : tuple of float or None
        The values of a number that points are given at; None for categories.
    points : tuple of tuple of float
        The points at each value, or of each category; an entry for each score.
    slopes : tuple of tuple of float
        What a number adds in proportion, from each value to the next.
    missing : tuple of float
        The points of a missing value; a category that is unseen has none.
    """

    test: int
    at: tuple[float, ...] | None
    points: tuple[tuple[float, ...], ...]
    slopes: tuple[tuple[float, ...], ...]
    missing: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CardStage:
    """A stage.

    Parameters
    ----------
    tests : range
        The numbers of the tests that it buys.
    base : tuple of float
        Where counting begins.
    counted : tuple of Counting
        What is added, in order.
    stop : float
        The expected cost up to which a case is answered; infinite where every case is.
    """

    tests: range
    base: tuple[float, ...]
    counted: tuple[Counting, ...]
    stop: float


@dataclass(frozen=True)
class CascadePlan:
    """A cascade, ready to be written in another language. Made by `cascade_plan`.

    Parameters
    ----------
    tests : tuple of Asked
        What can be asked, in the order in which it is bought.
    stages : tuple of CardStage
        In the order in which a case comes to them.
    delayed : tuple of int
        The tests whose values come late: the tests of all later stages are ordered with them.
    classes : tuple
        The class labels.
    further : tuple of str
        The answers that are no class; their numbers follow those of the classes.
    loss : tuple of float
        What answers cost, ``[actual][answer]`` row by row.
    resources : tuple of float
        The prices of shared resources.
    upfront : tuple of int
        The tests that are bought before anything is asked.
    charge_missing : bool
        Whether a test without a value is paid.
    """

    tests: tuple[Asked, ...]
    stages: tuple[CardStage, ...]
    delayed: tuple[int, ...]
    classes: tuple[Any, ...]
    further: tuple[str, ...]
    loss: tuple[float, ...]
    resources: tuple[float, ...]
    upfront: tuple[int, ...]
    charge_missing: bool

    @property
    def answers(self) -> tuple[Any, ...]:
        """The classes, then the answers that are none."""
        return (*self.classes, *self.further)

    @property
    def n_scores(self) -> int:
        """One for two classes, else one for each class."""
        return len(self.stages[0].base)


def cascade_plan(cascade: Cascade) -> CascadePlan:
    """Make the plan of a cascade.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf")
    >>> made = cascade_plan(tw.ThriftClassifier(leaves="score").fit(golf.X, golf.y).cascade_)
    >>> made.tests, len(made.stages), made.answers
    ((), 1, ('No', 'Yes'))
    """
    costs = cascade.costs or Costs()
    order = cascade.order.tolist()
    number = {feature: test for test, feature in enumerate(order)}
    tests, resources = priced(cascade, costs.compile(cascade.feature_names), order)
    stages, first = [], 0
    for stage in cascade.stages:
        stages.append(
            CardStage(
                range(first, first + len(stage.tests)),
                tuple(map(float, stage.card.base)),
                tuple(_counting(cascade, entry, number[entry.feature]) for entry in stage.card.entries),
                stage.stop,
            )
        )
        first += len(stage.tests)
    upfront = costs.payment == "upfront"
    return CascadePlan(
        tests=tests,
        stages=tuple(stages),
        delayed=tuple(number[test] for test in order if cascade.delays(test, costs)),
        classes=tuple(cascade.classes.tolist()),
        further=cascade.further,
        loss=tuple(cascade.loss.ravel().tolist()),
        resources=resources,
        upfront=tuple(number[test] for test in cascade.tests.tolist()) if upfront else (),
        charge_missing=costs.charge_missing,
    )


def _counting(cascade: Cascade, entry: NumberPoints | CategoryPoints, test: int) -> Counting:
    column = cascade.columns[entry.feature]
    missing = tuple(map(float, entry.missing))
    if isinstance(entry, NumberPoints) and column.kind is Kind.NUMERIC:
        points = np.array(entry.points, dtype=np.float64)
        slopes = np.diff(points, axis=0) / np.diff(np.array(entry.at))[:, None]  # as `NumberPoints.of`
        return Counting(test, tuple(map(float, entry.at)), _rows(points), _rows(slopes), missing)
    ranks = np.arange(len(column.categories))
    each = entry.of(ranks.astype(np.int32 if isinstance(entry, CategoryPoints) else np.float64))
    return Counting(test, None, _rows(each), (), missing)


def _rows(table: Any) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, table.tolist()))


def finite_stop(stage: CardStage) -> float | None:
    """Return where a stage stops; None if every case stops there."""
    return None if math.isinf(stage.stop) else stage.stop
