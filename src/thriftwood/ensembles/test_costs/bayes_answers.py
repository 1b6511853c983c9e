"""`BayesAnswers`: a tree that asks, and naive Bayes that answers by everything the case has paid for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from thriftwood import _core
from thriftwood.base.estimator import Estimator
from thriftwood.base.interrupts import WholeFit
from thriftwood.base.parameters import Real, Rule, check
from thriftwood.costs import Costs
from thriftwood.costs.model import check_costs
from thriftwood.learning.targets import share_right, training_weights
from thriftwood.models.bayes_answers import BayesAnswersModel, LeafBayes
from thriftwood.models.conversion import as_model, is_ours, own_costs
from thriftwood.models.labels import class_numbers
from thriftwood.models.model import Model
from thriftwood.models.tree.tree import Tree
from thriftwood.table import Kind
from thriftwood.table.native import core_table

if TYPE_CHECKING:
    from thriftwood import Consultation

FloatArray = NDArray[np.float64]


class BayesAnswers(WholeFit, MetaEstimatorMixin, ClassifierMixin, Estimator):
    """A tree decides which tests a case is asked, and naive Bayes answers by their values.

    The answers of a tree go by the sides of its cuts, and each leaf by the few cases that came to it. Naive
    Bayes learns from all cases how common each value is in each class, and adds that up over the values that
    the case has paid for, and over those that cost it nothing then. So it buys what the tree buys.

    Parameters
    ----------
    estimator : tree learner of thriftwood
        Who asks: any whose model is a single tree for classes, such as ``tw.algorithm("c45", budget=5)``.
    costs : Costs, optional
        What tests and mistakes cost; None: as the tree learner knows it, which otherwise is told of these.
        Where mistakes have costs the answer is the one that is expected to cost least, else the likeliest.
    smoothing : float
        In cases: so many that spread as a column does as a whole are added to the numbers of each class, and
        so many to each category of each class.

    Attributes
    ----------
    estimator_ : classifier
        The fitted tree learner.
    bayes_ : object of the core
        How common the values of each column are in each class.
    classes_ : array of shape (n_classes,)
        The classes, sorted.

    Notes
    -----
    Numbers have a normal density in each class, categories their share of it; missing values, and categories
    that were not there at fit, are left out. A free test, or one that is free once a resource is paid that it
    shares, is asked of every case for which it is free; without prices all tests are, and this is naive
    Bayes. There is no file: trees, panels, boosters and cascades have one. `pickle` keeps everything.

    References
    ----------
    Sheng & Ling 2005, Hybrid cost-sensitive decision tree, PKDD (DTNB: with categories alone, and the tree of
    least total cost)

    Examples
    --------
    One test of each case tells the side; its value tells how sure that is.

    >>> import thriftwood as tw
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], ["no", "no", "yes", "no", "yes", "yes"]
    >>> tree = tw.CostTreeClassifier(growth=tw.Growth(max_depth=1), costs=tw.Costs({"x0": 3}))
    >>> model = BayesAnswers(tree).fit(X, y)
    >>> model.estimator_.predict_proba([[2.5], [0.0]]).round(2).tolist()
    [[1.0, 0.0], [1.0, 0.0]]
    >>> model.predict_proba([[2.5], [0.0]]).round(2).tolist()
    [[0.77, 0.23], [0.99, 0.01]]
    >>> tw.bill(model, X, y).mean_test_cost
    3.0
    """

    learns: ClassVar[type[Model]] = BayesAnswersModel
    rules: ClassVar[dict[str, Rule]] = {"smoothing": Real(0.0, 1e9, above=True)}

    classes_: NDArray[Any]
    bayes_: _core.NaiveBayes

    def __init__(self, estimator: Any, costs: Costs | None = None, *, smoothing: float = 1.0) -> None:
        self.estimator = estimator
        self.costs = costs
        self.smoothing = smoothing

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the tree, and how common values are.

        Parameters
        ----------
        X, y
            The cases and their classes, as the tree learner takes them.
        sample_weight : array-like of shape (n_rows,), optional
            How much each case counts.

        Returns
        -------
        self
        """
        check(self, self.rules)
        check_costs(type(self).__name__, self.costs)
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        learner = clone(self.estimator)
        if not is_ours(learner):
            raise TypeError(f"{self._wants} Got {type(learner).__name__}.")
        if self.costs is not None and own_costs(learner) is None:
            learner.set_params(costs=self.costs)
        self.estimator_ = learner.fit(X, y, **self._weights(learner, sample_weight))
        tree = self._tree
        encoded = tree.encoder.encode(X)
        assert tree.classes is not None  # `_tree` has looked
        self.classes_ = tree.classes
        self.n_features_in_ = tree.n_features
        if tree.encoder.feature_names is not None:
            self.feature_names_in_ = np.array(tree.encoder.feature_names, dtype=object)
        else:
            self.__dict__.pop("feature_names_in_", None)
        self.bayes_ = _core.NaiveBayes(
            core_table(encoded, tree.encoder),
            class_numbers(y, self.classes_, encoded.n_rows),
            training_weights(sample_weight, encoded.n_rows),
            [len(c.categories) if c.kind is Kind.NOMINAL else 0 for c in tree.encoder.columns],
            len(self.classes_),
            float(self.smoothing),
        )
        return self

    @property
    def model_(self) -> BayesAnswersModel:
        """What was learnt, with the costs that a bill charges."""
        check_is_fitted(self)
        inside, costs = self._tree, self.charged
        named = costs is not None and costs.names_errors
        loss = costs.error_matrix(self.classes_) if costs is not None and named else None
        further = costs.further_answers(self.classes_) if costs is not None and named else ()
        found = BayesAnswersModel(inside, LeafBayes(self.bayes_), costs, loss, further=further)
        setup = inside.setup
        return found.asked_with(
            n_threads=setup.n_threads, refuses_missing=setup.refuses_missing, owner=type(self).__name__
        )

    @property
    def charged(self) -> Costs | None:
        """What a bill charges: `costs`, or those of the tree learner."""
        if self.costs is not None:
            return self.costs
        return own_costs(getattr(self, "estimator_", self.estimator))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the answer for each case."""
        return self.model_.predict(X)

    def predict_proba(self, X: Any) -> FloatArray:
        """Return how likely each class is, in the order of ``classes_``, by what each case has paid for."""
        return self.model_.predict_proba(X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of cases whose answer is their class; an answer that is no class is not right."""
        model = self.model_
        return share_right(model.answers_of(model.table(X)), y, self.classes_, sample_weight)

    def decide(self, row: Mapping[str, Any]) -> Any:
        """Answer one case: a mapping from the names of all features to values."""
        return self.model_.decide(row)

    def consult(
        self, known: Any = None, *, unavailable: Iterable[str] = (), budget: float | None = None
    ) -> Consultation:
        """Start a consultation: the tests of the tree one at a time, then free ones; see `Model.consult`."""
        return self.model_.consult(known, unavailable=unavailable, budget=budget)

    def save(self, path: str | PathLike[str]) -> None:
        """Write what was learnt to a JSON file; `load` gives it back, without the settings."""
        self.model_.save(path)

    @property
    def _wants(self) -> str:
        return (
            f"{type(self).__name__} answers by the tests that a single tree for classes asks: estimator is a "
            'learner of such, tw.algorithm("c45") for one.'
        )

    @property
    def _tree(self) -> Tree:
        model = as_model(self.estimator_)
        if model.single_tree is None or model.single_tree.classes is None:
            raise TypeError(f"{self._wants} {type(self.estimator_).__name__} has {model.description}.")
        return model.single_tree

    def _weights(self, learner: Any, sample_weight: Any) -> dict[str, Any]:
        if sample_weight is None:
            return {}
        if not has_fit_parameter(learner, "sample_weight"):
            raise ValueError(
                f"fit was given sample_weight, and {type(learner).__name__} does not take it. Leave it out, "
                "or choose another learner."
            )
        return {"sample_weight": sample_weight}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if hasattr(self.estimator, "__sklearn_tags__"):
            tags.input_tags = self.estimator.__sklearn_tags__().input_tags
        return tags
