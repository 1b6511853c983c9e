"""`Verdict`: what a case costs, against testing nobody and against today, as one sentence.

Whatever shows a model says this first, and a model that is dearer than either says that first of all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from thriftwood.costs import Costs, Today
from thriftwood.evaluation.intervals import Difference, Interval
from thriftwood.evaluation.statement import amount, words_of

ROUNDING = 1e-9
NOBODY = "testing nobody"


@dataclass(frozen=True)
class Verdict:
    """What a case costs, and what it costs more or less than elsewhere; ``print(verdict)`` is the sentence.

    Attributes
    ----------
    cost : float
        What a case costs on average, tests and mistakes.
    interval : Interval
        Where that lies with 95 % confidence.
    against_nobody, against_today : Difference or None
        What it costs more than if nobody was tested, and than today (less, if negative); None: not known.
    costs : Costs
        Whose words are used: `currency`, `case_name` and `today`.
    basis : str
        What cases it is of, a sentence; "" says nothing.
    in_hindsight : bool
        Whether nobody's answer is the one that turned out cheapest for these cases.

    Examples
    --------
    >>> costs = Costs(currency="EUR", case_name="patient", today=["TSH", "T3"])
    >>> nobody, today = Difference(-11.37, -13.5, -9.2), Difference(-48, -53, -43)
    >>> print(Verdict(26.82, Interval(25.1, 28.6), nobody, today, costs))
    26.82 EUR a patient (25.10 to 28.60): 11.37 (9.20 to 13.50) less than testing nobody, 48 (43 to 53) less
    than today's panel.
    >>> print(Verdict(12, Interval(10, 14), Difference(2, -1, 5), None, costs))
    DEARER THAN TESTING NOBODY: 12 EUR a patient (10 to 14), 2 (-1 to 5) more than testing nobody, which
    may be chance.
    """

    cost: float
    interval: Interval
    against_nobody: Difference | None
    against_today: Difference | None
    costs: Costs
    basis: str = ""
    in_hindsight: bool = False

    @property
    def dearer_than(self) -> tuple[str, ...]:
        """What would be cheaper: "testing nobody", "today's panel", both, or neither."""
        return tuple(name for name, more in self._known if more.mean > self._tolerance)

    @property
    def sentence(self) -> str:
        """The verdict in words; what is cheaper comes first, in capitals."""
        words, (low, high) = words_of(self.costs), map(amount, self.interval)
        cost = f"{words.money(self.cost)} {words.a_one} ({low} to {high})"
        dearer = self.dearer_than
        lead = f"DEARER THAN {' AND '.join(dearer).upper()}: " if dearer else ""
        known = sorted(self._known, key=lambda one: one[0] not in dearer)
        against = ", ".join(self._compared(name, more) for name, more in known)
        join = ", " if dearer else ": "
        said = f"{lead}{cost}{join}{against}." if against else f"{lead}{cost}."
        practice = self.costs.today
        if self.against_today is not None and practice is not None and practice.model is not None:
            said += " Today's model is taken not to have learnt from them."
        return f"{said} {self.basis}" if self.basis else said

    def __str__(self) -> str:
        return self.sentence

    @property
    def content(self) -> dict[str, Any]:
        """The verdict as plain values."""
        return {
            "sentence": self.sentence,
            "cost": self.cost,
            "interval": list(self.interval),
            "against_nobody": self.against_nobody and self.against_nobody._asdict(),
            "against_today": self.against_today and self.against_today._asdict(),
            "dearer_than": list(self.dearer_than),
            "basis": self.basis,
            "in_hindsight": self.in_hindsight,
            "currency": self.costs.currency,
            "case_name": self.costs.case_name,
        }

    @property
    def _known(self) -> list[tuple[str, Difference]]:
        found = [(NOBODY, self.against_nobody), (today_words(self.costs.today), self.against_today)]
        return [(name, more) for name, more in found if more is not None]

    @property
    def _tolerance(self) -> float:
        return ROUNDING * max(1.0, abs(self.cost))

    def _compared(self, name: str, more: Difference) -> str:
        if self.in_hindsight and name == NOBODY:
            name += " (with the answer that turned out cheapest)"
        if abs(more.mean) <= self._tolerance:
            return f"the same as {name}"
        chance = ", which may be chance" if more.low <= 0 <= more.high else ""
        if more.mean > 0:
            return f"{amount(more.mean)} ({amount(more.low)} to {amount(more.high)}) more than {name}{chance}"
        return f"{amount(-more.mean)} ({amount(-more.high)} to {amount(-more.low)}) less than {name}{chance}"


def today_words(today: Today | None) -> str:
    """Return what today's practice is called in a sentence.

    Examples
    --------
    >>> today_words(Today(["TSH"])), today_words(Today(answers="said")), today_words(Today(model="m.json"))
    ("today's panel", "today's answers", "today's model")
    """
    if today is None or (today.tests is not None and today.answers is None):
        return "today's panel"
    return "today's answers" if today.answers is not None else "today's model"
