"""Trees on tables of patterns, judged: how often they are right on runs they have not seen, and their price.

Accuracy is estimated on folds that are the same for every tree; the price is that of the tree learnt from all
runs, because that one will be watched.

Our search tries hundreds of trees, so a tree must be accurate enough on a second deal of folds as well,
and what is reported beside it is a third.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from thriftwood.base.advice import advised
from thriftwood.base.remedies import PassSmaller
from thriftwood.clarify.counting import PatternTable
from thriftwood.clarify.pricing import Prices
from thriftwood.costs.names import counted
from thriftwood.evaluation import frontier
from thriftwood.learners import algorithm
from thriftwood.learning import CostTreeClassifier

Columns = NDArray[np.intp]
GAMMAS = (0.0, *(10.0 ** (step / 2) for step in range(-10, 5)))
"""Bits of information that watching everything is weighed against; 0 does not look at prices."""


@dataclass(frozen=True)
class JudgedTree:
    """A tree with its accuracy and its cost.

    Attributes
    ----------
    accuracy : float
        The share of runs answered correctly by trees that had not seen them.
    cost : float
        What watching for the tree costs, in ticks a run.
    columns : tuple of int
        The columns of the table that the tree tests.
    how : str
        What it was grown by.
    """

    accuracy: float
    cost: float
    columns: tuple[int, ...]
    how: str
    model: CostTreeClassifier = field(repr=False)
    offered: Columns = field(repr=False)
    """The columns it could choose from, as the model numbers them."""

    @property
    def order(self) -> tuple[float, float, int]:
        """Cheaper trees first, then more accurate ones, then smaller ones."""
        return self.cost, -self.accuracy, self.model.tree_.n_nodes


@dataclass(frozen=True)
class Evaluator:
    """Grows and judges trees: a table of patterns with its labels, prices and folds.

    Attributes
    ----------
    counts : scipy CSC matrix
        As in `PatternTable`.
    labels : array of str
        One per run.
    prices : Prices
        Of the columns.
    folds : list of (rows to learn from, rows to judge)
        The same for all.
    """

    counts: Any
    labels: NDArray[np.str_]
    prices: Prices
    folds: list[tuple[NDArray[np.intp], NDArray[np.intp]]]
    n_jobs: int = 1

    def blind(self, columns: Columns, how: str = "c45") -> JudgedTree:
        """Judge C4.5's tree, which does not look at prices."""
        model = algorithm("c45", costs=self.prices.costs(columns))
        return self._swept(model, "pruning__cf", [0.25], columns, how)[0]

    def weighed(
        self,
        columns: Columns,
        gammas: Sequence[float] = GAMMAS,
        *,
        criterion: str = "csgain",
        free: frozenset[int] = frozenset(),
        **settings: Any,
    ) -> list[JudgedTree]:
        """Judge the trees of a criterion that weighs information against prices, at several gammas.

        Parameters
        ----------
        columns : array of int
            What the trees may choose from.
        gammas : sequence of float
            In bits per price of everything.
        criterion : str
            A learner with a gamma.
        free : frozenset of int
            Resources that are watched in any case.
        **settings
            Of the learner.
        """
        if not len(columns):
            return []
        scale = self.prices.total or 1.0
        model = algorithm(criterion, costs=self.prices.costs(columns, free), gamma=0.0, **settings)
        words = "".join(f" {name}={value}" for name, value in settings.items())
        return self._swept(model, "gamma", [gamma / scale for gamma in gammas], columns, criterion + words)

    def again(self, tree: JudgedTree) -> JudgedTree:
        """Judge a tree of another evaluator on the folds of this one."""
        model = clone(tree.model)
        return self._swept(model, "pruning__cf", [model.pruning.cf], tree.offered, tree.how)[0]

    def confused(self, tree: JudgedTree) -> list[tuple[str, str, int]]:
        """Count the mistakes of such a tree on unseen runs: (recorded, answered, runs), most first."""
        wrong: Counter[tuple[str, str]] = Counter()
        counts = self.counts[:, tree.offered].tocsr()
        for seen, unseen in self.folds:
            said = clone(tree.model).fit(counts[seen], self.labels[seen]).predict(counts[unseen])
            pairs = zip(self.labels[unseen].tolist(), said.tolist(), strict=True)
            wrong.update((true, answer) for true, answer in pairs if true != answer)
        return [(*pair, n) for pair, n in sorted(wrong.items(), key=lambda one: (-one[1], one[0]))]

    def _swept(
        self, model: CostTreeClassifier, param: str, values: Sequence[float], columns: Columns, how: str
    ) -> list[JudgedTree]:
        found = frontier(
            model,
            self.counts[:, columns],
            self.labels,
            param=param,
            values=list(values),
            cv=self.folds,
            cost="upfront",
            n_jobs=self.n_jobs,
        )
        # A tree of a run that was interrupted would be chosen from among fewer than were asked for.
        if found.interrupted:
            raise KeyboardInterrupt
        return [self._judged(point.score, point.model, columns, f"{how} {param}={point.value:.3g}")
                for point in found]  # fmt: skip

    def _judged(self, accuracy: float, model: CostTreeClassifier, columns: Columns, how: str) -> JudgedTree:
        tested = np.unique(model.tree_.core.feature)
        used = tuple(int(columns[f]) for f in tested if f >= 0)
        return JudgedTree(float(accuracy), self.prices.together(used), used, how, model, columns)


def check_labels(labels: Collection[str]) -> None:
    """Refuse labels that leave nothing to tell apart.

    Raises
    ------
    ValueError
        If there are fewer than two different ones.

    Examples
    --------
    >>> check_labels(["one", "one"])
    Traceback (most recent call last):
    ValueError: All 2 runs have the label 'one'; at least two labels are needed. Record ...
    """
    if not len(labels):
        raise ValueError("There are no runs with a label. Record some first.")
    if len(set(labels)) < 2:
        raise ValueError(
            f"All {len(labels):,} runs have the label {str(next(iter(labels)))!r}; at least two labels are "
            "needed. Record runs of another kind too, such as runs that went well."
            if len(labels) > 1
            else "There is one run with a label; runs of at least two labels are needed. Record more."
        )


def evaluator_of(
    table: PatternTable, labels: Sequence[str], prices: Prices, *, cv: int = 5, seed: int = 0, n_jobs: int = 1
) -> Evaluator:
    """Make an evaluator with stratified folds.

    Raises
    ------
    ValueError
        If there is one label only, or a label has fewer runs than there are folds.
    """
    check_labels(labels)
    y = np.array(labels, dtype=np.str_)
    if len(y) != table.n_runs:
        raise ValueError(f"There are {table.n_runs} runs and {len(y)} labels. Give a label for every run.")
    names, counts = np.unique(y, return_counts=True)
    if counts.min() < cv:
        scarce = str(names[counts.argmin()])
        raise advised(
            ValueError,
            f"The label {scarce!r} has {counted(int(counts.min()), 'run')}, fewer than the {cv} folds. "
            "Record more, or ",
            PassSmaller("cv"),
            ".",
        )
    splitter = StratifiedKFold(cv, shuffle=True, random_state=seed)
    return Evaluator(table.counts, y, prices, list(splitter.split(np.zeros((len(y), 1)), y)), n_jobs)
