"""`TodayClassifier`: today's practice as the price list has it, to be billed beside a model."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.parameters import Rule, Whole
from thriftwood.baselines.base import FloatArray, Learnt, PanelLearner
from thriftwood.baselines.selecting import MOST_CASES
from thriftwood.costs import CostError, Costs, Today
from thriftwood.costs.answers import cheapest
from thriftwood.costs.names import nearest
from thriftwood.ensembles import CostForestClassifier
from thriftwood.learning.problem import taken_rows
from thriftwood.learning.thrift_judging import parts
from thriftwood.models import load
from thriftwood.models.coding import Coding
from thriftwood.models.fixed_panel import ForestScores, Scores
from thriftwood.models.model import Model
from thriftwood.models.today import GivenAnswersModel, SavedPracticeModel
from thriftwood.table import Kind

FOLDS = 3
"""Parts that decide between logistic regression and forest."""


class TodayClassifier(PanelLearner):
    """Does what is done today, as ``costs.today`` says.

    A fixed panel of tests for everybody is answered as well as can be learnt from them: by logistic
    regression or by a forest, whichever costs cases kept aside less, with the answer of least expected cost.
    Nobody's practice is made to look worse than it could be. Given answers stand in a column of the table,
    which no other learner should see; a saved model answers itself.

    Parameters
    ----------
    costs : Costs
        Prices of the tests, costs of the mistakes, and `today`.
    nominal_features : list of column names or positions, optional
        Columns of numbers that are names of categories. Text and categorical columns are nominal anyway.
    random_state : int
        Deals the cases that choose between the two, and draws the bags of the forest.

    Attributes
    ----------
    model_ : Model
        What is done today, for bills.
    classes_, n_features_in_, feature_names_in_
        As in `CostTreeClassifier`.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> costs = golf.costs.replace(errors_default=20, today=["Outlook", "Humidity"])
    >>> today = tw.bill(TodayClassifier(costs).fit(golf.X, golf.y), golf.X, golf.y)
    >>> today.mean_test_cost
    6.0
    """

    rules: ClassVar[dict[str, Rule]] = {"random_state": Whole(0)}

    def __init__(
        self, costs: Costs | None = None, *, nominal_features: Any = None, random_state: int = 0
    ) -> None:
        self.costs = costs
        self.nominal_features = nominal_features
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None, error_costs: Any = None) -> Self:
        """Learn what today's tests tell, where that is to be learnt.

        Parameters
        ----------
        X : array, frame, sparse matrix or list of rows, of shape (n_rows, n_features)
            The cases; with a column of today's answers, if these are given.
        y : array-like of shape (n_rows,)
            Their classes.
        sample_weight : array-like of shape (n_rows,), optional
            How much each case counts.
        error_costs : array-like of shape (n_rows, n_classes) or (n_rows, n_classes, n_classes), optional
            What answers cost each case. `costs` must not name error costs as well.

        Returns
        -------
        self
        """
        learnt = self.read(X, y, sample_weight, error_costs)
        today = self._today()
        names = learnt.encoder.feature_names or tuple(f"x{j}" for j in range(learnt.encoder.n_features))
        panel = tuple(_place(name, names) for name in today.tests or ())
        coding = Coding.learnt(learnt.encoded, learnt.encoder.columns, learnt.weights)
        scores: Scores = learnt.logistic(coding, () if today.tests is None or today.answers else panel)
        if panel and today.answers is None:
            scores = self._better(learnt, coding, panel)
        self.set_fitted(learnt, scores, panel)
        self._practice: Model = self._model
        if today.answers is not None:
            _place(today.answers, names)
            given = GivenAnswersModel(scores, panel, learnt.encoder, learnt.classes, self.costs, learnt.loss)
            given.column, given.further = today.answers, self._further(learnt.classes)
            self._practice = given
        elif today.model is not None:
            further = self._further(learnt.classes)
            self._practice = SavedPracticeModel(load(today.model), names, learnt.classes, further, self.costs)
        return self

    @property
    def model_(self) -> Any:
        """What is done today, with these costs."""
        super().model_  # noqa: B018  # raises if it is not fitted
        return self._practice.with_costs(self.costs).asked_with(owner=type(self).__name__)

    def predict(self, X: Any, error_costs: Any = None) -> NDArray[Any]:
        """Return today's answer for each case; `error_costs` as in `FixedPanelClassifier`, of a panel."""
        if type(self.model_) is type(self._model):
            return super().predict(X, error_costs)
        if error_costs is not None:
            raise ValueError("Today's answers are given, whatever mistakes cost. Leave error_costs out.")
        return np.asarray(self.model_.predict(X))

    def _today(self) -> Today:
        if self.costs is None or self.costs.today is None:
            raise CostError(
                "TodayClassifier does what costs.today says, and there is none. Give costs.replace(today=["
                "...]), the tests that everybody gets today; [today] in a price list."
            )
        return self.costs.today

    def _better(self, learnt: Learnt, coding: Coding, panel: tuple[int, ...]) -> Scores:
        """Return the score that costs cases kept aside less, learnt from all cases."""
        counted = np.flatnonzero(learnt.weights)
        if len(counted) > MOST_CASES:
            rng = np.random.default_rng(int(self.random_state))
            counted = np.sort(rng.permutation(counted)[:MOST_CASES])
        cost = np.zeros(2)
        for part in parts(learnt.labels[counted], FOLDS, int(self.random_state)):
            unseen = counted[part]
            seen = np.setdiff1d(counted, unseen)
            if len(np.unique(learnt.labels[seen])) < 2:
                return learnt.logistic(coding, panel)
            some, others = _some(learnt, seen), _some(learnt, unseen)
            both: tuple[Scores, Scores] = some.logistic(coding, panel), self._forest(some, panel)
            for number, scores in enumerate(both):
                answers = cheapest(scores.shares(others.encoded), learnt.loss)
                paid = others.answer_costs[np.arange(len(unseen)), answers]
                cost[number] += float(others.weights @ paid)
        return learnt.logistic(coding, panel) if cost[0] <= cost[1] else self._forest(learnt, panel)

    def _forest(self, learnt: Learnt, panel: tuple[int, ...]) -> ForestScores:
        columns = learnt.encoder.columns
        nominal = tuple(feature for feature in panel if columns[feature].kind is Kind.NOMINAL)
        codes = [place for place, feature in enumerate(panel) if feature in nominal]
        known = np.unique(learnt.labels[learnt.weights > 0])
        forest = CostForestClassifier(random_state=int(self.random_state), nominal_features=codes or None)
        made = ForestScores(forest, panel, nominal, tuple(known.tolist()), len(learnt.classes))
        own = learnt.weights > 0
        forest.fit(made.numbers(learnt.encoded)[own], learnt.labels[own], sample_weight=learnt.weights[own])
        return made


def _some(learnt: Learnt, rows: NDArray[np.intp]) -> Learnt:
    """Return some cases of a table that was read."""
    return learnt._replace(
        encoded=taken_rows(learnt.encoded, rows.astype(np.uint32)),
        labels=learnt.labels[rows],
        weights=np.asarray(learnt.weights[rows], dtype=np.float64),
        answer_costs=_rows(learnt.answer_costs, rows),
    )


def _rows(values: FloatArray, rows: NDArray[np.intp]) -> FloatArray:
    return np.asarray(values[rows])


def _place(name: str, names: tuple[str, ...]) -> int:
    if name not in names:
        raise CostError(f"today names {name!r}, which is no column of the table. {nearest(name, names)}")
    return names.index(name)
