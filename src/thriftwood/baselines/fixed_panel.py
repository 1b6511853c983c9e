"""`FixedPanelClassifier`: the same few tests for everybody, chosen by the whole bill."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from thriftwood.base.advice import advised
from thriftwood.base.parameters import Real, Rule, Whole
from thriftwood.base.remedies import GiveCosts, NoCosts
from thriftwood.baselines.base import Learnt, PanelLearner
from thriftwood.baselines.selecting import MOST_CASES, Cases, Offers, Step, selected
from thriftwood.costs import Costs
from thriftwood.learning.budget import limit_of
from thriftwood.learning.problem import taken_rows
from thriftwood.learning.weighing import compiled_prices, has_prices
from thriftwood.models.coding import Coding
from thriftwood.table.missing import missing_in


class FixedPanelClassifier(PanelLearner):
    """Asks everybody the same tests, those with the lowest bill: their price, and the mistakes that remain.

    What one does who does not want to ask step by step. Tests are added one at a time, or all at once that
    share a resource or are of one group, as long as the bill of cases that were kept aside falls; a few steps
    beyond are tried. Tests without a price are always asked. The score is a logistic regression, and the
    answer the one of least expected cost. Where no test pays, it is the best constant answer.

    Parameters
    ----------
    costs : Costs, optional
        Prices of the tests and costs of the mistakes. None: tests are free, so that all are asked, and every
        mistake costs 1.
    folds : int
        Parts that the cases are dealt into for judging, each judged by scores of the others.
    budget : float, optional
        The most that a case may pay for tests. None, or infinite: no limit.
    nominal_features : list of column names or positions, optional
        Columns of numbers that are names of categories. Text and categorical columns are nominal anyway.
    random_state : int
        Deals the cases.

    Attributes
    ----------
    panel_ : tuple of str
        The tests that everybody is asked.
    steps_ : list of Step
        How the panel grew: the tests that each step added and what the panel costs an unseen case then; the
        first has what is free alone. Steps after the lowest bill are not part of the panel.
    model_ : FixedPanelModel
        What was learnt, for bills.
    classes_, n_features_in_, feature_names_in_
        As in `CostTreeClassifier`.

    Notes
    -----
    Of more than 1,500 cases a sample chooses the panel, and all of them its score. A nominal column has a
    number for each of its 30 commonest categories. What the panel costs unseen cases is estimated while it is
    chosen, so the estimate is a little low.

    Examples
    --------
    The first two readings tell the class only together, and need one blood draw.

    >>> import numpy as np
    >>> import thriftwood as tw
    >>> X = np.random.default_rng(0).normal(size=(200, 4))
    >>> y = np.where(X[:, 0] + X[:, 1] > 0, "sick", "well")
    >>> blood = {f"x{j}": tw.Test(1, needs=["blood draw"]) for j in (0, 1)}
    >>> costs = tw.Costs(blood | {"x2": 1, "x3": 1}, {"blood draw": 3}, errors_default=30)
    >>> model = FixedPanelClassifier(costs).fit(X, y)
    >>> model.panel_, tw.bill(model, X, y).mean_test_cost
    (('x0', 'x1'), 5.0)
    """

    rules: ClassVar[dict[str, Rule]] = {
        "folds": Whole(2),
        "budget": Real(0.0, none=True),
        "random_state": Whole(0),
    }

    steps_: list[Step]

    def __init__(
        self,
        costs: Costs | None = None,
        *,
        folds: int = 5,
        budget: float | None = None,
        nominal_features: Any = None,
        random_state: int = 0,
    ) -> None:
        self.costs = costs
        self.folds = folds
        self.budget = budget
        self.nominal_features = nominal_features
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None, error_costs: Any = None) -> Self:
        """Choose the tests, and learn the score.

        Parameters
        ----------
        X : array, frame, sparse matrix or list of rows, of shape (n_rows, n_features)
            The cases. Text and unordered categories are nominal, NaN, None and NA are missing.
        y : array-like of shape (n_rows,)
            Their classes.
        sample_weight : array-like of shape (n_rows,), optional
            How much each case counts; one of weight 0 does not at all.
        error_costs : array-like of shape (n_rows, n_classes) or (n_rows, n_classes, n_classes), optional
            What answers cost each case: panels are judged by it, and the mean over the cases of each true
            class decides the answers. `costs` must not name error costs as well.

        Returns
        -------
        self
        """
        learnt = self.read(X, y, sample_weight, error_costs)
        offers = self._offers(learnt)
        coding = Coding.learnt(learnt.encoded, learnt.encoder.columns, learnt.weights)
        names = _names(learnt)
        cases = self._choosing(learnt, coding)
        panel, steps = selected(cases, offers, names, int(self.folds), int(self.random_state))
        self.set_fitted(learnt, learnt.logistic(coding, panel), panel)
        self.steps_ = steps
        return self

    @property
    def panel_(self) -> tuple[str, ...]:
        """The tests that everybody is asked."""
        return self.model_.features_used

    def _offers(self, learnt: Learnt) -> Offers | None:
        """Return what tests cost; None: nothing."""
        costs, limit = self.costs, limit_of(self.budget)
        if costs is None or not has_prices(costs):
            if limit is not None:
                raise advised(
                    ValueError,
                    f"{type(self).__name__} has a budget, the most that a case may pay for tests, but ",
                    NoCosts("costs" if costs is None else "prices"),
                    ". ",
                    GiveCosts(),
                    ".",
                )
            return None
        return Offers.of(costs, _names(learnt), compiled_prices(costs, learnt.encoder), limit)

    def _choosing(self, learnt: Learnt, coding: Coding) -> Cases:
        """Return the cases that choose the panel: all, or a sample of many."""
        counted = np.flatnonzero(learnt.weights)
        if len(counted) > MOST_CASES:
            rng = np.random.default_rng(int(self.random_state))
            dealt = rng.permutation(counted)
            dealt = dealt[np.argsort(learnt.labels[dealt], kind="stable")]
            counted = np.sort(dealt[np.linspace(0, len(dealt) - 1, MOST_CASES).astype(np.intp)])
        encoded = taken_rows(learnt.encoded, counted.astype(np.uint32))
        missing = None if self.costs is None else self.costs.unavailable(lambda: missing_in(encoded))
        return Cases(
            encoded,
            coding,
            learnt.labels[counted],
            learnt.weights[counted],
            learnt.loss,
            learnt.answer_costs[counted],
            missing,
        )


def _names(learnt: Learnt) -> tuple[str, ...]:
    encoder = learnt.encoder
    return encoder.feature_names or tuple(f"x{j}" for j in range(encoder.n_features))
