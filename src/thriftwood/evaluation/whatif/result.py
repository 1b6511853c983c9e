"""`WhatIf`: what `what_if` found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.evaluation import statement
from thriftwood.evaluation.whatif.paths import Path, Unseen
from thriftwood.evaluation.whatif.tracing import Flip
from thriftwood.evaluation.whatif.trees import Trees
from thriftwood.evaluation.whatif.varied import Varied
from thriftwood.evaluation.whatif.words import sentence
from thriftwood.learning.class_tree import ClassTree, FloatArray
from thriftwood.models.tree.tree import Tree
from thriftwood.table.results import to_frame

TESTS_SHOWN = 7
SHARES = {"price": "bought by", "shared": "paid by", "error": "so mistaken"}
"""What the share of a step is the share of."""


@dataclass(frozen=True)
class Step:
    """A part of the range with one tree.

    Attributes
    ----------
    low, high : float
        Where it begins and ends.
    tree : Tree
        The tree that is learnt there from all cases.
    share : float
        The share of the cases it was learnt from that pay the price; of an error cost, that make the mistake.
    tests : tuple of str
        What the tree asks.
    cost_low, cost_high : float
        What an unseen case costs where the step begins and ends, estimated by folds.
    error_low, error_high : float
        The standard errors of these.
    """

    low: float
    high: float
    tree: Tree
    share: float
    tests: tuple[str, ...]
    cost_low: float
    cost_high: float
    error_low: float
    error_high: float


@dataclass(frozen=True, eq=False, repr=False)
class WhatIf:
    """The trees along a range of prices. Made by `what_if`; ``print(found)`` shows it.

    Iterating gives the steps (`Step`), parts of the range with one tree each; ``found.plot()`` draws it.

    Attributes
    ----------
    varied : Varied
        What was turned: ``kind``, ``name``, ``low`` and ``high``.
    break_even : float or None
        The most that should be paid: the price up to which the tree of all cases buys, whatever the range. 0:
        not even as a gift; infinite: whatever it costs. None for an error cost, or after Ctrl-C.
    n_folds : int
        How many parts of the cases were to be held out in turn.
    interrupted : bool
        Whether Ctrl-C came before all was found.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> costs = golf.costs.replace(errors_default=20)
    >>> found = tw.what_if(golf.X, golf.y, costs, price={"Outlook": (0, 20)}, folds=3)
    >>> found.varied.name, found.varied.low, found.varied.high
    ('Outlook', 0.0, 20.0)
    """

    varied: Varied
    trees: Trees
    path: Path
    unseen: Unseen
    break_even: float | None
    n_folds: int
    interrupted: bool = False

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, number: int) -> Step:
        return self.steps[number]

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    # What was found

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The parts of the range with one tree each, in order."""
        width = self.varied.high - self.varied.low
        found = []
        for leg in self.path.legs:
            low, high = leg.fit.means
            ends = self.unseen.cost(leg.low), self.unseen.cost(leg.high)
            found.append(
                Step(
                    leg.low,
                    leg.high,
                    leg.fit.tree,
                    (high - low) / width,
                    leg.fit.tree.features_used,
                    ends[0][0],
                    ends[1][0],
                    ends[0][1],
                    ends[1][1],
                )
            )
        return tuple(found)

    @property
    def flips(self) -> tuple[Flip, ...]:
        """Where one tree gives way to the next: ``at``; after Ctrl-C some may not be ``settled``."""
        return tuple(leg.until for leg in self.path.legs if leg.until is not None)

    @property
    def exact(self) -> bool:
        """Whether no tree of the range can have been missed."""
        return self.trees.exact and not self.path.interrupted

    @property
    def costs(self) -> Costs:
        """The price list, as it is today."""
        return self.trees.costs

    @property
    def now(self) -> float:
        """What the price list says."""
        return self.varied.value(self.costs, self.trees.classes)

    @property
    def n_fits(self) -> int:
        """How many trees were learnt."""
        return self.trees.n_fits

    def tree(self, value: float) -> Tree:
        """Return the tree of all cases at a number of the range; at a flip the one that begins there."""
        return self.path.at(self._inside(value)).tree

    def cost(self, value: float) -> float:
        """Return what an unseen case costs at a number of the range, estimated by folds."""
        return self.unseen.cost(self._inside(value))[0]

    def cost_error(self, value: float) -> float:
        """Return the standard error of `cost`."""
        return self.unseen.cost(self._inside(value))[1]

    def untested_cost(self, value: float) -> float:
        """Return what an unseen case costs at a number of the range if nobody is tested."""
        return self.unseen.untested(self._inside(value))

    def learner_at(self, value: float) -> ClassTree:
        """Return the learner with its costs at a number: fitted to the cases, it gives the tree there.

        Where several trees cost the same it may give another of them.
        """
        return self.trees.learner(self.varied.turned(self.costs, self.trees.classes, value))

    def curve(self, n: int = 101) -> dict[str, FloatArray]:
        """Return what an unseen case costs at `n` numbers of the range: value, cost, error, untested_cost."""
        values = np.linspace(self.varied.low, self.varied.high, n)
        costs = np.array([self.unseen.cost(value) for value in values])
        untested = np.array([self.unseen.untested(value) for value in values])
        return {"value": values, "cost": costs[:, 0], "error": costs[:, 1], "untested_cost": untested}

    def _inside(self, value: float) -> float:
        low, high = self.varied.low, self.varied.high
        if not low <= value <= high:
            raise ValueError(f"{value!r} is outside the range from {low:g} to {high:g} that was looked at.")
        return float(value)

    # How it is shown

    @property
    def columns(self) -> dict[str, Any]:
        """The steps by columns; see `table`."""
        steps = self.steps
        numbers = ("low", "high", "share", "cost_low", "error_low", "cost_high", "error_high")
        found: dict[str, Any] = {name: np.array([getattr(step, name) for step in steps]) for name in numbers}
        found["n_leaves"] = np.array([step.tree.n_leaves for step in steps])
        found["tests"] = [list(step.tests) for step in steps]
        return found

    @property
    def table(self) -> Any:
        """A frame with a row per step.

        Columns: low and high, where it begins and ends; share, of the cases that pay the price (or make the
        mistake); cost_low and cost_high, of an unseen case at both ends, each with its standard error;
        n_leaves and tests of the tree.
        """
        return to_frame(self.columns)

    @property
    def sentence(self) -> str:
        """What was found, in words."""
        return sentence(self)

    def part(self) -> statement.Part:
        """Give the steps as a small table to be shown."""
        amount = statement.amount
        rows = []
        for step, leg in zip(self.steps, self.path.legs, strict=True):
            vague = "" if leg.until is None or leg.until.settled else " or so"
            rows.append(
                [
                    f"{amount(step.low)} to {amount(step.high)}{vague}",
                    f"{100 * step.share:.1f} %",
                    _with_error(step.cost_low, step.error_low),
                    _with_error(step.cost_high, step.error_high),
                    amount(step.tree.n_leaves),
                    _listed(step.tests),
                ]
            )
        kind, case = SHARES[self.varied.kind], self.costs.case_name
        of_range = "cost" if self.varied.kind == "error" else "price"
        columns = [of_range, kind, f"a {case} costs", "to", "leaves", "asks"]
        folds = counted(len(self.unseen.parts), "fold")
        how = f"on a quarter of the {self.costs.cases_name}" if self.n_folds == 1 else f"by {folds}"
        notes = [
            f"learnt: {self.trees.words}; {kind}: of the {self.costs.cases_name} it was learnt from; "
            f"a {case} costs, where the line begins and ends: one unseen, estimated {how}, ± a standard error"
        ]
        if not self.trees.exact:
            notes.append("a tree that comes and goes between two of the 65 prices looked at is not seen")
        if self.interrupted:
            notes.append("Ctrl-C was pressed before all was found")
        ends = f"{amount(self.varied.low)} to {statement.words_of(self.costs).money(self.varied.high)}"
        heading = f"What if {self.varied.words} were {ends}"
        return statement.Part(heading, columns, rows, tuple(notes))

    def __str__(self) -> str:
        return self.sentence + "\n\n" + statement.as_text([self.part()])

    def _repr_html_(self) -> str:
        return statement.as_html([self.part()._replace(notes=(*self.part().notes, self.sentence))])

    def __repr__(self) -> str:
        flips = counted(len(self.flips), "flip")
        left = " (interrupted)" if self.interrupted else ""
        ends = f"{self.varied.low:g} to {self.varied.high:g}"
        return f"<WhatIf: {self.varied.words} from {ends}, {flips}{left}, {counted(self.n_fits, 'fit')}>"

    def plot(self, ax: Any = None) -> Any:
        """Draw what an unseen case costs along the range, and where the tree changes; needs matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; None: a figure of its own.

        Returns
        -------
        matplotlib Axes
        """
        from thriftwood import plot_what_if  # a higher room: asked for when it is called

        return plot_what_if(self, ax)


def _with_error(mean: float, error: float) -> str:
    amount = statement.amount(mean)
    return amount if np.isnan(mean) else f"{amount} ± {error:.2g}"


def _listed(tests: Sequence[str]) -> str:
    if not tests:
        return "nothing"
    more = f" and {len(tests) - TESTS_SHOWN} more" if len(tests) > TESTS_SHOWN else ""
    return ", ".join(tests[:TESTS_SHOWN]) + more
