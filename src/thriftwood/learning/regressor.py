"""`CostTreeRegressor`: a decision tree that predicts numbers, as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin

from thriftwood.base.parameters import Choice
from thriftwood.costs import Costs
from thriftwood.costs.further import without_errors
from thriftwood.learning.criteria import FACTS
from thriftwood.learning.estimator import CostTree, Prepared
from thriftwood.learning.growth import Growth
from thriftwood.learning.moved import refusing_moved
from thriftwood.learning.problem import Problem
from thriftwood.learning.pruning import Pruning
from thriftwood.learning.scans import CountedProblem, CountedTable
from thriftwood.learning.scans.fitting import MANY_ROWS
from thriftwood.learning.targets import numbers, training_weights, warn_if_coarse, warn_if_light
from thriftwood.table import Encoded, Encoder
from thriftwood.table.native import core_table


class CostTreeRegressor(RegressorMixin, CostTree):
    """A decision tree that predicts numbers and knows what tests cost.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error"}
        What a split lowers. A leaf answers with the mean, or with the (lower) median.
    costs : Costs, optional
        Prices of the tests; costs of mistakes are between classes, and refused.
    growth : Growth, optional
        How the tree grows; None is ``Growth()``.
    pruning : CostComplexity, ReducedError or CrossValidatedComplexity, optional
        How it is pruned; None: not at all.
    nominal_features : list of column names or positions, optional
        Columns of numbers that are names of categories. Text and categorical columns are nominal anyway.
    random_state : int, RandomState or None
        Draws the cases that pruning keeps aside; growth itself draws nothing.
    n_jobs : int, optional
        Threads; None is 1, -1 all processors. The tree is the same for any number.

    Attributes
    ----------
    tree_ : Tree
        The finished tree: text, rules, files, one-row answers.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : array of shape (n_features_in_,)
        Their names, when the training table had names.

    Examples
    --------
    >>> model = CostTreeRegressor(growth=Growth(max_depth=1))
    >>> model.fit([[1], [2], [3], [4], [5], [6]], [1, 2, 2, 8, 9, 12]).predict([[0], [7]])
    array([1.66666667, 9.66666667])
    """

    criteria: ClassVar[Choice] = Choice(
        tuple(name for name, facts in FACTS.items() if facts.predicts_numbers)
    )

    predicts_numbers = True

    @refusing_moved
    def __init__(
        self,
        criterion: str = "squared_error",
        *,
        costs: Costs | None = None,
        growth: Growth | None = None,
        pruning: Pruning | None = None,
        nominal_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.costs = costs
        self.growth = growth
        self.pruning = pruning
        self.nominal_features = nominal_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def prepare_counted(
        self,
        encoder: Encoder,
        n_rows: int,
        classes: NDArray[Any] | None,
        totals: NDArray[np.float64],
        counted: Callable[[NDArray[np.float64] | None], CountedTable],
    ) -> Prepared:
        """Check the parameters, and state the problem of cases that are elsewhere."""
        encoded, table = self._empty(encoder, n_rows)
        self._refuse_errors()
        problem = CountedProblem(
            encoded=encoded,
            encoder=encoder,
            table=table,
            settings=self.budgeted(self._seeded(self.core_settings(MANY_ROWS)), encoder),
            numbers=np.empty(0),
            random_state=self.random_state,
            counted=counted(None),
        )
        return Prepared(problem, encoder, None)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the number predicted for each case."""
        return self.fitted_tree.core.predict_numbers(self._table(X), self.thread_count())

    def prepare(
        self, X: Any, y: Any, sample_weight: Any, encoding: tuple[Encoder, Encoded] | None = None
    ) -> Prepared:
        """Check the parameters, encode the table, and state the problem in terms of the core."""
        encoder, encoded = encoding or self.fit_encoder(X)
        self._check_columns(encoder, encoded)
        self._refuse_errors()
        settings = self.budgeted(self._seeded(self.core_settings(encoded.n_rows)), encoder)
        weights = training_weights(sample_weight, encoded.n_rows)
        warn_if_light(weights, settings)
        targets = numbers(y, encoded.n_rows)
        if self.criterion == "squared_error":
            warn_if_coarse(targets, weights, settings)
        problem = Problem(
            encoded=encoded,
            encoder=encoder,
            table=core_table(encoded, encoder),
            settings=settings,
            numbers=targets,
            weights=weights,
            random_state=self.random_state,
        )
        return Prepared(problem, encoder, None)

    def _refuse_errors(self) -> None:
        if self.costs is not None and self.costs.names_errors:
            raise ValueError(
                "CostTreeRegressor predicts numbers, but costs has error costs, which are between classes. "
                f"Leave them out, {without_errors(self.costs)}, or use CostTreeClassifier."
            )
