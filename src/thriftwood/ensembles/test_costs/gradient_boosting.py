"""`CostGradientBoostingClassifier`: boosting in which each case pays for a test once, and stops when sure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from thriftwood import _core
from thriftwood.base.interrupts import kept_or_raise
from thriftwood.base.parameters import Real, Rule, Whole, check
from thriftwood.consult import Consultation
from thriftwood.costs import Costs
from thriftwood.costs.further import class_matrix
from thriftwood.ensembles.base import Ensemble
from thriftwood.ensembles.drawing import case_groups, held_out
from thriftwood.learning.problem import taken_rows
from thriftwood.learning.targets import case_weights, class_labels
from thriftwood.models.booster import Booster
from thriftwood.models.model import Model
from thriftwood.table import Encoder
from thriftwood.table.native import core_seed, core_table

FloatArray = NDArray[np.float64]


class CostGradientBoostingClassifier(Ensemble):
    """Gradient boosting that goes by what a test still costs each case, and asks no more once it is sure.

    Every stage is one small tree for all classes. A test is worth what it takes from the loss beyond its
    price, and its price is that of each case: a test that an earlier stage asked is free, and so is its
    shared resource. Prices count more in the first stages, so cheap tests come first; a case whose answer is
    sure by then is never asked the dear ones.

    Parameters
    ----------
    costs : Costs, optional
        What tests cost, and what mistakes cost: the answer is the cheapest by the shares of the classes.
    cost_weight : float
        How much of the loss a test must take away for each unit of its price. The loss of a case is minus the
        natural logarithm of the true class's share. 0: prices count for nothing.
    stop : float or None
        Before a case is asked a test it has not had: the leading class's share that is enough to ask nothing
        more. None: all stages are asked. In training, cases that are so sure pay nothing. It may be set to
        another value after `fit`; what is learnt stays.
    cheap_first : float
        How many times as much prices count in the first stage; 1 is the same in all.
    cheap_rounds : float
        The number of stages in which what they count more falls to 1/e.
    n_estimators : int
        The number of stages.
    learning_rate : float
        The share of the best step that a stage takes.
    max_leaves, max_depth : int
        The most leaves of a stage, and the most tests on a path of it.
    min_leaf_weight : float
        The least weight of the training cases in a leaf.
    l2 : float
        Added to the curvature of the loss in every leaf, so that small leaves take smaller steps.
    max_samples, max_features : float
        The share of the cases, and of the features, that each stage learns from, drawn anew.
    bins : int
        The most distinct values of a numeric column, cut at quantiles.
    early_stopping : int or None
        End after so many stages without a smaller loss on held-out cases, and keep the stages up to the
        smallest. None: all stages are learnt.
    validation : float
        With `early_stopping`, the share of the cases that is held out; of the groups, if `fit` gets them.
    nominal_features : list of column names or positions, optional
        Columns of numbers that are names of categories. Text and categorical columns are nominal anyway.
    random_state : int, RandomState or None
        Draws cases, features and the held-out cases.
    n_jobs : int, optional
        Threads; None is 1, -1 all processors. The result is the same for any number.

    Attributes
    ----------
    booster_ : Booster
        What was learnt.
    validation_loss_ : array
        With `early_stopping`: the mean loss of the held-out cases before each stage, and at the end.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    With G and H the sums of the gradients and curvatures of the loss in a leaf, by class, a cut gains
    ``1/2 sum_k (GL^2/(HL + l2) + GR^2/(HR + l2) - G^2/(H + l2))``, and costs ``cost_weight`` times the sum
    over the cases of the leaf of what each still pays. The leaf whose best cut gains most beyond that is cut
    next. With upfront payment all cases together pay for a test once. Delayed tests count in training as if
    they were not. A missing value goes to the side where it gained more in training.

    Examples
    --------
    >>> import thriftwood as tw
    >>> flowers = tw.load_dataset("iris")
    >>> costs = tw.Costs({name: 1 + 4 * ("petal" in name) for name in flowers.X.columns})
    >>> model = tw.CostGradientBoostingClassifier(costs=costs).fit(flowers.X[::2], flowers.y[::2])
    >>> bill = tw.bill(model, flowers.X[1::2], flowers.y[1::2])
    >>> round(bill.accuracy, 2), bill.mean_test_cost < 12
    (0.97, True)

    References
    ----------
    Peter, Diego, Hamprecht & Nadler 2017, Cost efficient gradient boosting, NIPS; Chen & Guestrin 2016,
    XGBoost: a scalable tree boosting system, KDD.
    """

    learns: ClassVar[type[Model]] = Booster
    __metadata_request__fit: ClassVar[dict[str, bool]] = {"groups": True}

    rules: ClassVar[Mapping[str, Rule]] = {
        "cost_weight": Real(0),
        "stop": Real(0, 1, none=True),
        "cheap_first": Real(1),
        "cheap_rounds": Real(0, above=True),
        "n_estimators": Whole(1, 10**6),
        "learning_rate": Real(0, 1, above=True),
        "max_leaves": Whole(2, 10**6),
        "max_depth": Whole(1, 10**6),
        "min_leaf_weight": Real(0, above=True),
        "l2": Real(0, above=True),
        "max_samples": Real(0, 1, above=True),
        "max_features": Real(0, 1, above=True),
        "bins": Whole(2, 255),
        "early_stopping": Whole(1, 10**6, none=True),
        "validation": Real(0, 1, above=True, below=True),
    }

    validation_loss_: FloatArray
    _learnt: _core.Booster
    _encoder: Encoder

    def __init__(
        self,
        *,
        costs: Costs | None = None,
        cost_weight: float = 0.01,
        stop: float | None = 0.9,
        cheap_first: float = 10.0,
        cheap_rounds: float = 15.0,
        n_estimators: int = 150,
        learning_rate: float = 0.1,
        max_leaves: int = 12,
        max_depth: int = 6,
        min_leaf_weight: float = 5.0,
        l2: float = 1.0,
        max_samples: float = 1.0,
        max_features: float = 1.0,
        bins: int = 64,
        early_stopping: int | None = None,
        validation: float = 0.2,
        nominal_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.costs = costs
        self.cost_weight = cost_weight
        self.stop = stop
        self.cheap_first = cheap_first
        self.cheap_rounds = cheap_rounds
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_leaves = max_leaves
        self.max_depth = max_depth
        self.min_leaf_weight = min_leaf_weight
        self.l2 = l2
        self.max_samples = max_samples
        self.max_features = max_features
        self.bins = bins
        self.early_stopping = early_stopping
        self.validation = validation
        self.nominal_features = nominal_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Learn the stages.

        Parameters
        ----------
        X, y, sample_weight
            As for `CostTreeClassifier.fit`.
        groups : array-like of shape (n_rows,), optional
            Where the cases come from: with `early_stopping`, a group is held out as a whole or not at all.

        Returns
        -------
        self
        """
        self._check()
        encoder = Encoder(type(self).__name__)
        encoded = encoder.fit_encode(X, self.nominal_features)
        classes, labels = class_labels(y, encoded.n_rows)
        weights = case_weights(sample_weight, encoded.n_rows)
        groups = None if groups is None else case_groups(groups, encoded.n_rows)
        if weights is not None and not weights.all():  # a case of weight 0 does not count, not even for bins
            counts = np.flatnonzero(weights).astype(np.uint32)
            encoded, labels, weights = taken_rows(encoded, counts), labels[counts], weights[counts]
            groups = None if groups is None else groups[counts]
        prices = None
        if self.costs is not None:
            prices = _core.Prices(self.costs.compile(encoder.feature_names or range(encoder.n_features)))
            class_matrix(self.costs, classes, type(self).__name__)  # raises if it is of other answers
        rng = check_random_state(self.random_state)
        apart = None
        if self.early_stopping is not None:
            apart = held_out(labels, self.validation, groups, rng).astype(np.uint8)
        settings = self._settings(core_seed(rng))
        table = core_table(encoded, encoder)
        self._learnt, loss, interrupted = _core.boost(
            table, labels, len(classes), weights=weights, held_out=apart, prices=prices, settings=settings
        )
        if interrupted:
            kept_or_raise(self._learnt.n_stages, int(settings.rounds), "stages")
        self.__dict__.pop("validation_loss_", None)
        if apart is not None:
            self.validation_loss_ = loss
        self.classes_, self._encoder = classes, encoder
        self._remember_columns(encoder.n_features, encoder.feature_names)
        return self

    @property
    def booster_(self) -> Booster:
        """What was learnt, with the `stop` as it is set now."""
        check_is_fitted(self, "classes_")
        check(self, {"stop": self.rules["stop"]})
        return Booster(self._learnt, self._encoder, self.classes_, self.costs, self.stop)

    @property
    def model_(self) -> Booster:
        """The booster, asked as the parameters say now: with this `stop`, by so many threads."""
        return self._asked(self.booster_)

    def n_consulted(self, X: Any) -> NDArray[np.int32]:
        """Return how many stages each case was asked."""
        return self.model_.n_consulted(X)

    def consult(
        self, known: Any = None, *, unavailable: Iterable[str] = (), budget: float | None = None
    ) -> Consultation:
        """Start a consultation: one test at a time, each once, until the answer is sure.

        Parameters
        ----------
        known, unavailable, budget
            As for `Booster.consult`.
        """
        return self.booster_.consult(known, unavailable=unavailable, budget=budget)

    @property
    def feature_importances_(self) -> FloatArray:
        """The share of each feature in what the cuts of all stages gained."""
        check_is_fitted(self, "classes_")
        totals = np.zeros(self.n_features_in_)
        for stage in self._learnt.stages:
            inner = np.flatnonzero(stage.kind)
            np.add.at(totals, stage.feature[inner], stage.gain[inner] * stage.weight[inner])
        return np.asarray(totals / (totals.sum() or 1.0))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = tags.input_tags.sparse = True
        tags.input_tags.categorical = tags.input_tags.string = True
        return tags

    def _settings(self, seed: int) -> _core.BoostSettings:
        settings = _core.BoostSettings()
        settings.rounds = int(self.n_estimators)
        settings.row_share, settings.feature_share = float(self.max_samples), float(self.max_features)
        settings.patience = 0 if self.early_stopping is None else int(self.early_stopping)
        settings.stop = np.inf if self.stop is None else float(self.stop)
        settings.seed, settings.threads = seed, self.thread_count()
        for name in ("max_leaves", "max_depth", "bins"):
            setattr(settings, name, int(getattr(self, name)))
        for name in ("learning_rate", "min_leaf_weight", "l2", "cost_weight", "cheap_first", "cheap_rounds"):
            setattr(settings, name, float(getattr(self, name)))
        return settings
