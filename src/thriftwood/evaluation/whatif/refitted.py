"""Trees of any learner of a single tree, learnt anew at any price.

Nothing is known about how its trees depend on a price, so it is tried at many, and what changes between two
of them is halved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.evaluation.whatif.blank import blank, blanked
from thriftwood.evaluation.whatif.tracing import CLOSE, Division, Halving
from thriftwood.evaluation.whatif.trees import Learnt, Trees
from thriftwood.evaluation.whatif.varied import Varied
from thriftwood.learning.class_tree import ClassTree, FloatArray
from thriftwood.learning.estimator import Prepared
from thriftwood.learning.fitting import fitted_subsets
from thriftwood.learning.targets import case_weights
from thriftwood.table import Encoded, Encoder

LOOKS = 65
"""Numbers of the range that are looked at before halving begins."""
ROUGHLY = 1e-4
"""Trees of folds are told apart up to this share of the range: their flips are not reported."""


class Refitted(Trees):
    """Trees as a learner's `fit` gives them."""

    def __init__(
        self,
        prepared: Prepared,
        costs: Costs,
        learner: ClassTree,
        y: Any,
        sample_weight: Any,
        encoding: tuple[Encoder, Encoded],
    ) -> None:
        super().__init__(prepared, costs)
        self.prepared, self.problem, self.exact = prepared, prepared.problem, False
        self.given = learner
        self.words = f"the tree of {type(learner).__name__}"
        self.y, self.sample_weight, self.encoding = y, sample_weight, encoding

    @property
    def weights(self) -> FloatArray:
        """What each case counts, whatever the learner makes of its class."""
        own = case_weights(self.sample_weight, self.problem.n_rows)
        return np.ones(self.problem.n_rows) if own is None else own

    def core(self, costs: Costs, weights: FloatArray) -> _core.Tree:
        """Fit the learner to the cases that have weight."""
        model = self.learner(costs)
        prepared = model.prepare(None, self.y, self.sample_weight, self.encoding)
        return fitted_subsets(model, prepared, [np.flatnonzero(weights)], self.sample_weight)[0].core

    def division(
        self, varied: Varied, weights: FloatArray, *, roughly: bool
    ) -> tuple[Division[Learnt], list[float]]:
        """Return the way by halves."""
        if roughly:
            close = ROUGHLY * (varied.high - varied.low)
        else:
            close = CLOSE * max(abs(varied.low), abs(varied.high))
        values = np.linspace(varied.low, varied.high, LOOKS).tolist()
        return Halving(lambda value: self.learnt(varied, value, weights), self.same, close), values

    def same(self, one: Learnt, other: Learnt) -> bool:
        """Tell whether two trees ask and answer the same."""
        return one.shape == other.shape

    def without(self, columns: Sequence[int]) -> Refitted:
        """Return the same learner of a table where these columns tell nothing."""
        encoder, encoded = self.encoding
        own = self.prepared._replace(problem=blanked(self.problem, columns))
        encoding = encoder, blank(encoded, columns)
        return Refitted(own, self.costs, self.given, self.y, self.sample_weight, encoding)

    def learner(self, costs: Costs) -> ClassTree:
        """Return the learner with these costs."""
        found: ClassTree = clone(self.given)
        found.part_of = self.given.part_of
        return found.set_params(costs=costs)
