"""`CostTreeClassifier`: a decision tree for classes, as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.parameters import Choice
from thriftwood.costs import Costs
from thriftwood.costs.reasonable import warn_if_unreasonable
from thriftwood.learning.answering import Answer, LossInGrowth, check_answering, check_by_row, check_further
from thriftwood.learning.budget import warn_of_small_budget
from thriftwood.learning.class_tree import ClassTree, FloatArray
from thriftwood.learning.criteria import FACTS, Criterion, facts_of, look_ahead_of
from thriftwood.learning.criteria_text import with_table
from thriftwood.learning.estimator import Prepared
from thriftwood.learning.growth import Growth
from thriftwood.learning.look_ahead import Reached, sampled
from thriftwood.learning.moved import refuse_moved, refusing_moved
from thriftwood.learning.priors import (
    Reweighed,
    altered_priors,
    instance_weights,
    prior_factors,
    warn_of_weights,
)
from thriftwood.learning.problem import Problem
from thriftwood.learning.pruning import Pruning
from thriftwood.learning.scans import CountedProblem, CountedTable
from thriftwood.learning.scans.fitting import MANY_ROWS
from thriftwood.learning.smoothing import Smoothing, smoothing_of
from thriftwood.learning.targets import Labels, class_labels, training_weights, warn_if_light
from thriftwood.learning.weighing import (
    CostReuse,
    check_weighing,
    counting_mistakes,
    prices_of,
    warn_of_uncounted_mistakes,
    weighed,
)
from thriftwood.table import Encoded, Encoder
from thriftwood.table.native import core_table


@with_table(facts for facts in FACTS.values() if not facts.predicts_numbers)
class CostTreeClassifier(ClassTree):
    """A decision tree that knows what tests and mistakes cost.

    Parameters
    ----------
    criterion : str or criterion with parameters
        What a split is worth, by name, ``"csgain"``, or with its parameters, ``tw.CsGain(gamma=0.01)``; see
        the table below. All with a c in their formula, and "act", weigh what tests cost, and so need `costs`.
    costs : Costs, optional
        Prices of the tests and costs of the mistakes. Error costs decide the answers, unless `answer` says
        otherwise; the criteria in money and "gini-loss" weigh them. ``costs.payment`` decides what a priced
        criterion counts as paid: the tests above a node ("sequential"), or all tests of the tree so far, in
        the order of ``growth.order`` ("upfront").
    cost_reuse : {"effective", "list"}
        What a test costs a priced criterion: what is still to be paid (a test tested above is free, one
        whose shared resources are paid is cheaper), or its list price at every node.
    growth : Growth, optional
        How the tree grows; None is ``Growth()``.
    pruning : Pruning, optional
        How it is pruned: Pessimistic, CostComplexity, ReducedError, CrossValidatedComplexity, MDL,
        ExpectedCost or ExpectedLoss; None: not at all.
    priors : mapping of class to probability, or array-like in the order of ``classes_``, optional
        How common the classes are where the tree will be used. None: as in the training table.
    loss_in_growth : {None, "altered_priors", "instance_weights"}
        Whether a class counts as much as its mistakes cost: in growth alone (CART's altered priors), or
        throughout, in growth, pruning, answers and shares (Ting's instance weights, which go with
        ``answer="most_likely"``; with the cheapest answers the costs would count twice).
    answer : {"cheapest", "most_likely"}
        What a case is answered: the class with the least expected cost, or the one with the largest share.
        CostComplexity (by loss), ReducedError, CrossValidatedComplexity, ExpectedCost and ExpectedLoss judge
        trees by the same, by cost or by the number of mistakes; Pessimistic and MDL count cases of the other
        classes whatever mistakes cost, CostComplexity(risk="impurity") the impurity.
    smoothing : {None, "laplace"} or float
        How class shares are taken from the weights W_c at a leaf. None: W_c / W. "laplace": (W_c + 1) /
        (W + k), k the number of classes. A number m: (W_c + m p_c) / (W + m), p the class shares of the
        training table. Answers go by these shares too, except where no training case came: such a leaf
        answers as the node above it.
    nominal_features : list of column names or positions, optional
        Columns of numbers that are names of categories. Text and categorical columns are nominal anyway.
    random_state : int, RandomState or None
        Draws the cases that pruning keeps aside, the samples of "lsid3" and "act", and the features of
        ``Growth(max_features=...)``; other growth draws nothing.
    n_jobs : int, optional
        Threads; None is 1, -1 all processors. The tree is the same for any number.

    Attributes
    ----------
    tree_ : Tree
        The finished tree: text, rules, files, one-row answers.
    classes_ : array of shape (n_classes,)
        The classes, sorted.
    n_classes_ : int
        Their number.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : array of shape (n_features_in_,)
        Their names, when the training table had names.
    look_ahead_ : Reached
        "lsid3" and "act": the samples the tree was grown with, its own estimate, and what ended growth early.

    Notes
    -----
    G is the gain of a test, what it takes from the entropy at its node; c what the test costs there; s its
    split information; W/N the share of all cases at the node.

    {criteria}

    In money are {in_money}: prices and error costs must be in the same unit, and without error costs every
    mistake costs 1. X is the gain ratio or the gain. L is the leaf cost of a node, what its
    mistakes cost with the cheapest answer (beyond what the best answer would cost each class, or by row each
    case, which no split saves), and D = L - sum_v L_v what the test saves of it. E is the smoothed
    leaf cost: the harmonic mean of what the answers cost at the node, for two classes 2 C_P C_N / (C_P +
    C_N). K is the weight of the cases that pay: those of the node whose value is known, or all cases of the
    table where tests are paid upfront. "pm" takes no test with D = 0, "min-total-cost" and "cstree" none that
    saves nothing. Where right answers cost or earn something, a mistake counts in these three as what it
    costs more than the best answer for its class, as in "leaf-cost". "act" adds up, over the cases at a node,
    prices of tests and costs of the mistakes to be expected (see `ExpectedCost`).

    "gini-loss" counts L_ij + L_ji, so between two classes it does not see which mistake is the dearer one;
    splits that make it larger are not made. Without error costs it is "gini".

    Where a price divides and is 0, tests that gain something come before all that cost something, by gain.
    A numeric feature is cut where the gain is largest ("min-total-cost": where L falls most, "cstree": where
    E does); prices only choose between features.

    Examples
    --------
    >>> model = CostTreeClassifier(growth=Growth(max_depth=1))
    >>> model.fit([[1, "red"], [2, "red"], [3, "blue"], [4, "blue"]], ["no", "no", "yes", "yes"])
    CostTreeClassifier(growth=Growth(max_depth=1))
    >>> model.predict([[0, "red"], [9, "blue"]])
    array(['no', 'yes'], dtype='<U3')

    Both columns tell the classes apart; the second is cheaper.

    >>> import thriftwood as tw
    >>> model = CostTreeClassifier(tw.CsGain(gamma=0.1), costs=Costs({"x0": 5, "x1": 1}))
    >>> model = model.fit([[1, "red"], [2, "red"], [3, "blue"], [4, "blue"]], ["no", "no", "yes", "yes"])
    >>> model.tree_[0].test
    'x1'
    """

    __metadata_request__fit: ClassVar[dict[str, bool]] = {"error_costs": True}  # nobody needs to request it

    criteria: ClassVar[Choice] = Choice(
        tuple(name for name, facts in FACTS.items() if not facts.predicts_numbers)
    )

    look_ahead_: Reached

    @refusing_moved
    def __init__(
        self,
        criterion: str | Criterion = "gini",
        *,
        costs: Costs | None = None,
        cost_reuse: CostReuse = "effective",
        growth: Growth | None = None,
        pruning: Pruning | None = None,
        priors: Any = None,
        loss_in_growth: LossInGrowth = None,
        answer: Answer = "cheapest",
        smoothing: Smoothing = None,
        nominal_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.costs = costs
        self.cost_reuse = cost_reuse
        self.growth = growth
        self.pruning = pruning
        self.priors = priors
        self.loss_in_growth = loss_in_growth
        self.answer = answer
        self.smoothing = smoothing
        self.nominal_features = nominal_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def set_params(self, **params: Any) -> Self:
        """Set parameters; ``growth__max_depth=3`` and ``criterion__gamma=0.01`` reach into those objects.

        Also where growth is None so far, and where the criterion is given by name.

        Returns
        -------
        self
        """
        refuse_moved(self.criterion, params)
        return super().set_params(**params)

    def fit(self, X: Any, y: Any, sample_weight: Any = None, error_costs: Any = None) -> Self:
        """Learn a tree.

        Parameters
        ----------
        X : array, frame, sparse matrix or list of rows, of shape (n_rows, n_features)
            The cases. Text and unordered categories are nominal, NaN, None and NA are missing.
        y : array-like of shape (n_rows,)
            The classes.
        sample_weight : array-like of shape (n_rows,), optional
            How much each case counts; a case of weight 2 counts as two cases, one of weight 0 not at all.
            Weights that add up to 1 or less are shares, and scaled to the number of cases: minimum sizes and
            pruning count cases.
        error_costs : array-like of shape (n_rows, n_classes) or (n_rows, n_classes, n_classes), optional
            What mistakes cost where that differs by row: the cost of each answer to each case, in the order
            of ``classes_`` or as a frame with a column for each class, or a matrix [actual, predicted] for
            each case. The tree then grows for the answers that cost least, and gives at each leaf the one
            that costs its cases least in all; `predict_proba` still gives the shares of the classes. `costs`
            must not name error costs as well.

        Returns
        -------
        self

        Notes
        -----
        With `error_costs` a case counts in growth and pruning as much as its answers differ in cost, scaled
        so that all cases together weigh what they weigh without; `min_branch_weight` and the like are in
        these weights. A node is not split where one answer is the cheapest for every case. A case that a
        missing value sends to several leaves is answered by the mean costs of each class, which are also what
        the weight that `smoothing` adds to a class costs. "min-total-cost" alone of the criteria in money
        takes prices and `error_costs` together: prices count by case, whatever is at stake.

        Examples
        --------
        The last customer is lost for good if called a good one; the others hardly matter.

        >>> X, y = [[1], [2], [3], [4]], ["good", "bad", "good", "bad"]
        >>> model = CostTreeClassifier(growth=Growth(max_depth=1))
        >>> costs = [[1, 0], [0, 1], [1, 0], [0, 100]]  # of answering "bad", of answering "good"
        >>> model.fit(X, y, error_costs=costs).predict(X)
        array(['good', 'good', 'good', 'bad'], dtype='<U4')
        """
        prepared = self.prepare(X, y, sample_weight, error_costs=error_costs)
        self.set_fitted(prepared, self.grow_tree(prepared.problem))
        warn_of_uncounted_mistakes(self, by_row=error_costs is not None)
        warn_of_small_budget(self)
        return self

    def prepare(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        encoding: tuple[Encoder, Encoded] | None = None,
        *,
        error_costs: Any = None,
    ) -> Prepared:
        """Check the parameters, encode the table, and state the problem in terms of the core."""
        facts = facts_of(self.checked_criterion())
        check_answering(self, knows_errors=self._has_error_costs)
        encoder, encoded = encoding or self.fit_encoder(X)
        self._check_columns(encoder, encoded)
        classes, labels = class_labels(y, encoded.n_rows)
        weights = training_weights(sample_weight, encoded.n_rows)
        errors = self._checked_errors(classes)
        reweighed = self.rescaled_weights(classes, labels, weights) if self.weighs_classes() else None
        settings = self._seeded(self.core_settings(encoded.n_rows))
        warn_if_light(weights, settings)
        check_weighing(self)
        if error_costs is not None:
            check_by_row(self)
        settings, prices, by_samples = *self._priced(settings, encoder, errors), None
        if facts.samples:
            settings, by_samples = sampled(settings, facts, look_ahead_of(self.criterion), self.random_state)
        settings = self.budgeted(settings, encoder)
        problem = Problem(
            encoded=encoded,
            encoder=encoder,
            table=core_table(encoded, encoder),
            settings=settings,
            labels=labels,
            n_classes=len(classes),
            weights=weights,
            loss=errors if self.answer == "cheapest" else None,
            smoothing=smoothing_of(self.smoothing),
            random_state=self.random_state,
            prices=prices,
            costs=self.costs,
            sampled=by_samples,
        )
        if reweighed is not None:
            problem = problem.reweighed(reweighed)
        if error_costs is not None:
            in_money = facts.asks_prices and facts.in_money
            problem = problem.by_votes(error_costs, classes, in_money=in_money)
        return Prepared(problem, encoder, classes)

    def prepare_counted(
        self,
        encoder: Encoder,
        n_rows: int,
        classes: NDArray[Any] | None,
        totals: FloatArray,
        counted: Callable[[FloatArray | None], CountedTable],
    ) -> Prepared:
        """Check the parameters, and state the problem of cases that are elsewhere."""
        assert classes is not None  # of a classifier
        check_answering(self, knows_errors=self._has_error_costs)
        encoded, table = self._empty(encoder, n_rows)
        errors = self._checked_errors(classes)
        check_weighing(self)
        settings, prices = self._priced(self._seeded(self.core_settings(MANY_ROWS)), encoder, errors)
        factors, scale = self._class_factors(classes, totals) if self.weighs_classes() else (None, None)
        weighed = factors is not None and bool((factors != 1.0).any())  # else cases are whole, as in memory
        problem: Problem = CountedProblem(
            encoded=encoded,
            encoder=encoder,
            table=table,
            settings=self.budgeted(settings, encoder),
            labels=np.empty(0, np.int32),
            n_classes=len(classes),
            loss=errors if self.answer == "cheapest" else None,
            smoothing=smoothing_of(self.smoothing),
            random_state=self.random_state,
            prices=prices,
            costs=self.costs,
            counted=counted(factors if weighed else None),
        )
        if factors is not None:
            problem = problem.reweighed(Reweighed(None, np.empty(0), factors, scale))
        return Prepared(problem, encoder, classes)

    def _checked_errors(self, classes: NDArray[Any]) -> FloatArray | None:
        """Return the error costs, with a warning where they are unreasonable."""
        errors = self._error_costs(classes)
        if errors is not None:
            further = self._further_answers(classes)
            check_further(self, further)
            warn_if_unreasonable(errors, classes, further)
            warn_of_weights(self, errors, classes)
        return errors

    def _priced(
        self, settings: _core.Settings, encoder: Encoder, errors: FloatArray | None
    ) -> tuple[_core.Settings, _core.Prices | None]:
        """Return the settings with what the criterion asks of prices and error costs, and the prices."""
        facts, prices = facts_of(self.criterion), prices_of(self, encoder)
        if facts.asks_prices or facts.value_object:
            settings = weighed(settings, self, prices)
        return counting_mistakes(settings, self.criterion, errors), prices

    def set_fitted(self, prepared: Prepared, core: _core.Tree) -> None:
        """Set the fitted attributes of scikit-learn."""
        sampled = prepared.problem.sampled
        if sampled is not None and sampled.reached is not None:
            self.look_ahead_ = sampled.reached
        else:
            self.__dict__.pop("look_ahead_", None)
        super().set_fitted(prepared, core)

    def weighs_classes(self) -> bool:
        """Tell whether priors or error costs change the weights of the cases."""
        return self.priors is not None or (self.loss_in_growth is not None and self._has_error_costs)

    def rescaled_weights(
        self, classes: NDArray[Any], labels: Labels, weights: FloatArray | None
    ) -> Reweighed:
        """Return the weights to grow with, and what turns them back into those to answer by."""
        totals = np.zeros(len(classes))
        np.add.at(totals, labels, 1.0 if weights is None else weights)
        factors, scale = self._class_factors(classes, totals)
        own = factors[labels] * (1.0 if weights is None else weights)
        return Reweighed(weights, own, factors, scale)

    def _class_factors(
        self, classes: NDArray[Any], totals: FloatArray
    ) -> tuple[FloatArray, FloatArray | None]:
        """Return what a case of each class counts in growth, and what turns that back."""
        factors = np.ones(len(classes))
        if self.priors is not None:
            factors = prior_factors(self.priors, classes, totals)
        scale = None
        errors = None if self.loss_in_growth is None else self._error_costs(classes)
        if errors is not None and self.loss_in_growth == "instance_weights":
            factors = factors * instance_weights(errors, totals * factors)
        elif errors is not None:
            altered = altered_priors(errors, totals * factors)
            factors, scale = factors * altered, 1.0 / altered
        return factors, scale
