"""Estimators that learn from Dask collections and answer them lazily."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone

from thriftwood.costs import Costs
from thriftwood.dask.billing import lazy_bill
from thriftwood.dask.fitting import fit_dask
from thriftwood.dask.tasks import is_collection
from thriftwood.learning.classifier import CostTreeClassifier
from thriftwood.learning.estimator import CostTree
from thriftwood.learning.regressor import CostTreeRegressor


class _OnDask(CostTree):
    """What both have in common: `fit` takes collections, `to_local` gives the estimator without Dask."""

    _local: type[CostTree]

    def _fitted(self, X: Any, y: Any, sample_weight: Any, memory: int | str) -> Self:
        return fit_dask(self, X, y, sample_weight, memory=memory)

    def to_local(self) -> Any:
        """Return the same, fitted, as an estimator of tables in memory."""
        local = clone(self._local(**self.get_params(deep=False)))
        fitted = {
            name: value
            for name, value in vars(self).items()
            if name.endswith("_") or name == "_refuses_missing"
        }
        vars(local).update(fitted)
        return local

    def bill(self, X: Any, y: Any = None, costs: Costs | None = None) -> Any:
        """Return what a collection costs, lazily: a delayed `TotalBill`, partitions added up by eights.

        Parameters
        ----------
        X : Dask DataFrame or Array
            The cases.
        y : Dask Series or Array, optional
            Their true classes, with the partitions of X; None: what the tests cost.
        costs : Costs, optional
            What to charge; None: the model's own costs.
        """
        return lazy_bill(self.to_local().model_, X, y, costs)

    def _lazy(self, X: Any, method: str, like: NDArray[Any]) -> Any:
        """Ask every partition for answers such as `like`, when they are computed; a table in memory, now."""
        local = self.to_local()
        if not is_collection(X):
            return getattr(local, method)(X)
        if hasattr(X, "map_partitions"):
            meta: Any = pd.Series(like) if like.ndim == 1 else pd.DataFrame(like)
            return X.map_partitions(_answers, local, method, like[:0], meta=meta.iloc[:0])
        chunks = {} if like.ndim == 1 else {"chunks": (X.chunks[0], (like.shape[1],))}
        drop = {"drop_axis": 1} if like.ndim == 1 else {}
        whole = X.rechunk({1: -1})
        return whole.map_blocks(
            _block_answers, local, method, like[:0], dtype=like.dtype, meta=like[:0], **drop, **chunks
        )


def _answers(frame: Any, model: CostTree, method: str, like: NDArray[Any]) -> Any:
    """Answer a frame as a frame."""
    found = _asked(frame, model, method, like)
    made = pd.Series(found, index=frame.index) if found.ndim == 1 else pd.DataFrame(found, index=frame.index)
    return made


def _block_answers(block: NDArray[Any], model: CostTree, method: str, like: NDArray[Any]) -> NDArray[Any]:
    return _asked(block, model, method, like)


def _asked(rows: Any, model: CostTree, method: str, like: NDArray[Any]) -> NDArray[Any]:
    if not len(rows):
        return like[:0]
    return np.asarray(getattr(model, method)(rows))


class DaskCostTreeClassifier(_OnDask, CostTreeClassifier):
    """`CostTreeClassifier` for Dask collections; parameters and attributes are the same.

    ``fit`` takes a Dask DataFrame or Array with a target of the same partitions; `predict`, `predict_proba`
    and `bill` answer one lazily. The tree is the one of `CostTreeClassifier` by bins, to the last bit.
    """

    _local = CostTreeClassifier

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, error_costs: Any = None, *, memory: int | str = "2GB"
    ) -> Self:
        """Learn a tree from collections; see `fit_dask`."""
        if error_costs is not None:
            raise ValueError(
                "Costs that differ by row are for tables in memory. Give costs by class: Costs(errors=...)."
            )
        return self._fitted(X, y, sample_weight, memory)

    def predict(self, X: Any) -> Any:
        """Return the answers for a collection, lazily."""
        return self._lazy(X, "predict", self.classes_)

    def predict_proba(self, X: Any) -> Any:
        """Return the class shares for a collection, lazily: columns 0, 1, ... in the order of `classes_`."""
        return self._lazy(X, "predict_proba", np.empty((0, self.n_classes_)))


class DaskCostTreeRegressor(_OnDask, CostTreeRegressor):
    """`CostTreeRegressor` for Dask collections; parameters and attributes are the same.

    ``fit`` takes a Dask DataFrame or Array with a target of the same partitions; `predict` answers one
    lazily. The tree is the one of `CostTreeRegressor` by bins, to the last bit.
    """

    _local = CostTreeRegressor

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, memory: int | str = "2GB") -> Self:
        """Learn a tree from collections; see `fit_dask`."""
        return self._fitted(X, y, sample_weight, memory)

    def predict(self, X: Any) -> Any:
        """Return the numbers predicted for a collection, lazily."""
        return self._lazy(X, "predict", np.empty(0))
