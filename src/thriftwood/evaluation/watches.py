"""`Watch`: what the watchdog found out about new cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.evaluation.statement import Part, amount, as_html, as_text, words_of
from thriftwood.models.tree.conditions import category_text
from thriftwood.table.results import to_frame

FloatArray = NDArray[np.float64]

SHOWN = 12
"""Checks that are printed; `Watch.checks` has all."""

FREE = Costs()
FEW = 20
"""Of fewer new cases a column must be quite another one before chance is out of the question."""

HOPEFUL = (
    "errors: by the model's own chances, which are hopeful, as they come from the cases it learnt from; both "
    "columns alike"
)


@dataclass(frozen=True, slots=True)
class Check:
    """One difference that was looked at.

    Attributes
    ----------
    column : str
        The column it is of; "the answers" for what the model answers.
    what : str
        Which: "branches" of the tree's tests of the column, its "values", "categories" that were not there in
        training, or "answers".
    p_value : float
        How likely so large a difference is if nothing changed, adjusted for the number of checks.
    largest : str
        The largest change, in words.
    state : str
        "moved" if that is no more than the rate of false alarms; "follows" if it is, too, but may differ only
        because a column moved that is asked above it; "suspected" if it is not clear by itself, but a column
        that moved may follow from it; otherwise empty.
    """

    column: str
    what: str
    p_value: float
    largest: str
    state: str = ""

    @property
    def alarms(self) -> bool:
        """Whether it is too unlikely for chance."""
        return self.state in ("moved", "follows")


@dataclass(frozen=True, eq=False, repr=False)
class Watch:
    """What new cases cost, and whether they are of the same kind as those of training.

    Made by `watchdog`; ``print(watch)`` shows it.

    Attributes
    ----------
    n_cases, n_compared : int
        How many new cases there are, and how many they are compared with.
    compared_with : str
        What these are: "training" or "reference".
    rate : float
        How likely an alarm is, at most, if nothing changed.
    checks : tuple of Check
        What was looked at, the least likely first.
    mean_test_cost : float
        What the tests of a new case cost.
    mean_error_cost : float or None
        What the answer to a new case is expected to cost.
    why_no_errors : str
        Why there is no such figure; empty if there is one.
    usual_test_cost, usual_error_cost : float or None
        The same of the cases compared with, where it is known.
    missing : dict of str to float
        The share of missing values in each column that the model may ask for.
    leaves : dict of str to array, or None
        Of a tree: the number of every ``node`` where cases end, and the ``share`` of new cases and the
        ``usual`` share that end there.
    remarks : tuple of str
        What else should be known.
    costs : Costs
        What was charged.
    """

    n_cases: int
    n_compared: int
    compared_with: str
    rate: float
    checks: tuple[Check, ...]
    mean_test_cost: float
    mean_error_cost: float | None
    why_no_errors: str
    usual_test_cost: float | None
    usual_error_cost: float | None
    missing: dict[str, float]
    leaves: dict[str, Any] | None
    remarks: tuple[str, ...] = ()
    costs: Costs = FREE

    @property
    def alarm(self) -> bool:
        """Whether anything moved."""
        return any(check.alarms for check in self.checks)

    @property
    def moved(self) -> tuple[str, ...]:
        """The columns that moved, the least likely first; without those that may follow from others."""
        return self._in_state("moved")

    @property
    def suspected(self) -> tuple[str, ...]:
        """Columns that one of `moved` may follow from, though they are not clear by themselves."""
        return self._in_state("suspected")

    def _in_state(self, state: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(check.column for check in self.checks if check.state == state))

    @property
    def mean_cost(self) -> float | None:
        """What a new case is expected to cost: tests and answer."""
        return None if self.mean_error_cost is None else self.mean_test_cost + self.mean_error_cost

    @property
    def usual_cost(self) -> float | None:
        """The same of the cases compared with, where it is known."""
        if self.usual_test_cost is None or self.usual_error_cost is None:
            return None
        return self.usual_test_cost + self.usual_error_cost

    @property
    def table(self) -> Any:
        """A frame with a row per check, the least likely first, and the attributes of `Check` as columns."""
        keys = "column", "what", "p_value", "state", "largest"
        return to_frame({key: [getattr(check, key) for check in self.checks] for key in keys})

    @property
    def sentence(self) -> str:
        """Whether there is an alarm, and what moved."""
        cases, usual = self.new_cases, f"the {self.n_compared:,} of {self.compared_with}"
        if not self.checks:
            return f"No alarm, as there is nothing to check: the model asks for no test. {cases}."
        if not self.alarm:
            few = " So few show only what is glaring." if self.n_cases < FEW else ""
            differ = "differs" if self.n_cases == 1 else "differ"
            return f"No alarm: {cases} {differ} no more from {usual} than by chance.{few}"
        names = _listed(self.moved, "and")
        if self.suspected:
            names += f", or {_listed(self.suspected, 'or')}, asked above,"
        return f"Alarm: {names} moved. {cases}, compared with {usual}."

    @property
    def new_cases(self) -> str:
        """How many there are, in words."""
        costs = self.costs
        return counted(self.n_cases, f"new {costs.case_name}", f"new {costs.cases_name}")

    def parts(self) -> list[Part]:
        """Return what is printed below the sentence."""
        return [_costs(self), *([_checks(self)] if self.checks else [])]

    def __str__(self) -> str:
        notes = "".join(f"\nNote: {remark}" for remark in self.remarks)
        return f"{self.sentence}{self.changes}\n\n{as_text(self.parts())}{notes}"

    @property
    def changes(self) -> str:
        """The largest change of each column that moved, a line each."""
        own = (check.largest for check in self.checks if check.state in ("moved", "suspected"))
        return "".join(f"\n  {largest}" for largest in own)

    def _repr_html_(self) -> str:
        return as_html(self.parts())

    def __repr__(self) -> str:
        state = f"alarm, {', '.join(self.moved)}" if self.alarm else "no alarm"
        return f"<Watch: {state}, {words_of(self.costs).counted(self.n_cases)}>"


def _listed(names: tuple[str, ...], word: str) -> str:
    *first, last = map(category_text, names)
    return f"{', '.join(first)} {word} {last}" if first else last


def _costs(watch: Watch) -> Part:
    def figure(value: float | None) -> str:
        return "-" if value is None else amount(value)

    rows = [
        ["tests", figure(watch.mean_test_cost), figure(watch.usual_test_cost)],
        ["errors, expected", figure(watch.mean_error_cost), figure(watch.usual_error_cost)],
        ["together", figure(watch.mean_cost), figure(watch.usual_cost)],
    ]
    notes: tuple[str, ...] = (f"no errors: {watch.why_no_errors}",)
    if watch.mean_error_cost is not None:
        notes = (HOPEFUL,)
    words = words_of(watch.costs)
    title = f"What {words.a_one} costs, {watch.new_cases}{words.unit}"
    return Part(title, ["", "new", watch.compared_with], rows, notes)


def _checks(watch: Watch) -> Part:
    rows = [
        [
            category_text(check.column),
            check.what,
            check.state,
            "< 0.0001" if check.p_value < 0.0001 else f"{check.p_value:.4f}",
        ]
        for check in watch.checks[:SHOWN]
    ]
    more = len(watch.checks) - len(rows)
    notes = [f"and {more:,} more"] * bool(more)
    notes.append(
        f"p: how likely so large a difference is in any of the {counted(len(watch.checks), 'check')} if "
        f"nothing changed; it moved if that is at most {watch.rate:g}"
    )
    if any(check.state == "follows" for check in watch.checks):
        notes.append(
            "follows: differs below a test of a column that moved, where other cases come than in training"
        )
    title = f"Against {watch.compared_with}"
    return Part(title, ["column", "of", "", "p"], rows, tuple(notes))
