"""`EverythingClassifier`: all tests for everybody, and the cheapest answer by a score of them."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

import numpy as np

from thriftwood.base.parameters import Choice, Rule, Whole
from thriftwood.baselines.base import Learnt, PanelLearner
from thriftwood.costs import Costs
from thriftwood.models.coding import Coding
from thriftwood.models.fixed_panel import BoosterScores, plain_numbers
from thriftwood.table import Kind


class EverythingClassifier(PanelLearner):
    """Buys all tests for everybody, and answers what costs least by a score of them.

    What one does who does not mind what tests cost: the bill to beat where mistakes are dear.

    Parameters
    ----------
    costs : Costs, optional
        Prices of the tests and costs of the mistakes. None: tests are free and every mistake costs 1.
    learner : {"logistic", "lightgbm"}
        What says how likely the classes are: logistic regression on standardised numbers, categories and
        missing values in columns of their own; or boosted trees of LightGBM, if that is installed.
    nominal_features : list of column names or positions, optional
        Columns of numbers that are names of categories. Text and categorical columns are nominal anyway.
    random_state : int
        The seed of LightGBM; logistic regression draws nothing.

    Attributes
    ----------
    model_ : FixedPanelModel
        What was learnt, for bills.
    classes_, n_features_in_, feature_names_in_
        As in `CostTreeClassifier`.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = EverythingClassifier(golf.costs).fit(golf.X, golf.y)
    >>> tw.bill(model, golf.X, golf.y).mean_test_cost == golf.costs.total(list(golf.X.columns))
    True
    """

    rules: ClassVar[dict[str, Rule]] = {
        "learner": Choice(("logistic", "lightgbm")),
        "random_state": Whole(0, 2**31 - 1),
    }

    def __init__(
        self,
        costs: Costs | None = None,
        *,
        learner: Literal["logistic", "lightgbm"] = "logistic",
        nominal_features: Any = None,
        random_state: int = 0,
    ) -> None:
        self.costs = costs
        self.learner = learner
        self.nominal_features = nominal_features
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None, error_costs: Any = None) -> Self:
        """Learn the score.

        Parameters
        ----------
        X : array, frame, sparse matrix or list of rows, of shape (n_rows, n_features)
            The cases. Text and unordered categories are nominal, NaN, None and NA are missing.
        y : array-like of shape (n_rows,)
            Their classes.
        sample_weight : array-like of shape (n_rows,), optional
            How much each case counts; one of weight 0 does not at all.
        error_costs : array-like of shape (n_rows, n_classes) or (n_rows, n_classes, n_classes), optional
            What answers cost each case, as in `CheapestAnswer`: the mean over the cases of each true class
            decides. `costs` must not name error costs as well.

        Returns
        -------
        self
        """
        learnt = self.read(X, y, sample_weight, error_costs)
        everything = tuple(range(learnt.encoder.n_features))
        if self.learner == "lightgbm":
            self.set_fitted(learnt, self._boosted(learnt), everything)
            return self
        coding = Coding.learnt(learnt.encoded, learnt.encoder.columns, learnt.weights)
        self.set_fitted(learnt, learnt.logistic(coding, everything), everything)
        return self

    def _boosted(self, learnt: Learnt) -> BoosterScores:
        """Let LightGBM learn from class numbers."""
        try:
            from lightgbm import LGBMClassifier
        except ImportError:
            raise ImportError(
                "EverythingClassifier has learner='lightgbm', but LightGBM is not installed. Install it (pip "
                "install lightgbm), or set learner='logistic'."
            ) from None
        nominal = tuple(column.index for column in learnt.encoder.columns if column.kind is Kind.NOMINAL)
        counted = np.flatnonzero(learnt.weights)
        labels = learnt.labels[counted]
        known, numbers = np.unique(labels, return_inverse=True)  # others have weight 0
        if len(known) == 1:
            return BoosterScores(None, nominal, tuple(known.tolist()), len(learnt.classes))
        classifier = LGBMClassifier(
            random_state=int(self.random_state), n_jobs=1, verbose=-1, deterministic=True, force_row_wise=True
        )
        classifier.fit(
            plain_numbers(learnt.encoded, nominal)[counted],
            numbers,
            sample_weight=learnt.weights[counted],
            categorical_feature=list(nominal),
        )
        return BoosterScores(classifier, nominal, tuple(known.tolist()), len(learnt.classes))
