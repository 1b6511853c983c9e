"""Our trees under the names and parameters of scikit-learn's, for its own tests to be run on them.

Nothing is computed here: parameters are translated, and what was learnt is given under scikit-learn's names.
"""

from __future__ import annotations

import math
from inspect import signature
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import compute_sample_weight
from sklearn.utils.validation import check_is_fitted

import thriftwood as tw

_CRITERIA = {"log_loss": "entropy"}
_LEAF, _UNDEFINED = -1, -2
"""What scikit-learn has in place of the child, and of the feature and the threshold, of a leaf."""
_GAP = 1e-7
"""scikit-learn does not cut between numbers that are closer."""


class TreeView:
    """The arrays of a finished tree under scikit-learn's names; a branch of missing values is left out."""

    def __init__(self, model: Any, X: Any) -> None:
        self.model = model
        core = model.tree_.core
        inner = core.kind != 0
        self.node_count = self.capacity = core.n_nodes
        self.max_depth, self.n_leaves, self.n_outputs = core.depth, core.n_leaves, 1
        self.children_left = np.where(inner, core.first_child, _LEAF)
        self.children_right = np.where(inner, core.first_child + 1, _LEAF)
        self.feature = np.where(inner, core.feature, _UNDEFINED)
        self.threshold = np.where(inner, core.threshold, float(_UNDEFINED))
        self.impurity, self.weighted_n_node_samples = core.impurity, core.weight
        self.n_node_samples = np.asarray(model.decision_path(X).sum(axis=0)).ravel()
        self.n_classes = np.array([1 if core.regression else core.width])
        shares = core.values if core.regression else core.values / core.values.sum(axis=1, keepdims=True)
        self.value = shares[:, None, :]

    def apply(self, X: Any) -> Any:
        """Return the leaf of every case."""
        return self.model.apply(X)

    def decision_path(self, X: Any) -> Any:
        """Return the nodes that every case visits."""
        return self.model.decision_path(X)


class _Tree(BaseEstimator):
    """What both trees have in common."""

    def __init__(
        self,
        *,
        criterion: str,
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return sorted(set(signature(_Tree.__init__).parameters) - {"self"})

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learn from a table."""
        model, weights = self._learner(X, y, sample_weight)
        self.model_ = model.fit(X, y, sample_weight=weights)
        self.n_features_in_ = self.model_.n_features_in_
        self.tree_ = TreeView(self.model_, X)
        return self

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Return the alphas at which branches are cut."""
        model, weights = self._learner(X, y, sample_weight)
        return model.cost_complexity_pruning_path(X, y, weights)

    def _learner(self, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any]:
        """Return our learner with these parameters for a table, and the weights of its rows."""
        weights = sample_weight
        if self.class_weight is not None:
            weights = compute_sample_weight(self.class_weight, y) * (1 if weights is None else weights)
        shape = np.shape(X) if not hasattr(X, "shape") else X.shape
        n_rows, n_features = shape if len(shape) == 2 else (1, 1)  # which fit refuses
        total = n_rows if weights is None or np.sum(weights) <= 1 else float(np.sum(weights))  # shares
        least, fraction = self.min_samples_leaf, self.min_weight_fraction_leaf
        self.max_features_ = _features(self.max_features, n_features)
        growth = tw.Growth(
            max_depth=self.max_depth,
            max_leaves=self.max_leaf_nodes,
            order="depth" if self.max_leaf_nodes is None else "best",
            min_split_weight=max(_cases(self.min_samples_split, n_rows), 2 * _cases(least, n_rows))
            if weights is None
            else 0.0,
            min_branch_weight=max(_cases(least, n_rows) if weights is None else 0.0, fraction * total),
            max_features=None if self.max_features is None else self.max_features_,
            min_decrease=self.min_impurity_decrease,
            missing="branch",
            min_gap=_GAP,
            bins=None,
        )
        pruning = tw.CostComplexity(alpha=self.ccp_alpha, risk="impurity") if self.ccp_alpha else None
        criterion = _CRITERIA.get(self.criterion, self.criterion)
        kind = tw.CostTreeClassifier if isinstance(self, ClassifierMixin) else tw.CostTreeRegressor
        return kind(criterion, growth=growth, pruning=pruning, random_state=self.random_state), weights

    @property
    def feature_importances_(self) -> Any:
        """The share of each feature in what the splits gained."""
        check_is_fitted(self, "model_")
        return self.model_.feature_importances_

    def __getattr__(self, name: str) -> Any:
        """Hand over to our model what it has under the same name."""
        if name.startswith("_") or name == "model_":
            raise AttributeError(name)
        check_is_fitted(self, "model_")
        return getattr(self.model_, name)

    def predict(self, X: Any) -> Any:
        """Return the answer for each case."""
        check_is_fitted(self, "model_")
        return self.model_.predict(X)


class DecisionTreeClassifier(ClassifierMixin, _Tree):
    """`CostTreeClassifier` under scikit-learn's names."""

    def __init__(self, *, criterion: str = "gini", **settings: Any) -> None:
        super().__init__(criterion=criterion, **settings)


class DecisionTreeRegressor(RegressorMixin, _Tree):
    """`CostTreeRegressor` under scikit-learn's names."""

    def __init__(self, *, criterion: str = "squared_error", **settings: Any) -> None:
        super().__init__(criterion=criterion, **settings)


def _cases(given: float, n_rows: int) -> float:
    """Return a number of cases that may be given as a share of all."""
    return float(given) if isinstance(given, int | np.integer) else math.ceil(given * n_rows)


def _features(given: Any, n_features: int) -> int:
    """Return a number of features that may be given as a share or as a rule."""
    if given is None:
        return n_features
    if isinstance(given, str):
        return max(1, int({"sqrt": np.sqrt, "log2": np.log2}[given](n_features)))
    return int(given) if isinstance(given, int | np.integer) else max(1, int(given * n_features))
