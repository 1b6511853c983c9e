"""`BreakEvens`: what `break_even` found."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from thriftwood.costs import Costs
from thriftwood.costs.names import counted, in_list, nearest
from thriftwood.evaluation import statement
from thriftwood.evaluation.whatif.varied import Kind
from thriftwood.evaluation.whatif.words import listed
from thriftwood.table.results import to_frame

NAMED = 5
"""Tests that a sentence names."""


@dataclass(frozen=True)
class Worth:
    """What a test, or a shared resource, is worth.

    Attributes
    ----------
    name : str
        The test, or the resource.
    kind : {"price", "shared"}
        Which of them it is.
    price : float
        What it costs today.
    break_even : float
        The most that should be paid for it: up to this price the tree of all cases buys it. 0: not even as a
        gift; infinite: whatever it costs.
    share : float
        The share of all cases that buy it today, at full price or for less after others of its group.
    cost_without : float
        What an unseen case costs if it cannot be had, estimated by folds.
    saves, low, high : float
        What it saves an unseen case, on the same cases with it and without, and the 95 % interval of that.
    """

    name: str
    kind: Kind
    price: float
    break_even: float
    share: float
    cost_without: float
    saves: float
    low: float
    high: float


@dataclass(frozen=True, eq=False, repr=False)
class BreakEvens:
    """What tests are worth, most saving first. Made by `break_even`; ``print(found)`` shows it.

    Iterating gives a `Worth` for each test and each shared resource; ``found["FTI"]`` is that of one.

    Attributes
    ----------
    worths : tuple of Worth
        After Ctrl-C those that were done.
    costs : Costs
        The price list.
    cost, low, high : float
        What an unseen case costs at today's prices, estimated by folds, and the 95 % interval of that.
    untested_cost : float
        What an unseen case costs if nobody is tested.
    words : str
        What was learnt.
    n_fits : int
        How many trees were learnt.
    n_folds : int
        How many parts of the cases were held out in turn.
    interrupted : bool
        Whether Ctrl-C came before all was found.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> found = tw.break_even(golf.X, golf.y, golf.costs.replace(errors_default=20), folds=3)
    >>> sorted(worth.name for worth in found)
    ['Humidity', 'Outlook', 'Temp', 'Wind']
    """

    worths: tuple[Worth, ...]
    costs: Costs
    cost: float
    low: float
    high: float
    untested_cost: float
    words: str
    n_fits: int
    n_folds: int
    interrupted: bool = False

    def __len__(self) -> int:
        return len(self.worths)

    def __iter__(self) -> Iterator[Worth]:
        return iter(self.worths)

    def __getitem__(self, name: str) -> Worth:
        for worth in self.worths:
            if worth.name == name:
                return worth
        raise KeyError(f"{name!r} has no price here. {nearest(name, [worth.name for worth in self.worths])}")

    @property
    def columns(self) -> dict[str, Any]:
        """The worths by columns; see `table`."""
        numbers = ("price", "break_even", "share", "cost_without", "saves", "low", "high")
        found: dict[str, Any] = {name: [getattr(worth, name) for worth in self] for name in ("name", "kind")}
        return found | {name: np.array([getattr(worth, name) for worth in self]) for name in numbers}

    @property
    def table(self) -> Any:
        """A frame with a row for each test and each shared resource; its columns are those of `Worth`."""
        return to_frame(self.columns)

    @property
    def sentence(self) -> str:
        """What was found, in words."""
        less = "less, " if self.untested_cost < self.cost else ""
        said = [
            f"An unseen {self.costs.case_name} costs {self._money(self.cost)} at today's prices; testing "
            f"nobody costs {less}{self._money(self.untested_cost)}."
        ]
        dear = [worth for worth in self if worth.share <= 1e-9]
        if len(dear) == len(self):
            said += ["No test is worth its price today.", *self._nearest(dear)]
        else:
            said.append(self._best())
        if 0 < len(dear) < len(self):
            names = listed([in_list(worth.name) for worth in dear])
            who = names if len(dear) <= NAMED else f"{len(dear)} of {len(self)}"
            said.append(f"{who} {'is' if len(dear) == 1 else 'are'} not bought at today's prices.")
        if self.interrupted:
            said.append("Ctrl-C was pressed before all was found.")
        return " ".join(said)

    def _money(self, value: float) -> str:
        return statement.words_of(self.costs).money(value)

    def _best(self) -> str:
        """Say what saves most."""
        proven = [worth for worth in self if worth.low > 0.0]
        if not proven:
            return "No single test is proven to save anything: no interval of what one saves lies above 0."
        best = proven[0]
        lead = "saves most" if best is self.worths[0] else "is proven to save"
        most = "whatever it costs" if math.isinf(best.break_even) else f"up to {self._money(best.break_even)}"
        return (
            f"{best.name} {lead}: without it a {self.costs.case_name} costs {self._money(best.saves)} "
            f"more. It costs {self._money(best.price)} now and is bought {most}."
        )

    def _nearest(self, dear: list[Worth]) -> list[str]:
        """Say which test comes nearest to being bought."""
        one = min(dear, key=lambda worth: worth.price - worth.break_even)
        if one.break_even <= 0.0:
            return []
        price, most = self._money(one.price), self._money(one.break_even)
        return [f"{one.name} comes nearest: it costs {price} and is bought up to {most}."]

    def part(self) -> statement.Part:
        """Give them as a small table to be shown."""
        amount = statement.amount
        rows = [
            [
                worth.name + (" (shared)" if worth.kind == "shared" else ""),
                amount(worth.price),
                "any" if math.isinf(worth.break_even) else amount(worth.break_even),
                f"{100 * worth.share:.1f} %",
                amount(worth.cost_without),
                amount(worth.saves)
                if worth.saves == 0
                else f"{amount(worth.saves)} ({amount(worth.low)} to {amount(worth.high)})",
            ]
            for worth in self
        ]
        case, cases = self.costs.case_name, self.costs.cases_name
        how = f"on a quarter of the {cases}" if self.n_folds == 1 else f"by {counted(self.n_folds, 'fold')}"
        notes = [
            f"learnt: {self.words}; pay at most: up to this price it buys the test; bought by: of the "
            f"{cases} it was learnt from; without it: what an unseen {case} costs where the test cannot be "
            f"had, estimated {how}; saves: against that, with its 95 % interval"
        ]
        columns = ["", "price", "pay at most", "bought by", "without it", "saves"]
        with_all = f"{self._money(self.cost)} ({amount(self.low)} to {amount(self.high)})"
        heading = f"What tests are worth: with all of them an unseen {case} costs {with_all}"
        return statement.Part(heading, columns, rows, tuple(notes))

    def __str__(self) -> str:
        return self.sentence + "\n\n" + statement.as_text([self.part()])

    def _repr_html_(self) -> str:
        return statement.as_html([self.part()._replace(notes=(*self.part().notes, self.sentence))])

    def __repr__(self) -> str:
        left = " (interrupted)" if self.interrupted else ""
        return f"<BreakEvens: {counted(len(self), 'price')}{left}, {counted(self.n_fits, 'fit')}>"
