"""`StreamingTree`: any learner, refitted as cases arrive."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, MetaEstimatorMixin, clone, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import has_fit_parameter

from thriftwood import _core
from thriftwood.base.estimator import Estimator
from thriftwood.base.interrupts import WholeFit
from thriftwood.base.parameters import Choice, Real, Rule, Whole, check
from thriftwood.consult import Consultation
from thriftwood.costs import Costs
from thriftwood.learning.targets import case_weights
from thriftwood.models.conversion import as_model, own_costs
from thriftwood.models.labels import one_per_case
from thriftwood.models.model import Model
from thriftwood.streams.case_by_case import CaseByCase, whole_weights
from thriftwood.streams.charging import FREE, Answered, Classes, answered
from thriftwood.streams.history import StreamHistory
from thriftwood.streams.keeping import Keep, KeptRows, kind_of
from thriftwood.table.reading import read

FEWEST = 30
"""Rows that are kept after drift, at least."""


class _Learnt(NamedTuple):
    """What answers now: put in place by one assignment, so whoever asks gets the old or the new, whole."""

    estimator: Any
    model: Model
    n_rows: int


class StreamingTree(WholeFit, MetaEstimatorMixin, ClassifierMixin, Estimator):
    """Any learner on a stream: rows are kept, and it learns again when they have grown or when drift is seen.

    Each batch is first answered and charged by the model as it is, then kept, and then perhaps learnt from:
    `history_` has what was paid. The core is quick enough for this to be faster than most trees that are
    revised case by case, and the model is any that thriftwood learns, with prices and error costs.

    Parameters
    ----------
    learner : estimator
        Who learns, such as ``tw.algorithm("csgain", costs=costs)``. It is not changed.
    window : int or None
        How many rows are kept; None: all of them, so memory grows with the stream.
    refit : float
        It learns again once as many rows have arrived as make ``refit`` times those it learnt from: 2.0 when
        they have doubled (or, with a full window, been replaced), 1.1 after a tenth of them.
    keep : {"latest", "sample"}
        Which rows a window keeps: the latest, or a sample of the whole stream in which a row is half as
        likely as one that came `window` rows later.
    drift : float or None
        The bills of the answers are watched by ADWIN at this confidence (the chance of a false alarm):
        where the mean of the latest has risen against that of the earlier ones, the rows before the change
        are forgotten and it learns at once. None: nobody watches.
    random_state : int
        Draws the sample that is kept.

    Attributes
    ----------
    history_ : StreamHistory
        Prequential accuracy and bill: each row was answered before it was learnt from. Rows of the first
        batch could not be answered, and are not in it.
    model_ : Model
        What answers now; a `Tree` where the learner grows one.
    classes_ : array
        All classes that were announced or have come so far.
    n_rows_ : int
        How many rows have come.
    kept_, kept_weights_ : tuple, array or None
        The rows that are kept with their classes, and what they weigh: `resume` goes on from these.

    Notes
    -----
    Memory: with a window at most 1.25 windows and a batch of rows, the same once more while it learns, and
    what the learner needs for a window; independent of the length of the stream.

    In mid-stream: a class that is new is a mistake until it learns again, and then known. A category that is
    new goes where the model sends unseen ones, until then. A column that is missing or renamed, text in a
    column of numbers, labels of another type, a class that the error costs do not know, or anything that the
    learner refuses when it learns again: an error, the batch is not kept and the model answers as before.

    Examples
    --------
    >>> import thriftwood as tw
    >>> stream = tw.make_stream("sea", random_state=0)
    >>> model = StreamingTree(tw.CostTreeClassifier(growth=tw.Growth(max_depth=6)), window=20_000)
    >>> for X, y in stream.batches(20_000):
    ...     model = model.partial_fit(X, y)
    >>> model.history_.accuracy > 0.87, model.history_.n_refits
    (True, 5)
    """

    rules: ClassVar[dict[str, Rule]] = {
        "window": Whole(2, none=True),
        "refit": Real(1.0, above=True),
        "keep": Choice(("latest", "sample")),
        "drift": Real(0.0, 1.0, above=True, below=True, none=True),
        "random_state": Whole(0),
    }
    learns: ClassVar[type[Model]] = Model  # type: ignore[type-abstract]  # of any kind

    history_: StreamHistory
    n_rows_: int
    n_features_in_: int

    _rows: KeptRows
    _since: int
    _watch: _core.AdaptiveWindow

    def __init__(
        self,
        learner: Any,
        window: int | None = None,
        refit: float = 2.0,
        *,
        keep: Keep = "latest",
        drift: float | None = 0.002,
        random_state: int = 0,
    ) -> None:
        self.learner = learner
        self.window = window
        self.refit = refit
        self.keep = keep
        self.drift = drift
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget everything, and begin with a table."""
        if sample_weight is not None:
            case_weights(sample_weight, read(X).shape[0])  # refuses a table of which no case counts
        self._begin(None)
        return self.partial_fit(X, y, sample_weight=sample_weight)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Answer the next rows of the stream, keep them, and learn again if it is time to.

        Parameters
        ----------
        X : array, frame, sparse matrix or list of rows
            The next rows: one or many, of the same kind and with the same columns as before.
        y : array-like
            Their classes.
        classes : array-like, optional
            Classes that may come, at the first call; all others are known once they have come.
        sample_weight : array-like, optional
            What the rows weigh when it learns; None: 1 each. Each is billed once, whatever it weighs.
            Where none of the rows that are kept weighs anything, the model stays as it is.

        Returns
        -------
        self
        """
        if not hasattr(self, "history_"):
            self._begin(classes)
        labels = one_per_case(y, read(X).shape[0])
        weights = self._weights(sample_weight, len(labels))
        known = self._classes.with_new(labels)
        result = self._answered(X, labels, known)
        drifted = result is not None and self._drifted(result)
        rows, since = self._rows.copy(), self._since + len(labels)
        if self._learnt is not None or weights is None or weights.any():  # else nothing has checked X yet
            rows.append(X, labels, weights)
        if drifted:
            rows.keep_last(max(FEWEST, int(self._watch.count)))
        due = self._learnt is None or since >= (self.refit - 1.0) * self._learnt.n_rows
        learnt = self._fitted(rows) if drifted or due else None
        # Only the watch has changed so far: from here on nothing can be wrong with the batch.
        self._classes.known, self._rows, self._since = known, rows, since
        self.n_rows_ += len(labels)
        if result is not None:
            self.history_.add(*result)
        if drifted:
            self.history_.drifts.append(self.n_rows_)
        if learnt is not None:
            self._put(learnt)
        return self

    def resume(
        self, X: Any, y: Any, history: StreamHistory, n_rows: int, *, sample_weight: Any = None
    ) -> Self:
        """Begin with rows that were kept and a history so far, as `kept_` and `history_` had them.

        It learns from these rows at once. `sample_weight` is what they weigh, as `kept_weights_` had it.
        """
        self.fit(X, y, sample_weight=sample_weight)
        self.history_, self.n_rows_ = history, n_rows
        return self

    @property
    def kept_(self) -> tuple[Any, NDArray[Any]]:
        """The rows that are kept, and their classes."""
        return self._rows.table()

    @property
    def kept_weights_(self) -> NDArray[np.float64] | None:
        """What the rows of `kept_` weigh; None where no weight was ever given."""
        return self._rows.weights

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the answer for each row, by the model as it is now."""
        return np.asarray(self._now.estimator.predict(X))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the share of each class, in the order of `classes_`."""
        estimator = self._now.estimator
        shares = np.asarray(estimator.predict_proba(X))
        places = np.searchsorted(self.classes_, estimator.classes_)
        all_shares = np.zeros((len(shares), len(self.classes_)))
        all_shares[:, places] = shares
        return all_shares

    def decide(self, row: Any) -> Any:
        """Answer one case quickly, as ``model_.decide`` does."""
        return self.model_.decide(row)

    def consult(
        self, known: Any = None, *, unavailable: Iterable[str] = (), budget: float | None = None
    ) -> Consultation:
        """Start a consultation of the model as it is now; it stays the same while the stream goes on."""
        return self.model_.consult(known, unavailable=unavailable, budget=budget)

    @property
    def model_(self) -> Model:
        """What answers now."""
        return self._now.model

    @property
    def estimator_(self) -> Any:
        """The fitted learner behind it."""
        return self._now.estimator

    @property
    def classes_(self) -> NDArray[Any]:
        """All classes so far, sorted."""
        if not hasattr(self, "_classes"):
            raise AttributeError("classes_")
        return self._classes.known

    @property
    def costs(self) -> Costs | None:
        """The learner's costs, by which rows are charged."""
        return own_costs(self.learner)

    def _begin(self, classes: Any) -> None:
        check(self, self.rules)
        if not hasattr(self.learner, "fit") or is_regressor(self.learner):
            raise TypeError(
                "StreamingTree takes a learner of classes that is not fitted yet, such as "
                f"tw.algorithm('c45'). Got {type(self.learner).__name__}."
            )
        if self.keep == "sample" and self.window is None:
            raise ValueError("keep='sample' needs the size of the sample. Give window=..., such as 10_000.")
        self._learnt: _Learnt | None = None
        self._classes = Classes([] if classes is None else classes)
        self._rows = KeptRows(self.window, self.keep, self.random_state)
        self._since = self.n_rows_ = 0
        self._watch = _core.AdaptiveWindow(self.drift or 1.0)
        self.history_ = StreamHistory()

    @property
    def _now(self) -> _Learnt:
        learnt: _Learnt | None = getattr(self, "_learnt", None)
        if learnt is None:
            raise NotFittedError(
                "This StreamingTree has not seen a row that counts yet. Call partial_fit before asking it."
            )
        return learnt

    def _answered(self, X: Any, labels: NDArray[Any], known: NDArray[Any]) -> Answered | None:
        """Answer and charge a batch; None if nothing was learnt yet."""
        costs = self.costs or FREE
        if self._learnt is None:
            costs.error_matrix(known)  # refuses classes that it does not know
            return None
        self._refuse_other_kind(X)
        return answered(self._learnt.model, X, labels, costs, known)

    def _weights(self, sample_weight: Any, n_rows: int) -> NDArray[np.float64] | None:
        if sample_weight is not None and not has_fit_parameter(self.learner, "sample_weight"):
            raise TypeError(
                f"sample_weight was given, and {type(self.learner).__name__} learns without weights. Leave "
                "it out, or take a learner whose fit has sample_weight."
            )
        if sample_weight is not None and isinstance(self.learner, CaseByCase):
            return whole_weights(sample_weight, n_rows, self.learner.owner).astype(np.float64)
        return case_weights(sample_weight, n_rows, none_counts=True)

    def _refuse_other_kind(self, X: Any) -> None:
        kind = self._rows.kind
        if kind_of(X) is not kind:
            raise TypeError(
                f"The rows so far came as {kind.__name__}, these come as {type(X).__name__}. Give all "
                "batches of a stream as the same kind of table."
            )

    def _drifted(self, result: Answered) -> bool:
        return self.drift is not None and bool(self._watch.add(np.ascontiguousarray(result.cost)))

    def _fitted(self, rows: KeptRows) -> _Learnt | None:
        """Learn from rows; None if none of them counts."""
        if not rows.n_rows:
            return None
        X, y = rows.table()
        weights = rows.weights
        if weights is not None and not weights.any():
            return None
        given = {} if weights is None else {"sample_weight": weights}
        estimator = clone(self.learner).fit(X, y, **given)
        return _Learnt(estimator, as_model(estimator), len(y))

    def _put(self, learnt: _Learnt) -> None:
        self._learnt = learnt
        self._since = 0
        self.n_features_in_ = self._learnt.model.n_features
        self.history_.n_refits += 1

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        watch = state.pop("_watch", None)
        return state | {"_watched": None if watch is None else watch.state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        watched = state.get("_watched")  # models that were pickled before they began have none
        super().__setstate__({name: value for name, value in state.items() if name != "_watched"})
        if watched is not None:
            self._watch = _core.AdaptiveWindow(self.drift or 1.0)
            self._watch.restore(watched)

    def __sklearn_is_fitted__(self) -> bool:
        return getattr(self, "_learnt", None) is not None
