"""`Cases`: a data set with prices, divided at random; trees of one part are judged by the bill of the other.

Categories are those of the whole data set, as C4.5's files declare them: no case of the other part has an
unseen one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs
from thriftwood.datasets import load_dataset
from thriftwood.evaluation import bill
from thriftwood.evolution.base import EvolvedTree
from thriftwood.experiments.digest import table_digest
from thriftwood.learners import algorithm
from thriftwood.models import Tree
from thriftwood.table import Encoder

Rows = NDArray[np.intp]


class Split(NamedTuple):
    """The cases that trees are grown on, and those they are judged by."""

    grow_rows: Rows
    judge_rows: Rows


class CaseCosts(NamedTuple):
    """What a held-out case costs with a tree on average, and how often it is wrong."""

    test_cost: float
    error_cost: float
    error_rate: float

    @property
    def cost(self) -> float:
        """The mean cost of a case: tests and mistakes."""
        return self.test_cost + self.error_cost


@dataclass(frozen=True, slots=True)
class Cases:
    """A data set that was published with prices."""

    name: str
    X: Any
    y: NDArray[Any]
    classes: tuple[str, ...]
    feature_names: tuple[str, ...]
    """The tests."""
    costs: Costs
    """What they cost."""
    encoder: Encoder
    digest: str
    """Changes with the content of the table."""

    def rng(self, seed: int, *numbers: int) -> np.random.Generator:
        """Return the random generator of a trial: by seed, data set and the trial's numbers."""
        return np.random.default_rng([seed, crc32(self.name.encode()), *numbers])

    def divided(self, rng: np.random.Generator) -> Split:
        """Draw two thirds of the cases to grow on, rounded down; the others judge."""
        cases = rng.permutation(len(self.y))
        first = 2 * len(cases) // 3
        return Split(np.sort(cases[:first]), np.sort(cases[first:]))

    def evolved(self, model: EvolvedTree[Any], rows: Rows) -> Found:
        """Run the evolution of an estimator on some of the cases.

        Raises
        ------
        KeyboardInterrupt
            On Ctrl-C: a tree that was given less time is not what the experiment asks for.
        """
        encoding = self.encoder, self.encoder.encode(self.X[rows])
        prepared = model.prepare(None, self.y[rows], None, encoding)
        stop = model.checked_evolution().stop()
        genome = model.make_genome(prepared.problem, stop)
        result = model.checked_evolution().run(genome, model.random_state, model.thread_count(), None, stop)
        if result.ended == "interrupt":
            raise KeyboardInterrupt
        assert prepared.classes is not None  # a classifier's
        return Found(genome, result.best, self.encoder, prepared.classes)

    def judged(self, tree: Tree, rows: Rows, costs: Costs) -> CaseCosts:
        """Return what some of the cases cost with a tree, by their bill."""
        result = bill(tree, self.X[rows], self.y[rows], costs)
        assert result.mean_error_cost is not None  # the true classes are given
        assert result.accuracy is not None
        return CaseCosts(result.mean_test_cost, result.mean_error_cost, 1.0 - result.accuracy)


class Found(NamedTuple):
    """The result of an evolution."""

    genome: Any
    string: str
    """The best."""
    encoder: Encoder
    classes: NDArray[Any]

    def tree(self, *how: Any) -> Tree:
        """Return the tree of the best string; `how` is what its genome asks for besides."""
        return Tree(self.genome.tree(self.string, *how), self.encoder, self.classes)


def loaded(
    name: str, data_dir: Path | None, shape: Callable[[Any, Any], tuple[Any, Any]] | None = None
) -> Cases:
    """Load a data set with its prices.

    Parameters
    ----------
    name : str
        As `load_dataset` knows it.
    data_dir : path, optional
        The folder of data files.
    shape : function, optional
        What is done to (X, y) before all else; X is an array with named fields.

    Raises
    ------
    ValueError
        If the data set has no prices.
    """
    data = load_dataset(name, data_dir=data_dir, frame="numpy")
    if data.costs is None or not data.costs.tests:
        raise ValueError(f"The data set {name!r} has no prices of tests here; its experiment needs them.")
    X, y = shape(data.X, data.y) if shape else (data.X, data.y)
    problem = algorithm("c45").prepare(X, y, None).problem
    digest = table_digest(problem, (data.target_names, data.costs.to_dict()))
    prices = data.costs.replace(errors=None, errors_default=None)
    return Cases(name, X, y, data.target_names, data.feature_names, prices, problem.encoder, digest)
